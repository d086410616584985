// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/held_points.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

enum class Kind : std::uint8_t { kPoints, kBalls, kDiscs };

constexpr std::uint64_t kSeed = 11;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float unit(std::mt19937_64& engine) {
    return static_cast<float>(static_cast<double>(engine() >> 11) * 0x1.0p-53);
}

Vector3f anywhere(std::mt19937_64& engine) {
    return {unit(engine), unit(engine), unit(engine)};
}

LaneBall any_ball(std::mt19937_64& engine, float largest) {
    const Vector3f center = anywhere(engine);
    return {center.x(), center.y(), center.z(), largest * unit(engine)};
}

Vector3f any_normal(std::mt19937_64& engine) {
    return (anywhere(engine) - Vector3f(0.5F, 0.5F, 0.5F)).normalized();
}

/// Points, small balls or discs in clouds, so that most groups are out of a ball's reach, and what is
/// expected of them.
struct Cloud {
    Cloud(Kind kind, std::size_t count, std::mt19937_64& engine) : kind(kind) {
        Vector3f middle = anywhere(engine);
        for (std::size_t i = 0; i < count; ++i) {
            if (i % 50 == 0) {
                middle = anywhere(engine);
            }
            points.emplace_back(middle + 0.1F * anywhere(engine));
            values.push_back((kind == Kind::kPoints ? 2.0F : 0.03F) * unit(engine));
            counts_for_each.push_back(kind == Kind::kPoints && i % 7 == 3);
            normals.emplace_back(kind == Kind::kDiscs ? any_normal(engine) : Vector3f(0.0F, 0.0F, 0.0F));
        }
        holders.assign(count, 0);
    }

    LaneDisc disc(std::size_t i) const {
        return {points[i], normals[i], kind == Kind::kPoints ? 0.0F : values[i]};
    }

    bool holds(const LaneBall& ball, std::size_t i) const {
        return ball.radius >= 0.0F && squared_reach(ball, disc(i)) <= held_limit(ball);
    }

    /// The weight of those that turn.
    double count(const LaneBall& ball, int change, const std::vector<std::uint8_t>& allowed) {
        double turned = 0.0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (holds(ball, i) && (allowed.empty() || allowed[i] != 0)) {
                const bool turns = counts_for_each[i] || holders[i] == (change > 0 ? 0 : 1);
                turned += turns ? double(values[i]) : 0.0;
                holders[i] += change;
            }
        }
        return turned;
    }

    std::vector<std::uint32_t> find(const LaneBall& ball, int wanted,
                                    const std::vector<std::uint8_t>& allowed) const {
        std::vector<std::uint32_t> found;
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            if (holds(ball, i) && holders[i] == wanted && (allowed.empty() || allowed[i] != 0)) {
                found.push_back(i);
            }
        }
        return found;
    }

    HeldPoints held() const {
        if (kind == Kind::kPoints) {
            std::vector<float> weights = values;
            for (std::size_t i = 0; i < weights.size(); ++i) {
                weights[i] *= counts_for_each[i] ? -1.0F : 1.0F;
            }
            return {points, weights};
        }
        std::vector<LaneDisc> discs;
        for (std::size_t i = 0; i < points.size(); ++i) {
            discs.push_back(disc(i));
        }
        return HeldPoints(discs);
    }

    Kind kind;
    std::vector<Vector3f> points;
    std::vector<float> values;          ///< weights or radii
    std::vector<bool> counts_for_each;  ///< holder, not only for the first
    std::vector<Vector3f> normals;
    std::vector<int> holders;
};

std::vector<std::uint8_t> two_thirds(std::size_t size) {
    std::vector<std::uint8_t> allowed(size);
    for (std::size_t i = 0; i < size; ++i) {
        allowed[i] = i % 3 != 1 ? 1 : 0;
    }
    return allowed;
}

