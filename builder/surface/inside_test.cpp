// SPDX-License-Identifier: GPL-3.0-or-later
// Exact signed crossing count along +z with half-open edges (no direction is degenerate) over a column grid.
#include "builder/surface/inside_test.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace espalier {
namespace {

using Eigen::Vector3d;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

/// What lies below a triangle's bounding box: points elsewhere have nothing to do with it.
struct Shade {
    float low[2];
    float high[2];
    float top;

    bool holds(const Vector3d& p) const {
        return p.x() >= low[0] && p.x() <= high[0] && p.y() >= low[1] && p.y() <= high[1] && p.z() <= top;
    }
};

/// Triangles by the grid columns (in x and y) that their bounding rectangles touch.
struct ColumnGrid {
    double low[2];
    double high[2];
    double cells_per_unit[2];
    std::uint32_t side = 1;
    std::vector<std::uint32_t> first;
    std::vector<std::uint32_t> triangles;
    std::vector<Shade> shades;  ///< of `triangles`

    std::uint32_t cell(double value, int axis) const {
        const double scaled = (value - low[axis]) * cells_per_unit[axis];
        return scaled <= 0.0 ? 0 : std::min(side - 1, static_cast<std::uint32_t>(scaled));
    }

    void build(const TriangleMesh& mesh) {
        for (int axis = 0; axis < 2; ++axis) {
            low[axis] = std::numeric_limits<double>::infinity();
            high[axis] = -low[axis];
            for (const auto& p : mesh.positions) {
                low[axis] = std::min<double>(low[axis], p[axis]);
                high[axis] = std::max<double>(high[axis], p[axis]);
            }
        }
        // Columns along a side. Two for each triangle make lists short; 1024 bound the memory to some
        // megabytes. Fewer are slower, answers do not depend on them.
        side = static_cast<std::uint32_t>(std::clamp(std::sqrt(mesh.triangles.size() * 2.0), 1.0, 1024.0));
        for (int axis = 0; axis < 2; ++axis)
            cells_per_unit[axis] = high[axis] > low[axis] ? side / (high[axis] - low[axis]) : 0.0;
        std::vector<std::uint32_t> counts(std::size_t(side) * side + 1, 0);
        for_each_cell(mesh, [&](std::size_t cell, std::uint32_t) { ++counts[cell + 1]; });
        for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
        first = counts;
        triangles.resize(counts.back());
        for_each_cell(mesh, [&](std::size_t cell, std::uint32_t t) { triangles[counts[cell]++] = t; });
        shades.reserve(triangles.size());
        for (const std::uint32_t t : triangles) {
            const auto& [a, b, c] = mesh.triangles[t];
            const Eigen::Vector3f least =
                mesh.positions[a].cwiseMin(mesh.positions[b]).cwiseMin(mesh.positions[c]);
            const Eigen::Vector3f most =
                mesh.positions[a].cwiseMax(mesh.positions[b]).cwiseMax(mesh.positions[c]);
            shades.push_back({{least.x(), least.y()}, {most.x(), most.y()}, most.z()});
        }
    }

    template <class Visit>
    void for_each_cell(const TriangleMesh& mesh, Visit visit) const {
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            std::uint32_t range[2][2];
            for (int axis = 0; axis < 2; ++axis) {
                const double a = mesh.corner(t, 0)[axis];
                const double b = mesh.corner(t, 1)[axis];
                const double c = mesh.corner(t, 2)[axis];
                range[axis][0] = cell(std::min({a, b, c}), axis);
                range[axis][1] = cell(std::max({a, b, c}), axis);
            }
            for (std::uint32_t y = range[1][0]; y <= range[1][1]; ++y)
                for (std::uint32_t x = range[0][0]; x <= range[0][1]; ++x)
                    visit(std::size_t(y) * side + x, t);
        }
    }
};

/// +1, -1 or 0: how the triangle's projection on z = 0 winds around the point. Edges are half open (they own
/// their lower end), so that of all triangles around a shared edge or corner exactly the right ones count.
int projected_winding(const std::array<Vector3d, 3>& corners, const Vector3d& point) {
    int winding = 0;
    for (std::size_t e = 0; e < 3; ++e) {
        const Vector3d& a = corners[e];
        const Vector3d& b = corners[(e + 1) % 3];
        const bool above_a = a.y() > point.y();
        const bool above_b = b.y() > point.y();
        if (above_a == above_b) continue;
        const auto side = CGAL::orientation(Kernel::Point_2(a.x(), a.y()), Kernel::Point_2(b.x(), b.y()),
                                            Kernel::Point_2(point.x(), point.y()));
        if (above_b && side == CGAL::LEFT_TURN)
            ++winding;
        else if (above_a && side == CGAL::RIGHT_TURN)
            --winding;
    }
    return winding;
}

Kernel::Point_3 exact_point(const Vector3d& p) {
    return {p.x(), p.y(), p.z()};
}

}  // namespace

struct InsideTest::State {
    const TriangleMesh& mesh;
    ColumnGrid columns;

    int crossing_count(const Vector3d& point) const {
        for (int axis = 0; axis < 2; ++axis)
            if (point[axis] < columns.low[axis] || point[axis] > columns.high[axis]) return 0;
        const std::size_t cell =
            std::size_t(columns.cell(point.y(), 1)) * columns.side + columns.cell(point.x(), 0);
        int count = 0;
        for (std::uint32_t i = columns.first[cell]; i < columns.first[cell + 1]; ++i) {
            if (!columns.shades[i].holds(point)) continue;
            const std::uint32_t t = columns.triangles[i];
            const std::array<Vector3d, 3> corners = {mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)};
            const int turns = projected_winding(corners, point);
            if (turns == 0) continue;
            // Counter-clockwise from above means that the normal points up; the point is below it on the
            // negative side.
            const auto side = CGAL::orientation(exact_point(corners[0]), exact_point(corners[1]),
                                                exact_point(corners[2]), exact_point(point));
            const bool below = turns > 0 ? side == CGAL::NEGATIVE : side == CGAL::POSITIVE;
            count += below ? turns : 0;
        }
        return count;
    }
};

InsideTest::InsideTest(const TriangleMesh& mesh) : state_(new State{mesh, {}}) {
    state_->columns.build(mesh);
}

InsideTest::~InsideTest() = default;

bool InsideTest::inside(const Vector3d& point) const {
    // A lone component that is inside out winds -1 times: inside all the same. A cavity adds up to zero.
    return state_->crossing_count(point) != 0;
}

}  // namespace espalier
