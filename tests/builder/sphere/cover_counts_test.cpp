// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/cover_counts.h"

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

enum class Kind : std::uint8_t { kPoints, kSpheres, kSurfels };

constexpr std::uint64_t kSeed = 11;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

float unit(std::mt19937_64& engine) {
    return static_cast<float>(static_cast<double>(engine() >> 11) * 0x1.0p-53);
}

Vector3f anywhere(std::mt19937_64& engine) {
    return {unit(engine), unit(engine), unit(engine)};
}

SearchSphere any_sphere(std::mt19937_64& engine, float largest) {
    const Vector3f center = anywhere(engine);
    return {center.x(), center.y(), center.z(), largest * unit(engine)};
}

Vector3f any_normal(std::mt19937_64& engine) {
    return (anywhere(engine) - Vector3f(0.5F, 0.5F, 0.5F)).normalized();
}

/// Points, small spheres or surfels in clouds, so that a sphere meets few groups, and what is
/// expected of them.
struct Cloud {
    Cloud(Kind kind, std::size_t count, std::mt19937_64& engine) : kind(kind) {
        Vector3f middle = anywhere(engine);
        for (std::size_t i = 0; i < count; ++i) {
            if (i % 50 == 0) middle = anywhere(engine);
            points.emplace_back(middle + 0.1F * anywhere(engine));
            values.push_back((kind == Kind::kPoints ? 2.0F : 0.03F) * unit(engine));
            counts_for_each.push_back(kind == Kind::kPoints && i % 7 == 3);
            normals.emplace_back(kind == Kind::kSurfels ? any_normal(engine) : Vector3f(0.0F, 0.0F, 0.0F));
        }
        expected_counts.assign(count, 0);
    }

    Surfel surfel(std::size_t i) const {
        return {points[i], normals[i], kind == Kind::kPoints ? 0.0F : values[i]};
    }

    bool covers(const SearchSphere& sphere, std::size_t i) const {
        return sphere.radius >= 0.0F && squared_radius_to_cover(sphere, surfel(i)) <= cover_limit(sphere);
    }

    /// The weight of those that turn.
    double count(const SearchSphere& sphere, int change, const std::vector<std::uint8_t>& allowed) {
        double turned = 0.0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            if (covers(sphere, i) && (allowed.empty() || allowed[i] != 0)) {
                const bool turns = counts_for_each[i] || expected_counts[i] == (change > 0 ? 0 : 1);
                turned += turns ? double(values[i]) : 0.0;
                expected_counts[i] += change;
            }
        }
        return turned;
    }

    std::vector<std::uint32_t> find(const SearchSphere& sphere, int wanted,
                                    const std::vector<std::uint8_t>& allowed) const {
        std::vector<std::uint32_t> found;
        for (std::uint32_t i = 0; i < points.size(); ++i)
            if (covers(sphere, i) && expected_counts[i] == wanted && (allowed.empty() || allowed[i] != 0))
                found.push_back(i);
        return found;
    }

    CoverCounts counts() const {
        if (kind == Kind::kPoints) {
            std::vector<float> weights = values;
            for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= counts_for_each[i] ? -1.0F : 1.0F;
            return {points, weights};
        }
        std::vector<Surfel> surfels;
        for (std::size_t i = 0; i < points.size(); ++i) surfels.push_back(surfel(i));
        return CoverCounts(surfels);
    }

    Kind kind;
    std::vector<Vector3f> points;
    std::vector<float> values;          ///< weights or radii
    std::vector<bool> counts_for_each;  ///< sphere, not only for the first
    std::vector<Vector3f> normals;
    std::vector<int> expected_counts;
};

std::vector<std::uint8_t> two_thirds(std::size_t size) {
    std::vector<std::uint8_t> allowed(size);
    for (std::size_t i = 0; i < size; ++i) allowed[i] = i % 3 != 1 ? 1 : 0;
    return allowed;
}

