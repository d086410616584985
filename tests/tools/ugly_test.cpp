// SPDX-License-Identifier: GPL-3.0-or-later
// Every ugly file of the corpus gets the exit code and the message that its manifest promises, and a bake
// that fails leaves the old output in place.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;

bool says(const std::string& text, const std::string& pattern) {
    return std::regex_search(text, std::regex(pattern, std::regex::ECMAScript | std::regex::icase));
}

class Ugly : public ::testing::Test {
  protected:
    void expect_refused(const json& entry, const CommandResult& result, const std::string& input) {
        EXPECT_EQ(result.error.find("espalier: " + input + ": "), 0u) << result.error;
        EXPECT_TRUE(
            says(result.error.substr(std::min(result.error.size(), input.size() + 12)), entry["stderr"]))
            << result.error << "does not match " << entry["stderr"];
        EXPECT_EQ(result.output, "");
        EXPECT_EQ(read_text(output_), "old");
    }

    void expect_baked(const json& entry, const CommandResult& result) {
        EXPECT_EQ(result.error, "");
        EXPECT_TRUE(says(result.output, entry["report"]))
            << result.output << "does not match " << entry["report"];
        EXPECT_EQ(espalier({"check", output_}).exit_code, 0);
        if (!entry.contains("triangles")) return;
        const json dump = json::parse(espalier({"dump", output_, "--json"}).output);
        EXPECT_EQ(dump["shapes"][0]["triangles"], entry["triangles"]);
    }

    TemporaryFolder folder_;
    std::string output_ = folder_ / "out/asset.espl";
};

TEST_F(Ugly, EveryFileGetsItsDocumentedAnswer) {
    const CommandResult written = run(ESPALIER_CORPUS_PROGRAM, {"ugly", folder_ / "in"});
    ASSERT_EQ(written.exit_code, 0) << written.error;
    const json manifest = json::parse(read_text(folder_ / "in/manifest.json"));
    std::filesystem::create_directory(folder_.path() / "out");
    ASSERT_GE(manifest["files"].size(), 50u);
    for (const json& entry : manifest["files"]) {
        SCOPED_TRACE(entry["file"].get<std::string>() + ": " + entry["what"].get<std::string>());
        write_text(output_, "old");
        const std::string input = folder_ / ("in/" + entry["file"].get<std::string>());
        const CommandResult result = espalier({"bake", "--trees", "aabb,box", input, "-o", output_});
        EXPECT_EQ(result.exit_code, entry["exit_code"]) << result.error;
        if (entry["exit_code"] == 0 && result.exit_code == 0)
            expect_baked(entry, result);
        else
            expect_refused(entry, result, input);
        EXPECT_EQ(names_in(folder_.path() / "out").size(), 1u);
    }
}

}  // namespace
}  // namespace espalier::test
