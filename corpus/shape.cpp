// SPDX-License-Identifier: GPL-3.0-or-later
// Putting surfaces together, placing and rounding them.
#include "corpus/shape.h"

#include <utility>

#include "corpus/unit_circle.h"

namespace espalier::corpus {
namespace {

void append_triangles(std::vector<Triangle>& to, const std::vector<Triangle>& from,
                      std::size_t first_vertex) {
    const auto base = static_cast<std::uint32_t>(first_vertex);
    for (const Triangle& t : from) to.push_back({base + t[0], base + t[1], base + t[2]});
}

double determinant(const Eigen::Matrix3d& m) {
    return m(0, 0) * (m(1, 1) * m(2, 2) - m(1, 2) * m(2, 1)) -
           m(0, 1) * (m(1, 0) * m(2, 2) - m(1, 2) * m(2, 0)) +
           m(0, 2) * (m(1, 0) * m(2, 1) - m(1, 1) * m(2, 0));
}

}  // namespace

std::uint32_t Shape::add_vertex(const Eigen::Vector3d& position) {
    positions.push_back(position);
    return static_cast<std::uint32_t>(positions.size() - 1);
}

void Shape::add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    triangles.push_back({a, b, c});
}

void Shape::add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    add_triangle(a, b, c);
    add_triangle(a, c, d);
}

void append(Shape& shape, const Shape& part) {
    append_triangles(shape.triangles, part.triangles, shape.positions.size());
    shape.positions.insert(shape.positions.end(), part.positions.begin(), part.positions.end());
}

void append(TriangleMesh& mesh, const TriangleMesh& part) {
    append_triangles(mesh.triangles, part.triangles, mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), part.positions.begin(), part.positions.end());
}

TriangleMesh merged(const std::vector<NamedMesh>& parts) {
    TriangleMesh mesh;
    for (const NamedMesh& part : parts) append(mesh, part.mesh);
    return mesh;
}

Shape placed(Shape shape, const Eigen::Matrix3d& linear, const Eigen::Vector3d& offset) {
    for (Eigen::Vector3d& p : shape.positions) p = (linear * p + offset).eval();
    if (determinant(linear) < 0.0)
        for (Triangle& t : shape.triangles) std::swap(t[1], t[2]);
    return shape;
}

Shape moved(Shape shape, const Eigen::Vector3d& offset) {
    for (Eigen::Vector3d& p : shape.positions) p += offset;
    return shape;
}

Eigen::Matrix3d rotation(int axis, std::int64_t degrees) {
    const Eigen::Vector2d turn = unit_circle_degrees(degrees);
    const int i = (axis + 1) % 3;
    const int j = (axis + 2) % 3;
    Eigen::Matrix3d m = Eigen::Matrix3d::Identity();
    m(i, i) = m(j, j) = turn.x();
    m(j, i) = turn.y();
    m(i, j) = -turn.y();
    return m;
}

TriangleMesh rounded(const Shape& shape) {
    TriangleMesh mesh;
    mesh.positions.reserve(shape.positions.size());
    for (const Eigen::Vector3d& p : shape.positions) {
        const Eigen::Vector3f q = p.cast<float>();
        mesh.positions.emplace_back(q.x() + 0.0F, q.y() + 0.0F, q.z() + 0.0F);
    }
    mesh.triangles = shape.triangles;
    return mesh;
}

}  // namespace espalier::corpus
