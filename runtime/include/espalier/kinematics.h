// SPDX-License-Identifier: MIT
// Forward kinematics: from joint values to the poses of an asset's parts. Optional: a program that calls
// nothing of this header links nothing of it.
#pragma once

#include <cstdint>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/status.h"

namespace espalier {

/// Sine and cosine of one angle.
struct SineCosine {
    double sine = 0;    ///< in [-1, 1]
    double cosine = 1;  ///< in [-1, 1]
};

/// Sine and cosine of an angle in radians: the same bits on every platform, each within 2^-53 (1.11e-16) of
/// the true value, and within one unit in its last place. That holds for angles of any size, since all are
/// reduced without loss; but a double of 1e9 stands for angles that are 1e-7 apart, so a joint that turns for
/// days had better count its turns apart. NaN for what is not finite.
SineCosine sine_cosine(double angle);

/// Joint values that lie beyond what the file allows. They are computed all the same.
struct BeyondLimits {
    std::uint32_t count = 0;         ///< parts whose joint is beyond its limits, followers included
    std::uint32_t first = kNoIndex;  ///< the lowest of them, or kNoIndex
    double most = 0;                 ///< the largest distance from a limit, in radians or units of length
};

/// How many numbers a configuration has: PartNode::value_count of every part, one after another in the order
/// of the parts. A revolute or continuous joint takes an angle in radians, a prismatic one a length, a free
/// one a rotation w x y z and a translation; fixed joints and those that follow another take none.
std::uint32_t configuration_size(const Asset& asset);

/// Fills `values` with the configuration in which every joint is where the file has it: 0, and no rotation
/// and translation of free joints. It may lie beyond limits. Fails with kInvalidArgument: null, or `count` is
/// not configuration_size.
Status rest_configuration(const Asset& asset, double* values, std::uint32_t count);

/// Fills `poses` with where the parts are, in the frame in which `base` places the body's own. For each part:
/// pose = pose of the parent (or base) * rest * motion of the joint; a joint that follows another takes
/// multiplier * its leader's value + offset, through chains too. Rotations come out with length 1, scales are
/// 1. Time is linear in the parts; nothing is kept.
/// @param asset       opened with full verification, if it is not trusted
/// @param base        of the body; its rotation is normalised, its scale must be 1
/// @param values      of the joints, as configuration_size has them; may be null if there are none. Rotations
///                    of free joints must have length 1 within 1e-6, for they are rather a mistake than a
///                    rotation if not; they are normalised then
/// @param value_count must be configuration_size
/// @param poses       receives one pose a part; holds nothing of use after a failure
/// @param pose_count  must be the number of parts
/// @param beyond      receives what lies beyond limits; may be null
/// Fails with kInvalidArgument (a wrong count, null, a number that is not finite or whose result is not, a
/// rotation that is none, a scale) or, possible only without full verification, with kCorrupt or
/// kCorruptParts.
Status forward_kinematics(const Asset& asset, const Pose& base, const double* values,
                          std::uint32_t value_count, Pose* poses, std::uint32_t pose_count,
                          BeyondLimits* beyond = nullptr);

}  // namespace espalier
