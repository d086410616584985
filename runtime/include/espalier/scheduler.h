// SPDX-License-Identifier: MIT
// Many pairs under one budget (Hubbard 1996, section 3.2): queries that can be stopped are refined round
// robin, each to level 1 at least, until all are done or the frame's budget is spent. A pair that comes back
// in the next frame keeps its query, which can then start from where it ended. All state is in memory that
// the caller gives once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/query.h"
#include "espalier/status.h"

namespace espalier {

/// What a query knows of its pair after a step.
struct PairProgress {
    Verdict verdict = Verdict::kUnresolved;
    bool done = false;  ///< another step would change nothing
    double lower = 0;   ///< lower <= separation <= upper
    double upper = __builtin_huge_val();
    std::uint64_t node_tests = 0;  ///< since the query's start, this frame's
};

/// How the scheduler works the caller's queries, which are all of one type. None of the functions may call
/// the scheduler.
struct PairQueryOps {
    /// Starts the query of a pair, a < b. `again`: the same memory served the same pair in the last frame and
    /// was not touched since. A failure ends the pair's turn in this frame; its verdict stays unresolved.
    Status (*start)(void* query, std::uint32_t a, std::uint32_t b, bool again, void* user) = nullptr;
    /// Works until the budget is spent or nothing is left to do. May exceed it by one visit.
    PairProgress (*step)(void* query, const Budget& budget, void* user) = nullptr;
    /// Level reached; asked only until the least level is.
    std::uint32_t (*level)(const void* query, void* user) = nullptr;
    void* user = nullptr;
};

/// A pair of this frame.
struct ScheduledPair {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint32_t weight = 1;  ///< share of the budget: node tests a turn, in slices; 0: the least level only
    std::uint32_t slot = 0;    ///< which query
    std::uint32_t frame = 0;   ///< the scheduler's own
    bool started = false;      ///< in this frame
    bool again = false;        ///< its query went on from the last frame
    Status status = Status::kOk;  ///< of its start
    PairProgress progress;
};

struct ScheduleOptions {
    /// Node tests of one turn of a pair of weight 1. Smaller is fairer, larger has fewer calls.
    std::uint32_t slice = 64;
    /// Level that every pair reaches whatever the budget says (one that starts there, from last frame's
    /// front, gets no more before its turn, and its front may not have been measured in this pose until
    /// then); 0: the budget is strict, and pairs whose turn never comes are not even started.
    std::uint32_t least_level = 1;
    /// Slices after which a pair is left even below the least level: the bound of what `least_level` may
    /// cost. In level order, level 1 of sphere trees with 8 children takes 73 node tests at most; best first
    /// it is there as soon as spheres of level 1 give the upper bound.
    std::uint32_t most_slices = 4;
};

enum class ScheduleEnd : std::uint32_t {
    kAllDone = 0,    ///< nothing is left to refine
    kNodeTests = 1,  ///< the node tests are spent
    kClock = 2,      ///< the clock said stop
};

struct ScheduleReport {
    ScheduleEnd end = ScheduleEnd::kAllDone;
    std::uint64_t node_tests =
        0;  ///< of this run; above the budget by one visit, or by what the least level needed
    std::uint64_t slices = 0;
    std::uint32_t done = 0;  ///< pairs that are done, of pair_count()
};

class Scheduler {
  public:
    static constexpr std::uint32_t kMaxPairs = 1u << 24;

    /// Bytes that `begin` needs: below 192 a pair and 64 more; 0 for a capacity out of range.
    static std::size_t memory_size(std::uint32_t max_pairs);

    /// Takes the memory and forgets everything. Fails with kInvalidArgument: a null pointer, memory that is
    /// not 16-byte aligned or too small, a function missing, a capacity out of range.
    /// @param queries  max_pairs query objects, `stride` bytes from one to the next; the caller's,
    /// constructed
    Status begin(void* memory, std::size_t size, std::uint32_t max_pairs, void* queries, std::size_t stride,
                 const PairQueryOps& ops);

    /// Begins a frame without pairs.
    void start_frame();

    /// Wants a pair refined in this frame. Fails with kInvalidArgument (a and b equal, begin not called) or
    /// kBufferFull (max_pairs are wanted already): such a pair is unknown, and a hit for the cautious.
    /// Wanting a pair twice counts once, with the later weight.
    Status want(std::uint32_t a, std::uint32_t b, std::uint32_t weight = 1);

    /// Refines the wanted pairs round robin. May be called again in the same frame, and goes on. The pair
    /// that was next when the last budget ended is the first of the next one's.
    ScheduleReport run(const Budget& budget, const ScheduleOptions& options = ScheduleOptions());

    /// Pairs of this frame; call after `run`. Their order depends on the calls made and on nothing else.
    std::uint32_t pair_count() const { return pair_count_; }
    const ScheduledPair& pair(std::uint32_t index) const { return pairs_[index]; }
    /// The query of a pair.
    void* query(std::uint32_t index) const { return queries_ + stride_ * pairs_[index].slot; }
    /// Index of a pair of this frame; false if it was not wanted.
    bool find(std::uint32_t a, std::uint32_t b, std::uint32_t* index) const;

  private:
    struct Work;

    ScheduledPair* pairs_ = nullptr;
    std::uint32_t* buckets_ = nullptr;
    std::uint32_t* free_slots_ = nullptr;
    std::uint32_t* turns_ = nullptr;
    unsigned char* queries_ = nullptr;
    std::size_t stride_ = 0;
    PairQueryOps ops_;
    std::uint32_t bucket_mask_ = 0;
    std::uint32_t max_pairs_ = 0;
    std::uint32_t pair_count_ = 0;
    std::uint32_t free_count_ = 0;
    std::uint32_t wanted_ = 0;
    std::uint32_t frame_ = 0;
    std::uint32_t first_a_ = 0, first_b_ = 0;  // whose turn is next
    bool settled_ = false;
};

namespace scheduler_detail {

template <class Query>
auto level_of(const Query& query, int) -> decltype(query.level()) {
    return query.level();
}
template <class Query>
std::uint32_t level_of(const Query& query, long) {
    return query.counters().node_tests > 0 ? 1 : 0;  // no levels: any work counts as one
}

}  // namespace scheduler_detail

/// Operations for an array of `Query`: any class with step, verdict, done, lower, upper and counters, such as
/// SphereQuery and Distance. `start` knows the caller's parts and poses; it calls begin, or advance where
/// `again` and the class has it.
template <class Query>
PairQueryOps pair_query_ops(Status (*start)(void* query, std::uint32_t a, std::uint32_t b, bool again,
                                            void* user),
                            void* user) {
    PairQueryOps ops;
    ops.start = start;
    ops.step = [](void* memory, const Budget& budget, void*) {
        Query* query = static_cast<Query*>(memory);
        PairProgress progress;
        progress.verdict = query->step(budget);
        progress.done = query->done();
        progress.lower = query->lower();
        progress.upper = query->upper();
        progress.node_tests = query->counters().node_tests;
        return progress;
    };
    ops.level = [](const void* memory, void*) {
        return scheduler_detail::level_of(*static_cast<const Query*>(memory), 0);
    };
    ops.user = user;
    return ops;
}

}  // namespace espalier
