// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/split/medial_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "builder/sphere/split/part_links.h"
#include "corpus/icosphere.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 11;

MedialSet medial_of(const TriangleMesh& mesh, std::uint32_t samples) {
    MedialOptions options;
    options.samples = samples;
    Progress silent;
    return compute_medial_set(mesh, options, silent).value();
}

std::vector<std::uint32_t> all_of(const MedialSet& set) {
    std::vector<std::uint32_t> all(set.balls.size());
    std::iota(all.begin(), all.end(), 0u);
    return all;
}

void expect_partition(const MedialSet& set, const std::vector<MergedSphere>& merged) {
    std::vector<std::uint32_t> members;
    for (const MergedSphere& sphere : merged) {
        members.insert(members.end(), sphere.members.begin(), sphere.members.end());
        for (const std::uint32_t m : sphere.members) {
            for (const std::uint32_t s : set.balls[m].forming) {
                EXPECT_LE((set.samples[s].point - sphere.ball.center).norm(),
                          sphere.ball.radius * (1.0 + 1e-9))
                    << "medial sphere " << m << " sample " << s;
            }
        }
    }
    std::sort(members.begin(), members.end());
    EXPECT_EQ(members, all_of(set));
}

// All medial spheres of a ball are next to each other: what makes a plain priority queue cubic.
TEST(MergeMedial, BallMergesToTheCountAndKeepsEveryMember) {
    const MedialSet set = medial_of(corpus::make_icosphere({}), 4000);
    ASSERT_GT(set.balls.size(), 5000u);
    for (const std::uint32_t most : {8u, 1u}) {
        const std::vector<MergedSphere> merged = merge_medial(set, all_of(set), most);
        EXPECT_EQ(merged.size(), most);
        expect_partition(set, merged);
    }
}

TEST(MergeMedial, PartsFarApartStayApartUntilNothingElseIsLeft) {
    const MedialSet set = medial_of(shapes::joined(shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1)),
                                                   shapes::box(Vector3f(5, 0, 0), Vector3f(6, 1, 1))),
                                    600);
    const std::vector<MergedSphere> two = merge_medial(set, all_of(set), 2);
    ASSERT_EQ(two.size(), 2u);
    expect_partition(set, two);
    EXPECT_LT(std::max(two[0].ball.radius, two[1].ball.radius), 1.1);
    const std::vector<MergedSphere> one = merge_medial(set, all_of(set), 1);
    ASSERT_EQ(one.size(), 1u);
    expect_partition(set, one);
}

TEST(MergeMedial, FewerSpheresThanAskedForAreLeftAsTheyAre) {
    const MedialSet set = medial_of(shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1)), 100);
    ASSERT_GT(set.balls.size(), 2u);
    const std::vector<MergedSphere> merged = merge_medial(set, {2, 1}, 8);
    ASSERT_EQ(merged.size(), 2u);
    EXPECT_EQ(merged[0].members, std::vector<std::uint32_t>{2});
    EXPECT_EQ(merged[0].ball.radius, set.balls[2].radius);
}

/// The nearest pair between the part of point 0 and the rest, by looking at all.
double nearest_to_first_part(const std::vector<Vector3d>& points, const std::vector<std::uint32_t>& part) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < points.size(); ++a) {
        for (std::size_t b = 0; b < points.size(); ++b)
            if (part[a] == part[0] && part[b] != part[0])
                least = std::min(least, (points[a] - points[b]).norm());
    }
    return least;
}

TEST(LinksBetweenParts, ConnectAllAndJoinASmallPartWhereItIsNearest) {
    std::mt19937_64 engine(kSeed);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
    for (int round = 0; round < 20; ++round) {
        // Part 0 is the smallest: point 0 to 9.
        std::vector<Vector3d> points;
        std::vector<std::uint32_t> part;
        std::vector<PointLink> links;
        for (std::uint32_t p = 0; p < 12; ++p) {
            const Vector3d middle(unit(), unit(), unit());
            const double spread = 0.1 + 0.3 * unit();
            for (std::uint32_t i = 0; i < 10 + 3 * p; ++i) {
                if (i > 0) links.emplace_back(points.size() - 1, points.size());
                points.push_back(middle + spread * Vector3d(unit(), unit(), unit()));
                part.push_back(p);
            }
        }
        const std::vector<PointLink> more = links_between_parts(points, links);
        ASSERT_EQ(more.size(), 11u) << "seed " << kSeed << " round " << round;
        const auto own = std::find_if(more.begin(), more.end(), [&](const PointLink& l) {
            return part[l.first] == 0 || part[l.second] == 0;
        });
        ASSERT_NE(own, more.end());
        EXPECT_EQ((points[own->first] - points[own->second]).norm(), nearest_to_first_part(points, part))
            << "seed " << kSeed << " round " << round;
        for (const PointLink& link : more) links.push_back(link);
        EXPECT_TRUE(links_between_parts(points, links).empty()) << "seed " << kSeed << " round " << round;
    }
}

TEST(LinksBetweenParts, NoPointsAndCoincidentPointsAreFine) {
    EXPECT_TRUE(links_between_parts({}, {}).empty());
    const std::vector<Vector3d> same(100, Vector3d(1, 2, 3));
    EXPECT_EQ(links_between_parts(same, {}).size(), 99u);
}

}  // namespace
}  // namespace espalier
