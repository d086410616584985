// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere trees through the command: bake, dump, check, and what a damaged one looks like.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "builder/asset/aligned_bytes.h"
#include "espalier/asset.h"
#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;

class SphereCommand : public ::testing::Test {
  protected:
    void SetUp() override {
        asset_ = folder_ / "torus.espl";
        bake({"--levels", "3"});
    }

    void bake(std::vector<std::string> options) {
        options.insert(options.end(), {"--trees", "sphere,aabb", "--effort", "fast"});
        bake_text(corpus_off("torus", 400), ".off", asset_, options);
    }

    json dumped() { return json::parse(espalier({"dump", asset_, "--json"}).output)["shapes"][0]; }

    /// The asset's bytes after `change` had a hand at the sphere tree, with a checksum that fits.
    template <class Change>
    std::string changed(Change change) {
        std::string bytes = read_text(asset_);
        const AlignedBytes aligned({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
        Asset asset;
        ShapeView part;
        EXPECT_EQ(open(aligned.data(), aligned.size(), Verify::kNone, &asset), Status::kOk);
        EXPECT_EQ(asset.part(0, &part), Status::kOk);
        const auto put = [&](const void* where, const auto& value) {
            std::memcpy(bytes.data() + (static_cast<const std::uint8_t*>(where) - aligned.data()), &value,
                        sizeof(value));
        };
        change(part.sphere, put);
        reseal(bytes);
        return bytes;
    }

    void expect_found(const std::string& bytes, const std::string& item) {
        write_text(folder_ / "wrong.espl", bytes);
        const CommandResult result = espalier({"check", folder_ / "wrong.espl"});
        EXPECT_EQ(result.exit_code, 3);
        EXPECT_NE(result.output.find("FAILED  " + item), std::string::npos) << result.output;
    }

    TemporaryFolder folder_;
    std::string asset_;
};

TEST_F(SphereCommand, CheckProvesCoverageErrorsAndLeaves) {
    const CommandResult result = espalier({"check", asset_});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    for (const char* item : {"ok      sphere coverage (full)", "ok      sphere leaves",
                             "ok      sphere errors", "ok      sphere statistics", "ok      shells"})
        EXPECT_NE(result.output.find(item), std::string::npos) << item << "\n" << result.output;
}

TEST_F(SphereCommand, DumpHasATableInTextAndJson) {
    const CommandResult text = espalier({"dump", asset_, "--tree", "sphere"});
    for (const char* words : {"full coverage proved", "outside/solid", "ended by the count", "method best"})
        EXPECT_NE(text.output.find(words), std::string::npos) << words << "\n" << text.output;
    const json sphere = dumped()["trees"][0]["sphere"];
    ASSERT_EQ(sphere["levels"].size(), 3u);
    for (std::size_t l = 1; l < 3; ++l)
        EXPECT_LT(sphere["levels"][l]["outside_volume"], sphere["levels"][l - 1]["outside_volume"]);
}

TEST_F(SphereCommand, DumpCountsSharedChildrenOfFullCoverageOnly) {
    const auto children_bytes = [](const json& part) {
        for (const json& section : part["sections"])
            if (section["name"] == "sphere children") return section["bytes"].get<std::uint64_t>();
        return std::uint64_t{0};
    };
    const auto inner = [](const json& part) {
        const json tree = part["trees"][0];
        return tree["nodes"].get<std::uint64_t>() - tree["leaves"].get<std::uint64_t>();
    };
    const json full = dumped();
    const auto shared = full["trees"][0]["sphere"]["shared"].get<std::uint64_t>();
    EXPECT_GT(shared, 0u);
    EXPECT_EQ(children_bytes(full), 4 * (2 * inner(full) + shared)) << "two ends a sphere and the list";
    const std::string words = "proved with " + std::to_string(shared) + " shared children";
    EXPECT_NE(espalier({"dump", asset_}).output.find(words), std::string::npos) << words;
    bake({"--levels", "3", "--sphere-coverage", "level"});
    const json level = dumped();
    EXPECT_EQ(level["trees"][0]["sphere"]["shared"], 0);
    EXPECT_EQ(children_bytes(level), 4 * inner(level));
    EXPECT_EQ(espalier({"dump", asset_}).output.find("shared"), std::string::npos);
}

TEST_F(SphereCommand, SphereLinesOfEachLevelCoverTheVertices) {
    std::istringstream lines(espalier({"dump", asset_, "--spheres"}).output);
    std::vector<std::vector<std::array<double, 4>>> levels;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::size_t level = 0;
        double x, y, z, r, error;
        ASSERT_TRUE(words >> level >> x >> y >> z >> r >> error) << line;
        EXPECT_TRUE(words.eof() || (words >> std::ws).eof()) << line;
        EXPECT_GE(error, 0.0);
        if (level >= levels.size()) levels.resize(level + 1);
        levels[level].push_back({x, y, z, r});
    }
    ASSERT_EQ(levels.size(), 3u);
    EXPECT_EQ(levels[0].size(), 1u);
    std::istringstream off(corpus_off("torus", 400));
    std::string word;
    std::size_t vertices = 0, faces = 0, edges = 0;
    ASSERT_TRUE(off >> word >> vertices >> faces >> edges);
    for (std::size_t v = 0; v < vertices; ++v) {
        double x, y, z;
        ASSERT_TRUE(off >> x >> y >> z);
        for (const auto& level : levels)
            EXPECT_TRUE(std::any_of(
                level.begin(), level.end(),
                [&](const auto& s) { return std::hypot(x - s[0], y - s[1], z - s[2]) <= s[3] + 1e-6; }))
                << "vertex " << v;
    }
}

TEST_F(SphereCommand, SpheresThatShrankByAHundredthAreFound) {
    // A single one may be the child of a parent whose surface others cover as well.
    const auto shrink = [](const SphereTreeView& tree, const auto& put) {
        for (std::uint32_t i = tree.inner_count(); i < tree.sphere_count; ++i)
            put(&tree.spheres[i].radius, 0.99F * tree.spheres[i].radius);
    };
    expect_found(changed(shrink), "sphere coverage (full)");
}

TEST_F(SphereCommand, SharedChildrenThatDoNotCoverAreFound) {
    const auto share_own = [](const SphereTreeView& tree, const auto& put) {
        ASSERT_GT(tree.shared_list_count, 0u);
        for (std::uint32_t i = 0; i < tree.inner_count(); ++i) {
            std::uint32_t child = 0, position = 0, end = 0;
            tree.children(i, &child, &end);
            for (tree.shared(i, &position, &end); position < end; ++position)
                put(&tree.shared_list[position], child);
        }
    };
    expect_found(changed(share_own), "sphere coverage (full)");
}

TEST_F(SphereCommand, AnErrorThatIsTooSmallIsFound) {
    const auto understate = [](const SphereTreeView& tree, const auto& put) {
        put(&tree.errors[1], 0.9F * tree.errors[1]);
    };
    expect_found(changed(understate), "sphere errors are upper bounds");
}

TEST_F(SphereCommand, ATriangleMissingFromALeafIsFound) {
    const auto replace = [](const SphereTreeView& tree, const auto& put) {
        put(&tree.leaf_triangles[0], tree.leaf_triangles[1]);
    };
    expect_found(changed(replace), "sphere leaves");
}

TEST_F(SphereCommand, EveryMethodAndPolicyIsProvedAgainFromTheFile) {
    for (const std::vector<std::string>& options :
         {std::vector<std::string>{"--levels", "3", "--sphere-method", "hubbard"},
          {"--levels", "3", "--sphere-method", "octree"},
          {"--levels", "3", "--sphere-coverage", "level"},
          {"--levels", "3", "--sphere-coverage", "sampled"},
          {"--levels", "3", "--sphere-dag"},
          {"--levels", "3", "--sphere-gap", "1%"},
          {"--levels", "3", "--sphere-gap", "0.03", "--sphere-method", "hubbard"},
          {"--levels", "3", "--sphere-solid", "shell"},
          {"--levels", "2", "--branch", "5", "--sphere-volume"}}) {
        bake(options);
        const CommandResult result = espalier({"check", asset_});
        EXPECT_EQ(result.exit_code, 0) << options.back() << "\n" << result.output;
    }
}

TEST_F(SphereCommand, GapIsInTheFileAndASmallerOneIsFound) {
    bake({"--levels", "3", "--sphere-gap", "0.03"});
    EXPECT_NEAR(dumped()["trees"][0]["sphere"]["gap"].get<double>(), 0.03, 1e-6);
    EXPECT_NE(espalier({"check", asset_}).output.find("ok      sphere coverage (full, within 0.03"),
              std::string::npos);
    const json options = json::parse(espalier({"dump", asset_, "--json"}).output)["provenance"]["options"];
    EXPECT_EQ(options["sphere-gap"], "0.03");
    const auto shrink = [](const SphereTreeView& tree, const auto& put) {
        for (std::uint32_t i = tree.inner_count(); i < tree.sphere_count; ++i)
            put(&tree.spheres[i].radius, 0.97F * tree.spheres[i].radius);
    };
    expect_found(changed(shrink), "sphere coverage (full, within 0.03");
}

TEST_F(SphereCommand, GapsThatAreNoLengthAreRefused) {
    for (const char* gap : {"-0.1", "nan", "inf", "-1%", "", "1e999"})
        EXPECT_EQ(espalier({"bake", asset_, "-o", folder_ / "x.espl", "--sphere-gap", gap}).exit_code, 1)
            << gap;
}

TEST_F(SphereCommand, OpenMeshIsAShellUnlessItsHoleIsToBeFilled) {
    std::string cube = cube_obj();
    cube.erase(cube.rfind("f "));
    write_text(folder_ / "open.obj", cube);
    const auto bake_open = [&](const std::string& solid) {
        return espalier({"bake", folder_ / "open.obj", "-o", asset_, "--trees", "sphere", "--levels", "2",
                         "--effort", "fast", "--sphere-solid", solid});
    };
    EXPECT_EQ(bake_open("auto").exit_code, 0);
    EXPECT_EQ(dumped()["trees"][0]["sphere"]["solid"], "shell");
    const CommandResult capped = bake_open("capped");
    EXPECT_EQ(capped.exit_code, 0);
    EXPECT_NE(capped.output.find("T01"), std::string::npos) << capped.output;
    EXPECT_EQ(dumped()["trees"][0]["sphere"]["solid"], "capped");
    EXPECT_GT(dumped()["trees"][0]["sphere"]["filling"], 0.1);
    const CommandResult proved = espalier({"check", asset_});
    EXPECT_EQ(proved.exit_code, 0);
    EXPECT_NE(proved.output.find("ok      sphere solid (capped)"), std::string::npos) << proved.output;
    const CommandResult refused = bake_open("closed");
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_NE(refused.error.find("open.obj: sphere tree: the mesh bounds no solid: 1 hole, with "),
              std::string::npos)
        << refused.error;
    EXPECT_EQ(bake_open("wet").exit_code, 1);
}

TEST_F(SphereCommand, AFlatSetStopsAtAnErrorInPercentAndRecordsIt) {
    bake({"--levels", "2", "--branch", "100", "--max-error", "6%"});
    const json part = dumped();
    const json sphere = part["trees"][0]["sphere"];
    EXPECT_EQ(sphere["limit"], "error");
    double diagonal = 0;
    for (int k = 0; k < 3; ++k) {
        const double side = part["bounds"]["hi"][k].get<double>() - part["bounds"]["lo"][k].get<double>();
        diagonal += side * side;
    }
    EXPECT_LE(sphere["levels"][1]["error_max"], 0.06 * std::sqrt(diagonal));
    const json options = json::parse(espalier({"dump", asset_, "--json"}).output)["provenance"]["options"];
    EXPECT_EQ(options["max-error"], "6%");
    EXPECT_EQ(options["sphere-method"], "best");
}

TEST_F(SphereCommand, AFlatSetIsAskedForByItsNumber) {
    bake({"--spheres", "12"});
    const json tree = dumped()["trees"][0];
    ASSERT_EQ(tree["levels"].size(), 2u);
    EXPECT_EQ(tree["levels"][1]["nodes"], 12);
    EXPECT_EQ(tree["sphere"]["error_floor"], false);
    const json options = json::parse(espalier({"dump", asset_, "--json"}).output)["provenance"]["options"];
    EXPECT_EQ(options["spheres"], "12");
    EXPECT_EQ(options["effort"], "fast");
}

TEST_F(SphereCommand, AnUnknownEffortIsRefusedWithTheNamesThereAre) {
    const std::string mesh = folder_ / "efforts.off";
    write_text(mesh, corpus_off("torus", 400));
    const CommandResult run =
        espalier({"bake", mesh, "-o", folder_ / "efforts.espl", "--trees", "sphere", "--effort", "2"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_NE(run.error.find("fast, normal or best"), std::string::npos) << run.error;
}

TEST_F(SphereCommand, TheMedialSetIsWrittenAsPly) {
    EXPECT_EQ(espalier({"dump", asset_, "--medial", folder_ / "medial.ply"}).exit_code, 0);
    EXPECT_EQ(read_text(folder_ / "medial.ply").find("ply\nformat ascii"), 0u);
}

TEST_F(SphereCommand, StrictRefusesSampledCoverage) {
    write_text(folder_ / "cube.obj", cube_obj());
    const CommandResult result = espalier({"bake", folder_ / "cube.obj", "--trees", "sphere", "--levels", "2",
                                           "--sphere-coverage", "sampled", "--strict"});
    EXPECT_EQ(result.exit_code, 6) << result.error;
}

TEST_F(SphereCommand, EveryUglyFileIsProvedOrRefusedAsForTheOtherTrees) {
    ASSERT_EQ(run(ESPALIER_CORPUS_PROGRAM, {"ugly", folder_ / "in"}).exit_code, 0);
    const json manifest = json::parse(read_text(folder_ / "in/manifest.json"));
    for (const json& entry : manifest["files"]) {
        const std::string input = folder_ / ("in/" + entry["file"].get<std::string>());
        SCOPED_TRACE(input);
        const CommandResult baked = espalier({"bake", input, "-o", folder_ / "ugly.espl", "--trees", "sphere",
                                              "--levels", "2", "--effort", "fast"});
        EXPECT_EQ(baked.exit_code, entry["exit_code"]) << baked.error;
        if (baked.exit_code == 0) {
            EXPECT_NE(baked.output.find("full coverage proved"), std::string::npos) << baked.output;
            EXPECT_EQ(espalier({"check", folder_ / "ugly.espl"}).exit_code, 0);
        }
    }
}

}  // namespace
}  // namespace espalier::test