/// Spheres come and go; expected_counts, weights and what is found must be as in plain loops.
void come_and_go(Kind kind, std::size_t count, bool restricted) {
    std::mt19937_64 engine(kSeed);
    Cloud cloud(kind, count, engine);
    CoverCounts counts = cloud.counts();
    ASSERT_EQ(counts.real_size(), count);
    ASSERT_EQ(counts.size() % kernels::kGroup, 0u);
    const std::vector<std::uint8_t> allowed =
        restricted ? two_thirds(counts.size()) : std::vector<std::uint8_t>{};
    std::vector<SearchSphere> spheres;
    std::size_t all = 0;
    for (int step = 0; step < 120; ++step) {
        const bool comes = step < 40 || step % 2 == 0;
        SearchSphere sphere = any_sphere(engine, 0.6F);
        if (comes) {
            spheres.push_back(sphere);
        } else {
            sphere = spheres.front();
            spheres.erase(spheres.begin());
        }
        const double turned = comes ? counts.add(sphere, allowed) : -counts.replace(sphere, {}, allowed);
        const double expected = cloud.count(sphere, comes ? 1 : -1, allowed);
        if (kind == Kind::kPoints) {
            ASSERT_NEAR(turned, expected, 1e-5 * expected + 1e-12)
                << "seed " << kSeed << " step " << step << (comes ? ", comes" : ", leaves");
        }
        if (step % 3 == 0) {  // one moves, a little or far off
            SearchSphere& moves = spheres[engine() % spheres.size()];
            const SearchSphere old = moves;
            moves = any_sphere(engine, 0.6F);
            if (step % 2 == 0)
                moves = {old.x + 0.1F * moves.x, old.y, old.z + 0.1F * moves.z, 0.95F * old.radius};
            const double more = counts.replace(old, moves, allowed);
            const double lost = cloud.count(old, -1, allowed);
            const double won = cloud.count(moves, 1, allowed);
            if (kind == Kind::kPoints) {
                ASSERT_NEAR(more, won - lost, 1e-5 * (won + lost) + 1e-12)
                    << "seed " << kSeed << " step " << step;
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(counts.count(i), cloud.expected_counts[i])
                << "seed " << kSeed << " step " << step << " at " << i;
        }
        const SearchSphere around = any_sphere(engine, 0.5F);
        for (int wanted = 0; wanted < 3; ++wanted) {
            std::vector<std::uint32_t> found;
            counts.find(around, wanted, allowed, found);
            ASSERT_EQ(found, cloud.find(around, wanted, allowed)) << "seed " << kSeed << " step " << step;
            all += found.size();
        }
    }
    EXPECT_GT(all, count / 2);
}

TEST(CoverCounts, CountsOfPointsAreAsInPlainLoopsWhileSpheresComeAndGo) {
    come_and_go(Kind::kPoints, 2003, false);
}

TEST(CoverCounts, CountsOfSmallBallsAreAsInPlainLoopsWhileSpheresComeAndGo) {
    come_and_go(Kind::kSpheres, 2003, false);
}

TEST(CoverCounts, CountsOfSurfelsAreAsInPlainLoopsWhileSpheresComeAndGo) {
    come_and_go(Kind::kSurfels, 2003, false);
}

TEST(CoverCounts, CountsOfAllowedPointsAreAsInPlainLoopsWhileSpheresComeAndGo) {
    come_and_go(Kind::kPoints, 1985, true);
}

TEST(CoverCounts, CountsOfAllowedSurfelsAreAsInPlainLoopsWhileSpheresComeAndGo) {
    come_and_go(Kind::kSurfels, 1985, true);
}

TEST(CoverCounts, CountsOfMoreGroupsThanFitABlockAreAsInPlainLoops) {
    come_and_go(Kind::kPoints, 12000, false);  // 375 groups
}

TEST(CoverCounts, WeightThatASphereBringsIsTheWeightThatItTakesAway) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 1000, engine);
    CoverCounts counts = cloud.counts();
    double sum = 0.0;
    std::vector<SearchSphere> spheres;
    std::vector<double> brought;
    for (int k = 0; k < 20; ++k) {
        spheres.push_back(any_sphere(engine, 0.6F));
        brought.push_back(counts.add(spheres.back()));
        sum += brought.back();
    }
    EXPECT_GT(sum, 0.0);
    for (std::size_t k = spheres.size(); k-- > 0;)  // the last first: what it brought is its alone again
        EXPECT_EQ(counts.replace(spheres[k], {}), -brought[k]) << "seed " << kSeed << " sphere " << k;
    for (std::size_t i = 0; i < counts.size(); ++i) ASSERT_EQ(counts.count(i), 0) << i;
}

