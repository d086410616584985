// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes on the command line: which parts they bake to, under which names, and how the options choose.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/draw.h"
#include "tests/tools/bodies.h"
#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

/// A COLLADA file with one mesh, a box from 0 to 1, and nodes of the test's own.
std::string collada(const std::string& nodes) {
    const std::string points = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1";
    const std::string corners = "0 2 3 0 3 1 4 5 7 4 7 6 0 1 5 0 5 4 2 6 7 2 7 3 0 4 6 0 6 2 1 3 7 1 7 5";
    return R"(<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><up_axis>Y_UP</up_axis></asset>
<library_geometries><geometry id="box" name="box"><mesh>
<source id="p"><float_array id="pa" count="24">)" +
           points + R"(</float_array><technique_common>
<accessor source="#pa" count="8" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/><p>)" +
           corners + R"(</p></triangles>
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">)" +
           nodes + R"(</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>
)";
}

/// A node with the box, or without, and with what hangs on it.
std::string node(const std::string& name, const std::string& matrix, bool box = true,
                 const std::string& inner = "") {
    return "<node id=\"" + name + "\" name=\"" + name + "\"><matrix>" + matrix + "</matrix>" +
           (box ? "<instance_geometry url=\"#box\"/>" : "") + inner + "</node>";
}

constexpr const char* kHere = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1";
constexpr const char* kAside = "0 -1 0 5 1 0 0 0 0 0 1 0 0 0 0 1";   // turned about z, and moved along x
constexpr const char* kLarger = "2 0 0 0 0 2 0 0 0 0 2 10 0 0 0 1";  // and moved along z

class SceneFiles : public ::testing::Test {
  protected:
    std::string file(const std::string& name, const std::string& text) {
        write_text(folder_.path() / name, text);
        return folder_ / name;
    }
    /// Two wheels on an axle that is a frame, and a larger box.
    std::string cart() {
        return file("cart.dae",
                    collada(node("axle", kAside, false, node("wheel", kHere) + node("wheel2", kAside)) +
                            node("load", kLarger)));
    }
    json bake(std::vector<std::string> words) {
        words.insert(words.begin(), "bake");
        words.insert(words.end(), {"-o", folder_ / "out.espl", "--trees", "aabb,box,cell", "--json"});
        const CommandResult result = espalier(words);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        return json::parse(result.output)["results"][0];
    }
    json dump() { return json::parse(espalier({"dump", folder_ / "out.espl", "--json"}).output); }
    Names names() {
        Names names;
        const json all = dump();
        for (const json& part : all["parts"]) names.push_back(part["name"]);
        return names;
    }
    TemporaryFolder folder_;
};

TEST_F(SceneFiles, NodesBecomeNamedPartsThatShareShapes) {
    const json report = bake({cart()});
    EXPECT_EQ(report["parts"], 3);
    EXPECT_EQ(report["placed_triangles"], 36);
    ASSERT_EQ(report["shapes"].size(), 2u);
    EXPECT_EQ(report["mesh"]["triangles"], 24);
    EXPECT_EQ(names(), (Names{"wheel", "wheel2", "load"}));
    const json parts = dump()["parts"];
    EXPECT_EQ(parts[0]["shape"], parts[1]["shape"]);
    EXPECT_NE(parts[0]["shape"], parts[2]["shape"]);
    EXPECT_NEAR(parts[0]["rest"]["translation"][0].get<double>(), 5, 1e-9);
    EXPECT_EQ(espalier({"check", folder_ / "out.espl"}).exit_code, 0);
    const CommandResult text = espalier({"bake", cart(), "-o", folder_ / "out.espl", "--trees", "aabb"});
    EXPECT_NE(text.output.find("3 parts of 2 shapes, 24 triangles placed as 36, aabb tree"),
              std::string::npos)
        << text.output;
}

TEST_F(SceneFiles, OptionsChooseParts) {
    bake({cart(), "--frames"});
    EXPECT_EQ(names(), (Names{"axle", "wheel", "wheel2", "load"}));
    EXPECT_TRUE(dump()["parts"][0]["shape"].is_null());
    EXPECT_EQ(dump()["parts"][2]["parent"], 0);
    bake({cart(), "--parts", "w*,nothing"});
    EXPECT_EQ(names(), (Names{"wheel", "wheel2"}));
    EXPECT_EQ(bake({cart(), "--merge"})["parts"], 1);
    EXPECT_EQ(names(), (Names{"cart"}));
    EXPECT_EQ(dump()["shapes"][0]["triangles"], 36);
    EXPECT_EQ(bake({cart(), "--merge", "--parts", "load"})["mesh"]["triangles"], 12);
    const CommandResult none = espalier({"bake", cart(), "-o", folder_ / "x.espl", "--parts", "x*"});
    EXPECT_EQ(none.exit_code, 3);
    EXPECT_NE(none.error.find("'x*'"), std::string::npos) << none.error;
    EXPECT_NE(none.error.find("wheel2"), std::string::npos) << none.error;
    EXPECT_EQ(espalier({"bake", cart(), "-o", folder_ / "x.espl", "--merge", "--frames"}).exit_code, 1);
    const CommandResult scene = espalier({"bake", cart(), "-o", folder_ / "x.espl", "--scene", "1"});
    EXPECT_EQ(scene.exit_code, 3);
    EXPECT_NE(scene.error.find("there are no scenes"), std::string::npos) << scene.error;
}

