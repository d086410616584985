// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/flat_triangles.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

namespace espalier {
namespace {

using Eigen::Vector3d;

double inverse(double value) {
    return value > 0.0 ? 1.0 / value : 0.0;
}

/// Also of triangles that are a line or a point: they are flat in any frame.
FlatTriangle flatten(Vector3d a, Vector3d b, Vector3d c) {
    const double of_ab = (b - a).squaredNorm();
    const double of_bc = (c - b).squaredNorm();
    const double of_ca = (a - c).squaredNorm();
    if (of_bc > of_ab && of_bc >= of_ca)
        std::swap(a, c);
    else if (of_ca > of_ab)
        std::swap(b, c);
    const Vector3d side = b - a;
    const double length = side.norm();
    const Vector3d first = length > 0.0 ? Vector3d(side / length) : Vector3d::UnitX();
    Vector3d second = (c - a) - first * first.dot(c - a);
    second = second.norm() > 1e-12 * length ? second.normalized() : first.unitOrthogonal();
    const Vector3d third = first.cross(second);
    const double u = first.dot(c - a);
    const double v = second.dot(c - a);
    FlatTriangle flat;
    const Vector3d axes[] = {first, second, third};
    for (int k = 0; k < 3; ++k) {
        flat.a[k] = static_cast<float>(a[k]);
        for (int axis = 0; axis < 3; ++axis) flat.axis[axis][k] = static_cast<float>(axes[axis][k]);
    }
    flat.length = static_cast<float>(length);
    flat.u = static_cast<float>(u);
    flat.v = static_cast<float>(v);
    flat.per_square[0] = static_cast<float>(inverse((u - length) * (u - length) + v * v));
    flat.per_square[1] = static_cast<float>(inverse(u * u + v * v));
    return flat;
}

}  // namespace

FlatTriangles::FlatTriangles(const TriangleMesh& mesh) {
    Eigen::AlignedBox3d box;
    for (const auto& p : mesh.positions) box.extend(p.cast<double>());
    origin_ = box.isEmpty() ? Vector3d::Zero() : Vector3d(box.center());
    unit_ = box.isEmpty() ? 1.0 : std::max(0.5 * box.diagonal().norm(), 1e-300);
    const auto place = [&](std::uint32_t t, int corner) -> Vector3d {
        return (mesh.corner(t, corner) - origin_) / unit_;
    };
    triangles_.reserve(mesh.triangles.size());
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
        triangles_.push_back(flatten(place(t, 0), place(t, 1), place(t, 2)));
}

void FlatTriangles::squared_distances(const Points& points, std::span<const std::uint32_t> triangles,
                                      std::vector<Distances>& distances) const {
    Distances x;
    Distances y;
    Distances z;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Vector3d place = (points[k] - origin_) / unit_;
        x[k] = static_cast<float>(place.x());
        y[k] = static_cast<float>(place.y());
        z[k] = static_cast<float>(place.z());
    }
    distances.resize(triangles.size());
    if (!triangles.empty()) {
        const float* const arrays[] = {x.data(), y.data(), z.data()};
        triangle_kernel()(triangles.data(), triangles.size(), triangles_.data(), arrays,
                          distances.front().data());
    }
}

}  // namespace espalier
