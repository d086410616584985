// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of Zachmann 1997 as data; each returns an array of rows. Quick: small meshes, few frames.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace espalier::bench {

using Json = nlohmann::json;

struct Effort {
    bool quick = false;
    std::filesystem::path meshes;  ///< real meshes
};

/// Figure 5: how much of the bounding box is covered by empty cells, and how often leaves list their
/// contents.
Json empty_volume(const Effort& effort);
/// Figure 6: build time against polygons, one thread.
Json build_times(const Effort& effort);
/// Figure 9: time a frame by depth, and what the depth costs in duplication.
Json depths(const Effort& effort);
/// The threshold of empty cells, gamma, lambda and the least count, each alone.
Json parameters(const Effort& effort);
/// Figure 10: against the simple algorithm, with and without empty cells; and one leaf, which is the simple
/// algorithm with our elementary operation.
Json against_simple(const Effort& effort);
/// The cage with every overlap test, and the other trees.
Json cage(const Effort& effort);
/// The queries that divide themselves among threads against those that do not.
Json parallel(const Effort& effort);
/// Protocols A, B and C of the comparison: every overlap test, our other trees and FCL.
Json peers(const Effort& effort);

}  // namespace espalier::bench