TEST(CoverCounts, SphereOfNegativeRadiusCoversAndFindsNothing) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 100, engine);
    CoverCounts counts = cloud.counts();
    const SearchSphere none{cloud.points[0].x(), cloud.points[0].y(), cloud.points[0].z(), -1.0F};
    EXPECT_EQ(counts.add(none), 0.0);
    EXPECT_EQ(counts.count(0), 0);
    EXPECT_FALSE(counts.covers(none, 0));
    std::vector<std::uint32_t> found;
    counts.find(none, 0, {}, found);
    EXPECT_TRUE(found.empty());
}

TEST(CoverCounts, NothingIsUncoveredInASphereOfNegativeRadius) {
    std::mt19937_64 engine(kSeed);
    const CoverCounts counts = Cloud(Kind::kPoints, 100, engine).counts();
    PointBatch free;
    counts.find_uncovered({0.5F, 0.5F, 0.5F, -1.0F}, {}, free);
    EXPECT_TRUE(free.empty());
}

/// The radius of the sphere about a place that covers the surfel, from its rim in float64.
double radius_to_rim(const SearchSphere& from, const Surfel& surfel) {
    const Vector3d center = surfel.center.cast<double>() - Vector3d(from.x, from.y, from.z);
    if (surfel.normal.isZero()) return center.norm() + double(surfel.radius);
    const Vector3d normal = surfel.normal.cast<double>();
    const Vector3d u = normal.unitOrthogonal();
    const Vector3d v = normal.cross(u);
    double most = 0.0;
    for (int k = 0; k < 2000; ++k) {
        const double angle = 6.283185307179586 * k / 2000;
        const Vector3d rim = double(surfel.radius) * (std::cos(angle) * u + std::sin(angle) * v);
        most = std::max(most, (center + rim).norm());
    }
    return most;
}

TEST(CoverCounts, CoversAgreesWithDistancesInFloat64) {
    for (const Kind kind : {Kind::kPoints, Kind::kSpheres, Kind::kSurfels}) {
        std::mt19937_64 engine(kSeed);
        const Cloud cloud(kind, 100, engine);
        const CoverCounts counts = cloud.counts();
        std::size_t in = 0;
        for (int k = 0; k < 50; ++k) {
            const SearchSphere sphere = any_sphere(engine, 1.2F);
            for (std::size_t i = 0; i < 100; ++i) {
                const double needed = radius_to_rim(sphere, cloud.surfel(i));
                if (std::abs(needed - double(sphere.radius)) > 1e-5) {  // or rounding decides
                    ASSERT_EQ(counts.covers(sphere, i), needed < double(sphere.radius))
                        << "seed " << kSeed << " sphere " << k << " at " << i;
                }
                in += counts.covers(sphere, i) ? 1 : 0;
            }
        }
        EXPECT_GT(in, 500u);
    }
}

TEST(CoverCounts, RadiusToCoverASurfelIsTheDistanceOfTheFarthestPointOfItsRim) {
    std::mt19937_64 engine(kSeed);
    for (int k = 0; k < 200; ++k) {
        const Surfel surfel{anywhere(engine), any_normal(engine), 0.3F * unit(engine)};
        const SearchSphere from = any_sphere(engine, 1.0F);
        EXPECT_NEAR(std::sqrt(double(squared_radius_to_cover(from, surfel))), radius_to_rim(from, surfel),
                    2e-6)
            << "seed " << kSeed << " surfel " << k;
    }
}