/// Balls come and go; holders, weights and what is found must be as in plain loops.
void come_and_go(Kind kind, std::size_t count, bool restricted) {
    std::mt19937_64 engine(kSeed);
    Cloud cloud(kind, count, engine);
    HeldPoints held = cloud.held();
    ASSERT_EQ(held.real_size(), count);
    ASSERT_EQ(held.size() % lanes::kGroup, 0U);
    const std::vector<std::uint8_t> allowed =
        restricted ? two_thirds(held.size()) : std::vector<std::uint8_t>{};
    std::vector<LaneBall> balls;
    std::size_t all = 0;
    for (int step = 0; step < 120; ++step) {
        const bool comes = step < 40 || step % 2 == 0;
        LaneBall ball = any_ball(engine, 0.6F);
        if (comes) {
            balls.push_back(ball);
        } else {
            ball = balls.front();
            balls.erase(balls.begin());
        }
        const double turned = comes ? held.add(ball, allowed) : -held.exchange(ball, {}, allowed);
        const double expected = cloud.count(ball, comes ? 1 : -1, allowed);
        if (kind == Kind::kPoints) {
            ASSERT_NEAR(turned, expected, 1e-5 * expected + 1e-12) << "seed " << kSeed << " step " << step;
        }
        if (step % 3 == 0) {  // one moves, a little or far off
            LaneBall& moves = balls[engine() % balls.size()];
            const LaneBall old = moves;
            moves = any_ball(engine, 0.6F);
            if (step % 2 == 0) {
                moves = {old.x + 0.1F * moves.x, old.y, old.z + 0.1F * moves.z, 0.95F * old.radius};
            }
            const double more = held.exchange(old, moves, allowed);
            const double lost = cloud.count(old, -1, allowed);
            const double won = cloud.count(moves, 1, allowed);
            if (kind == Kind::kPoints) {
                ASSERT_NEAR(more, won - lost, 1e-5 * (won + lost) + 1e-12)
                    << "seed " << kSeed << " step " << step;
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(held.held(i), cloud.holders[i]) << "seed " << kSeed << " step " << step << " at " << i;
        }
        const LaneBall around = any_ball(engine, 0.5F);
        for (int wanted = 0; wanted < 3; ++wanted) {
            std::vector<std::uint32_t> found;
            held.find(around, wanted, allowed, found);
            ASSERT_EQ(found, cloud.find(around, wanted, allowed)) << "seed " << kSeed << " step " << step;
            all += found.size();
        }
    }
    EXPECT_GT(all, count / 2);
}

TEST(HeldPoints, holdersOfPointsAreAsInPlainLoopsWhileBallsComeAndGo) {
    come_and_go(Kind::kPoints, 2003, false);
}

TEST(HeldPoints, holdersOfSmallBallsAreAsInPlainLoopsWhileBallsComeAndGo) {
    come_and_go(Kind::kBalls, 2003, false);
}

TEST(HeldPoints, holdersOfDiscsAreAsInPlainLoopsWhileBallsComeAndGo) {
    come_and_go(Kind::kDiscs, 2003, false);
}

TEST(HeldPoints, holdersOfAllowedPointsAreAsInPlainLoopsWhileBallsComeAndGo) {
    come_and_go(Kind::kPoints, 1985, true);
}

TEST(HeldPoints, holdersOfAllowedDiscsAreAsInPlainLoopsWhileBallsComeAndGo) {
    come_and_go(Kind::kDiscs, 1985, true);
}

TEST(HeldPoints, holdersOfMoreGroupsThanFitABlockAreAsInPlainLoops) {
    come_and_go(Kind::kPoints, 12000, false);  // 375 groups
}

TEST(HeldPoints, weightThatABallBringsIsTheWeightThatItTakesAway) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 1000, engine);
    HeldPoints held = cloud.held();
    double sum = 0.0;
    std::vector<LaneBall> balls;
    std::vector<double> brought;
    for (int k = 0; k < 20; ++k) {
        balls.push_back(any_ball(engine, 0.6F));
        brought.push_back(held.add(balls.back()));
        sum += brought.back();
    }
    EXPECT_GT(sum, 0.0);
    for (std::size_t k = balls.size(); k-- > 0;) {  // the last first: what it brought is its alone again
        EXPECT_EQ(held.exchange(balls[k], {}), -brought[k]) << "seed " << kSeed << " ball " << k;
    }
    for (std::size_t i = 0; i < held.size(); ++i) {
        ASSERT_EQ(held.held(i), 0) << i;
    }
}

