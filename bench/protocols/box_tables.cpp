// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/protocols/box_tables.h"

#include <algorithm>

#include "bench/harness/process.h"
#include "bench/protocols/triangle_mesh_of.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "espalier/collide.h"

namespace espalier_bench {
namespace {

struct Variant {
    const char* name;
    espalier::BoxTreeOptions options;
    bool every_test;  ///< measure the four overlap tests, not the default alone
};

constexpr Variant kVariants[] = {
    {"leaf 1", {espalier::BoxSplit::kBinned, 1}, false},
    {"leaf 4", {espalier::BoxSplit::kBinned, 4}, true},
    {"leaf 8", {espalier::BoxSplit::kBinned, 8}, false},
    {"volume, leaf 1", {espalier::BoxSplit::kVolume, 1}, true},
    {"longest, leaf 1", {espalier::BoxSplit::kLongest, 1}, false},
};

/// Work of one overlap test over all placements: least time, box tests, triangle tests, hits.
template <espalier::Overlap kOverlap>
void ask_all(const espalier::ShapeView& part, const PoseSet& set, std::vector<double>& out) {
    auto query = std::make_unique<espalier::Collide<espalier::BoxTreeView, kOverlap>>();
    double boxes = 0, triangles = 0, hits = 0, least = 0;
    for (int repeat = 0; repeat < 5; ++repeat) {
        boxes = triangles = hits = 0;
        const std::uint64_t start = now_ns();
        for (const Placement& p : set.placements) {
            query->begin(part, part, pose_of(p));
            hits += query->step() == espalier::Verdict::kColliding;
            boxes += double(query->counters().node_tests);
            triangles += double(query->counters().triangle_tests);
        }
        const double ns = double(now_ns() - start);
        if (repeat == 0 || ns < least) least = ns;
    }
    out.insert(out.end(), {least, boxes, triangles, hits});
}

std::vector<double> query_work(const espalier::AssetContents& contents, const PoseSet& set, bool every_test) {
    const auto bytes = espalier::write_asset(contents);
    espalier::Asset asset;
    espalier::ShapeView part;
    if (!bytes ||
        espalier::open(bytes.value().data(), bytes.value().size(), espalier::Verify::kFull, &asset) !=
            espalier::Status::kOk ||
        asset.part(0, &part) != espalier::Status::kOk)
        return {};
    std::vector<double> out;
    ask_all<espalier::Overlap::kSatLite>(part, set, out);
    if (!every_test) return out;
    ask_all<espalier::Overlap::kAxis>(part, set, out);
    ask_all<espalier::Overlap::kTable>(part, set, out);
    ask_all<espalier::Overlap::kSat>(part, set, out);
    return out;
}

/// Least time of up to three builds.
double build_ns(const espalier::TriangleMesh& mesh, const espalier::BoxTreeOptions& options) {
    espalier::Progress silent;
    double least = 0;
    for (int i = 0; i < 3; ++i) {
        const std::uint64_t start = now_ns();
        (void)espalier::build_box_tree(mesh, options, silent);
        const double ns = double(now_ns() - start);
        if (i == 0 || ns < least) least = ns;
        if (ns > 1e9) break;
    }
    return least;
}

nlohmann::json measure_variant(const Variant& variant, const espalier::TriangleMesh& mesh,
                               const PoseSet& tumbling, double limit_seconds) {
    nlohmann::json json;
    for (const bool pinned : {true, false}) {
        const auto ns = measure_in_child(
            limit_seconds, [&] { return std::vector<double>{build_ns(mesh, variant.options)}; }, pinned);
        if (ns.size() == 1) json[pinned ? "build_1_thread_ns" : "build_all_threads_ns"] = ns[0];
    }
    const auto work = measure_in_child(limit_seconds, [&] {
        espalier::Progress silent;
        espalier::AssetContents contents;
        espalier::BakedShape& part = contents.shapes.emplace_back();
        part.mesh = mesh;
        espalier::BoxTree tree = espalier::build_box_tree(mesh, variant.options, silent);
        std::vector<double> out = {double(tree.nodes.size() * sizeof(espalier::BoxNode))};
        part.trees = {espalier::built_tree(std::move(tree))};
        const std::vector<double> asked = query_work(contents, tumbling, variant.every_test);
        out.insert(out.end(), asked.begin(), asked.end());
        return out;
    });
    if (work.empty()) return json;
    json["bytes"] = work[0];
    const char* const tests[] = {"sat lite", "axis", "table", "sat"};
    for (std::size_t i = 0; 1 + 4 * i + 3 < work.size(); ++i)
        json["tests"][tests[i]] = {{"ns", work[1 + 4 * i] / double(tumbling.placements.size())},
                                   {"box_tests", work[2 + 4 * i]},
                                   {"triangle_tests", work[3 + 4 * i]},
                                   {"hits", work[4 + 4 * i]}};
    return json;
}

}  // namespace

nlohmann::json measure_box_tables(const ModelData& model, const PoseSet& tumbling, double limit_seconds) {
    const espalier::TriangleMesh mesh = triangle_mesh_of(model);
    nlohmann::json json = {{"triangles", model.triangle_count()}};
    for (const Variant& variant : kVariants)
        json["variants"][variant.name] = measure_variant(variant, mesh, tumbling, limit_seconds);
    return json;
}

}  // namespace espalier_bench
