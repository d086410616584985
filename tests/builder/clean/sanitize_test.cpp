// SPDX-License-Identifier: GPL-3.0-or-later
// Every step of sanitize: what it removes, what it keeps, what it says, what it refuses.
#include "builder/clean/sanitize.h"

#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "builder/clean/degenerate.h"
#include "tests/support/draw.h"

namespace espalier {
namespace {

using Points = std::vector<Eigen::Vector3d>;
using Faces = std::vector<std::vector<std::uint32_t>>;

PolygonSoup soup_of(const Points& points, const Faces& faces) {
    PolygonSoup soup;
    soup.points = points;
    for (const auto& face : faces) soup.add_polygon(face);
    return soup;
}

const Points kTetraPoints{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const Faces kTetraFaces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

PolygonSoup tetrahedron(double scale = 1, const Eigen::Vector3d& offset = Eigen::Vector3d::Zero()) {
    PolygonSoup soup = soup_of(kTetraPoints, kTetraFaces);
    for (auto& point : soup.points) point = point * scale + offset;
    return soup;
}

SanitizedMesh sanitized(const PolygonSoup& soup, const SanitizeOptions& options = {}) {
    auto result = sanitize(soup, options);
    if (!result) throw std::runtime_error(result.error().message);
    return std::move(result).value();
}

Error refused(const PolygonSoup& soup, const SanitizeOptions& options = {}) {
    const auto result = sanitize(soup, options);
    if (result) throw std::runtime_error("was accepted");
    return result.error();
}

bool has(const SanitizedMesh& mesh, const std::string& number) {
    return std::ranges::find(mesh.report.findings, number, &Finding::number) != mesh.report.findings.end();
}

bool same(const TriangleMesh& a, const TriangleMesh& b) {
    return a.positions == b.positions && a.triangles == b.triangles;
}

// A bumpy ball of random triangles with doubled, degenerate and shuffled ones among them.
PolygonSoup messy(std::uint64_t seed) {
    testing::Draw random(seed);
    const auto draw = [&] { return random.unit(); };
    PolygonSoup soup;
    for (int i = 0; i < 3000; ++i)
        if (i > 10 && random.bits() % 4 == 0)
            soup.points.push_back(soup.points[random.bits() % soup.points.size()]);
        else
            soup.points.emplace_back(draw(), draw(), draw());
    for (int i = 0; i < 4000; ++i) {
        std::vector<std::uint32_t> face(2 + random.bits() % 4);
        for (auto& corner : face) corner = static_cast<std::uint32_t>(random.bits() % 2900);
        soup.add_polygon(face);
        if (random.bits() % 10 == 0) soup.add_polygon(face);
    }
    return soup;
}

void expect_clean(const TriangleMesh& mesh) {
    std::vector<char> used(mesh.positions.size());
    std::vector<Triangle> sorted;
    for (Triangle triangle : mesh.triangles) {
        for (const std::uint32_t corner : triangle) {
            ASSERT_LT(corner, mesh.positions.size());
            used[corner] = 1;
        }
        EXPECT_FALSE(is_degenerate(mesh.positions[triangle[0]], mesh.positions[triangle[1]],
                                   mesh.positions[triangle[2]]));
        std::ranges::sort(triangle);
        sorted.push_back(triangle);
    }
    EXPECT_EQ(std::ranges::count(used, 0), 0) << "unreferenced vertices";
    std::ranges::sort(sorted);
    EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end()) << "duplicate triangles";
    for (const auto& position : mesh.positions) EXPECT_TRUE(position.allFinite());
}

PolygonSoup as_soup(const TriangleMesh& mesh) {
    PolygonSoup soup;
    for (const auto& position : mesh.positions) soup.points.push_back(position.cast<double>());
    for (const Triangle& triangle : mesh.triangles) soup.add_polygon(triangle);
    return soup;
}

TEST(Sanitize, CleanMeshIsUnchangedAndWithoutFindings) {
    const SanitizedMesh mesh = sanitized(tetrahedron());
    EXPECT_EQ(mesh.mesh.triangles.size(), 4u);
    EXPECT_EQ(mesh.mesh.triangles[2], (Triangle{1, 2, 3}));
    EXPECT_TRUE(mesh.report.findings.empty());
    EXPECT_EQ(mesh.origin, Eigen::Vector3d::Zero());
    EXPECT_TRUE(mesh.report.topology.closed);
}

TEST(Sanitize, ImportFindingsComeFirst) {
    PolygonSoup soup = tetrahedron();
    soup.points.emplace_back(9, 9, 9);
    soup.findings.push_back({"M01", Severity::kWarning, "trailing data", 3, "3 bytes"});
    const SanitizedMesh mesh = sanitized(soup);
    ASSERT_EQ(mesh.report.findings.size(), 2u);
    EXPECT_EQ(mesh.report.findings[0].number, "M01");
    EXPECT_EQ(mesh.report.findings[1].number, "S01");
}

TEST(Sanitize, NonFiniteCornerIsRefusedByVertexAndFace) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        PolygonSoup soup = tetrahedron();
        soup.points[3].y() = bad;
        const Error error = refused(soup);
        EXPECT_EQ(error.kind, ErrorKind::kInvalidInput);
        EXPECT_NE(error.message.find("vertex 3, a corner of face 1"), std::string::npos) << error.message;
        EXPECT_NE(error.message.find("non-finite"), std::string::npos) << error.message;
    }
}

