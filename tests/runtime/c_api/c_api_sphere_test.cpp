// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere trees through the C header: reading them, and time-critical queries.
#include <vector>

#include "espalier/sphere_query.h"
#include "tests/runtime/c_api/golden_part.h"

namespace espalier::testing {
namespace {

void expect_same_tree(const char* name) {
    const GoldenPart golden(name);
    const SphereTreeView& tree = golden.part().sphere;
    espalier_sphere_tree c;
    ASSERT_EQ(espalier_get_sphere_tree(golden.c_part(), &c), ESPALIER_STATUS_OK);
    ASSERT_EQ(c.sphere_count, tree.sphere_count);
    ASSERT_EQ(c.level_count, tree.level_count);
    EXPECT_EQ(c.inner_count, tree.inner_count());
    EXPECT_EQ(c.dag != 0, tree.dag());
    EXPECT_EQ(c.coverage, static_cast<std::uint32_t>(tree.coverage));
    EXPECT_EQ(c.proved != 0, tree.proved);
    EXPECT_EQ(c.volume_proved != 0, tree.volume_proved);
    EXPECT_EQ(c.open != 0, tree.open);
    EXPECT_EQ(c.capped != 0, tree.capped);
    EXPECT_EQ(c.gap, tree.gap);
    EXPECT_EQ(c.filling, tree.filling);
    EXPECT_EQ(c.solid_volume, tree.solid_volume);
    EXPECT_EQ(c.shell_count, tree.shell_count);
    EXPECT_EQ(c.method, tree.method);
    EXPECT_EQ(c.limit, tree.limit);
    EXPECT_EQ(c.branch, tree.branch);
    for (std::uint32_t i = 0; i < c.level_count; ++i) {
        EXPECT_EQ(c.levels[i].first, tree.levels[i].first);
        EXPECT_EQ(c.levels[i].error_max, tree.levels[i].error_max);
        EXPECT_EQ(c.levels[i].outside_volume, tree.levels[i].outside_volume);
    }
    for (std::uint32_t s = 0; s < c.sphere_count; ++s) {
        EXPECT_EQ(c.spheres[s].radius, tree.spheres[s].radius);
        EXPECT_EQ(c.spheres[s].center[2], tree.spheres[s].center[2]);
        EXPECT_EQ(c.errors[s], tree.errors[s]);
        EXPECT_EQ(espalier_sphere_level_of(golden.c_part(), s), tree.level_of(s));
        std::uint32_t first, end, c_first, c_end;
        if (s < c.inner_count) {
            tree.children(s, &first, &end);
            espalier_sphere_children(golden.c_part(), s, &c_first, &c_end);
            ASSERT_EQ(c_first, first);
            ASSERT_EQ(c_end, end);
            for (std::uint32_t i = first; i < end; ++i)
                EXPECT_EQ(espalier_sphere_child_at(golden.c_part(), i), tree.child_at(i));
            tree.shared(s, &first, &end);
            espalier_sphere_shared(golden.c_part(), s, &c_first, &c_end);
        } else {
            tree.leaf(s, &first, &end);
            espalier_sphere_leaf(golden.c_part(), s, &c_first, &c_end);
        }
        EXPECT_EQ(c_first, first);
        EXPECT_EQ(c_end, end);
    }
}

TEST(CApiSphere, TreesReadAsTheViewsDo) {
    expect_same_tree("gear");
    expect_same_tree("craft-dag");
    expect_same_tree("open");
}

void expect_same_answers(const espalier_query* c, const SphereQueryBase& query) {
    const espalier_distance result = espalier_distance_result(c);
    EXPECT_EQ(result.lower, query.lower());
    EXPECT_EQ(result.upper, query.upper());
    EXPECT_EQ(result.done != 0, query.done());
    ClosestPair pair;
    ASSERT_EQ(result.found != 0, query.closest(&pair));
    EXPECT_EQ(result.triangle_b, pair.triangle_b);
    EXPECT_EQ(result.point_a[1], pair.point_a[1]);
    EXPECT_EQ(espalier_sphere_level_reached(c), query.level());
    EXPECT_EQ(espalier_sphere_conservative(c) != 0, query.conservative());
    EXPECT_EQ(espalier_sphere_surface_errors(c) != 0, query.surface_errors());
    EXPECT_EQ(espalier_sphere_open_pairs(c), query.open_pairs());
    expect_counters(c, query.counters());
    SphereContact contacts[4], mean;
    espalier_sphere_contact c_contacts[4], c_mean;
    const std::size_t count = query.contacts(contacts, 4);
    ASSERT_EQ(espalier_sphere_contacts(c, c_contacts, 4), count);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, 4); ++i) {
        EXPECT_EQ(c_contacts[i].sphere_a, contacts[i].sphere_a);
        EXPECT_EQ(c_contacts[i].depth, contacts[i].depth);
    }
    const bool some = query.mean_contact(&mean);
    ASSERT_EQ(espalier_sphere_mean_contact(c, &c_mean) != 0, some);
    if (some) {
        EXPECT_EQ(c_mean.point[2], mean.point[2]);
        EXPECT_EQ(c_mean.normal[0], mean.normal[0]);
    }
}

