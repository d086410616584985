// SPDX-License-Identifier: GPL-3.0-or-later
// Decides exactly which triangles have no area.
#pragma once

#include <Eigen/Core>

namespace espalier {

/// Whether the three points lie on one line (or coincide), decided without rounding error.
/// Precondition: coordinates finite.
bool is_degenerate(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c);

}  // namespace espalier
