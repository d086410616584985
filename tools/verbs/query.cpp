// SPDX-License-Identifier: GPL-3.0-or-later
// espalier query: collisions or distances of two assets, or of the parts of one, over a list of poses or
// configurations, with times and counts.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "builder/asset/atomic_file.h"
#include "tools/io/failure.h"
#include "tools/io/pose_list.h"
#include "tools/io/standard_streams.h"
#include "tools/options/query_options.h"
#include "tools/report/query_report.h"
#include "tools/verbs/query_side.h"
#include "tools/verbs/verbs.h"

namespace espalier::tools {
namespace {

using Clock = std::chrono::steady_clock;

/// Where the results go; checked before the work.
class ResultsTarget {
  public:
    explicit ResultsTarget(const Parsed& parsed)
        : path_(parsed.text("results").value_or(parsed.has("json") ? "" : "-")) {
        if (path_ == "-" && parsed.has("json"))
            fail_usage("--json and --results - both go to standard output");
        if (parsed.has("results") && path_.empty()) fail_usage("--results is an empty name");
        if (is_file()) value_or_fail(path_, check_writable(path_));
    }

    bool is_file() const { return !path_.empty() && path_ != "-"; }

    void write(const std::string& text) const {
        if (path_ == "-") print(text);
        if (!is_file()) return;
        const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
        value_or_fail(path_, write_file_atomically(path_, bytes));
    }

  private:
    std::string path_;
};

/// All queries of one run of the command.
class QueryBatch {
  public:
    explicit QueryBatch(const QueryOptions& options) : options_(options), a_(options.a, options.hierarchy) {
        if (options.b) b_.emplace(*options.b, options.hierarchy);
        as_bodies_ = options.asks_bodies() || !a_.is_single_shape() || !b_->is_single_shape();
        if (as_bodies_) become_bodies();
        if (options.poses) poses_ = read_poses(*options.poses);
        count_queries();
        request_.budget.node_tests = options.budget.value_or(Budget::kUnlimited);
        request_.within = options.limit;
        request_.list_parts = options.name_parts;
    }

    QueryRun run() {
        QueryRun result{options_, a_.asset(), b_ ? &b_->asset() : nullptr, as_bodies_};
        result.outcomes.resize(count_);
        result.ns_per_query = std::numeric_limits<double>::infinity();
        for (std::uint64_t i = 0; i < options_.repeats; ++i)
            result.ns_per_query = std::min(result.ns_per_query, run_once(result.outcomes));
        if (as_bodies_) {
            result.name_a = [this](std::uint32_t part) { return a_.part_name(part); };
            result.name_b = [this](std::uint32_t part) { return (b_ ? *b_ : a_).part_name(part); };
        }
        return result;
    }

  private:
    void become_bodies() {
        if (!options_.variant.run_body)
            throw Failure(
                "", {ErrorKind::kUnsupported,
                     std::string("several parts are queried with --") + options_.method.option + " " +
                         options_.method.variants.front().name + " only, not with " + options_.variant.name});
        const auto beyond = options_.strict ? BeyondLimitsIs::kFailure : BeyondLimitsIs::kWarning;
        a_.become_body(beyond);
        if (b_) b_->become_body(beyond);
    }

    /// As many as the longest list has lines; a list of one line stands for all.
    void count_queries() {
        struct List {
            std::optional<std::string> path;
            std::size_t lines;
        };
        const List lists[] = {{options_.poses, poses_.size()},
                              {options_.a.joints, a_.configurations().size()},
                              {b_ ? options_.b->joints : std::nullopt, b_ ? b_->configurations().size() : 0}};
        for (const List& list : lists) count_ = std::max(count_, list.lines);
        for (const List& list : lists)
            if (list.lines > 1 && list.lines != count_)
                throw Failure(
                    list_name(*list.path),
                    {ErrorKind::kInvalidInput, std::to_string(list.lines) + " lines where another list has " +
                                                   std::to_string(count_) + "; as many are needed, or one"});
    }

    std::size_t pose_index(std::size_t i) const { return poses_.size() == 1 ? 0 : i; }

    Status query(std::size_t i, QueryOutcome& outcome) const {
        const Pose& pose = poses_.empty() ? here_ : poses_[pose_index(i)].pose;
        if (as_bodies_)
            return options_.variant.run_body({a_.body(), b_ ? &b_->body() : nullptr, pose}, request_,
                                             outcome);
        return options_.variant.run(a_.asset().parts()[0], b_->asset().parts()[0], pose, request_, outcome);
    }

    /// Runs every query once and returns the nanoseconds that one took on average, without placing parts.
    double run_once(std::vector<QueryOutcome>& outcomes) {
        const auto start = Clock::now();
        Clock::duration placing{};
        for (std::size_t i = 0; i < count_; ++i) {
            outcomes[i] = QueryOutcome();
            if (as_bodies_) placing += place(i);
            const Status status = query(i, outcomes[i]);
            if (status != Status::kOk) fail(i, status);
        }
        const std::chrono::duration<double, std::nano> spent = Clock::now() - start - placing;
        return spent.count() / static_cast<double>(count_);
    }

    Clock::duration place(std::size_t i) {
        const auto start = Clock::now();
        bool moved = a_.place(i);
        if (b_) moved = b_->place(i) || moved;
        return moved ? Clock::now() - start : Clock::duration{};
    }

    [[noreturn]] void fail(std::size_t i, Status status) const {
        if (poses_.empty()) throw Failure(a_.asset().path(), {ErrorKind::kInvalidInput, status_text(status)});
        throw Failure(list_name(*options_.poses),
                      {ErrorKind::kInvalidInput, "line " + std::to_string(poses_[pose_index(i)].line) +
                                                     ": this pose cannot be used: " + status_text(status)});
    }

    const QueryOptions& options_;
    QuerySide a_;
    std::optional<QuerySide> b_;
    std::vector<ListedPose> poses_;
    const Pose here_;
    QueryRequest request_;
    std::size_t count_ = 1;
    bool as_bodies_ = false;
};

}  // namespace

int run_query(const Arguments& words) {
    const std::optional<Parsed> parsed = query_syntax().parse(words);
    if (!parsed) return 0;
    const QueryOptions options = query_options(*parsed);
    const ResultsTarget results(*parsed);
    QueryBatch batch(options);
    const QueryRun run = batch.run();
    results.write(query_results(run));
    if (parsed->has("json"))
        print(json_text(query_summary_json(run)));
    else if (results.is_file())
        print(query_summary_text(run));
    return 0;
}

}  // namespace espalier::tools
