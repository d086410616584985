// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/sphere_cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "builder/sphere/optimize/outside_samples.h"
#include "builder/sphere/optimize/surface_patches.h"
#include "builder/surface/solid.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3f;
using Allowed = std::vector<std::uint8_t>;

constexpr std::uint64_t kSeed = 3;
/// A sphere around all of the torus.
constexpr SearchSphere kAround{0.0F, 0.0F, 0.0F, 1.5F};

/// Patches of a torus and samples around it, in plain lists.
class Torus {
  public:
    Torus() {
        const Solid solid(shapes::torus(1.0, 0.35, 24, 12));
        const SurfaceQuery query(solid.boundary());
        for (const Patch& patch : surface_patches(solid.boundary(), 0.15)) {
            surfels.push_back({patch.ball.center.cast<float>(), normal_of(patch).cast<float>(),
                               static_cast<float>(patch.ball.radius)});
        }
        const OutsideSamples samples = sample_outside(solid, query, 0.2, 2.0, 6000);
        for (const Eigen::Vector3d& point : samples.point) points.emplace_back(point.cast<float>());
        weights = samples.volume;
        width = static_cast<float>(samples.width);
    }

    /// One parent by default, whose children may cover everything.
    CoverScene scene(const std::vector<Allowed>& allowed = {{}},
                     const std::vector<std::uint32_t>& max_children = {1000}) const {
        CoverScene scene{CoverCounts(surfels),
                         CoverCounts(points, weights),
                         allowed,
                         max_children,
                         width,
                         {Vector3f::Constant(-3.0F), Vector3f::Constant(3.0F)}};
        for (Allowed& of_parent : scene.allowed)
            if (!of_parent.empty()) of_parent.resize(scene.patches.size(), 0);
        return scene;
    }

    SphereCover cover(std::uint64_t seed = kSeed) const { return {scene(), {{kAround}}, seed}; }

    /// The children of parent 0 may cover what is left of 0.3, those of parent 1 what is right of -0.3.
    std::vector<Allowed> left_and_right() const {
        std::vector<Allowed> allowed(2);
        for (const Surfel& surfel : surfels) {
            allowed[0].push_back(surfel.center.x() < 0.3F ? 1 : 0);
            allowed[1].push_back(surfel.center.x() > -0.3F ? 1 : 0);
        }
        return allowed;
    }

    /// Patches that are not covered by a sphere that may.
    std::size_t lost(const SphereCover& cover, const std::vector<Allowed>& allowed = {{}}) const {
        std::size_t count = 0;
        for (std::size_t p = 0; p < surfels.size(); ++p) {
            const auto covers = [&](const CandidateSphere& candidate) {
                const double needed =
                    std::sqrt(double(squared_radius_to_cover(candidate.sphere, surfels[p])));
                return needed <= double(candidate.sphere.radius) * (1.0 + 3e-6) &&
                       (allowed[candidate.parent].empty() || allowed[candidate.parent][p] != 0);
            };
            count += std::any_of(cover.candidates().begin(), cover.candidates().end(), covers) ? 0 : 1;
        }
        return count;
    }

    /// The weight of the samples in the union, if one sphere is left out.
    double cost(const SphereCover& cover, std::size_t without = 1000) const {
        double sum = 0.0;
        for (std::size_t s = 0; s < points.size(); ++s) {
            for (std::size_t i = 0; i < cover.candidates().size(); ++i) {
                const SearchSphere& sphere = cover.candidates()[i].sphere;
                if (i != without && !sphere.empty() &&
                    squared_distance(points[s], sphere) <= cover_limit(sphere)) {
                    sum += double(weights[s]);
                    break;
                }
            }
        }
        return sum;
    }

    std::vector<Surfel> surfels;   ///< of the patches
    std::vector<Vector3f> points;  ///< samples
    std::vector<float> weights;
    float width = 0.0F;
};

const Torus& torus() {
    static const Torus torus;
    return torus;
}

std::size_t spheres_of(const SphereCover& cover, std::uint32_t parent = 0) {
    return static_cast<std::size_t>(
        std::count_if(cover.candidates().begin(), cover.candidates().end(),
                      [&](const CandidateSphere& m) { return !m.sphere.empty() && m.parent == parent; }));
}

bool same(const CandidateSphere& a, const CandidateSphere& b) {
    return a.sphere.x == b.sphere.x && a.sphere.y == b.sphere.y && a.sphere.z == b.sphere.z &&
           a.sphere.radius == b.sphere.radius && a.parent == b.parent && a.fixed == b.fixed;
}

