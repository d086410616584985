// SPDX-License-Identifier: GPL-3.0-or-later
// espalier view: a page with all of the asset in it, and nothing that it would have to fetch.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;

/// The data that the page carries.
json page_data(const std::string& page) {
    const std::string opening = R"(<script id="data" type="application/json">)";
    const std::size_t begin = page.find(opening) + opening.size();
    return json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

std::size_t decoded_bytes(const json& base64) {
    const std::string text = base64;
    return text.size() / 4 * 3 - static_cast<std::size_t>(std::ranges::count(text, '='));
}

class View : public ::testing::Test {
  protected:
    void SetUp() override { bake_text(corpus_off("torus", 2000), ".off", asset_, {"--trees", "box,aabb"}); }
    TemporaryFolder folder_;
    std::string asset_ = folder_ / "to<!--rus.espl";
};

TEST_F(View, PageHoldsEveryTriangleAndEveryVolume) {
    const CommandResult result = espalier({"view", asset_, "-o", folder_ / "page.html"});
    ASSERT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(result.output, "");
    const json data = page_data(read_text(folder_ / "page.html"));
    EXPECT_EQ(data["title"], asset_);
    const json& part = data["parts"][0];
    EXPECT_EQ(decoded_bytes(part["positions"]), 1000u * 12);
    EXPECT_EQ(decoded_bytes(part["indices"]), 2000u * 12);
    const json dump = json::parse(espalier({"dump", asset_, "--json"}).output);
    for (std::size_t i = 0; i < 2; ++i) {
        const json& shown = part["trees"][i];
        const json& tree = dump["parts"][0]["trees"][i];
        EXPECT_EQ(shown["name"], tree["name"]);
        std::size_t inner = 0, leaves = 0;
        for (const json& level : shown["levels"]) {
            inner += decoded_bytes(level["inner"]) / 24;
            leaves += decoded_bytes(level["leaves"]) / 24;
        }
        EXPECT_EQ(inner, tree["nodes"]);
        EXPECT_EQ(leaves, tree["leaves"]);
        EXPECT_EQ(shown["omitted_levels"], 0);
    }
}

TEST_F(View, PageHoldsTheSpheresOfEveryLevel) {
    bake_text(corpus_off("torus", 400), ".off", asset_,
              {"--trees", "sphere,aabb", "--levels", "3", "--effort", "fast"});
    const json part = page_data(espalier({"view", asset_, "-o", "-"}).output)["parts"][0];
    const json dump = json::parse(espalier({"dump", asset_, "--json"}).output)["parts"][0];
    ASSERT_EQ(part["trees"].size(), 2u);
    EXPECT_EQ(part["trees"][0]["name"], "sphere");
    EXPECT_EQ(part["trees"][0]["shape"], "sphere");
    EXPECT_EQ(part["trees"][1]["shape"], "box");
    for (std::size_t l = 0; l < 3; ++l) {
        const json& level = part["trees"][0]["levels"][l];
        EXPECT_EQ((decoded_bytes(level["inner"]) + decoded_bytes(level["leaves"])) / 16,
                  dump["trees"][0]["levels"][l]["nodes"]);
    }
}

TEST_F(View, PageIsSelfContained) {
    const std::string page = espalier({"view", asset_, "-o", "-"}).output;
    for (const char* text : {"http:", "https:", " src=", "href=", "@import", "url("})
        EXPECT_EQ(page.find(text), std::string::npos) << text;
    EXPECT_EQ(page.find("<!--rus"), std::string::npos) << "a name must not reach the page's markup";
}

TEST_F(View, FailuresHaveTheirExitCodes) {
    EXPECT_EQ(espalier({"view", asset_}).exit_code, 1);
    EXPECT_EQ(espalier({"view", folder_ / "absent.espl", "-o", folder_ / "page.html"}).exit_code, 2);
    EXPECT_EQ(espalier({"view", asset_, "-o", folder_ / "absent/page.html"}).exit_code, 2);
    write_text(folder_.path() / "junk.espl", std::string(1000, 'x'));
    write_text(folder_.path() / "page.html", "old");
    EXPECT_EQ(espalier({"view", folder_ / "junk.espl", "-o", folder_ / "page.html"}).exit_code, 3);
    EXPECT_EQ(read_text(folder_ / "page.html"), "old");
}

}  // namespace
}  // namespace espalier::test
