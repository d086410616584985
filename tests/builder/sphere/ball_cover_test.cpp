// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/ball_cover.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "builder/sphere/optimize/outside_samples.h"
#include "builder/sphere/optimize/surface_patches.h"
#include "builder/surface/inside_test.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3f;
using Allowed = std::vector<std::uint8_t>;

constexpr std::uint64_t kSeed = 3;
/// A ball around all of the torus.
constexpr LaneBall kAround{0.0F, 0.0F, 0.0F, 1.5F};

/// Patches of a torus and samples around it, in plain lists.
class Torus {
  public:
    Torus() {
        const InsideTest inside(shapes::torus(1.0, 0.35, 24, 12));
        const SurfaceQuery query(inside.oriented());
        for (const Patch& patch : surface_patches(inside.oriented(), 0.15)) {
            discs.push_back({patch.ball.center.cast<float>(), normal_of(patch).cast<float>(),
                             static_cast<float>(patch.ball.radius)});
        }
        const OutsideSamples samples = sample_outside(inside, query, 0.2, 2.0, 6000);
        for (const Eigen::Vector3d& point : samples.point) {
            points.emplace_back(point.cast<float>());
        }
        weights = samples.volume;
        width = static_cast<float>(samples.width);
    }

    /// One parent by default, who may hold everything.
    CoverScene scene(const std::vector<Allowed>& allowed = {{}},
                     const std::vector<std::uint32_t>& room = {1000}) const {
        CoverScene scene{HeldPoints(discs),
                         HeldPoints(points, weights),
                         allowed,
                         room,
                         width,
                         {Vector3f::Constant(-3.0F), Vector3f::Constant(3.0F)}};
        for (Allowed& of_parent : scene.allowed) {
            if (!of_parent.empty()) {
                of_parent.resize(scene.patches.size(), 0);
            }
        }
        return scene;
    }

    BallCover cover(std::uint64_t seed = kSeed) const { return {scene(), {{kAround}}, seed}; }

    /// The children of parent 0 may hold what is left of 0.3, those of parent 1 what is right of -0.3.
    std::vector<Allowed> left_and_right() const {
        std::vector<Allowed> allowed(2);
        for (const LaneDisc& disc : discs) {
            allowed[0].push_back(disc.center.x() < 0.3F ? 1 : 0);
            allowed[1].push_back(disc.center.x() > -0.3F ? 1 : 0);
        }
        return allowed;
    }

    /// Patches that no ball holds that may.
    std::size_t lost(const BallCover& cover, const std::vector<Allowed>& allowed = {{}}) const {
        std::size_t count = 0;
        for (std::size_t p = 0; p < discs.size(); ++p) {
            const auto holds = [&](const Member& member) {
                const double needed = std::sqrt(double(squared_reach(member.ball, discs[p])));
                return needed <= double(member.ball.radius) * (1.0 + 3e-6) &&
                       (allowed[member.parent].empty() || allowed[member.parent][p] != 0);
            };
            count += std::any_of(cover.members().begin(), cover.members().end(), holds) ? 0 : 1;
        }
        return count;
    }

    /// The weight of the samples in the union, if one ball is left out.
    double cost(const BallCover& cover, std::size_t without = 1000) const {
        double sum = 0.0;
        for (std::size_t s = 0; s < points.size(); ++s) {
            for (std::size_t i = 0; i < cover.members().size(); ++i) {
                const LaneBall& ball = cover.members()[i].ball;
                if (i != without && !ball.empty() && squared_distance(points[s], ball) <= held_limit(ball)) {
                    sum += double(weights[s]);
                    break;
                }
            }
        }
        return sum;
    }

    std::vector<LaneDisc> discs;   ///< of the patches
    std::vector<Vector3f> points;  ///< samples
    std::vector<float> weights;
    float width = 0.0F;
};

const Torus& torus() {
    static const Torus torus;
    return torus;
}

std::size_t balls_of(const BallCover& cover, std::uint32_t parent = 0) {
    return static_cast<std::size_t>(
        std::count_if(cover.members().begin(), cover.members().end(),
                      [&](const Member& m) { return !m.ball.empty() && m.parent == parent; }));
}