bool same(const SphereCover& a, const SphereCover& b) {
    return std::equal(a.candidates().begin(), a.candidates().end(), b.candidates().begin(),
                      b.candidates().end(),
                      [](const CandidateSphere& x, const CandidateSphere& y) { return same(x, y); });
}

void expect_sound(const SphereCover& cover, const std::vector<Allowed>& allowed = {{}}) {
    EXPECT_EQ(torus().lost(cover, allowed), 0u);
    const double cost = torus().cost(cover);
    EXPECT_NEAR(cover.cost(), cost, 1e-4 * cost);
}

TEST(SphereCover, SplittingTheSphereAroundATorusCoversEveryPatch) {
    SphereCover cover = torus().cover();
    expect_sound(cover);
    const double first = cover.cost();
    for (std::size_t count = 1; count <= 16; ++count) {
        cover.split_to(count);
        EXPECT_EQ(spheres_of(cover), count);
        expect_sound(cover);
    }
    EXPECT_LT(cover.cost(), 0.5 * first);
}

TEST(SphereCover, SplittingAllAtOnceGivesAsManySpheresAsAskedFor) {
    SphereCover cover = torus().cover();
    cover.split_to(40);
    EXPECT_EQ(spheres_of(cover), 40u);
    expect_sound(cover);
}

TEST(SphereCover, DroppingLeavesAsManySpheresAsAskedForAndCoversEveryPatch) {
    SphereCover cover = torus().cover();
    cover.split_to(24);
    cover.shrink_all_to_fit();
    for (const std::size_t count : {30u, 24u, 20u, 9u, 1u}) {
        const double before = cover.cost();
        cover.drop_to(count);
        EXPECT_EQ(spheres_of(cover), std::min<std::size_t>(count, 24));
        expect_sound(cover);
        EXPECT_GE(cover.cost(), before);
    }
}

TEST(SphereCover, WhatOthersCoverIsDroppedFirst) {
    SphereCover cover = torus().cover();
    cover.split_to(12);
    cover.shrink_all_to_fit();
    std::vector<CandidateSphere> candidates(cover.candidates().begin(), cover.candidates().end());
    const CandidateSphere half{{candidates[5].sphere.x, candidates[5].sphere.y, candidates[5].sphere.z,
                                0.5F * candidates[5].sphere.radius}};
    candidates.insert(candidates.begin() + 3, half);
    SphereCover with_one_more(torus().scene(), candidates, kSeed);
    with_one_more.drop_to(12);
    ASSERT_EQ(with_one_more.candidates().size(), 12u);
    EXPECT_TRUE(same(with_one_more.candidates()[3], candidates[4]));
    EXPECT_NEAR(with_one_more.cost(), cover.cost(), 1e-5 * cover.cost());
}

TEST(SphereCover, DroppingKeepsFixedSpheres) {
    SphereCover cover = torus().cover();
    cover.split_to(12);
    std::vector<CandidateSphere> candidates(cover.candidates().begin(), cover.candidates().end());
    for (std::size_t i = 0; i < 4; ++i) candidates[i].fixed = true;
    SphereCover fixed(torus().scene(), candidates, kSeed);
    fixed.drop_to(5);
    EXPECT_EQ(spheres_of(fixed), 5u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(same(fixed.candidates()[i], candidates[i])) << i;
    expect_sound(fixed);
}

TEST(SphereCover, AnnealingDoesNotFillTheSlotsOfThoseThatWereDropped) {
    SphereCover cover = torus().cover();
    cover.split_to(16);
    cover.shrink_all_to_fit();
    cover.drop_to(12);
    cover.anneal(400, 0.3, 0.0);
    EXPECT_LE(spheres_of(cover), 12u) << "seed " << kSeed;
    expect_sound(cover);
}

TEST(SphereCover, EveryProposalAtHighTemperatureCoversEveryPatchAndKeepsItsCostTrue) {
    SphereCover cover = torus().cover();
    cover.split_to(12);
    std::size_t raised = 0;
    for (int k = 0; k < 800 && !testing::Test::HasFailure(); ++k) {
        const double before = cover.cost();
        cover.anneal(1, 0.5, 0.5);
        expect_sound(cover);
        EXPECT_LE(spheres_of(cover), 12u);
        raised += cover.cost() > before ? 1 : 0;
    }
    EXPECT_GT(raised, 0u);  // that is what the temperature is for
}

TEST(SphereCover, AnnealingAtZeroTemperatureNeverCostsMoreAndFindsSomethingBetter) {
    SphereCover cover = torus().cover();
    cover.split_to(12);
    cover.shrink_all_to_fit();
    const double first = cover.cost();
    for (int k = 0; k < 300; ++k) {
        const double before = cover.cost();
        cover.anneal(1, 0.0, 0.0);
        ASSERT_LE(cover.cost(), before) << "seed " << kSeed << " proposal " << k;
    }
    expect_sound(cover);
    EXPECT_LT(cover.cost(), 0.97 * first);
}

TEST(SphereCover, AnnealingEndsWhenItIsCancelled) {
    SphereCover cover = torus().cover();
    cover.split_to(8);
    Progress progress;
    progress.cancel();
    const std::vector<CandidateSphere> before(cover.candidates().begin(), cover.candidates().end());
    cover.anneal(1000000000, 0.1, 0.0, &progress);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), cover.candidates().begin(),
                           [](const CandidateSphere& a, const CandidateSphere& b) { return same(a, b); }));
}

