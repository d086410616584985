// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/cells_1997/measure.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/cells_1997/cage.h"
#include "builder/aabb/row.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "builder/cell/row.h"
#include "corpus/registry.h"
#include "corpus/tetra_flake.h"
#include "corpus/torus.h"
#include "corpus/uv_sphere.h"
#include "espalier/collide.h"

namespace espalier::bench {

Model bake(const TriangleMesh& mesh, const CellTreeOptions& options, bool others) {
    Progress progress;
    AssetContents contents;
    BakedShape& part = contents.shapes.emplace_back();
    part.mesh = mesh;
    const auto start = std::chrono::steady_clock::now();
    part.trees.push_back(built_tree(build_cell_tree(mesh, options, progress)));
    Model model;
    model.build_seconds = seconds_since(start);
    if (others) {
        part.trees.push_back(built_tree(build_aabb_tree(mesh, {}, progress)));
        part.trees.push_back(built_tree(build_box_tree(mesh, {}, progress)));
    }
    model.bytes = std::make_unique<AlignedBytes>(write_asset(contents).value());
    if (open(model.bytes->data(), model.bytes->size(), Verify::kFull, &model.asset) != Status::kOk ||
        model.asset.part(0, &model.part) != Status::kOk)
        throw std::runtime_error("a baked mesh does not open");
    for (const Eigen::Vector3f& p : mesh.positions) model.radius = std::max(model.radius, double(p.norm()));
    return model;
}

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
    return cell_statistics(model.part);
}

double duplication(const Model& model) {
    const CellTreeView& tree = model.part.cell;
    return (double(tree.triangle_entries) + double(tree.edge_entries)) /
           static_cast<double>(model.part.mesh.triangle_count + statistics(model).edges);
}

std::vector<Pose> frames_of(const Model& model, bool quick, double size) {
    CageOptions cage;
    cage.radius = model.radius;
    cage.size = size;
    cage.runs = quick ? 2 : 10;
    cage.frames = quick ? 100 : 300;
    cage.seed = 1997;
    const auto query = std::make_unique<Collide<CellTreeView>>();
    return cage_poses(cage, [&](const Pose& pose) { return touches(*query, model.part, pose); });
}

std::vector<Timing> time_in_turns(const std::vector<Pose>& poses, int rounds,
                                  const std::vector<Collide>& all) {
    std::vector<Timing> timings(all.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Timing timing = time_frames(poses, 1, all[i]);
            if (timing.microseconds < timings[i].microseconds) timings[i] = timing;
        }
    return timings;
}

nlohmann::json compare_trees(const Model& model, const std::vector<Pose>& poses) {
    const std::vector<Timing> t = time_in_turns(
        poses, 5,
        {collide_with<Collide<CellTreeView, Overlap::kSatLite>>(model.part),
         collide_with<Collide<CellTreeView, Overlap::kSat>>(model.part),
         collide_with<Collide<CellTreeView, Overlap::kAxis>>(model.part),
         collide_with<Collide<CellTreeView, Overlap::kClip>>(model.part),
         collide_with<Collide<BoxTreeView>>(model.part), collide_with<Collide<AabbTreeView>>(model.part)});
    for (const Timing& timing : t)
        if (timing.hits != t[0].hits) throw std::runtime_error("two queries disagree");
    return {{"hits", double(t[0].hits) / double(poses.size())},
            {"satlite", t[0].microseconds},
            {"sat", t[1].microseconds},
            {"axis", t[2].microseconds},
            {"clip", t[3].microseconds},
            {"box", t[4].microseconds},
            {"aabb", t[5].microseconds}};
}

std::vector<Pose> thinned(const std::vector<Pose>& poses, double each, double seconds) {
    const double fit = std::max(60.0, seconds / std::max(each, 1e-9));
    const auto stride =
        static_cast<std::size_t>(std::max(1.0, std::ceil(static_cast<double>(poses.size()) / fit)));
    std::vector<Pose> some;
    for (std::size_t i = 0; i < poses.size(); i += stride) some.push_back(poses[i]);
    return some;
}

}  // namespace espalier::bench
