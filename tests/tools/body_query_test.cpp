// SPDX-License-Identifier: GPL-3.0-or-later
// espalier query on assets of several parts: against their merged meshes and brute force, with joints, with
// themselves, and with bad lists.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/brute_force.h"
#include "tests/support/joint_tree.h"
#include "tests/tools/bodies.h"
#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

using nlohmann::json;
using testing::BruteForce;

const std::vector<std::string> kAllTrees = {"--trees", "aabb,box,cell,sphere", "--levels", "2", "--effort",
                                            "fast"};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, '\t');) fields.push_back(field);
    return fields;
}

class BodyQuery : public ::testing::Test {
  protected:
    std::string file(const std::string& name, const std::string& text) {
        write_text(folder_.path() / name, text);
        return folder_ / name;
    }
    std::string arm(const std::vector<std::string>& options = {"--trees", "aabb,box"}) {
        bake_parts(arm_shapes(), arm_parts(), folder_ / "arm.espl", options);
        return folder_ / "arm.espl";
    }
    /// What a query that must succeed prints.
    std::vector<std::string> ask(std::vector<std::string> words) {
        words.insert(words.begin(), "query");
        const CommandResult result = espalier(words);
        EXPECT_EQ(result.exit_code, 0) << result.error;
        return lines_of(result.output);
    }
    TemporaryFolder folder_;
};

TEST_F(BodyQuery, AtRestPartsAnswerAsTheirMergedMeshForEveryTreeAndMode) {
    const std::string torus = corpus_off("torus", 300);
    std::vector<std::string> words = {"bake", file("a.off", moved_off(torus, 0, 0, 0)),
                                      file("b.off", moved_off(torus, 2.5, 0.25, -0.5)),
                                      file("c.obj", box_obj({-2, -2, 1}, {-1, 2, 1.5})), "--quiet"};
    words.insert(words.end(), kAllTrees.begin(), kAllTrees.end());
    const std::string parts = folder_ / "parts.espl", merged = folder_ / "merged.espl";
    for (const auto& [output, merge] : {std::pair(parts, false), std::pair(merged, true)}) {
        std::vector<std::string> bake = words;
        bake.insert(bake.end(), {"-o", output});
        if (merge) bake.push_back("--merge");
        ASSERT_EQ(espalier(bake).exit_code, 0);
    }
    EXPECT_EQ(OpenFile(parts).asset().part_count(), 3u);
    EXPECT_EQ(OpenFile(merged).asset().part_count(), 1u);
    testing::Draw draw(23);
    std::string poses;
    for (int i = 0; i < 60; ++i) {
        std::vector<double> pose(4);
        draw.quaternion(pose.data());
        for (int k = 0; k < 3; ++k) pose.push_back(draw.between(-6, 6));
        poses += line_of(pose);
    }
    const std::string list = file("poses.txt", poses);
    std::size_t hits = 0;
    for (const char* tree : {"aabb", "box", "cell", "sphere"})
        for (const char* mode : {"first", "all", "distance", "within"}) {
            if (tree == std::string("sphere") && mode == std::string("all")) continue;
            SCOPED_TRACE(std::string(tree) + " " + mode);
            const auto answers = [&](const std::string& a, const std::string& b) {
                std::vector<std::string> query = {a, b, "--poses", list, "--tree", tree, "--mode", mode};
                if (mode == std::string("within")) query.insert(query.end(), {"--limit", "0.75"});
                return ask(query);
            };
            const std::vector<std::string> expected = answers(merged, merged);
            ASSERT_EQ(expected.size(), 60u);
            for (const auto& [a, b] : {std::pair(parts, parts), std::pair(parts, merged)}) {
                const std::vector<std::string> found = answers(a, b);
                ASSERT_EQ(found.size(), expected.size());
                for (std::size_t i = 0; i < found.size(); ++i)
                    EXPECT_NEAR(std::stod(found[i]), std::stod(expected[i]), 1e-6) << "pose " << i;
            }
            if (mode == std::string("first"))
                hits += static_cast<std::size_t>(std::ranges::count(expected, "1"));
        }
    EXPECT_GT(hits, 20u) << "too few poses that touch";
    EXPECT_LT(hits, 220u) << "too few poses that do not";
}

