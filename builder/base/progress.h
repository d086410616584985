// SPDX-License-Identifier: GPL-3.0-or-later
// How long work reports where it is and learns that it should stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <string_view>

namespace espalier {

/// Passed to long-running builder functions. The base class is silent and never cancels.
/// `advance` may be called from several threads at once.
class Progress {
  public:
    virtual ~Progress() = default;

    /// A new stage of `total` steps begins ("sample", "merge", ...).
    virtual void begin_stage(std::string_view /*name*/, std::size_t /*total*/) {}
    /// `steps` more steps of the current stage are done.
    virtual void advance(std::size_t /*steps*/ = 1) {}

    /// Asks the work to stop soon; safe to call from a signal handler.
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    /// Whether the work should end.
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> cancelled_{false};
};

}  // namespace espalier
