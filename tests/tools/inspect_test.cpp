// SPDX-License-Identifier: GPL-3.0-or-later
// espalier dump and espalier check on sound, damaged and foreign files.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "builder/asset/aligned_bytes.h"
#include "espalier/asset.h"
#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;

class Inspect : public ::testing::Test {
  protected:
    void SetUp() override {
        asset_ = folder_ / "torus.espl";
        bake_text(corpus_off("torus", 2000), ".off", asset_, {"--trees", "box,aabb"});
    }

    /// The asset with one byte of its first aabb node changed and a checksum that fits.
    std::string with_shrunken_box() {
        std::string bytes = read_text(asset_);
        const AlignedBytes aligned({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        Asset asset;
        ShapeView part;
        EXPECT_EQ(open(aligned.data(), aligned.size(), Verify::kNone, &asset), Status::kOk);
        EXPECT_EQ(asset.part(0, &part), Status::kOk);
        const std::uint8_t* upper_side = &part.aabb.nodes[0].hi[0];
        bytes[static_cast<std::size_t>(upper_side - aligned.data())] = 1;
        reseal(bytes);
        return bytes;
    }

    TemporaryFolder folder_;
    std::string asset_;
};

TEST_F(Inspect, DumpTextNamesProvenancePartsAndTrees) {
    const CommandResult result = espalier({"dump", asset_});
    EXPECT_EQ(result.exit_code, 0);
    for (const char* text :
         {"mesh.off", "builder revision", "checksum", "2000 triangles", "closed", "aabb tree: depth",
          "box tree: depth", "bytes a triangle", "triangles in leaf", "aabb nodes"})
        EXPECT_NE(result.output.find(text), std::string::npos) << text;
}

TEST_F(Inspect, DumpJsonCountsAddUp) {
    const json dump = json::parse(espalier({"dump", asset_, "--json"}).output);
    EXPECT_EQ(dump["file_bytes"], std::filesystem::file_size(asset_));
    const json& part = dump["shapes"][0];
    std::uint64_t bytes = dump["other_bytes"];
    for (const json& section : part["sections"]) bytes += section["bytes"].get<std::uint64_t>();
    EXPECT_EQ(bytes, dump["file_bytes"]);
    ASSERT_EQ(part["trees"].size(), 2u);
    for (const json& tree : part["trees"]) {
        SCOPED_TRACE(tree["name"]);
        std::uint64_t nodes = 0, leaves = 0, triangles = 0, filled = 0;
        for (const json& level : tree["levels"]) {
            nodes += level["nodes"].get<std::uint64_t>();
            leaves += level["leaves"].get<std::uint64_t>();
            triangles += level["triangles"].get<std::uint64_t>();
        }
        for (const json& fill : tree["leaf_fill"])
            filled += fill["leaves"].get<std::uint64_t>() * fill["triangles"].get<std::uint64_t>();
        EXPECT_EQ(nodes, tree["nodes"]);
        EXPECT_EQ(leaves, tree["leaves"]);
        EXPECT_EQ(triangles, 2000u);
        EXPECT_EQ(filled, 2000u);
        EXPECT_EQ(tree["levels"].size(), tree["depth"]);
        EXPECT_EQ(tree["levels"][0]["nodes"], 1);
    }
}

TEST_F(Inspect, DumpOfOneTreeLeavesTheOthersOut) {
    const json dump = json::parse(espalier({"dump", asset_, "--json", "--tree", "box"}).output);
    ASSERT_EQ(dump["shapes"][0]["trees"].size(), 1u);
    EXPECT_EQ(dump["shapes"][0]["trees"][0]["name"], "box");
}

TEST_F(Inspect, DumpOfACellTreeReportsDuplicationAndEmptyCells) {
    const std::string file = folder_ / "cells.espl";
    bake_text(corpus_off("torus", 2000), ".off", file, {"--trees", "cell"});
    const json dump = json::parse(espalier({"dump", file, "--json", "--tree", "cell"}).output);
    const json& tree = dump["shapes"][0]["trees"][0];
    std::uint64_t bytes = dump["other_bytes"];
    for (const json& section : dump["shapes"][0]["sections"]) bytes += section["bytes"].get<std::uint64_t>();
    EXPECT_EQ(bytes, dump["file_bytes"]);
    EXPECT_EQ(tree["cells"]["edges"], 3000);
    EXPECT_GT(tree["cells"]["triangle_duplication"], 1);
    EXPECT_LT(tree["cells"]["triangle_duplication"], 3);
    EXPECT_GT(tree["cells"]["empty_volume"], 0.1);
    EXPECT_LT(tree["cells"]["empty_volume"], 1);
    double triangles = 0;
    for (const json& level : tree["levels"]) triangles += level["triangles"].get<double>();
    EXPECT_NEAR(triangles / 2000, tree["cells"]["triangle_duplication"].get<double>(), 1e-9);
    EXPECT_EQ(tree["levels"].size(), tree["depth"]);
    const CommandResult text = espalier({"dump", file});
    for (const char* words : {"cell tree: depth", "empty cells", "cell edges", "a triangle is in"})
        EXPECT_NE(text.output.find(words), std::string::npos) << words;
    const CommandResult check = espalier({"check", file});
    EXPECT_EQ(check.exit_code, 0) << check.error;
    EXPECT_NE(check.output.find("cells list every edge"), std::string::npos) << check.output;
}

TEST_F(Inspect, DumpOfATreeThatIsNotThereExitsWithThree) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"dump", asset_, "--tree", "cell"}, {"dump", asset_, "--spheres"}}) {
        const CommandResult result = espalier(words);
        EXPECT_EQ(result.exit_code, 3);
        EXPECT_EQ(result.output, "");
        EXPECT_NE(result.error.find("bake it with --trees"), std::string::npos) << result.error;
    }
}

