// SPDX-License-Identifier: GPL-3.0-or-later
// Queries of bodies through the C header: answers, parts, counts and statuses are those of the C++ classes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "espalier/body_collide.h"
#include "espalier/body_contacts.h"
#include "espalier/body_distance.h"
#include "espalier/body_point.h"
#include "espalier/body_ray_cast.h"
#include "espalier/body_sphere_query.h"
#include "espalier/espalier.h"
#include "tests/runtime/c_api/golden_part.h"
#include "tests/support/random_body.h"

namespace espalier::testing {
namespace {

/// A body at the same poses through both interfaces.
class TwoBodies {
  public:
    TwoBodies(Draw& draw, std::uint32_t parts) : cpp_(random_parts(draw, parts)) {
        cpp_.bend(draw, random_place(draw, 0.5));
        EXPECT_EQ(espalier_open(cpp_.asset().data(), cpp_.asset().size(), ESPALIER_VERIFY_FULL, &asset_),
                  ESPALIER_STATUS_OK);
        memory_ = std::make_unique<BodyMemory>(espalier_body_memory_size(&asset_));
        EXPECT_EQ(espalier_body_begin(&c_, &asset_, memory_->data(), memory_->size()), ESPALIER_STATUS_OK);
        std::vector<espalier_pose> poses;
        for (const Pose& pose : cpp_.poses()) poses.push_back(c_pose(pose));
        EXPECT_EQ(espalier_body_set_poses(&c_, poses.data(), poses.size()), ESPALIER_STATUS_OK);
    }
    HandBody& cpp() { return cpp_; }
    const Body& body() const { return cpp_.body(); }
    espalier_body* c() { return &c_; }
    const espalier_asset* c_asset() const { return &asset_; }

