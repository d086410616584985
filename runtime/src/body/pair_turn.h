// SPDX-License-Identifier: MIT
// What the queries of two bodies share: a walk over pairs of parts, and a query of the pair that is next.
#pragma once

#include "../format/hierarchies.h"
#include "pair_walk.h"

namespace espalier {

/// `Pair` is the state of a query of two parts, with `begin`, `run` and `counters`, which go on counting from
/// one pair to the next.
struct BodyPairs {
    BodyWalk walk;
    Counters counters;
    bool ready;    ///< begun, and not ended
    bool in_pair;  ///< a pair of parts is under way

    Status start(const Body& a, const Body& b, const Pose& pose) { return started(walk.set(a, b, pose)); }
    Status start_self(const Body& body) { return started(walk.set_self(body)); }

    /// Whether the bodies can be queried: `status` is that of `start`.
    template <class Tree>
    Status check(Status status) const {
        if (status != Status::kOk) return status;
        return walk.trees() & HierarchiesToRead::bit_of<Tree>() ? Status::kOk : Status::kNoTree;
    }

    /// What is left of a step's budget.
    Budget rest_of(const Budget& budget, std::uint64_t most_tests) const {
        Budget rest = budget;
        rest.node_tests = Budget::kUnlimited;
        if (most_tests != Budget::kUnlimited)
            rest.node_tests = most_tests > counters.node_tests ? most_tests - counters.node_tests : 0;
        return rest;
    }

  private:
    Status started(Status status) {
        counters = Counters();
        ready = in_pair = false;
        if (status == Status::kOk) walk.start();
        return status;
    }
};

/// A contact in the frame of body A.
template <class Found>
void place_found(const BodyWalk& walk, OfParts<Found>* of) {
    of->part_a = walk.part_a();
    of->part_b = walk.part_b();
    walk.place_point(of->found.point);
    walk.place_direction(of->found.normal);
}

}  // namespace espalier
