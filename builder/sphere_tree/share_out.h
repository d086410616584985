// SPDX-License-Identifier: GPL-3.0-or-later
// A number of balls, given to where they help most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

/// Shares `total` out: `costs[i][n - 1]` is what share i costs with n. Each gets at least `least` and at most
/// as many as it has costs for; the sum of the lower convex envelopes of the costs is the least possible. Of
/// equals, the first gets more. All of `total` is given where there is room for it. Precondition: `least` is
/// at least 1 and no share has fewer costs.
std::vector<std::uint32_t> share_out(const std::vector<std::vector<double>>& costs, std::uint32_t least,
                                     std::size_t total);

}  // namespace espalier
