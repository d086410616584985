// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/aabb/row.h"

#include "builder/aabb/walk.h"

namespace espalier {
namespace {

constexpr TreeOption kOptions[] = {
    choice_option<&AabbTreeOptions::split>(
        "aabb-split", "HOW", "how nodes are split: by surface area or, as in the paper, in the middle"),
    count_option<&AabbTreeOptions::leaf_triangles>("aabb-leaf", "N", "most triangles in a leaf", 1,
                                                   kMaxLeafTriangles),
};

Result<BuiltTreePtr> build(const TriangleMesh& mesh, const std::any& options, Progress& progress) {
    return built_tree(build_aabb_tree(mesh, std::any_cast<const AabbTreeOptions&>(options), progress));
}

std::vector<VolumeLevel> volumes(const ShapeView& part) {
    BoxCollector collector;
    walk_aabb_tree(part.aabb, collector);
    return std::move(collector.levels);
}

}  // namespace

const Hierarchy kAabbHierarchy = {
    .name = "aabb",
    .summary = "boxes with a slab each, four children a node",
    .paper = "van den Bergen 1998",
    .ranks = {.shown = 4, .built = 2, .checked = 4},
    .by_default = true,
    .default_options = [] { return std::any(AabbTreeOptions()); },
    .options = kOptions,
    .build = build,
    .present = [](const ShapeView& part) { return part.aabb.nodes != nullptr; },
    .check = check_aabb_tree,
    .describe = describe_aabb_tree,
    .shape = VolumeShape::kBoxes,
    .volumes = volumes,
    .query_methods = aabb_query_methods,
};

TreeRequest aabb_tree(const AabbTreeOptions& options) {
    return {&kAabbHierarchy, options};
}

TreeDescription describe_aabb_tree(const ShapeView& part) {
    TreeDescription tree;
    tree.name = kAabbHierarchy.name;
    tree.depth = part.aabb.depth;
    LevelCounter counter(tree);
    walk_aabb_tree(part.aabb, counter);
    tree.sections.push_back({"aabb nodes", tree.nodes * sizeof(AabbNode)});
    if (part.aabb.triangle_order)
        tree.sections.push_back({"aabb order", std::uint64_t{4} * part.mesh.triangle_count});
    return tree;
}

}  // namespace espalier
