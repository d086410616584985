// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/gradient_descent.h"

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
        for (float x = -1.0F; x <= 1.0F; x += 0.01F)
            surfels.push_back({Vector3f(x, 0.0F, 0.0F), Vector3f::Zero(), 0.002F});
        for (float x = -2.0F; x < 2.0F; x += kWidth) {
            for (float y = -1.5F; y < 1.5F; y += kWidth)
                for (float z = -1.5F; z < 1.5F; z += kWidth) places.emplace_back(x, y, z);
        }
        weights.assign(places.size(), 1.0F);
    }

    void descend(std::vector<CandidateSphere>& candidates, int steps = 300,
                 std::vector<std::vector<std::uint8_t>> allowed = {{}}) const {
        const CoverCounts patches(surfels);
        const CoverCounts samples(places, weights);
        const float blur_width = 1.5F * kWidth;
        const std::vector<float> per_blur_width(samples.size(), 1.0F / blur_width);
        Progress progress;
        gradient_descent({patches, samples, allowed, per_blur_width, blur_width}, candidates,
                         {steps, 0.01F, 0.03F, 0.003F, 20.0F / (kWidth * kWidth * kWidth)}, progress);
    }

    float farthest_from(const std::vector<CandidateSphere>& candidates) const {
        float most = 0.0F;
        for (const Surfel& surfel : surfels) {
            float least = 9.0F;
            for (const CandidateSphere& candidate : candidates) {
                const float needed = std::sqrt(squared_radius_to_cover(candidate.sphere, surfel));
                least = std::min(least, needed - candidate.sphere.radius);
            }
            most = std::max(most, least);
        }
        return most;
    }

    double volume_of(const std::vector<CandidateSphere>& candidates) const {
        CoverCounts samples(places, weights);
        double sum = 0.0;
        for (const CandidateSphere& candidate : candidates) sum += samples.add(candidate.sphere);
        return sum * double(kWidth * kWidth * kWidth);
    }

    std::vector<Surfel> surfels;
    std::vector<Vector3f> places;
    std::vector<float> weights;
};

/// Both touch the ends and each other, so neither can give way alone: the large one ends where the small one
/// begins.
std::vector<CandidateSphere> uneven() {
    return {{{-0.3F, 0.0F, 0.0F, 0.71F}, 0, false}, {{0.7F, 0.0F, 0.0F, 0.31F}, 0, false}};
}

TEST(GradientDescent, UnevenSpheresShareTheRodEvenly) {
    const Rod rod;
    std::vector<CandidateSphere> candidates = uneven();
    const double before = rod.volume_of(candidates);
    rod.descend(candidates);
    EXPECT_NEAR(double(candidates[0].sphere.radius), 0.5, 0.04);
    EXPECT_NEAR(double(candidates[1].sphere.radius), 0.5, 0.04);
    EXPECT_NEAR(double(candidates[0].sphere.x), -0.5, 0.04);
    EXPECT_LT(rod.volume_of(candidates), 0.8 * before);
}

TEST(GradientDescent, NothingIsLeftUncoveredByMuchMoreThanTheLastMargin) {
    const Rod rod;
    std::vector<CandidateSphere> candidates = uneven();
    rod.descend(candidates);
    EXPECT_LT(rod.farthest_from(candidates), 0.01F);
}

TEST(GradientDescent, PatchesThatASphereMayNotCoverDoNotMoveIt) {
    // The left half is the first parent's, the right half the second's: the border stays in the middle,
    // although the first sphere begins far over it.
    const Rod rod;
    std::vector<CandidateSphere> candidates = {{{-0.3F, 0.0F, 0.0F, 0.71F}, 0, false},
                                               {{0.5F, 0.0F, 0.0F, 0.51F}, 1, false}};
    const std::size_t size = CoverCounts(rod.surfels).size();
    std::vector<std::vector<std::uint8_t>> allowed(2, std::vector<std::uint8_t>(size, 0));
    for (std::size_t p = 0; p < rod.surfels.size(); ++p)
        allowed[rod.surfels[p].center.x() < 0.6F ? 0 : 1][p] = 1;
    rod.descend(candidates, 300, allowed);
    EXPECT_NEAR(double(candidates[0].sphere.radius), 0.8, 0.05);
    EXPECT_NEAR(double(candidates[1].sphere.radius), 0.2, 0.05);
}

TEST(GradientDescent, FixedSpheresStayWhileOthersMove) {
    const Rod rod;
    std::vector<CandidateSphere> candidates = uneven();
    candidates[0].fixed = true;
    candidates[1].sphere.radius = 0.5F;
    rod.descend(candidates);
    EXPECT_EQ(candidates[0].sphere.x, -0.3F);
    EXPECT_EQ(candidates[0].sphere.radius, 0.71F);
    EXPECT_NEAR(double(candidates[1].sphere.radius), 0.3, 0.04);
}

TEST(GradientDescent, NoStepMovesNothing) {
    const Rod rod;
    std::vector<CandidateSphere> candidates = uneven();
    rod.descend(candidates, 0);
    EXPECT_EQ(candidates[0].sphere.x, -0.3F);
    EXPECT_EQ(candidates[1].sphere.radius, 0.31F);
}

TEST(GradientDescent, CancelledItEndsAtOnce) {
    const Rod rod;
    const CoverCounts patches(rod.surfels);
    const CoverCounts samples(rod.places, rod.weights);
    const std::vector<float> per_blur_width(samples.size(), 10.0F);
    const std::vector<std::vector<std::uint8_t>> allowed(1);
    std::vector<CandidateSphere> candidates = uneven();
    Progress progress;
    progress.cancel();
    gradient_descent({patches, samples, allowed, per_blur_width, 0.1F}, candidates,
                     {300, 0.01F, 0.03F, 0.003F, 1e5F}, progress);
    EXPECT_EQ(candidates[0].sphere.radius, 0.71F);
}

TEST(GradientDescent, OneThreadAndTwoEndAtTheSameBits) {
    const Rod rod;
    std::vector<CandidateSphere> results[2];
    for (std::size_t threads = 1; threads <= 2; ++threads) {
        const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
        results[threads - 1] = uneven();
        rod.descend(results[threads - 1], 60);
    }
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(results[0][i].sphere.x, results[1][i].sphere.x);
        EXPECT_EQ(results[0][i].sphere.radius, results[1][i].sphere.radius);
    }
}

}  // namespace
}  // namespace espalier
