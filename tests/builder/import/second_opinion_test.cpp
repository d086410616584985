// SPDX-License-Identifier: GPL-3.0-or-later
// Our readers and those of CGAL and assimp agree on files that both read: to the last bit, or, where nodes
// are nested, to what float32 transforms leave.
#include "tests/support/second_opinion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "builder/import/import.h"
#include "tests/builder/import/sample_files.h"
#include "tests/support/draw.h"
#include "tests/support/temporary_folder.h"

namespace espalier::testing {
namespace {

/// Extensions that CGAL reads.
const std::set<std::string> kCgal{".obj", ".off", ".ply", ".stl"};

void expect_same(const PolygonSoup& ours, const PolygonSoup& theirs) {
    EXPECT_EQ(ours.points, theirs.points);
    EXPECT_EQ(ours.corners, theirs.corners);
    EXPECT_EQ(ours.first_corner, theirs.first_corner);
}

PolygonSoup imported(const std::filesystem::path& path) {
    auto soup = import_mesh(path);
    if (!soup) throw std::runtime_error(soup.error().message);
    return std::move(soup).value();
}

TEST(SecondOpinion, CgalReadsTheSampleCubeAlike) {
    const TemporaryFolder folder;
    std::size_t compared = 0;
    for (const SampleFile& file : sample_files()) {
        const std::string extension = file.name.substr(file.name.rfind('.'));
        if (!kCgal.contains(extension)) continue;
        SCOPED_TRACE(file.name);
        const auto theirs = soup_by_cgal(extension, file.bytes);
        ASSERT_TRUE(theirs.has_value());
        expect_same(imported(folder.write(file.name, file.bytes)), *theirs);
        ++compared;
    }
    EXPECT_GE(compared, 6u);
}

TEST(SecondOpinion, CgalReadsRealMeshesAlike) {
    std::size_t compared = 0;
    for (const auto& entry : std::filesystem::directory_iterator(ESPALIER_MESHES_DIR)) {
        const std::string extension = entry.path().extension().string();
        if (!kCgal.contains(extension) || entry.file_size() > 2'000'000) continue;
        SCOPED_TRACE(entry.path().filename().string());
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
        const auto ours = import_mesh(entry.path());
        const auto theirs = soup_by_cgal(extension, bytes);
        if (!ours.ok() || !theirs) continue;
        // CGAL loses the corners after a tab or a word that it does not know: such files have no second
        // opinion.
        if (theirs->corners.size() < ours.value().corners.size()) continue;
        expect_same(ours.value(), *theirs);
        ++compared;
    }
    EXPECT_GE(compared, 100u);
}

/// Numbers as exporters write them: many digits, few, whole.
double any_number(Draw& draw) {
    const double value = draw.between(-3, 3);
    return draw.below(3) == 0 ? std::round(value) : draw.coin() ? std::round(1000 * value) / 1000 : value;
}

nlohmann::json numbers(Draw& draw, int count) {
    nlohmann::json list = nlohmann::json::array();
    for (int i = 0; i < count; ++i) list.push_back(any_number(draw));
    return list;
}

nlohmann::json scales(Draw& draw) {
    nlohmann::json list = nlohmann::json::array();
    for (int i = 0; i < 3; ++i) list.push_back(draw.between(0.5, 2) * (draw.coin() ? -1 : 1));
    return list;
}

/// Columns of an affine map that presses nothing flat.
nlohmann::json any_matrix(Draw& draw) {
    const nlohmann::json diagonal = scales(draw);
    nlohmann::json list = numbers(draw, 16);
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3 && column < 3; ++row)
            list[4 * column + row] = row == column ? diagonal[row].get<double>() : draw.between(-0.2, 0.2);
        list[4 * column + 3] = column == 3 ? 1 : 0;
    }
    return list;
}

/// A few nodes below each other, all with the cube.
nlohmann::json any_nodes(Draw& draw) {
    nlohmann::json nodes = nlohmann::json::array();
    for (int i = 0; i < 6; ++i) {
        nlohmann::json node = {{"mesh", 0}};
        if (draw.below(5) == 0) {
            node["matrix"] = any_matrix(draw);
        } else {
            if (draw.coin()) node["translation"] = numbers(draw, 3);
            if (draw.coin()) node["scale"] = scales(draw);
            double q[4];
            draw.quaternion(q);
            const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
            for (double& value : q) value /= length;
            if (draw.coin()) node["rotation"] = {q[0], q[1], q[2], q[3]};
        }
        nodes.push_back(node);
        if (i > 0) nodes[draw.below(static_cast<std::uint64_t>(i))]["children"].push_back(i);
    }
    return nodes;
}

TEST(SecondOpinion, AssimpPlacesNestedInstancesAlike) {
    const TemporaryFolder folder;
    Draw draw(17);
    for (int round = 0; round < 100; ++round) {
        SCOPED_TRACE(round);
        auto json = nlohmann::json::parse(sample_file("embedded.gltf"));
        json["nodes"] = any_nodes(draw);
        json["scenes"] = {{{"nodes", {0}}}};
        json["scene"] = 0;
        const std::string text = json.dump();
        const PolygonSoup ours = imported(folder.write("a.gltf", text));
        EXPECT_EQ(ours.polygon_count(), 6u * 12u);
        const PolygonSoup theirs = soup_by_assimp(".gltf", text);
        EXPECT_EQ(ours.corners, theirs.corners);
        ASSERT_EQ(ours.points.size(), theirs.points.size());
        // Its transforms are float32, ours double.
        double largest = 0;
        for (const auto& point : ours.points) largest = std::max(largest, point.norm());
        for (std::size_t i = 0; i < ours.points.size(); ++i)
            EXPECT_LE((ours.points[i] - theirs.points[i]).norm(), 1e-5 * largest);
    }
}

TEST(SecondOpinion, AssimpDividesStripsAndFansAlike) {
    const TemporaryFolder folder;
    for (const int mode : {4, 5, 6}) {
        for (const bool mirrored : {false, true}) {
            SCOPED_TRACE(mode);
            auto json = nlohmann::json::parse(sample_file("embedded.gltf"));
            json["meshes"][0]["primitives"][0]["mode"] = mode;
            json["nodes"] = {{{"mesh", 0}, {"scale", {mirrored ? -1 : 1, 1, 2}}}};
            json["scenes"] = {{{"nodes", {0}}}};
            const std::string text = json.dump();
            expect_same(imported(folder.write("a.gltf", text)), soup_by_assimp(".gltf", text));
        }
    }
}

}  // namespace
}  // namespace espalier::testing