TEST(HeldPoints, ballOfNegativeRadiusHoldsAndFindsNothing) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 100, engine);
    HeldPoints held = cloud.held();
    const LaneBall none{cloud.points[0].x(), cloud.points[0].y(), cloud.points[0].z(), -1.0F};
    EXPECT_EQ(held.add(none), 0.0);
    EXPECT_EQ(held.held(0), 0);
    EXPECT_FALSE(held.holds(none, 0));
    std::vector<std::uint32_t> found;
    held.find(none, 0, {}, found);
    EXPECT_TRUE(found.empty());
}

TEST(HeldPoints, nothingIsFreeInABallOfNegativeRadius) {
    std::mt19937_64 engine(kSeed);
    const HeldPoints held = Cloud(Kind::kPoints, 100, engine).held();
    LanePoints free;
    held.find_free({0.5F, 0.5F, 0.5F, -1.0F}, {}, free);
    EXPECT_TRUE(free.empty());
}

/// The radius of the ball about a place that holds the disc, from its rim in float64.
double reach_of_rim(const LaneBall& from, const LaneDisc& disc) {
    const Vector3d center = disc.center.cast<double>() - Vector3d(from.x, from.y, from.z);
    if (disc.normal.isZero()) {
        return center.norm() + double(disc.radius);
    }
    const Vector3d normal = disc.normal.cast<double>();
    const Vector3d u = normal.unitOrthogonal();
    const Vector3d v = normal.cross(u);
    double most = 0.0;
    for (int k = 0; k < 2000; ++k) {
        const double angle = 6.283185307179586 * k / 2000;
        const Vector3d rim = double(disc.radius) * (std::cos(angle) * u + std::sin(angle) * v);
        most = std::max(most, (center + rim).norm());
    }
    return most;
}

TEST(HeldPoints, holdsAgreesWithDistancesInFloat64) {
    for (const Kind kind : {Kind::kPoints, Kind::kBalls, Kind::kDiscs}) {
        std::mt19937_64 engine(kSeed);
        const Cloud cloud(kind, 100, engine);
        const HeldPoints held = cloud.held();
        std::size_t in = 0;
        for (int k = 0; k < 50; ++k) {
            const LaneBall ball = any_ball(engine, 1.2F);
            for (std::size_t i = 0; i < 100; ++i) {
                const double needed = reach_of_rim(ball, cloud.disc(i));
                if (std::abs(needed - double(ball.radius)) > 1e-5) {  // or rounding decides
                    ASSERT_EQ(held.holds(ball, i), needed < double(ball.radius))
                        << "seed " << kSeed << " ball " << k << " at " << i;
                }
                in += held.holds(ball, i) ? 1 : 0;
            }
        }
        EXPECT_GT(in, 500U);
    }
}

TEST(HeldPoints, reachOfADiscIsThatOfTheFarthestPointOfItsRim) {
    std::mt19937_64 engine(kSeed);
    for (int k = 0; k < 200; ++k) {
        const LaneDisc disc{anywhere(engine), any_normal(engine), 0.3F * unit(engine)};
        const LaneBall from = any_ball(engine, 1.0F);
        EXPECT_NEAR(std::sqrt(double(squared_reach(from, disc))), reach_of_rim(from, disc), 2e-6)
            << "seed " << kSeed << " disc " << k;
    }
}

