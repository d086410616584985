// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes to shapes and rigid parts: what is shared, what is put into triangles, names.
#include "builder/body/scene_body.h"

#include <gtest/gtest.h>

#include <limits>

#include "builder/body/name_pattern.h"
#include "tests/support/draw.h"

namespace espalier::test {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;

PolygonSoup wedge(double size) {
    PolygonSoup soup;
    soup.points = {{0, 0, 0}, {size, 0, 0}, {0, 2 * size, 0}, {0, 0, 3 * size}};
    for (const std::vector<std::uint32_t>& face :
         {std::vector<std::uint32_t>{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}})
        soup.add_polygon(face);
    return soup;
}

class SceneMaker {
  public:
    SceneMaker() {
        scene.name = "scene";
        for (const char* name : {"wedge", "", "spare"}) scene.meshes.push_back({name, wedge(1)});
    }
    std::uint32_t add(const std::string& name, std::uint32_t mesh,
                      const Affine3d& to_parent = Affine3d::Identity(), std::uint32_t parent = kNone) {
        scene.nodes.push_back({name, parent, to_parent, mesh});
        return static_cast<std::uint32_t>(scene.nodes.size() - 1);
    }
    BodyDescription body(const SceneChoice& choice = {}) const {
        const Result<BodyDescription> made = body_of_scene(scene, choice);
        EXPECT_TRUE(made) << made.error().message;
        return made.value();
    }
    Error error(const SceneChoice& choice = {}) const { return body_of_scene(scene, choice).error(); }

