// SPDX-License-Identifier: GPL-3.0-or-later
// Finds vertices at the same place.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace espalier {

/// For every position the index of the vertex that stands for it; a representative stands for itself and
/// precedes all that it stands for. `tolerance` 0: positions that are equal. Otherwise, in the order of the
/// vertices, each joins the first representative within `tolerance` (Euclidean), or becomes one: no vertex
/// moves farther than that, and no chain of close vertices collapses. The result depends on nothing but the
/// input; near-linear time. Preconditions: coordinates finite, zeros not negative; tolerance finite and not
/// negative.
std::vector<std::uint32_t> weld(const std::vector<Eigen::Vector3f>& positions, double tolerance = 0);

}  // namespace espalier