  private:
    HandBody cpp_;
    espalier_asset asset_{};
    std::unique_ptr<BodyMemory> memory_;
    espalier_body c_{};
};

template <class Cpp, class C>
bool same_bytes(const Cpp& cpp, const C& c) {
    static_assert(sizeof(Cpp) == sizeof(C), "mirrored");
    return std::memcmp(&cpp, &c, sizeof(c)) == 0;
}

template <class Query>
void expect_same_work(const Query& cpp, const espalier_query* c) {
    EXPECT_EQ(static_cast<std::uint32_t>(cpp.verdict()), espalier_verdict(c));
    EXPECT_TRUE(same_bytes(cpp.counters(), espalier_get_counters(c)));
}

/// What the C interface has for a tree.
template <class Tree>
struct Kinds;
template <>
struct Kinds<AabbTreeView> {
    static constexpr const espalier_body_collide_kind* kCollide = &espalier_body_collide_aabb_sat_lite;
    static constexpr const espalier_body_contacts_kind* kContacts = &espalier_body_contacts_aabb_sat_lite;
    static constexpr const espalier_body_distance_kind* kDistance = &espalier_body_distance_aabb;
};
template <>
struct Kinds<BoxTreeView> {
    static constexpr const espalier_body_collide_kind* kCollide = &espalier_body_collide_box_sat_lite;
    static constexpr const espalier_body_contacts_kind* kContacts = &espalier_body_contacts_box_sat_lite;
    static constexpr const espalier_body_distance_kind* kDistance = &espalier_body_distance_box;
};
template <>
struct Kinds<CellTreeView> {
    static constexpr const espalier_body_collide_kind* kCollide = &espalier_body_collide_cell_sat_lite;
    static constexpr const espalier_body_contacts_kind* kContacts = &espalier_body_contacts_cell_sat_lite;
    static constexpr const espalier_body_distance_kind* kDistance = &espalier_body_distance_cell;
};

template <class Tree>
class CApiBodiesOnTree : public ::testing::Test {};
using Trees = ::testing::Types<AabbTreeView, BoxTreeView, CellTreeView>;
TYPED_TEST_SUITE(CApiBodiesOnTree, Trees);

template <class Query>
bool found_in_c(const Query& cpp, const espalier_query* c) {
    if constexpr (std::is_same_v<typename Query::Found, BodyContact>) {
        espalier_body_contact contact;
        return espalier_body_collide_contact(c, &contact) && same_bytes(cpp.contact(), contact);
    } else {
        espalier_body_cell_witness witness;
        return espalier_body_collide_witness(c, &witness) && same_bytes(cpp.contact(), witness);
    }
}

TYPED_TEST(CApiBodiesOnTree, FirstContactIsThatOfTheCppClass) {
    Draw draw(11);
    auto query = std::make_unique<espalier_body_query>();
    auto cpp = std::make_unique<BodyCollide<TypeParam>>();
    espalier_query* c = &query->query;
    const espalier_body_collide_kind* kind = Kinds<TypeParam>::kCollide;
    int hits = 0, misses = 0;
    for (int i = 0; i < 60; ++i) {
        TwoBodies a(draw, 6), b(draw, 5);
        const Pose pose = pose_of(random_place(draw, 1.5));
        const espalier_pose at = c_pose(pose);
        BodyCue cue;
        espalier_body_cue c_cue{};
        ASSERT_EQ(cpp->begin(a.body(), b.body(), pose, &cue), Status::kOk);
        ASSERT_EQ(espalier_body_collide_begin(c, sizeof(*query), kind, a.c(), b.c(), &at, &c_cue),
                  ESPALIER_STATUS_OK);
        const espalier_budget some = {40, nullptr, nullptr};
        while (cpp->step(Budget{40}) == Verdict::kUnresolved) espalier_step(c, &some);
        espalier_step(c, &some);
        expect_same_work(*cpp, c);
        if (cpp->verdict() == Verdict::kColliding) EXPECT_TRUE(found_in_c(*cpp, c));
        EXPECT_EQ(c_cue.cue.valid, cue.cue.valid ? 1 : 0);
        EXPECT_EQ(c_cue.part_b, cue.part_b);
        (cpp->verdict() == Verdict::kColliding ? hits : misses) += 1;

        ASSERT_EQ(cpp->begin_self(a.body()), Status::kOk);
        ASSERT_EQ(espalier_body_collide_begin_self(c, espalier_body_collide_size(kind), kind, a.c(), nullptr),
                  ESPALIER_STATUS_OK);
        cpp->step();
        espalier_step(c, nullptr);
        expect_same_work(*cpp, c);
        if (cpp->verdict() == Verdict::kColliding) EXPECT_TRUE(found_in_c(*cpp, c));
    }
    EXPECT_GT(hits, 5);
    EXPECT_GT(misses, 5);
}

TYPED_TEST(CApiBodiesOnTree, ContactsAreThoseOfTheCppClass) {
    Draw draw(12);
    auto query = std::make_unique<espalier_body_query>();
    auto cpp = std::make_unique<BodyContacts<TypeParam>>();
    espalier_query* c = &query->query;
    const espalier_body_contacts_kind* kind = Kinds<TypeParam>::kContacts;
    std::vector<BodyContact> found(50);
    std::vector<espalier_body_contact> c_found(50);
    for (int i = 0; i < 30; ++i) {
        TwoBodies a(draw, 6), b(draw, 5);
        const Pose pose = pose_of(random_place(draw, 1));
        const espalier_pose at = c_pose(pose);
        for (const bool self : {false, true}) {
            if (self) {
                ASSERT_EQ(cpp->begin_self(a.body(), found.data(), found.size()), Status::kOk);
                ASSERT_EQ(espalier_body_contacts_begin_self(c, sizeof(*query), kind, a.c(), c_found.data(),
                                                            c_found.size()),
                          ESPALIER_STATUS_OK);
            } else {
                ASSERT_EQ(cpp->begin(a.body(), b.body(), pose, found.data(), found.size()), Status::kOk);
                ASSERT_EQ(espalier_body_contacts_begin(c, espalier_body_contacts_size(kind), kind, a.c(),
                                                       b.c(), &at, c_found.data(), c_found.size()),
                          ESPALIER_STATUS_OK);
            }
            cpp->step();
            espalier_step(c, nullptr);
            expect_same_work(*cpp, c);
            EXPECT_EQ(espalier_body_contacts_count(c), cpp->count());
            EXPECT_EQ(espalier_body_contacts_status(c), static_cast<espalier_status>(cpp->status()));
            for (std::size_t k = 0; k < std::min<std::size_t>(cpp->count(), found.size()); ++k)
                EXPECT_TRUE(same_bytes(found[k], c_found[k]));
        }
    }
}

template <class Query>
void expect_same_distance(const Query& cpp, const espalier_query* c) {
    const espalier_distance result = espalier_distance_result(c);
    EXPECT_EQ(result.lower, cpp.lower());
    EXPECT_EQ(result.upper, cpp.upper());
    EXPECT_EQ(result.done != 0, cpp.done());
    if (!std::isfinite(cpp.upper())) return;
    std::uint32_t part_a = 77, part_b = 77;
    ASSERT_EQ(espalier_body_nearest(c, &part_a, &part_b), 1);
    EXPECT_EQ(part_a, cpp.closest().part_a);
    EXPECT_EQ(part_b, cpp.closest().part_b);
    EXPECT_EQ(result.found, 1u);
    EXPECT_EQ(result.triangle_b, cpp.closest().found.triangle_b);
    EXPECT_TRUE(std::equal(result.point_a, result.point_a + 3, cpp.closest().found.point_a));
}

TYPED_TEST(CApiBodiesOnTree, DistancesAndTheirPartsAreThoseOfTheCppClass) {
    Draw draw(13);
    auto query = std::make_unique<espalier_body_query>();
    auto cpp = std::make_unique<BodyDistance<TypeParam>>();
    espalier_query* c = &query->query;
    const espalier_body_distance_kind* kind = Kinds<TypeParam>::kDistance;
    const espalier_distance_goal goal = espalier_distance_goal_default();
    for (int i = 0; i < 30; ++i) {
        TwoBodies a(draw, 6), b(draw, 5);
        const Pose pose = pose_of(random_place(draw, 4));
        const espalier_pose at = c_pose(pose);
        ASSERT_EQ(cpp->begin(a.body(), b.body(), pose), Status::kOk);
        ASSERT_EQ(espalier_body_distance_begin(c, sizeof(*query), kind, a.c(), b.c(), &at, &goal),
                  ESPALIER_STATUS_OK);
        const espalier_budget some = {200, nullptr, nullptr};
        while (!cpp->done()) {
            cpp->step(Budget{200});
            espalier_step(c, &some);
            expect_same_work(*cpp, c);
            expect_same_distance(*cpp, c);
        }
        ASSERT_EQ(cpp->begin_self(a.body()), Status::kOk);
        ASSERT_EQ(espalier_body_distance_begin_self(c, espalier_body_distance_size(kind), kind, a.c(), &goal),
                  ESPALIER_STATUS_OK);
        cpp->tighten(1e9);
        espalier_body_distance_tighten(c, 1e9);
        cpp->step();
        espalier_step(c, nullptr);
        expect_same_work(*cpp, c);
        if (cpp->upper() < 1e9) expect_same_distance(*cpp, c);
    }
}

TYPED_TEST(CApiBodiesOnTree, MemoryThatIsTooSmallIsRefused) {
    Draw draw(14);
    TwoBodies a(draw, 3);
    auto query = std::make_unique<espalier_body_query>();
    const espalier_pose at = espalier_pose_identity();
    const espalier_distance_goal goal = espalier_distance_goal_default();
    using K = Kinds<TypeParam>;
    EXPECT_EQ(espalier_body_collide_begin(&query->query, espalier_body_collide_size(K::kCollide) - 1,
                                          K::kCollide, a.c(), a.c(), &at, nullptr),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_body_contacts_begin(&query->query, espalier_body_contacts_size(K::kContacts) - 1,
                                           K::kContacts, a.c(), a.c(), &at, nullptr, 0),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_body_distance_begin(&query->query, espalier_body_distance_size(K::kDistance) - 1,
                                           K::kDistance, a.c(), a.c(), &at, &goal),
              ESPALIER_STATUS_INVALID_ARGUMENT);
}

template <class Tree>
void compare_rays(const espalier_body_ray_kind* kind) {
    Draw draw(15);
    auto query = std::make_unique<espalier_query>();
    BodyRayCast<Tree> cpp;
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
        TwoBodies a(draw, 6);
        const Eigen::Vector3d from = 3 * draw.in_cube(), to = draw.in_cube() - from;
        Ray ray;
        std::copy_n(from.data(), 3, ray.origin);
        std::copy_n(to.data(), 3, ray.direction);
        const espalier_ray c_ray = espalier_ray_along(from.data(), to.data());
        for (const int any : {0, 1}) {
            ASSERT_EQ(cpp.begin(a.body(), ray, any ? RayMode::kAny : RayMode::kFirst), Status::kOk);
            ASSERT_EQ(espalier_body_ray_begin(query.get(), kind, a.c(), &c_ray, any), ESPALIER_STATUS_OK);
            cpp.step();
            espalier_step(query.get(), nullptr);
            expect_same_work(cpp, query.get());
            espalier_body_ray_hit hit;
            ASSERT_EQ(espalier_body_ray_result(query.get(), &hit) != 0, cpp.verdict() == Verdict::kColliding);
            if (cpp.verdict() != Verdict::kColliding) continue;
            EXPECT_EQ(hit.part, cpp.hit().part);
            EXPECT_EQ(hit.hit.triangle, cpp.hit().hit.triangle);
            EXPECT_EQ(hit.hit.t, cpp.hit().hit.t);
            EXPECT_EQ(hit.hit.normal[1], cpp.hit().hit.normal[1]);
            ++hits;
        }
    }
    EXPECT_GT(hits, 5);
}

TEST(CApiBodies, RaysHitWhatTheyHitForTheCppClass) {
    compare_rays<AabbTreeView>(&espalier_body_ray_aabb);
    compare_rays<BoxTreeView>(&espalier_body_ray_box);
}

TEST(CApiBodies, NearestPointsAndInsidesAreThoseOfTheCppClasses) {
    Draw draw(16);
    auto query = std::make_unique<espalier_query>();
    BodyClosestPointQuery closest;
    BodyInsideQuery inside;
    int found = 0, insides = 0;
    for (int i = 0; i < 200; ++i) {
        TwoBodies a(draw, 6);
        const Eigen::Vector3d point = 1.5 * draw.in_cube();
        ASSERT_EQ(closest.begin(a.body(), point.data(), 1), Status::kOk);
        ASSERT_EQ(espalier_body_closest_begin(query.get(), a.c(), point.data(), 1), ESPALIER_STATUS_OK);
        closest.step();
        espalier_step(query.get(), nullptr);
        expect_same_work(closest, query.get());
        espalier_body_closest_point nearest;
        ASSERT_EQ(espalier_body_closest_result(query.get(), &nearest) != 0,
                  closest.verdict() == Verdict::kColliding);
        if (closest.verdict() == Verdict::kColliding) {
            ++found;
            EXPECT_EQ(nearest.part, closest.closest().part);
            EXPECT_EQ(nearest.closest.triangle, closest.closest().closest.triangle);
            EXPECT_EQ(nearest.closest.distance, closest.closest().closest.distance);
            EXPECT_EQ(nearest.closest.point[2], closest.closest().closest.point[2]);
        }
        const Status status = inside.begin(a.body(), point.data());
        ASSERT_EQ(espalier_body_inside_begin(query.get(), a.c(), point.data()),
                  static_cast<espalier_status>(status));
        if (status != Status::kOk) continue;
        inside.step();
        EXPECT_EQ(espalier_body_inside_part(query.get()), ESPALIER_NO_INDEX);
        espalier_step(query.get(), nullptr);
        expect_same_work(inside, query.get());
        if (inside.verdict() != Verdict::kColliding) continue;
        ++insides;
        EXPECT_EQ(espalier_body_inside_part(query.get()), inside.part());
    }
    EXPECT_GT(found, 20);
    EXPECT_GT(insides, 3);
}

TEST(CApiBodies, TimeCriticalBoundsAreThoseOfTheCppClassAtEveryStop) {
    Draw draw(17);
    auto query = std::make_unique<espalier_query>();
    const espalier_body_sphere_options options = espalier_body_sphere_options_default();
    const espalier_body_sphere_capacity capacity = espalier_body_sphere_capacity_default();
    EXPECT_EQ(espalier_body_sphere_memory_size(&capacity),
              BodySphereQueryBase::memory_size(BodySphereCapacity()));
    BodyMemory memory(espalier_body_sphere_memory_size(&capacity));
    auto cpp = std::make_unique<BodySphereQuery<>>();
    int finished = 0;
    for (int i = 0; i < 30; ++i) {
        TwoBodies a(draw, 6), b(draw, 5);
        const Pose pose = pose_of(random_place(draw, 3));
        const espalier_pose at = c_pose(pose);
        const bool self = i % 3 == 2;
        ASSERT_EQ(self ? cpp->begin_self(a.body()) : cpp->begin(a.body(), b.body(), pose), Status::kOk);
        ASSERT_EQ(self ? espalier_body_sphere_begin_self(query.get(), a.c(), &options, &capacity,
                                                         memory.data(), memory.size())
                       : espalier_body_sphere_begin(query.get(), a.c(), b.c(), &at, &options, &capacity,
                                                    memory.data(), memory.size()),
                  ESPALIER_STATUS_OK);
        const espalier_budget some = {100, nullptr, nullptr};
        for (int frame = 0; frame < 2; ++frame) {
            for (int k = 0; k < 20 && !cpp->done(); ++k) {
                cpp->step(Budget{100});
                espalier_step(query.get(), &some);
                expect_same_work(*cpp, query.get());
                const espalier_distance result = espalier_distance_result(query.get());
                EXPECT_EQ(result.lower, cpp->lower());
                EXPECT_EQ(result.upper, cpp->upper());
                EXPECT_EQ(espalier_body_sphere_active_pairs(query.get()), cpp->active_pairs());
                EXPECT_EQ(espalier_body_sphere_started_pairs(query.get()), cpp->started_pairs());
                std::uint32_t part[2] = {0, 0}, c_part[2] = {0, 0};
                EXPECT_EQ(espalier_body_nearest(query.get(), &c_part[0], &c_part[1]) != 0,
                          cpp->nearest(&part[0], &part[1]));
                EXPECT_EQ(c_part[0], part[0]);
                EXPECT_EQ(c_part[1], part[1]);
                finished += result.done;
            }
            const espalier_pose next = self ? espalier_pose_identity() : at;
            ASSERT_EQ(cpp->advance(self ? Pose() : pose), Status::kOk);
            ASSERT_EQ(espalier_body_sphere_advance(query.get(), &next), ESPALIER_STATUS_OK);
        }
    }
    EXPECT_GT(finished, 5);
}

TEST(CApiBodies, PosesShapesBoxesAndListedPairsAreThoseOfTheCppClass) {
    Draw draw(18);
    TwoBodies both(draw, 12);
    const Body& body = both.body();
    ASSERT_EQ(espalier_body_part_count(both.c()), body.part_count());
    EXPECT_EQ(espalier_body_shaped_count(both.c()), body.shaped_count());
    ASSERT_EQ(espalier_body_rebuild(both.c()), ESPALIER_STATUS_OK);
    for (std::uint32_t part = 0; part <= body.part_count(); ++part) {
        Pose pose;
        espalier_pose at;
        ASSERT_EQ(espalier_body_pose(both.c(), part, &at),
                  static_cast<espalier_status>(body.pose(part, &pose)));
        if (part < body.part_count()) EXPECT_TRUE(same_bytes(pose, at));
        ShapeView view;
        espalier_shape shape;
        const Status status = body.shape(part, &view);
        ASSERT_EQ(espalier_body_shape(both.c(), part, &shape), static_cast<espalier_status>(status));
        BroadBox box;
        espalier_broad_box c_box;
        ASSERT_EQ(espalier_body_part_box(both.c(), part, &c_box),
                  static_cast<espalier_status>(body.part_box(part, &box)));
        if (status != Status::kOk) continue;
        EXPECT_TRUE(same_bytes(box, c_box));
        EXPECT_EQ(espalier_get_shape_info(&shape).triangle_count, view.mesh.triangle_count);
        for (std::uint32_t other = 0; other < body.part_count(); ++other)
            EXPECT_EQ(espalier_body_pair_listed(both.c(), part, other) != 0, body.pair_listed(part, other));
    }
    BroadBox all;
    espalier_broad_box c_all;
    ASSERT_EQ(body.box(&all), Status::kOk);
    ASSERT_EQ(espalier_body_box(both.c(), &c_all), ESPALIER_STATUS_OK);
    EXPECT_TRUE(same_bytes(all, c_all));
}

TEST(CApiBodies, WrongCountsOfPosesAndMemoryHaveTheStatusOfTheCppClass) {
    Draw draw(19);
    TwoBodies both(draw, 5);
    std::vector<espalier_pose> poses(6, espalier_pose_identity());
    EXPECT_EQ(espalier_body_set_poses(both.c(), poses.data(), 5), ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_body_set_poses(both.c(), poses.data(), 4), ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_body_set_poses(both.c(), poses.data(), 6), ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_body_set_poses(both.c(), nullptr, 5), ESPALIER_STATUS_INVALID_ARGUMENT);
    poses[3].translation[1] = std::nan("");
    EXPECT_EQ(espalier_body_set_poses(both.c(), poses.data(), 5), ESPALIER_STATUS_INVALID_ARGUMENT);
    poses[3] = espalier_pose_identity();
    poses[3].scale[2] = 2;
    EXPECT_EQ(espalier_body_set_poses(both.c(), poses.data(), 5), ESPALIER_STATUS_INVALID_ARGUMENT);
    BodyMemory memory(espalier_body_memory_size(both.c_asset()));
    espalier_body other;
    EXPECT_EQ(espalier_body_begin(&other, both.c_asset(), memory.data(), 100),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_body_begin(&other, nullptr, memory.data(), memory.size()),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    auto query = std::make_unique<espalier_body_query>();
    const espalier_pose at = espalier_pose_identity();
    EXPECT_EQ(espalier_body_collide_begin(&query->query, sizeof(*query), &espalier_body_collide_aabb_sat_lite,
                                          &other, both.c(), &at, nullptr),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_step(&query->query, nullptr), ESPALIER_UNRESOLVED);
}

TEST(CApiBodies, APartAloneIsABodyOfOne) {
    const GoldenPart gear("gear");
    BodyMemory memory(ESPALIER_BODY_PART_MEMORY);
    espalier_body body;
    ASSERT_EQ(espalier_body_begin_part(&body, gear.c_part(), memory.data(), memory.size()),
              ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_body_part_count(&body), 1u);
    EXPECT_EQ(espalier_body_begin_part(&body, nullptr, memory.data(), memory.size()),
              ESPALIER_STATUS_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace espalier::testing
