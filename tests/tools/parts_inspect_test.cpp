// SPDX-License-Identifier: GPL-3.0-or-later
// espalier dump and espalier check on the parts of an asset: trees of joints, shared shapes, pairs, and files
// whose parts are wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/tools/bodies.h"
#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;

class PartsInspect : public ::testing::Test {
  protected:
    std::string arm(const testing::HandParts& parts = arm_parts()) {
        bake_parts(arm_shapes(), parts, folder_ / "arm.espl", {"--trees", "aabb"});
        return folder_ / "arm.espl";
    }
    TemporaryFolder folder_;
};

TEST_F(PartsInspect, DumpTextHasATreeOfPartsEachShapeOnceAndPairsByReason) {
    const CommandResult result = espalier({"dump", arm()});
    ASSERT_EQ(result.exit_code, 0) << result.error;
    for (const char* line :
         {"\n5 parts of 3 shapes, 48 triangles placed; a configuration of the joints has 2 values\n",
          "\n  0 base: shape 0\n",
          "\n    1 arm: shape 1, at 0 0 1, revolute joint 'lift' about 0 1 0 from -1 to 1\n",
          "\n      2 tool: frame only, at 4 0 0\n",
          "\n        3 jaw: shape 2, at 0.25 0.5 0, prismatic joint 'grip' along 1 0 0 from 0 to 0.5\n",
          "\n        4 follower: shape 2, at 0.25 -0.5 0, prismatic joint along 1 0 0 = -1 * that of jaw\n",
          "\npairs without a test: 1 (1 adjacent; 0 proved for every state)\n",
          "\nshape 0 (shape0), of part base: 12 triangles", "\nshape 2 (shape2), of 2 parts: 12 triangles"})
        EXPECT_NE(result.output.find(line), std::string::npos) << line << result.output;
}

TEST_F(PartsInspect, DumpJsonHasEverythingOfThePartsAndTheSectionsAddUp) {
    const json dump = json::parse(espalier({"dump", arm(), "--json"}).output);
    EXPECT_EQ(dump["report_version"], 2);
    ASSERT_EQ(dump["parts"].size(), 5u);
    EXPECT_TRUE(dump["parts"][0]["parent"].is_null());
    EXPECT_EQ(dump["parts"][1]["rest"]["translation"], (json{0, 0, 1}));
    EXPECT_EQ(dump["parts"][1]["joint"]["type"], "revolute");
    EXPECT_EQ(dump["parts"][1]["joint"]["upper"], 1);
    EXPECT_TRUE(dump["parts"][2]["shape"].is_null());
    EXPECT_TRUE(dump["parts"][4]["joint"]["lower"].is_null());
    EXPECT_EQ(dump["parts"][4]["joint"]["mimic"]["part"], 3);
    EXPECT_EQ(dump["parts"][4]["joint"]["values"], 0);
    EXPECT_EQ(dump["configuration"], (json{"lift", "grip"}));
    EXPECT_EQ(dump["pairs"]["by_reason"]["adjacent"], 1);
    EXPECT_EQ(dump["pairs"]["list"][0]["b"], 1);
    EXPECT_EQ(dump["shapes"][2]["parts"], (json{3, 4}));
    std::uint64_t bytes = dump["other_bytes"];
    for (const json& shape : dump["shapes"])
        for (const json& section : shape["sections"]) bytes += section["bytes"].get<std::uint64_t>();
    EXPECT_EQ(bytes, dump["file_bytes"]);
}

TEST_F(PartsInspect, LongListsAreCutInTextAndWholeInJson) {
    testing::HandParts parts;
    for (int i = 0; i < 130; ++i)
        parts.add("link" + std::to_string(i),
                  testing::hand_part(0, i == 0 ? kNoIndex : static_cast<std::uint32_t>(i - 1), {2, 0, 0}));
    const std::string asset = arm(parts);
    const std::string text = espalier({"dump", asset}).output;
    EXPECT_NE(text.find("99 link99: "), std::string::npos) << text;
    EXPECT_EQ(text.find("100 link100: "), std::string::npos);
    EXPECT_NE(text.find("... and 30 more parts (--json has all)\n"), std::string::npos);
    EXPECT_EQ(json::parse(espalier({"dump", asset, "--json"}).output)["parts"].size(), 130u);
}

TEST_F(PartsInspect, SpheresOfPartsAreWhereThePartsAreAtRest) {
    testing::HandParts parts;
    PartNode turned = testing::hand_part(0, 0, {10, 0, 0});
    turned.rotation[0] = turned.rotation[3] = std::sqrt(0.5);  // x to y
    parts.add("first", testing::hand_part(0, kNoIndex, {0, 0, 5}));
    parts.add("second", turned);
    const std::string asset = folder_ / "spheres.espl";
    bake_parts({box_obj({0, 0, 0}, {4, 1, 1})}, parts, asset,
               {"--trees", "sphere", "--levels", "1", "--effort", "fast"});
    std::istringstream text(espalier({"dump", asset, "--spheres"}).output);
    std::string line;
    std::getline(text, line);
    EXPECT_EQ(line, "# part first");
    double level, x, y, z, r, error;
    text >> level >> x >> y >> z >> r >> error;
    EXPECT_NEAR(x, 2, 0.2);
    EXPECT_NEAR(z, 5.5, 0.2);
    std::getline(text, line);
    std::getline(text, line);
    EXPECT_EQ(line, "# part second");
    text >> level >> x >> y >> z >> r >> error;
    EXPECT_NEAR(x, 9.5, 0.2);
    EXPECT_NEAR(y, 2, 0.2);
    EXPECT_NEAR(z, 5.5, 0.2);
}

