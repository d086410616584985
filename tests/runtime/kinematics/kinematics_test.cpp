// SPDX-License-Identifier: GPL-3.0-or-later
// What forward kinematics promises beside the poses themselves: what each joint keeps in place, followers,
// limits, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "tests/runtime/kinematics/posed_asset.h"

namespace espalier::testing {
namespace {

constexpr double kHalfTurn = 3.141592653589793;

PartNode follower(std::uint32_t parent, Joint joint, std::uint32_t leader, double multiplier, double offset) {
    PartNode part = hand_part(0, parent, {0, 0, 0}, joint, {0, 0, 1});
    part.mimic = leader;
    part.multiplier = multiplier;
    part.offset = offset;
    return part;
}

/// The values of four prismatic joints that stand beside each other are their heights.
double height(const Pose& pose) {
    return pose.translation[2];
}

/// A revolute joint of an arm, a prismatic one, a free one: 9 values.
HandParts arm() {
    HandParts hand;
    hand.add("base", hand_part(0, kNoIndex, {0, 0, 1}));
    PartNode upper = hand_part(0, 0, {1, 0, 0}, Joint::kRevolute, {0, 0, 1});
    upper.lower = -1;
    upper.upper = 2;
    hand.add("upper", upper);
    PartNode slide = hand_part(0, 1, {2, 0, 0}, Joint::kPrismatic, {1, 0, 0});
    slide.lower = 0;
    slide.upper = 0.5;
    hand.add("slide", slide);
    hand.add("cargo", hand_part(0, kNoIndex, {0, 5, 0}, Joint::kFree));
    return hand;
}

std::vector<double> rest_of(const Asset& asset) {
    std::vector<double> values(configuration_size(asset), -1);
    EXPECT_EQ(rest_configuration(asset, values.data(), static_cast<std::uint32_t>(values.size())),
              Status::kOk);
    return values;
}

TEST(ForwardKinematics, AtRestPlacesPartsByTheirRestsAlone) {
    Draw draw(1);
    HandParts hand = random_joint_tree(draw, 30, 1);
    for (PartNode& part : hand.parts) part.offset = 0;
    const PosedAsset posed(hand);
    const std::vector<Pose> poses = posed.poses(rest_of(posed.asset()));
    std::vector<Eigen::Isometry3d> chain;
    for (std::size_t i = 0; i < hand.parts.size(); ++i) {
        const PartNode& part = hand.parts[i];
        const Eigen::Isometry3d rest = isometry(part.rotation, part.translation);
        chain.push_back(part.parent == kNoIndex ? rest : chain[part.parent] * rest);
        EXPECT_LT(difference(isometry(poses[i]), chain[i]), 1e-12) << i;
    }
}

TEST(ForwardKinematics, AQuarterTurnAndASlideAreWhereAnArmsDrawingHasThem) {
    const PosedAsset posed(arm());
    const std::vector<Pose> poses = posed.poses({kHalfTurn / 2, 0.5, 1, 0, 0, 0, 1, 2, 3});
    const Eigen::Vector3d slide = isometry(poses[2]).translation(), cargo = isometry(poses[3]).translation();
    EXPECT_LT((slide - Eigen::Vector3d(1, 2.5, 1)).norm(), 1e-15);
    EXPECT_EQ(cargo, Eigen::Vector3d(1, 7, 3));
}

TEST(ForwardKinematics, ABaseMovesAllPartsAlike) {
    Draw draw(2);
    const PosedAsset posed(random_joint_tree(draw, 30, 1));
    const std::vector<double> values = random_configuration(draw, posed.asset());
    Pose base;
    draw.quaternion(base.rotation);
    for (double& x : base.translation) x = draw.between(-5, 5);
    const std::vector<Pose> still = posed.poses(values), moved = posed.poses(values, base);
    for (std::size_t i = 0; i < still.size(); ++i)
        EXPECT_LT(difference(isometry(moved[i]), isometry(base) * isometry(still[i])), 1e-12) << i;
}

TEST(ForwardKinematics, TurningKeepsTheAxisAndFullTurnsChangeNothing) {
    Draw draw(3);
    HandParts hand;
    const Eigen::Vector3d axis = draw.direction();
    hand.add("wheel", hand_part(0, kNoIndex, {1, 2, 3}, Joint::kContinuous, {axis.x(), axis.y(), axis.z()}));
    const PosedAsset posed(hand);
    for (int i = 0; i < 100; ++i) {
        const double angle = draw.between(-3, 3);
        const Eigen::Isometry3d once = isometry(posed.poses({angle})[0]);
        EXPECT_LT((once.linear() * axis - axis).norm(), 1e-15);
        EXPECT_NEAR(Eigen::AngleAxisd(once.linear()).angle(), std::fabs(angle), 1e-12);
        const Eigen::Isometry3d more = isometry(posed.poses({angle + 2000 * kHalfTurn})[0]);
        // 2000 half turns are a double that is 1e-12 apart from its neighbours.
        EXPECT_LT(difference(once, more), 5e-12);
    }
}

TEST(ForwardKinematics, RotationsHaveLengthOneAndScalesAreOneAlsoAtTheEndOfALongChain) {
    Draw draw(4);
    HandParts hand = random_joint_tree(draw, 2000, 1, 1, 1);
    // As far from length 1 as a full verification lets through.
    for (PartNode& part : hand.parts)
        for (double& x : part.rotation) x *= 1 + 4e-10;
    const PosedAsset posed(hand);
    for (const Pose& pose : posed.poses(random_configuration(draw, posed.asset()))) {
        EXPECT_NEAR(Eigen::Vector4d(pose.rotation).norm(), 1, 4e-16);
        for (const double scale : pose.scale) EXPECT_EQ(scale, 1);
    }
}

TEST(ForwardKinematics, FollowersTakeMultiplierAndOffsetThroughChainsAndOfLaterParts) {
    HandParts hand;
    hand.add("later", follower(kNoIndex, Joint::kPrismatic, 3, 2, 0.5));
    hand.add("chain", follower(kNoIndex, Joint::kPrismatic, 0, -3, 1));
    hand.add("of an angle", follower(kNoIndex, Joint::kPrismatic, 4, 1, 0));
    hand.add("leader", hand_part(0, kNoIndex, {0, 0, 0}, Joint::kPrismatic, {0, 0, 1}));
    hand.add("turns", hand_part(0, kNoIndex, {0, 0, 0}, Joint::kRevolute, {0, 0, 1}));
    const PosedAsset posed(hand);
    ASSERT_EQ(configuration_size(posed.asset()), 2u);
    const std::vector<Pose> poses = posed.poses({0.25, 0.75});
    EXPECT_EQ(height(poses[3]), 0.25);
    EXPECT_EQ(height(poses[0]), 1);
    EXPECT_EQ(height(poses[1]), -2);
    EXPECT_EQ(height(poses[2]), 0.75);
}

TEST(ForwardKinematics, FollowsTheLongestChainThatAFileMayHave) {
    HandParts hand;
    hand.add("leader", hand_part(0, kNoIndex, {0, 0, 0}, Joint::kPrismatic, {0, 0, 1}));
    for (std::uint32_t i = 0; i < kMaxMimicChain - 1; ++i)
        hand.add("link" + std::to_string(i), follower(kNoIndex, Joint::kPrismatic, i, 1, 1));
    const PosedAsset posed(hand);
    EXPECT_EQ(height(posed.poses({0.5})[kMaxMimicChain - 1]), kMaxMimicChain - 0.5);
}

TEST(ForwardKinematics, ComputesAndReportsValuesBeyondLimits) {
    const PosedAsset posed(arm());
    BeyondLimits beyond{7, 7, 7};
    posed.poses({2, 0, 1, 0, 0, 0, 0, 0, 0}, {}, &beyond);
    EXPECT_EQ(beyond.count, 0u);
    EXPECT_EQ(beyond.first, kNoIndex);
    EXPECT_EQ(beyond.most, 0);
    const std::vector<Pose> poses = posed.poses({0, 0.75, 1, 0, 0, 0, 0, 0, 0}, {}, &beyond);
    EXPECT_EQ(beyond.count, 1u);
    EXPECT_EQ(beyond.first, 2u);
    EXPECT_EQ(beyond.most, 0.25);
    EXPECT_EQ(poses[2].translation[0], 3.75);
    posed.poses({-3, 0.75, 1, 0, 0, 0, 0, 0, 0}, {}, &beyond);
    EXPECT_EQ(beyond.count, 2u);
    EXPECT_EQ(beyond.first, 1u);
    EXPECT_EQ(beyond.most, 2);
}

TEST(ForwardKinematics, ReportsFollowersBeyondTheirOwnLimits) {
    HandParts hand;
    hand.add("leader", hand_part(0, kNoIndex, {0, 0, 0}, Joint::kPrismatic, {0, 0, 1}));
    PartNode part = follower(kNoIndex, Joint::kPrismatic, 0, 4, 0);
    part.lower = 0;
    part.upper = 1;
    hand.add("follower", part);
    BeyondLimits beyond;
    PosedAsset(hand).poses({0.5}, {}, &beyond);
    EXPECT_EQ(beyond.count, 1u);
    EXPECT_EQ(beyond.first, 1u);
    EXPECT_EQ(beyond.most, 1);
}

TEST(ForwardKinematics, OfAFileWithoutPartsPutsEveryShapeAtTheBase) {
    const ExactBytes bytes(PosedAsset::shape());
    Asset asset;
    ASSERT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk);
    Pose base, pose;
    base.translation[1] = 4;
    EXPECT_EQ(configuration_size(asset), 0u);
    ASSERT_EQ(forward_kinematics(asset, base, nullptr, 0, &pose, 1), Status::kOk);
    EXPECT_EQ(std::memcmp(&pose, &base, sizeof(pose)), 0);
}

TEST(ForwardKinematics, TakesAFreeRotationThatWentThroughFloatsAndNormalisesIt) {
    const PosedAsset posed(arm());
    const float part = 0.57735026F;
    const std::vector<double> values = {0, 0, 0, part, part, part, 0, 0, 0};
    const std::vector<Pose> poses = posed.poses(values);
    EXPECT_NEAR(Eigen::Vector4d(poses[3].rotation).norm(), 1, 4e-16);
}

/// The arm's status for some values and a base; fails the test if a refusal touched the poses.
Status status_of(const std::vector<double>& values, const Pose& base = {}, std::uint32_t poses_given = 4) {
    const PosedAsset posed(arm());
    Pose mark;
    mark.translation[0] = 77;
    std::vector<Pose> poses(4, mark);
    BeyondLimits beyond{5, 5, 5};
    const Status status =
        forward_kinematics(posed.asset(), base, values.data(), static_cast<std::uint32_t>(values.size()),
                           poses.data(), poses_given, &beyond);
    if (status != Status::kOk) {
        for (const Pose& pose : poses) EXPECT_EQ(std::memcmp(&pose, &mark, sizeof(pose)), 0);
        EXPECT_EQ(beyond.count, 5u);
    }
    return status;
}

TEST(ForwardKinematics, RefusesAWrongCount) {
    EXPECT_EQ(status_of({0, 0, 1, 0, 0, 0, 0, 0, 0}), Status::kOk);
    EXPECT_EQ(status_of({0, 0, 1, 0, 0, 0, 0, 0}), Status::kInvalidArgument);
    EXPECT_EQ(status_of({0, 0, 1, 0, 0, 0, 0, 0, 0, 0}), Status::kInvalidArgument);
    EXPECT_EQ(status_of({0}), Status::kInvalidArgument);
    EXPECT_EQ(status_of({}), Status::kInvalidArgument);
    EXPECT_EQ(status_of({0, 0, 1, 0, 0, 0, 0, 0, 0}, {}, 3), Status::kInvalidArgument);
    EXPECT_EQ(status_of({0, 0, 1, 0, 0, 0, 0, 0, 0}, {}, 5), Status::kInvalidArgument);
}

TEST(ForwardKinematics, RefusesNumbersThatAreNone) {
    for (const double none :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        for (std::size_t i = 0; i < 9; ++i) {
            std::vector<double> values = {0, 0, 1, 0, 0, 0, 0, 0, 0};
            values[i] = none;
            EXPECT_EQ(status_of(values), Status::kInvalidArgument) << i;
        }
}

TEST(ForwardKinematics, RefusesAFreeRotationThatIsNotUnit) {
    EXPECT_EQ(status_of({0, 0, 1 + 1e-7, 0, 0, 0, 0, 0, 0}), Status::kOk);
    EXPECT_EQ(status_of({0, 0, 1.001, 0, 0, 0, 0, 0, 0}), Status::kInvalidArgument);
    EXPECT_EQ(status_of({0, 0, 0.999, 0, 0, 0, 0, 0, 0}), Status::kInvalidArgument);
    EXPECT_EQ(status_of({0, 0, 0, 0, 0, 0, 0, 0, 0}), Status::kInvalidArgument);
}

TEST(ForwardKinematics, RefusesABaseThatIsNoRigidMotion) {
    const std::vector<double> values = {0, 0, 1, 0, 0, 0, 0, 0, 0};
    Pose scaled, none, lost;
    scaled.scale[1] = 2;
    none.rotation[0] = 0;
    lost.translation[2] = std::numeric_limits<double>::quiet_NaN();
    for (const Pose& base : {scaled, none, lost})
        EXPECT_EQ(status_of(values, base), Status::kInvalidArgument);
}

TEST(ForwardKinematics, RefusesAFollowersValueThatOverflows) {
    HandParts hand;
    hand.add("leader", hand_part(0, kNoIndex, {0, 0, 0}, Joint::kPrismatic, {0, 0, 1}));
    hand.add("follower", follower(kNoIndex, Joint::kPrismatic, 0, 1e300, 0));
    const PosedAsset posed(hand);
    const double value = 1e300;
    Pose poses[2];
    EXPECT_EQ(forward_kinematics(posed.asset(), Pose(), &value, 1, poses, 2), Status::kInvalidArgument);
}

TEST(ForwardKinematics, RefusesNullWhereSomethingIsNeeded) {
    const PosedAsset posed(arm());
    const std::vector<double> values = {0, 0, 1, 0, 0, 0, 0, 0, 0};
    Pose poses[4];
    EXPECT_EQ(forward_kinematics(posed.asset(), Pose(), nullptr, 9, poses, 4), Status::kInvalidArgument);
    EXPECT_EQ(forward_kinematics(posed.asset(), Pose(), values.data(), 9, nullptr, 4),
              Status::kInvalidArgument);
    EXPECT_EQ(forward_kinematics(posed.asset(), Pose(), values.data(), 9, poses, 4, nullptr), Status::kOk);
}

TEST(RestConfiguration, IsZeroAndNoRotationForFreeJoints) {
    const PosedAsset posed(arm());
    EXPECT_EQ(configuration_size(posed.asset()), 9u);
    EXPECT_EQ(rest_of(posed.asset()), (std::vector<double>{0, 0, 1, 0, 0, 0, 0, 0, 0}));
    std::vector<double> values(10);
    EXPECT_EQ(rest_configuration(posed.asset(), values.data(), 10), Status::kInvalidArgument);
    EXPECT_EQ(rest_configuration(posed.asset(), nullptr, 9), Status::kInvalidArgument);
}

}  // namespace
}  // namespace espalier::testing
