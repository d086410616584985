// SPDX-License-Identifier: GPL-3.0-or-later
// Ugly files that are well formed, and whose triangles are the trouble.
#include <limits>
#include <string>
#include <utility>

#include "corpus/box.h"
#include "corpus/icosphere.h"
#include "corpus/torus.h"
#include "corpus/ugly_files.h"
#include "corpus/write_mesh.h"

namespace espalier::corpus {
namespace {

TriangleMesh ball() {
    return make_icosphere({1.0, 2});
}  // 320 triangles

TriangleMesh scaled(TriangleMesh mesh, float factor) {
    for (Eigen::Vector3f& p : mesh.positions) p *= factor;
    return mesh;
}

TriangleMesh sheet(std::uint32_t cells) {
    TriangleMesh mesh;
    for (std::uint32_t i = 0; i <= cells; ++i)
        for (std::uint32_t j = 0; j <= cells; ++j) mesh.positions.emplace_back(float(i), float(j), 0.0F);
    for (std::uint32_t i = 0; i < cells; ++i)
        for (std::uint32_t j = 0; j < cells; ++j) {
            const std::uint32_t a = i * (cells + 1) + j, b = a + cells + 1;
            mesh.triangles.push_back({a, b, b + 1});
            mesh.triangles.push_back({a, b + 1, a + 1});
        }
    return mesh;
}

TriangleMesh open_ball() {
    TriangleMesh mesh = ball();
    mesh.triangles.resize(mesh.triangles.size() - 20);
    return mesh;
}

// A cube and a fin that stands on one of its edges: three triangles share that edge.
TriangleMesh cube_with_fin() {
    TriangleMesh mesh = make_box();
    const Triangle t = mesh.triangles[0];
    mesh.positions.emplace_back(-3.0F, -3.0F, -3.0F);
    mesh.triangles.push_back({t[0], t[1], static_cast<std::uint32_t>(mesh.positions.size() - 1)});
    return mesh;
}

// Two tetrahedra that share nothing but one vertex.
TriangleMesh hourglass() {
    TriangleMesh mesh;
    mesh.positions = {{0, 0, 0}, {1, 0, 1}, {-1, 1, 1}, {-1, -1, 1}, {1, 0, -1}, {-1, 1, -1}, {-1, -1, -1}};
    mesh.triangles = {{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {4, 6, 5}, {0, 4, 5}, {0, 5, 6}, {0, 6, 4}};
    return mesh;
}

TriangleMesh turned_over(TriangleMesh mesh, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
    return mesh;
}

// Every vertex in the first box sees the second run through it.
TriangleMesh crossing_boxes() {
    TriangleMesh mesh = make_box({{1.0, 1.0, 1.0}, 2});
    append(mesh, make_box({{0.5, 0.5, 3.0}, 2}));
    return mesh;
}

TriangleMesh doubled_faces() {
    TriangleMesh mesh = ball();
    const std::vector<Triangle> once = mesh.triangles;
    for (std::size_t i = 0; i < 100; ++i) mesh.triangles.push_back({once[i][1], once[i][2], once[i][0]});
    return mesh;
}

TriangleMesh two_sided_sheet() {
    TriangleMesh mesh = sheet(5);
    TriangleMesh back = turned_over(mesh, mesh.triangles.size());
    mesh.triangles.insert(mesh.triangles.end(), back.triangles.begin(), back.triangles.end());
    return mesh;
}

// A fan of triangles 1 long and 1e-6 high, well inside what float32 can tell apart.
TriangleMesh slivers() {
    TriangleMesh mesh;
    mesh.positions.emplace_back(0.0F, 0.0F, 0.0F);
    for (int i = 0; i <= 200; ++i) mesh.positions.emplace_back(1.0F, float(i) * 1e-6F, 0.0F);
    for (std::uint32_t i = 1; i <= 200; ++i) mesh.triangles.push_back({0, i, i + 1});
    return mesh;
}

// Collinear and collapsed triangles among good ones; each spans a hair's breadth of nothing.
TriangleMesh some_degenerate() {
    TriangleMesh mesh = ball();
    const auto n = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.emplace_back(2.0F, 0.0F, 0.0F);
    mesh.positions.emplace_back(3.0F, 0.0F, 0.0F);
    mesh.positions.emplace_back(4.0F, 0.0F, 0.0F);
    mesh.triangles.push_back({n, n + 1, n + 2});
    mesh.triangles.push_back({n, n + 1, n + 1});
    mesh.triangles.push_back({n, n, n});
    return mesh;
}

TriangleMesh all_degenerate() {
    TriangleMesh mesh;
    for (int i = 0; i < 30; ++i) mesh.positions.emplace_back(float(i), float(2 * i), float(-i));
    for (std::uint32_t i = 0; i + 2 < 30; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
    return mesh;
}

TriangleMesh with_coordinate(float value) {
    TriangleMesh mesh = ball();
    mesh.positions[7].y() = value;
    return mesh;
}

TriangleMesh with_unused_vertices(float value) {
    TriangleMesh mesh = ball();
    for (int i = 0; i < 9; ++i) mesh.positions.emplace_back(5.0F, value, 5.0F);
    return mesh;
}

// Written in decimals, because float32 cannot hold it: at 1e7 its steps are as large as the ball.
std::string far_ball() {
    std::string vertices, faces;
    const TriangleMesh mesh = ball();
    for (const Eigen::Vector3f& p : mesh.positions) {
        vertices += 'v';
        for (int i = 0; i < 3; ++i) (vertices += ' ') += std::to_string(1e7 + 0.5 * double(p[i]));
        vertices += '\n';
    }
    for (const Triangle& t : mesh.triangles) {
        faces += 'f';
        for (const std::uint32_t corner : t) (faces += ' ') += std::to_string(corner + 1);
        faces += '\n';
    }
    return vertices + faces;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr const char* kOpen = "open|not closed|boundary";
constexpr const char* kNotFinite = "vertex.*\\d|\\d.*vertex|facet.*\\d|face.*\\d";

std::vector<UglyFile> connectivity() {
    return {
        {"open.off", "a ball with a hole of 20 triangles", 0, kOpen, 300, [] { return to_off(open_ball()); }},
        {"one-triangle.off", "a single triangle", 0, kOpen, 1,
         [] { return std::string("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"); }},
        {"flat-sheet.off", "a sheet in the plane z = 0: the bounds have no thickness", 0, kOpen, 200,
         [] { return to_off(sheet(10)); }},
        {"two-sided-sheet.off", "a flat sheet, each triangle twice, front and back", 0,
         "duplicate|opposite|same corners", 50, [] { return to_off(two_sided_sheet()); }},
        {"non-manifold-edge.off", "a cube with a fin on an edge", 0, "manifold", 13,
         [] { return to_off(cube_with_fin()); }},
        {"non-manifold-vertex.off", "two tetrahedra joined at a vertex", 0, "", 8,
         [] { return to_off(hourglass()); }},
        {"inside-out.off", "a ball whose triangles face inward", 0, "inside.?out|inward", 320,
         [] { return to_off(turned_over(ball(), 320)); }},
        {"partly-turned-over.off", "a ball of which 40 triangles face inward", 0, "orient|consisten|opposite",
         320, [] { return to_off(turned_over(ball(), 40)); }},
        {"self-intersecting-parts.off", "two boxes that run through each other", 0, "", 96,
         [] { return to_off(crossing_boxes()); }},
        {"self-intersecting-torus.off", "a torus whose tube is wider than its hole", 0, "", 800,
         [] {
             return to_off(make_torus({1.0, 1.5, 20, 20}));
         }},
        {"duplicate-faces.off", "a ball with 100 triangles listed twice", 0, "duplicate", 320,
         [] { return to_off(doubled_faces()); }},
        {"unused-vertices.off", "nine vertices that no face uses", 0, "unreferenced|unused", 320,
         [] { return to_off(with_unused_vertices(0.0F)); }},
        {"two-parts.stl", "triangles that share no vertex, as in every STL file", 0, "", 24,
         [] {
             TriangleMesh mesh = make_box();
             append(mesh, scaled(make_box(), 3.0F));
             return to_stl(mesh);
         }},
    };
}

std::vector<UglyFile> size_and_value() {
    return {
        {"sliver-faces.off", "200 triangles of length 1 and height 1e-6", 0, kOpen, 200,
         [] { return to_off(slivers()); }},
        {"degenerate-faces.off", "three triangles without area among good ones", 0, "degenerate|area", 320,
         [] { return to_off(some_degenerate()); }},
        {"all-degenerate.off", "no triangle has an area", 3, "degenerate|area|nothing|no triangle", 0,
         [] { return to_off(all_degenerate()); }},
        {"all-degenerate.stl", "no triangle has an area", 3, "degenerate|area|nothing|no triangle", 0,
         [] { return to_stl(all_degenerate()); }},
        {"nan.off", "a coordinate is nan", 3, kNotFinite, 0, [] { return to_off(with_coordinate(kNan)); }},
        {"nan.obj", "a coordinate is nan", 3, kNotFinite, 0, [] { return to_obj(with_coordinate(kNan)); }},
        {"nan.stl", "a coordinate is NaN, in binary", 3, kNotFinite, 0,
         [] { return to_stl(with_coordinate(kNan)); }},
        {"nan.ply", "a coordinate is NaN, in binary", 3, kNotFinite, 0,
         [] { return to_ply(with_coordinate(kNan)); }},
        {"inf.off", "a coordinate is inf", 3, kNotFinite, 0,
         [] { return to_off(with_coordinate(kInfinity)); }},
        {"inf.obj", "a coordinate is -inf", 3, kNotFinite, 0,
         [] { return to_obj(with_coordinate(-kInfinity)); }},
        {"inf.stl", "a coordinate is infinite, in binary", 3, kNotFinite, 0,
         [] { return to_stl(with_coordinate(kInfinity)); }},
        {"inf.ply", "a coordinate is infinite, in binary", 3, kNotFinite, 0,
         [] { return to_ply(with_coordinate(kInfinity)); }},
        {"nan-in-unused-vertex.ply", "only vertices that no face uses are NaN", 0, "unreferenced|unused", 320,
         [] { return to_ply(with_unused_vertices(kNan)); }},
        {"huge-1e30.off", "coordinates of 1e30: squares overflow float32", 3, "large|big|huge|scale", 0,
         [] { return to_off(scaled(ball(), 1e30F)); }},
        {"huge-1e30.stl", "coordinates of 1e30: squares overflow float32", 3, "large|big|huge|scale", 0,
         [] { return to_stl(scaled(ball(), 1e30F)); }},
        {"beyond-float32.obj", "coordinates of 1e39 are no float32", 3, "large|big|huge|scale|float", 0,
         [] { return std::string("v 0 0 0\nv 1e39 0 0\nv 0 1e39 0\nf 1 2 3\n"); }},
        {"tiny-1e-30.off", "coordinates of 1e-30: squares vanish in float32", 3, "small|tiny|scale", 0,
         [] { return to_off(scaled(ball(), 1e-30F)); }},
        {"tiny-1e-30.stl", "coordinates of 1e-30: squares vanish in float32", 3, "small|tiny|scale", 0,
         [] { return to_stl(scaled(ball(), 1e-30F)); }},
        {"large-1e9.off", "a ball of radius 1e9", 0, "", 320, [] { return to_off(scaled(ball(), 1e9F)); }},
        {"small-1e-9.off", "a ball of radius 1e-9", 0, "", 320, [] { return to_off(scaled(ball(), 1e-9F)); }},
        {"far-from-origin.obj", "a ball of diameter 1 at a distance of 1e7 on each axis", 0,
         "recent|origin|far|precision|round", 320, far_ball},
        {"thin-link.stl", "a link of 300 mm by 0.4 mm by 0.2 mm, in metres", 0, "", 192,
         [] {
             return to_stl(make_box({{0.15, 0.0002, 0.0001}, 4}));
         }},
        {"thin-link-scaled.off", "a link of a robot at a scale of 0.001, its vertices 1e-7 apart", 0, "", 192,
         [] {
             return to_off(scaled(make_box({{0.15, 0.0002, 0.0001}, 4}), 0.001F));
         }},
    };
}

}  // namespace

std::vector<UglyFile> ugly_geometry() {
    std::vector<UglyFile> files = connectivity();
    for (UglyFile& file : size_and_value()) files.push_back(std::move(file));
    return files;
}

}  // namespace espalier::corpus
