// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/ball_descent.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

using Eigen::Vector3f;

constexpr float kWidth = 0.05F;

/// A rod along x from -1 to 1: patches on it, and samples around it on a grid.
struct Rod {
    Rod() {
        for (float x = -1.0F; x <= 1.0F; x += 0.01F) {
            discs.push_back({Vector3f(x, 0.0F, 0.0F), Vector3f::Zero(), 0.002F});
        }
        for (float x = -2.0F; x < 2.0F; x += kWidth) {
            for (float y = -1.5F; y < 1.5F; y += kWidth) {
                for (float z = -1.5F; z < 1.5F; z += kWidth) {
                    places.emplace_back(x, y, z);
                }
            }
        }
        weights.assign(places.size(), 1.0F);
    }

    void descend_with(std::vector<Member>& members, int steps = 300,
                      std::vector<std::vector<std::uint8_t>> allowed = {{}}) const {
        const HeldPoints patches(discs);
        const HeldPoints samples(places, weights);
        const float softness = 1.5F * kWidth;
        const std::vector<float> per_softness(samples.size(), 1.0F / softness);
        Progress progress;
        descend({patches, samples, allowed, per_softness, softness}, members,
                {steps, 0.01F, 0.03F, 0.003F, 20.0F / (kWidth * kWidth * kWidth)}, progress);
    }

    float farthest_from(const std::vector<Member>& members) const {
        float most = 0.0F;
        for (const LaneDisc& disc : discs) {
            float least = 9.0F;
            for (const Member& member : members) {
                const float reach = std::sqrt(squared_reach(member.ball, disc));
                least = std::min(least, reach - member.ball.radius);
            }
            most = std::max(most, least);
        }
        return most;
    }

    double volume_of(const std::vector<Member>& members) const {
        HeldPoints samples(places, weights);
        double sum = 0.0;
        for (const Member& member : members) {
            sum += samples.add(member.ball);
        }
        return sum * double(kWidth * kWidth * kWidth);
    }

    std::vector<LaneDisc> discs;
    std::vector<Vector3f> places;
    std::vector<float> weights;
};

/// Both touch the ends and each other, so neither can give way alone: the large one ends where the small one
/// begins.
std::vector<Member> uneven() {
    return {{{-0.3F, 0.0F, 0.0F, 0.71F}, 0, false}, {{0.7F, 0.0F, 0.0F, 0.31F}, 0, false}};
}

TEST(BallDescent, unevenBallsShareTheRodEvenly) {
    const Rod rod;
    std::vector<Member> members = uneven();
    const double before = rod.volume_of(members);
    rod.descend_with(members);
    EXPECT_NEAR(double(members[0].ball.radius), 0.5, 0.04);
    EXPECT_NEAR(double(members[1].ball.radius), 0.5, 0.04);
    EXPECT_NEAR(double(members[0].ball.x), -0.5, 0.04);
    EXPECT_LT(rod.volume_of(members), 0.8 * before);
}

TEST(BallDescent, nothingIsLeftUnheldByMuchMoreThanTheLastGap) {
    const Rod rod;
    std::vector<Member> members = uneven();
    rod.descend_with(members);
    EXPECT_LT(rod.farthest_from(members), 0.01F);
}

TEST(BallDescent, patchesThatABallMayNotHoldDoNotMoveIt) {
    // The left half is the first parent's, the right half the second's: the border stays in the middle,
    // although the first ball begins far over it.
    const Rod rod;
    std::vector<Member> members = {{{-0.3F, 0.0F, 0.0F, 0.71F}, 0, false},
                                   {{0.5F, 0.0F, 0.0F, 0.51F}, 1, false}};
    const std::size_t size = HeldPoints(rod.discs).size();
    std::vector<std::vector<std::uint8_t>> allowed(2, std::vector<std::uint8_t>(size, 0));
    for (std::size_t p = 0; p < rod.discs.size(); ++p) {
        allowed[rod.discs[p].center.x() < 0.6F ? 0 : 1][p] = 1;
    }
    rod.descend_with(members, 300, allowed);
    EXPECT_NEAR(double(members[0].ball.radius), 0.8, 0.05);
    EXPECT_NEAR(double(members[1].ball.radius), 0.2, 0.05);
}

TEST(BallDescent, fixedBallsStayWhileOthersMove) {
    const Rod rod;
    std::vector<Member> members = uneven();
    members[0].fixed = true;
    members[1].ball.radius = 0.5F;
    rod.descend_with(members);
    EXPECT_EQ(members[0].ball.x, -0.3F);
    EXPECT_EQ(members[0].ball.radius, 0.71F);
    EXPECT_NEAR(double(members[1].ball.radius), 0.3, 0.04);
}

TEST(BallDescent, noStepMovesNothing) {
    const Rod rod;
    std::vector<Member> members = uneven();
    rod.descend_with(members, 0);
    EXPECT_EQ(members[0].ball.x, -0.3F);
    EXPECT_EQ(members[1].ball.radius, 0.31F);
}

TEST(BallDescent, cancelledItEndsAtOnce) {
    const Rod rod;
    const HeldPoints patches(rod.discs);
    const HeldPoints samples(rod.places, rod.weights);
    const std::vector<float> per_softness(samples.size(), 10.0F);
    const std::vector<std::vector<std::uint8_t>> allowed(1);
    std::vector<Member> members = uneven();
    Progress progress;
    progress.cancel();
    descend({patches, samples, allowed, per_softness, 0.1F}, members, {300, 0.01F, 0.03F, 0.003F, 1e5F},
            progress);
    EXPECT_EQ(members[0].ball.radius, 0.71F);
}

TEST(BallDescent, oneThreadAndTwoEndAtTheSameBits) {
    const Rod rod;
    std::vector<Member> results[2];
    for (std::size_t threads = 1; threads <= 2; ++threads) {
        const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
        results[threads - 1] = uneven();
        rod.descend_with(results[threads - 1], 60);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(results[0][i].ball.x, results[1][i].ball.x);
        EXPECT_EQ(results[0][i].ball.radius, results[1][i].ball.radius);
    }
}

}  // namespace
}  // namespace espalier
