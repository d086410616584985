// SPDX-License-Identifier: GPL-3.0-or-later
// One opened asset, many threads: every query only reads it, so all get the answers that one thread gets.
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "espalier/runtime.h"
#include "tests/parallel/all_trees.h"
#include "tests/support/baked_mesh.h"

namespace espalier {
namespace {

using Answers = std::vector<double>;

template <class Query>
void add_verdict(const ShapeView& part, const Pose& pose, Answers& answers) {
    const auto query = std::make_unique<Query>();
    ASSERT_EQ(query->begin(part, part, pose), Status::kOk);
    answers.push_back(double(query->step()));
    answers.push_back(double(query->counters().node_tests));
}

/// Asks one part against itself, displaced by `shift`, what every hierarchy can answer.
Answers ask_everything(const Asset& asset, double shift) {
    Answers answers;
    ShapeView part;
    EXPECT_EQ(asset.part(0, &part), Status::kOk);
    Pose pose;
    pose.translation[0] = shift;
    add_verdict<Collide<AabbTreeView>>(part, pose, answers);
    add_verdict<Collide<BoxTreeView>>(part, pose, answers);
    add_verdict<Collide<CellTreeView>>(part, pose, answers);
    add_verdict<SphereQuery<>>(part, pose, answers);
    const auto distance = std::make_unique<Distance<AabbTreeView>>();
    EXPECT_EQ(distance->begin(part, part, pose), Status::kOk);
    distance->step();
    answers.push_back(distance->upper());
    return answers;
}

TEST(ConcurrentReads, OfOneAssetGiveTheAnswersOfOneThread) {
    const testing::ExactBytes bytes(testing::bake_all_trees(1000, 1));
    Asset asset;
    ASSERT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk);
    constexpr std::size_t kThreads = 4, kPoses = 6;
    const auto shift = [](std::size_t pose) { return 0.7 * double(pose); };
    std::vector<Answers> alone;
    for (std::size_t pose = 0; pose < kPoses; ++pose) alone.push_back(ask_everything(asset, shift(pose)));

    std::vector<std::vector<Answers>> together(kThreads);
    std::vector<std::thread> threads;
    for (std::vector<Answers>& mine : together)
        threads.emplace_back([&] {
            Asset again;  // opening and verifying only reads, too
            if (open(bytes.data(), bytes.size(), Verify::kFull, &again) != Status::kOk) return;
            for (std::size_t pose = 0; pose < kPoses; ++pose)
                mine.push_back(ask_everything(pose % 2 == 0 ? asset : again, shift(pose)));
        });
    for (std::thread& thread : threads) thread.join();
    for (const std::vector<Answers>& answers : together) EXPECT_EQ(answers, alone);
}

}  // namespace
}  // namespace espalier
