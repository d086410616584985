// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/surface_patches.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

double area_of(const Piece& piece) {
    return 0.5 * (piece.corner[1] - piece.corner[0]).cross(piece.corner[2] - piece.corner[0]).norm();
}

Vector3d middle_of(const Piece& piece) {
    return (piece.corner[0] + piece.corner[1] + piece.corner[2]) / 3.0;
}

double area_of(const std::vector<Patch>& patches) {
    double area = 0.0;
    for (const Patch& patch : patches)
        for (const Piece& piece : patch.pieces) area += area_of(piece);
    return area;
}

TriangleMesh one_triangle(const Vector3f& a, const Vector3f& b, const Vector3f& c) {
    TriangleMesh mesh;
    mesh.positions = {a, b, c};
    mesh.triangles = {{0, 1, 2}};
    return mesh;
}

void expect_in_balls(const std::vector<Patch>& patches, double radius) {
    for (std::size_t i = 0; i < patches.size(); ++i) {
        EXPECT_LE(patches[i].ball.radius, radius) << i;
        EXPECT_FALSE(patches[i].pieces.empty()) << i;
        for (const Piece& piece : patches[i].pieces) {
            EXPECT_LE(farthest_corner(piece, patches[i].ball.center),
                      patches[i].ball.radius * (1.0 + 1e-12) + 1e-15)
                << i;
        }
    }
}

/// Of each triangle as much as there is, and nothing that is not in it.
void expect_same_surface(const TriangleMesh& mesh, const std::vector<Patch>& patches) {
    std::vector<double> area(mesh.triangles.size(), 0.0);
    std::vector<Vector3d> middle(mesh.triangles.size(), Vector3d::Zero());
    for (const Patch& patch : patches) {
        for (const Piece& piece : patch.pieces) {
            ASSERT_LT(piece.triangle, mesh.triangles.size());
            area[piece.triangle] += area_of(piece);
            middle[piece.triangle] += area_of(piece) * middle_of(piece);
            const Piece whole = whole_triangle(mesh, piece.triangle);
            for (const Vector3d& corner : piece.corner) {
                const Vector3d nearest =
                    closest_point_on_triangle(corner, whole.corner[0], whole.corner[1], whole.corner[2]);
                ASSERT_LE((nearest - corner).norm(), 1e-6) << "triangle " << piece.triangle;
            }
        }
    }
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        const Piece whole = whole_triangle(mesh, t);
        EXPECT_NEAR(area[t], area_of(whole), 1e-9 * area[t]) << "triangle " << t;
        // Twice the same half would have the same area.
        EXPECT_LE((middle[t] / area[t] - middle_of(whole)).norm(), 1e-6) << "triangle " << t;
    }
}

TEST(SurfacePatches, EveryPieceOfATorusIsInItsBallAndNoneIsLostOrDoubled) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 24, 12);
    std::size_t count = 0;
    for (const double radius : {2.0, 0.5, 0.2, 0.05}) {
        const std::vector<Patch> patches = surface_patches(mesh, radius);
        EXPECT_GT(patches.size(), count);  // smaller ones are more
        count = patches.size();
        expect_in_balls(patches, radius);
        expect_same_surface(mesh, patches);
    }
}

TEST(SurfacePatches, PatchesOfATorusAreNotMuchSmallerThanAskedFor) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 80, 40);
    const double radius = 0.1;
    const std::vector<Patch> patches = surface_patches(mesh, radius);
    // A patch may be a surfel at best; a quarter of that is what halving leaves, and some are cut unevenly.
    EXPECT_LT(double(patches.size()), 8.0 * area_of(patches) / (3.14159 * radius * radius));
}

TEST(SurfacePatches, LongSliverIsCutIntoAsManyPatchesAsItIsLong) {
    const TriangleMesh mesh = one_triangle({0, 0, 0}, {100, 1, 2}, {50.3F, 0.51F, 1});
    const std::vector<Patch> patches = surface_patches(mesh, 0.4);
    expect_in_balls(patches, 0.4);
    expect_same_surface(mesh, patches);
    EXPECT_GE(patches.size(), 125u);
    EXPECT_LE(patches.size(), 2000u);  // bisection makes them narrow before it makes them short
    for (const Patch& patch : patches) EXPECT_EQ(patch.pieces.size(), 1u);
}

