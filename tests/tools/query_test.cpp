// SPDX-License-Identifier: GPL-3.0-or-later
// espalier query: answers, budgets, pose files, results files.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <thread>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;

class Query : public ::testing::Test {
  protected:
    void SetUp() override {
        cube_ = folder_ / "cube.espl";
        bake_text(cube_obj(), ".obj", cube_, {"--trees", "box,aabb"});
    }

    /// Queries the cube against itself with poses on standard input.
    CommandResult cubes(const std::string& poses, const std::string& mode,
                        std::vector<std::string> more = {}) {
        std::vector<std::string> words = {"query", cube_, cube_, "--poses", "-", "--mode", mode};
        if (std::ranges::find(more, "--tree") == more.end()) words.insert(words.end(), {"--tree", "aabb"});
        words.insert(words.end(), more.begin(), more.end());
        Streams streams;
        streams.input = poses;
        return espalier(words, streams);
    }

    TemporaryFolder folder_;
    std::string cube_;
};

// Apart along x, overlapping, turned by 90 degrees about z (B then reaches from -1 to 0 along x), touching.
constexpr const char* kPoses =
    "# qw qx qy qz tx ty tz\n"
    "1 0 0 0  3 0 0\n"
    "\n"
    "1 0 0 0  0.5 0.5 0.5   # a corner inside\n"
    "0.70710678118654752 0 0 0.70710678118654752  3 0 0\r\n"
    "   # nothing\n"
    "+1 0 0 0  1 0.25 0.25";

TEST_F(Query, FirstPrintsOneLineAPose) {
    const CommandResult result = cubes(kPoses, "first");
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(result.output, "0\n1\n0\n1\n");
}

TEST_F(Query, DistancePlacesBInTheFrameOfA) {
    for (const char* tree : {"aabb", "box"}) {
        std::istringstream lines(cubes(kPoses, "distance", {"--tree", tree}).output);
        for (const double expected : {2.0, 0.0, 1.0, 0.0}) {
            double distance = -1;
            lines >> distance;
            EXPECT_NEAR(distance, expected, 1e-6) << tree;
        }
    }
}

TEST_F(Query, AllCountsTheSamePairsForEveryTreeAndTest) {
    const std::string mesh = folder_ / "torus.espl";
    bake_text(corpus_off("torus", 1000), ".off", mesh, {"--trees", "box,cell,aabb"});
    // Random rotations and offsets that often collide.
    constexpr std::uint64_t kSeed = 2002;
    std::mt19937_64 draws(kSeed);
    const auto draw = [&] { return static_cast<double>(draws() >> 11) * 0x1p-53 * 2 - 1; };
    std::ostringstream poses;
    for (int i = 0; i < 50; ++i) {
        for (int k = 0; k < 7; ++k) poses << draw() << ' ';
        poses << '\n';
    }
    Streams streams;
    streams.input = poses.str();
    const auto query = [&](const std::string& tree, const std::string& test) {
        const CommandResult result = espalier(
            {"query", mesh, mesh, "--poses", "-", "--mode", "all", "--tree", tree, "--overlap", test},
            streams);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        return result.output;
    };
    const std::string expected = query("aabb", "satlite");
    EXPECT_NE(expected.find_first_of("123456789"), std::string::npos) << "seed " << kSeed;
    EXPECT_EQ(query("aabb", "sat"), expected);
    for (const char* test : {"satlite", "sat", "axis", "table"})
        EXPECT_EQ(query("box", test), expected) << test;
    for (const char* test : {"satlite", "sat", "axis", "clip"})
        EXPECT_EQ(query("cell", test), expected) << test;
}

TEST_F(Query, CellTreesAnswerEveryMode) {
    bake_text(cube_obj(), ".obj", cube_, {"--trees", "cell"});
    EXPECT_EQ(cubes(kPoses, "first", {"--tree", "cell"}).output, "0\n1\n0\n1\n");
    std::istringstream lines(cubes(kPoses, "distance", {"--tree", "cell"}).output);
    for (const double expected : {2.0, 0.0, 1.0, 0.0}) {
        double distance = -1;
        lines >> distance;
        EXPECT_NEAR(distance, expected, 1e-6);
    }
    EXPECT_EQ(cubes("1 0 0 0 0.5 0 0\n", "first", {"--tree", "cell", "--budget", "0"}).output,
              "unresolved 0 inf 0 0\n");
    EXPECT_EQ(cubes("1 0 0 0 0.5 0 0\n", "first", {"--tree", "cell", "--overlap", "table"}).exit_code, 1);
}

