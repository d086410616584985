// SPDX-License-Identifier: GPL-3.0-or-later
// espalier-bench-cells-1997: the figures of Zachmann 1997 as data, on today's machine, and what decides our
// defaults.
#include <boost/program_options.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench/cells_1997/cage.h"
#include "bench/cells_1997/simple.h"
#include "builder/asset/aligned_bytes.h"
#include "builder/asset/describe.h"
#include "builder/asset/write_asset.h"
#include "corpus/registry.h"
#include "corpus/tetra_flake.h"
#include "corpus/torus.h"
#include "corpus/uv_sphere.h"
#include "espalier/aabb_query.h"
#include "espalier/box_query.h"
#include "espalier/cell_query.h"

namespace espalier::bench {
namespace {

using Json = nlohmann::json;

/// A baked mesh and its view.
struct Model {
    std::unique_ptr<AlignedBytes> bytes;
    Asset asset;
    PartView part;
    double build_seconds = 0;
    double radius = 0;
};

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Model bake(const TriangleMesh& mesh, const CellTreeOptions& options, bool others = false) {
    Progress progress;
    AssetContents contents;
    BakedPart& part = contents.parts.emplace_back();
    part.mesh = mesh;
    const auto start = std::chrono::steady_clock::now();
    part.cell = build_cell_tree(mesh, options, progress);
    Model model;
    model.build_seconds = seconds_since(start);
    if (others) {
        part.aabb = build_aabb_tree(mesh, {}, progress);
        part.box = build_box_tree(mesh, {}, progress);
    }
    model.bytes = std::make_unique<AlignedBytes>(write_asset(contents).value());
    if (open(model.bytes->data(), model.bytes->size(), Verify::kFull, &model.asset) != Status::kOk ||
        model.asset.part(0, &model.part) != Status::kOk)
        throw std::runtime_error("a baked mesh does not open");
    for (const Eigen::Vector3f& p : mesh.positions) model.radius = std::max(model.radius, double(p.norm()));
    return model;
}

/// Near the asked count; below a hundred by the shapes' own parameters.
TriangleMesh make(const std::string& kind, std::uint32_t triangles) {
    if (triangles < 100) {
        const auto side = static_cast<std::uint32_t>(std::max(3.0, std::sqrt(triangles / 2.0)));
        if (kind == "torus") return corpus::make_torus({1.0, 0.4, side, side});
        if (kind == "uv-sphere") return corpus::make_uv_sphere({1.0, side, side + 1});
        return corpus::make_tetra_flake({1.0, 0.45, 1});
    }
    return corpus::find_corpus_mesh(kind)->make_near(triangles);
}

CellStatistics statistics(const Model& model) {
    const auto described = describe_asset({model.bytes->data(), model.bytes->size()}).value();
    for (const TreeDescription& tree : described.parts[0].trees)
        if (tree.cells) return *tree.cells;
    throw std::runtime_error("no cell tree");
}

template <class Query>
bool touches(Query& query, const Model& model, const Pose& pose) {
    query.begin(model.part, model.part, pose);
    return query.step() == Verdict::kColliding;
}

/// Frames of two such objects in a cage.
std::vector<Pose> frames_of(const Model& model, bool quick, double size = 1.75) {
    CageOptions cage;
    cage.radius = model.radius;
    cage.size = size;
    cage.runs = quick ? 2 : 10;
    cage.frames = quick ? 100 : 300;
    cage.seed = 1997;
    const auto query = std::make_unique<CellCollide<>>();
    return cage_poses(cage, [&](const Pose& pose) { return touches(*query, model, pose); });
}

struct Timing {
    double microseconds = 0;  ///< a frame, least of the repeats
    double hits = 0;          ///< share of frames
};

template <class Collide>
Timing time_frames(const std::vector<Pose>& poses, int repeats, Collide collide) {
    Timing timing;
    timing.microseconds = 1e300;
    for (int i = 0; i < repeats; ++i) {
        std::size_t hits = 0;
        const auto start = std::chrono::steady_clock::now();
        for (const Pose& pose : poses) hits += collide(pose);
        const double count = static_cast<double>(poses.size());
        timing.microseconds = std::min(timing.microseconds, 1e6 * seconds_since(start) / count);
        timing.hits = static_cast<double>(hits) / count;
    }
    return timing;
}

template <class Query>
Timing time_query(const Model& model, const std::vector<Pose>& poses, int repeats = 3) {
    const auto query = std::make_unique<Query>();
    return time_frames(poses, repeats, [&](const Pose& pose) { return touches(*query, model, pose); });
}

/// Figure 5: how much of the bounding box is covered by empty cells.
Json empty_volume(bool quick) {
    Json rows = Json::array();
    for (const char* kind : {"torus", "uv-sphere", "tetra-flake"})
        for (const std::uint32_t triangles : {100u, 200u, 400u, 1000u, 3000u, 10000u, 30000u, 100000u}) {
            if (quick && triangles > 10000) continue;
            const Model model = bake(make(kind, triangles), {});
            const CellStatistics cells = statistics(model);
            rows.push_back({{"kind", kind},
                            {"triangles", model.part.mesh.triangle_count},
                            {"empty_volume", cells.empty_volume},
                            {"triangle_duplication", cells.triangle_duplication},
                            {"edge_duplication", cells.edge_duplication}});
        }
    return rows;
}

/// Figure 6: build time against polygons.
Json build_times(bool quick) {
    Json rows = Json::array();
    for (const char* kind : {"uv-sphere", "hyperboloid"})
        for (const std::uint32_t triangles :
             {500u, 1000u, 2000u, 5000u, 10000u, 20000u, 50000u, 100000u, 200000u}) {
            if (quick && triangles > 20000) continue;
            const TriangleMesh mesh = make(kind, triangles);
            double least = 1e300;
            for (int i = 0; i < 3; ++i) least = std::min(least, bake(mesh, {}).build_seconds);
            rows.push_back({{"kind", kind}, {"triangles", mesh.triangles.size()}, {"seconds", least}});
        }
    return rows;
}

/// Figure 9: the best depth.
Json depths(bool quick) {
    Json rows = Json::array();
    for (const char* kind : {"uv-sphere", "torus", "tetra-flake"})
        for (const std::uint32_t triangles : {100u, 300u, 700u, 1300u, 3000u, 12000u}) {
            if (quick && triangles > 3000) continue;
            const TriangleMesh mesh = make(kind, triangles);
            if (!rows.empty() && rows.back()["kind"] == kind &&
                rows.back()["triangles"] == mesh.triangles.size())
                continue;
            const std::vector<Pose> poses = frames_of(bake(mesh, {}), quick);
            for (std::uint32_t depth = 2; depth <= 18; depth += depth < 12 ? 1 : 2) {
                CellTreeOptions options;
                options.depth = depth;
                const Model model = bake(mesh, options);
                rows.push_back({{"kind", kind},
                                {"triangles", mesh.triangles.size()},
                                {"depth", depth},
                                {"microseconds", time_query<CellCollide<>>(model, poses, 2).microseconds}});
            }
        }
    return rows;
}

/// Figure 10: against the simple algorithm, with and without empty cells; and one leaf, which is the simple
/// algorithm with our elementary operation.
Json against_simple(bool quick) {
    Json rows = Json::array();
    for (const char* kind : {"torus", "uv-sphere", "tetra-flake"})
        for (const std::uint32_t triangles : {32u, 72u, 132u, 200u, 400u, 1000u, 2000u, 5000u}) {
            if (quick && triangles > 1000) continue;
            const TriangleMesh mesh = make(kind, triangles);
            if (!rows.empty() && rows.back()["kind"] == kind &&
                rows.back()["triangles"] == mesh.triangles.size())
                continue;
            CellTreeOptions no_empty, one_leaf;
            no_empty.empty_share = 1;
            one_leaf.lambda = 0;
            one_leaf.empty_share = 1;
            const Model model = bake(mesh, {}), full = bake(mesh, no_empty), leaf = bake(mesh, one_leaf);
            const std::vector<Pose> poses = frames_of(model, quick);
            SimpleCollide simple(model.part, model.part);
            const Timing plain =
                time_frames(poses, 1, [&](const Pose& pose) { return simple.collide(pose); });
            const Timing cells = time_query<CellCollide<>>(model, poses);
            if (plain.hits != cells.hits) throw std::runtime_error("cell tree and simple algorithm disagree");
            rows.push_back({{"kind", kind},
                            {"triangles", mesh.triangles.size()},
                            {"hits", cells.hits},
                            {"cells", cells.microseconds},
                            {"no_empty_cells", time_query<CellCollide<>>(full, poses).microseconds},
                            {"simple", plain.microseconds},
                            {"one_leaf", time_query<CellCollide<>>(leaf, poses).microseconds}});
        }
    return rows;
}

/// The cage with every overlap test, and the other trees.
Json cage(bool quick) {
    Json rows = Json::array();
    for (const char* kind : {"torus", "uv-sphere", "tetra-flake", "gear"})
        for (const std::uint32_t triangles : {1000u, 10000u, 50000u}) {
            if (quick && triangles > 10000) continue;
            const Model model = bake(make(kind, triangles), {}, true);
            for (const double size : {1.5, 2.0}) {
                const std::vector<Pose> poses = frames_of(model, quick, size);
                const Timing lite = time_query<CellCollide<CellOverlap::kSatLite>>(model, poses);
                const auto microseconds = [&](auto query) {
                    const Timing timing = time_query<typename decltype(query)::element_type>(model, poses);
                    if (timing.hits != lite.hits) throw std::runtime_error("two queries disagree");
                    return timing.microseconds;
                };
                rows.push_back({{"kind", kind},
                                {"triangles", model.part.mesh.triangle_count},
                                {"cage", size},
                                {"frames", poses.size()},
                                {"hits", lite.hits},
                                {"satlite", lite.microseconds},
                                {"sat", microseconds(std::unique_ptr<CellCollide<CellOverlap::kSat>>())},
                                {"axis", microseconds(std::unique_ptr<CellCollide<CellOverlap::kAxis>>())},
                                {"clip", microseconds(std::unique_ptr<CellCollide<CellOverlap::kClip>>())},
                                {"box", microseconds(std::unique_ptr<BoxCollide<>>())},
                                {"aabb", microseconds(std::unique_ptr<AabbCollide>())}});
            }
        }
    return rows;
}

/// The threshold of empty cells, gamma and the least count, each alone.
Json parameters(bool quick) {
    Json rows = Json::array();
    for (const char* kind : {"torus", "tetra-flake", "gear"}) {
        const TriangleMesh mesh = make(kind, quick ? 1000 : 5000);
        const std::vector<Pose> poses = frames_of(bake(mesh, {}), quick);
        const auto add = [&](const char* parameter, double value, const CellTreeOptions& options) {
            rows.push_back(
                {{"kind", kind},
                 {"parameter", parameter},
                 {"value", value},
                 {"microseconds", time_query<CellCollide<>>(bake(mesh, options), poses).microseconds}});
        };
        CellTreeOptions options;
        for (const double share : {0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0}) {
            options = CellTreeOptions();
            options.empty_share = share;
            add("empty_share", share, options);
        }
        for (const double gamma : {0.0, 0.1, 0.25, 0.5, 1.0, 2.0}) {
            options = CellTreeOptions();
            options.gamma = gamma;
            add("gamma", gamma, options);
        }
        for (const std::uint32_t least : {1u, 2u, 4u, 8u, 16u}) {
            options = CellTreeOptions();
            options.depth = 16;
            options.min_triangles = least;
            add("min_triangles_at_depth_16", least, options);
        }
    }
    return rows;
}

}  // namespace

int run(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description options("espalier-bench-cells-1997 --results DIR [--quick]");
    options.add_options()("help", "this text")("meshes", po::value<std::string>(),
                                               "ignored: all meshes are made here")(
        "results", po::value<std::string>(), "folder for cells_1997.json")("quick",
                                                                           "small meshes, few frames");
    po::variables_map given;
    po::store(po::parse_command_line(argc, argv, options), given);
    if (given.count("help") || !given.count("results")) {
        std::cerr << options;
        return given.count("help") ? 0 : 1;
    }
    const bool quick = given.count("quick") > 0;
    const std::filesystem::path folder = given["results"].as<std::string>();
    std::filesystem::create_directories(folder);
    const std::pair<const char*, Json (*)(bool)> sections[] = {
        {"empty_volume", empty_volume}, {"build_times", build_times},       {"depths", depths},
        {"parameters", parameters},     {"against_simple", against_simple}, {"cage", cage}};
    Json results;
    for (const auto& [name, measure] : sections) {
        std::cerr << "espalier-bench-cells-1997: " << name << "\n";
        results[name] = measure(quick);
        // After every section, so that an interrupted run leaves what it has.
        std::ofstream(folder / "cells_1997.json") << results.dump(1) << "\n";
    }
    return 0;
}

}  // namespace espalier::bench

int main(int argc, char** argv) {
    try {
        return espalier::bench::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "espalier-bench-cells-1997: " << error.what() << "\n";
        return 4;
    }
}
