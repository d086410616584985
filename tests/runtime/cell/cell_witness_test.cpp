// SPDX-License-Identifier: GPL-3.0-or-later
// Witnesses are true: the edge meets the polygon at the point, by CGAL's exact arithmetic, on 100,000
// colliding poses; the verdict equals that of all pairs of triangles.
#include <gtest/gtest.h>

#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "tests/support/brute_force.h"
#include "tests/support/cell_fixture.h"
#include "tests/support/effort.h"
#include "tests/support/exact.h"
#include "tests/support/meshes.h"

namespace espalier::test {
namespace {

/// What a point may be off by, in the size of the parts: a few roundings of double.
constexpr double kRounding = 1e-13;

struct Tally {
    std::uint64_t colliding = 0, disjoint = 0, exactly_touching = 0;
};

void expect_true_witness(const ShapeView& a, const ShapeView& b, const Pose& pose, const CellWitness& w,
                         double size, const std::string& what, Tally* tally) {
    PairFrame frame;
    ASSERT_EQ(make_pair_frame(a, b, pose, &frame), Status::kOk);
    const ShapeView* parts[2] = {&a, &b};
    const unsigned side = w.edge_side;
    ASSERT_LE(side, 1u);
    ASSERT_LT(w.edge_triangle, parts[side]->mesh.triangle_count);
    ASSERT_LT(w.edge_corner, 3u);
    ASSERT_LT(w.triangle, parts[1 - side]->mesh.triangle_count);
    const Triangle3 edge = placed_edge(*parts[side], side, frame, w.edge_triangle, w.edge_corner);
    const Triangle3 polygon = placed_triangle(*parts[1 - side], 1 - side, frame, w.triangle);
    // Touching within rounding counts as contact, so the exact edge may pass by that much.
    if (testing::exact_intersect(edge, polygon))
        ++tally->exactly_touching;
    else
        EXPECT_LE(testing::exact_distance(edge, polygon), kRounding * size) << what;
    EXPECT_LE(testing::exact_distance(edge, w.point), kRounding * size) << what;
    EXPECT_LE(testing::exact_distance(polygon, w.point), kRounding * size) << what;
    double length = 0, across = 0;
    for (int k = 0; k < 3; ++k) {
        length += w.normal[k] * w.normal[k];
        across += w.normal[k] * (polygon.p[1][k] - polygon.p[0][k]);
    }
    EXPECT_NEAR(length, 1, 1e-12) << what;
    EXPECT_NEAR(across, 0, 1e-9 * size) << what;
}

TEST(CellWitness, IsTrueOnAHundredThousandCollidingPosesAndTheVerdictIsBruteForces) {
    const std::uint64_t wanted = testing::effort(100000, 2000);
    constexpr std::uint64_t kSeed = 61;
    Draws draws(kSeed);
    std::vector<BakedBytes> baked;
    std::vector<std::string> names;
    for (const testing::NamedTriangles& mesh : testing::ten_small_meshes(120)) {
        baked.push_back(bake_cells(mesh.mesh));
        names.push_back(mesh.name);
    }
    Tally tally;
    for (std::uint64_t i = 0; tally.colliding < wanted; ++i) {
        const std::size_t x = i % baked.size(), y = (i / baked.size()) % baked.size();
        const ShapeView &a = baked[x].part, &b = baked[y].part;
        const double size = diagonal(a) + diagonal(b);
        const Pose pose = draws.pose(0.25 * size);
        const std::string what =
            names[x] + " " + names[y] + " pose " + std::to_string(i) + " seed " + std::to_string(kSeed);
        Collide<CellTreeView> query;
        ASSERT_EQ(query.begin(a, b, pose), Status::kOk);
        const bool hit = query.step() == Verdict::kColliding;
        // A true witness proves a hit; the absence of one needs all pairs.
        if (hit) {
            ++tally.colliding;
            ASSERT_NO_FATAL_FAILURE(expect_true_witness(a, b, pose, query.contact(), size, what, &tally));
        } else {
            ++tally.disjoint;
            ASSERT_TRUE(testing::BruteForce(a, b, pose).near_contacts().empty()) << what;
        }
    }
    std::printf("  %llu colliding (%llu exactly), %llu disjoint\n",
                static_cast<unsigned long long>(tally.colliding),
                static_cast<unsigned long long>(tally.exactly_touching),
                static_cast<unsigned long long>(tally.disjoint));
    EXPECT_GT(tally.disjoint, wanted / 10);
    EXPECT_GT(tally.exactly_touching, wanted / 100 * 99);
}

TEST(CellWitness, AllWitnessesOfAPoseAreTrue) {
    Draws draws(62);
    const BakedBytes baked = bake_cells(corpus::find_corpus_mesh("tetra-flake")->make_near(400));
    const double size = diagonal(baked.part);
    Tally tally;
    for (int i = 0; i < 30; ++i) {
        const Pose pose = draws.pose(0.3 * size);
        std::vector<CellWitness> found(20000);
        CellWitnesses<> query;
        ASSERT_EQ(query.begin(baked.part, baked.part, pose, found.data(), found.size()), Status::kOk);
        query.step();
        ASSERT_EQ(query.status(), Status::kOk);
        for (std::uint64_t k = 0; k < query.count(); ++k)
            ASSERT_NO_FATAL_FAILURE(expect_true_witness(baked.part, baked.part, pose, found[k], size,
                                                        "pose " + std::to_string(i), &tally));
    }
    EXPECT_GT(tally.exactly_touching, 100u);
}

}  // namespace
}  // namespace espalier::test
