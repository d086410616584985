// SPDX-License-Identifier: GPL-3.0-or-later
// A number of balls, given to where they help most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

/// Shares `total` out: `costs[i][n - 1]` is what share i costs with n, all of the same length. Each gets at
/// least one and at most as many as it has costs for; the sum of the lower convex envelopes of the costs is
/// the least possible. Of equals, the first gets more. All of `total` is given where there is room for it.
/// Precondition: no share is empty.
std::vector<std::uint32_t> share_out(const std::vector<std::vector<double>>& costs, std::size_t total);

}  // namespace espalier
