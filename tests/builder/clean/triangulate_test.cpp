// SPDX-License-Identifier: GPL-3.0-or-later
// Polygons of all kinds are covered exactly, without new points, whatever their shape and plane.
#include "builder/clean/triangulate.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/draw.h"

namespace espalier {
namespace {

PolygonSoup polygon(const std::vector<Eigen::Vector3d>& points,
                    const std::vector<std::uint32_t>& corners = {}) {
    PolygonSoup soup;
    soup.points = points;
    std::vector<std::uint32_t> indices = corners;
    if (indices.empty())
        for (std::uint32_t i = 0; i < points.size(); ++i) indices.push_back(i);
    soup.add_polygon(indices);
    return soup;
}

Eigen::Vector3d area_vector(const PolygonSoup& soup, std::span<const std::uint32_t> corners) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < corners.size(); ++i)
        sum += soup.points[corners[i]].cross(soup.points[corners[(i + 1) % corners.size()]]) / 2;
    return sum;
}

// For a flat polygon: all triangles face its way, their areas add up to its own, and each edge of the outline
// belongs to one triangle while each other edge is walked both ways. Together: an exact cover.
void expect_exact_cover(const PolygonSoup& soup, const Triangulation& result, double tolerance = 1e-12) {
    const Eigen::Vector3d whole = area_vector(soup, soup.polygon(0));
    double sum = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> walks;
    for (const Triangle& triangle : result.triangles) {
        const Eigen::Vector3d part = area_vector(soup, triangle);
        EXPECT_GT(part.dot(whole), 0) << "a triangle is flipped or has no area";
        sum += part.norm();
        for (std::size_t i = 0; i < 3; ++i) {
            ++walks[{triangle[i], triangle[(i + 1) % 3]}];
            --walks[{triangle[(i + 1) % 3], triangle[i]}];
        }
    }
    EXPECT_NEAR(sum, whole.norm(), tolerance * whole.norm());
    const auto outline = soup.polygon(0);
    for (std::size_t i = 0; i < outline.size(); ++i) {
        --walks[{outline[i], outline[(i + 1) % outline.size()]}];
        ++walks[{outline[(i + 1) % outline.size()], outline[i]}];
    }
    for (const auto& [edge, balance] : walks) EXPECT_EQ(balance, 0) << edge.first << " " << edge.second;
    EXPECT_EQ(result.crossing_polygons, 0u);
}

const std::vector<Eigen::Vector3d> kSquare{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

TEST(Triangulate, TrianglesAreUnchanged) {
    const PolygonSoup soup = polygon({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {2, 0, 1});
    EXPECT_EQ(triangulate(soup).triangles, (std::vector<Triangle>{{2, 0, 1}}));
}

TEST(Triangulate, ConvexPolygonsAreFansFromCornerZero) {
    EXPECT_EQ(triangulate(polygon(kSquare)).triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(triangulate(polygon(kSquare, {3, 2, 1, 0})).triangles,
              (std::vector<Triangle>{{3, 2, 1}, {3, 1, 0}}));
}

TEST(Triangulate, ConcaveQuadrangleIsSplitInside) {
    // An arrowhead: the diagonal 0-2 lies outside.
    const PolygonSoup soup = polygon({{0, 0, 0}, {2, -1, 0}, {0.5, 0, 0}, {2, 1, 0}}, {1, 2, 3, 0});
    const Triangulation result = triangulate(soup);
    EXPECT_EQ(result.triangles.size(), 2u);
    expect_exact_cover(soup, result);
}

TEST(Triangulate, CollinearCornersKeepTheirEdges) {
    // Corner 0, 1 and 2 on a line: the fan's first triangle would have no area.
    const PolygonSoup soup = polygon({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}});
    const Triangulation result = triangulate(soup);
    EXPECT_EQ(result.triangles.size(), 2u);
    expect_exact_cover(soup, result);
}

TEST(Triangulate, RepeatedCornersAreCollapsed) {
    const Triangulation result = triangulate(polygon(kSquare, {0, 0, 1, 2, 2, 2, 3, 0}));
    EXPECT_EQ(result.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}}));
    EXPECT_EQ(result.degenerate_polygons, 0u);
}

TEST(Triangulate, PolygonsOfFewerThanThreeDistinctCornersVanish) {
    PolygonSoup soup;
    soup.points = kSquare;
    soup.add_polygon(std::vector<std::uint32_t>{});
    soup.add_polygon(std::vector<std::uint32_t>{1});
    soup.add_polygon(std::vector<std::uint32_t>{1, 2});
    soup.add_polygon(std::vector<std::uint32_t>{1, 1, 2, 2});
    const Triangulation result = triangulate(soup);
    EXPECT_TRUE(result.triangles.empty());
    EXPECT_EQ(result.degenerate_polygons, 4u);
}

TEST(Triangulate, HoleJoinedByAnEdgeThatIsWalkedTwice) {
    std::vector<Eigen::Vector3d> points{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0},
                                        {1, 1, 0}, {1, 3, 0}, {3, 3, 0}, {3, 1, 0}};
    // Outline, over to the hole, around it the other way, and back.
    const PolygonSoup soup = polygon(points, {0, 1, 2, 3, 0, 4, 5, 6, 7, 4});
    const Triangulation result = triangulate(soup);
    EXPECT_EQ(result.triangles.size(), 8u);
    expect_exact_cover(soup, result);

    // The same with copies of the two joint corners, as exporters write it.
    points.push_back(points[0]);
    points.push_back(points[4]);
    const Triangulation copied = triangulate(polygon(points, {0, 1, 2, 3, 8, 9, 5, 6, 7, 4}));
    EXPECT_EQ(copied.triangles.size(), 8u);
    EXPECT_EQ(copied.crossing_polygons, 0u);
}