TEST(SphereCover, ShrinkingToFitTakesBackWhatASphereDoesNotNeed) {
    SearchSphere loose = kAround;
    loose.radius = 2.4F;
    SphereCover cover(torus().scene(), {{loose}}, kSeed);
    const double before = cover.cost();
    cover.shrink_all_to_fit();
    expect_sound(cover);
    EXPECT_LT(cover.cost(), 0.5 * before);
    EXPECT_LT(cover.candidates()[0].sphere.radius, 1.5F);
    EXPECT_GT(cover.candidates()[0].sphere.radius, 1.35F);
}

TEST(SphereCover, ShrinkingToFitGivesUpASphereThatCoversNothingAlone) {
    SphereCover cover(torus().scene(), {{{1.0F, 0.0F, 0.0F, 0.6F}}, {kAround}}, kSeed);
    cover.shrink_all_to_fit();
    expect_sound(cover);
    EXPECT_TRUE(cover.candidates()[0].sphere.empty());
    EXPECT_FALSE(cover.candidates()[1].sphere.empty());
}

TEST(SphereCover, OwnCostIsAboutWhatTheUnionSavesWithoutTheSphere) {
    SphereCover cover = torus().cover();
    cover.split_to(6);
    double sum = 0.0;
    for (std::size_t i = 0; i < 6; ++i) {
        const double saved = torus().cost(cover) - torus().cost(cover, i);
        EXPECT_NEAR(cover.own_cost(i), saved, 0.15 * saved + 0.01 * cover.cost()) << i;
        sum += saved;
    }
    EXPECT_GT(sum, 0.1 * cover.cost());
}

TEST(SphereCover, SpheresOfTwoParentsCoverOnlyWhatTheyMay) {
    const std::vector<Allowed> allowed = torus().left_and_right();
    SphereCover cover(torus().scene(allowed, {20, 20}),
                      {{{-0.4F, 0.0F, 0.0F, 1.7F}, 0}, {{0.4F, 0.0F, 0.0F, 1.7F}, 1}}, kSeed);
    expect_sound(cover, allowed);
    for (std::size_t count = 3; count <= 14; ++count) {
        cover.split_to(count);
        expect_sound(cover, allowed);
    }
    cover.shrink_all_to_fit();
    expect_sound(cover, allowed);
    for (int k = 0; k < 600 && !testing::Test::HasFailure(); ++k) {
        cover.anneal(1, 0.3, 0.3);
        expect_sound(cover, allowed);
    }
    EXPECT_GE(spheres_of(cover, 0), 3u);
    EXPECT_GE(spheres_of(cover, 1), 3u);
}

TEST(SphereCover, ParentsNeverHaveMoreThanMaxChildren) {
    const std::vector<Allowed> allowed = torus().left_and_right();
    SphereCover cover(torus().scene(allowed, {3, 7}),
                      {{{-0.4F, 0.0F, 0.0F, 1.7F}, 0}, {{0.4F, 0.0F, 0.0F, 1.7F}, 1}}, kSeed);
    cover.split_to(8);
    EXPECT_LE(spheres_of(cover, 0), 3u);
    EXPECT_LE(spheres_of(cover, 1), 7u);
    for (int k = 0; k < 200; ++k) {
        cover.anneal(1, 0.5, 0.5);
        ASSERT_LE(spheres_of(cover, 0), 3u) << "seed " << kSeed << " proposal " << k;
        ASSERT_LE(spheres_of(cover, 1), 7u) << "seed " << kSeed << " proposal " << k;
    }
    cover.split_to(30);  // as far as parents may
    EXPECT_LE(spheres_of(cover, 0), 3u);
    EXPECT_LE(spheres_of(cover, 1), 7u);
    EXPECT_GE(spheres_of(cover, 1), 5u);
    expect_sound(cover, allowed);
}

