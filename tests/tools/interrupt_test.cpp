// SPDX-License-Identifier: GPL-3.0-or-later
// Signals during a bake: it stops soon, keeps what is done and leaves the rest as it was.
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

/// Inputs enough for many seconds: the signal comes after the first is done.
constexpr int kInputs = 400;

class Interrupted : public ::testing::Test {
  protected:
    void SetUp() override {
        write_text(folder_.path() / "torus.off", corpus_off("torus", 20000));
        std::filesystem::create_directories(folder_.path() / "in");
        std::filesystem::create_directories(folder_.path() / "out");
        words_ = {"bake", "--trees", "aabb,box", "--out-dir", folder_ / "out"};
        for (int i = 0; i < kInputs; ++i) {
            const std::string name = std::to_string(1000 + i);
            std::filesystem::create_symlink("../torus.off", folder_.path() / "in" / (name + ".off"));
            write_text(folder_.path() / "out" / (name + ".espl"), "old");
            words_.push_back((folder_.path() / "in" / (name + ".off")).string());
        }
    }

    /// Every output is the old one or a whole new one, and there is nothing else.
    void expect_whole_outputs() {
        int baked = 0;
        for (const std::string& name : names_in(folder_.path() / "out")) {
            EXPECT_TRUE(name.ends_with(".espl")) << name;
            if (read_text(folder_.path() / "out" / name) == "old") continue;
            ++baked;
            if (baked == 1)
                EXPECT_EQ(espalier({"check", (folder_.path() / "out" / name).string()}).exit_code, 0);
        }
        EXPECT_GE(baked, 1);
        EXPECT_LT(baked, kInputs);
        EXPECT_EQ(names_in(folder_.path() / "out").size(), static_cast<std::size_t>(kInputs));
    }

    TemporaryFolder folder_;
    std::vector<std::string> words_;
};

bool has_line(const std::string& output) {
    return output.find('\n') != std::string::npos;
}

TEST_F(Interrupted, ControlCExitsWith130AndLeavesTheRestAsItWas) {
    const CommandResult result = espalier_interrupted(words_, SIGINT, has_line);
    EXPECT_EQ(result.exit_code, 130);
    EXPECT_NE(result.error.find("espalier: stopped"), std::string::npos) << result.error;
    expect_whole_outputs();
}

TEST_F(Interrupted, TerminationWithOneJobExitsWith143) {
    words_.insert(words_.end(), {"--jobs", "1"});
    const CommandResult result = espalier_interrupted(words_, SIGTERM, has_line);
    EXPECT_EQ(result.exit_code, 143);
    expect_whole_outputs();
}

TEST_F(Interrupted, JsonSaysWhatWasCancelled) {
    words_.push_back("--json");
    const std::string first = folder_ / "out/1000.espl";
    const CommandResult result =
        espalier_interrupted(words_, SIGINT, [&](const std::string&) { return read_text(first) != "old"; });
    EXPECT_EQ(result.exit_code, 130);
    const nlohmann::json report = nlohmann::json::parse(result.output);
    EXPECT_EQ(report["exit_code"], 130);
    ASSERT_EQ(report["results"].size(), static_cast<std::size_t>(kInputs));
    EXPECT_EQ(report["results"][0]["ok"], true);
    EXPECT_EQ(report["results"][kInputs - 1]["cancelled"], true);
}

}  // namespace
}  // namespace espalier::test
