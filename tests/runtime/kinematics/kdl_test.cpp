// SPDX-License-Identifier: GPL-3.0-or-later
// Poses against those of another library, the Orocos project's KDL, on random trees of every type of joint.
#include <gtest/gtest.h>

#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>

#include "tests/runtime/kinematics/posed_asset.h"

namespace espalier::testing {
namespace {

std::string segment_name(std::uint32_t part) {
    return part == kNoIndex ? "world" : "part" + std::to_string(part);
}

/// KDL's joints are at the root of their segment: each part is one segment with its rest and then one or, if
/// it is free, six with joints.
class KdlTree {
  public:
    KdlTree(const Asset& asset, const Pose& base) : asset_(asset), tree_("root") {
        add("root", "world", KDL::Joint(KDL::Joint::None), frame(base.rotation, base.translation));
        for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
            PartNode node;
            EXPECT_EQ(asset.part_node(i, &node), Status::kOk);
            const std::string rest = "rest" + std::to_string(i);
            add(segment_name(node.parent), rest, KDL::Joint(KDL::Joint::None),
                frame(node.rotation, node.translation));
            add_joint(node, i, rest);
        }
        // Copying numbers the joints anew, depth first, and solvers copy their tree: only a copy has the
        // numbers that they use.
        const KDL::Tree copy(tree_);
        tree_ = copy;
    }

    /// Angles, lengths, and for free joints three lengths and three angles.
    KDL::JntArray joint_array(const std::vector<double>& values) const {
        KDL::JntArray q(tree_.getNrOfJoints());
        std::vector<double> found(asset_.part_count());
        std::size_t next = 0;
        for (std::uint32_t i = 0; i < asset_.part_count(); ++i) {
            PartNode node;
            EXPECT_EQ(asset_.part_node(i, &node), Status::kOk);
            if (node.joint == Joint::kFree) {
                const double* v = values.data() + next;
                double angle[3];
                KDL::Rotation::Quaternion(v[1], v[2], v[3], v[0]).GetRPY(angle[2], angle[1], angle[0]);
                for (int k = 0; k < 3; ++k) {
                    q(number(free_segment(i, k))) = v[4 + k];
                    q(number(free_segment(i, k + 3))) = angle[k];
                }
            } else if (node.value_count() == 1) {
                found[i] = values[next];
            }
            next += node.value_count();
        }
        for (std::uint32_t i = 0; i < asset_.part_count(); ++i) {
            PartNode node;
            EXPECT_EQ(asset_.part_node(i, &node), Status::kOk);
            if (joint_value_count(node.joint) == 1) q(number(segment_name(i))) = value(i, found);
        }
        return q;
    }

    Eigen::Isometry3d pose(const KDL::JntArray& q, std::uint32_t part) {
        KDL::Frame frame;
        KDL::TreeFkSolverPos_recursive solver(tree_);
        EXPECT_GE(solver.JntToCart(q, frame, segment_name(part)), 0);
        Eigen::Isometry3d result = Eigen::Isometry3d::Identity();
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) result.linear()(r, c) = frame.M(r, c);
            result.translation()(r) = frame.p(r);
        }
        return result;
    }

  private:
    static KDL::Frame frame(const double* q, const double* t) {
        return {KDL::Rotation::Quaternion(q[1], q[2], q[3], q[0]), KDL::Vector(t[0], t[1], t[2])};
    }
    static std::string free_segment(std::uint32_t part, int step) {
        return step == 5 ? segment_name(part) : segment_name(part) + "." + std::to_string(step);
    }
    void add(const std::string& parent, const std::string& name, const KDL::Joint& joint,
             const KDL::Frame& tip = KDL::Frame::Identity()) {
        ASSERT_TRUE(tree_.addSegment(KDL::Segment(name, joint, tip), parent)) << name;
    }
    void add_joint(const PartNode& node, std::uint32_t part, std::string parent) {
        const KDL::Vector axis(node.axis[0], node.axis[1], node.axis[2]);
        const std::string name = segment_name(part);
        if (node.joint == Joint::kFixed) return add(parent, name, KDL::Joint(KDL::Joint::None));
        if (node.joint == Joint::kPrismatic)
            return add(parent, name, KDL::Joint(name, KDL::Vector(), axis, KDL::Joint::TransAxis));
        if (node.joint != Joint::kFree)
            return add(parent, name, KDL::Joint(name, KDL::Vector(), axis, KDL::Joint::RotAxis));
        const KDL::Joint::JointType steps[] = {KDL::Joint::TransX, KDL::Joint::TransY, KDL::Joint::TransZ,
                                               KDL::Joint::RotZ,   KDL::Joint::RotY,   KDL::Joint::RotX};
        for (int k = 0; k < 6; ++k) {
            add(parent, free_segment(part, k), KDL::Joint(steps[k]));
            parent = free_segment(part, k);
        }
    }
    double value(std::uint32_t part, const std::vector<double>& found) const {
        PartNode node;
        EXPECT_EQ(asset_.part_node(part, &node), Status::kOk);
        if (node.mimic == kNoIndex) return found[part];
        return node.multiplier * value(node.mimic, found) + node.offset;
    }
    unsigned number(const std::string& segment) const { return tree_.getSegment(segment)->second.q_nr; }

    const Asset& asset_;
    KDL::Tree tree_;
};

TEST(PosesOfRandomTrees, AreThoseOfKdlForEveryTypeOfJoint) {
    Draw draw(51);
    std::size_t joints[5] = {}, followers = 0;
    for (int tree = 0; tree < 60; ++tree) {
        const auto count = 2 + static_cast<std::uint32_t>(draw.below(40));
        const HandParts hand = random_joint_tree(draw, count, 1);
        for (const PartNode& part : hand.parts) {
            joints[static_cast<std::size_t>(part.joint)] += 1;
            followers += part.mimic != kNoIndex;
        }
        const PosedAsset posed(hand);
        Pose base;
        const std::vector<double> place = {0.5, -0.5, 0.5, 0.5, 1, 2, -3};
        std::copy(place.begin(), place.begin() + 4, base.rotation);
        std::copy(place.begin() + 4, place.end(), base.translation);
        KdlTree kdl(posed.asset(), base);
        for (int k = 0; k < 20; ++k) {
            const std::vector<double> values = random_configuration(draw, posed.asset());
            const std::vector<Pose> poses = posed.poses(values, base);
            const KDL::JntArray q = kdl.joint_array(values);
            for (std::uint32_t part = 0; part < count; ++part)
                ASSERT_LT(difference(isometry(poses[part]), kdl.pose(q, part)), 1e-9)
                    << "tree " << tree << " part " << part;
        }
    }
    for (const std::size_t seen : joints) EXPECT_GT(seen, 100u);
    EXPECT_GT(followers, 100u);
}

TEST(PosesOfALongChain, AreThoseOfKdl) {
    Draw draw(52);
    const PosedAsset posed(random_joint_tree(draw, 300, 1, 1, 1));
    KdlTree kdl(posed.asset(), Pose());
    const std::vector<double> values = random_configuration(draw, posed.asset(), 1000);
    const std::vector<Pose> poses = posed.poses(values);
    const KDL::JntArray q = kdl.joint_array(values);
    for (std::uint32_t part = 0; part < posed.asset().part_count(); ++part)
        ASSERT_LT(difference(isometry(poses[part]), kdl.pose(q, part)), 1e-9) << part;
}

}  // namespace
}  // namespace espalier::testing