TEST(SphereCover, FixedSpheresStayAsTheyAre) {
    const CandidateSphere fixed{{1.0F, 0.0F, 0.0F, 0.7F}, 0, true};
    SphereCover cover(torus().scene(), {fixed, {kAround}}, kSeed);
    EXPECT_TRUE(cover.cover_missing());
    cover.split_to(10);
    cover.shrink_all_to_fit();
    for (int k = 0; k < 800; ++k) {
        cover.anneal(1, 0.5, 0.5);
        ASSERT_TRUE(same(cover.candidates()[0], fixed)) << "seed " << kSeed << " proposal " << k;
    }
    expect_sound(cover);
}

TEST(SphereCover, CoveringWhatIsMissingGrowsASphereThatIsTooSmall) {
    SphereCover cover(torus().scene(), {{{0.1F, 0.0F, 0.0F, 1.2F}}}, kSeed);
    ASSERT_GT(torus().lost(cover), 0u);
    EXPECT_TRUE(cover.cover_missing());
    expect_sound(cover);
    EXPECT_LT(cover.candidates()[0].sphere.radius, 1.6F);
}

TEST(SphereCover, MissingPatchesGoToSpheresThatMayCoverThem) {
    const std::vector<Allowed> allowed = torus().left_and_right();
    const CandidateSphere fixed{{0.0F, 0.0F, 0.0F, 0.9F}, 1, true};
    SphereCover cover(torus().scene(allowed, {20, 20}),
                      {{{-1.0F, 0.0F, 0.0F, 0.3F}, 0}, {{1.0F, 0.0F, 0.0F, 0.3F}, 1}, fixed}, kSeed);
    ASSERT_GT(torus().lost(cover, allowed), 0u);
    EXPECT_TRUE(cover.cover_missing());
    expect_sound(cover, allowed);
    EXPECT_TRUE(same(cover.candidates()[2], fixed));
    // Each has to take over what the other one may not cover.
    EXPECT_GT(cover.candidates()[0].sphere.radius, 0.3F);
    EXPECT_GT(cover.candidates()[1].sphere.radius, 0.3F);
}

TEST(SphereCover, NothingChangesWhereNothingIsMissing) {
    SphereCover cover = torus().cover();
    cover.split_to(5);
    const SphereCover before = cover;
    EXPECT_TRUE(cover.cover_missing());
    EXPECT_TRUE(same(cover, before));
}

TEST(SphereCover, CoveringWhatIsMissingFailsForAPatchThatNoSphereMayCover) {
    std::vector<Allowed> allowed = {Allowed(torus().surfels.size(), 1)};
    allowed[0][7] = 0;
    SphereCover cover(torus().scene(allowed), {{kAround}}, kSeed);
    EXPECT_EQ(torus().lost(cover, allowed), 1u);
    EXPECT_FALSE(cover.cover_missing());
}

/// A scene of spots, each of eight patches, in a space that costs the same everywhere.
struct Spots {
    void add(const Vector3f& middle) {
        for (unsigned i = 0; i < 8; ++i) {
            const Vector3f side((i & 1) ? 1.0F : -1.0F, (i & 2) ? 1.0F : -1.0F, (i & 4) ? 1.0F : -1.0F);
            surfels.push_back({middle + 0.1F * side, Vector3f::Zero(), 0.02F});
        }
    }

    CoverScene scene(std::uint32_t max_children) const {
        std::vector<Vector3f> points;
        for (int x = -20; x <= 20; ++x) {
            for (int y = -14; y <= 14; ++y)
                for (int z = -12; z <= 12; ++z)
                    points.emplace_back(0.1F * Vector3f(float(x), float(y), float(z)));
        }
        const std::vector<float> weights(points.size(), 1.0F);
        return {CoverCounts(surfels),
                CoverCounts(points, weights),
                {{}},
                {max_children},
                0.1F,
                {Vector3f(-2.0F, -1.4F, -1.2F), Vector3f(2.0F, 1.4F, 1.2F)}};
    }