bool same(const Member& a, const Member& b) {
    return a.ball.x == b.ball.x && a.ball.y == b.ball.y && a.ball.z == b.ball.z &&
           a.ball.radius == b.ball.radius && a.parent == b.parent && a.fixed == b.fixed;
}

bool same(const BallCover& a, const BallCover& b) {
    return std::equal(a.members().begin(), a.members().end(), b.members().begin(), b.members().end(),
                      [](const Member& x, const Member& y) { return same(x, y); });
}

void expect_sound(const BallCover& cover, const std::vector<Allowed>& allowed = {{}}) {
    EXPECT_EQ(torus().lost(cover, allowed), 0U);
    const double cost = torus().cost(cover);
    EXPECT_NEAR(cover.cost(), cost, 1e-4 * cost);
}

TEST(BallCover, growingDividesTheBallAroundATorusAndHoldsEveryPatch) {
    BallCover cover = torus().cover();
    expect_sound(cover);
    const double first = cover.cost();
    for (std::size_t count = 1; count <= 16; ++count) {
        cover.grow(count);
        EXPECT_EQ(balls_of(cover), count);
        expect_sound(cover);
    }
    EXPECT_LT(cover.cost(), 0.5 * first);
}

TEST(BallCover, growingAllAtOnceGivesAsManyBallsAsAskedFor) {
    BallCover cover = torus().cover();
    cover.grow(40);
    EXPECT_EQ(balls_of(cover), 40U);
    expect_sound(cover);
}

TEST(BallCover, shrinkingLeavesAsManyBallsAsAskedForAndHoldsEveryPatch) {
    BallCover cover = torus().cover();
    cover.grow(24);
    cover.tighten_all();
    for (const std::size_t count : {30U, 24U, 20U, 9U, 1U}) {
        const double before = cover.cost();
        cover.shrink(count);
        EXPECT_EQ(balls_of(cover), std::min<std::size_t>(count, 24));
        expect_sound(cover);
        EXPECT_GE(cover.cost(), before);
    }
}

TEST(BallCover, shrinkingDropsFirstWhatOthersHold) {
    BallCover cover = torus().cover();
    cover.grow(12);
    cover.tighten_all();
    std::vector<Member> members(cover.members().begin(), cover.members().end());
    const Member half{
        {members[5].ball.x, members[5].ball.y, members[5].ball.z, 0.5F * members[5].ball.radius}};
    members.insert(members.begin() + 3, half);
    BallCover with_one_more(torus().scene(), members, kSeed);
    with_one_more.shrink(12);
    ASSERT_EQ(with_one_more.members().size(), 12U);
    EXPECT_TRUE(same(with_one_more.members()[3], members[4]));
    EXPECT_NEAR(with_one_more.cost(), cover.cost(), 1e-5 * cover.cost());
}

TEST(BallCover, shrinkingKeepsFixedBalls) {
    BallCover cover = torus().cover();
    cover.grow(12);
    std::vector<Member> members(cover.members().begin(), cover.members().end());
    for (std::size_t i = 0; i < 4; ++i) {
        members[i].fixed = true;
    }
    BallCover fixed(torus().scene(), members, kSeed);
    fixed.shrink(5);
    EXPECT_EQ(balls_of(fixed), 5U);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_TRUE(same(fixed.members()[i], members[i])) << i;
    }
    expect_sound(fixed);
}

TEST(BallCover, searchDoesNotFillTheSeatsOfThoseThatWereDropped) {
    BallCover cover = torus().cover();
    cover.grow(16);
    cover.tighten_all();
    cover.shrink(12);
    cover.search(400, 0.3, 0.0);
    EXPECT_LE(balls_of(cover), 12U) << "seed " << kSeed;
    expect_sound(cover);
}

TEST(BallCover, everyTryOfAHotSearchHoldsEveryPatchAndKeepsItsCostTrue) {
    BallCover cover = torus().cover();
    cover.grow(12);
    std::size_t raised = 0;
    for (int k = 0; k < 800 && !testing::Test::HasFailure(); ++k) {
        const double before = cover.cost();
        cover.search(1, 0.5, 0.5);
        expect_sound(cover);
        EXPECT_LE(balls_of(cover), 12U);
        raised += cover.cost() > before ? 1 : 0;
    }
    EXPECT_GT(raised, 0U);  // that is what the heat is for
}

