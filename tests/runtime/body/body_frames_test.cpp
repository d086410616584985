// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies in frames: broad phase and scheduler take them, copies of queries go on by themselves, and nothing
// of it asks for memory.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "espalier/body_contacts.h"
#include "espalier/body_distance.h"
#include "espalier/body_point.h"
#include "espalier/body_ray_cast.h"
#include "espalier/body_sphere_query.h"
#include "espalier/kinematics.h"
#include "espalier/scheduler.h"
#include "tests/runtime/frames/trap_allocation.h"
#include "tests/support/random_body.h"

namespace espalier::testing {
namespace {

constexpr std::uint32_t kBodies = 14, kPairs = kBodies * kBodies;
using Query = BodySphereQuery<2, 64, 160>;

/// Bodies of the same kind that drift about.
struct Scene {
    Scene() : draw(51), queries(std::make_unique<Query[]>(kPairs)) {
        const HandParts parts = random_parts(draw, 6);
        for (std::uint32_t i = 0; i < kBodies; ++i) bodies.push_back(std::make_unique<HandBody>(parts));
        bend();
    }
    void bend() {
        for (const auto& body : bodies) body->bend(draw, random_place(draw, 8));
    }
    /// Every part a little aside, as in a frame of a simulation.
    void drift() {
        for (const auto& body : bodies) {
            std::vector<Pose> poses = body->poses();
            for (Pose& pose : poses)
                for (double& x : pose.translation) x += draw.between(-0.02, 0.02);
            body->set(poses);
        }
    }
    static Status start(void* query, std::uint32_t a, std::uint32_t b, bool again, void* user) {
        const Scene& scene = *static_cast<Scene*>(user);
        Query* pair = static_cast<Query*>(query);
        return again ? pair->advance() : pair->begin(scene.bodies[a]->body(), scene.bodies[b]->body());
    }