/// Balls as a search makes them, no larger than what they have to hold, and discs across them, so that there
/// is next to nothing between the disc and the ball's surface.
TEST(HeldPoints, discThatTouchesFromInsideIsCountedEvenIfItIsAloneInItsGroup) {
    std::mt19937_64 engine(kSeed);
    std::size_t missed = 0;
    for (int k = 0; k < 500; ++k) {
        LaneBall ball = any_ball(engine, 1.0F);
        const Vector3f center(ball.x, ball.y, ball.z);
        LaneDisc disc{anywhere(engine), {}, 1e-4F};
        disc.normal = (disc.center - center).normalized();
        ball.radius = std::sqrt(squared_reach(ball, disc));
        HeldPoints held(std::vector<LaneDisc>{disc});
        ASSERT_TRUE(held.holds(ball, 0)) << "seed " << kSeed << " ball " << k;
        held.add(ball);
        missed += held.held(0) == 1 ? 0 : 1;
    }
    EXPECT_EQ(missed, 0U) << "of 500";
}

TEST(HeldPoints, freePointsAreThoseThatNobodyButTheOwnBallHoldsOrThatCountForEach) {
    std::mt19937_64 engine(kSeed);
    Cloud cloud(Kind::kPoints, 1500, engine);
    HeldPoints held = cloud.held();
    std::vector<LaneBall> balls;
    for (int k = 0; k < 12; ++k) {
        balls.push_back(any_ball(engine, 0.5F));
        held.add(balls.back());
        cloud.count(balls.back(), 1, {});
    }
    std::size_t all = 0;
    LanePoints found;
    for (std::size_t k = 0; k <= balls.size(); ++k) {  // the last one without an own ball
        const LaneBall own = k < balls.size() ? balls[k] : LaneBall{};
        LaneBall around = k < balls.size() ? own : balls[0];
        around.radius *= 1.3F;
        double weight = 0.0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < cloud.points.size(); ++i) {
            const bool free = cloud.holders[i] - (cloud.holds(own, i) ? 1 : 0) == 0;
            if (cloud.holds(around, i) && (free || cloud.counts_for_each[i])) {
                weight += double(cloud.values[i]);
                ++count;
            }
        }
        found.clear();
        held.find_free(around, own, found);
        found.close();
        ASSERT_EQ(found.size(), count) << "seed " << kSeed << " ball " << k;
        ASSERT_NEAR(double(found.weight_within({0.5F, 0.5F, 0.5F, 10.0F}, 1e-3F, kInfinity)), weight,
                    1e-4 * weight + 1e-12);
        all += count;
    }
    EXPECT_GT(all, 100U);
}

TEST(HeldPoints, freePointsAreAddedToThoseAlreadyFound) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 300, engine);
    const HeldPoints held = cloud.held();
    LanePoints found;
    found.push_back(0.0F, 0.0F, 0.0F, 3.0F);
    held.find_free({0.5F, 0.5F, 0.5F, 10.0F}, {}, found);
    EXPECT_EQ(found.size(), 301U);
    EXPECT_GE(found.weight_within({0.0F, 0.0F, 0.0F, 1e-3F}, 1e-4F, kInfinity), 3.0F);
}

LanePoints lane_points(const Cloud& cloud) {
    LanePoints points;
    for (std::size_t i = 0; i < cloud.points.size(); ++i) {
        points.push_back(cloud.points[i].x(), cloud.points[i].y(), cloud.points[i].z(), cloud.values[i]);
    }
    points.close();
    return points;
}

TEST(LanePoints, radiusAroundIsTheRootOfTheLargestSquaredDistanceWithItsNumber) {
    std::mt19937_64 engine(kSeed);
    for (std::size_t count = 1; count < 40; ++count) {  // every number of lanes that are filled
        const Cloud cloud(Kind::kBalls, count, engine);
        const LanePoints points = lane_points(cloud);
        for (int k = 0; k < 20; ++k) {
            const LaneBall center = any_ball(engine, 1.0F);
            float most = 0.0F;
            for (std::size_t i = 0; i < count; ++i) {
                most = std::max(most,
                                squared_reach(center, {cloud.points[i], {0, 0, 0}, 0.0F}) + cloud.values[i]);
            }
            ASSERT_EQ(points.radius_around(center), std::sqrt(most))
                << "seed " << kSeed << " count " << count;
        }
    }
    EXPECT_EQ(LanePoints().radius_around({}), 0.0F);
}