TEST_F(SceneFiles, SeveralFilesAreOneAssetUnderTheirNames) {
    std::filesystem::create_directory(folder_.path() / "more");
    const json report =
        bake({file("a.obj", cube_obj()), file("b.obj", cube_obj()), cart(), file("more/a.obj", cube_obj())});
    EXPECT_EQ(report["parts"], 6);
    EXPECT_EQ(names(), (Names{"a", "b", "wheel", "wheel2", "load", "a#2"}));
    EXPECT_TRUE(std::ranges::any_of(report["findings"], [](const json& f) { return f["number"] == "B02"; }))
        << "a name is there twice";
    EXPECT_EQ(report["inputs"].size(), 4u);
    EXPECT_EQ(bake({file("a.obj", cube_obj()), cart(), "--merge"})["mesh"]["triangles"], 48);
}

/// One triangle that two scenes place: "garage" two times under one name, "road" once.
constexpr const char* kTwoScenes = R"({"asset": {"version": "2.0"}, "scene": 0,
"scenes": [{"name": "garage", "nodes": [0, 1]}, {"name": "road", "nodes": [2]}],
"nodes": [{"name": "car", "mesh": 0}, {"name": "car", "mesh": 0, "translation": [3, 0, 0]}, {"name": "truck", "mesh": 0}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
"bufferViews": [{"buffer": 0, "byteLength": 36}],
"buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";

TEST_F(SceneFiles, GltfScenesAreChosenByNumberAndNameAndRepeatedNamesAreToldApart) {
    const std::string input = file("two.gltf", kTwoScenes);
    const json report = bake({input});
    EXPECT_EQ(names(), (Names{"car", "car#2"}));
    EXPECT_EQ(report["shapes"].size(), 1u);
    EXPECT_EQ(report["placed_triangles"], 2);
    for (const char* scene : {"1", "road"}) {
        bake({input, "--scene", scene});
        EXPECT_EQ(names(), Names{"truck"}) << scene;
    }
    const CommandResult none = espalier({"bake", input, "-o", folder_ / "x.espl", "--scene", "sea"});
    EXPECT_EQ(none.exit_code, 3);
    EXPECT_NE(none.error.find("garage"), std::string::npos) << none.error;
}

TEST_F(SceneFiles, TurnedAndScaledPartsAnswerAsTheirMergedMesh) {
    bake({cart(), "--merge"});
    std::filesystem::rename(folder_.path() / "out.espl", folder_.path() / "merged.espl");
    bake({cart()});
    bake_text(box_obj({-6, -6, -0.25}, {6, 6, 0.25}), ".obj", folder_ / "plate.espl",
              {"--trees", "aabb,box,cell"});
    testing::Draw draw(5);
    std::string poses;
    for (int i = 0; i < 80; ++i) {
        std::vector<double> pose(4);
        draw.quaternion(pose.data());
        for (int k = 0; k < 3; ++k) pose.push_back(draw.between(-6, 6));
        poses += line_of(pose);
    }
    const std::string list = file("poses.txt", poses);
    const auto answers = [&](const std::string& a, const std::string& tree, const std::string& mode) {
        std::vector<std::string> words = {
            "query", a, folder_ / "plate.espl", "--poses", list, "--tree", tree, "--mode", mode};
        if (mode == "within") words.insert(words.end(), {"--limit", "1"});
        const CommandResult result = espalier(words);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        std::istringstream in(result.output);
        std::vector<double> numbers{std::istream_iterator<double>(in), {}};
        return numbers;
    };
    for (const char* tree : {"aabb", "box", "cell"})
        for (const char* mode : {"first", "all", "distance", "within"}) {
            const std::vector<double> expected = answers(folder_ / "merged.espl", tree, mode);
            const std::vector<double> found = answers(folder_ / "out.espl", tree, mode);
            ASSERT_EQ(found.size(), 80u);
            ASSERT_EQ(expected.size(), 80u);
            for (std::size_t i = 0; i < found.size(); ++i)
                EXPECT_NEAR(found[i], expected[i], 1e-6) << tree << " " << mode << " pose " << i;
        }
    const std::vector<double> hits = answers(folder_ / "out.espl", "aabb", "first");
    EXPECT_GT(std::ranges::count(hits, 1.0), 5);
    EXPECT_GT(std::ranges::count(hits, 0.0), 5);
}

}  // namespace
}  // namespace espalier::test
