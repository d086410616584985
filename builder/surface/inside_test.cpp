// SPDX-License-Identifier: GPL-3.0-or-later
// Exact signed crossing count along +z with half-open edges (no direction is degenerate) over a column grid;
// open and non-manifold meshes fall back to the hierarchical winding number.
#include "builder/surface/inside_test.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "builder/surface/winding_number.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;

/// One triangle's use of an undirected edge.
struct EdgeUse {
    std::uint32_t low;
    std::uint32_t high;
    std::uint32_t triangle;
    bool forward;  ///< runs from `low` to `high`

    bool same_edge(const EdgeUse& other) const { return low == other.low && high == other.high; }
};

std::vector<EdgeUse> sorted_edge_uses(const TriangleMesh& mesh) {
    std::vector<EdgeUse> uses;
    uses.reserve(mesh.triangles.size() * 3);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = mesh.triangles[t][e];
            const std::uint32_t b = mesh.triangles[t][(e + 1) % 3];
            uses.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    }
    std::sort(uses.begin(), uses.end(), [](const EdgeUse& a, const EdgeUse& b) {
        return std::tie(a.low, a.high, a.triangle, a.forward) <
               std::tie(b.low, b.high, b.triangle, b.forward);
    });
    return uses;
}

double signed_volume_of(const TriangleMesh& mesh) {
    // About the first corner, so that a far origin does not cancel.
    const Vector3d origin = mesh.corner(0, 0);
    double sum = 0.0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const Vector3d a = mesh.corner(t, 0) - origin;
        sum += a.dot((mesh.corner(t, 1) - origin).cross(mesh.corner(t, 2) - origin));
    }
    return sum / 6.0;
}

struct Neighbour {
    std::uint32_t triangle;
    bool agrees;  ///< the shared edge runs in opposite directions, as it must
};

/// The three neighbours of each triangle, or nothing if some edge does not join exactly two triangles.
std::optional<std::vector<std::array<Neighbour, 3>>> closed_neighbours(const TriangleMesh& mesh) {
    const std::vector<EdgeUse> uses = sorted_edge_uses(mesh);
    std::vector<std::array<Neighbour, 3>> neighbours(mesh.triangles.size());
    std::vector<std::uint8_t> filled(mesh.triangles.size(), 0);
    if (uses.size() % 2 != 0) return std::nullopt;
    for (std::size_t i = 0; i < uses.size(); i += 2) {
        const EdgeUse& a = uses[i];
        const EdgeUse& b = uses[i + 1];
        if (!a.same_edge(b) || (i + 2 < uses.size() && b.same_edge(uses[i + 2]))) return std::nullopt;
        const bool agrees = a.forward != b.forward;
        neighbours[a.triangle][filled[a.triangle]++] = {b.triangle, agrees};
        neighbours[b.triangle][filled[b.triangle]++] = {a.triangle, agrees};
    }
    return neighbours;
}

/// Turns triangles so that each component is consistent. False if the mesh is open, not manifold or not
/// orientable.
bool orient_closed(TriangleMesh& mesh) {
    const auto neighbours = closed_neighbours(mesh);
    if (!neighbours) return false;
    enum : std::uint8_t { kUnseen, kKept, kTurned };
    std::vector<std::uint8_t> state(mesh.triangles.size(), kUnseen);
    std::vector<std::uint32_t> component;
    for (std::uint32_t seed = 0; seed < mesh.triangles.size(); ++seed) {
        if (state[seed] != kUnseen) continue;
        component.assign(1, seed);
        state[seed] = kKept;
        std::size_t turned = 0;
        for (std::size_t next = 0; next < component.size(); ++next) {
            const std::uint32_t t = component[next];
            for (const Neighbour& n : (*neighbours)[t]) {
                const std::uint8_t wanted = (state[t] == kKept) == n.agrees ? kKept : kTurned;
                if (state[n.triangle] == kUnseen) {
                    state[n.triangle] = wanted;
                    turned += wanted == kTurned;
                    component.push_back(n.triangle);
                } else if (state[n.triangle] != wanted) {
                    return false;
                }
            }
        }
        // The majority is right: turn the smaller part.
        const std::uint8_t to_turn = 2 * turned <= component.size() ? kTurned : kKept;
        for (const std::uint32_t t : component)
            if (state[t] == to_turn && turned != 0) std::swap(mesh.triangles[t][1], mesh.triangles[t][2]);
    }
    return true;
}

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
    TriangleMesh mesh;
    SolidKind kind = SolidKind::kWinding;
    double volume = 0.0;
    ColumnGrid columns;
    std::optional<WindingNumber> winding;

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

InsideTest::InsideTest(const TriangleMesh& mesh) : state_(std::make_unique<State>()) {
    State& s = *state_;
    s.mesh = mesh;
    const bool closed = orient_closed(s.mesh);
    if (!closed) s.mesh = mesh;  // orientation of a part may have begun
    s.volume = signed_volume_of(s.mesh);
    if (s.volume < 0.0) {
        for (Triangle& t : s.mesh.triangles) std::swap(t[1], t[2]);
        s.volume = -s.volume;
    }
    s.kind = closed ? SolidKind::kClosed : SolidKind::kWinding;
    if (closed)
        s.columns.build(s.mesh);
    else
        s.winding.emplace(s.mesh);
}

InsideTest::~InsideTest() = default;
InsideTest::InsideTest(InsideTest&&) noexcept = default;
InsideTest& InsideTest::operator=(InsideTest&&) noexcept = default;

SolidKind InsideTest::kind() const {
    return state_->kind;
}
double InsideTest::signed_volume() const {
    return state_->volume;
}
const TriangleMesh& InsideTest::oriented() const {
    return state_->mesh;
}

bool InsideTest::inside(const Vector3d& point) const {
    // A lone component that is inside out winds -1 times: inside all the same. A cavity adds up to zero.
    return state_->kind == SolidKind::kClosed ? state_->crossing_count(point) != 0
                                              : (*state_->winding)(point) > 0.5;
}

double InsideTest::winding(const Vector3d& point) const {
    return state_->kind == SolidKind::kClosed ? std::abs(state_->crossing_count(point))
                                              : (*state_->winding)(point);
}

}  // namespace espalier