/// Random trees of joints, and which of their parts touch by brute force over all triangles.
class RandomTree : public BodyQuery {
  protected:
    void SetUp() override {
        testing::Draw draw(7);
        const testing::HandParts hand = testing::random_joint_tree(draw, 8, 2, 4);
        bake_parts({corpus_off("torus", 100), box_obj({-0.5, -0.25, -1}, {0.5, 0.5, 1})}, hand, asset_,
                   kAllTrees);
        file_ = std::make_unique<OpenFile>(asset_);
        std::string lines;
        for (int i = 0; i < 40; ++i) {
            configurations_.push_back(testing::random_configuration(draw, file_->asset(), 1, 5));
            lines += line_of(configurations_.back());
        }
        list_ = file("joints.txt", lines);
    }

    /// Calls `visit(i, j, force)` for all pairs of parts with shapes in a configuration.
    template <class Visit>
    void for_pairs(const std::vector<double>& configuration, Visit visit) const {
        const Asset& asset = file_->asset();
        const std::vector<Pose> poses = poses_of(asset, configuration);
        for (std::uint32_t i = 0; i < asset.part_count(); ++i)
            for (std::uint32_t j = i + 1; j < asset.part_count(); ++j) {
                ShapeView a, b;
                if (asset.part(i, &a) != Status::kOk || asset.part(j, &b) != Status::kOk) continue;
                visit(i, j, BruteForce(a, b, relative(poses[i], poses[j])));
            }
    }

    std::string asset_ = folder_ / "tree.espl", list_;
    std::unique_ptr<OpenFile> file_;
    std::vector<std::vector<double>> configurations_;
};

TEST_F(RandomTree, WithItselfTouchesWhereBruteForceSaysSo) {
    std::vector<std::set<std::pair<std::string, std::string>>> touching;
    std::string expected;
    for (const auto& configuration : configurations_) {
        auto& pairs = touching.emplace_back();
        for_pairs(configuration, [&](std::uint32_t i, std::uint32_t j, const BruteForce& force) {
            if (!force.contacts().empty())
                pairs.emplace(file_->asset().part_name(i), file_->asset().part_name(j));
        });
        expected += pairs.empty() ? '0' : '1';
    }
    EXPECT_NE(expected.find('0'), std::string::npos) << expected;
    EXPECT_NE(expected.find('1'), std::string::npos) << expected;
    for (const char* tree : {"aabb", "box", "cell", "sphere"}) {
        SCOPED_TRACE(tree);
        const auto lines =
            ask({asset_, "--joints-a", list_, "--tree", tree, "--mode", "self", "--name-parts"});
        ASSERT_EQ(lines.size(), expected.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const std::vector<std::string> fields = fields_of(lines[i]);
            EXPECT_EQ(fields[0], std::string(1, expected[i])) << "line " << i + 1;
            if (fields.size() == 3) EXPECT_TRUE(touching[i].contains({fields[1], fields[2]})) << lines[i];
            EXPECT_EQ(fields.size() == 3, fields[0] == "1") << lines[i];
        }
    }
}

TEST_F(RandomTree, ABudgetBoundsTheSeparationFromItselfOnSphereTrees) {
    for (const char* budget : {"0", "50", "1000", "1000000"}) {
        const auto lines =
            ask({asset_, "--joints-a", list_, "--tree", "sphere", "--mode", "self", "--budget", budget});
        for (std::size_t i = 0; i < 5; ++i) {
            double exact = INFINITY, lower = -1, upper = -1;
            for_pairs(configurations_[i], [&](std::uint32_t, std::uint32_t, const BruteForce& force) {
                exact = std::min(exact, force.distance());
            });
            std::istringstream line(lines[i]);
            std::string verdict;
            line >> verdict >> lower >> verdict;
            upper = verdict == "inf" ? INFINITY : std::stod(verdict);
            EXPECT_LE(lower, exact + 1e-9) << budget << " line " << i + 1;
            EXPECT_GE(upper, exact - 1e-9) << budget << " line " << i + 1;
        }
    }
}

