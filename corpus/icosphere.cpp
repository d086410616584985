// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere from a subdivided icosahedron.
#include "corpus/icosphere.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace espalier::corpus {
namespace {

Shape icosahedron() {
    const double golden = (1.0 + std::sqrt(5.0)) / 2.0;
    Shape shape;
    for (int axis = 0; axis < 3; ++axis)
        for (const double a : {-1.0, 1.0})
            for (const double b : {-golden, golden}) {
                Eigen::Vector3d p = Eigen::Vector3d::Zero();
                p[axis] = a;
                p[(axis + 1) % 3] = b;
                shape.add_vertex(p.normalized());
            }
    // The faces are the triples of vertices at mutual distance 2 (before scaling), turned outward.
    const double edge = 2.0 / std::sqrt(1.0 + golden * golden) + 1e-6;
    const auto near = [&](std::uint32_t i, std::uint32_t j) {
        return (shape.positions[i] - shape.positions[j]).norm() < edge;
    };
    for (std::uint32_t i = 0; i < 12; ++i)
        for (std::uint32_t j = i + 1; j < 12; ++j)
            for (std::uint32_t k = j + 1; k < 12; ++k) {
                if (!near(i, j) || !near(j, k) || !near(i, k)) continue;
                const Eigen::Vector3d normal = shape.positions[j].cross(shape.positions[k]);
                if (shape.positions[i].dot(normal) > 0.0)
                    shape.add_triangle(i, j, k);
                else
                    shape.add_triangle(i, k, j);
            }
    return shape;
}

Shape quartered(const Shape& coarse) {
    Shape fine;
    fine.positions = coarse.positions;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middle;
    const auto between = [&](std::uint32_t a, std::uint32_t b) {
        const auto [slot, fresh] = middle.try_emplace(std::minmax(a, b), 0);
        if (fresh) slot->second = fine.add_vertex((coarse.positions[a] + coarse.positions[b]).normalized());
        return slot->second;
    };
    for (const auto& [a, b, c] : coarse.triangles) {
        const std::uint32_t ab = between(a, b), bc = between(b, c), ca = between(c, a);
        fine.add_triangle(a, ab, ca);
        fine.add_triangle(ab, b, bc);
        fine.add_triangle(ca, bc, c);
        fine.add_triangle(ab, bc, ca);
    }
    return fine;
}

}  // namespace

TriangleMesh make_icosphere(const IcosphereOptions& options) {
    Shape shape = icosahedron();
    for (std::uint32_t level = 0; level < options.levels; ++level) shape = quartered(shape);
    for (Eigen::Vector3d& p : shape.positions) p *= options.radius;
    return rounded(shape);
}

}  // namespace espalier::corpus
