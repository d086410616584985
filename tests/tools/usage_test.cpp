// SPDX-License-Identifier: GPL-3.0-or-later
// Verbs, help, version and everything that exits with 1.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using Words = std::vector<std::string>;

TEST(Help, EachVerbPrintsUsageExampleAndExitCodesOnStdout) {
    for (const std::string verb : {"bake", "dump", "check", "query", "view"}) {
        for (const Words& words : {Words{verb, "--help"}, Words{verb, "-h"}, Words{"help", verb}}) {
            const CommandResult result = espalier(words);
            SCOPED_TRACE(verb);
            EXPECT_EQ(result.exit_code, 0);
            EXPECT_EQ(result.error, "");
            EXPECT_EQ(result.output.find("usage: espalier " + verb), 0u);
            EXPECT_NE(result.output.find("example:\n  "), std::string::npos);
            EXPECT_NE(result.output.find("exit codes:"), std::string::npos);
        }
    }
}

TEST(Help, WithoutVerbListsAllVerbs) {
    for (const std::string word : {"--help", "-h", "help"}) {
        const CommandResult result = espalier({word});
        EXPECT_EQ(result.exit_code, 0);
        for (const char* verb : {"bake", "dump", "check", "query", "view"})
            EXPECT_NE(result.output.find(verb), std::string::npos) << verb;
    }
}

TEST(Help, BakeNamesTheDefaultsThatAreUsed) {
    TemporaryFolder folder;
    bake_text(cube_obj(), ".obj", folder / "cube.espl",
              {"--trees", "sphere,box,cell,aabb", "--levels", "2", "--effort", "fast"});
    const nlohmann::json dump =
        nlohmann::json::parse(espalier({"dump", folder / "cube.espl", "--json"}).output);
    const nlohmann::json& options = dump["provenance"]["options"];
    const std::string help = espalier({"bake", "--help"}).output;
    for (const std::string option :
         {"aabb-leaf", "aabb-split", "box-leaf", "box-split", "branch", "cell-delta", "cell-empty",
          "cell-gamma", "cell-lambda", "cell-min", "sphere-coverage", "sphere-method"}) {
        const std::size_t begin = help.find("--" + option + " ");
        ASSERT_NE(begin, std::string::npos) << option;
        const std::string lines = help.substr(begin, help.find("\n  --", begin) - begin);
        const std::string used = options[option];
        EXPECT_NE(lines.find("(" + used + ")"), std::string::npos) << option << ": " << lines;
    }
}

TEST(Version, NamesProgramFormatAndBuilder) {
    const CommandResult result = espalier({"--version"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.output.find("espalier "), 0u);
    EXPECT_NE(result.output.find("format 2."), std::string::npos);
    EXPECT_NE(result.output.find("builder revision"), std::string::npos);
}

struct BadUsage {
    const char* name;
    Words words;
    std::string says;
};

class Usage : public ::testing::TestWithParam<BadUsage> {};

TEST_P(Usage, ExitsWithOneAndSaysWhy) {
    const CommandResult result = espalier(GetParam().words);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.error.find("espalier: "), 0u) << result.error;
    EXPECT_NE(result.error.find(GetParam().says), std::string::npos) << result.error;
    EXPECT_NE(result.error.find("--help"), std::string::npos) << result.error;
}

