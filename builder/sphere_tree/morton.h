// SPDX-License-Identifier: GPL-3.0-or-later
// A space-filling curve (Morton's): keys that are near each other belong to cells near each other.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace espalier {

/// The lowest ten bits of a number, three places apart.
inline std::uint32_t spread_bits(std::uint32_t value) {
    value = (value | (value << 16)) & 0x030000FFU;
    value = (value | (value << 8)) & 0x0300F00FU;
    value = (value | (value << 4)) & 0x030C30C3U;
    return (value | (value << 2)) & 0x09249249U;
}

/// The key of a place with coordinates from 0 to below 1024.
inline std::uint32_t morton_key(const Eigen::Vector3d& place) {
    std::uint32_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        key |= spread_bits(static_cast<std::uint32_t>(place[axis])) << axis;
    }
    return key;
}

}  // namespace espalier