/// Spheres as recentering makes them, no larger than what they have to cover, and surfels across them, so
/// that there is next to nothing between the surfel and the sphere's surface.
TEST(CoverCounts, SurfelThatTouchesFromInsideIsCountedEvenIfItIsAloneInItsGroup) {
    std::mt19937_64 engine(kSeed);
    std::size_t missed = 0;
    for (int k = 0; k < 500; ++k) {
        SearchSphere sphere = any_sphere(engine, 1.0F);
        const Vector3f center(sphere.x, sphere.y, sphere.z);
        Surfel surfel{anywhere(engine), {}, 1e-4F};
        surfel.normal = (surfel.center - center).normalized();
        sphere.radius = std::sqrt(squared_radius_to_cover(sphere, surfel));
        CoverCounts counts(std::vector<Surfel>{surfel});
        ASSERT_TRUE(counts.covers(sphere, 0)) << "seed " << kSeed << " sphere " << k;
        counts.add(sphere);
        missed += counts.count(0) == 1 ? 0 : 1;
    }
    EXPECT_EQ(missed, 0u) << "of 500";
}

TEST(CoverCounts, UncoveredPointsAreThoseThatOnlyTheOwnSphereCoversOrThatCountForEach) {
    std::mt19937_64 engine(kSeed);
    Cloud cloud(Kind::kPoints, 1500, engine);
    CoverCounts counts = cloud.counts();
    std::vector<SearchSphere> spheres;
    for (int k = 0; k < 12; ++k) {
        spheres.push_back(any_sphere(engine, 0.5F));
        counts.add(spheres.back());
        cloud.count(spheres.back(), 1, {});
    }
    std::size_t all = 0;
    PointBatch found;
    for (std::size_t k = 0; k <= spheres.size(); ++k) {  // the last one without an own sphere
        const SearchSphere own = k < spheres.size() ? spheres[k] : SearchSphere{};
        SearchSphere around = k < spheres.size() ? own : spheres[0];
        around.radius *= 1.3F;
        double weight = 0.0;
        std::size_t count = 0;
        for (std::size_t i = 0; i < cloud.points.size(); ++i) {
            const bool free = cloud.expected_counts[i] - (cloud.covers(own, i) ? 1 : 0) == 0;
            if (cloud.covers(around, i) && (free || cloud.counts_for_each[i])) {
                weight += double(cloud.values[i]);
                ++count;
            }
        }
        found.clear();
        counts.find_uncovered(around, own, found);
        found.close();
        ASSERT_EQ(found.size(), count) << "seed " << kSeed << " sphere " << k;
        ASSERT_NEAR(double(found.weight_within({0.5F, 0.5F, 0.5F, 10.0F}, 1e-3F, kInfinity)), weight,
                    1e-4 * weight + 1e-12);
        all += count;
    }
    EXPECT_GT(all, 100u);
}

TEST(CoverCounts, UncoveredPointsAreAddedToThoseAlreadyFound) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 300, engine);
    const CoverCounts counts = cloud.counts();
    PointBatch found;
    found.push_back(0.0F, 0.0F, 0.0F, 3.0F);
    counts.find_uncovered({0.5F, 0.5F, 0.5F, 10.0F}, {}, found);
    EXPECT_EQ(found.size(), 301u);
    EXPECT_GE(found.weight_within({0.0F, 0.0F, 0.0F, 1e-3F}, 1e-4F, kInfinity), 3.0F);
}

PointBatch point_batch(const Cloud& cloud) {
    PointBatch points;
    for (std::size_t i = 0; i < cloud.points.size(); ++i)
        points.push_back(cloud.points[i].x(), cloud.points[i].y(), cloud.points[i].z(), cloud.values[i]);
    points.close();
    return points;
}