TEST(LanePoints, pointsThatWereClearedLeaveNothingInTheLastLanes) {
    std::mt19937_64 engine(kSeed);
    LanePoints points = lane_points(Cloud(Kind::kBalls, 100, engine));
    points.clear();
    EXPECT_TRUE(points.empty());
    points.push_back(0.5F, 0.0F, 0.0F, 0.75F);
    points.close();
    EXPECT_EQ(points.radius_around({}), 1.0F);
    EXPECT_EQ(points.weight_within({0.0F, 0.0F, 0.0F, 2.0F}, 1e-3F, kInfinity), 0.75F);
}

TEST(LanePoints, weightWithinAThinSurfaceIsTheSumOfThePointsInTheBall) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 1003, engine);
    const LanePoints points = lane_points(cloud);
    double all = 0.0;
    for (int k = 0; k < 50; ++k) {
        const LaneBall ball = any_ball(engine, 0.7F);
        double inner = 0.0;
        double outer = 0.0;
        for (std::size_t i = 0; i < cloud.points.size(); ++i) {
            const double distance = (cloud.points[i] - Vector3f(ball.x, ball.y, ball.z)).norm();
            // Rounding decides about what is nearer to the surface.
            inner += distance < double(ball.radius) - 1e-5 ? double(cloud.values[i]) : 0.0;
            outer += distance < double(ball.radius) + 1e-5 ? double(cloud.values[i]) : 0.0;
        }
        const auto weight = double(points.weight_within(ball, 1e-6F, kInfinity));
        EXPECT_GE(weight, inner * (1.0 - 1e-5)) << "seed " << kSeed << " ball " << k;
        EXPECT_LE(weight, outer * (1.0 + 1e-5) + 1e-12) << "seed " << kSeed << " ball " << k;
        all += weight;
    }
    EXPECT_GT(all, 0.0);
}

TEST(LanePoints, pointNearTheSurfaceCountsByItsShareOfTheSoftLayer) {
    LanePoints points;
    points.push_back(1.0F, 0.0F, 0.0F, 4.0F);
    points.close();
    const auto weight = [&](float radius) {
        return points.weight_within({0.0F, 0.0F, 0.0F, radius}, 0.02F, kInfinity);
    };
    EXPECT_EQ(weight(0.98F), 0.0F);
    EXPECT_NEAR(weight(0.995F), 1.0F, 0.05F);
    EXPECT_NEAR(weight(1.0F), 2.0F, 1e-3F);
    EXPECT_NEAR(weight(1.005F), 3.0F, 0.05F);
    EXPECT_EQ(weight(1.02F), 4.0F);
}

TEST(LanePoints, sumThatStopsAtItsLimitIsMoreThanTheLimitAndNoMoreThanTheWhole) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 5000, engine);
    const LanePoints points = lane_points(cloud);
    const LaneBall ball{0.5F, 0.5F, 0.5F, 0.6F};
    const float whole = points.weight_within(ball, 0.01F, kInfinity);
    bool stopped = false;
    for (int k = 0; k < 50; ++k) {
        const float limit = whole * 0.02F * float(k);
        const float sum = points.weight_within(ball, 0.01F, limit);
        EXPECT_GT(sum, limit) << k;
        EXPECT_LE(sum, whole) << k;
        stopped = stopped || sum < whole;
    }
    EXPECT_TRUE(stopped);
    EXPECT_EQ(points.weight_within(ball, 0.01F, whole), whole);
}

}  // namespace
}  // namespace espalier
