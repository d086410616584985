// SPDX-License-Identifier: GPL-3.0-or-later
// espalier bake: outputs, exit codes, several inputs, progress.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;

class Bake : public ::testing::Test {
  protected:
    /// Writes a mesh into the test's folder and returns its path.
    std::string mesh(const std::string& name, const std::string& text = cube_obj()) {
        write_text(folder_.path() / name, text);
        return folder_ / name;
    }
    TemporaryFolder folder_;
};

TEST_F(Bake, WritesTheAssetBesideTheInputByDefault) {
    const CommandResult result = espalier({"bake", mesh("cube.obj")});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(result.error, "");
    EXPECT_NE(result.output.find("12 triangles, sphere tree of "), std::string::npos) << result.output;
    EXPECT_NE(result.output.find(", box tree of "), std::string::npos) << result.output;
    EXPECT_NE(result.output.find(", aabb tree of "), std::string::npos) << result.output;
    EXPECT_EQ(result.output.find("cell"), std::string::npos) << result.output;
    EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"cube.espl", "cube.obj"}));
    EXPECT_EQ(read_text(folder_ / "cube.espl").substr(4, 4), "ESPL");
}

TEST_F(Bake, OutDirIsMadeAndHoldsAllOutputs) {
    const CommandResult result =
        espalier({"bake", "--trees", "aabb,box", mesh("a.obj"), mesh("b.c.obj"),
                  mesh("torus.off", corpus_off("torus", 500)), "--out-dir", folder_ / "x/y"});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(names_in(folder_.path() / "x/y"),
              (std::vector<std::string>{"a.espl", "b.c.espl", "torus.espl"}));
    // In the order of the inputs, whichever was done first.
    const std::size_t a = result.output.find("a.obj"), b = result.output.find("b.c.obj"),
                      c = result.output.find("torus.off");
    EXPECT_TRUE(a < b && b < c) << result.output;
}

TEST_F(Bake, QuietPrintsNothing) {
    const CommandResult result = espalier({"bake", "--trees", "aabb,box", mesh("cube.obj"), "--quiet"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.output + result.error, "");
}

TEST_F(Bake, AnInputThatFailsDoesNotStopTheOthersAndTheFirstFailureDecidesTheExitCode) {
    const std::vector<std::string> inputs = {mesh("a.obj"), mesh("bad.obj", "v 0 0 0\nf 1 2 3\n"),
                                             folder_ / "absent.obj", mesh("z.obj")};
    for (const char* jobs : {"1", "2"}) {
        std::filesystem::remove_all(folder_.path() / "out");
        std::vector<std::string> words = {"bake", "--trees",   "aabb,box",     "--jobs",
                                          jobs,   "--out-dir", folder_ / "out"};
        words.insert(words.end(), inputs.begin(), inputs.end());
        const CommandResult result = espalier(words);
        EXPECT_EQ(result.exit_code, 3);
        EXPECT_EQ(names_in(folder_.path() / "out"), (std::vector<std::string>{"a.espl", "z.espl"}));
        EXPECT_EQ(result.error.find("espalier: " + inputs[1] + ": "), 0u) << result.error;
        EXPECT_NE(result.error.find("\nespalier: " + inputs[2] + ": no such file"), std::string::npos)
            << result.error;
    }
}

TEST_F(Bake, AFailureLeavesTheOldOutputAndNoTemporaryFile) {
    write_text(folder_.path() / "old.espl", "precious");
    const CommandResult result = espalier(
        {"bake", "--trees", "aabb,box", mesh("bad.obj", "v 0 0 0\nf 1 2 3\n"), "-o", folder_ / "old.espl"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(read_text(folder_ / "old.espl"), "precious");
    EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"bad.obj", "old.espl"}));
}

