// SPDX-License-Identifier: GPL-3.0-or-later
// Every mesh of Debian's libcgal-demo is imported and sanitized, or refused for the reason that is listed
// here.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "builder/clean/degenerate.h"
#include "builder/clean/sanitize.h"
#include "builder/import/import.h"

namespace espalier {
namespace {

// Those that are refused, and why.
const std::map<std::string, std::string> kRefused{
    {"b9.ply", "the file has no faces (22300 vertices); a surface is needed"},  // a point cloud
};

std::vector<std::filesystem::path> real_meshes() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(ESPALIER_MESHES_DIR)) {
        const std::string extension = entry.path().extension().string();
        if (!extension.empty() && supported_extensions().find(extension) != std::string::npos)
            paths.push_back(entry.path());
    }
    std::ranges::sort(paths);
    return paths;
}

TEST(RealMeshes, AreAllThere) {
    EXPECT_GE(real_meshes().size(), 140u) << "run corpus/fetch " << ESPALIER_MESHES_DIR;
}

TEST(RealMeshes, AreSanitizedOrRefusedForTheListedReason) {
    std::size_t refused = 0;
    for (const auto& path : real_meshes()) {
        const std::string name = path.filename().string();
        SCOPED_TRACE(name);
        const auto soup = import_mesh(path);
        const auto mesh = soup ? sanitize(soup.value()) : Result<SanitizedMesh>(soup.error());
        const auto expected = kRefused.find(name);
        if (expected != kRefused.end()) {
            ++refused;
            ASSERT_FALSE(mesh.ok());
            EXPECT_EQ(mesh.error().kind, ErrorKind::kInvalidInput);
            EXPECT_EQ(mesh.error().message, expected->second);
            continue;
        }
        ASSERT_TRUE(mesh.ok()) << mesh.error().message;
        EXPECT_EQ(mesh.value().report.crossing_polygons, 0u);
        const TriangleMesh& triangles = mesh.value().mesh;
        for (const auto& [a, b, c] : triangles.triangles)
            EXPECT_FALSE(
                is_degenerate(triangles.positions[a], triangles.positions[b], triangles.positions[c]));
        // What float32 cannot hold is far below what anyone can see.
        Eigen::Vector3f lower = triangles.positions[0], upper = lower;
        for (const auto& position : triangles.positions) {
            lower = lower.cwiseMin(position);
            upper = upper.cwiseMax(position);
        }
        EXPECT_LE(mesh.value().report.largest_rounding, 3e-7 * static_cast<double>((upper - lower).norm()));
    }
    EXPECT_EQ(refused, kRefused.size());
}

// Independent figures, read off the files with other tools: counts of the header, and known genera.
TEST(RealMeshes, KnownFacts) {
    struct Fact {
        const char* name;
        std::uint64_t vertices, triangles;
        std::int64_t euler;
        bool closed;
    };
    for (const Fact& fact :
         {Fact{"rotor.off", 600, 1200, 0, true}, Fact{"elephant.off", 2775, 5558, -4, true},
          Fact{"cube_quad.off", 8, 12, 2, true}, Fact{"anchor.off", 519, 1050, -6, true}}) {
        SCOPED_TRACE(fact.name);
        const auto soup = import_mesh(std::filesystem::path(ESPALIER_MESHES_DIR) / fact.name);
        ASSERT_TRUE(soup.ok());
        const auto mesh = sanitize(soup.value());
        ASSERT_TRUE(mesh.ok());
        EXPECT_EQ(mesh.value().report.vertices, fact.vertices);
        EXPECT_EQ(mesh.value().report.triangles, fact.triangles);
        EXPECT_EQ(mesh.value().report.topology.euler_characteristic, fact.euler);
        EXPECT_EQ(mesh.value().report.topology.closed, fact.closed);
    }
}

}  // namespace
}  // namespace espalier
