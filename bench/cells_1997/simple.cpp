// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/cells_1997/simple.h"

#include <algorithm>

#include "runtime/src/cell/codec.h"
#include "runtime/src/pair/pair_frame.h"
#include "runtime/src/triangle/triangle_pair.h"

namespace espalier::bench {
namespace {

/// Rounding of the placed corners, in the size of the scene: boxes this near are tested.
constexpr double kSlack = 1e-12;

struct Box {
    double lo[3], hi[3];

    template <std::size_t kPoints>
    explicit Box(const double* const (&points)[kPoints]) {
        for (int k = 0; k < 3; ++k) {
            lo[k] = hi[k] = points[0][k];
            for (std::size_t i = 1; i < kPoints; ++i) {
                lo[k] = std::min(lo[k], points[i][k]);
                hi[k] = std::max(hi[k], points[i][k]);
            }
        }
    }
    bool meets(const double* other_lo, const double* other_hi) const {
        for (int k = 0; k < 3; ++k)
            if (lo[k] > other_hi[k] + kSlack || other_lo[k] > hi[k] + kSlack) return false;
        return true;
    }
};

}  // namespace

SimpleCollide::SimpleCollide(const ShapeView& a, const ShapeView& b) {
    const ShapeView* parts[2] = {&a, &b};
    for (unsigned s = 0; s < 2; ++s) {
        sides_[s].part = parts[s];
        std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
        for (std::uint32_t t = 0; t < parts[s]->mesh.triangle_count; ++t)
            for (std::uint32_t c = 0; c < 3; ++c)
                ends.push_back(std::minmax(parts[s]->mesh.index(t, c), parts[s]->mesh.index(t, (c + 1) % 3)));
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        for (const auto& [from, to] : ends) sides_[s].edges.push_back({from, to});
        sides_[s].points.resize(3 * std::size_t{parts[s]->mesh.vertex_count});
    }
}

bool SimpleCollide::collide(const Pose& pose) {
    PairFrame frame;
    if (make_pair_frame(*sides_[0].part, *sides_[1].part, pose, &frame) != Status::kOk) return false;
    for (unsigned s = 0; s < 2; ++s) {
        const MeshView& mesh = sides_[s].part->mesh;
        Side& side = sides_[s];
        for (std::uint32_t v = 0; v < mesh.vertex_count; ++v) {
            const float* p = mesh.positions + 3 * std::size_t{v};
            double* q = side.points.data() + 3 * std::size_t{v};
            if (s == 1)
                frame.place(p, q);
            else
                for (int k = 0; k < 3; ++k) q[k] = double(p[k]);
            for (int k = 0; k < 3; ++k) {
                side.lo[k] = v == 0 ? q[k] : std::min(side.lo[k], q[k]);
                side.hi[k] = v == 0 ? q[k] : std::max(side.hi[k], q[k]);
            }
        }
    }
    return edges_meet(sides_[0], sides_[1]) || edges_meet(sides_[1], sides_[0]);
}

bool SimpleCollide::edges_meet(const Side& edges, const Side& polygons) {
    const MeshView& mesh = polygons.part->mesh;
    const auto corner = [&](std::uint32_t t, std::uint32_t c) {
        return polygons.points.data() + 3 * std::size_t{mesh.index(t, c)};
    };
    near_.clear();
    for (std::uint32_t t = 0; t < mesh.triangle_count; ++t)
        if (Box({corner(t, 0), corner(t, 1), corner(t, 2)}).meets(edges.lo, edges.hi)) near_.push_back(t);
    for (const Edge& edge : edges.edges) {
        const double* ends[2] = {edges.points.data() + 3 * std::size_t{edge.from},
                                 edges.points.data() + 3 * std::size_t{edge.to}};
        const Box box({ends[0], ends[1]});
        if (!box.meets(polygons.lo, polygons.hi)) continue;
        for (const std::uint32_t t : near_) {
            const Box polygon({corner(t, 0), corner(t, 1), corner(t, 2)});
            if (!box.meets(polygon.lo, polygon.hi)) continue;
            Triangle3 segment, triangle;
            for (int c = 0; c < 3; ++c)
                for (int k = 0; k < 3; ++k) {
                    segment.p[c][k] = ends[c == 0 ? 0 : 1][k];
                    triangle.p[c][k] = corner(t, static_cast<std::uint32_t>(c))[k];
                }
            if (triangles_intersect(segment, triangle)) return true;
        }
    }
    return false;
}

}  // namespace espalier::bench