TEST_F(Bake, AnOutputThatCannotBeWrittenIsBlamedWithExitCodeTwo) {
    std::filesystem::create_directory(folder_.path() / "folder.espl");
    for (const std::string output : {"absent/cube.espl", "folder.espl", "cube.obj/cube.espl"}) {
        const CommandResult result =
            espalier({"bake", "--trees", "aabb,box", mesh("cube.obj"), "-o", folder_ / output});
        EXPECT_EQ(result.exit_code, 2) << output;
        EXPECT_EQ(result.error.find("espalier: " + folder_ / output + ": "), 0u) << result.error;
        EXPECT_EQ(result.output, "");
    }
    EXPECT_EQ(names_in(folder_.path()), (std::vector<std::string>{"cube.obj", "folder.espl"}));
}

TEST_F(Bake, ADeviceIsNoOutputAndStaysADevice) {
    const CommandResult result =
        espalier({"bake", "--trees", "aabb,box", mesh("cube.obj"), "-o", "/dev/null"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Bake, AnOutDirThatIsAFileIsAnOutputError) {
    const CommandResult result =
        espalier({"bake", "--trees", "aabb,box", mesh("cube.obj"), "--out-dir", mesh("file")});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.error.find("espalier: " + folder_ / "file" + ": "), 0u) << result.error;
}

TEST_F(Bake, StrictRefusesAMeshThatIsNotClosed) {
    const CommandResult strict =
        espalier({"bake", "--trees", "aabb,box", mesh("open.obj", open_cube_obj()), "--strict"});
    EXPECT_EQ(strict.exit_code, 6);
    EXPECT_NE(strict.error.find("not closed"), std::string::npos) << strict.error;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "open.espl"));
    EXPECT_EQ(espalier({"bake", "--trees", "aabb,box", folder_ / "open.obj"}).exit_code, 0);
    EXPECT_EQ(espalier({"bake", "--trees", "aabb,box", mesh("cube.obj"), "--strict"}).exit_code, 0);
}

TEST_F(Bake, AnUnsupportedFormatExitsWithFive) {
    const CommandResult result = espalier({"bake", "--trees", "aabb,box", mesh("cube.step")});
    EXPECT_EQ(result.exit_code, 5);
    EXPECT_NE(result.error.find(".obj"), std::string::npos) << result.error;
}

TEST_F(Bake, OptionsReachTheAsset) {
    const CommandResult baked =
        espalier({"bake", mesh("torus.off", corpus_off("torus", 500)), "--trees", "box,aabb", "--aabb-split",
                  "median", "--aabb-leaf", "2", "--box-split", "volume", "--box-leaf", "3", "--scale",
                  "0.001", "--unit", "metre", "--weld", "1e-7"});
    ASSERT_EQ(baked.exit_code, 0) << baked.error;
    const json dump = json::parse(espalier({"dump", folder_ / "torus.espl", "--json"}).output);
    const json& options = dump["provenance"]["options"];
    EXPECT_EQ(options["aabb-split"], "median");
    EXPECT_EQ(options["aabb-leaf"], "2");
    EXPECT_EQ(options["box-split"], "volume");
    EXPECT_EQ(options["box-leaf"], "3");
    EXPECT_EQ(options["weld"], "1e-07");
    EXPECT_EQ(dump["provenance"]["unit"], "metre");
    EXPECT_EQ(dump["provenance"]["scale"], 0.001);
    EXPECT_LT(dump["shapes"][0]["bounds"]["hi"][0], 0.01);
    EXPECT_EQ(dump["shapes"][0]["trees"].size(), 2u);
}

