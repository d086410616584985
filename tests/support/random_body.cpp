// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/random_body.h"

#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "builder/aabb/row.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "builder/cell/row.h"
#include "builder/sphere/row.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

void require(Status status, const char* what) {
    if (status != Status::kOk) throw std::runtime_error(std::string(what) + ": " + status_text(status));
}

BakedShape baked_shape(const NamedTriangles& named, std::uint32_t number) {
    Progress progress;
    BakedShape shape;
    shape.name = named.name;
    shape.mesh = named.mesh;
    shape.closed = named.name != "soup";
    shape.origin = Vector3d(0.25 * number, -1, 0.5);
    SphereTreeOptions options;
    options.method = SphereMethod::kOctree;
    options.levels = 3;
    shape.trees = {built_tree(build_aabb_tree(named.mesh, {}, progress)),
                   built_tree(build_box_tree(named.mesh, {}, progress)),
                   built_tree(build_cell_tree(named.mesh, {}, progress)),
                   built_tree(build_sphere_tree(named.mesh, options, progress).value())};
    return shape;
}

Isometry3d motion_of(const PartNode& part, Draw& draw) {
    Isometry3d motion = Isometry3d::Identity();
    const Vector3d axis(part.axis[0], part.axis[1], part.axis[2]);
    switch (part.joint) {
        case Joint::kFixed:
            break;
        case Joint::kRevolute:
        case Joint::kContinuous:
            motion = Eigen::AngleAxisd(draw.between(-3, 3), axis);
            break;
        case Joint::kPrismatic:
            motion.translation() = draw.between(-1, 1) * axis;
            break;
        case Joint::kFree:
            motion = random_place(draw, 2);
            break;
    }
    return motion;
}

double radius_about(const ShapeView& part, Vector3d* center) {
    Vector3d half;
    for (int k = 0; k < 3; ++k) {
        (*center)[k] = part.origin[k] + (double(part.lo[k]) + double(part.hi[k])) / 2;
        half[k] = (double(part.hi[k]) - double(part.lo[k])) / 2;
    }
    return half.norm();
}

void add_pair(const HandBody& a, const HandBody& b, std::uint32_t i, std::uint32_t j, const Pose& pose,
              std::vector<PlacedPair>* pairs) {
    PlacedPair pair{i, j, {}, {}, {}};
    if (a.asset().part(i, &pair.view_a) != Status::kOk) return;
    if (b.asset().part(j, &pair.view_b) != Status::kOk) return;
    pair.pose = pose_of(isometry(a.poses()[i]).inverse() * isometry(pose) * isometry(b.poses()[j]));
    pairs->push_back(pair);
}

}  // namespace

const std::vector<std::uint8_t>& shape_bytes() {
    static const std::vector<std::uint8_t> kBytes = [] {
        AssetContents contents;
        std::uint32_t number = 0;
        for (const NamedTriangles& mesh : ten_small_meshes(40))
            contents.shapes.push_back(baked_shape(mesh, number++));
        return write_asset(contents).value();
    }();
    return kBytes;
}

HandBody::HandBody(const HandParts& parts)
    : parts_(parts),
      bytes_(with_parts(shape_bytes(), parts)),
      asset_([this] {
          Asset asset;
          require(open(bytes_.data(), bytes_.size(), Verify::kFull, &asset), "open");
          return asset;
      }()),
      memory_(Body::memory_size(asset_)) {
    require(body_.begin(asset_, memory_.data(), memory_.size()), "begin");
    for (std::uint32_t i = 0; i < body_.part_count(); ++i)
        require(body_.pose(i, &poses_.emplace_back()), "pose");
}

void HandBody::set(const std::vector<Pose>& poses) {
    require(body_.set_poses(poses.data(), poses.size()), "set_poses");
    poses_ = poses;
}

void HandBody::bend(Draw& draw, const Isometry3d& base) {
    std::vector<Isometry3d> placed;
    std::vector<Pose> poses;
    for (const PartNode& part : parts_.parts) {
        Pose rest;
        std::copy(part.rotation, part.rotation + 4, rest.rotation);
        std::copy(part.translation, part.translation + 3, rest.translation);
        const Isometry3d& parent = part.parent == kNoIndex ? base : placed[part.parent];
        placed.push_back(parent * isometry(rest) * motion_of(part, draw));
        poses.push_back(pose_of(placed.back()));
    }
    set(poses);
}