    Scene scene;
};

Affine3d at(double x, double y = 0, double z = 0) {
    Affine3d placed = Affine3d::Identity();
    placed.translation() = Vector3d(x, y, z);
    return placed;
}

Affine3d turned(double angle, const Vector3d& axis = Vector3d(1, -2, 0.5)) {
    return Affine3d(Eigen::AngleAxisd(angle, axis.normalized()));
}

Affine3d scaled(double x, double y, double z) {
    return Affine3d(Eigen::Scaling(x, y, z));
}

std::vector<std::string> names(const BodyDescription& body) {
    std::vector<std::string> all;
    for (const BodyPart& part : body.parts) all.push_back(part.name);
    return all;
}

/// All triangles where the parts' poses put them, polygon by polygon.
std::vector<Vector3d> placed_corners(const BodyDescription& body) {
    std::vector<Eigen::Affine3d> world;
    std::vector<Vector3d> corners;
    for (const BodyPart& part : body.parts) {
        const Affine3d rest = Eigen::Translation3d(part.translation) * part.rotation;
        world.push_back(part.parent == kNoIndex ? rest : world[part.parent] * rest);
        if (part.shape == kNoIndex) continue;
        const PolygonSoup& soup = body.shapes[part.shape].soup;
        for (const std::uint32_t corner : soup.corners) corners.push_back(world.back() * soup.points[corner]);
    }
    return corners;
}

double farthest_from_merged(const Scene& scene, const BodyDescription& body) {
    const PolygonSoup merged = merge_scene(scene).value();
    const std::vector<Vector3d> corners = placed_corners(body);
    EXPECT_EQ(corners.size(), merged.corners.size());
    double farthest = 0;
    for (std::size_t i = 0; i < corners.size(); ++i)
        farthest = std::max(farthest, (corners[i] - merged.points[merged.corners[i]]).norm());
    return farthest;
}

TEST(SceneBody, PlacementsThatDifferByRotationAndTranslationShareOneShape) {
    SceneMaker maker;
    for (int i = 0; i < 50; ++i) maker.add("w", 0, at(i) * turned(0.1 * i));
    const BodyDescription body = maker.body();
    EXPECT_EQ(body.shapes.size(), 1u);
    EXPECT_EQ(body.parts.size(), 50u);
    EXPECT_EQ(body.shapes[0].soup.points, wedge(1).points) << "untouched";
    EXPECT_LT(farthest_from_merged(maker.scene, body), 1e-13);
}

TEST(SceneBody, NoiseOfFloatsInATransformDoesNotMakeAShape) {
    SceneMaker maker;
    for (int i = 0; i < 50; ++i) {
        Affine3d noisy = at(i) * turned(0.1 * i);
        noisy.matrix() = noisy.matrix().cast<float>().cast<double>();
        maker.add("w", 0, noisy);
    }
    const BodyDescription body = maker.body();
    EXPECT_EQ(body.shapes.size(), 1u);
    EXPECT_LT(farthest_from_merged(maker.scene, body), 1e-6 * std::sqrt(14.0));
}

TEST(SceneBody, AMeshFarFromItsOriginIsSharedOnlyWhereThatMovesItByLessThanItsSize) {
    SceneMaker maker;
    for (Vector3d& point : maker.scene.meshes[0].soup.points) point.x() += 1e5;
    maker.add("a", 0);
    maker.add("b", 0, scaled(1 + 3e-7, 1, 1));
    const BodyDescription body = maker.body();
    EXPECT_EQ(body.shapes.size(), 2u) << "3e-7 of 1e5 is 0.03";
    EXPECT_LT(farthest_from_merged(maker.scene, body), 1e-6);
}

TEST(SceneBody, ScaleAndMirrorMakeShapesOfTheirOwnThatEqualOnesShare) {
    SceneMaker maker;
    maker.add("plain", 0);
    maker.add("twice", 0, at(5) * scaled(2, 2, 2));
    maker.add("twice turned", 0, turned(1) * scaled(2, 2, 2));
    maker.add("flat", 0, scaled(1, 0.1, 1));
    maker.add("mirrored", 0, scaled(-1, 1, 1));
    maker.add("mirrored otherwise", 0, turned(2) * scaled(1, 1, -1));
    const BodyDescription body = maker.body();
    ASSERT_EQ(body.shapes.size(), 4u);
    EXPECT_EQ(body.parts[1].shape, body.parts[2].shape);
    EXPECT_EQ(body.parts[4].shape, body.parts[5].shape) << "two mirrors differ by a rotation";
    EXPECT_LT(farthest_from_merged(maker.scene, body), 1e-13);
    EXPECT_EQ(body.findings.back().number, "B04");
    EXPECT_EQ(body.findings.back().count, 3u);
}

TEST(SceneBody, RandomAffineTreesAreWhereTheirMergedMeshIsWithRigidPoses) {
    Draw draw(7);
    const auto number = [&] { return 2 * draw.unit() - 1; };
    for (int round = 0; round < 100; ++round) {
        SceneMaker maker;
        for (std::uint32_t i = 0; i < 12; ++i) {
            Affine3d any = at(number(), number(), number());
            for (int k = 0; k < 9; ++k) any.linear()(k / 3, k % 3) = number();
            if (std::abs(any.linear().determinant()) < 0.05) any.linear().setIdentity();
            maker.add("n", i % 3 == 1 ? kNone : i % 2, any,
                      i == 0 || draw.below(4) == 0 ? kNone : static_cast<std::uint32_t>(draw.below(i)));
        }
        const BodyDescription body = maker.body({round % 2 == 0, ""});
        double size = 1;
        for (const Vector3d& corner : placed_corners(body)) size = std::max(size, corner.norm());
        EXPECT_LT(farthest_from_merged(maker.scene, body), 1e-12 * size) << round;
        for (const BodyPart& part : body.parts) EXPECT_NEAR(part.rotation.norm(), 1, 1e-12);
    }
}

TEST(SceneBody, NodesWithoutAMeshAreFoldedAwayAndKeptAsFramesOnRequest) {
    SceneMaker maker;
    const std::uint32_t root = maker.add("root", kNone, at(1));
    const std::uint32_t body_node = maker.add("body", 0, at(2), root);
    const std::uint32_t axle = maker.add("axle", kNone, at(3), body_node);
    maker.add("wheel", 1, at(4), axle);
    maker.add("empty", kNone, at(9), root);
    const BodyDescription folded = maker.body();
    EXPECT_EQ(names(folded), (std::vector<std::string>{"body", "wheel"}));
    EXPECT_EQ(folded.parts[1].parent, 0u);
    EXPECT_EQ(folded.parts[1].translation.x(), 7);
    const BodyDescription framed = maker.body({true, ""});
    EXPECT_EQ(names(framed), (std::vector<std::string>{"root", "body", "axle", "wheel"}));
    EXPECT_EQ(framed.parts[3].parent, 2u);
    EXPECT_EQ(framed.parts[2].shape, kNoIndex);
    EXPECT_LT(farthest_from_merged(maker.scene, framed), 1e-14);
}

TEST(SceneBody, NamesAreTheNodesElseTheMeshesElseANumberAndUnique) {
    SceneMaker maker;
    maker.add("door", 0);
    maker.add("", 0);
    maker.add("", 1);
    maker.add("door", 0);
    maker.add("door#2", 0);
    maker.add("door", 0);
    maker.add("a\nb", 0);
    const BodyDescription body = maker.body();
    EXPECT_EQ(names(body), (std::vector<std::string>{"door", "wedge", "part2", "door#3", "door#2", "door#4",
                                                     "a\xEF\xBF\xBD"
                                                     "b"}));
    ASSERT_EQ(body.findings.size(), 3u);
    EXPECT_EQ(body.findings[0].number, "B01");
    EXPECT_EQ(body.findings[0].count, 2u);
    EXPECT_EQ(body.findings[1].number, "B02");
    EXPECT_EQ(body.findings[1].count, 2u);
    EXPECT_EQ(body.findings[1].message,
              "2 parts are called as an earlier one, the first: 'door' is 'door#3'");
    EXPECT_EQ(body.findings[2].number, "B03");
}

TEST(SceneBody, PatternsKeepPartsUnderTheNamesThatAllWouldHave) {
    SceneMaker maker;
    const std::uint32_t frame = maker.add("frame", kNone, at(1));
    const std::uint32_t hub = maker.add("hub", 0, at(1), frame);
    maker.add("wheel", 1, at(1), hub);
    maker.add("wheel", 1, at(2), hub);
    maker.add("", 1, at(3), hub);
    const BodyDescription body = maker.body({true, "nothing,wheel#?,p*"});
    EXPECT_EQ(names(body), (std::vector<std::string>{"wheel#2", "part4"}));
    EXPECT_EQ(body.parts[0].translation.x(), 4);
    EXPECT_EQ(body.shapes.size(), 1u);
    EXPECT_EQ(names(maker.body({true, "hub"})), (std::vector<std::string>{"frame", "hub"}));
    const Error error = maker.error({false, "Wheel"});
    EXPECT_EQ(error.kind, ErrorKind::kInvalidInput);
    EXPECT_EQ(error.message, "no part's name fits 'Wheel'; there are hub, wheel, wheel#2, part3");
    EXPECT_EQ(merge_chosen(maker.scene, {false, "wheel*"}).value().polygon_count(), 8u);
}

TEST(SceneBody, SingularAndNotFiniteTransformsAreInvalidInputThatNamesThePart) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const Affine3d& bad : {scaled(0, 0, 0), scaled(1, 0, 1), turned(1) * scaled(1, 1e-8, 1),
                                at(infinity), scaled(1, infinity, 1), scaled(std::nan(""), 1, 1)}) {
        SceneMaker maker;
        maker.add("good", 0);
        maker.add("bad", 0, bad);
        EXPECT_EQ(maker.error().kind, ErrorKind::kInvalidInput);
        EXPECT_EQ(maker.error().message.find("part 'bad': the transforms of its nodes are singular"), 0u);
    }
}