TEST(BallCover, searchWithoutHeatNeverCostsMoreAndFindsSomethingBetter) {
    BallCover cover = torus().cover();
    cover.grow(12);
    cover.tighten_all();
    const double first = cover.cost();
    for (int k = 0; k < 300; ++k) {
        const double before = cover.cost();
        cover.search(1, 0.0, 0.0);
        ASSERT_LE(cover.cost(), before) << "seed " << kSeed << " try " << k;
    }
    expect_sound(cover);
    EXPECT_LT(cover.cost(), 0.97 * first);
}

TEST(BallCover, searchEndsWhenItIsCancelled) {
    BallCover cover = torus().cover();
    cover.grow(8);
    Progress progress;
    progress.cancel();
    const std::vector<Member> before(cover.members().begin(), cover.members().end());
    cover.search(1000000000, 0.1, 0.0, &progress);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), cover.members().begin(),
                           [](const Member& a, const Member& b) { return same(a, b); }));
}

TEST(BallCover, tighteningTakesBackWhatABallDoesNotNeed) {
    LaneBall loose = kAround;
    loose.radius = 2.4F;
    BallCover cover(torus().scene(), {{loose}}, kSeed);
    const double before = cover.cost();
    cover.tighten_all();
    expect_sound(cover);
    EXPECT_LT(cover.cost(), 0.5 * before);
    EXPECT_LT(cover.members()[0].ball.radius, 1.5F);
    EXPECT_GT(cover.members()[0].ball.radius, 1.35F);
}

TEST(BallCover, tighteningGivesUpABallThatHoldsNothingAlone) {
    BallCover cover(torus().scene(), {{{1.0F, 0.0F, 0.0F, 0.6F}}, {kAround}}, kSeed);
    cover.tighten_all();
    expect_sound(cover);
    EXPECT_TRUE(cover.members()[0].ball.empty());
    EXPECT_FALSE(cover.members()[1].ball.empty());
}

TEST(BallCover, ownCostIsAboutWhatTheUnionSavesWithoutTheBall) {
    BallCover cover = torus().cover();
    cover.grow(6);
    double sum = 0.0;
    for (std::size_t i = 0; i < 6; ++i) {
        const double saved = torus().cost(cover) - torus().cost(cover, i);
        EXPECT_NEAR(cover.own_cost(i), saved, 0.15 * saved + 0.01 * cover.cost()) << i;
        sum += saved;
    }
    EXPECT_GT(sum, 0.1 * cover.cost());
}

TEST(BallCover, ballsOfTwoParentsHoldOnlyWhatTheyMay) {
    const std::vector<Allowed> allowed = torus().left_and_right();
    BallCover cover(torus().scene(allowed, {20, 20}),
                    {{{-0.4F, 0.0F, 0.0F, 1.7F}, 0}, {{0.4F, 0.0F, 0.0F, 1.7F}, 1}}, kSeed);
    expect_sound(cover, allowed);
    for (std::size_t count = 3; count <= 14; ++count) {
        cover.grow(count);
        expect_sound(cover, allowed);
    }
    cover.tighten_all();
    expect_sound(cover, allowed);
    for (int k = 0; k < 600 && !testing::Test::HasFailure(); ++k) {
        cover.search(1, 0.3, 0.3);
        expect_sound(cover, allowed);
    }
    EXPECT_GE(balls_of(cover, 0), 3U);
    EXPECT_GE(balls_of(cover, 1), 3U);
}

TEST(BallCover, parentsNeverHaveMoreChildrenThanRoom) {
    const std::vector<Allowed> allowed = torus().left_and_right();
    BallCover cover(torus().scene(allowed, {3, 7}),
                    {{{-0.4F, 0.0F, 0.0F, 1.7F}, 0}, {{0.4F, 0.0F, 0.0F, 1.7F}, 1}}, kSeed);
    cover.grow(8);
    EXPECT_LE(balls_of(cover, 0), 3U);
    EXPECT_LE(balls_of(cover, 1), 7U);
    for (int k = 0; k < 200; ++k) {
        cover.search(1, 0.5, 0.5);
        ASSERT_LE(balls_of(cover, 0), 3U) << "seed " << kSeed << " try " << k;
        ASSERT_LE(balls_of(cover, 1), 7U) << "seed " << kSeed << " try " << k;
    }
    cover.grow(30);  // as far as there is room
    EXPECT_LE(balls_of(cover, 0), 3U);
    EXPECT_LE(balls_of(cover, 1), 7U);
    EXPECT_GE(balls_of(cover, 1), 5U);
    expect_sound(cover, allowed);
}

