// SPDX-License-Identifier: GPL-3.0-or-later
// The models on which queries are held against exact predicates: all kinds of the corpus, a soup, and the
// real meshes that are small enough, each with an aabb and a box tree.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "tests/support/baked_mesh.h"

namespace espalier::testing {

/// Placements, rays or points for every kind of query, over all small models together.
constexpr std::uint64_t kExactPoses = 100000;

struct ExactModels {
    std::vector<std::unique_ptr<BakedMesh>> small;  ///< at most 330 triangles each
    std::vector<std::unique_ptr<BakedMesh>> large;  ///< from 1000 to 6000, for a few placements in addition

    /// Bakes them; `triangles` is the size of the generated ones. Diagonals are between 1 and 2, by a power
    /// of two, so that any two models can meet. Leaf sizes and ways to split change from model to model.
    explicit ExactModels(std::uint32_t triangles);
};

/// Calls `check(a, b, pose)` at kExactPoses placements of small models (at fewer under sanitizers) and at
/// some of large ones, until it reports a failure. Every model meets itself and the next.
/// @param reach as in random_pose
void for_exact_poses(const ExactModels& models, std::uint64_t seed, double reach,
                     const std::function<void(const ShapeView&, const ShapeView&, const Pose&)>& check);

/// The same with one part at a time: `check(part, draw)`.
void for_exact_parts(const ExactModels& models, std::uint64_t seed,
                     const std::function<void(const BakedMesh&, Draw&)>& check);

}  // namespace espalier::testing
