// SPDX-License-Identifier: GPL-3.0-or-later
// The placements of every protocol, from fixed seeds. `reference` answers the yes-or-no and distance
// questions that some protocols need to find them; it is our exact query.
#pragma once

#include <string>
#include <vector>

#include "bench/harness/library.h"

namespace espalier_bench {

enum class Job { kFirst, kMisses, kAll, kDistance, kDeform };

/// Consecutive placements that are timed together.
struct Group {
    std::string name;  ///< "gap 0.1 %"
    double value = 0;  ///< the same as a number
    std::size_t count = 0;
};

struct PoseSet {
    std::string protocol;  ///< "A"
    std::string title;
    Job job = Job::kFirst;
    std::vector<Group> groups;
    std::vector<Placement> placements;
};

/// How much of each protocol is run.
struct Sizes {
    std::size_t random = 500;    ///< placements of A and D
    std::size_t steps = 60;      ///< of each turn of B
    std::size_t per_gap = 60;    ///< placements of each gap of C
    std::size_t contacts = 60;   ///< placements of E
    std::size_t distances = 30;  ///< placements of each gap of F
    std::size_t frames = 20;     ///< of G
    std::size_t paper = 100000;  ///< placements of the paper's tables
};
Sizes quick_sizes();
Sizes full_sizes();

/// A: both origins random in a cube and both orientations random; the cube is tuned by bisection until 60 %
/// of the placements touch (van den Bergen 1998, section 5).
PoseSet random_placements(const ModelData& model, Library& reference, std::size_t count,
                          std::uint64_t seed = 1);

/// B: two copies, scaled to a cube of size 2, at decreasing distance of their centres; one makes a full turn
/// about z and x in small steps (Zachmann 2002, section 5). The meshes are not scaled, the distances are.
PoseSet tumbling_turn(const ModelData& model, std::size_t steps);

/// C: near misses; each copy is moved in along a random line until the exact distance is the gap, for gaps
/// from 0.1 % to 2 % of the diagonal (as in Trenkel, Weller and Zachmann 2007).
PoseSet near_misses(const ModelData& model, Library& reference, std::size_t per_gap);

/// D: random orientations, centres nearer than a tenth of the diagonal.
PoseSet deep_overlap(const ModelData& model, std::size_t count);

/// E: those placements of A that touch, for the query that finds all contacts.
PoseSet all_contacts(const PoseSet& random, Library& reference, std::size_t count);

/// F: placements at gaps of 1, 10 and 50 % of the diagonal, for the distance query.
PoseSet distances(const ModelData& model, Library& reference, std::size_t per_gap);

/// G: one frame a placement (from A); the mesh deforms, the tree is refitted, then asked.
PoseSet deforming(const PoseSet& random, std::size_t frames);

/// The placements of `set` that do not touch, for libraries that only generate contacts.
PoseSet misses_of(const PoseSet& set, Library& reference);

}  // namespace espalier_bench
