// SPDX-License-Identifier: GPL-3.0-or-later
// Output that cannot be written is an error with exit code 2, whatever the verb.
#include <gtest/gtest.h>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

class BrokenOutput : public ::testing::Test {
  protected:
    void SetUp() override {
        write_text(folder_.path() / "cube.obj", cube_obj());
        write_text(folder_.path() / "poses", "1 0 0 0 0 0 0\n");
        asset_ = folder_ / "cube.espl";
        bake_text(cube_obj(), ".obj", asset_, {"--trees", "aabb"});
        commands_ = {
            {"--help"},
            {"--version"},
            {"bake", "--help"},
            {"bake", "--trees", "aabb,box", folder_ / "cube.obj", "-o", folder_ / "new.espl"},
            {"bake", "--trees", "aabb,box", folder_ / "cube.obj", "-o", folder_ / "new.espl", "--json"},
            {"dump", asset_},
            {"dump", asset_, "--json"},
            {"check", asset_},
            {"query", asset_, asset_, "--poses", folder_ / "poses", "--tree", "aabb", "--mode", "first"},
            {"query", asset_, asset_, "--poses", folder_ / "poses", "--tree", "aabb", "--mode", "first",
             "--json"},
        };
    }
    TemporaryFolder folder_;
    std::string asset_;
    std::vector<std::vector<std::string>> commands_;
};

TEST_F(BrokenOutput, AFullDiskIsReported) {
    Streams full;
    full.output = "/dev/full";
    for (const auto& command : commands_) {
        const CommandResult result = espalier(command, full);
        EXPECT_EQ(result.exit_code, 2) << command[0];
        EXPECT_EQ(result.error.find("espalier: standard output: "), 0u) << result.error;
    }
}

TEST_F(BrokenOutput, AClosedStreamIsReportedAndNoFileTakesItsPlace) {
    Streams closed;
    closed.close_output = true;
    for (const auto& command : commands_) {
        const CommandResult result = espalier(command, closed);
        EXPECT_EQ(result.exit_code, 2) << command[0];
        EXPECT_EQ(result.error.find("espalier: standard output: "), 0u) << result.error;
    }
    EXPECT_EQ(espalier({"check", folder_ / "new.espl"}).exit_code, 0);
}

TEST_F(BrokenOutput, AReaderThatLeavesHearsNothing) {
    Streams left;
    left.output_is_left = true;
    for (const auto& command : commands_) {
        const CommandResult result = espalier(command, left);
        EXPECT_EQ(result.exit_code, 2) << command[0];
        EXPECT_EQ(result.error, "") << command[0];
    }
}

TEST_F(BrokenOutput, QuietBakeNeedsNoOutput) {
    Streams closed;
    closed.close_output = true;
    EXPECT_EQ(espalier({"bake", "--trees", "aabb,box", folder_ / "cube.obj", "--quiet"}, closed).exit_code,
              0);
}

}  // namespace
}  // namespace espalier::test
