// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/joint_tree.h"

#include <algorithm>
#include <cmath>

namespace espalier::testing {
namespace {

void unit_quaternion(Draw& draw, double* q) {
    draw.quaternion(q);
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i) q[i] /= length;
}

PartNode random_part(Draw& draw, std::uint32_t index, std::uint32_t shape_count, double spread,
                     std::uint32_t reach) {
    const std::uint32_t near = std::min(index, reach);
    const bool rooted = index == 0 || draw.below(16) == 0;
    const auto parent = rooted ? kNoIndex : index - 1 - static_cast<std::uint32_t>(draw.below(near));
    const auto shape = static_cast<std::uint32_t>(draw.below(shape_count + 1));
    const auto joint = static_cast<Joint>(draw.below(5));
    const Eigen::Vector3d at = spread * draw.in_cube(), axis = draw.direction();
    const bool turns = joint_value_count(joint) == 1;
    PartNode part =
        hand_part(shape == shape_count ? kNoIndex : shape, parent, {at.x(), at.y(), at.z()}, joint,
                  turns ? std::array{axis.x(), axis.y(), axis.z()} : std::array{0., 0., 0.});
    unit_quaternion(draw, part.rotation);
    if (joint == Joint::kRevolute || joint == Joint::kPrismatic) {
        part.lower = draw.between(-3, 1);
        part.upper = part.lower + draw.between(0, 4);
    }
    return part;
}

/// Lets a third of the joints follow: the leaders come before them in a random order of their own, so that
/// chains have no cycle.
void add_followers(Draw& draw, std::vector<PartNode>& parts) {
    std::vector<std::uint32_t> joints;
    for (std::uint32_t i = 0; i < parts.size(); ++i)
        if (joint_value_count(parts[i].joint) == 1) joints.push_back(i);
    for (std::size_t i = joints.size(); i > 1; --i) std::swap(joints[i - 1], joints[draw.below(i)]);
    for (std::size_t i = 1; i < joints.size(); ++i) {
        if (draw.below(3) != 0) continue;
        PartNode& follower = parts[joints[i]];
        // Among the few before it, and never further from the first than the chain may be long.
        follower.mimic = joints[i - 1 - draw.below(std::min<std::size_t>(i, 3))];
        follower.multiplier = draw.between(-1.2, 1.2);
        follower.offset = draw.between(-0.5, 0.5);
    }
}

}  // namespace

HandParts random_joint_tree(Draw& draw, std::uint32_t count, std::uint32_t shape_count, double spread,
                            std::uint32_t reach) {
    HandParts hand;
    for (std::uint32_t i = 0; i < count; ++i)
        hand.add("part" + std::to_string(i), random_part(draw, i, shape_count, spread, reach));
    add_followers(draw, hand.parts);
    return hand;
}

std::vector<double> random_configuration(Draw& draw, const Asset& asset, double turns, double spread) {
    constexpr double kFullTurn = 6.283185307179586;
    std::vector<double> values;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode node;
        if (asset.part_node(i, &node) != Status::kOk || node.value_count() == 0) continue;
        if (node.joint == Joint::kFree) {
            double q[4];
            unit_quaternion(draw, q);
            values.insert(values.end(), q, q + 4);
            for (int k = 0; k < 3; ++k) values.push_back(draw.between(-spread, spread));
            continue;
        }
        const double range = node.joint == Joint::kPrismatic ? spread : turns * kFullTurn;
        values.push_back(draw.between(std::max(node.lower, -range), std::min(node.upper, range)));
    }
    return values;
}

}  // namespace espalier::testing