TEST_F(PartsInspect, CheckOfSoundPartsNamesWhatItProved) {
    const CommandResult result = espalier({"check", arm()});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    for (const char* item :
         {"ok      parents come before their children (5)", "ok      limits of joints are in order (5)",
          "ok      pairs name two parts, each once and in order (1)",
          // once for all shapes
          "ok      aabb leaves hold every triangle once (36)"})
        EXPECT_NE(result.output.find(item), std::string::npos) << item << "\n" << result.output;
}

TEST_F(PartsInspect, CheckNamesThePartThatBreaksARule) {
    using Parts = testing::HandParts;
    const std::pair<std::function<void(Parts&)>, std::string> cases[] = {
        {[](Parts& p) { p.parts[1].parent = 3; },
         "part 1 (arm): its parent, part 3, does not come before it"},
        {[](Parts& p) { p.parts[3].shape = 9; }, "part 3 (jaw): there is no shape 9"},
        {[](Parts& p) { p.parts[1].rotation[0] = 1.5; },
         "part 1 (arm): its rotation has the length 1.5, not 1"},
        {[](Parts& p) { p.parts[3].rotation[2] = NAN; }, "part 3 (jaw): its rotation has the length nan"},
        {[](Parts& p) { p.parts[1].axis[0] = 1; }, "part 1 (arm): the axis of its joint has the length"},
        {[](Parts& p) { p.parts[0].axis[0] = 1; }, "part 0 (base): its joint has an axis"},
        {[](Parts& p) { p.parts[2].joint = Joint(7); }, "part 2 (tool): its joint is of no known type"},
        {[](Parts& p) { p.parts[1].lower = 2; },
         "part 1 (arm): the limits of its joint, 2 to 1, are not in order"},
        {[](Parts& p) { p.parts[3].upper = NAN; }, "part 3 (jaw): the limits of its joint"},
        {[](Parts& p) { p.parts[3].mimic = 4; },
         "part 3 (jaw): the chain of joints that it follows has no end"},
        {[](Parts& p) {  // the last of them has one joint more to follow than may be
             for (std::uint32_t i = 0; i < kMaxMimicChain - 1; ++i) {
                 PartNode link = p.parts[4];
                 link.mimic = 4 + i;
                 p.add("link" + std::to_string(i), link);
             }
         },
         "part 67 (link62): the chain of joints that it follows has no end, or is too long"},
        {[](Parts& p) { p.parts[4].mimic = 77; },
         "part 4 (follower): there is no part 77 whose joint it could follow"},
        {[](Parts& p) { p.parts[4].mimic = 0; },
         "part 4 (follower): it follows a joint that is fixed or free"},
        {[](Parts& p) { p.parts[1].multiplier = 2; }, "part 1 (arm): its joint follows none"},
        {[](Parts& p) { p.names[3] = "arm"; }, "part 3 (arm): an earlier part has the same name"},
        {[](Parts& p) { p.names[6] = "lift"; }, "part 3 (jaw): an earlier joint is called 'lift' too"},
        {[](Parts& p) { p.names[2] = "to\xffol"; }, "part 2 (to\xEF\xBF\xBDol): its name is no UTF-8"},
        {[](Parts& p) { p.names[2] = "to\nol"; },
         "part 2 (to\xEF\xBF\xBDol): its name is no UTF-8 or holds control"},
        {[](Parts& p) { p.names[2] = ""; }, "part 2: it has no name"},
        {[](Parts& p) { p.parts[2].translation[0] = 1e16; }, "part 2 (tool): it is farther than 1e+15"},
        {[](Parts& p) { p.parts[2].translation[0] = NAN; }, "part 2 (tool): it is farther than 1e+15"},
        {[](Parts& p) { p.pairs[0].b = 5; }, "pair 0, of parts 0 and 5, names a part that is not there"},
        {[](Parts& p) { p.pairs[0].a = 1; }, "pair 0, of parts 1 and 1, names a part"},
        {[](Parts& p) { p.pairs.push_back(p.pairs[0]); }, "pair 1, of parts 0 and 1, does not come after"},
        {[](Parts& p) { p.pairs[0].share = 2; }, "pair 0, of parts 0 and 1, has no known reason, or a share"},
    };
    for (const auto& [damage, says] : cases) {
        testing::HandParts parts = arm_parts();
        damage(parts);
        const CommandResult result = espalier({"check", arm(parts)});
        EXPECT_EQ(result.exit_code, 3) << says;
        EXPECT_NE(result.error.find(says), std::string::npos) << says << "\n" << result.error;
        EXPECT_NE(result.output.find("FAILED"), std::string::npos) << says;
    }
}

TEST_F(PartsInspect, CheckNamesTheShapeAndAPartOfItsOwnWhereGeometryIsWrong) {
    const std::string asset = arm();
    std::string bytes = read_text(asset);
    {
        const OpenFile file(asset);
        ShapeView shape;
        ASSERT_EQ(file.asset().shape(2, &shape), Status::kOk);
        const std::uint8_t* side = &shape.aabb.nodes[0].hi[0];
        bytes[static_cast<std::size_t>(side - file.asset().data())] = 1;
    }
    reseal(bytes);
    write_text(folder_ / "wrong.espl", bytes);
    const CommandResult result = espalier({"check", folder_ / "wrong.espl"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_NE(result.error.find("aabb boxes contain their triangles: shape 2 (shape2) of part 'jaw': "),
              std::string::npos)
        << result.error;
    // The other shapes are sound, and said to be.
    EXPECT_NE(result.output.find("ok      aabb boxes contain their triangles"), std::string::npos)
        << result.output;
}

}  // namespace
}  // namespace espalier::test
