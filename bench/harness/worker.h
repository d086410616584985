// SPDX-License-Identifier: GPL-3.0-or-later
// One library with one model in a process of its own, pinned; it is killed when it takes too long.
#pragma once

#include <memory>
#include <vector>

#include "bench/harness/library.h"
#include "bench/harness/process.h"
#include "bench/protocols/protocols.h"

namespace espalier_bench {

/// What loading told.
struct LoadFacts {
    bool ok = false;
    double load_ns = 0;          ///< build or open, least of a few
    double first_query_ns = 0;   ///< the first query afterwards
    double allocated_bytes = 0;  ///< that malloc gave out meanwhile and kept
    double hierarchy_bytes = 0;  ///< the library's own figure
};

/// Times and answers of one pass over a pose set.
struct Pass {
    enum class Outcome { kDone, kTooSlow, kFailed } outcome = Outcome::kFailed;
    std::vector<double> group_ns;
    std::vector<double> answers;
};

class Worker {
  public:
    /// Neither is copied; both must outlive the worker, and `sets` must be complete now.
    Worker(const LibraryEntry& entry, const ModelData& model, const std::vector<PoseSet>& sets,
           double load_limit_seconds);

    const LibraryInfo& info() const { return entry_.info; }
    const LoadFacts& facts() const { return facts_; }

    /// Runs `set` once. A pass that exceeds the limit is kTooSlow; the worker is started again if it had to
    /// be killed, at most twice.
    Pass run(std::size_t set, bool want_answers, double limit_seconds);

  private:
    void start();
    void serve(int in, int out) const;

    const LibraryEntry& entry_;
    const ModelData& model_;
    const std::vector<PoseSet>& sets_;
    double load_limit_;
    int starts_ = 0;
    std::unique_ptr<Child> child_;
    LoadFacts facts_;
};

}  // namespace espalier_bench
