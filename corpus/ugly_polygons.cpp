// SPDX-License-Identifier: GPL-3.0-or-later
// Ugly files whose faces are not plain triangles: concave, crossing, repeating or pointless polygons.
#include "corpus/ugly_files.h"
#include "corpus/unit_circle.h"

namespace espalier::corpus {
namespace {

void add_vertex(std::string& out, const Eigen::Vector2d& p, int z) {
    out += 'v';
    for (const double value : {p.x(), p.y(), double(z)}) (out += ' ') += std::to_string(value);
    out += '\n';
}

void add_face(std::string& out, const std::vector<std::size_t>& corners) {
    out += 'f';
    for (const std::size_t corner : corners) (out += ' ') += std::to_string(corner + 1);
    out += '\n';
}

// A prism over a simple polygon in the plane, its two ends as one polygon each.
std::string prism(const std::vector<Eigen::Vector2d>& outline) {
    const std::size_t n = outline.size();
    std::string out;
    for (const int z : {0, 1})
        for (const Eigen::Vector2d& p : outline) add_vertex(out, p, z);
    std::vector<std::size_t> lower(n), upper(n);
    for (std::size_t i = 0; i < n; ++i) {
        lower[i] = n - 1 - i;
        upper[i] = n + i;
    }
    add_face(out, lower);
    add_face(out, upper);
    for (std::size_t i = 0; i < n; ++i) add_face(out, {i, (i + 1) % n, n + (i + 1) % n, n + i});
    return out;
}

std::string star_prism() {
    std::vector<Eigen::Vector2d> star;
    star.reserve(24);
    for (int i = 0; i < 24; ++i) star.push_back(unit_circle(i, 24) * (i % 2 ? 0.2 : 1.0));
    return prism(star);
}

std::string disc(std::size_t corners) {
    std::string out;
    std::vector<std::size_t> all(corners);
    for (std::size_t i = 0; i < corners; ++i) {
        add_vertex(out,
                   unit_circle(static_cast<std::int64_t>(i), static_cast<std::int64_t>(corners)) * 1000.0, 0);
        all[i] = i;
    }
    add_face(out, all);
    return out;
}

// A plate in the plane with the corners 1 to 6, and the given lines of faces.
std::string plate(const std::string& faces) {
    return "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\n" + faces;
}

}  // namespace

std::vector<UglyFile> ugly_polygons() {
    return {
        {"polygon-concave.obj", "a prism over an L: its ends are concave polygons", 0, "", 20,
         [] {
             return prism({{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}});
         }},
        {"polygon-star.obj", "a prism over a star of 12 spikes", 0, "", 92, star_prism},
        {"polygon-collinear.obj", "a square with extra corners on its sides", 0, "", -1,
         [] {
             return prism({{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}});
         }},
        {"polygon-crossing.obj", "a quadrilateral like a bow tie", 0, "cross|intersect", -1,
         [] { return plate("f 1 2 4 3\n"); }},
        {"polygon-not-planar.obj", "a quadrilateral bent by a right angle", 0, "", 2,
         [] { return std::string("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 0 1\nf 1 2 3 4\n"); }},
        {"polygon-repeated-vertex.obj", "a face that names one vertex twice in a row", 0, "", 2,
         [] { return plate("f 1 2 2 3 4\n"); }},
        {"polygon-pinched.obj", "a face that comes back to a vertex", 0, "", -1,
         [] { return plate("f 1 2 5 6 2 3 4\n"); }},
        {"polygon-two-corners.off", "a face with two corners beside a good one", 0, "degenerate|corner", 1,
         [] { return std::string("OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n"); }},
        {"polygon-all-same.obj", "a face that names the same vertex four times beside a good one", 0,
         "degenerate|corner", 2, [] { return plate("f 1 1 1 1\nf 1 2 3 4\n"); }},
        {"polygon-many-corners.obj", "a face of 5,000 corners: a disc", 0, "", 4998,
         [] { return disc(5000); }},
    };
}

}  // namespace espalier::corpus
