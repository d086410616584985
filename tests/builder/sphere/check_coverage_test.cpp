// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "builder/sphere/sphere_tree.h"
#include "builder/surface/surface_pieces.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

Sphere sphere(float x, float y, float z, float radius) {
    Sphere s;
    s.center = {x, y, z};
    s.radius = radius;
    return s;
}

/// A root around the unit box with eight children, one at each octant of it.
SphereTree box_tree(float child_radius) {
    SphereTree tree;
    tree.spheres.push_back(sphere(0.5F, 0.5F, 0.5F, 0.8661F));
    for (int i = 0; i < 8; ++i) {
        tree.spheres.push_back(
            sphere((i & 1) ? 0.75F : 0.25F, (i & 2) ? 0.75F : 0.25F, (i & 4) ? 0.75F : 0.25F, child_radius));
    }
    tree.spheres[0].first_child = 1;
    tree.spheres[0].child_count = 8;
    tree.levels = {{0, 1}, {1, 8}};
    tree.certificate.policy = CoveragePolicy::kFull;
    return tree;
}

const TriangleMesh& unit_box() {
    static const TriangleMesh kMesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    return kMesh;
}

TEST(CheckCoverage, OctantSpheresOfABoxAreProved) {
    const SphereTree tree = box_tree(0.4331F);  // the circumscribed sphere has sqrt(3)/4 = 0.43301...
    const auto report = check_sphere_coverage(unit_box(), view_of(tree));
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report.value().proved);
}

TEST(CheckCoverage, AHairTooSmallIsFound) {
    const SphereTree tree = box_tree(0.43301F);
    const auto report = check_sphere_coverage(unit_box(), view_of(tree));
    ASSERT_TRUE(report.ok());
    EXPECT_FALSE(report.value().proved);
    EXPECT_EQ(report.value().sphere, 0u);
}

TEST(CheckCoverage, AGapCountsAsRadiusAndNotAHairMore) {
    SphereTree tree = box_tree(0.4331F - 0.0625F);  // exactly what 1/16 adds
    tree.spheres[0].radius -= 0.0625F;
    EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(tree)).value().proved);
    tree.certificate.gap = 0.0625F;
    EXPECT_TRUE(check_sphere_coverage(unit_box(), view_of(tree)).value().proved);
    tree.certificate.gap = 0.0624F;
    EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(tree)).value().proved);
}

TEST(CheckCoverage, HoleInTheMiddleOfATriangleIsFound) {
    // Every corner and edge midpoint is covered; the middle of the face z = 1 is not.
    SphereTree tree = box_tree(0.45F);
    for (std::size_t i = 5; i < 9; ++i) {
        Sphere& s = tree.spheres[i];
        s.center += 0.1F * (s.center - Vector3f(0.5F, 0.5F, s.center.z()));
    }
    tree.certificate.policy = CoveragePolicy::kLevel;
    const auto report = check_sphere_coverage(unit_box(), view_of(tree));
    ASSERT_TRUE(report.ok());
    EXPECT_FALSE(report.value().proved);
    EXPECT_NEAR(report.value().point.z(), 1.0, 0.51);
}

/// A third level of copies, each below the sphere it copies.
SphereTree three_levels() {
    SphereTree tree = box_tree(0.4331F);
    for (std::uint32_t i = 1; i < 9; ++i) {
        tree.spheres.push_back(tree.spheres[i]);
        tree.spheres[i].first_child = i + 8;
        tree.spheres[i].child_count = 1;
    }
    tree.levels.push_back({9, 8});
    return tree;
}

TEST(CheckCoverage, ChildrenUnderTheWrongParentsFailThoughEveryLevelIsCovered) {
    SphereTree tree = three_levels();
    EXPECT_TRUE(check_sphere_coverage(unit_box(), view_of(tree)).value().proved);
    std::swap(tree.spheres[1].first_child, tree.spheres[8].first_child);
    const CoverageReport full = check_sphere_coverage(unit_box(), view_of(tree)).value();
    EXPECT_FALSE(full.proved);
    EXPECT_EQ(full.level, 1u);
    EXPECT_EQ(full.sphere, 1u);
    tree.certificate.policy = CoveragePolicy::kLevel;
    EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(tree)).value().proved);
}

