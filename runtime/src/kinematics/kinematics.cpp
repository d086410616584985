// SPDX-License-Identifier: MIT
// Forward kinematics over the parts of an asset, parents before children.
#include "espalier/kinematics.h"

#include <cmath>

#include "../base/rotation.h"
#include "../base/rounding.h"

namespace espalier {
namespace {

/// How far the squared length of a free joint's rotation may be from 1: a quaternion that went through floats
/// passes (1.2e-7 a number), one that was interpolated and never normalised does not.
constexpr double kUnitTolerance = 1e-6;

/// Position in a configuration, and what is read of it, of a free joint.
constexpr std::uint32_t kFreeRotation = 4, kFreeValues = 7;

bool finite_number(double x) {
    return x - x == 0;
}

void normalize4(double* q) {
    const double length = std::sqrt(squared_length(q));
    for (unsigned i = 0; i < 4; ++i) q[i] /= length;
}

/// q := q * r, which turns by r first.
void turn_by(const double* r, double* q) {
    product(q, r, q);
    normalize4(q);
}

/// pose := pose moved by v, which is in its own frame; |rotation| = 1.
void shift(Pose* pose, const double* v) {
    double turned[3];
    turn(pose->rotation, v, turned);
    for (int k = 0; k < 3; ++k) pose->translation[k] += turned[k];
}

/// The joint's axis has length 1 in the file within a tolerance that long prismatic joints would notice.
void unit_axis(const PartNode& node, double* axis) {
    const double* a = node.axis;
    const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (unsigned i = 0; i < 3; ++i) axis[i] = a[i] / length;
}

/// Moves `pose`, where the joint is at rest. `free_values` are those of a free joint.
void move_by_joint(const PartNode& node, double value, const double* free_values, Pose* pose) {
    if (node.joint == Joint::kFixed) return;
    if (node.joint == Joint::kFree) {
        shift(pose, free_values + kFreeRotation);
        turn_by(free_values, pose->rotation);
        return;
    }
    double axis[3];
    unit_axis(node, axis);
    if (node.joint == Joint::kPrismatic) {
        for (double& x : axis) x *= value;
        shift(pose, axis);
        return;
    }
    const SineCosine half = sine_cosine(0.5 * value);
    const double rotation[4] = {half.cosine, half.sine * axis[0], half.sine * axis[1], half.sine * axis[2]};
    turn_by(rotation, pose->rotation);
}

bool proper_base(const Pose& base) {
    const double* t = base.translation;
    const double squared = squared_length(base.rotation);
    // Neither under- nor overflown, so that it can be normalised.
    return squared > 1e-200 && squared < 1e200 && finite3(t) && base.scale[0] == 1 && base.scale[1] == 1 &&
           base.scale[2] == 1;
}

bool proper_free_values(const double* values) {
    const double off = squared_length(values) - 1;
    return off <= kUnitTolerance && off >= -kUnitTolerance;
}

/// While joint values are being found, each waits in its part's pose, in a scale that is 1 in the end.
double* value_of(Pose* poses, std::uint32_t part) {
    return &poses[part].scale[0];
}

/// Whether the values are as many as the parts take, and each of them may be.
Status check_values(const Asset& asset, const double* values, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i)
        if (!finite_number(values[i])) return Status::kInvalidArgument;
    std::uint32_t taken = 0;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode node;
        const Status status = asset.part_node(i, &node);
        if (status != Status::kOk) return status;
        const std::uint32_t own = node.value_count();
        if (own > count - taken) return Status::kInvalidArgument;
        if (own == kFreeValues && !proper_free_values(values + taken)) return Status::kInvalidArgument;
        taken += own;
    }
    return taken == count ? Status::kOk : Status::kInvalidArgument;
}

/// Puts the values that parts have of their own where value_of finds them. check_values has passed.
void take_own_values(const Asset& asset, const double* values, Pose* poses) {
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode node;
        (void)asset.part_node(i, &node);
        const std::uint32_t own = node.value_count();
        *value_of(poses, i) = own == 1 ? *values : 0;
        values += own;
    }
}

