// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere of latitude and longitude: Zachmann 1997, figure 6 and section "Results".
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give 4,900 triangles.
struct UvSphereOptions {
    double radius = 1.0;
    std::uint32_t longitudes = 50;
    std::uint32_t latitudes = 50;  ///< bands from pole to pole
};

/// A closed manifold of genus 0 with 2 * longitudes * (latitudes - 1) triangles, poles on the z axis.
/// Needs at least 3 longitudes and 2 latitudes.
TriangleMesh make_uv_sphere(const UvSphereOptions& options = {});

}  // namespace espalier::corpus