TEST(CheckCoverage, PathsSufficeForTheLevelPolicyWhereAParentCoversMoreThanItsChildren) {
    SphereTree tree = three_levels();
    tree.spheres[1].radius = 0.6F;  // now covers parts that only its neighbours' children cover
    EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(tree)).value().proved);
    tree.certificate.policy = CoveragePolicy::kLevel;
    EXPECT_TRUE(check_sphere_coverage(unit_box(), view_of(tree)).value().proved);
}

/// Three levels, the first octant's sphere so large that it covers parts that only its neighbours' children
/// cover; it shares those of `shared`.
SphereTree large_octant(std::vector<std::uint32_t> shared) {
    SphereTree tree = three_levels();
    tree.spheres[1].radius = 0.6F;
    tree.spheres[1].shared_count = static_cast<std::uint32_t>(shared.size());
    tree.shared_list = std::move(shared);
    return tree;
}

TEST(CheckCoverage, GapBelowAParentIsFilledByTheChildrenThatItShares) {
    // All neighbours but the one across the box.
    const SphereTree sharing = large_octant({10, 11, 12, 13, 14, 15});
    EXPECT_TRUE(check_sphere_coverage(unit_box(), view_of(sharing)).value().proved);
    for (const SphereTree& tree : {large_octant({}), large_octant({10, 11, 12, 13, 14})}) {
        const CoverageReport report = check_sphere_coverage(unit_box(), view_of(tree)).value();
        EXPECT_FALSE(report.proved);
        EXPECT_EQ(report.level, 1u);
        EXPECT_EQ(report.sphere, 1u);
    }
}

TEST(CheckCoverage, SharedChildrenDoNotMakeUpForAMissingPathOfOwnOnes) {
    SphereTree tree = three_levels();
    std::swap(tree.spheres[1].first_child, tree.spheres[8].first_child);
    // Both share all the others: the children of each cover, but no own child follows a contact down.
    tree.shared_list = {9, 10, 11, 12, 13, 14, 15, 10, 11, 12, 13, 14, 15, 16};
    tree.spheres[1].shared_count = 7;
    tree.spheres[8].first_shared = 7;
    tree.spheres[8].shared_count = 7;
    const CoverageReport report = check_sphere_coverage(unit_box(), view_of(tree)).value();
    EXPECT_FALSE(report.proved);
    EXPECT_EQ(report.level, 2u) << "the paths, which end there, and not the children of a sphere";
}

TEST(CheckCoverage, BadStructureIsRefused) {
    SphereTree tree = box_tree(0.45F);
    tree.spheres[0].child_count = 9;
    EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(tree)).ok());
    tree = box_tree(0.45F);
    tree.levels[1].count = 7;
    EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(tree)).ok());
    tree = box_tree(0.45F);
    tree.spheres[3].radius = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(tree)).ok());
    for (const std::uint32_t entry : {0u, 1u, 8u, 17u})
        EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(large_octant({10, entry}))).ok()) << entry;
    tree = large_octant({10});
    tree.spheres[1].shared_count = 2;
    EXPECT_FALSE(check_sphere_coverage(unit_box(), view_of(tree)).ok());
}

TEST(SurfacePieces, BisectionDoesNotDependOnCornerOrder) {
    const Piece piece{{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0)}, 0};
    const Piece equilateral{{Vector3d(1, 0, 0), Vector3d(0, 1, 0), Vector3d(0, 0, 1)}, 0};
    for (const Piece& p : {piece, equilateral}) {
        const Piece turned{{p.corner[2], p.corner[1], p.corner[0]}, 0};
        const std::size_t a = longest_edge(p);
        const std::size_t b = longest_edge(turned);
        EXPECT_EQ(p.corner[a] + p.corner[(a + 1) % 3], turned.corner[b] + turned.corner[(b + 1) % 3]);
    }
}

TEST(SurfacePieces, OutsideTestIsNeverWrongAboutATouchingPiece) {
    const Piece piece{{Vector3d(0, 0, 1), Vector3d(1, 0, 1), Vector3d(0, 1, 1)}, 0};
    EXPECT_FALSE(piece_outside_ball(piece, Vector3d::Zero(), 1.0));
    EXPECT_TRUE(piece_outside_ball(piece, Vector3d::Zero(), 1.0 - 1e-9));
    EXPECT_FALSE(piece_outside_ball(piece, Vector3d(0.2, 0.2, 3.0), 2.0 + 1e-9));
}

}  // namespace
}  // namespace espalier