TEST_F(Query, ABudgetGivesVerdictBoundsAndWork) {
    EXPECT_EQ(cubes("1 0 0 0 0.5 0 0\n", "first", {"--budget", "0"}).output, "unresolved 0 inf 0 0\n");
    const std::string colliding = cubes("1 0 0 0 0.5 0 0\n", "first", {"--budget", "1000000"}).output;
    EXPECT_EQ(colliding.find("colliding 0 0 "), 0u) << colliding;
    const std::string disjoint = cubes("1 0 0 0 9 0 0\n", "first", {"--budget", "1000000"}).output;
    EXPECT_EQ(disjoint.find("disjoint 0 inf "), 0u) << disjoint;
    std::istringstream distance(cubes("1 0 0 0 9 0 0\n", "distance", {"--budget", "1000000"}).output);
    std::string verdict;
    double lower = 0, upper = 0;
    distance >> verdict >> lower >> upper;
    EXPECT_EQ(verdict, "disjoint");
    EXPECT_LE(lower, 8.0 + 1e-6);
    EXPECT_NEAR(upper, 8.0, 1e-6);
}

TEST_F(Query, FirstOnBoxesAndCellsKnowsTheVerdictAlone) {
    bake_text(cube_obj(), ".obj", cube_, {"--trees", "aabb,box,cell"});
    for (const char* tree : {"aabb", "box", "cell"}) {
        const std::string apart =
            cubes("1 0 0 0 9 0 0\n", "first", {"--tree", tree, "--budget", "1000000"}).output;
        EXPECT_EQ(apart.find("disjoint 0 inf "), 0u) << tree << ": " << apart;
        const std::string touching =
            cubes("1 0 0 0 0.5 0 0\n", "first", {"--tree", tree, "--budget", "1000000"}).output;
        EXPECT_EQ(touching.find("colliding 0 0 "), 0u) << tree << ": " << touching;
    }
}

TEST_F(Query, SphereTreesAreRefinedInEveryOrderAndOtherTreesInNone) {
    bake_text(cube_obj(), ".obj", cube_, {"--trees", "sphere,aabb", "--levels", "3", "--effort", "fast"});
    const std::string hits = cubes(kPoses, "first").output;
    for (const char* order : {"best", "level", "widest"}) {
        EXPECT_EQ(cubes(kPoses, "first", {"--tree", "sphere", "--order", order}).output, hits) << order;
        const CommandResult json_result =
            cubes(kPoses, "distance", {"--tree", "sphere", "--order", order, "--json"});
        EXPECT_EQ(json::parse(json_result.output)["order"], order);
        EXPECT_TRUE(json::parse(json_result.output)["overlap"].is_null());
    }
    EXPECT_EQ(cubes(kPoses, "first", {"--tree", "sphere", "--order", "worst"}).exit_code, 1);
    EXPECT_EQ(cubes(kPoses, "first", {"--tree", "aabb", "--order", "level"}).exit_code, 1);
    EXPECT_EQ(cubes(kPoses, "first", {"--tree", "sphere", "--overlap", "sat"}).exit_code, 1);
}

TEST_F(Query, ASphereTreeAnswersWithinABudgetAndExactlyWithoutOne) {
    bake_text(cube_obj(), ".obj", cube_, {"--trees", "sphere,aabb", "--levels", "3", "--effort", "fast"});
    EXPECT_EQ(cubes(kPoses, "first", {"--tree", "sphere"}).output, cubes(kPoses, "first").output);
    std::istringstream exact(cubes(kPoses, "distance", {"--tree", "sphere"}).output);
    for (const double expected : {2.0, 0.0, 1.0, 0.0}) {
        double distance = -1;
        exact >> distance;
        EXPECT_NEAR(distance, expected, 1e-6);
    }
    double before = 1e300;
    for (const char* budget : {"0", "20", "100", "1000", "100000"}) {
        std::istringstream line(
            cubes("1 0 0 0 3 0 0\n", "distance", {"--tree", "sphere", "--budget", budget}).output);
        std::string verdict;
        double lower = 0, upper = 0;
        std::uint64_t node_tests = 0, level = 0;
        ASSERT_TRUE(line >> verdict >> lower >> upper >> node_tests >> level) << budget;
        EXPECT_LE(lower, 2 + 1e-6) << budget;
        EXPECT_GE(upper, 2 - 1e-6) << budget;
        EXPECT_LE(upper - lower, before) << budget;
        before = upper - lower;
        EXPECT_EQ(verdict == "disjoint", lower > 0) << budget;
    }
    EXPECT_LE(before, 1e-6);
}

TEST_F(Query, PosesComeFromAFileToo) {
    write_text(folder_.path() / "poses.txt", kPoses);
    const CommandResult result = espalier(
        {"query", cube_, cube_, "--poses", folder_ / "poses.txt", "--tree", "box", "--mode", "first"});
    EXPECT_EQ(result.output, "0\n1\n0\n1\n") << result.error;
}

TEST_F(Query, ABadPoseLineExitsWithThreeAndIsNamed) {
    const std::pair<std::string, std::string> cases[] = {
        {"1 0 0 0 0 0 0\n# x\n1 0 0 0 0 0\n", "line 3: 6 numbers"},
        {"1 0 0 0 0 0 0 0\n", "line 1: 8 numbers"},
        {"1 0 0 0 zero 0 0\n", "line 1: \"zero\""},
        {"1 0 0 0 nan 0 0\n", "line 1: \"nan\""},
        {"1 0 0 0 1e999 0 0\n", "line 1: \"1e999\""},
        {"\n0 0 0 0 1 1 1\n", "line 2: the quaternion is zero"},
        {"# nothing but comments\n", "no pose"},
        {"", "no pose"},
        {"1 0 0 0 1e300 0 0\n", "line 1: "},
    };
    for (const auto& [poses, says] : cases) {
        const CommandResult result = cubes(poses, "first");
        EXPECT_EQ(result.exit_code, 3) << poses;
        EXPECT_EQ(result.output, "") << poses;
        EXPECT_EQ(result.error.find("espalier: standard input: "), 0u) << result.error;
        EXPECT_NE(result.error.find(says), std::string::npos) << result.error;
    }
}