TEST(Sanitize, NonFiniteVertexThatNoFaceUsesIsRemoved) {
    PolygonSoup soup = tetrahedron();
    soup.points.insert(soup.points.begin(),
                       Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN()));
    for (auto& corner : soup.corners) ++corner;
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.report.unreferenced_vertices, 1u);
    EXPECT_TRUE(same(mesh.mesh, sanitized(tetrahedron()).mesh));
    EXPECT_TRUE(has(mesh, "S01"));
}

TEST(Sanitize, UnusedVertexAttractsNothing) {
    // Vertex 0 is unused and near vertex 1; welding must not see it.
    const PolygonSoup soup = soup_of({{0, 0, 0}, {0.01, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{1, 2, 3}});
    const SanitizedMesh mesh = sanitized(soup, {.weld_tolerance = 0.1});
    EXPECT_EQ(mesh.report.welded_vertices, 0u);
    EXPECT_EQ(mesh.mesh.positions[0], Eigen::Vector3f(0.01F, 0, 0));
}

TEST(Sanitize, EqualPositionsAreWeldedAlsoNegativeZero) {
    const PolygonSoup soup = soup_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, -0.0}, {0, 1, 0}, {0, 0, 1}},
                                     {{0, 1, 2}, {3, 4, 5}});
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.report.welded_vertices, 2u);
    EXPECT_EQ(mesh.mesh.positions.size(), 4u);
    EXPECT_EQ(mesh.mesh.triangles[1], (Triangle{0, 2, 3}));
    EXPECT_TRUE(has(mesh, "S04"));
}

TEST(Sanitize, VerticesThatFloatCannotTellApartAreWelded) {
    const PolygonSoup soup =
        soup_of({{1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1 + 1e-12, 0, 0}, {0, 0, 1}}, {{0, 1, 2}, {3, 2, 4}});
    EXPECT_EQ(sanitized(soup).report.welded_vertices, 1u);
}

TEST(Sanitize, ToleranceWeldsCloseVerticesWithoutChains) {
    Points points;
    Faces faces;
    // A row of needles 0.06 apart: each is close to the next, but not to the one after it.
    for (std::uint32_t i = 0; i < 10; ++i) {
        points.emplace_back(0.06 * i, 0, 0);
        points.emplace_back(0.06 * i, 10, 0);
        points.emplace_back(0.06 * i, 10, 5);
        faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    const SanitizedMesh mesh = sanitized(soup_of(points, faces), {.weld_tolerance = 0.1});
    EXPECT_EQ(mesh.report.triangles, 5u);
    EXPECT_EQ(mesh.report.welded_vertices, 15u);
    EXPECT_EQ(mesh.report.duplicate_triangles, 5u);
}

TEST(Sanitize, ToleranceMustBeSensible) {
    for (const double tolerance : {-1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)})
        EXPECT_EQ(refused(tetrahedron(), {.weld_tolerance = tolerance}).kind, ErrorKind::kUsage);
}

