// SPDX-License-Identifier: GPL-3.0-or-later
// Real sphere queries under the scheduler, frame after frame: whatever the budget, every bound and verdict is
// true.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "corpus/registry.h"
#include "espalier/distance.h"
#include "espalier/scheduler.h"
#include "espalier/sphere_query.h"
#include "tests/runtime/frames/broad_memory.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/draw.h"
#include "tests/support/sphere_asset.h"

namespace espalier {
namespace {

using testing::CallerMemory;
using testing::Draw;

using Query = SphereQuery<256>;
constexpr std::uint32_t kObjects = 5, kPairs = 10;

ShapeView lamp_part(const testing::ExactBytes& bytes) {
    Asset asset;
    ShapeView part;
    EXPECT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk);
    EXPECT_EQ(asset.part(0, &part), Status::kOk);
    return part;
}

/// Objects that drift and turn slowly; pairs go on from their last fronts.
struct Scene {
    Scene(const ShapeView& of, std::uint64_t seed, SphereOrder how, bool touch)
        : part(of), order(how), only_touch(touch), draw(seed), queries(new Query[kPairs]) {
        for (auto& object : poses) {
            draw.quaternion(object.rotation);
            for (double& t : object.translation) t = draw.between(-0.5, 0.5);
        }
    }
    static Status start(void* memory, std::uint32_t a, std::uint32_t b, bool again, void* user) {
        const Scene& scene = *static_cast<Scene*>(user);
        auto* query = static_cast<Query*>(memory);
        SphereQueryOptions options;
        options.order = scene.order;
        options.skin = 0.05;
        if (scene.only_touch) options.goal.within = 0;
        return again ? query->advance(scene.relative(a, b))
                     : query->begin(scene.part, scene.part, scene.relative(a, b), options);
    }
    /// Any pose that changes a little from frame to frame will do.
    Pose relative(std::uint32_t a, std::uint32_t b) const {
        Pose pose;
        for (int k = 0; k < 3; ++k) pose.translation[k] = poses[b].translation[k] - poses[a].translation[k];
        for (int k = 0; k < 4; ++k) pose.rotation[k] = poses[b].rotation[k] + 0.5 * poses[a].rotation[k];
        return pose;
    }
    void drift() {
        for (auto& object : poses) {
            for (double& t : object.translation) t += draw.between(-0.02, 0.02);
            for (double& q : object.rotation) q += draw.between(-0.01, 0.01);
        }
    }

    ShapeView part;
    SphereOrder order;
    bool only_touch;
    Draw draw;
    Pose poses[kObjects];
    std::unique_ptr<Query[]> queries;
};

void check_frame(const Scene& scene, const Scheduler& scheduler, Distance<AabbTreeView>* ruler,
                 std::uint32_t* decided) {
    for (std::uint32_t i = 0; i < scheduler.pair_count(); ++i) {
        const ScheduledPair& pair = scheduler.pair(i);
        ASSERT_EQ(pair.status, Status::kOk);
        ASSERT_EQ(ruler->begin(scene.part, scene.part, scene.relative(pair.a, pair.b)), Status::kOk);
        ruler->step();
        const double separation = ruler->upper(), slack = 1e-12;
        EXPECT_LE(pair.progress.lower, separation + slack);
        EXPECT_GE(pair.progress.upper, separation - slack);
        const auto& query = *static_cast<const Query*>(scheduler.query(i));
        EXPECT_TRUE(scene.order == SphereOrder::kBestFirst || pair.progress.done || query.level() >= 1)
            << "every pair reaches level 1";
        if (pair.progress.verdict == Verdict::kColliding) EXPECT_EQ(separation, 0);
        if (pair.progress.verdict == Verdict::kDisjoint) EXPECT_GT(separation, 0);
        *decided += pair.progress.verdict != Verdict::kUnresolved ? 1 : 0;
    }
}

TEST(SphereSchedule, TellsTheTruthForEveryBudgetAndFrame) {
    testing::HandSphereOptions options;
    options.levels = 4;
    options.aabb = true;
    const testing::ExactBytes bytes(
        testing::sphere_asset(corpus::find_corpus_mesh("desk-lamp")->make_near(600), options));
    const ShapeView part = lamp_part(bytes);
    std::uint32_t decided[3] = {0, 0, 0};
    auto ruler = std::make_unique<Distance<AabbTreeView>>();
    const std::pair<SphereOrder, bool> kinds[] = {
        {SphereOrder::kLevel, false}, {SphereOrder::kBestFirst, false}, {SphereOrder::kLevel, true}};
    for (const auto& [order, only_touch] : kinds) {
        for (int b = 0; b < 3; ++b) {
            Scene scene(part, 7, order, only_touch);
            CallerMemory memory(Scheduler::memory_size(kPairs));
            Scheduler scheduler;
            ASSERT_EQ(scheduler.begin(memory.data(), memory.size(), kPairs, scene.queries.get(),
                                      sizeof(Query), pair_query_ops<Query>(&Scene::start, &scene)),
                      Status::kOk);
            for (int frame = 0; frame < 25; ++frame) {
                scheduler.start_frame();
                for (std::uint32_t i = 0; i < kObjects; ++i)
                    for (std::uint32_t j = i + 1; j < kObjects; ++j)
                        if ((i + j + static_cast<std::uint32_t>(frame)) % 7 != 0) scheduler.want(i, j);
                Budget budget;
                budget.node_tests = b == 0 ? 0 : b == 1 ? 5000 : Budget::kUnlimited;
                const ScheduleReport report = scheduler.run(budget);
                EXPECT_EQ(report.end == ScheduleEnd::kAllDone, report.done == scheduler.pair_count());
                ASSERT_NO_FATAL_FAILURE(check_frame(scene, scheduler, ruler.get(), &decided[b]));
                scene.drift();
            }
        }
    }
    EXPECT_LT(decided[0], decided[1]);
    EXPECT_LT(decided[1], decided[2]);
}

}  // namespace
}  // namespace espalier
