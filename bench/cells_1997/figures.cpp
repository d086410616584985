// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/cells_1997/figures.h"

#include <tbb/global_control.h>

#include <algorithm>

#include "bench/cells_1997/measure.h"
#include "bench/cells_1997/simple.h"
#include "espalier/collide.h"

namespace espalier::bench {
namespace {

/// Most seconds of one pass over the frames.
double pass_seconds(const Effort& effort) {
    return effort.quick ? 0.03 : 0.2;
}

/// Seconds of a query at the first poses that are neither near nor far from each other.
template <class Collide>
double seconds_each(const std::vector<Pose>& poses, Collide collide) {
    const std::vector<Pose> few = thinned(poses, 1, 0);
    return 1e-6 * time_frames(few, 1, collide).microseconds;
}

/// Whether `make` gave the mesh of the row before, since a kind has few sizes.
bool repeated(const Json& rows, const std::string& kind, const TriangleMesh& mesh) {
    return !rows.empty() && rows.back()["kind"] == kind && rows.back()["triangles"] == mesh.triangles.size();
}

}  // namespace

Json empty_volume(const Effort& effort) {
    Json rows = Json::array();
    for (const char* kind : {"torus", "uv-sphere", "tetra-flake"})
        for (const std::uint32_t triangles : {100u, 200u, 400u, 1000u, 3000u, 10000u, 30000u, 100000u}) {
            if (effort.quick && triangles > 10000) continue;
            const TriangleMesh mesh = make(kind, triangles);
            if (repeated(rows, kind, mesh)) continue;
            const Model model = bake(mesh, {});
            const CellStatistics cells = statistics(model);
            rows.push_back({{"kind", kind},
                            {"triangles", mesh.triangles.size()},
                            {"empty_volume", cells.empty_volume},
                            {"duplication", duplication(model)},
                            {"triangle_duplication", cells.triangle_duplication},
                            {"edge_duplication", cells.edge_duplication}});
        }
    return rows;
}

Json build_times(const Effort& effort) {
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    Json rows = Json::array();
    for (const char* kind : {"uv-sphere", "hyperboloid"})
        for (const std::uint32_t triangles :
             {500u, 1000u, 2000u, 5000u, 10000u, 20000u, 50000u, 100000u, 200000u}) {
            if (effort.quick && triangles > 20000) continue;
            const TriangleMesh mesh = make(kind, triangles);
            double least = 1e300;
            for (int i = 0; i < (triangles > 50000 ? 2 : 3); ++i)
                least = std::min(least, bake(mesh, {}).build_seconds);
            rows.push_back({{"kind", kind}, {"triangles", mesh.triangles.size()}, {"seconds", least}});
        }
    return rows;
}

Json depths(const Effort& effort) {
    Json rows = Json::array();
    for (const char* kind : {"uv-sphere", "torus", "tetra-flake"})
        for (const std::uint32_t triangles : {100u, 300u, 700u, 1300u, 3000u, 12000u}) {
            if (effort.quick && triangles != 300 && triangles != 1300) continue;
            const TriangleMesh mesh = make(kind, triangles);
            if (repeated(rows, kind, mesh)) continue;
            std::vector<Pose> poses = frames_of(bake(mesh, {}), effort.quick);
            std::vector<std::uint32_t> tried;
            std::vector<Model> models;
            for (std::uint32_t depth = 2; depth <= 18; depth += depth < 12 ? 1 : 2) {
                CellTreeOptions options;
                options.depth = depth;
                tried.push_back(depth);
                models.push_back(bake(mesh, options));
            }
            std::vector<Collide> all;
            for (const Model& model : models) all.push_back(collide_with<Collide<CellTreeView>>(model.part));
            // The first is the slowest, and all must have the same frames.
            poses = thinned(poses, seconds_each(poses, all.front()), pass_seconds(effort));
            const std::vector<Timing> timings = time_in_turns(poses, 5, all);
            for (std::size_t i = 0; i < models.size(); ++i)
                rows.push_back({{"kind", kind},
                                {"triangles", mesh.triangles.size()},
                                {"depth", tried[i]},
                                {"frames", poses.size()},
                                {"duplication", duplication(models[i])},
                                {"microseconds", timings[i].microseconds}});
        }
    return rows;
}

Json parameters(const Effort& effort) {
    Json rows = Json::array();
    for (const char* kind : {"torus", "tetra-flake", "gear"}) {
        const TriangleMesh mesh = make(kind, effort.quick ? 1000 : 5000);
        const std::vector<Pose> poses =
            thinned(frames_of(bake(mesh, {}), effort.quick), 50e-6, pass_seconds(effort));
        std::vector<Model> models;
        const std::size_t first = rows.size();
        const auto add = [&](const char* parameter, double value, const CellTreeOptions& options) {
            models.push_back(bake(mesh, options));
            rows.push_back({{"kind", kind},
                            {"triangles", mesh.triangles.size()},
                            {"parameter", parameter},
                            {"value", value},
                            {"duplication", duplication(models.back())}});
        };
        CellTreeOptions options;
        for (const double share : {0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0}) {
            options = CellTreeOptions();
            options.empty_share = share;
            add("empty_share", share, options);
        }
        for (const double gamma : {0.0, 0.1, 0.25, 0.5, 1.0, 2.0}) {
            options = CellTreeOptions();
            options.gamma = gamma;
            add("gamma", gamma, options);
        }
        for (const double lambda : {0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0}) {
            options = CellTreeOptions();
            options.lambda = lambda;
            add("lambda", lambda, options);
        }
        for (const std::uint32_t least : {1u, 2u, 4u, 8u, 16u, 32u}) {
            options = CellTreeOptions();
            options.depth = 16;
            options.min_triangles = least;
            add("min_triangles_at_depth_16", least, options);
        }
        std::vector<Collide> all;
        for (const Model& model : models) all.push_back(collide_with<Collide<CellTreeView>>(model.part));
        const std::vector<Timing> timings = time_in_turns(poses, 5, all);
        for (std::size_t i = 0; i < all.size(); ++i)
            rows[first + i]["microseconds"] = timings[i].microseconds;
    }
    return rows;
}

Json against_simple(const Effort& effort) {
    Json rows = Json::array();
    for (const char* kind : {"torus", "uv-sphere", "tetra-flake"})
        for (const std::uint32_t triangles : {18u, 32u, 72u, 132u, 200u, 400u, 1000u, 2000u, 5000u}) {
            if (effort.quick && triangles > 1000) continue;
            const TriangleMesh mesh = make(kind, triangles);
            if (repeated(rows, kind, mesh)) continue;
            CellTreeOptions no_empty, one_leaf;
            no_empty.empty_share = 1;
            one_leaf.lambda = 0;
            one_leaf.empty_share = 1;
            const Model model = bake(mesh, {}), full = bake(mesh, no_empty), leaf = bake(mesh, one_leaf);
            SimpleCollide simple(model.part, model.part);
            const auto plainly = [&](const Pose& pose) { return simple.collide(pose); };
            std::vector<Pose> poses = frames_of(model, effort.quick);
            poses = thinned(poses, seconds_each(poses, plainly), 2 * pass_seconds(effort));
            const std::vector<Timing> timings =
                time_in_turns(poses, 3,
                              {collide_with<Collide<CellTreeView>>(model.part),
                               collide_with<Collide<CellTreeView>>(full.part), plainly,
                               collide_with<Collide<CellTreeView>>(leaf.part)});
            for (const Timing& timing : timings)
                if (timing.hits != timings[0].hits)
                    throw std::runtime_error("cell tree and simple algorithm disagree");
            rows.push_back({{"kind", kind},
                            {"triangles", mesh.triangles.size()},
                            {"frames", poses.size()},
                            {"hits", double(timings[0].hits) / double(poses.size())},
                            {"cells", timings[0].microseconds},
                            {"no_empty_cells", timings[1].microseconds},
                            {"simple", timings[2].microseconds},
                            {"one_leaf", timings[3].microseconds}});
        }
    return rows;
}

}  // namespace espalier::bench