TEST(BallCover, fixedBallsStayAsTheyAre) {
    const Member fixed{{1.0F, 0.0F, 0.0F, 0.7F}, 0, true};
    BallCover cover(torus().scene(), {fixed, {kAround}}, kSeed);
    EXPECT_TRUE(cover.mend());
    cover.grow(10);
    cover.tighten_all();
    for (int k = 0; k < 800; ++k) {
        cover.search(1, 0.5, 0.5);
        ASSERT_TRUE(same(cover.members()[0], fixed)) << "seed " << kSeed << " try " << k;
    }
    expect_sound(cover);
}

TEST(BallCover, mendingGrowsABallThatIsTooSmall) {
    BallCover cover(torus().scene(), {{{0.1F, 0.0F, 0.0F, 1.2F}}}, kSeed);
    ASSERT_GT(torus().lost(cover), 0U);
    EXPECT_TRUE(cover.mend());
    expect_sound(cover);
    EXPECT_LT(cover.members()[0].ball.radius, 1.6F);
}

TEST(BallCover, mendingSharesLostPatchesAmongThoseWhoMayHoldThem) {
    const std::vector<Allowed> allowed = torus().left_and_right();
    const Member fixed{{0.0F, 0.0F, 0.0F, 0.9F}, 1, true};
    BallCover cover(torus().scene(allowed, {20, 20}),
                    {{{-1.0F, 0.0F, 0.0F, 0.3F}, 0}, {{1.0F, 0.0F, 0.0F, 0.3F}, 1}, fixed}, kSeed);
    ASSERT_GT(torus().lost(cover, allowed), 0U);
    EXPECT_TRUE(cover.mend());
    expect_sound(cover, allowed);
    EXPECT_TRUE(same(cover.members()[2], fixed));
    // Each has to take over what the other one may not hold.
    EXPECT_GT(cover.members()[0].ball.radius, 0.3F);
    EXPECT_GT(cover.members()[1].ball.radius, 0.3F);
}

TEST(BallCover, mendingChangesNothingWhereNothingIsLost) {
    BallCover cover = torus().cover();
    cover.grow(5);
    const BallCover before = cover;
    EXPECT_TRUE(cover.mend());
    EXPECT_TRUE(same(cover, before));
}

TEST(BallCover, mendingFailsForAPatchThatNobodyMayHold) {
    std::vector<Allowed> allowed = {Allowed(torus().discs.size(), 1)};
    allowed[0][7] = 0;
    BallCover cover(torus().scene(allowed), {{kAround}}, kSeed);
    EXPECT_EQ(torus().lost(cover, allowed), 1U);
    EXPECT_FALSE(cover.mend());
}

/// A scene of spots, each of eight patches, in a space that costs the same everywhere.
struct Spots {
    void add(const Vector3f& middle) {
        for (unsigned i = 0; i < 8; ++i) {
            const Vector3f side((i & 1) ? 1.0F : -1.0F, (i & 2) ? 1.0F : -1.0F, (i & 4) ? 1.0F : -1.0F);
            discs.push_back({middle + 0.1F * side, Vector3f::Zero(), 0.02F});
        }
    }

    CoverScene scene(std::uint32_t room) const {
        std::vector<Vector3f> points;
        for (int x = -20; x <= 20; ++x) {
            for (int y = -14; y <= 14; ++y) {
                for (int z = -12; z <= 12; ++z) {
                    points.emplace_back(0.1F * Vector3f(float(x), float(y), float(z)));
                }
            }
        }
        const std::vector<float> weights(points.size(), 1.0F);
        return {HeldPoints(discs),
                HeldPoints(points, weights),
                {{}},
                {room},
                0.1F,
                {Vector3f(-2.0F, -1.4F, -1.2F), Vector3f(2.0F, 1.4F, 1.2F)}};
    }

    std::vector<LaneDisc> discs;
};