TEST_F(BodyQuery, JointsMoveTheParts) {
    const std::string asset = arm(kAllTrees);
    // The arm lies along x at z = 1: a wall at x = 4.5 is 0.125 from the jaw, which reaches to 4.375.
    const std::string wall = folder_ / "wall.espl";
    bake_text(box_obj({4.5, -9, -9}, {5, 9, 9}), ".obj", wall, kAllTrees);
    const std::string joints = file("joints.txt", "0 0  # at rest\n0 0.25\n\n1 0\n");
    for (const char* tree : {"aabb", "box", "cell", "sphere"}) {
        SCOPED_TRACE(tree);
        const auto distances =
            ask({asset, wall, "--joints-a", joints, "--tree", tree, "--mode", "distance", "--name-parts"});
        ASSERT_EQ(distances.size(), 3u);
        EXPECT_NEAR(std::stod(distances[0]), 0.125, 1e-6);
        EXPECT_EQ(distances[1], "0\tjaw\tmesh");
        // Lifted by 1 about y, the arm ends at 4 cos 1 and more.
        EXPECT_GT(std::stod(distances[2]), 1.5);
        EXPECT_EQ(ask({asset, wall, "--joints-a", joints, "--tree", tree, "--mode", "first"}),
                  (std::vector<std::string>{"0", "1", "0"}));
        // One configuration stands for all poses, and the other way round.
        const std::string one = file("one.txt", "0 0.25\n"),
                          poses = file("poses.txt", "1 0 0 0 0 0 0\n1 0 0 0 1 0 0\n");
        EXPECT_EQ(ask({asset, wall, "--joints-a", one, "--poses", poses, "--tree", tree, "--mode", "first"}),
                  (std::vector<std::string>{"1", "0"}));
        // The same with the sides changed.
        EXPECT_EQ(
            ask({wall, asset, "--joints-b", joints, "--tree", tree, "--mode", "within", "--limit", "0.2"}),
            (std::vector<std::string>{"1", "1", "0"}));
    }
}

TEST_F(BodyQuery, ModeAllNamesEveryTwoPartsThatTouch) {
    const std::string asset = arm();
    const std::string wall = folder_ / "wall.espl";
    bake_text(box_obj({3.5, -9, -9}, {5, 9, 9}), ".obj", wall, {"--trees", "aabb"});
    const auto lines = ask({asset, wall, "--joints-a", file("j.txt", "0 0.25\n"), "--tree", "aabb", "--mode",
                            "all", "--name-parts"});
    const std::vector<std::string> fields = fields_of(lines.at(0));
    std::set<std::string> touching;
    int sum = 0;
    for (std::size_t i = 1; i + 2 < fields.size(); i += 3) {
        touching.insert(fields[i]);
        EXPECT_EQ(fields[i + 1], "mesh");
        sum += std::stoi(fields[i + 2]);
    }
    // The jaws are inside the wall, where no triangles meet.
    EXPECT_EQ(std::stoi(fields[0]), sum);
    EXPECT_TRUE(touching.contains("arm")) << lines[0];
    EXPECT_FALSE(touching.contains("base") || touching.contains("jaw")) << lines[0];
}

TEST_F(BodyQuery, PairsOfTheFileAreNotTestedInModeSelf) {
    testing::HandParts parts = arm_parts();
    const std::string tested = folder_ / "tested.espl";
    // The arm begins inside the base: they touch unless the pair is listed.
    EXPECT_EQ(ask({arm(), "--tree", "aabb", "--mode", "self"}), std::vector<std::string>{"0"});
    parts.pairs.clear();
    bake_parts(arm_shapes(), parts, tested, {"--trees", "aabb,box"});
    EXPECT_EQ(ask({tested, "--tree", "box", "--mode", "self", "--name-parts"}),
              std::vector<std::string>{"1\tbase\tarm"});
}

TEST_F(BodyQuery, OnePartIsWhereTheBodyHasIt) {
    const std::string asset = arm();
    const std::string joints = file("joints.txt", "0 0.5\n");
    const auto distance = [&](const std::string& part) {
        const auto lines = ask({asset, asset, "--part-a", part, "--part-b", "base", "--joints-a", joints,
                                "--tree", "aabb", "--mode", "distance", "--name-parts"});
        const std::vector<std::string> fields = fields_of(lines.at(0));
        EXPECT_EQ(fields.at(1), part);
        EXPECT_EQ(fields.at(2), "base");
        return std::stod(fields[0]);
    };
    EXPECT_NEAR(distance("jaw"), 3.625, 1e-6);       // from 4.625 to 1
    EXPECT_NEAR(distance("follower"), 2.625, 1e-6);  // from 3.625
    const CommandResult unknown = espalier({"query", asset, asset, "--part-a", "jaws", "--joints-a", joints,
                                            "--tree", "aabb", "--mode", "first"});
    EXPECT_EQ(unknown.exit_code, 3);
    EXPECT_NE(unknown.error.find("no part is called 'jaws'"), std::string::npos) << unknown.error;
    const CommandResult frame = espalier({"query", asset, asset, "--part-a", "tool", "--joints-a", joints,
                                          "--tree", "aabb", "--mode", "first"});
    EXPECT_EQ(frame.exit_code, 3);
    EXPECT_NE(frame.error.find("part 'tool'"), std::string::npos) << frame.error;
}

