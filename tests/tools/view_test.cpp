// SPDX-License-Identifier: GPL-3.0-or-later
// espalier view: a page with all of the asset in it, and nothing that it would have to fetch.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "espalier/kinematics.h"
#include "tests/support/joint_tree.h"
#include "tests/tools/bodies.h"
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
    const json& part = data["shapes"][0];
    EXPECT_EQ(decoded_bytes(part["positions"]), 1000u * 12);
    EXPECT_EQ(decoded_bytes(part["indices"]), 2000u * 12);
    const json dump = json::parse(espalier({"dump", asset_, "--json"}).output);
    for (std::size_t i = 0; i < 2; ++i) {
        const json& shown = part["trees"][i];
        const json& tree = dump["shapes"][0]["trees"][i];
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
    const json part = page_data(espalier({"view", asset_, "-o", "-"}).output)["shapes"][0];
    const json dump = json::parse(espalier({"dump", asset_, "--json"}).output)["shapes"][0];
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

/// A tree of joints of every type, in a page.
class PosedView : public View {
  protected:
    void SetUp() override {
        testing::Draw draw(41);
        bake_parts({cube_obj()}, testing::random_joint_tree(draw, 40, 1), asset_, {"--trees", "aabb"});
        page_ = espalier({"view", asset_, "-o", "-"}).output;
    }

    /// What node prints for a script that begins with the page's own kinematics and its data.
    std::string run_script(const std::string& script) {
        const std::string begin = "// kinematics: begin", end = "// kinematics: end";
        const std::size_t at = page_.find(begin);
        const std::string kinematics = page_.substr(at, page_.find(end) - at);
        write_text(folder_.path() / "data.json", page_data(page_).dump());
        write_text(folder_.path() / "run.js", "const data = JSON.parse(require('fs').readFileSync('" +
                                                  folder_ / "data.json" + "'));\n" + kinematics + script);
        const CommandResult result = run(ESPALIER_NODE, {folder_ / "run.js"});
        EXPECT_EQ(result.exit_code, 0) << result.error;
        return result.output;
    }

    std::string page_;
};

TEST_F(PosedView, ThePageHasPartsShapesOnceAndThePairsThatTouch) {
    bake_parts(arm_shapes(),
               [] {
                   testing::HandParts parts = arm_parts();
                   parts.pairs.clear();
                   return parts;
               }(),
               asset_, {"--trees", "box"});
    const json data = page_data(espalier({"view", asset_, "-o", "-"}).output);
    EXPECT_EQ(data["shapes"].size(), 3u);
    ASSERT_EQ(data["parts"].size(), 5u);
    EXPECT_EQ(data["parts"][4]["mimic"], 3);
    EXPECT_EQ(data["parts"][1]["upper"], 1);
    EXPECT_TRUE(data["parts"][2]["shape"].is_null());
    EXPECT_EQ(data["touching"], (json{{0, 1}}));
    // Listed as a pair without a test, they are no find.
    bake_parts(arm_shapes(), arm_parts(), asset_, {"--trees", "cell"});
    EXPECT_EQ(page_data(espalier({"view", asset_, "-o", "-"}).output)["touching"], json::array());
}

TEST_F(PosedView, KinematicsOfThePageAreTheRuntimes) {
    if (std::string(ESPALIER_NODE).empty()) GTEST_SKIP() << "no node to run the page's script";
    const OpenFile file(asset_);
    testing::Draw draw(42);
    json configurations = json::array();
    std::vector<std::vector<Pose>> expected;
    for (int i = 0; i < 50; ++i) {
        configurations.push_back(testing::random_configuration(draw, file.asset()));
        expected.push_back(poses_of(file.asset(), configurations.back()));
    }
    std::vector<double> rest(configuration_size(file.asset()));
    ASSERT_EQ(rest_configuration(file.asset(), rest.data(), static_cast<std::uint32_t>(rest.size())),
              Status::kOk);
    const json found = json::parse(run_script(
        "console.log(JSON.stringify({ poses: " + configurations.dump() +
        ".map((c) => forward_kinematics(data.parts, c)), rest: rest_configuration(data.parts) }));"));
    EXPECT_EQ(found["rest"], json(rest));
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t part = 0; part < expected[i].size(); ++part) {
            const Pose& pose = expected[i][part];
            const json& shown = found["poses"][i][part];
            double sign = 0;  // q and -q are one rotation
            for (std::size_t k = 0; k < 4; ++k) sign += pose.rotation[k] * shown["q"][k].get<double>();
            for (std::size_t k = 0; k < 4; ++k)
                worst = std::max(worst, std::abs(std::copysign(1.0, sign) * shown["q"][k].get<double>() -
                                                 pose.rotation[k]));
            for (std::size_t k = 0; k < 3; ++k)
                worst = std::max(worst, std::abs(shown["t"][k].get<double>() - pose.translation[k]));
        }
    EXPECT_LT(worst, 1e-9);
    EXPECT_GT(worst, 0) << "nothing was compared";
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