TEST(SceneBody, VeryLargeAndVerySmallScalesArePosesToo) {
    for (const double scale : {1e-9, 1e9}) {
        SceneMaker maker;
        maker.add("good", 0, turned(1) * scaled(scale, scale, scale));
        EXPECT_LT(farthest_from_merged(maker.scene, maker.body()), 1e-13 * scale);
    }
}

TEST(SceneBody, MorePartsThanTheLimitAreUnsupportedBeforeShapesAreMade) {
    SceneMaker maker;
    for (std::size_t i = 0; i <= kMostParts; ++i) maker.add("n", 0);
    EXPECT_EQ(maker.error().kind, ErrorKind::kUnsupported);
}

TEST(SceneBody, AsManyPartsAsTheLimitWithTransformsOfTheirOwnTakeNoSquareOfTheTime) {
    SceneMaker maker;
    for (std::size_t i = 0; i < kMostParts; ++i) maker.add("n", 0, scaled(1 + 1e-3 * double(i), 1, 1));
    EXPECT_EQ(maker.body().shapes.size(), kMostParts);
}

TEST(JoinedScenes, OneMeshFilesAreCalledAsTheFileAndOthersHangOnAFrame) {
    SceneMaker single, several;
    single.scene.name = "a";
    single.add("cube", 0, at(1));
    several.scene.name = "b";
    several.add("x", 0);
    several.add("a", 1, at(2));
    several.scene.unit = "metre";
    several.scene.findings.push_back({"M02", Severity::kInfo, "no final newline", 1, "1 line"});
    several.scene.provenance.source_name = "b.glb";
    single.scene.provenance.source_name = "a.obj";
    const Scene joined = join_scenes({single.scene, several.scene}).value();
    EXPECT_EQ(joined.name, "a+b");
    EXPECT_EQ(joined.provenance.source_name, "a.obj, b.glb");
    EXPECT_EQ(joined.findings.front().message, "b.glb: 1 line");
    EXPECT_EQ(joined.findings.back().number, "B06");
    EXPECT_EQ(joined.unit, "");
    const BodyDescription body = body_of_scene(joined, {}).value();
    EXPECT_EQ(names(body), (std::vector<std::string>{"a", "x", "a#2"}));
    EXPECT_EQ(body.shapes.size(), 3u);
    EXPECT_EQ(names(body_of_scene(joined, {true, ""}).value()),
              (std::vector<std::string>{"a", "b", "x", "a#2"}));
    EXPECT_LT(farthest_from_merged(joined, body), 1e-15);
}

TEST(NamePattern, StarsAndQuestionMarksFitCharactersAndNothingElseDoes) {
    for (const char* pattern : {"wheel", "*", "w*", "*l", "w*e*l", "?????", "x,wheel", "wheel*", "**e**"})
        EXPECT_TRUE(fits_patterns("wheel", pattern)) << pattern;
    for (const char* pattern : {"", "Wheel", "whee", "wheels", "????", "??????", "x*", "w*x", "whee,heel"})
        EXPECT_FALSE(fits_patterns("wheel", pattern)) << pattern;
    EXPECT_TRUE(
        fits_patterns("\xC3\xA4"
                      "b",
                      "?b"));
    EXPECT_TRUE(fits_patterns("", "*"));
}

TEST(NamePattern, ManyStarsTakeNoPowerOfTheLength) {
    const std::string name(5000, 'a');
    std::string pattern;
    for (int i = 0; i < 200; ++i) pattern += "*a";
    EXPECT_FALSE(fits_patterns(name, pattern + "b"));
    EXPECT_TRUE(fits_patterns(name, pattern));
}

}  // namespace
}  // namespace espalier::test