TEST_F(BodyQuery, ABadJointsFileExitsWithThreeAndItsLineIsNamed) {
    const std::string asset = arm(), list = folder_ / "joints.txt";
    const std::pair<std::string, std::string> cases[] = {
        {"0 0\n# x\n0 0 0\n", "line 3: 3 numbers where 2 are needed; a configuration is 'lift', 'grip'"},
        {"0\n", "line 1: 1 number where 2"},
        {"0 nan\n", "line 1: \"nan\" is not a finite number"},
        {"0 0\nup 0\n", "line 2: \"up\""},
        {"0 inf\n", "line 1: \"inf\""},
        {"# nothing\n", "the list has no configuration"},
    };
    for (const auto& [text, says] : cases) {
        file("joints.txt", text);
        const CommandResult result =
            espalier({"query", asset, "--joints-a", list, "--tree", "aabb", "--mode", "self"});
        EXPECT_EQ(result.exit_code, 3) << text;
        EXPECT_EQ(result.output, "");
        EXPECT_EQ(result.error.find("espalier: " + list + ": " + says), 0u) << result.error;
    }
    EXPECT_EQ(espalier({"query", asset, "--joints-a", folder_ / "absent", "--tree", "aabb", "--mode", "self"})
                  .exit_code,
              2);
}

TEST_F(BodyQuery, AFreeJointNeedsARotation) {
    testing::HandParts parts;
    parts.add("ground", testing::hand_part(0, kNoIndex, {0, 0, 0}));
    parts.add("ball", testing::hand_part(0, kNoIndex, {0, 0, 0}, Joint::kFree));
    const std::string asset = folder_ / "free.espl",
                      list = file("joints.txt", "1 0 0 0 5 0 0\n1 1 0 0 5 0 0\n");
    bake_parts({box_obj({0, 0, 0}, {1, 1, 1})}, parts, asset, {"--trees", "aabb"});
    const CommandResult result =
        espalier({"query", asset, "--joints-a", list, "--tree", "aabb", "--mode", "self"});
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_EQ(result.error.find("espalier: " + list + ": line 2: this configuration cannot be used"), 0u)
        << result.error;
    file("joints.txt", "1 0 0 0 5 0 0\n1 0 0 0 0.5 0 0\n");
    EXPECT_EQ(ask({asset, "--joints-a", list, "--tree", "aabb", "--mode", "self"}),
              (std::vector<std::string>{"0", "1"}));
}

TEST_F(BodyQuery, BeyondLimitsIsAWarningAndAFailureIfStrict) {
    const std::string asset = arm(), list = file("joints.txt", "0 0\n1.5 0.75\n0 0.25\n");
    const std::vector<std::string> words = {"query",  asset,  "--joints-a", list,
                                            "--tree", "aabb", "--mode",     "self"};
    const CommandResult warned = espalier(words);
    EXPECT_EQ(warned.exit_code, 0);
    EXPECT_EQ(lines_of(warned.output).size(), 3u);
    // The follower has no limits.
    EXPECT_EQ(
        warned.error,
        "espalier: " + list +
            ": warning: line 2: joint 'lift' is beyond its limits, -1 to 1, and 1 more, by at most 0.5\n");
    std::vector<std::string> strict = words;
    strict.push_back("--strict");
    const CommandResult refused = espalier(strict);
    EXPECT_EQ(refused.exit_code, 6);
    EXPECT_EQ(refused.output, "");
    EXPECT_EQ(refused.error.find("espalier: " + list + ": line 2: joint 'lift'"), 0u) << refused.error;
    std::string many;
    for (int i = 0; i < 40; ++i) many += "2 0\n";
    file("joints.txt", many);
    const std::string error = espalier(words).error;
    EXPECT_EQ(std::ranges::count(error, '\n'), 11) << error;
    EXPECT_NE(error.find("30 more lines are beyond limits"), std::string::npos) << error;
}