HandParts random_parts(Draw& draw, std::uint32_t count) {
    HandParts parts;
    for (std::uint32_t i = 0; i < count; ++i) {
        const bool frame = draw.below(6) == 0 && count > 1;
        const auto shape = frame ? kNoIndex : static_cast<std::uint32_t>(draw.below(10));
        const auto parent =
            i == 0 || draw.below(5) == 0 ? kNoIndex : static_cast<std::uint32_t>(draw.below(i));
        const auto joint = static_cast<Joint>(draw.below(5));
        const bool turns = joint_value_count(joint) == 1;
        const Vector3d at = 1.5 * draw.in_cube(), axis = turns ? draw.direction() : Vector3d::Zero();
        PartNode part = hand_part(shape, parent, {at[0], at[1], at[2]}, joint, {axis[0], axis[1], axis[2]});
        const Pose rest = pose_of(random_place(draw, 1));
        std::copy(rest.rotation, rest.rotation + 4, part.rotation);
        parts.add("part" + std::to_string(i), part);
    }
    for (std::uint32_t a = 0; a < count; ++a)
        for (std::uint32_t b = a + 1; b < count; ++b) {
            if (parts.parts[b].parent != a && draw.below(8) != 0) continue;
            PartPair pair;
            pair.a = a;
            pair.b = b;
            parts.pairs.push_back(pair);
        }
    return parts;
}

Isometry3d isometry(const Pose& pose) {
    Isometry3d result = Isometry3d::Identity();
    result.linear() =
        Eigen::Quaterniond(pose.rotation[0], pose.rotation[1], pose.rotation[2], pose.rotation[3])
            .normalized()
            .toRotationMatrix();
    result.translation() = Vector3d(pose.translation[0], pose.translation[1], pose.translation[2]);
    return result;
}

Pose pose_of(const Isometry3d& isometry) {
    Pose pose;
    const Eigen::Quaterniond q(isometry.rotation());
    pose.rotation[0] = q.w();
    pose.rotation[1] = q.x();
    pose.rotation[2] = q.y();
    pose.rotation[3] = q.z();
    for (int k = 0; k < 3; ++k) pose.translation[k] = isometry.translation()[k];
    return pose;
}

Isometry3d random_place(Draw& draw, double reach) {
    Pose pose;
    draw.quaternion(pose.rotation);
    const Vector3d at = reach * draw.in_cube();
    for (int k = 0; k < 3; ++k) pose.translation[k] = at[k];
    return isometry(pose);
}

std::vector<PlacedPair> pairs_between(const HandBody& a, const HandBody& b, const Pose& pose) {
    std::vector<PlacedPair> pairs;
    for (std::uint32_t i = 0; i < a.poses().size(); ++i)
        for (std::uint32_t j = 0; j < b.poses().size(); ++j) add_pair(a, b, i, j, pose, &pairs);
    return pairs;
}

std::vector<PlacedPair> pairs_within(const HandBody& body) {
    std::vector<PlacedPair> pairs;
    const auto listed = [&](std::uint32_t i, std::uint32_t j) {
        for (const PartPair& pair : body.parts().pairs)
            if (pair.a == i && pair.b == j) return true;
        return false;
    };
    for (std::uint32_t i = 0; i < body.poses().size(); ++i)
        for (std::uint32_t j = i + 1; j < body.poses().size(); ++j)
            if (!listed(i, j)) add_pair(body, body, i, j, Pose(), &pairs);
    return pairs;
}

bool surely_beyond(const PlacedPair& pair, double distance) {
    Vector3d a, b;
    const double radii = radius_about(pair.view_a, &a) + radius_about(pair.view_b, &b);
    return (isometry(pair.pose) * b - a).norm() - radii > distance + 1e-6;
}

double least_distance(const std::vector<PlacedPair>& pairs) {
    double least = INFINITY;
    for (const PlacedPair& pair : pairs) {
        if (surely_beyond(pair, least)) continue;
        least = std::min(least, BruteForce(pair.view_a, pair.view_b, pair.pose).distance());
        if (least == 0) break;
    }
    return least;
}

void expect_dense(const char* what, std::uint64_t touching, std::uint64_t count) {
    const double share = double(touching) / double(count);
    std::printf("  %llu configurations, %.0f %% touch: %s\n", static_cast<unsigned long long>(count),
                100 * share, what);
    if (count < 1000) return;
    EXPECT_GT(share, 0.2);
    EXPECT_LT(share, 0.6);
}

}  // namespace espalier::testing