TEST_F(Bake, CellOptionsReachTheAsset) {
    const CommandResult baked =
        espalier({"bake", mesh("torus.off", corpus_off("torus", 500)), "--trees", "cell", "--cell-depth", "7",
                  "--cell-min", "3", "--cell-gamma", "0.5", "--cell-empty", "0.25", "--cell-lambda", "0.75",
                  "--cell-delta", "1e-5"});
    ASSERT_EQ(baked.exit_code, 0) << baked.error;
    const json dump = json::parse(espalier({"dump", folder_ / "torus.espl", "--json"}).output);
    const json& options = dump["provenance"]["options"];
    EXPECT_EQ(options["cell-depth"], "7");
    EXPECT_EQ(options["cell-min"], "3");
    EXPECT_EQ(options["cell-gamma"], "0.5");
    EXPECT_EQ(options["cell-empty"], "0.25");
    EXPECT_EQ(options["cell-lambda"], "0.75");
    EXPECT_EQ(options["cell-delta"], "1e-05");
    EXPECT_LE(dump["shapes"][0]["trees"][0]["depth"], 28);
}

TEST_F(Bake, GivesTheSameBytesForAnyNumberOfJobsAndRuns) {
    const std::string input = mesh("bay.off", corpus_off("engine-bay", 60000));
    for (const char* run : {"1", "2", "3"}) {
        const CommandResult result = espalier({"bake", input, "--trees", "box,aabb", "--jobs", run, "-o",
                                               folder_ / (std::string(run) + ".espl")});
        ASSERT_EQ(result.exit_code, 0) << result.error;
    }
    const std::string one = read_text(folder_ / "1.espl");
    EXPECT_GT(one.size(), 100000u);
    EXPECT_TRUE(one == read_text(folder_ / "2.espl"));
    EXPECT_TRUE(one == read_text(folder_ / "3.espl"));
}

TEST_F(Bake, JsonNamesFindingsAndFailures) {
    const CommandResult result = espalier(
        {"bake", "--trees", "aabb,box", mesh("open.obj", open_cube_obj()), folder_ / "absent.obj", "--json"});
    EXPECT_EQ(result.exit_code, 2);
    const json report = json::parse(result.output);
    EXPECT_EQ(report["exit_code"], 2);
    ASSERT_EQ(report["results"].size(), 2u);
    EXPECT_EQ(report["results"][0]["mesh"]["triangles"], 10);
    EXPECT_EQ(report["results"][0]["mesh"]["topology"]["closed"], false);
    bool has_boundary = false;
    for (const json& finding : report["results"][0]["findings"]) has_boundary |= finding["number"] == "S10";
    EXPECT_TRUE(has_boundary) << result.output;
    EXPECT_EQ(report["results"][1]["error"]["exit_code"], 2);
}

TEST_F(Bake, ANameThatIsNoUtf8StillGivesJson) {
    const CommandResult result = espalier({"bake", "--trees", "aabb,box", mesh("caf\xe9.obj"), "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_TRUE(json::accept(result.output));
}

TEST_F(Bake, ProgressIsDrawnOnATerminalAndRemoved) {
    Streams terminal;
    terminal.error_is_terminal = true;
    const std::string input = mesh("torus.off", corpus_off("torus", 20000));
    const CommandResult result = espalier({"bake", "--trees", "aabb,box", input}, terminal);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.error.find("torus.off: read"), std::string::npos) << result.error;
    const std::string erase = "\r\033[K";
    ASSERT_GE(result.error.size(), erase.size());
    EXPECT_EQ(result.error.substr(result.error.size() - erase.size()), erase);
}

TEST_F(Bake, ProgressIsSilentWhenQuietOrPipedOrOnADumbTerminal) {
    const std::string input = mesh("torus.off", corpus_off("torus", 2000));
    Streams terminal;
    terminal.error_is_terminal = true;
    EXPECT_EQ(espalier({"bake", "--trees", "aabb,box", input, "--quiet"}, terminal).error, "");
    EXPECT_EQ(espalier({"bake", "--trees", "aabb,box", input}).error, "");
    terminal.terminal_kind = "dumb";
    EXPECT_EQ(espalier({"bake", "--trees", "aabb,box", input}, terminal).error, "");
}

}  // namespace
}  // namespace espalier::test