    std::vector<Surfel> surfels;
};

TEST(SphereCover, SphereLeavesToAFixedOneWhatThatOneCovers) {
    Spots spots;
    spots.add({-1.0F, 0.0F, 0.0F});
    spots.add({0.6F, 0.0F, 0.0F});
    const CandidateSphere fixed{{-1.0F, 0.0F, 0.0F, 0.5F}, 0, true};
    SphereCover cover(spots.scene(4), {fixed, {{-0.2F, 0.0F, 0.0F, 1.1F}}}, kSeed);
    for (int k = 0; k < 3; ++k) cover.shrink_all_to_fit();
    EXPECT_TRUE(same(cover.candidates()[0], fixed));
    EXPECT_NEAR(cover.candidates()[1].sphere.x, 0.6F, 0.1F);
    EXPECT_LT(cover.candidates()[1].sphere.radius, 0.3F);
}

/// Three spots near each other that have a sphere each, and two far from each other that share one: only by
/// a drop and a split can they get their own.
double cost_of_annealing(std::uint32_t max_children) {
    Spots spots;
    std::vector<CandidateSphere> candidates;
    for (const float y : {-0.5F, 0.0F, 0.5F}) {
        spots.add({-1.5F, y, 0.0F});
        candidates.push_back({{-1.5F, y, 0.0F, 0.2F}});
    }
    spots.add({1.0F, -0.8F, 0.0F});
    spots.add({1.0F, 0.8F, 0.0F});
    candidates.push_back({{1.0F, 0.0F, 0.0F, 0.95F}});
    SphereCover cover(spots.scene(max_children), candidates, kSeed);
    const double before = cover.cost();
    EXPECT_TRUE(cover.cover_missing());
    EXPECT_EQ(cover.cost(), before);  // nothing was lost
    cover.anneal(200, 0.0, 0.0);
    EXPECT_LE(spheres_of(cover), 4u);
    return cover.cost() / before;
}

TEST(SphereCover, AnnealingDropsHereAndSplitsFarAway) {
    EXPECT_LT(cost_of_annealing(5), 0.3);
}

TEST(SphereCover, AnnealingDropsAndSplitsBelowAParentThatHasNoFreeSlot) {
    EXPECT_LT(cost_of_annealing(4), 0.3);
}

TEST(SphereCover, SameSeedIsTheSameResultAndAnotherSeedIsAnother) {
    const auto annealed = [](std::uint64_t seed) {
        SphereCover cover = torus().cover(seed);
        cover.split_to(10);
        cover.anneal(200, 0.3, 0.0);
        return cover;
    };
    const SphereCover one = annealed(kSeed);
    const SphereCover again = annealed(kSeed);
    EXPECT_TRUE(same(one, again));
    EXPECT_EQ(one.cost(), again.cost());
    EXPECT_FALSE(same(one, annealed(kSeed + 1)));
}

TEST(SphereCover, SphereThatWouldCostLessFartherOutStaysInTheSearchBox) {
    // Samples weigh on the left only, so a sphere around two patches is the better the more it is on the
    // right.
    const std::vector<Surfel> surfels = {{{0.0F, -1.0F, 0.0F}, {0.0F, 0.0F, 0.0F}, 0.01F},
                                         {{0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 0.0F}, 0.01F}};
    std::vector<Vector3f> points;
    for (int x = -12; x < 0; ++x) {
        for (int y = -12; y <= 12; ++y)
            for (int z = -12; z <= 12; ++z)
                points.emplace_back(0.1F * Vector3f(float(x), float(y), float(z)));
    }
    const std::vector<float> weights(points.size(), 1.0F);
    const auto right_end = [&](float half) {
        CoverScene scene{CoverCounts(surfels),
                         CoverCounts(points, weights),
                         {{}},
                         {4},
                         0.1F,
                         {Vector3f::Constant(-half), Vector3f::Constant(half)}};
        SphereCover cover(std::move(scene), {{{0.0F, 0.0F, 0.0F, 1.02F}}}, kSeed);
        cover.shrink_all_to_fit();
        return cover.candidates()[0].sphere.x + cover.candidates()[0].sphere.radius;
    };
    EXPECT_LE(right_end(1.3F), 1.3F * (1.0F + 1e-4F));
    EXPECT_GT(right_end(1.3F), 1.1F);
    EXPECT_GT(right_end(5.0F), 1.5F);
}

}  // namespace
}  // namespace espalier