TEST_F(Query, PosesThatCannotBeReadExitWithTwo) {
    for (const std::string& poses : {folder_ / "absent", folder_.path().string()}) {
        const CommandResult result =
            espalier({"query", cube_, cube_, "--poses", poses, "--tree", "aabb", "--mode", "first"});
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_EQ(result.error.find("espalier: " + poses + ": "), 0u) << result.error;
    }
}

TEST_F(Query, ResultsFileIsWrittenWholeOrNotAtAll) {
    const std::string results = folder_ / "results.txt";
    write_text(results, "old");
    EXPECT_EQ(cubes("1 0 0 0 0 0 0\nbad\n", "first", {"--results", results}).exit_code, 3);
    EXPECT_EQ(read_text(results), "old");
    const CommandResult good = cubes(kPoses, "first", {"--results", results});
    EXPECT_EQ(good.exit_code, 0);
    EXPECT_EQ(read_text(results), "0\n1\n0\n1\n");
    EXPECT_NE(good.output.find("2 colliding, 2 disjoint"), std::string::npos) << good.output;
    EXPECT_EQ(cubes(kPoses, "first", {"--results", "-"}).output, "0\n1\n0\n1\n");
    EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"cube.espl", "results.txt"}));
}

TEST_F(Query, ResultsThatCannotBeWrittenExitWithTwo) {
    for (const std::string& results :
         {folder_ / "absent/results.txt", folder_.path().string(), std::string("/dev/null")}) {
        const CommandResult result = cubes(kPoses, "first", {"--results", results});
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_EQ(result.error.find("espalier: " + results + ": "), 0u) << result.error;
    }
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Query, JsonReportsTimeAndWorkAndNoResults) {
    const CommandResult result = cubes(kPoses, "first", {"--repeat", "3", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const json report = json::parse(result.output);
    EXPECT_EQ(report["poses"], 4);
    EXPECT_EQ(report["repeats"], 3);
    EXPECT_EQ(report["overlap"], "satlite");
    EXPECT_TRUE(report["order"].is_null());
    EXPECT_TRUE(report["budget"].is_null());
    EXPECT_GT(report["ns_per_query"], 0);
    EXPECT_EQ(report["verdicts"]["colliding"], 2);
    EXPECT_EQ(report["verdicts"]["disjoint"], 2);
    EXPECT_EQ(report["a"]["triangles"], 12);
    // Counts are those of one repeat.
    EXPECT_EQ(json::parse(cubes(kPoses, "first", {"--json"}).output)["totals"], report["totals"]);
}

TEST_F(Query, AnAssetWithoutTheTreeExitsWithThree) {
    const std::string other = folder_ / "aabb.espl";
    bake_text(cube_obj(), ".obj", other, {"--trees", "aabb"});
    const CommandResult result =
        espalier({"query", cube_, other, "--poses", "-", "--tree", "box", "--mode", "first"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.error.find("espalier: " + other + ": "), 0u) << result.error;
    EXPECT_NE(result.error.find("--trees box"), std::string::npos) << result.error;
}

TEST_F(Query, AModeThatATreeDoesNotOfferIsUnsupported) {
    const CommandResult result = cubes(kPoses, "all", {"--tree", "sphere"});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_NE(result.error.find("sphere"), std::string::npos) << result.error;
}

TEST_F(Query, BoxAndAabbTreesGiveTheSameDistances) {
    const CommandResult aabb = cubes(kPoses, "distance", {"--tree", "aabb"});
    const CommandResult box = cubes(kPoses, "distance", {"--tree", "box"});
    EXPECT_EQ(aabb.exit_code, 0) << aabb.error;
    EXPECT_EQ(box.exit_code, 0) << box.error;
    EXPECT_EQ(box.output, aabb.output);
}

TEST(QueryOfATruncatedFile, EndsWithExitCode2) {
    TemporaryFolder folder;
    const std::string asset = folder / "torus.espl";
    bake_text(corpus_off("torus", 20000), ".off", asset, {"--trees", "aabb"});
    write_text(folder.path() / "poses", "1 0 0 0 0.001 0 0\n");
    // As long as it takes until the file is cut.
    const CommandResult result =
        espalier_with_mapped(asset,
                             {"query", asset, asset, "--poses", folder / "poses", "--tree", "aabb", "--mode",
                              "all", "--repeat", "1000000", "--json"},
                             [&] { std::filesystem::resize_file(asset, 64); });
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.error.find("became shorter while it was read"), std::string::npos) << result.error;
}

}  // namespace
}  // namespace espalier::test
