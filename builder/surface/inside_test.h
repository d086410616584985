// SPDX-License-Identifier: GPL-3.0-or-later
// Is a point inside the solid that a mesh bounds? Exact for closed manifolds, by generalized winding number
// otherwise.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// What stands behind the answers of an InsideTest.
enum class SolidKind : std::uint8_t {
    kClosed,   ///< every edge joins two triangles and every component can be oriented: inside is exact
    kWinding,  ///< open or not manifold: inside means a generalized winding number above one half
};

/// Answers inside queries about one mesh; keeps a copy of what it needs. Safe for concurrent use.
class InsideTest {
  public:
    /// Precondition: a mesh as `sanitize` returns it. Triangles of a closed component whose orientations
    /// disagree are turned; a mesh whose signed volume is negative is taken as inside out and turned as a
    /// whole.
    explicit InsideTest(const TriangleMesh& mesh);
    ~InsideTest();
    InsideTest(InsideTest&&) noexcept;
    InsideTest& operator=(InsideTest&&) noexcept;

    SolidKind kind() const;

    /// Points on the surface itself may get either answer.
    bool inside(const Eigen::Vector3d& point) const;

    /// Whole numbers for closed solids, the generalized winding number otherwise.
    double winding(const Eigen::Vector3d& point) const;

    /// Signed volume after orientation (closed solids: of the solid, overlaps counted as often as they
    /// overlap).
    double signed_volume() const;

    /// The mesh with its triangles turned as described.
    const TriangleMesh& oriented() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace espalier
