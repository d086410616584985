// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/box/row.h"

#include "builder/box/walk.h"

namespace espalier {
namespace {

constexpr TreeOption kOptions[] = {
    choice_option<&BoxTreeOptions::split>(
        "box-split", "HOW",
        "how nodes are split: by surface area, by volume or at the longest side (both the paper's)"),
    count_option<&BoxTreeOptions::leaf_triangles>("box-leaf", "N", "triangles in a leaf", 1,
                                                  kMaxLeafTriangles),
};

Result<BuiltTreePtr> build(const TriangleMesh& mesh, const std::any& options, Progress& progress) {
    return built_tree(build_box_tree(mesh, std::any_cast<const BoxTreeOptions&>(options), progress));
}

std::vector<VolumeLevel> volumes(const ShapeView& part) {
    BoxCollector collector;
    walk_box_tree(part, collector);
    return std::move(collector.levels);
}

}  // namespace

const Hierarchy kBoxHierarchy = {
    .name = "box",
    .summary = "boxes that are never stored, four bytes each",
    .paper = "Zachmann 2002",
    .ranks = {.shown = 2, .built = 3, .checked = 1},
    .by_default = true,
    .default_options = [] { return std::any(BoxTreeOptions()); },
    .options = kOptions,
    .build = build,
    .present = [](const ShapeView& part) { return part.box.leaf_count > 0; },
    .check = check_box_tree,
    .describe = describe_box_tree,
    .shape = VolumeShape::kBoxes,
    .volumes = volumes,
    .query_methods = box_query_methods,
};

TreeRequest box_tree(const BoxTreeOptions& options) {
    return {&kBoxHierarchy, options};
}

/// Exactly, by comparisons of floats.
std::vector<CheckItem> check_box_tree(const ShapeView& part) {
    Containment<BoxVolume> containment(part.mesh, part.box.triangle_order,
                                       {{{"box tree boxes contain their triangles", true, 0, ""},
                                         box_holds<BoxVolume>,
                                         "leaves a box above it"}},
                                       {"box tree leaves hold every triangle once", true, 0, ""}, "leaf");
    walk_box_tree(part, containment);
    return containment.items();
}

TreeDescription describe_box_tree(const ShapeView& part) {
    TreeDescription tree;
    tree.name = kBoxHierarchy.name;
    tree.depth = part.box.depth;
    LevelCounter counter(tree);
    walk_box_tree(part, counter);
    tree.sections.push_back({"box nodes", tree.nodes * sizeof(BoxNode)});
    if (part.box.triangle_order)
        tree.sections.push_back({"box order", std::uint64_t{4} * part.mesh.triangle_count});
    return tree;
}

}  // namespace espalier
