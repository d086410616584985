// SPDX-License-Identifier: GPL-3.0-or-later
// Every format and variant gives the surface that was written, transforms, units and quirks included.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "builder/clean/sanitize.h"
#include "builder/import/import.h"
#include "tests/builder/import/sample_files.h"
#include "tests/support/temporary_folder.h"

namespace espalier {
namespace {

// The triangles by position, each starting at its smallest corner, sorted: equal for equal surfaces whatever
// the order.
std::vector<std::array<float, 9>> surface(const TriangleMesh& mesh) {
    std::vector<std::array<float, 9>> result;
    for (const Triangle& triangle : mesh.triangles) {
        std::array<std::array<float, 3>, 3> corners;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t axis = 0; axis < 3; ++axis)
                corners[i][axis] = mesh.positions[triangle[i]][static_cast<Eigen::Index>(axis)];
        std::ranges::rotate(corners, std::ranges::min_element(corners));
        std::array<float, 9> flat;
        for (std::size_t i = 0; i < 9; ++i) flat[i] = corners[i / 3][i % 3];
        result.push_back(flat);
    }
    std::ranges::sort(result);
    return result;
}

SanitizedMesh sanitized(const PolygonSoup& soup) {
    auto mesh = sanitize(soup);
    if (!mesh) throw std::runtime_error(mesh.error().message);
    return std::move(mesh).value();
}

PolygonSoup imported(const std::filesystem::path& path, const ImportOptions& options = {}) {
    auto soup = import_mesh(path, options);
    if (!soup) throw std::runtime_error(soup.error().message);
    return std::move(soup).value();
}

const Finding* find(const std::vector<Finding>& findings, const std::string& number) {
    const auto found = std::ranges::find(findings, number, &Finding::number);
    return found == findings.end() ? nullptr : &*found;
}

class EveryFormat : public ::testing::TestWithParam<SampleFile> {};

TEST_P(EveryFormat, GivesTheSurfaceThatWasWritten) {
    const testing::TemporaryFolder folder;
    const PolygonSoup soup = imported(folder.write(GetParam().name, GetParam().bytes));
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(surface(mesh.mesh), surface(sanitized(sample_cube()).mesh));
    EXPECT_EQ(mesh.mesh.positions.size(), 8u);
    EXPECT_TRUE(mesh.report.topology.closed);
    EXPECT_EQ(mesh.report.topology.signed_volume, 1.0);
    EXPECT_EQ(soup.provenance.source_name, GetParam().name);
    EXPECT_EQ(soup.provenance.size, GetParam().bytes.size());
}

TEST_P(EveryFormat, KeepsQuadranglesWhereTheFormatHasThem) {
    const testing::TemporaryFolder folder;
    const PolygonSoup soup = imported(folder.write(GetParam().name, GetParam().bytes));
    const bool triangles_only = GetParam().name.ends_with(".stl") || GetParam().name.ends_with(".glb") ||
                                GetParam().name.ends_with(".gltf") || GetParam().name.ends_with(".3ds");
    EXPECT_EQ(soup.polygon_count(), triangles_only ? 12u : 6u);
}

TEST_P(EveryFormat, ExtensionMayBeUpperCase) {
    const testing::TemporaryFolder folder;
    std::string name = GetParam().name;
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    EXPECT_GT(imported(folder.write(name, GetParam().bytes)).polygon_count(), 0u);
}

TEST_P(EveryFormat, ScaleIsAppliedAndRecorded) {
    const testing::TemporaryFolder folder;
    const PolygonSoup soup =
        imported(folder.write(GetParam().name, GetParam().bytes), {.scale = 0.25, .unit = "furlong"});
    EXPECT_EQ(sanitized(soup).report.topology.signed_volume, 0.25 * 0.25 * 0.25);
    EXPECT_EQ(soup.scale, 0.25);
    EXPECT_EQ(soup.unit, "furlong");
}

INSTANTIATE_TEST_SUITE_P(Samples, EveryFormat, ::testing::ValuesIn(sample_files()), [](const auto& info) {
    std::string name = info.param.name;
    std::ranges::replace(name, '.', '_');
    return name;
});

TEST(ImportUnits, AreTakenFromTheFileUnlessScaled) {
    const testing::TemporaryFolder folder;
    const auto glb = folder.write("a.glb", sample_file("binary.glb"));
    EXPECT_EQ(imported(glb).unit, "metre");
    EXPECT_EQ(imported(glb, {.scale = 2.0, .unit = {}}).unit, "");
    EXPECT_EQ(imported(glb, {.scale = 1.0, .unit = "foot"}).unit, "foot");
    EXPECT_EQ(imported(folder.write("a.dae", sample_file("plain.dae"))).unit, "metre");
    EXPECT_EQ(imported(folder.write("a.obj", sample_file("plain.obj"))).unit, "");
    const PolygonSoup fbx = imported(folder.write("a.fbx", sample_file("ascii.fbx")));
    EXPECT_EQ(fbx.unit, "centimetre");
    ASSERT_NE(find(fbx.findings, "M04"), nullptr);
    EXPECT_NE(find(fbx.findings, "M04")->message.find("--scale 0.01"), std::string::npos);
}

TEST(ImportUnits, ScaleMustBePositiveAndFinite) {
    const testing::TemporaryFolder folder;
    const auto path = folder.write("a.obj", sample_file("plain.obj"));
    for (const double scale : {0.0, -1.0, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
        const auto soup = import_mesh(path, {.scale = scale, .unit = {}});
        ASSERT_FALSE(soup.ok()) << scale;
        EXPECT_EQ(soup.error().kind, ErrorKind::kUsage);
    }
}

TEST(ImportFbx, UnitIsReportedAndUpAxisIsNotApplied) {
    const testing::TemporaryFolder folder;
    std::string fbx = sample_file("ascii.fbx");
    const auto replace = [&](const std::string& from, const std::string& to) {
        const std::size_t at = fbx.find(from);
        ASSERT_NE(at, std::string::npos) << from;
        fbx.replace(at, from.size(), to);
    };
    replace("P: \"UpAxis\", \"int\", \"Integer\", \"\", 1", "P: \"UpAxis\", \"int\", \"Integer\", \"\", 2");
    replace("P: \"UnitScaleFactor\", \"double\", \"Number\", \"\", 1",
            "P: \"UnitScaleFactor\", \"double\", \"Number\", \"\", 100");
    const PolygonSoup soup = imported(folder.write("a.fbx", fbx));
    EXPECT_EQ(soup.points, imported(folder.write("b.fbx", sample_file("ascii.fbx"))).points);
    EXPECT_EQ(soup.unit, "metre");
    EXPECT_EQ(find(soup.findings, "M04"), nullptr);
}

TEST(ImportCollada, UnitIsAppliedAndUpAxisIsNot) {
    const testing::TemporaryFolder folder;
    std::string dae = sample_file("plain.dae");
    const std::size_t unit = dae.find("<unit ");
    dae.replace(unit, dae.find("/>", unit) + 2 - unit, "<unit name=\"inch\" meter=\"0.5\" />");
    const std::size_t axis = dae.find("<up_axis>");
    dae.replace(axis, dae.find("</up_axis>") - axis, "<up_axis>Z_UP");
    const std::size_t matrix = dae.find("<matrix");
    const std::size_t values = dae.find('>', matrix) + 1;
    dae.replace(values, dae.find('<', values) - values, "1 0 0 0 0 1 0 0 0 0 3 0 0 0 0 1");
    const SanitizedMesh mesh = sanitized(imported(folder.write("a.dae", dae)));
    Eigen::Vector3f upper = mesh.mesh.positions[0];
    for (const auto& position : mesh.mesh.positions) upper = upper.cwiseMax(position);
    EXPECT_EQ(upper, Eigen::Vector3f(0.5F, 0.5F, 1.5F));
}

TEST(ImportDae, BytesAfterTheDocumentAreAFinding) {
    const testing::TemporaryFolder folder;
    std::string bytes = sample_file("plain.dae");
    bytes.resize(bytes.find("</COLLADA>") + 10);
    const std::pair<std::string, std::uint64_t> ends[] = {{"", 0},
                                                          {"\r\n \n", 0},
                                                          {"<!-- a <comment> -->\n", 0},
                                                          {"<?end?>", 0},
                                                          {" 12345", 5},
                                                          {std::string(7, '\0'), 7},
                                                          {"</COLLADA>", 10},
                                                          {"<!-- open", 9}};
    for (const auto& [end, trailing] : ends) {
        SCOPED_TRACE(end);
        const PolygonSoup soup = imported(folder.write("a.dae", bytes + end));
        EXPECT_EQ(soup.polygon_count(), 6u);
        const Finding* finding = find(soup.findings, "M01");
        ASSERT_EQ(finding != nullptr, trailing > 0);
        if (finding != nullptr) EXPECT_EQ(finding->count, trailing);
    }
}

// A glTF scene of the cube in which nodes can be rearranged.
nlohmann::json gltf() {
    return nlohmann::json::parse(sample_file("embedded.gltf"));
}

TEST(ImportGltf, AppliesTransformsOfAllInstances) {
    const testing::TemporaryFolder folder;
    auto json = gltf();
    json["nodes"] = {{{"children", {1, 2}}, {"translation", {10, 0, 0}}},
                     {{"mesh", 0}, {"translation", {0, 5, 0}}},
                     {{"mesh", 0}, {"scale", {2, 2, 2}}, {"children", {3}}},
                     {{"mesh", 0}, {"translation", {0, 0, 2}}}};
    json["scenes"] = {{{"nodes", {0}}}};
    const SanitizedMesh mesh = sanitized(imported(folder.write("a.gltf", json.dump())));
    EXPECT_EQ(mesh.report.triangles, 36u);
    EXPECT_EQ(mesh.report.topology.components, 3u);
    EXPECT_EQ(mesh.report.topology.signed_volume, 1.0 + 8.0 + 8.0);
    Eigen::Vector3f lower = mesh.mesh.positions[0], upper = lower;
    for (const auto& position : mesh.mesh.positions) {
        lower = lower.cwiseMin(position);
        upper = upper.cwiseMax(position);
    }
    EXPECT_EQ(lower, Eigen::Vector3f(10, 0, 0));
    EXPECT_EQ(upper, Eigen::Vector3f(12, 6, 6));
}

TEST(ImportGltf, MirroredInstancesKeepFacingOutward) {
    const testing::TemporaryFolder folder;
    auto json = gltf();
    json["nodes"] = {{{"mesh", 0}, {"scale", {-1, 1, 1}}}};
    json["scenes"] = {{{"nodes", {0}}}};
    EXPECT_EQ(sanitized(imported(folder.write("a.gltf", json.dump()))).report.topology.signed_volume, 1.0);
}

TEST(ImportGltf, OnlyTheDefaultSceneIsRead) {
    const testing::TemporaryFolder folder;
    auto json = gltf();
    json["nodes"] = {{{"mesh", 0}}, {{"mesh", 0}, {"translation", {9, 9, 9}}}};
    json["scenes"] = {{{"nodes", {0, 1}}}, {{"nodes", {1}}}};
    json["scene"] = 1;
    EXPECT_EQ(imported(folder.write("a.gltf", json.dump())).polygon_count(), 12u);
}

TEST(ImportGltf, ReadsExternalBuffersBesideTheFile) {
    const testing::TemporaryFolder folder;
    auto json = gltf();
    const std::string glb = sample_file("binary.glb");
    // The binary chunk is the last one, with the same layout as the embedded buffer.
    const auto length = json["buffers"][0]["byteLength"].get<std::size_t>();
    folder.write("my data.bin", std::string_view(glb).substr(glb.size() - (length + 3) / 4 * 4));
    json["buffers"][0]["uri"] = "my%20data.bin";
    const PolygonSoup soup = imported(folder.write("a.gltf", json.dump()));
    EXPECT_EQ(sanitized(soup).report.topology.signed_volume, 1.0);

    std::filesystem::remove(folder.path() / "my data.bin");
    const auto missing = import_mesh(folder.path() / "a.gltf");
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.error().kind, ErrorKind::kInputOutput);
    EXPECT_NE(missing.error().message.find("my%20data.bin"), std::string::npos) << missing.error().message;
}

TEST(ImportGltf, StripsAndFansAndUnindexedTriangles) {
    const testing::TemporaryFolder folder;
    auto json = gltf();
    json["meshes"][0]["primitives"][0].erase("indices");
    json["meshes"][0]["primitives"][0]["mode"] = 5;  // eight positions: six triangles
    EXPECT_EQ(imported(folder.write("strip.gltf", json.dump())).polygon_count(), 6u);
    json["meshes"][0]["primitives"][0]["mode"] = 6;
    EXPECT_EQ(imported(folder.write("fan.gltf", json.dump())).polygon_count(), 6u);
}

TEST(ImportGltf, InterleavedPositionsAreRead) {
    const testing::TemporaryFolder folder;
    auto json = gltf();
    // Three floats of position and one of anything else; of the last vertex, the position alone.
    std::string bytes;
    for (int i = 0; i < 3; ++i)
        for (const float value : {float(i == 1), float(i == 2), 0.0F, 9.0F})
            bytes.append(reinterpret_cast<const char*>(&value), 4);
    bytes.resize(bytes.size() - 4);
    folder.write("a.bin", bytes);
    json["buffers"] = {{{"byteLength", bytes.size()}, {"uri", "a.bin"}}};
    json["bufferViews"] = {{{"buffer", 0}, {"byteLength", bytes.size()}, {"byteStride", 16}}};
    json["accessors"] = {{{"bufferView", 0}, {"componentType", 5126}, {"count", 3}, {"type", "VEC3"}}};
    json["meshes"] = {{{"primitives", {{{"attributes", {{"POSITION", 0}}}}}}}};
    json["nodes"] = {{{"mesh", 0}}};
    json["scenes"] = {{{"nodes", {0}}}};
    const PolygonSoup soup = imported(folder.write("a.gltf", json.dump()));
    ASSERT_EQ(soup.points.size(), 3u);
    EXPECT_EQ(soup.points[1], Eigen::Vector3d(1, 0, 0));
    EXPECT_EQ(soup.points[2], Eigen::Vector3d(0, 1, 0));
}

TEST(ImportGltf, MeshesOutsideOfTheSceneDoNotMatter) {
    const testing::TemporaryFolder folder;
    auto json = gltf();
    json["meshes"].push_back(json["meshes"][0]);
    EXPECT_EQ(imported(folder.write("a.gltf", json.dump())).polygon_count(), 12u);
}

TEST(ImportGltf, PointsAndLinesAreLeftOutAndReported) {
    const testing::TemporaryFolder folder;
    auto json = gltf();
    auto lines = json["meshes"][0]["primitives"][0];
    lines["mode"] = 1;
    json["meshes"][0]["primitives"].push_back(lines);
    const PolygonSoup soup = imported(folder.write("a.gltf", json.dump()));
    EXPECT_EQ(soup.polygon_count(), 12u);
    EXPECT_NE(find(soup.findings, "M03"), nullptr);
}

// --- Quirks of text formats that real files have ---

PolygonSoup import_text(const std::string& name, const std::string& text) {
    const testing::TemporaryFolder folder;
    return imported(folder.write(name, text));
}

TEST(ImportObj, TabsSlashesCommentsContinuationsAndNegativeIndices) {
    const PolygonSoup soup =
        import_text("a.obj",
                    "\xEF\xBB\xBF# a comment\r\n"
                    "mtllib x.mtl\r\no thing\r\n\r\n"
                    "v\t0 0 0\r\nv 1 0 0 1.0\r\nv 1 1 0 0.5 0.5 0.5 # colour\r\nv 0 1 \\\r\n0\r\n"
                    "vn 0 0 1\r\nvt 0 0\r\n"
                    "f 1/1/1\t2//1\t3/1 4\r\n"
                    "f -4 -3 \\\r\n-2\r\n"
                    "l 1 2\r\np 1\r\n");
    ASSERT_EQ(soup.polygon_count(), 2u);
    EXPECT_EQ(std::vector<std::uint32_t>(soup.polygon(0).begin(), soup.polygon(0).end()),
              (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(std::vector<std::uint32_t>(soup.polygon(1).begin(), soup.polygon(1).end()),
              (std::vector<std::uint32_t>{0, 1, 2}));
    EXPECT_EQ(soup.points[3], Eigen::Vector3d(0, 1, 0));
    ASSERT_NE(find(soup.findings, "M03"), nullptr);
    EXPECT_EQ(find(soup.findings, "M03")->count, 2u);
}

TEST(ImportObj, OldMacLineEndsAndForwardReferences) {
    EXPECT_EQ(import_text("a.obj", "f 1 2 3\rv 0 0 0\rv 1 0 0\rv 0 1 0\r").polygon_count(), 1u);
}

TEST(ImportObj, MissingFinalNewlineIsReported) {
    const PolygonSoup soup = import_text("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3");
    EXPECT_EQ(soup.polygon_count(), 1u);
    EXPECT_NE(find(soup.findings, "M02"), nullptr);
}

TEST(ImportObj, NumbersInAllSpellings) {
    const PolygonSoup soup = import_text("a.obj", "v +1 -.5 2.\nv 1e2 1E+2 1e-2\nv 1e-400 0 0\nf 1 2 3\n");
    EXPECT_EQ(soup.points[0], Eigen::Vector3d(1, -0.5, 2));
    EXPECT_EQ(soup.points[1], Eigen::Vector3d(100, 100, 0.01));
    EXPECT_EQ(soup.points[2], Eigen::Vector3d(0, 0, 0));
}

TEST(ImportObj, NonFiniteCoordinatesArriveAsSuch) {
    const PolygonSoup soup = import_text("a.obj", "v nan 0 0\nv 1 -inf 0\nv 0 1 1e999\nv 1 2 3\nf 1 2 3\n");
    EXPECT_FALSE(soup.points[0].allFinite());
    EXPECT_FALSE(soup.points[1].allFinite());
    EXPECT_FALSE(soup.points[2].allFinite());
    EXPECT_TRUE(soup.points[3].allFinite());
}

TEST(ImportObj, TenMegabytesInOneLineAreNoProblem) {
    const std::string head = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    EXPECT_EQ(import_text("comment.obj", head + "# " + std::string(10'000'000, 'x')).polygon_count(), 1u);
    EXPECT_EQ(import_text("name.obj", head + "o " + std::string(10'000'000, 'x') + "\n").polygon_count(), 1u);
    const std::string digits = "v 0." + std::string(10'000'000, '3') + " 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    EXPECT_EQ(import_text("digits.obj", digits).points[0].x(), 1.0 / 3);
}

TEST(ImportOff, HeaderVariants) {
    const std::string points = "0 0 0\n1 0 0\n0 1 0\n", face = "3 0 1 2\n";
    for (const char* header : {"OFF\n3 1 0\n", "OFF 3 1 0\n", "OFF3 1 0\n", "# hello\nOFF # x\n\n# y\n3 1\n",
                               "OFF\n3\n1\n0\n", "OFF\r\n3 1 0\r\n"}) {
        SCOPED_TRACE(header);
        EXPECT_EQ(import_text("a.off", header + points + face).polygon_count(), 1u);
    }
}

TEST(ImportOff, ColoursNormalsAndTextureCoordinatesAreSkipped) {
    // The second vertex has no colour: CGAL's reader on its own would read out of bounds.
    const PolygonSoup soup = import_text(
        "a.off",
        "STCNOFF\n3 2 0\n0 0 0 0 0 1 255 0 0 255\n1 0 0\n0 1 0 9 9 9\n3 0 1 2 0.5 0.5 0.5\n3 0 2 1\n");
    EXPECT_EQ(soup.polygon_count(), 2u);
    EXPECT_EQ(soup.points[2], Eigen::Vector3d(0, 1, 0));
}

TEST(ImportOff, FacesOfTwoCornersAreKeptForSanitize) {
    const PolygonSoup soup = import_text("a.off", "OFF\n3 3 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n3 0 1 2\n0\n");
    EXPECT_EQ(soup.polygon_count(), 3u);
    const SanitizedMesh mesh = sanitized(soup);
    EXPECT_EQ(mesh.report.degenerate_polygons, 2u);
    EXPECT_EQ(mesh.report.triangles, 1u);
}

TEST(ImportStl, BinaryThatStartsWithSolidIsStillBinary) {
    std::string stl = sample_file("binary.stl");
    stl.replace(0, 6, "solid ");
    EXPECT_EQ(import_text("a.stl", stl).polygon_count(), 12u);
}

TEST(ImportStl, AsciiInUpperCaseWithOddNamesAndSeveralSolids) {
    const std::string facet =
        "FACET NORMAL nan nan nan OUTER LOOP\nVERTEX 0 0 0 VERTEX 1 0 0\nVERTEX 0 1 0\nENDLOOP ENDFACET\n";
    EXPECT_EQ(import_text("a.stl", "SOLID solid facet endsolid\n" + facet + "ENDSOLID x\nsolid\n" + facet +
                                       "endsolid y\n")
                  .polygon_count(),
              2u);
}

TEST(ImportStl, TrailingBytesAreReported) {
    const PolygonSoup soup = import_text("a.stl", sample_file("binary.stl") + "tail");
    EXPECT_EQ(soup.polygon_count(), 12u);
    ASSERT_NE(find(soup.findings, "M01"), nullptr);
    EXPECT_EQ(find(soup.findings, "M01")->count, 4u);
}

TEST(ImportStl, NotANumberInBinaryIsNotLost) {
    std::string stl = sample_file("binary.stl");
    for (int i = 0; i < 4; ++i) stl[84 + 50 * 7 + 12 + static_cast<std::size_t>(i)] = '\xFF';
    const auto mesh = sanitize(import_text("a.stl", stl));
    ASSERT_FALSE(mesh.ok());
    EXPECT_NE(mesh.error().message.find("face 7"), std::string::npos) << mesh.error().message;
}

const char* const kAsciiPly =
    "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex 3\nproperty float x\nproperty uchar "
    "red\nproperty double y\n"
    "property float32 z\nelement thing 1\nproperty list uchar float values\nelement face 1\nproperty uint8 "
    "flag\n"
    "property list uchar int vertex_index\nend_header\n0 255 0 0\n1 0 0 0\n0 7 1 nan\n2 0.5 1e9\n3 3 0 1 2\n";

TEST(ImportPly, OtherElementsAndPropertiesAreSkipped) {
    const PolygonSoup soup = import_text("a.ply", kAsciiPly);
    ASSERT_EQ(soup.polygon_count(), 1u);
    EXPECT_EQ(soup.points[1], Eigen::Vector3d(1, 0, 0));
    EXPECT_EQ(soup.points[2].y(), 1);
    EXPECT_FALSE(soup.points[2].allFinite());
}

TEST(ImportPly, AnyNumberTypeWillDoInText) {
    const PolygonSoup soup = import_text(
        "a.ply",
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty short x\nproperty int y\nproperty float "
        "z\nelement face 1\n"
        "property list int uchar vertex_indices\nend_header\n-5 0 1e39\n1 0 0\n0 100000 0\n3 0 1 2");
    EXPECT_EQ(soup.points[0], Eigen::Vector3d(-5, 0, 1e39));
    EXPECT_EQ(soup.points[2].y(), 100000);
    EXPECT_EQ(soup.polygon(0)[2], 2u);
    EXPECT_NE(find(soup.findings, "M02"), nullptr);
}

TEST(ImportPly, WindowsLineEndsInHeaderAndBody) {
    std::string text;
    for (const char c : std::string_view(kAsciiPly))
        text += c == '\n' ? std::string("\r\n") : std::string(1, c);
    EXPECT_EQ(import_text("a.ply", text).polygon_count(), 1u);
}

TEST(ImportPly, BigEndian) {
    std::string ply =
        "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
        "property float z\nelement face 1\nproperty list uchar uint vertex_indices\nend_header\n";
    const std::string zero(4, '\0'), one("\x3f\x80\0\0", 4);
    ply += zero + zero + zero + one + zero + zero + zero + one + zero;
    ply += std::string("\x03\0\0\0\0\0\0\0\1\0\0\0\2", 13);
    const PolygonSoup soup = import_text("a.ply", ply);
    EXPECT_EQ(soup.points[1], Eigen::Vector3d(1, 0, 0));
    EXPECT_EQ(soup.polygon(0)[2], 2u);
}

TEST(ImportProvenance, HashesTheFile) {
    const PolygonSoup soup = import_text("abc.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    // sha256sum of that text.
    EXPECT_EQ(to_hex(soup.provenance.sha256),
              "697b00ab13410c52a542d2e9c63711fcc04e9cbf6c0d3439a9b43cc812e6e713");
    EXPECT_EQ(soup.provenance.source_name, "abc.obj");
}

}  // namespace
}  // namespace espalier