    Draw draw;
    std::vector<std::unique_ptr<HandBody>> bodies;
    std::unique_ptr<Query[]> queries;
};

TEST(BodiesInAScene, AreScheduledByTheirBoxesAndToldTheTruth) {
    Scene scene;
    BodyMemory sweep_memory(SweepAndPrune::memory_size(kBodies, kPairs)),
        memory(Scheduler::memory_size(kPairs));
    SweepAndPrune sweep;
    ASSERT_EQ(sweep.begin(sweep_memory.data(), sweep_memory.size(), kBodies, kPairs), Status::kOk);
    Scheduler scheduler;
    ASSERT_EQ(scheduler.begin(memory.data(), memory.size(), kPairs, scene.queries.get(), sizeof(Query),
                              pair_query_ops<Query>(&Scene::start, &scene)),
              Status::kOk);
    std::uint32_t decided = 0, seen = 0, went_on = 0;
    for (int frame = 0; frame < 30; ++frame) {
        for (std::uint32_t i = 0; i < kBodies; ++i) {
            BroadBox box;
            ASSERT_EQ(scene.bodies[i]->body().box(&box), Status::kOk);
            ASSERT_EQ(sweep.set(i, box), Status::kOk);
        }
        ASSERT_EQ(sweep.update(), Status::kOk);
        scheduler.start_frame();
        for (std::uint32_t i = 0; i < sweep.pair_count(); ++i)
            ASSERT_EQ(scheduler.want(sweep.pair(i).a, sweep.pair(i).b), Status::kOk);
        Budget budget;
        budget.node_tests = frame % 3 == 0 ? 1000 : 60000;
        scheduler.run(budget);
        for (std::uint32_t a = 0; a < kBodies; ++a)
            for (std::uint32_t b = a + 1; b < kBodies; ++b) {
                const double truth =
                    least_distance(pairs_between(*scene.bodies[a], *scene.bodies[b], Pose()));
                std::uint32_t index;
                if (!scheduler.find(a, b, &index)) {
                    ASSERT_GT(truth, 0) << "the broad phase lost a pair";
                    continue;
                }
                const ScheduledPair& pair = scheduler.pair(index);
                ASSERT_EQ(pair.status, Status::kOk);
                ASSERT_LE(pair.progress.lower, truth + 1e-9);
                ASSERT_GE(pair.progress.upper, truth - 1e-9);
                decided += pair.progress.verdict != Verdict::kUnresolved ? 1 : 0;
                went_on += pair.again ? 1 : 0;
                ++seen;
            }
        frame % 4 == 3 ? scene.bend() : scene.drift();
    }
    EXPECT_GT(decided, seen / 4);
    EXPECT_GT(went_on, seen / 3) << "queries go on from the last frame";
}

/// Steps `query` a little, copies it, spoils the original's bytes, and runs the copy to its end.
template <class BodyQuery, class Begin, class Answer>
void expect_copy_goes_on(Begin begin, Answer answer, std::uint64_t first_tests) {
    const auto whole = std::make_unique<BodyQuery>(), original = std::make_unique<BodyQuery>();
    ASSERT_EQ(begin(*whole), Status::kOk);
    whole->step();
    ASSERT_EQ(begin(*original), Status::kOk);
    Budget little;
    little.node_tests = first_tests;
    original->step(little);
    ASSERT_LT(original->counters().node_tests, whole->counters().node_tests) << "not half done";
    const auto copy = std::make_unique<BodyQuery>(*original);
    std::memset(static_cast<void*>(original.get()), 0xff, sizeof(BodyQuery));
    copy->step();
    EXPECT_EQ(answer(*copy), answer(*whole));
    EXPECT_EQ(copy->counters().node_tests, whole->counters().node_tests);
    EXPECT_EQ(copy->counters().exact_tests, whole->counters().exact_tests);
}

TEST(BodyQueryCopies, GoOnByThemselves) {
    Draw draw(52);
    HandBody a(random_parts(draw, 9)), b(random_parts(draw, 5));
    b.bend(draw, random_place(draw, 1));
    Pose apart;
    apart.translation[0] = 6;
    Pose nearby;
    nearby.translation[0] = 3;
    std::vector<BodyContact> buffer(20000);
    expect_copy_goes_on<BodyContacts<AabbTreeView>>(
        [&](auto& query) { return query.begin(a.body(), b.body(), Pose(), buffer.data(), buffer.size()); },
        [](const auto& query) { return query.count(); }, 60);
    expect_copy_goes_on<BodyCollide<AabbTreeView>>(
        [&](auto& query) { return query.begin(a.body(), b.body(), nearby); },
        [](const auto& query) { return query.verdict(); }, 20);
    expect_copy_goes_on<BodyDistance<AabbTreeView>>(
        [&](auto& query) { return query.begin(a.body(), b.body(), apart); },
        [](const auto& query) { return query.upper(); }, 60);
    expect_copy_goes_on<BodyDistance<CellTreeView>>(
        [&](auto& query) { return query.begin(a.body(), b.body(), apart); },
        [](const auto& query) { return query.upper(); }, 60);
    expect_copy_goes_on<BodySphereQuery<3, 64, 160>>(
        [&](auto& query) { return query.begin(a.body(), b.body(), apart); },
        [](const auto& query) { return query.upper(); }, 150);
    const double point[3] = {5, 1, 0};
    expect_copy_goes_on<BodyClosestPointQuery>(
        [&](auto& query) { return query.begin(a.body(), point); },
        [](const auto& query) { return query.closest().closest.distance; }, 9);
}

TEST(BodiesInAFrame, AskForNoMemory) {
    Scene scene;
    HandBody& a = *scene.bodies[0];
    HandBody& b = *scene.bodies[1];
    const std::vector<Pose> poses = a.poses();
    const auto collide = std::make_unique<BodyCollide<AabbTreeView>>();
    const auto contacts = std::make_unique<BodyContacts<CellTreeView>>();
    const auto distance = std::make_unique<BodyDistance<AabbTreeView>>();
    std::vector<BodyContact> buffer(10);
    std::vector<double> values(configuration_size(a.asset()));
    std::vector<Pose> bent(a.body().part_count());
    const auto value_count = static_cast<std::uint32_t>(values.size());
    const auto ray = std::make_unique<BodyRayCast<AabbTreeView>>();
    BodyMemory memory(Body::memory_size(a.asset()));
    Body fresh;
    const double point[3] = {0, 0, 0};
    BodyInsideQuery inside;
    bool well = true;
    {
        AllocationTrap trap;
        well = well && fresh.begin(a.asset(), memory.data(), memory.size()) == Status::kOk;
        well = well && fresh.set_poses(poses.data(), poses.size()) == Status::kOk;
        well = well && rest_configuration(a.asset(), values.data(), value_count) == Status::kOk;
        well = well && forward_kinematics(a.asset(), Pose(), values.data(), value_count, bent.data(),
                                          fresh.part_count()) == Status::kOk;
        well = well && fresh.set_poses(bent.data(), bent.size()) == Status::kOk;
        well = well && contacts->begin(fresh, b.body(), Pose(), buffer.data(), buffer.size()) == Status::kOk;
        contacts->step();
        well = well && collide->begin(fresh, b.body()) == Status::kOk;
        collide->step();
        well = well && distance->begin_self(fresh) == Status::kOk;
        distance->step();
        well = well && ray->begin(fresh, Ray()) == Status::kOk;
        ray->step();
        well = well && inside.begin(fresh, point) == Status::kOk;
        inside.step();
        well = well && scene.queries[0].begin(fresh, b.body()) == Status::kOk;
        scene.queries[0].step();
        well = well && scene.queries[0].advance() == Status::kOk;
        scene.queries[0].step();
    }
    EXPECT_TRUE(well);
}

}  // namespace
}  // namespace espalier::testing