TEST(Sanitize, TinyToleranceIsTheSameAsNone) {
    EXPECT_TRUE(same(sanitized(messy(3), {.weld_tolerance = 1e-300}).mesh, sanitized(messy(3)).mesh));
}

TEST(Sanitize, DegenerateTrianglesAreRemovedExactly) {
    PolygonSoup soup = tetrahedron();
    soup.add_polygon(std::vector<std::uint32_t>{0, 0, 1});
    soup.points.emplace_back(0.5, 0.5, 0);  // on an edge
    soup.add_polygon(std::vector<std::uint32_t>{1, 4, 2});
    // One step of float32 beside that edge: not degenerate.
    soup.points.emplace_back(0.5, std::nextafter(0.5F, 1.0F), 0);
    soup.add_polygon(std::vector<std::uint32_t>{1, 5, 2});
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.report.degenerate_triangles, 2u);
    EXPECT_EQ(mesh.report.triangles, 5u);
    EXPECT_EQ(mesh.report.orphaned_vertices, 1u);
    EXPECT_TRUE(has(mesh, "S02"));
}

TEST(Sanitize, DuplicatesOfAnyOrientationAreRemovedKeepingTheFirst) {
    PolygonSoup soup = tetrahedron();
    soup.add_polygon(std::vector<std::uint32_t>{1, 3, 0});  // like face 1
    soup.add_polygon(std::vector<std::uint32_t>{3, 2, 1});  // face 2 the other way
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.report.duplicate_triangles, 2u);
    EXPECT_EQ(mesh.report.opposite_duplicates, 1u);
    EXPECT_TRUE(same(mesh.mesh, sanitized(tetrahedron()).mesh));
    EXPECT_TRUE(has(mesh, "S03"));
}

TEST(Sanitize, MeshFarFromTheOriginIsRecentred) {
    const Eigen::Vector3d offset(1e7 + 0.25, -2e7, 3e7);
    const SanitizedMesh mesh = sanitized(tetrahedron(1, offset));
    EXPECT_TRUE(mesh.report.recentred);
    EXPECT_TRUE(has(mesh, "S05"));
    EXPECT_EQ(mesh.report.topology.signed_volume, 1.0 / 6);
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_LT((mesh.mesh.positions[i].cast<double>() + mesh.origin - (kTetraPoints[i] + offset)).norm(),
                  1e-8);
}

TEST(Sanitize, MeshNearTheOriginStaysWhereItIs) {
    const SanitizedMesh mesh = sanitized(tetrahedron(1, {3, 3, 3}));
    EXPECT_FALSE(mesh.report.recentred);
    EXPECT_EQ(mesh.mesh.positions[0], Eigen::Vector3f(3, 3, 3));
}

TEST(Sanitize, StrayDegenerateTriangleDoesNotPinTheOrigin) {
    // Seen with its stray triangle the mesh reaches to the origin and would be rounded to multiples of 1.
    PolygonSoup soup = tetrahedron(1, {1e7, 0, 0});
    soup.points.emplace_back(0, 0, 0);
    soup.points.emplace_back(1, 0, 0);
    soup.points.emplace_back(2, 0, 0);
    soup.add_polygon(std::vector<std::uint32_t>{4, 5, 6});
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_TRUE(mesh.report.recentred);
    EXPECT_EQ(mesh.report.degenerate_triangles, 1u);
    EXPECT_EQ(mesh.report.topology.signed_volume, 1.0 / 6);
}

TEST(Sanitize, SubnormalCoordinatesBecomeZero) {
    PolygonSoup soup = tetrahedron();
    soup.points[0].x() = 1e-40;
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.mesh.positions[0].x(), 0.0F);
    EXPECT_EQ(mesh.report.flushed_coordinates, 1u);
    EXPECT_TRUE(has(mesh, "S08"));
}

