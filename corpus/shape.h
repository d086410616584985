// SPDX-License-Identifier: GPL-3.0-or-later
// The double-precision surface that the generators work on before it is rounded to a float32 mesh.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "builder/surface/triangle_mesh.h"

namespace espalier::corpus {

/// A triangle surface in double precision. Triangles are counterclockwise seen from outside.
struct Shape {
    std::vector<Eigen::Vector3d> positions;
    std::vector<Triangle> triangles;

    /// Appends a vertex and returns its index.
    std::uint32_t add_vertex(const Eigen::Vector3d& position);
    /// Appends a triangle; the corners must be indices that add_vertex returned.
    void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    /// Appends the two triangles of the quadrilateral a b c d, cut from a to c.
    void add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
};

/// A mesh of an assembly, with its name in it.
struct NamedMesh {
    std::string name;
    TriangleMesh mesh;
};

/// Adds the vertices and triangles of `part` to `shape`, sharing nothing.
void append(Shape& shape, const Shape& part);

/// Adds the vertices and triangles of `part` to `mesh`, sharing nothing.
void append(TriangleMesh& mesh, const TriangleMesh& part);

/// The union of the triangles of all parts, in their order.
TriangleMesh merged(const std::vector<NamedMesh>& parts);

/// `shape` with every position p replaced by linear * p + offset. A reflection turns the triangles over, so
/// that they keep facing outward.
Shape placed(Shape shape, const Eigen::Matrix3d& linear, const Eigen::Vector3d& offset);

/// `shape` moved by `offset`.
Shape moved(Shape shape, const Eigen::Vector3d& offset);

/// The rotation about the coordinate axis `axis` (0..2) by `degrees`, counterclockwise seen from its positive
/// end.
Eigen::Matrix3d rotation(int axis, std::int64_t degrees);

/// The mesh of the nearest float32 positions (negative zero becomes zero).
TriangleMesh rounded(const Shape& shape);

}  // namespace espalier::corpus
