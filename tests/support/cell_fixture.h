// SPDX-License-Identifier: GPL-3.0-or-later
// Baked parts and brute force for the tests of cell trees.
#pragma once

#include <utility>
#include <vector>

#include "builder/cell/row.h"
#include "runtime/src/cell/codec.h"
#include "tests/support/box_fixture.h"

namespace espalier::test {

inline BakedBytes bake_cells(const TriangleMesh& mesh, const CellTreeOptions& options = {},
                             const Eigen::Vector3d& origin = Eigen::Vector3d::Zero()) {
    AssetContents contents;
    BakedShape& part = contents.shapes.emplace_back();
    part.mesh = mesh;
    part.origin = origin;
    Progress progress;
    part.trees.push_back(built_tree(build_cell_tree(mesh, options, progress)));
    BakedBytes baked;
    baked.bytes = std::make_unique<AlignedBytes>(write_asset(contents).value());
    baked.open_bytes();
    return baked;
}

/// Corner of a part's triangle where the pose puts it, in A's local frame.
inline void place_corner(const ShapeView& part, unsigned side, const PairFrame& frame, std::uint32_t triangle,
                         std::uint32_t corner, double* out) {
    const float* p = part.mesh.corner(triangle, corner);
    if (side == 1) return frame.place(p, out);
    for (int k = 0; k < 3; ++k) out[k] = double(p[k]);
}

inline Triangle3 placed_triangle(const ShapeView& part, unsigned side, const PairFrame& frame,
                                 std::uint32_t triangle) {
    Triangle3 t;
    for (std::uint32_t c = 0; c < 3; ++c) place_corner(part, side, frame, triangle, c, t.p[c]);
    return t;
}

/// An edge as the degenerate triangle that it is.
inline Triangle3 placed_edge(const ShapeView& part, unsigned side, const PairFrame& frame,
                             std::uint32_t triangle, std::uint32_t corner) {
    Triangle3 t;
    place_corner(part, side, frame, triangle, corner, t.p[0]);
    place_corner(part, side, frame, triangle, (corner + 1) % 3, t.p[1]);
    place_corner(part, side, frame, triangle, (corner + 1) % 3, t.p[2]);
    return t;
}

/// Every edge once, by its vertices: triangle and corner.
inline std::vector<CellEdge> edges_of(const ShapeView& part) {
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>> sides;
    for (std::uint32_t code = 0; code < 3 * part.mesh.triangle_count; ++code) {
        const std::uint32_t a = part.mesh.index(code / 3, code % 3),
                            b = part.mesh.index(code / 3, (code + 1) % 3 == 0 ? 0 : code % 3 + 1);
        sides.push_back({{std::min(a, b), std::max(a, b)}, code});
    }
    std::sort(sides.begin(), sides.end());
    std::vector<CellEdge> edges;
    for (std::size_t i = 0; i < sides.size(); ++i)
        if (i == 0 || sides[i].first != sides[i - 1].first) edges.push_back(cell_edge(sides[i].second));
    return edges;
}

/// All pairs of an edge of one and a polygon of the other that meet.
inline std::uint64_t brute_witnesses(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    PairFrame frame;
    if (make_pair_frame(a, b, pose, &frame) != Status::kOk) return ~std::uint64_t{0};
    const ShapeView* parts[2] = {&a, &b};
    std::uint64_t count = 0;
    for (unsigned side = 0; side < 2; ++side) {
        std::vector<Triangle3> polygons;
        for (std::uint32_t t = 0; t < parts[1 - side]->mesh.triangle_count; ++t)
            polygons.push_back(placed_triangle(*parts[1 - side], 1 - side, frame, t));
        for (const CellEdge& e : edges_of(*parts[side])) {
            const Triangle3 edge = placed_edge(*parts[side], side, frame, e.triangle, e.corner);
            for (const Triangle3& polygon : polygons) count += triangles_intersect(edge, polygon);
        }
    }
    return count;
}

}  // namespace espalier::test