TEST(Sanitize, SizesBeyondFloat32ArithmeticAreRefusedWithAdvice) {
    for (const double scale : {1e-16, 1e-30, 1e-200, 1e16, 1e30, 1e39, 1e99, 1e200}) {
        const Error error = refused(tetrahedron(scale));
        EXPECT_EQ(error.kind, ErrorKind::kInvalidInput) << scale;
        EXPECT_NE(error.message.find("--scale"), std::string::npos) << error.message;
        EXPECT_NE(error.message.find(scale < 1 ? "small" : "large"), std::string::npos) << error.message;
    }
    for (const double scale : {1e-14, 1e-9, 1e9, 1e14})
        EXPECT_EQ(sanitized(tetrahedron(scale)).report.triangles, 4u) << scale;
}

TEST(Sanitize, NothingLeftIsRefused) {
    EXPECT_NE(refused(soup_of({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}}, {{0, 1, 2}}))
                  .message.find("no triangles left: all 1 "),
              std::string::npos);
    EXPECT_NE(
        refused(soup_of({{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}})).message.find("no triangles left"),
        std::string::npos);
    EXPECT_NE(refused(soup_of({{0, 0, 0}, {1, 1, 1}}, {{0, 1}, {1}})).message.find("no triangles left"),
              std::string::npos);
    EXPECT_EQ(refused(PolygonSoup{}).kind, ErrorKind::kInvalidInput);
}

TEST(Sanitize, TooManyTrianglesAreRefusedBeforeTheWork) {
    PolygonSoup soup;
    soup.points = kTetraPoints;
    soup.corners.assign(100'000'003, 0);
    soup.first_corner.push_back(soup.corners.size());
    const Error error = refused(soup);
    EXPECT_EQ(error.kind, ErrorKind::kUnsupported);
    EXPECT_NE(error.message.find("100000001 triangles"), std::string::npos) << error.message;
}

TEST(Sanitize, ResultIsCleanAndSanitizingItAgainChangesNothing) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        PolygonSoup soup = messy(seed);
        if (seed % 2)
            for (auto& point : soup.points) point += Eigen::Vector3d(1000, 0, -5e5);
        const SanitizeOptions options{.weld_tolerance = seed % 3 ? 0.0 : 0.01};
        const SanitizedMesh once = sanitized(soup, options);
        expect_clean(once.mesh);
        const SanitizedMesh twice = sanitized(as_soup(once.mesh), options);
        EXPECT_TRUE(same(once.mesh, twice.mesh));
        EXPECT_EQ(twice.origin, Eigen::Vector3d::Zero());
        EXPECT_EQ(twice.report.degenerate_triangles + twice.report.duplicate_triangles +
                      twice.report.welded_vertices,
                  0u);
    }
}

TEST(Sanitize, CountsAddUp) {
    const SanitizedMesh mesh = sanitized(messy(99));
    const SanitizeReport& report = mesh.report;
    EXPECT_EQ(report.input_vertices, report.unreferenced_vertices + report.welded_vertices +
                                         report.orphaned_vertices + report.vertices);
    EXPECT_EQ(report.input_triangles,
              report.degenerate_triangles + report.duplicate_triangles + report.triangles);
    EXPECT_EQ(report.vertices, mesh.mesh.positions.size());
}

TEST(Sanitize, SameResultForAnyNumberOfThreads) {
    const PolygonSoup soup = messy(5);
    SanitizedMesh one, many;
    {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
        one = sanitized(soup);
    }
    {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 8);
        many = sanitized(soup);
    }
    EXPECT_TRUE(same(one.mesh, many.mesh));
    EXPECT_EQ(one.report.topology.signed_volume, many.report.topology.signed_volume);
}

// --- Degenerate triangles ---

TEST(Degenerate, ExactlyCollinearPointsOfAnyMagnitude) {
    EXPECT_TRUE(is_degenerate({0, 0, 0}, {1, 2, 3}, {2, 4, 6}));
    EXPECT_TRUE(is_degenerate({1e-30F, 0, 0}, {2e-30F, 0, 0}, {1e30F, 0, 0}));
    EXPECT_TRUE(is_degenerate({1, 1, 1}, {1, 1, 1}, {5, 6, 7}));
    EXPECT_FALSE(is_degenerate({0, 0, 0}, {1, 0, 0}, {0, 1e-38F, 0}));
    EXPECT_FALSE(is_degenerate({1e10F, 0, 0}, {2e10F, 0, 0}, {3e10F, 1e-30F, 0}));
}

