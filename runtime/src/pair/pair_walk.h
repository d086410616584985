// SPDX-License-Identifier: MIT
// Simultaneous depth-first descent of two trees of a kind to the pairs of leaves that matter: those that may
// overlap, or that may be nearer than a limit (van den Bergen 1998, section 3; Zachmann 2002, section 3.3;
// Zachmann 1997, "Simultaneous recursive traversal of BoxTrees"). Here are stack, budget, clock, backtracking
// and the limit; a tree's codec replaces one pair of volumes by the pairs of their children, decoding and
// testing them in one go. Resumable and copyable: the whole state is here, bounded by the depths of the two
// trees, without a pointer into itself.
//
// A codec has
//   Visit                                one replaced pair: the pairs of children still to visit, and what
//                                        it takes to go to them (visits.h)
//   kMaxVisits                           most visits at a time, by the trees' bounded depths
//   kBounded                             pairs carry lower bounds of their distance, and those beyond the
//                                        limit are passed over
//   kByBound                             they are visited by these bounds: behind the first beyond the limit
//                                        there is no other
//   kExactLimit                          on the way back bounds are compared with the limit itself, not
//                                        with the float above it
//   PairFrame& frame()                   placement of the pair, filled before `begin`
//   begin(a, b), restart()               go to the roots
//   at_leaves()                          the current pair is one of leaves
//   expand(reach, visit, counters)       replaces the current pair; false: no pair of children is left
//   enter(visit, pair), leave(visit)     go to a pair of children; go back for good
//   set_reach(reach)                     told of every new limit
#pragma once

#include "../base/assert.h"
#include "../base/rounding.h"
#include "espalier/query.h"
#include "pair_frame.h"

namespace espalier {

/// Where a walk stands after `next`.
enum class WalkEvent { kLeafPair, kExhausted, kBudgetSpent };

template <class Codec>
class PairWalk {
  public:
    /// Goes to the roots, with the limit 0. Precondition: both parts have the tree. Fails with
    /// kInvalidArgument (pose).
    Status begin(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        ESPALIER_ASSERT(Codec::present(a) && Codec::present(b));
        const Status status = make_pair_frame(a, b, pose, &codec_.frame());
        if (status != Status::kOk) return status;
        codec_.begin(a, b);
        reach_ = 0;
        limit_ = 0;
        start();
        return Status::kOk;
    }

    /// Begins anew at the roots; what the codec knows of the nodes stays.
    void restart() {
        codec_.restart();
        start();
    }

    Codec& codec() { return codec_; }
    const Codec& codec() const { return codec_; }
    const PairFrame& frame() const { return codec_.frame(); }

    /// Pairs farther apart than this do not come up any more.
    void set_limit(double limit) {
        reach_ = upward(limit);
        limit_ = limit;
        codec_.set_reach(reach_);
    }
    /// The limit as a float, rounded up.
    float reach() const { return reach_; }

    /// Goes on to the next pair of leaves; stops before a visit once `counters->node_tests` has reached
    /// `most_tests` or the budget's clock has expired.
    WalkEvent next(const Budget& budget, std::uint64_t most_tests, Counters* counters) {
        for (;;) {
            if (!entered_ && !enter_next_pair()) return WalkEvent::kExhausted;
            entered_ = counters->node_tests >= most_tests || (budget.expired && budget.expired(budget.user));
            if (entered_) return WalkEvent::kBudgetSpent;
            if (codec_.at_leaves()) return WalkEvent::kLeafPair;
            ESPALIER_ASSERT(visit_count_ < Codec::kMaxVisits);
            if (codec_.expand(reach_, &visits_[visit_count_], counters)) ++visit_count_;
        }
    }

    /// Least bound among everything not yet looked at; infinite when there is nothing.
    double open_bound() const {
        float least = entered_ ? bound_ : __builtin_huge_valf();
        for (std::uint32_t i = 0; i < visit_count_; ++i) {
            const float bound = visits_[i].least_bound();
            if (bound < least) least = bound;
        }
        return double(least);
    }

  private:
    using Visit = typename Codec::Visit;

    void start() {
        visit_count_ = 0;
        bound_ = 0;
        entered_ = true;
    }

    /// Backtracks to the innermost visit with a pair left and goes there.
    bool enter_next_pair() {
        while (visit_count_ > 0) {
            Visit& visit = visits_[visit_count_ - 1];
            if (visit.remaining == 0 || (Codec::kByBound && beyond(visit))) {
                codec_.leave(visit);
                --visit_count_;
                continue;
            }
            if (Codec::kBounded && !Codec::kByBound && beyond(visit)) {
                visit.take();
                continue;
            }
            if constexpr (Codec::kBounded) bound_ = visit.next_bound();
            codec_.enter(visit, visit.take());
            return true;
        }
        return false;
    }

    /// Precondition: the visit has a pair left.
    bool beyond([[maybe_unused]] const Visit& visit) const {
        ESPALIER_ASSERT(visit.remaining > 0);
        if constexpr (Codec::kBounded && Codec::kExactLimit) return double(visit.next_bound()) > limit_;
        if constexpr (Codec::kBounded) return visit.next_bound() > reach_;
        return false;
    }

    Codec codec_;
    std::uint32_t visit_count_;
    float reach_;
    double limit_;
    float bound_;   // of the current pair
    bool entered_;  // it was not handled yet
    Visit visits_[Codec::kMaxVisits];
};

}  // namespace espalier