TEST(BallCover, ballLeavesToAFixedOneWhatThatOneHolds) {
    Spots spots;
    spots.add({-1.0F, 0.0F, 0.0F});
    spots.add({0.6F, 0.0F, 0.0F});
    const Member fixed{{-1.0F, 0.0F, 0.0F, 0.5F}, 0, true};
    BallCover cover(spots.scene(4), {fixed, {{-0.2F, 0.0F, 0.0F, 1.1F}}}, kSeed);
    for (int k = 0; k < 3; ++k) {
        cover.tighten_all();
    }
    EXPECT_TRUE(same(cover.members()[0], fixed));
    EXPECT_NEAR(cover.members()[1].ball.x, 0.6F, 0.1F);
    EXPECT_LT(cover.members()[1].ball.radius, 0.3F);
}

/// Three spots near each other that have a ball each, and two far from each other that share one: only by an
/// exchange can they get their own.
double cost_of_exchanges(std::uint32_t room) {
    Spots spots;
    std::vector<Member> members;
    for (const float y : {-0.5F, 0.0F, 0.5F}) {
        spots.add({-1.5F, y, 0.0F});
        members.push_back({{-1.5F, y, 0.0F, 0.2F}});
    }
    spots.add({1.0F, -0.8F, 0.0F});
    spots.add({1.0F, 0.8F, 0.0F});
    members.push_back({{1.0F, 0.0F, 0.0F, 0.95F}});
    BallCover cover(spots.scene(room), members, kSeed);
    const double before = cover.cost();
    EXPECT_TRUE(cover.mend());
    EXPECT_EQ(cover.cost(), before);  // nothing was lost
    cover.search(200, 0.0, 0.0);
    EXPECT_LE(balls_of(cover), 4U);
    return cover.cost() / before;
}

TEST(BallCover, searchExchangesBallsBetweenPlacesFarFromEachOther) {
    EXPECT_LT(cost_of_exchanges(5), 0.3);
}

TEST(BallCover, searchExchangesBallsOfAParentThatHasNoRoomForMore) {
    EXPECT_LT(cost_of_exchanges(4), 0.3);
}

TEST(BallCover, sameSeedIsTheSameResultAndAnotherSeedIsAnother) {
    const auto searched = [](std::uint64_t seed) {
        BallCover cover = torus().cover(seed);
        cover.grow(10);
        cover.search(200, 0.3, 0.0);
        return cover;
    };
    const BallCover one = searched(kSeed);
    const BallCover again = searched(kSeed);
    EXPECT_TRUE(same(one, again));
    EXPECT_EQ(one.cost(), again.cost());
    EXPECT_FALSE(same(one, searched(kSeed + 1)));
}

TEST(BallCover, ballThatWouldBeCheaperFartherOutStaysWithinReach) {
    // Samples weigh on the left only, so a ball around two patches is the better the more it is on the right.
    const std::vector<LaneDisc> discs = {{{0.0F, -1.0F, 0.0F}, {0.0F, 0.0F, 0.0F}, 0.01F},
                                         {{0.0F, 1.0F, 0.0F}, {0.0F, 0.0F, 0.0F}, 0.01F}};
    std::vector<Vector3f> points;
    for (int x = -12; x < 0; ++x) {
        for (int y = -12; y <= 12; ++y) {
            for (int z = -12; z <= 12; ++z) {
                points.emplace_back(0.1F * Vector3f(float(x), float(y), float(z)));
            }
        }
    }
    const std::vector<float> weights(points.size(), 1.0F);
    const auto right_end = [&](float reach) {
        CoverScene scene{HeldPoints(discs),
                         HeldPoints(points, weights),
                         {{}},
                         {4},
                         0.1F,
                         {Vector3f::Constant(-reach), Vector3f::Constant(reach)}};
        BallCover cover(std::move(scene), {{{0.0F, 0.0F, 0.0F, 1.02F}}}, kSeed);
        cover.tighten_all();
        return cover.members()[0].ball.x + cover.members()[0].ball.radius;
    };
    EXPECT_LE(right_end(1.3F), 1.3F * (1.0F + 1e-4F));
    EXPECT_GT(right_end(1.3F), 1.1F);
    EXPECT_GT(right_end(5.0F), 1.5F);
}

}  // namespace
}  // namespace espalier
