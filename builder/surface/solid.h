// SPDX-License-Identifier: GPL-3.0-or-later
// The solid that a mesh stands for: what counts as inside, for samples, errors, volumes and the medial axis
// alike.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <memory>

#include "builder/base/result.h"
#include "builder/surface/solid_kind.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Answers inside queries about one mesh; keeps a copy of what it needs. Safe for concurrent use.
class Solid {
  public:
    /// With SolidChoice::kAuto. Precondition: a mesh as `sanitize` returns it.
    explicit Solid(const TriangleMesh& mesh);
    ~Solid();
    Solid(Solid&&) noexcept;
    Solid& operator=(Solid&&) noexcept;

    /// Fails with kInvalidInput where the mesh cannot be what is asked for, and names the hole.
    static Result<Solid> of(const TriangleMesh& mesh, SolidChoice choice);

    SolidKind kind() const;
    bool has_inside() const { return kind() != SolidKind::kShell; }

    /// Whether the boundary winds around the point; nothing is inside a shell. Points on the boundary itself
    /// may get either answer.
    bool inside(const Eigen::Vector3d& point) const;

    /// The mesh's triangles, in their order; those of a surface that has two sides are turned alike, outward
    /// on the whole, unless the solid is a shell.
    const TriangleMesh& surface() const;
    /// What bounds the solid: the surface, and behind it, where the solid is capped, the caps.
    const TriangleMesh& boundary() const;

    /// Of the mesh; a capped solid's are filled.
    std::size_t holes() const;
    /// The boundary of the longest hole.
    double longest_hole() const;
    /// No point of a cap is farther than this from the surface.
    double filling() const;

  private:
    struct State;
    explicit Solid(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace espalier