TEST(SurfacePatches, PatchesThatFollowEachOtherAreNeighbours) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 80, 40);
    const std::vector<Patch> patches = surface_patches(mesh, 0.05);
    double sum = 0.0;
    for (std::size_t i = 1; i < patches.size(); ++i)
        sum += (patches[i].ball.center - patches[i - 1].ball.center).norm();
    EXPECT_LT(sum / double(patches.size() - 1), 4.0 * 0.05);  // at random it would be about 1.3
}

TEST(SurfacePatches, BallOfOneTriangleIsTheSmallest) {
    const float height = 0.8660254F;
    const TriangleMesh equilateral = one_triangle({0, 0, 0}, {1, 0, 0}, {0.5F, height, 0});
    const double around = 1.0 / std::sqrt(3.0);  // through its corners
    EXPECT_EQ(surface_patches(equilateral, around * (1.0 + 1e-6)).size(), 1u);
    EXPECT_GT(surface_patches(equilateral, around * (1.0 - 1e-6)).size(), 1u);
    const TriangleMesh obtuse = one_triangle({0, 0, 0}, {1, 0, 0}, {0.4F, 0.1F, 0});
    EXPECT_EQ(surface_patches(obtuse, 0.5).size(), 1u);  // about its longest edge
    EXPECT_GT(surface_patches(obtuse, 0.5 * (1.0 - 1e-6)).size(), 1u);
}

TEST(SurfacePatches, SplitPatchIsTheSameSurfaceInSmallerBallsAfterThoseBefore) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 24, 12);
    for (const double radius : {0.5, 0.05}) {  // of many pieces and of one
        const std::vector<Patch> patches = surface_patches(mesh, radius);
        for (std::size_t i = 0; i < patches.size(); i += 37) {
            const double half = 0.5 * patches[i].ball.radius;
            std::vector<Patch> split = {patches.front()};
            append_split(patches[i], half, split);
            ASSERT_GE(split.size(), 3u) << i;
            EXPECT_EQ(split.front().ball.center, patches.front().ball.center);
            split.erase(split.begin());
            expect_in_balls(split, half);
            EXPECT_NEAR(area_of(split), area_of({patches[i]}), 1e-12) << i;
            for (const Patch& part : split)
                EXPECT_LE((part.ball.center - patches[i].ball.center).norm(), patches[i].ball.radius) << i;
        }
    }
}

TEST(SurfacePatches, PatchThatIsSmallEnoughStaysWhole) {
    const std::vector<Patch> patches = surface_patches(shapes::torus(1.0, 0.35, 24, 12), 0.3);
    std::vector<Patch> same;
    append_split(patches[3], patches[3].ball.radius, same);
    ASSERT_EQ(same.size(), 1u);
    EXPECT_EQ(same[0].ball.center, patches[3].ball.center);
    EXPECT_EQ(same[0].pieces.size(), patches[3].pieces.size());
}

TEST(SurfacePatches, NormalOfAPatchIsThatOfItsPiecesOrNoneIfItIsNotFlat) {
    const TriangleMesh box = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    const auto sides = [&](std::initializer_list<std::uint32_t> triangles) {
        Patch patch;
        for (const std::uint32_t t : triangles) patch.pieces.push_back(whole_triangle(box, t));
        return normal_of(patch);
    };
    EXPECT_LE((sides({0, 1}) - Vector3d(0, 0, -1)).norm(), 1e-12);
    EXPECT_LE((sides({10, 11}) - Vector3d(1, 0, 0)).norm(), 1e-12);
    EXPECT_EQ(sides({0, 11}), Vector3d::Zero());  // across an edge
    EXPECT_EQ(sides({0, 1, 2, 3}), Vector3d::Zero());
    const Piece bent{{Vector3d(0, 0, 0), Vector3d(1, 0, 0), Vector3d(0, 1, 0.2)}, 0};
    Patch nearly;
    nearly.pieces = {bent, {{Vector3d(0, 0, 0), Vector3d(0, -1, 0.2), Vector3d(1, 0, 0)}, 1}};
    EXPECT_LE((normal_of(nearly) - Vector3d(0, 0, 1)).norm(), 1e-12);
}

}  // namespace
}  // namespace espalier