TEST(CApiSphere, QueriesEqualTheClassFrameAfterFrame) {
    const GoldenPart gear("gear");
    auto c = std::make_unique<espalier_query>();
    auto query = std::make_unique<SphereQuery<704>>();
    const espalier_budget budget = c_node_tests(100);
    for (std::uint32_t order = 0; order < 3; ++order) {
        SphereQueryOptions options;
        espalier_sphere_options c_options = espalier_sphere_options_default();
        EXPECT_EQ(c_options.order, static_cast<std::uint32_t>(options.order));
        options.order = static_cast<SphereOrder>(c_options.order = order);
        options.skin = c_options.skin = 0.05;
        Pose pose;
        pose.translation[1] = 0.4;
        espalier_pose placed = c_pose(pose);
        ASSERT_EQ(espalier_sphere_begin(c.get(), gear.c_part(), gear.c_part(), &placed, &c_options),
                  ESPALIER_STATUS_OK);
        ASSERT_EQ(query->begin(gear.part(), gear.part(), pose, options), Status::kOk);
        for (int frame = 0; frame < 20; ++frame) {
            ASSERT_EQ(espalier_step(c.get(), &budget),
                      static_cast<std::uint32_t>(query->step(node_tests(100))));
            expect_same_answers(c.get(), *query);
            pose.translation[1] += 0.1;
            placed = c_pose(pose);
            ASSERT_EQ(espalier_sphere_advance(c.get(), &placed), ESPALIER_STATUS_OK);
            ASSERT_EQ(query->advance(pose), Status::kOk);
        }
    }
}

TEST(CApiSphere, QueriesStopAtSpheresAndTakeTheCallersMemory) {
    const GoldenPart gear("gear");
    auto c = std::make_unique<espalier_query>();
    SphereQueryBase query;
    SphereQueryOptions options;
    espalier_sphere_options c_options = espalier_sphere_options_default();
    options.exact = false;
    c_options.exact = 0;
    std::vector<SpherePair> pairs(32);
    std::vector<espalier_sphere_pair> c_pairs(32);
    Draw draw(9);
    for (int i = 0; i < 20; ++i) {
        const Pose pose = drawn_pose(draw, gear.part(), i);
        const espalier_pose placed = c_pose(pose);
        ASSERT_EQ(query.begin(gear.part(), gear.part(), pose, options, pairs.data(), pairs.size()),
                  Status::kOk);
        ASSERT_EQ(espalier_sphere_begin_in(c.get(), gear.c_part(), gear.c_part(), &placed, &c_options,
                                           c_pairs.data(), c_pairs.size()),
                  ESPALIER_STATUS_OK);
        ASSERT_EQ(espalier_step(c.get(), nullptr), static_cast<std::uint32_t>(query.step()));
        expect_same_answers(c.get(), query);
    }
    const espalier_pose placed = espalier_pose_identity();
    EXPECT_EQ(espalier_sphere_begin_in(c.get(), gear.c_part(), gear.c_part(), &placed, &c_options,
                                       c_pairs.data(), 2),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    c_options.order = 3;
    EXPECT_EQ(espalier_sphere_begin(c.get(), gear.c_part(), gear.c_part(), &placed, &c_options),
              ESPALIER_STATUS_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace espalier::testing
