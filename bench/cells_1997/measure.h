// SPDX-License-Identifier: GPL-3.0-or-later
// What all measurements of the cell tree share: baked meshes, frames of the bouncing cage, times a query.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "builder/asset/aligned_bytes.h"
#include "builder/cell/row.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier::bench {

/// A baked mesh and its view.
struct Model {
    std::unique_ptr<AlignedBytes> bytes;
    Asset asset;
    ShapeView part;
    double build_seconds = 0;  ///< of the cell tree
    double radius = 0;         ///< about the origin
};

/// Bakes a cell tree, and the other trees where `others`. Throws std::runtime_error.
Model bake(const TriangleMesh& mesh, const CellTreeOptions& options, bool others = false);

/// A mesh of the corpus near the asked count; below a hundred by the shapes' own parameters.
TriangleMesh make(const std::string& kind, std::uint32_t triangles);

CellStatistics statistics(const Model& model);

/// Entries of all leaves, edges and polygons, to the edges and polygons that there are: the paper's factor.
double duplication(const Model& model);

/// Frames of two such objects in a cage of `size` radii.
std::vector<Pose> frames_of(const Model& model, bool quick, double size = 1.75);

/// Every n-th of the poses, where n is such that a pass takes `seconds` at most where one pose takes `each`;
/// 60 at least.
std::vector<Pose> thinned(const std::vector<Pose>& poses, double each, double seconds);

inline double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Query>
bool touches(Query& query, const ShapeView& part, const Pose& pose) {
    query.begin(part, part, pose);
    return query.step() == Verdict::kColliding;
}

struct Timing {
    double microseconds = 1e300;  ///< a frame, least of the repeats
    std::size_t hits = 0;         ///< frames
};

template <class Collide>
Timing time_frames(const std::vector<Pose>& poses, int repeats, Collide collide) {
    Timing timing;
    for (int i = 0; i < repeats; ++i) {
        timing.hits = 0;
        const auto start = std::chrono::steady_clock::now();
        for (const Pose& pose : poses) timing.hits += collide(pose) ? 1 : 0;
        const double each = 1e6 * seconds_since(start) / static_cast<double>(poses.size());
        timing.microseconds = each < timing.microseconds ? each : timing.microseconds;
    }
    return timing;
}

/// One of several that are compared on the same frames.
using Collide = std::function<bool(const Pose&)>;

template <class Query>
Collide collide_with(const ShapeView& part) {
    return
        [&part, query = std::make_shared<Query>()](const Pose& pose) { return touches(*query, part, pose); };
}

/// Times all of them in turns, pass by pass, so that a machine that slows down for a while does so for all.
std::vector<Timing> time_in_turns(const std::vector<Pose>& poses, int rounds,
                                  const std::vector<Collide>& all);

/// First contact at each pose with every overlap test of the cell tree, the box tree and the aabb tree:
/// microseconds a query, and the share that touches. Throws std::runtime_error if two of them disagree.
nlohmann::json compare_trees(const Model& model, const std::vector<Pose>& poses);

}  // namespace espalier::bench
