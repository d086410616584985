// SPDX-License-Identifier: GPL-3.0-or-later
// Tetra-flake: regular tetrahedra on the middle of the sides of larger ones.
#include "corpus/tetra_flake.h"

#include <Eigen/Geometry>
#include <cmath>

namespace espalier::corpus {
namespace {

// Replaces the side `t` by a frame around a smaller triangle and the three free sides of the tetrahedron on
// it. Frame triangles go to `shape`, the new sides to `sides`.
void grow(Shape& shape, const Triangle& t, double ratio, std::vector<Triangle>& sides) {
    const Eigen::Vector3d a = shape.positions[t[0]], b = shape.positions[t[1]], c = shape.positions[t[2]];
    const Eigen::Vector3d centre = (a + b + c) / 3.0;
    const Eigen::Vector3d normal = (b - a).cross(c - a).normalized();
    const double height = std::sqrt(2.0 / 3.0) * ratio * (b - a).norm();
    Triangle foot;
    for (std::size_t i = 0; i < 3; ++i)
        foot[i] = shape.add_vertex(centre + ratio * (shape.positions[t[i]] - centre));
    const std::uint32_t apex = shape.add_vertex(centre + height * normal);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        shape.add_quad(t[i], t[j], foot[j], foot[i]);
        sides.push_back({foot[i], foot[j], apex});
    }
}

}  // namespace

TriangleMesh make_tetra_flake(const TetraFlakeOptions& options) {
    Shape shape;
    const double s = options.radius / std::sqrt(3.0);
    for (const Eigen::Vector3d& p : {Eigen::Vector3d(s, s, s), Eigen::Vector3d(s, -s, -s),
                                     Eigen::Vector3d(-s, s, -s), Eigen::Vector3d(-s, -s, s)})
        shape.add_vertex(p);
    std::vector<Triangle> sides = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    for (std::uint32_t level = 0; level < options.levels; ++level) {
        std::vector<Triangle> next;
        for (const Triangle& side : sides) grow(shape, side, options.ratio, next);
        sides = std::move(next);
    }
    shape.triangles.insert(shape.triangles.end(), sides.begin(), sides.end());
    return rounded(shape);
}

}  // namespace espalier::corpus
