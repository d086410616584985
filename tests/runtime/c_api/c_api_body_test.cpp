// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies through the C header: what the C++ functions and classes give, with the same statuses.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "espalier/espalier.h"
#include "tests/runtime/c_api/golden_part.h"
#include "tests/runtime/kinematics/posed_asset.h"

namespace espalier::testing {
namespace {

/// A random tree of joints, opened through both interfaces.
class TwoTrees {
  public:
    explicit TwoTrees(std::uint64_t seed) : draw_(seed), posed_(random_joint_tree(draw_, 25, 1)) {
        EXPECT_EQ(espalier_open(posed_.asset().data(), posed_.asset().size(), ESPALIER_VERIFY_FULL, &c_),
                  ESPALIER_STATUS_OK);
        values_ = random_configuration(draw_, posed_.asset());
        // One of them lies beyond any limit.
        values_.back() = 50;
        draw_.quaternion(base_.rotation);
        base_.translation[0] = 3;
    }
    const Asset& cpp() const { return posed_.asset(); }
    const espalier_asset* c() const { return &c_; }
    const std::vector<double>& values() const { return values_; }
    std::uint32_t value_count() const { return static_cast<std::uint32_t>(values_.size()); }
    const Pose& base() const { return base_; }

  private:
    Draw draw_;
    PosedAsset posed_;
    espalier_asset c_{};
    std::vector<double> values_;
    Pose base_;
};

TEST(CApiKinematics, PosesAndWhatIsBeyondLimitsAreThoseOfTheCppFunction) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const TwoTrees trees(seed);
        const std::uint32_t count = trees.cpp().part_count();
        ASSERT_EQ(espalier_configuration_size(trees.c()), trees.value_count());
        std::vector<Pose> poses(count);
        std::vector<espalier_pose> c_poses(count);
        BeyondLimits beyond;
        espalier_beyond_limits c_beyond;
        ASSERT_EQ(forward_kinematics(trees.cpp(), trees.base(), trees.values().data(), trees.value_count(),
                                     poses.data(), count, &beyond),
                  Status::kOk);
        const espalier_pose base = c_pose(trees.base());
        ASSERT_EQ(espalier_forward_kinematics(trees.c(), &base, trees.values().data(), trees.value_count(),
                                              c_poses.data(), count, &c_beyond),
                  ESPALIER_STATUS_OK);
        EXPECT_EQ(std::memcmp(poses.data(), c_poses.data(), count * sizeof(Pose)), 0);
        EXPECT_EQ(c_beyond.count, beyond.count);
        EXPECT_EQ(c_beyond.first, beyond.first);
        EXPECT_EQ(c_beyond.most, beyond.most);
    }
}

TEST(CApiKinematics, AtRestIsWhatTheCppFunctionGives) {
    const TwoTrees trees(3);
    std::vector<double> cpp(trees.value_count(), 7), c(trees.value_count(), 8);
    ASSERT_EQ(rest_configuration(trees.cpp(), cpp.data(), trees.value_count()), Status::kOk);
    ASSERT_EQ(espalier_rest_configuration(trees.c(), c.data(), trees.value_count()), ESPALIER_STATUS_OK);
    EXPECT_EQ(cpp, c);
    EXPECT_EQ(espalier_rest_configuration(trees.c(), c.data(), trees.value_count() + 1),
              ESPALIER_STATUS_INVALID_ARGUMENT);
}

TEST(CApiKinematics, WrongCountsAndNoNumbersHaveTheStatusOfTheCppFunction) {
    const TwoTrees trees(4);
    const std::uint32_t count = trees.cpp().part_count();
    std::vector<espalier_pose> poses(count);
    const espalier_pose base = c_pose(trees.base());
    const auto status = [&](const double* values, std::uint32_t value_count, espalier_pose* out,
                            std::uint32_t pose_count) {
        return espalier_forward_kinematics(trees.c(), &base, values, value_count, out, pose_count, nullptr);
    };
    std::vector<double> values = trees.values();
    EXPECT_EQ(status(values.data(), trees.value_count(), poses.data(), count), ESPALIER_STATUS_OK);
    EXPECT_EQ(status(values.data(), trees.value_count() - 1, poses.data(), count),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(status(values.data(), trees.value_count(), poses.data(), count - 1),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(status(nullptr, trees.value_count(), poses.data(), count), ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(status(values.data(), trees.value_count(), nullptr, count), ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_forward_kinematics(trees.c(), nullptr, values.data(), trees.value_count(),
                                          poses.data(), count, nullptr),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    values[0] = std::nan("");
    EXPECT_EQ(status(values.data(), trees.value_count(), poses.data(), count),
              ESPALIER_STATUS_INVALID_ARGUMENT);
}

TEST(CApiKinematics, SineAndCosineAreThoseOfTheCppFunction) {
    for (const double angle : {0.0, 0.3, -2.5, 1e6}) {
        const SineCosine cpp = sine_cosine(angle);
        const espalier_sine_cosine c = espalier_get_sine_cosine(angle);
        EXPECT_EQ(c.sine, cpp.sine);
        EXPECT_EQ(c.cosine, cpp.cosine);
    }
}

}  // namespace
}  // namespace espalier::testing
