// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere from a subdivided icosahedron: nearly equal triangles, the opposite of the uv sphere.
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give 5,120 triangles.
struct IcosphereOptions {
    double radius = 1.0;
    std::uint32_t levels = 4;  ///< times that every triangle is cut into four
};

/// A closed manifold of genus 0 with 20 * 4^levels triangles.
TriangleMesh make_icosphere(const IcosphereOptions& options = {});

}  // namespace espalier::corpus
