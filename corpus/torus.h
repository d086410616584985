// SPDX-License-Identifier: GPL-3.0-or-later
// Torus: van den Bergen 1998, section 5 (5,000 triangles) and both of Zachmann's papers.
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give exactly 5,000 triangles; 1000 by 500 segments give exactly 1,000,000.
struct TorusOptions {
    double major_radius = 1.0;  ///< of the circle that the tube's centre follows, about the z axis
    double minor_radius = 0.4;  ///< of the tube; below major_radius, or the surface meets itself
    std::uint32_t major_segments = 50;
    std::uint32_t minor_segments = 50;
};

/// A closed manifold of genus 1 with 2 * major_segments * minor_segments triangles. Both counts must be at
/// least 3.
TriangleMesh make_torus(const TorusOptions& options = {});

}  // namespace espalier::corpus