/// Gives the followers their values, each by its chain to the joint that follows none.
Status take_followed_values(const Asset& asset, Pose* poses) {
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode node;
        Status status = asset.part_node(i, &node);
        if (status != Status::kOk) return status;
        if (node.mimic == kNoIndex) continue;
        // Of the chain so far: value = multiplier * the leader's + offset.
        double multiplier = 1, offset = 0;
        std::uint32_t leader = i;
        for (std::uint32_t links = 0; node.mimic != kNoIndex; ++links) {
            if (links == kMaxMimicChain) return Status::kCorruptParts;
            offset += multiplier * node.offset;
            multiplier *= node.multiplier;
            leader = node.mimic;
            status = asset.part_node(leader, &node);
            if (status != Status::kOk) return Status::kCorruptParts;
        }
        *value_of(poses, i) = multiplier * *value_of(poses, leader) + offset;
    }
    return Status::kOk;
}

void note_beyond(const PartNode& node, std::uint32_t part, double value, BeyondLimits* beyond) {
    if (joint_value_count(node.joint) != 1) return;
    const double below = node.lower - value, above = value - node.upper;
    const double most = below > above ? below : above;
    if (!(most > 0)) return;
    if (beyond->count == 0) beyond->first = part;
    beyond->count += 1;
    if (most > beyond->most) beyond->most = most;
}

bool finite_pose(const Pose& pose) {
    const double* t = pose.translation;
    return finite3(t) && finite_number(squared_length(pose.rotation));
}

/// From values to poses, parents first.
Status place_parts(const Asset& asset, const Pose& base, const double* values, Pose* poses,
                   BeyondLimits* beyond) {
    std::uint32_t taken = 0;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode node;
        const Status status = asset.part_node(i, &node);
        if (status != Status::kOk) return status;
        const double value = *value_of(poses, i);
        if (!finite_number(value)) return Status::kInvalidArgument;
        note_beyond(node, i, value, beyond);
        Pose pose = node.parent == kNoIndex ? base : poses[node.parent];
        shift(&pose, node.translation);
        turn_by(node.rotation, pose.rotation);
        move_by_joint(node, value, values + taken, &pose);
        if (!finite_pose(pose)) return Status::kInvalidArgument;
        poses[i] = pose;
        taken += node.value_count();
    }
    return Status::kOk;
}

}  // namespace

std::uint32_t configuration_size(const Asset& asset) {
    std::uint32_t count = 0;
    PartNode node;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i)
        if (asset.part_node(i, &node) == Status::kOk) count += node.value_count();
    return count;
}

Status rest_configuration(const Asset& asset, double* values, std::uint32_t count) {
    if (count != configuration_size(asset)) return Status::kInvalidArgument;
    if (count == 0) return Status::kOk;
    if (!values) return Status::kInvalidArgument;
    PartNode node;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        if (asset.part_node(i, &node) != Status::kOk) continue;
        for (std::uint32_t k = 0; k < node.value_count(); ++k)
            *values++ = node.joint == Joint::kFree && k == 0 ? 1 : 0;
    }
    return Status::kOk;
}

Status forward_kinematics(const Asset& asset, const Pose& base, const double* values,
                          std::uint32_t value_count, Pose* poses, std::uint32_t pose_count,
                          BeyondLimits* beyond) {
    if (!poses || pose_count != asset.part_count() || (!values && value_count > 0) || !proper_base(base))
        return Status::kInvalidArgument;
    Status status = check_values(asset, values, value_count);
    if (status != Status::kOk) return status;
    take_own_values(asset, values, poses);
    status = take_followed_values(asset, poses);
    if (status != Status::kOk) return status;
    Pose unit_base = base;
    normalize4(unit_base.rotation);
    BeyondLimits found;
    status = place_parts(asset, unit_base, values, poses, &found);
    if (status == Status::kOk && beyond) *beyond = found;
    return status;
}

}  // namespace espalier
