// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/flat_triangles.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/support/draw.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 71;

Vector3f any_point(testing::Draw& draw) {
    return draw.in_cube().cast<float>();
}

/// Triangles of all shapes: also needles, caps, lines and points.
TriangleMesh any_triangles(std::size_t count, float scale, const Vector3f& offset) {
    testing::Draw draw(kSeed);
    TriangleMesh mesh;
    for (std::uint32_t t = 0; t < count; ++t) {
        const Vector3f a = any_point(draw);
        Vector3f b = any_point(draw);
        Vector3f c = any_point(draw);
        switch (t % 6) {
            case 1:
                b = a + 1e-3F * b;
                break;
            case 2:
                c = 0.5F * (a + b) + 1e-3F * c;
                break;
            case 3:
                c = 0.25F * a + 0.75F * b;
                break;
            case 4:
                c = b;
                break;
            case 5:
                b = a;
                c = t % 12 == 5 ? a : c;
                break;
            default:
                break;
        }
        for (const Vector3f& corner : {a, b, c}) mesh.positions.push_back(offset + scale * corner);
        mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    }
    return mesh;
}

double distance_from_segment(const Vector3d& p, const Vector3d& a, const Vector3d& b) {
    const double square = (b - a).squaredNorm();
    const double share = square > 0.0 ? std::clamp((p - a).dot(b - a) / square, 0.0, 1.0) : 0.0;
    return (p - a - share * (b - a)).norm();
}

double distance_from(const Vector3d& p, const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const Vector3d normal = (b - a).cross(c - a);
    const bool above = normal.dot((b - a).cross(p - a)) > 0.0 && normal.dot((c - b).cross(p - b)) > 0.0 &&
                       normal.dot((a - c).cross(p - c)) > 0.0;
    if (above) return std::fabs(normal.dot(p - a)) / normal.norm();
    return std::min(
        {distance_from_segment(p, a, b), distance_from_segment(p, b, c), distance_from_segment(p, c, a)});
}

void expect_true_distances(float scale, const Vector3f& offset) {
    const TriangleMesh mesh = any_triangles(60, scale, offset);
    const FlatTriangles flat(mesh);
    std::vector<std::uint32_t> all(mesh.triangles.size());
    std::iota(all.begin(), all.end(), 0u);
    testing::Draw draw(kSeed + 1);
    std::vector<FlatTriangles::Distances> squared;
    for (int round = 0; round < 200; ++round) {
        FlatTriangles::Points points;
        for (Vector3d& point : points) point = (offset + 1.5F * scale * any_point(draw)).cast<double>();
        flat.squared_distances(points, all, squared);
        ASSERT_EQ(squared.size(), all.size());
        for (const std::uint32_t t : all) {
            for (std::size_t k = 0; k < points.size(); ++k) {
                const double distance =
                    distance_from(points[k], mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2));
                ASSERT_NEAR(std::sqrt(double(squared[t][k])) * flat.unit(), distance, 2e-6 * flat.unit())
                    << "triangle " << t << ", point " << k << " of round " << round;
            }
        }
    }
}

TEST(FlatTriangles, DistancesOfAnyTriangleAreThoseOfTheNearestPoint) {
    expect_true_distances(1.0F, Vector3f::Zero());
}

TEST(FlatTriangles, DistancesFarFromTheOriginAndInAnyUnitAreAsGood) {
    expect_true_distances(1e-12F, Vector3f::Zero());
    expect_true_distances(1e15F, Vector3f(3e17F, -1e17F, 0.0F));
}

/// Files would differ from machine to machine otherwise.
TEST(FlatTriangles, DistancesAreTheSameOnEveryProcessor) {
    testing::Draw draw(kSeed + 2);
    const auto number = [&draw](double low) { return static_cast<float>(draw.between(low, 1.0)); };
    for (int round = 0; round < 20; ++round) {
        std::vector<FlatTriangle> triangles(40);
        std::vector<std::uint32_t> chosen;
        for (std::uint32_t i = 0; i < triangles.size(); ++i) {
            float n[17];
            std::generate(std::begin(n), std::end(n), [&] { return number(0.1); });
            triangles[i] = {{n[0], n[1], n[2]},
                            {{n[3], n[4], n[5]}, {n[6], n[7], n[8]}, {n[9], n[10], n[11]}},
                            n[12],
                            n[13],
                            n[14],
                            {n[15], n[16]}};
            if (draw.below(4) != 0) chosen.push_back(i);
        }
        float axis[3][kVectorLanes];
        for (auto& numbers : axis)
            std::generate(std::begin(numbers), std::end(numbers), [&] { return number(-1.0); });
        const float* const points[] = {axis[0], axis[1], axis[2]};
        std::vector<float> squared[2];
        for (const bool plain : {false, true}) {
            squared[plain].resize(chosen.size() * kVectorLanes);
            (plain ? plain_triangle_kernel() : triangle_kernel())(
                chosen.data(), chosen.size(), triangles.data(), points, squared[plain].data());
        }
        EXPECT_EQ(squared[0], squared[1]) << "round " << round;
    }
}

TEST(FlatTriangles, NoTrianglesGiveNoDistances) {
    const FlatTriangles flat(any_triangles(3, 1.0F, Vector3f::Zero()));
    std::vector<FlatTriangles::Distances> squared(5);
    flat.squared_distances({}, {}, squared);
    EXPECT_TRUE(squared.empty());
}

}  // namespace
}  // namespace espalier
