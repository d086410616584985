// SPDX-License-Identifier: GPL-3.0-or-later
// Is a point inside the solid that triangles bound? Exact, by counting signed crossings.
#pragma once

#include <Eigen/Core>
#include <memory>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Answers inside queries about triangles without boundary. Safe for concurrent use.
class InsideTest {
  public:
    /// Borrows the mesh. Precondition: every edge is used as often in one direction as in the other.
    explicit InsideTest(const TriangleMesh& mesh);
    ~InsideTest();

    /// Whether the triangles wind around the point. Points on the surface itself may get either answer.
    bool inside(const Eigen::Vector3d& point) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace espalier
