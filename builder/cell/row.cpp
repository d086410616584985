// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/cell/row.h"

#include "builder/cell/walk.h"

namespace espalier {
namespace {

constexpr TreeOption kOptions[] = {
    count_option<&CellTreeOptions::depth>("cell-depth", "N",
                                          "most cuts on a path, beside those of empty cells", 1,
                                          kMaxCellDepth, "by the number of triangles"),
    count_option<&CellTreeOptions::min_triangles>(
        "cell-min", "N", "cells with no more triangles than this are not cut", 1, 1'000'000),
    number_option<&CellTreeOptions::gamma>("cell-gamma", "G", "penalty of a triangle that crosses a cut", 0,
                                           1e6),
    number_option<&CellTreeOptions::empty_share>(
        "cell-empty", "S", "least share of an empty cell that is chipped off; 1 chips off none", 0, 1),
    number_option<&CellTreeOptions::lambda>("cell-lambda", "S", "no cut leaves a side more than this share",
                                            0, 1),
    number_option<&CellTreeOptions::delta>(
        "cell-delta", "S", "half thickness of a cut in the longest side of the bounds", 0, 0.01),
};

Result<BuiltTreePtr> build(const TriangleMesh& mesh, const std::any& options, Progress& progress) {
    return built_tree(build_cell_tree(mesh, std::any_cast<const CellTreeOptions&>(options), progress));
}

/// Without the empty cells.
std::vector<VolumeLevel> volumes(const ShapeView& part) {
    BoxCollector collector;
    walk_cell_tree(part.cell, part.cell.delta, collector);
    return std::move(collector.levels);
}

}  // namespace

const Hierarchy kCellHierarchy = {
    .name = "cell",
    .summary = "space in cells that list the polygons and edges in them",
    .paper = "Zachmann 1997",
    .ranks = {.shown = 3, .built = 4, .checked = 3},
    .by_default = false,
    .default_options = [] { return std::any(CellTreeOptions()); },
    .options = kOptions,
    .build = build,
    .present = [](const ShapeView& part) { return part.cell.unit_count > 0; },
    .check = check_cell_tree,
    .describe = describe_cell_tree,
    .shape = VolumeShape::kBoxes,
    .volumes = volumes,
    .query_methods = cell_query_methods,
};

TreeRequest cell_tree(const CellTreeOptions& options) {
    return {&kCellHierarchy, options};
}

}  // namespace espalier