TEST(PointBatch, RadiusAroundIsTheRootOfTheLargestSquaredDistanceWithItsNumber) {
    std::mt19937_64 engine(kSeed);
    for (std::size_t count = 1; count < 40; ++count) {  // every number of points in the last vector
        const Cloud cloud(Kind::kSpheres, count, engine);
        const PointBatch points = point_batch(cloud);
        for (int k = 0; k < 20; ++k) {
            const SearchSphere center = any_sphere(engine, 1.0F);
            float most = 0.0F;
            for (std::size_t i = 0; i < count; ++i) {
                most = std::max(most, squared_radius_to_cover(center, {cloud.points[i], {0, 0, 0}, 0.0F}) +
                                          cloud.values[i]);
            }
            ASSERT_EQ(points.radius_around(center), std::sqrt(most))
                << "seed " << kSeed << " count " << count;
        }
    }
    EXPECT_EQ(PointBatch().radius_around({}), 0.0F);
}

TEST(PointBatch, PointsThatWereClearedLeaveNothingInTheLastVector) {
    std::mt19937_64 engine(kSeed);
    PointBatch points = point_batch(Cloud(Kind::kSpheres, 100, engine));
    points.clear();
    EXPECT_TRUE(points.empty());
    points.push_back(0.5F, 0.0F, 0.0F, 0.75F);
    points.close();
    EXPECT_EQ(points.radius_around({}), 1.0F);
    EXPECT_EQ(points.weight_within({0.0F, 0.0F, 0.0F, 2.0F}, 1e-3F, kInfinity), 0.75F);
}

TEST(PointBatch, WeightWithinAThinSurfaceIsTheSumOfThePointsInTheSphere) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 1003, engine);
    const PointBatch points = point_batch(cloud);
    double all = 0.0;
    for (int k = 0; k < 50; ++k) {
        const SearchSphere sphere = any_sphere(engine, 0.7F);
        double inner = 0.0;
        double outer = 0.0;
        for (std::size_t i = 0; i < cloud.points.size(); ++i) {
            const double distance = (cloud.points[i] - Vector3f(sphere.x, sphere.y, sphere.z)).norm();
            // Rounding decides about what is nearer to the surface.
            inner += distance < double(sphere.radius) - 1e-5 ? double(cloud.values[i]) : 0.0;
            outer += distance < double(sphere.radius) + 1e-5 ? double(cloud.values[i]) : 0.0;
        }
        const auto weight = double(points.weight_within(sphere, 1e-6F, kInfinity));
        EXPECT_GE(weight, inner * (1.0 - 1e-5)) << "seed " << kSeed << " sphere " << k;
        EXPECT_LE(weight, outer * (1.0 + 1e-5) + 1e-12) << "seed " << kSeed << " sphere " << k;
        all += weight;
    }
    EXPECT_GT(all, 0.0);
}

TEST(PointBatch, PointNearTheSurfaceCountsByItsShareOfTheBlurWidth) {
    PointBatch points;
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

TEST(PointBatch, SumThatStopsAtItsLimitIsMoreThanTheLimitAndNoMoreThanTheWhole) {
    std::mt19937_64 engine(kSeed);
    const Cloud cloud(Kind::kPoints, 5000, engine);
    const PointBatch points = point_batch(cloud);
    const SearchSphere sphere{0.5F, 0.5F, 0.5F, 0.6F};
    const float whole = points.weight_within(sphere, 0.01F, kInfinity);
    bool stopped = false;
    for (int k = 0; k < 50; ++k) {
        const float limit = whole * 0.02F * float(k);
        const float sum = points.weight_within(sphere, 0.01F, limit);
        EXPECT_GT(sum, limit) << k;
        EXPECT_LE(sum, whole) << k;
        stopped = stopped || sum < whole;
    }
    EXPECT_TRUE(stopped);
    EXPECT_EQ(points.weight_within(sphere, 0.01F, whole), whole);
}

}  // namespace
}  // namespace espalier
