// SPDX-License-Identifier: GPL-3.0-or-later
// The volume that a mesh bounds.
#pragma once

#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// By the divergence theorem; negative where triangles face inward, 0 without triangles. Says nothing about a
/// mesh that is not closed.
double signed_volume(const TriangleMesh& mesh);

}  // namespace espalier
