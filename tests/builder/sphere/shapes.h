// SPDX-License-Identifier: GPL-3.0-or-later
// Small meshes made on the spot for the sphere and medial tests.
#pragma once

#include <cmath>
#include <cstdint>

#include "builder/surface/triangle_mesh.h"

namespace espalier::shapes {

inline void add_quad(TriangleMesh& mesh, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
}

/// Axis-aligned box with outward triangles, two a side.
inline TriangleMesh box(const Eigen::Vector3f& low, const Eigen::Vector3f& high) {
    TriangleMesh mesh;
    for (unsigned i = 0; i < 8; ++i) {
        mesh.positions.emplace_back((i & 1) ? high.x() : low.x(), (i & 2) ? high.y() : low.y(),
                                    (i & 4) ? high.z() : low.z());
    }
    add_quad(mesh, 0, 2, 3, 1);
    add_quad(mesh, 4, 5, 7, 6);
    add_quad(mesh, 0, 1, 5, 4);
    add_quad(mesh, 2, 6, 7, 3);
    add_quad(mesh, 0, 4, 6, 2);
    add_quad(mesh, 1, 3, 7, 5);
    return mesh;
}

/// Torus around z with outward triangles.
inline TriangleMesh torus(double major, double minor, std::uint32_t around, std::uint32_t across) {
    constexpr double kTwoPi = 6.283185307179586;
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t j = 0; j < across; ++j) {
            const double u = kTwoPi * i / around;
            const double v = kTwoPi * j / across;
            const double r = major + minor * std::cos(v);
            mesh.positions.emplace_back(
                Eigen::Vector3d(r * std::cos(u), r * std::sin(u), minor * std::sin(v)).cast<float>());
        }
    }
    for (std::uint32_t i = 0; i < around; ++i) {
        for (std::uint32_t j = 0; j < across; ++j) {
            const std::uint32_t k = (i + 1) % around;
            const std::uint32_t l = (j + 1) % across;
            add_quad(mesh, i * across + j, k * across + j, k * across + l, i * across + l);
        }
    }
    return mesh;
}

/// A flat square sheet of n x n quads: no inside at all.
inline TriangleMesh sheet(std::uint32_t n) {
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i <= n; ++i)
        for (std::uint32_t j = 0; j <= n; ++j)
            mesh.positions.emplace_back(float(i) / float(n), float(j) / float(n), 0.0F);
    for (std::uint32_t i = 0; i < n; ++i) {
        for (std::uint32_t j = 0; j < n; ++j) {
            const std::uint32_t a = i * (n + 1) + j;
            add_quad(mesh, a, a + n + 1, a + n + 2, a + 1);
        }
    }
    return mesh;
}

inline TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
    const auto shift = static_cast<std::uint32_t>(a.positions.size());
    a.positions.insert(a.positions.end(), b.positions.begin(), b.positions.end());
    for (Triangle t : b.triangles) {
        for (std::uint32_t& v : t) v += shift;
        a.triangles.push_back(t);
    }
    return a;
}

inline TriangleMesh inside_out(TriangleMesh mesh) {
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

}  // namespace espalier::shapes
