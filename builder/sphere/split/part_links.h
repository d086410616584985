// SPDX-License-Identifier: GPL-3.0-or-later
// Joins the parts of a graph of points where they are nearest (Boruvka 1926).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace espalier {

/// A link between two points.
using PointLink = std::pair<std::uint32_t, std::uint32_t>;

/// The links that, added to `links`, connect all points: in rounds, every part but the largest is joined to
/// the nearest point elsewhere. Of equally near pairs the one with the lowest indices is taken.
std::vector<PointLink> links_between_parts(std::span<const Eigen::Vector3d> points,
                                           std::span<const PointLink> links);

}  // namespace espalier
