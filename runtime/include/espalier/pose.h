// SPDX-License-Identifier: MIT
// Where B is in A's frame.
#pragma once

namespace espalier {

/// p_A = rotation * (scale * p_B) + translation. Double precision, since it is used once a query and every
/// error in it would count on every vertex.
struct Pose {
    double rotation[4] = {1, 0, 0, 0};  ///< quaternion w x y z; any length but zero, normalised on use
    double translation[3] = {0, 0, 0};  ///< in A's frame
    double scale[3] = {1, 1, 1};        ///< along B's axes, none zero; negative mirrors
};

}  // namespace espalier