TEST(Degenerate, RandomPointsOnALineAndOneStepBeside) {
    testing::Draw random(13);
    for (int round = 0; round < 10000; ++round) {
        // Small integers times powers of two: sums are exact.
        const auto draw = [&] { return static_cast<float>(static_cast<int>(random.bits() % 2001) - 1000); };
        const Eigen::Vector3f a(draw(), draw(), draw()), d(draw(), draw(), draw());
        const Eigen::Vector3f b = a + 3 * d, c = a + 7 * d;
        EXPECT_TRUE(is_degenerate(a, b, c)) << "seed 13, round " << round;
        if (d.isZero()) continue;
        Eigen::Vector3f beside = c;
        const Eigen::Index axis = std::abs(d[0]) < std::abs(d[1]) ? 0 : 1;  // not along the line
        beside[axis] = std::nextafter(beside[axis], 1e30F);
        EXPECT_FALSE(is_degenerate(a, b, beside)) << "seed 13, round " << round;
    }
}

// --- Topology ---

TEST(Topology, ClosedTetrahedron) {
    const Topology topology = sanitized(tetrahedron()).report.topology;
    EXPECT_EQ(topology.edges, 6u);
    EXPECT_EQ(topology.euler_characteristic, 2);
    EXPECT_EQ(topology.components, 1u);
    EXPECT_EQ(topology.signed_volume, 1.0 / 6);
    EXPECT_TRUE(topology.closed && topology.balanced && topology.edge_manifold && topology.oriented);
    EXPECT_FALSE(topology.inside_out);
}

TEST(Topology, InsideOut) {
    PolygonSoup soup = tetrahedron();
    for (std::size_t i = 0; i < soup.corners.size(); i += 3) std::swap(soup.corners[i], soup.corners[i + 1]);
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_TRUE(mesh.report.topology.closed);
    EXPECT_TRUE(mesh.report.topology.inside_out);
    EXPECT_TRUE(has(mesh, "S13"));
}

TEST(Topology, OneTriangleTurnedOver) {
    PolygonSoup soup = tetrahedron();
    std::swap(soup.corners[0], soup.corners[1]);
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.report.topology.inconsistent_edges, 3u);
    EXPECT_FALSE(mesh.report.topology.oriented);
    EXPECT_FALSE(mesh.report.topology.closed);
    EXPECT_FALSE(mesh.report.topology.balanced);
    EXPECT_TRUE(has(mesh, "S12"));
}

TEST(Topology, OpenSurface) {
    const SanitizedMesh mesh = sanitized(soup_of(kTetraPoints, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}}));
    EXPECT_EQ(mesh.report.topology.boundary_edges, 3u);
    EXPECT_FALSE(mesh.report.topology.closed);
    EXPECT_EQ(mesh.report.topology.euler_characteristic, 1);
    EXPECT_TRUE(has(mesh, "S10"));
}

TEST(Topology, TwoTetrahedraThatShareAnEdge) {
    PolygonSoup soup = tetrahedron();
    soup.points.emplace_back(-1, 0, 0);
    soup.points.emplace_back(0, -1, 0);
    for (const std::vector<std::uint32_t>& face : Faces{{0, 5, 4}, {0, 4, 3}, {4, 5, 3}, {5, 0, 3}})
        soup.add_polygon(face);
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.report.topology.non_manifold_edges, 1u);
    EXPECT_FALSE(mesh.report.topology.closed);
    EXPECT_TRUE(mesh.report.topology.balanced) << "still bounds a volume";
    EXPECT_EQ(mesh.report.topology.components, 1u);
    EXPECT_TRUE(has(mesh, "S11"));
}

TEST(Topology, ComponentsAreCounted) {
    PolygonSoup soup = tetrahedron();
    for (const auto& point : kTetraPoints) soup.points.push_back(point + Eigen::Vector3d(5, 0, 0));
    for (auto face : kTetraFaces) {
        for (auto& corner : face) corner += 4;
        soup.add_polygon(face);
    }
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.report.topology.components, 2u);
    EXPECT_TRUE(mesh.report.topology.closed);
    EXPECT_TRUE(has(mesh, "S14"));
}

}  // namespace
}  // namespace espalier
