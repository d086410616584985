// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about two parts: every kind of the C header answers as its class does, step by step.
#include <vector>

#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "tests/runtime/c_api/golden_part.h"

namespace espalier::testing {
namespace {

constexpr int kPoses = 40;
constexpr std::uint64_t kStep = 60;

/// Memory of the size that a kind asks for.
class QueryMemory {
  public:
    explicit QueryMemory(std::size_t bytes) : words_((bytes + 7) / 8), bytes_(bytes) {}
    espalier_query* query() { return reinterpret_cast<espalier_query*>(words_.data()); }
    std::size_t size() const { return bytes_; }

  private:
    std::vector<std::uint64_t> words_;
    std::size_t bytes_;
};

void expect_found(const espalier_query* query, const Contact& contact) {
    espalier_contact c;
    espalier_cell_witness none;
    ASSERT_NE(espalier_collide_contact(query, &c), 0);
    EXPECT_EQ(espalier_collide_witness(query, &none), 0);
    EXPECT_EQ(c.triangle_a, contact.triangle_a);
    EXPECT_EQ(c.triangle_b, contact.triangle_b);
    EXPECT_TRUE(std::equal(c.point, c.point + 3, contact.point));
    EXPECT_TRUE(std::equal(c.normal, c.normal + 3, contact.normal));
}

void expect_witness(const espalier_cell_witness& c, const CellWitness& witness) {
    EXPECT_EQ(c.edge_side, witness.edge_side);
    EXPECT_EQ(c.edge_triangle, witness.edge_triangle);
    EXPECT_EQ(c.edge_corner, witness.edge_corner);
    EXPECT_EQ(c.triangle, witness.triangle);
    EXPECT_TRUE(std::equal(c.point, c.point + 3, witness.point));
    EXPECT_TRUE(std::equal(c.normal, c.normal + 3, witness.normal));
}

void expect_found(const espalier_query* query, const CellWitness& witness) {
    espalier_cell_witness c;
    espalier_contact none;
    ASSERT_NE(espalier_collide_witness(query, &c), 0);
    EXPECT_EQ(espalier_collide_contact(query, &none), 0);
    expect_witness(c, witness);
}

template <class Tree, Overlap kOverlap>
void expect_same_collide(const espalier_collide_kind* kind) {
    const GoldenPart gear("gear");
    QueryMemory memory(espalier_collide_size(kind));
    auto query = std::make_unique<Collide<Tree, kOverlap>>();
    Draw draw(21);
    Cue cue;
    espalier_cue c_cue = {0, 0, 0};
    int hits = 0;
    for (int i = 0; i < kPoses; ++i) {
        const Pose pose = drawn_pose(draw, gear.part(), i);
        const espalier_pose c = c_pose(pose);
        ASSERT_EQ(query->begin(gear.part(), gear.part(), pose, &cue), Status::kOk);
        ASSERT_EQ(espalier_collide_begin(memory.query(), memory.size(), kind, gear.c_part(), gear.c_part(),
                                         &c, &c_cue),
                  ESPALIER_STATUS_OK);
        const espalier_budget budget = c_node_tests(kStep);
        Verdict verdict;
        do {
            verdict = query->step(node_tests(kStep));
            ASSERT_EQ(espalier_step(memory.query(), &budget), static_cast<std::uint32_t>(verdict));
            expect_counters(memory.query(), query->counters());
        } while (verdict == Verdict::kUnresolved);
        EXPECT_EQ(espalier_verdict(memory.query()), static_cast<std::uint32_t>(verdict));
        if (verdict == Verdict::kColliding) {
            ++hits;
            expect_found(memory.query(), query->contact());
        }
        EXPECT_EQ(c_cue.valid != 0, cue.valid);
        EXPECT_EQ(c_cue.triangle_a, cue.triangle_a);
    }
    EXPECT_GT(hits, 5);
    EXPECT_LT(hits, kPoses);
    EXPECT_EQ(espalier_collide_begin(memory.query(), memory.size() - 1, kind, gear.c_part(), gear.c_part(),
                                     nullptr, nullptr),
              ESPALIER_STATUS_INVALID_ARGUMENT);
}

template <class Tree, Overlap kOverlap>
void expect_same_contacts(const espalier_contacts_kind* kind) {
    const GoldenPart gear("gear");
    QueryMemory memory(espalier_contacts_size(kind));
    auto query = std::make_unique<Contacts<Tree, kOverlap>>();
    std::vector<Contact> contacts(8);
    std::vector<espalier_contact> c_contacts(8);
    Draw draw(22);
    int full = 0;
    for (int i = 0; i < kPoses; ++i) {
        const Pose pose = drawn_pose(draw, gear.part(), i);
        const espalier_pose c = c_pose(pose);
        ASSERT_EQ(query->begin(gear.part(), gear.part(), pose, contacts.data(), contacts.size()),
                  Status::kOk);
        ASSERT_EQ(espalier_contacts_begin(memory.query(), memory.size(), kind, gear.c_part(), gear.c_part(),
                                          &c, c_contacts.data(), c_contacts.size()),
                  ESPALIER_STATUS_OK);
        const espalier_budget budget = c_node_tests(kStep);
        while (query->step(node_tests(kStep)) == Verdict::kUnresolved) {
            ASSERT_EQ(espalier_step(memory.query(), &budget), ESPALIER_UNRESOLVED);
            EXPECT_EQ(espalier_contacts_count(memory.query()), query->count());
        }
        ASSERT_EQ(espalier_step(memory.query(), &budget), static_cast<std::uint32_t>(query->verdict()));
        EXPECT_EQ(espalier_contacts_count(memory.query()), query->count());
        EXPECT_EQ(espalier_contacts_status(memory.query()), static_cast<std::uint32_t>(query->status()));
        if (query->status() == Status::kBufferFull) ++full;
        for (std::size_t j = 0; j < std::min<std::size_t>(8, query->count()); ++j)
            EXPECT_EQ(c_contacts[j].triangle_b, contacts[j].triangle_b);
    }
    EXPECT_GT(full, 0);
}

template <class Tree>
void expect_same_distance(const espalier_distance_kind* kind) {
    const GoldenPart gear("gear");
    auto memory = std::make_unique<espalier_query>();
    auto query = std::make_unique<Distance<Tree>>();
    Draw draw(23);
    for (int i = 0; i < kPoses; ++i) {
        const Pose pose = drawn_pose(draw, gear.part(), i);
        const espalier_pose c = c_pose(pose);
        DistanceGoal goal;
        espalier_distance_goal c_goal = espalier_distance_goal_default();
        goal.relative_tolerance = c_goal.relative_tolerance = 0.01 * (i % 3);
        ASSERT_EQ(query->begin(gear.part(), gear.part(), pose, goal), Status::kOk);
        ASSERT_EQ(espalier_distance_begin(memory.get(), kind, gear.c_part(), gear.c_part(), &c, &c_goal),
                  ESPALIER_STATUS_OK);
        EXPECT_EQ(espalier_distance_result(memory.get()).found, 0u);
        const espalier_budget budget = c_node_tests(kStep);
        for (int step = 0; !query->done(); ++step) {
            if (i % 5 == 0 && step == 1) {
                query->tighten(query->upper() * 0.5);
                espalier_distance_tighten(memory.get(), espalier_distance_result(memory.get()).upper * 0.5);
            }
            ASSERT_EQ(espalier_step(memory.get(), &budget),
                      static_cast<std::uint32_t>(query->step(node_tests(kStep))));
            const espalier_distance result = espalier_distance_result(memory.get());
            EXPECT_EQ(result.lower, query->lower());
            EXPECT_EQ(result.upper, query->upper());
            EXPECT_EQ(result.done != 0, query->done());
            expect_counters(memory.get(), query->counters());
        }
        const espalier_distance result = espalier_distance_result(memory.get());
        if (result.found == 0) continue;
        EXPECT_EQ(result.triangle_a, query->closest().triangle_a);
        EXPECT_EQ(result.triangle_b, query->closest().triangle_b);
        EXPECT_TRUE(std::equal(result.point_a, result.point_a + 3, query->closest().point_a));
        EXPECT_TRUE(std::equal(result.point_b, result.point_b + 3, query->closest().point_b));
    }
}

TEST(CApiPair, CollideOfEveryKindEqualsItsClass) {
    expect_same_collide<AabbTreeView, Overlap::kSatLite>(&espalier_collide_aabb_sat_lite);
    expect_same_collide<AabbTreeView, Overlap::kSat>(&espalier_collide_aabb_sat);
    expect_same_collide<BoxTreeView, Overlap::kSatLite>(&espalier_collide_box_sat_lite);
    expect_same_collide<BoxTreeView, Overlap::kSat>(&espalier_collide_box_sat);
    expect_same_collide<BoxTreeView, Overlap::kAxis>(&espalier_collide_box_axis);
    expect_same_collide<BoxTreeView, Overlap::kTable>(&espalier_collide_box_table);
    expect_same_collide<CellTreeView, Overlap::kSatLite>(&espalier_collide_cell_sat_lite);
    expect_same_collide<CellTreeView, Overlap::kSat>(&espalier_collide_cell_sat);
    expect_same_collide<CellTreeView, Overlap::kAxis>(&espalier_collide_cell_axis);
    expect_same_collide<CellTreeView, Overlap::kClip>(&espalier_collide_cell_clip);
}

TEST(CApiPair, ContactsOfEveryKindEqualTheirClassAndCanBeStopped) {
    expect_same_contacts<AabbTreeView, Overlap::kSatLite>(&espalier_contacts_aabb_sat_lite);
    expect_same_contacts<AabbTreeView, Overlap::kSat>(&espalier_contacts_aabb_sat);
    expect_same_contacts<BoxTreeView, Overlap::kSatLite>(&espalier_contacts_box_sat_lite);
    expect_same_contacts<BoxTreeView, Overlap::kSat>(&espalier_contacts_box_sat);
    expect_same_contacts<BoxTreeView, Overlap::kAxis>(&espalier_contacts_box_axis);
    expect_same_contacts<BoxTreeView, Overlap::kTable>(&espalier_contacts_box_table);
    expect_same_contacts<CellTreeView, Overlap::kSatLite>(&espalier_contacts_cell_sat_lite);
    expect_same_contacts<CellTreeView, Overlap::kSat>(&espalier_contacts_cell_sat);
    expect_same_contacts<CellTreeView, Overlap::kAxis>(&espalier_contacts_cell_axis);
    expect_same_contacts<CellTreeView, Overlap::kClip>(&espalier_contacts_cell_clip);
}

TEST(CApiPair, DistanceOfEveryTreeEqualsItsClass) {
    expect_same_distance<AabbTreeView>(&espalier_distance_aabb);
    expect_same_distance<BoxTreeView>(&espalier_distance_box);
    expect_same_distance<CellTreeView>(&espalier_distance_cell);
}

TEST(CApiPair, NoNodeTestsMeanNoWork) {
    const GoldenPart gear("gear");
    const espalier_pose pose = espalier_pose_identity();
    auto query = std::make_unique<espalier_query>();
    ASSERT_EQ(espalier_collide_begin(query.get(), sizeof(*query), &espalier_collide_aabb_sat_lite,
                                     gear.c_part(), gear.c_part(), &pose, nullptr),
              ESPALIER_STATUS_OK);
    const std::uint64_t before = espalier_get_counters(query.get()).node_tests;
    const espalier_budget none = c_node_tests(0);
    EXPECT_EQ(espalier_step(query.get(), &none), ESPALIER_UNRESOLVED);
    EXPECT_EQ(espalier_get_counters(query.get()).node_tests, before);
    EXPECT_EQ(espalier_step(query.get(), nullptr), ESPALIER_COLLIDING);
}

int expires_after_two(void* calls) {
    return ++*static_cast<int*>(calls) > 2;
}

TEST(CApiPair, AClockStopsAStepAndTheNextGoesOn) {
    const GoldenPart gear("gear");
    const espalier_pose pose = espalier_pose_identity();
    int calls = 0;
    espalier_budget budget = espalier_budget_unlimited();
    budget.expired = &expires_after_two;
    budget.user = &calls;
    auto query = std::make_unique<espalier_query>();
    ASSERT_EQ(espalier_collide_begin(query.get(), sizeof(*query), &espalier_collide_aabb_sat, gear.c_part(),
                                     gear.c_part(), &pose, nullptr),
              ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_step(query.get(), &budget), ESPALIER_UNRESOLVED);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(espalier_step(query.get(), nullptr), ESPALIER_COLLIDING);
}

template <Overlap kOverlap>
void expect_same_witnesses(const espalier_cell_witnesses_kind* kind) {
    const GoldenPart gear("gear");
    QueryMemory memory(espalier_cell_witnesses_size(kind));
    auto query = std::make_unique<CellWitnesses<kOverlap>>();
    std::vector<CellWitness> witnesses(6);
    std::vector<espalier_cell_witness> c_witnesses(6);
    Draw draw(24);
    for (int i = 0; i < 15; ++i) {
        const Pose pose = drawn_pose(draw, gear.part(), i);
        const espalier_pose c = c_pose(pose);
        ASSERT_EQ(query->begin(gear.part(), gear.part(), pose, witnesses.data(), 6), Status::kOk);
        ASSERT_EQ(espalier_cell_witnesses_begin(memory.query(), memory.size(), kind, gear.c_part(),
                                                gear.c_part(), &c, c_witnesses.data(), 6),
                  ESPALIER_STATUS_OK);
        ASSERT_EQ(espalier_step(memory.query(), nullptr), static_cast<std::uint32_t>(query->step()));
        EXPECT_EQ(espalier_cell_witnesses_count(memory.query()), query->count());
        EXPECT_EQ(espalier_cell_witnesses_status(memory.query()),
                  static_cast<std::uint32_t>(query->status()));
        expect_counters(memory.query(), query->counters());
        for (std::size_t j = 0; j < std::min<std::size_t>(6, query->count()); ++j)
            expect_witness(c_witnesses[j], witnesses[j]);
    }
}

TEST(CApiPair, WitnessesOfEveryKindEqualTheirClass) {
    expect_same_witnesses<Overlap::kSatLite>(&espalier_cell_witnesses_sat_lite);
    expect_same_witnesses<Overlap::kSat>(&espalier_cell_witnesses_sat);
    expect_same_witnesses<Overlap::kAxis>(&espalier_cell_witnesses_axis);
    expect_same_witnesses<Overlap::kClip>(&espalier_cell_witnesses_clip);
}

/// A C operation: measures every pair of triangles, keeps the least distance and narrows the walk to it.
struct Search {
    espalier_query* query;
    double best;
    double point_a[3];
    static int run(void* user, const espalier_cell_pair* pair) {
        auto* s = static_cast<Search*>(user);
        for (std::uint32_t a = 0; a < pair->a.triangle_count; ++a)
            for (std::uint32_t b = 0; b < pair->b.triangle_count; ++b) {
                double point[3], other[3];
                const double distance = espalier_cell_walk_triangle_distance(
                    s->query, pair->a.triangles[a], pair->b.triangles[b], point, other);
                if (distance < s->best) {
                    s->best = distance;
                    std::copy_n(point, 3, s->point_a);
                }
            }
        espalier_cell_walk_set_reach(s->query, s->best);
        return s->best == 0;
    }
};

void expect_walk_finds_the_distance(const espalier_cell_walk_kind* kind) {
    const GoldenPart gear("gear");
    QueryMemory memory(espalier_cell_walk_size(kind));
    auto distance = std::make_unique<Distance<CellTreeView>>();
    Draw draw(45);
    for (int i = 0; i < 15; ++i) {
        const Pose pose = drawn_pose(draw, gear.part(), i);
        const espalier_pose c = c_pose(pose);
        ASSERT_EQ(distance->begin(gear.part(), gear.part(), pose), Status::kOk);
        distance->step();
        Search search{memory.query(), 100, {0, 0, 0}};
        ASSERT_EQ(espalier_cell_walk_begin(memory.query(), memory.size(), kind, gear.c_part(), gear.c_part(),
                                           &c, 100),
                  ESPALIER_STATUS_OK);
        const espalier_budget budget = c_node_tests(100);
        std::uint32_t verdict;
        while ((verdict = espalier_cell_walk_step(memory.query(), &budget, &Search::run, &search)) ==
               ESPALIER_UNRESOLVED) {
        }
        EXPECT_EQ(verdict, search.best == 0 ? ESPALIER_COLLIDING : ESPALIER_DISJOINT);
        EXPECT_EQ(search.best, distance->upper());
    }
    const espalier_pose pose = espalier_pose_identity();
    EXPECT_EQ(espalier_cell_walk_begin(memory.query(), memory.size(), kind, gear.c_part(), gear.c_part(),
                                       &pose, -1),
              ESPALIER_STATUS_INVALID_ARGUMENT);
}

TEST(CApiPair, AWalkOfEveryKindTakesTheCallersOperation) {
    expect_walk_finds_the_distance(&espalier_cell_walk_sat_lite);
    expect_walk_finds_the_distance(&espalier_cell_walk_sat);
    expect_walk_finds_the_distance(&espalier_cell_walk_axis);
    expect_walk_finds_the_distance(&espalier_cell_walk_clip);
}

}  // namespace
}  // namespace espalier::testing
