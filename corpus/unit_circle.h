// SPDX-License-Identifier: GPL-3.0-or-later
// Points of the unit circle without the C library's trigonometry, whose last bit differs between platforms.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace espalier::corpus {

/// (cos, sin) of `index / count` of a full turn, computed by additions and multiplications alone, so that
/// every compiler gives the same bits; the error is below 2e-16. The points of one `count` are exactly
/// symmetric about both axes and both diagonals. `index` may be negative or exceed `count`; precondition: 0 <
/// count < 2^59.
Eigen::Vector2d unit_circle(std::int64_t index, std::int64_t count);

/// (cos, sin) of a whole number of degrees.
inline Eigen::Vector2d unit_circle_degrees(std::int64_t degrees) {
    return unit_circle(degrees, 360);
}

}  // namespace espalier::corpus