// Options are looked at before files: no file of these exists.
INSTANTIATE_TEST_SUITE_P(
    All, Usage,
    ::testing::ValuesIn(std::vector<BadUsage>{
        {"NoVerb", {}, "verb"},
        {"UnknownVerb", {"frobnicate"}, "frobnicate"},
        {"UnknownVerbForHelp", {"help", "frobnicate"}, "frobnicate"},
        {"BakeNoInput", {"bake"}, "INPUT is missing"},
        {"BakeUnknownOption", {"bake", "a.obj", "--frobnicate"}, "--frobnicate"},
        {"BakeAbbreviatedOption", {"bake", "a.obj", "--tree", "aabb"}, "--tree"},
        {"BakeValueMissing", {"bake", "a.obj", "--scale"}, "--scale"},
        {"BakeOptionTwice", {"bake", "a.obj", "--scale", "1", "--scale", "2"}, "--scale"},
        {"BakeUnknownTree", {"bake", "a.obj", "--trees", "aabb,oak"}, "'oak'"},
        {"BakeEmptyTree", {"bake", "a.obj", "--trees", "aabb,"}, "''"},
        {"BakeTreeTwice", {"bake", "a.obj", "--trees", "aabb,aabb"}, "twice"},
        {"BakeNegativeJobs", {"bake", "a.obj", "--jobs", "-1"}, "--jobs"},
        {"BakeZeroJobs", {"bake", "a.obj", "--jobs", "0"}, "--jobs"},
        {"BakeScaleZero", {"bake", "a.obj", "--scale", "0"}, "--scale"},
        {"BakeScaleNotFinite", {"bake", "a.obj", "--scale", "inf"}, "--scale"},
        {"BakeScaleWord", {"bake", "a.obj", "--scale", "1x"}, "'1x'"},
        {"BakeWeldNegative", {"bake", "a.obj", "--weld", "-0.1"}, "--weld"},
        {"BakeAllowPathAbsent", {"bake", "a.obj", "--allow-path", "absent/folder"}, "'absent/folder'"},
        {"BakeAllowPathFile", {"bake", "a.obj", "--allow-path", "/dev/null"}, "is not a folder"},
        {"BakeAllowPathEmpty", {"bake", "a.obj", "--allow-path="}, "--allow-path"},
        {"BakeLeafTooLarge", {"bake", "a.obj", "--aabb-leaf", "9"}, "from 1 to 8"},
        {"BakeUnknownSplit", {"bake", "a.obj", "--aabb-split", "worst"}, "binned or median"},
        {"BakeCellDepth", {"bake", "a.obj", "--trees", "cell", "--cell-depth", "29"}, "cell-depth"},
        {"BakeCellEmpty", {"bake", "a.obj", "--trees", "cell", "--cell-empty", "1.5"}, "cell-empty"},
        {"BakeCellGamma", {"bake", "a.obj", "--trees", "cell", "--cell-gamma", "-1"}, "cell-gamma"},
        {"BakeCellOptionAlone", {"bake", "a.obj", "--cell-min", "2"}, "cell"},
        {"BakeOptionOfAbsentTree", {"bake", "a.obj", "--trees", "box", "--aabb-leaf", "2"}, "aabb"},
        {"BakeSphereMethodUnknown",
         {"bake", "a.obj", "--trees", "sphere", "--sphere-method", "cube"},
         "hubbard or octree"},
        {"BakeMaxErrorWord", {"bake", "a.obj", "--trees", "sphere", "--max-error", "1 %"}, "percentage"},
        {"BakeTooManyLevels", {"bake", "a.obj", "--trees", "sphere", "--levels", "17"}, "from 1 to 16"},
        {"DumpMedialAsJson", {"dump", "a.espl", "--medial", "m.ply", "--json"}, "--medial"},
        {"BakeSphereOptionWithoutSphere", {"bake", "a.obj", "--trees", "box", "--branch", "8"}, "sphere"},
        {"BakeMergedFrames", {"bake", "a.obj", "--merge", "--frames"}, "--frames"},
        {"BakeTwoTargets", {"bake", "a.obj", "-o", "c.espl", "--out-dir", "d"}, "--out-dir"},
        {"BakeSameOutput", {"bake", "a.obj", "a.stl"}, "both"},
        {"BakeSameOutputInFolder", {"bake", "x/a.obj", "y/a.obj", "--out-dir", "d"}, "both"},
        {"BakeOverItsInput", {"bake", "a.obj", "-o", "./a.obj"}, "replace an input"},
        {"BakeToStandardOutput", {"bake", "a.obj", "-o", "-"}, "standard output"},
        {"DumpNoFile", {"dump"}, "FILE is missing"},
        {"DumpTwoFiles", {"dump", "a.espl", "b.espl"}, "too many"},
        {"DumpUnknownTree", {"dump", "a.espl", "--tree", "oak"}, "'oak'"},
        {"DumpSpheresAsJson", {"dump", "a.espl", "--spheres", "--json"}, "--spheres"},
        {"CheckNoFile", {"check"}, "FILE is missing"},
        {"QueryOneAsset", {"query", "a.espl", "--poses", "p", "--tree", "aabb", "--mode", "first"}, "B.espl"},
        {"QueryNoPoses",
         {"query", "a.espl", "b.espl", "--tree", "aabb", "--mode", "first"},
         "--poses is missing"},
        {"QueryNoTree",
         {"query", "a.espl", "b.espl", "--poses", "p", "--mode", "first"},
         "--tree is missing"},
        {"QueryNoMode", {"query", "a.espl", "b.espl", "--poses", "p", "--tree", "aabb"}, "--mode is missing"},
        {"QueryUnknownMode",
         {"query", "a.espl", "b.espl", "--poses", "p", "--tree", "aabb", "--mode", "some"},
         "first, all, distance, within or self"},
        {"QueryUnknownOverlap",
         {"query", "a.espl", "b.espl", "--poses", "p", "--tree", "aabb", "--mode", "first", "--overlap", "x"},
         "satlite or sat"},
        {"QueryOverlapOfDistance",
         {"query", "a.espl", "b.espl", "--poses", "p", "--tree", "aabb", "--mode", "distance", "--overlap",
          "sat"},
         "--overlap"},
        {"QueryZeroRepeats",
         {"query", "a.espl", "b.espl", "--poses", "p", "--tree", "aabb", "--mode", "first", "--repeat", "0"},
         "--repeat"},
        {"QueryNegativeBudget",
         {"query", "a.espl", "b.espl", "--poses", "p", "--tree", "aabb", "--mode", "first", "--budget", "-5"},
         "--budget"},
        {"QueryResultsAndJsonToOne",
         {"query", "a.espl", "b.espl", "--poses", "p", "--tree", "aabb", "--mode", "first", "--results", "-",
          "--json"},
         "standard output"},
    }),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace espalier::test