TEST_F(Inspect, ATreeOfOneTriangleIsDumped) {
    bake_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ".obj", folder_ / "one.espl",
              {"--trees", "box,cell,aabb"});
    const json dump = json::parse(espalier({"dump", folder_ / "one.espl", "--json"}).output);
    for (const json& tree : dump["shapes"][0]["trees"]) {
        EXPECT_EQ(tree["leaves"], 1) << tree;
        EXPECT_EQ(tree["leaf_fill"][0]["triangles"], 1) << tree;
    }
}

TEST_F(Inspect, CheckOfASoundAssetListsWhatItProved) {
    const CommandResult result = espalier({"check", asset_});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.error, "");
    EXPECT_EQ(result.output.find("FAILED"), std::string::npos) << result.output;
    for (const char* item : {"structure", "aabb boxes", "box tree leaves"})
        EXPECT_NE(result.output.find(item), std::string::npos) << item;
}

TEST_F(Inspect, CheckFindsAVolumeThatDoesNotContainItsTriangles) {
    write_text(folder_ / "wrong.espl", with_shrunken_box());
    const CommandResult result = espalier({"check", folder_ / "wrong.espl"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.output.find("FAILED  aabb boxes contain their triangles"), std::string::npos)
        << result.output;
    EXPECT_EQ(result.error.find("espalier: " + folder_ / "wrong.espl" + ": aabb boxes"), 0u) << result.error;
    EXPECT_EQ(json::parse(espalier({"check", folder_ / "wrong.espl", "--json"}).output)["ok"], false);
}

TEST_F(Inspect, DamageIsInvalidInputForEveryVerb) {
    const std::string whole = read_text(asset_);
    std::string flipped = whole;
    flipped[flipped.size() / 2] = static_cast<char>(flipped[flipped.size() / 2] ^ 16);
    const std::pair<std::string, std::string> cases[] = {
        {whole.substr(0, whole.size() / 2), "truncated"},
        {whole + "x", ""},
        {flipped, "checksum"},
        {"OFF\n0 0 0\n" + std::string(100, ' '), "not an .espl file"},
        {"", "empty"},
        {"ESPL", "truncated"}};
    write_text(folder_.path() / "poses", "1 0 0 0 0 0 0\n");
    const std::string file = folder_ / "damaged.espl";
    for (const auto& [bytes, says] : cases) {
        SCOPED_TRACE(says);
        write_text(file, bytes);
        for (const std::vector<std::string>& words :
             {std::vector<std::string>{"dump", file},
              {"check", file},
              {"query", asset_, file, "--poses", folder_ / "poses", "--tree", "aabb", "--mode", "first"}}) {
            const CommandResult result = espalier(words);
            EXPECT_EQ(result.exit_code, 3) << words[0];
            EXPECT_EQ(result.error.find("espalier: " + file + ": "), 0u) << result.error;
            EXPECT_NE(result.error.find(says), std::string::npos) << result.error;
        }
    }
}

TEST_F(Inspect, AFutureMajorVersionIsUnsupported) {
    std::string bytes = read_text(asset_);
    // The version precedes the file's size in the header.
    const std::uint64_t size = bytes.size();
    const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&size), 8)) - 8;
    bytes[at] = static_cast<char>(kFormatMajor + 1);
    write_text(folder_ / "future.espl", bytes);
    const CommandResult result = espalier({"dump", folder_ / "future.espl"});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_NE(result.error.find("version"), std::string::npos) << result.error;
}

TEST_F(Inspect, AFileThatCannotBeReadExitsWithTwo) {
    for (const char* verb : {"dump", "check"}) {
        EXPECT_EQ(espalier({verb, folder_ / "absent.espl"}).exit_code, 2);
        const CommandResult folder = espalier({verb, folder_.path().string()});
        EXPECT_EQ(folder.exit_code, 2);
        EXPECT_NE(folder.error.find("directory"), std::string::npos) << folder.error;
        EXPECT_EQ(espalier({verb, "/dev/null"}).exit_code, 2);
    }
}

}  // namespace
}  // namespace espalier::test