TEST_F(BodyQuery, ListsThatDoNotFitEachOtherOrTheAssetAreRefused) {
    const std::string asset = arm(), joints = file("joints.txt", "0 0\n0 0.1\n"),
                      poses = file("poses.txt", "1 0 0 0 0 0 0\n1 0 0 0 1 0 0\n1 0 0 0 2 0 0\n");
    const CommandResult counts = espalier(
        {"query", asset, asset, "--poses", poses, "--joints-b", joints, "--tree", "aabb", "--mode", "first"});
    EXPECT_EQ(counts.exit_code, 3);
    EXPECT_EQ(counts.error.find("espalier: " + joints + ": 2 lines where another list has 3"), 0u)
        << counts.error;
    const std::string cube = folder_ / "cube.espl";
    bake_text(cube_obj(), ".obj", cube, {"--trees", "aabb,box"});
    const CommandResult still =
        espalier({"query", cube, asset, "--joints-a", joints, "--tree", "aabb", "--mode", "first"});
    EXPECT_EQ(still.exit_code, 3);
    EXPECT_EQ(still.error.find("espalier: " + cube + ": the asset has no joint that moves"), 0u)
        << still.error;
    const CommandResult overlap = espalier(
        {"query", asset, asset, "--poses", poses, "--tree", "aabb", "--mode", "first", "--overlap", "sat"});
    EXPECT_EQ(overlap.exit_code, 5);
    EXPECT_NE(overlap.error.find("--overlap satlite"), std::string::npos) << overlap.error;
}

TEST_F(BodyQuery, OptionsThatMakeNoSenseAreUsageErrors) {
    const std::pair<std::vector<std::string>, std::string> cases[] = {
        {{"a", "b", "--mode", "self"}, "mode self takes one asset"},
        {{"a", "--mode", "self", "--poses", "p"}, "--poses has no meaning for mode self"},
        {{"a", "--mode", "self", "--joints-b", "p"}, "--joints-b has no meaning"},
        {{"a", "--mode", "self", "--overlap", "sat"}, "--overlap has no meaning"},
        {{"a", "b", "--mode", "within", "--poses", "p"}, "mode within needs --limit"},
        {{"a", "b", "--mode", "first", "--poses", "p", "--limit", "1"}, "--limit is for mode within"},
        {{"a", "b", "--mode", "within", "--poses", "p", "--limit", "-1"}, "--limit must not be negative"},
        {{"a", "b", "--mode", "first", "--poses", "-", "--joints-a", "-"}, "only one list"},
        {{"a", "b", "--mode", "first"}, "--poses is missing"},
    };
    for (const auto& [more, says] : cases) {
        std::vector<std::string> words = {"query", "--tree", "aabb"};
        words.insert(words.end(), more.begin(), more.end());
        const CommandResult result = espalier(words);
        EXPECT_EQ(result.exit_code, 1) << says;
        EXPECT_NE(result.error.find(says), std::string::npos) << result.error;
    }
}

TEST_F(BodyQuery, JsonCountsAndResultsGoToTheirFile) {
    const std::string asset = arm(), results = folder_ / "results.txt";
    const CommandResult result = espalier(
        {"query", asset, asset, "--poses", file("p.txt", "1 0 0 0 0 0 3\n1 0 0 0 0 0 9\n"), "--tree", "aabb",
         "--mode", "within", "--limit", "4", "--name-parts", "--results", results, "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.error;
    const json report = json::parse(result.output);
    EXPECT_EQ(report["bodies"], true);
    EXPECT_EQ(report["a"]["parts"], 4);
    EXPECT_EQ(report["within"], 1);
    EXPECT_EQ(report["limit"], 4.0);
    EXPECT_EQ(lines_of(read_text(results)).at(0).substr(0, 2), "1\t");
    EXPECT_EQ(lines_of(read_text(results)).at(1).substr(0, 1), "0");
    const json self =
        json::parse(espalier({"query", asset, "--tree", "aabb", "--mode", "self", "--json"}).output);
    EXPECT_TRUE(self["b"].is_null());
    EXPECT_EQ(self["verdicts"]["disjoint"], 1);
}

}  // namespace
}  // namespace espalier::test