TEST(Triangulate, TwoLoopsThatMeetInACorner) {
    const PolygonSoup soup =
        polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}}, {0, 1, 2, 0, 3, 4});
    const Triangulation result = triangulate(soup);
    EXPECT_EQ(result.triangles.size(), 2u);
    expect_exact_cover(soup, result);
}

TEST(Triangulate, BowTieIsReportedAndStillSplit) {
    const Triangulation result = triangulate(polygon(kSquare, {0, 1, 3, 2}));
    EXPECT_EQ(result.crossing_polygons, 1u);
    EXPECT_EQ(result.triangles.size(), 2u);
}

TEST(Triangulate, OutlineWalkedTwiceIsReportedAndNotLost) {
    const Triangulation result = triangulate(polygon(kSquare, {0, 1, 2, 3, 0, 1, 2, 3}));
    EXPECT_EQ(result.crossing_polygons, 1u);
    EXPECT_FALSE(result.triangles.empty());
}

TEST(Triangulate, BentQuadrangleHasTwoTriangles) {
    EXPECT_EQ(triangulate(polygon({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 1}})).triangles.size(), 2u);
}

// A star-shaped outline with random radii around the origin, in a random plane, starting at a random corner.
PolygonSoup random_star(testing::Draw& random, std::size_t corners) {
    const auto draw = [&] { return random.unit(); };
    Eigen::Quaterniond turn(draw() - 0.5, draw() - 0.5, draw() - 0.5, draw() - 0.5);
    turn.normalize();
    const Eigen::Vector3d offset(draw() * 10, draw() * 10, draw() * 10);
    std::vector<Eigen::Vector3d> points;
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < corners; ++i) {
        const double angle = 2 * M_PI * static_cast<double>(i) / static_cast<double>(corners);
        const double radius = 0.1 + draw();
        points.push_back(offset +
                         turn * Eigen::Vector3d(radius * std::cos(angle), radius * std::sin(angle), 0));
        order.push_back(static_cast<std::uint32_t>(i));
    }
    std::ranges::rotate(order, order.begin() + static_cast<std::ptrdiff_t>(random.bits() % corners));
    if (random.bits() % 2) std::ranges::reverse(order);
    return polygon(points, order);
}

TEST(Triangulate, RandomStarsInRandomPlanesAreCoveredExactly) {
    testing::Draw random(7);
    for (int round = 0; round < 500; ++round) {
        SCOPED_TRACE("seed 7, round " + std::to_string(round));
        const std::size_t corners = 4 + random.bits() % 60;
        const PolygonSoup soup = random_star(random, corners);
        const Triangulation result = triangulate(soup);
        EXPECT_EQ(result.triangles.size(), corners - 2);
        expect_exact_cover(soup, result, 1e-9);
    }
}

TEST(Triangulate, LargeSpiralIsCoveredExactly) {
    // A band that winds inward: far from convex, every corner matters.
    std::vector<Eigen::Vector3d> outer, inner;
    constexpr int kSteps = 20000;
    for (int i = 0; i <= kSteps; ++i) {
        const double angle = 40 * M_PI * i / kSteps, radius = 100 - 80.0 * i / kSteps;
        outer.emplace_back(5, radius * std::cos(angle), radius * std::sin(angle));
        inner.emplace_back(5, (radius - 1) * std::cos(angle), (radius - 1) * std::sin(angle));
    }
    std::vector<Eigen::Vector3d> points = outer;
    points.insert(points.end(), inner.rbegin(), inner.rend());
    const PolygonSoup soup = polygon(points);
    const Triangulation result = triangulate(soup);
    EXPECT_EQ(result.triangles.size(), points.size() - 2);
    expect_exact_cover(soup, result, 1e-9);
}

TEST(Triangulate, GridOfCollinearCornersIsCoveredExactly) {
    // A comb with integer coordinates: nothing but collinear and cocircular corners.
    std::vector<Eigen::Vector3d> points{{0, 0, 7}, {20, 0, 7}};
    for (int x = 20; x > 0; --x) {
        points.emplace_back(x, x % 2 ? 1 : 5, 7);
        points.emplace_back(x - 1, x % 2 ? 1 : 5, 7);
    }
    const PolygonSoup soup = polygon(points);
    expect_exact_cover(soup, triangulate(soup));
}

TEST(Triangulate, SameInputGivesTheSameTriangles) {
    testing::Draw random(11);
    const PolygonSoup soup = random_star(random, 500);
    EXPECT_EQ(triangulate(soup).triangles, triangulate(soup).triangles);
}

TEST(Triangulate, MillionRepeatedCornersTakeNoTime) {
    std::vector<std::uint32_t> corners;
    for (int i = 0; i < 333'333; ++i) corners.insert(corners.end(), {0, 1, 2});
    EXPECT_FALSE(triangulate(polygon(kSquare, corners)).triangles.empty());
}

}  // namespace
}  // namespace espalier
