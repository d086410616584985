// SPDX-License-Identifier: MIT
// Parts of a body by a bound of what their boxes can offer to a ray or a point: depth first through the tree,
// the least bound first. Resumable and copyable.
#pragma once

#include "../pair/pair_walk.h"
#include "../pair/query_state.h"
#include "layout.h"

namespace espalier {

constexpr std::uint32_t kMostWaitingParts = (kBodyBranch - 1) * kMaxBodyLevels + 2;

class PartSearch {
  public:
    /// From the root, which is not tested. Fails with kInvalidArgument: the body was not begun.
    Status begin(const Body& body) {
        if (!BodyAccess::begun(body)) return Status::kInvalidArgument;
        body_ = body;
        count_ = 0;
        const std::uint32_t nodes = BodyAccess::node_count(body);
        if (nodes > 0) waiting_[count_++] = {nodes - 1, 0};
        return Status::kOk;
    }

    const Body& body() const { return body_; }

    /// Goes on to the next part whose bound is at most `reach`.
    /// @param bound  from the sides of a box to a lower bound; infinite: nothing
    template <class Bound>
    WalkEvent next(double reach, Bound bound, const Budget& budget, std::uint64_t most_tests,
                   Counters* counters) {
        while (count_ > 0) {
            if (counters->node_tests >= most_tests || (budget.expired && budget.expired(budget.user)))
                return WalkEvent::kBudgetSpent;
            const Waiting waiting = waiting_[--count_];
            if (waiting.bound > reach) continue;
            const BodyNode& node = BodyAccess::node(body_, waiting.node);
            if (node.count == 0) {
                part_ = node.first;
                return WalkEvent::kLeafPair;
            }
            const std::uint32_t bottom = count_;
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                const BodyNode& child = BodyAccess::node(body_, i);
                insert(i, bound(child.lo, child.hi), reach, bottom);
            }
            counters->node_tests += node.count;
        }
        return WalkEvent::kExhausted;
    }

    std::uint32_t part() const { return part_; }
    const ShapeView& shape() const { return BodyAccess::shape(body_, part_); }

    /// Between the body's frame and the part's source frame.
    void point_to_part(const double* point, double* local) const {
        const Placement& place = BodyAccess::part(body_, part_).place;
        double between[3];
        for (int k = 0; k < 3; ++k) between[k] = point[k] - place.translation[k];
        turn_back(place.rotation, between, local);
    }
    void direction_to_part(const double* direction, double* local) const {
        turn_back(BodyAccess::part(body_, part_).place.rotation, direction, local);
    }
    void point_to_body(double* point) const {
        const Placement& place = BodyAccess::part(body_, part_).place;
        turn(place.rotation, point, point);
        for (int k = 0; k < 3; ++k) point[k] += place.translation[k];
    }
    void direction_to_body(double* direction) const {
        turn(BodyAccess::part(body_, part_).place.rotation, direction, direction);
    }

  private:
    struct Waiting {
        std::uint32_t node;
        double bound;
    };

    void insert(std::uint32_t node, double bound, double reach, std::uint32_t bottom) {
        if (!(bound <= reach) || !(bound < __builtin_huge_val())) return;
        ESPALIER_ASSERT(count_ < kMostWaitingParts);
        std::uint32_t slot = count_++;
        for (; slot > bottom && waiting_[slot - 1].bound < bound; --slot) waiting_[slot] = waiting_[slot - 1];
        waiting_[slot] = {node, bound};
    }

    Body body_;
    std::uint32_t part_;
    std::uint32_t count_;
    Waiting waiting_[kMostWaitingParts];
};

/// What queries of a body and a ray or a point keep; `Query` is that of one part, whose counters are added to
/// those of the parts before.
template <class Query>
struct PartTurns {
    PartSearch search;
    Counters counters;
    Counters before;  ///< of the walk and the parts that are done
    Verdict verdict;
    bool ready;
    bool in_part;
    bool found;
    Query query;

    Status begin(const Body& body, std::uint32_t tree) {
        counters = before = Counters();
        verdict = Verdict::kUnresolved;
        ready = in_part = found = false;
        const Status status = search.begin(body);
        if (status != Status::kOk) return status;
        return BodyAccess::trees(body) & tree ? Status::kOk : Status::kNoTree;
    }

    /// Part by part. `Task` has
    ///   double reach() const, double bound(lo, hi) const   what matters, and what a box can offer
    ///   bool start()                                       begins the part's query; false: it is passed over
    ///   bool end(Verdict)                                  takes what it found; true ends all
    template <class Task>
    void run(Task* task, const Budget& budget) {
        if (!ready) return;
        const std::uint64_t most_tests = budget_limit(budget, counters);
        for (;;) {
            if (!in_part) {
                const auto bound = [task](const float* lo, const float* hi) { return task->bound(lo, hi); };
                const WalkEvent event = search.next(task->reach(), bound, budget, most_tests, &counters);
                if (event == WalkEvent::kBudgetSpent) return;
                if (event == WalkEvent::kExhausted) break;
                before = counters;
                in_part = task->start();
                if (!in_part) continue;
            }
            Budget rest = budget;
            rest.node_tests = Budget::kUnlimited;
            if (most_tests != Budget::kUnlimited)
                rest.node_tests = most_tests > counters.node_tests ? most_tests - counters.node_tests : 0;
            const Verdict part = query.step(rest);
            add_counters();
            if (part == Verdict::kUnresolved) return;
            in_part = false;
            if (task->end(part)) break;
        }
        ready = false;
        verdict = found ? Verdict::kColliding : Verdict::kDisjoint;
    }

    void add_counters() {
        const Counters& part = query.counters();
        counters.node_tests = before.node_tests + part.node_tests;
        counters.leaf_pairs = before.leaf_pairs + part.leaf_pairs;
        counters.triangle_tests = before.triangle_tests + part.triangle_tests;
        counters.exact_tests = before.exact_tests + part.exact_tests;
    }
};

/// How much a box is widened, as a share of the numbers that are compared: far more than rounding in double.
constexpr double kBoxRounding = 1e-13;

}  // namespace espalier
