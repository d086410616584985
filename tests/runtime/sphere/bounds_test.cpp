// SPDX-License-Identifier: GPL-3.0-or-later
// The promise of every budgeted query: wherever it is stopped, the separation by brute force lies between its
// bounds, and the bounds only ever get sharper. A stop is a triple of pair, pose and budget.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "builder/aabb/row.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "builder/cell/row.h"
#include "espalier/distance.h"
#include "tests/runtime/sphere/sphere_part.h"
#include "tests/support/brute_force.h"
#include "tests/support/effort.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

struct Tally {
    std::uint64_t stops = 0, poses = 0, colliding = 0, disjoint = 0, by_errors = 0;
};

/// Steps of random size, then now and then one to the end; every stop is checked.
template <class Query>
void stop_often(Query& query, double separation, double slack, Draw& draw, Tally* tally) {
    double lower = 0, upper = INFINITY;
    const std::uint64_t largest = std::uint64_t{2} << draw.below(9);
    for (int stop = 0;; ++stop) {
        Budget budget;
        if (stop == 24 && draw.below(4) != 0) break;
        if (stop < 24) budget.node_tests = draw.below(largest);
        const Verdict verdict = query.step(budget);
        ++tally->stops;
        ASSERT_LE(query.lower(), separation + slack);
        ASSERT_GE(query.upper(), separation - slack);
        ASSERT_GE(query.lower(), lower);
        ASSERT_LE(query.upper(), upper);
        ASSERT_LE(query.lower(), query.upper());
        lower = query.lower();
        upper = query.upper();
        if (verdict == Verdict::kColliding) ASSERT_EQ(separation, 0);
        if (verdict == Verdict::kDisjoint) ASSERT_GT(separation, 0);
        if (verdict == Verdict::kColliding || query.done()) break;
    }
    (upper == 0 ? tally->colliding : tally->disjoint) += 1;
}

/// Where two scales differ much, one part often lies inside the other: the case in which errors from the
/// solid say nothing about the surfaces.
Pose drawn_pose(Draw& draw, const ShapeView& a, const ShapeView& b) {
    Pose pose = random_pose(draw, a, b, draw.coin() ? 1.6 : 0.7);
    const std::uint64_t kind = draw.below(4);
    if (kind == 0) {
        const double shrink = draw.between(0.05, 0.5);
        for (double& s : pose.scale) s = shrink;
    } else if (kind == 1) {
        for (double& s : pose.scale) s = draw.between(0.3, 1.5) * (draw.below(8) == 0 ? -1 : 1);
    }
    return pose;
}

void sphere_stops(const ShapeView& a, const ShapeView& b, const Pose& pose, double separation, double slack,
                  Draw& draw, Tally* tally) {
    SphereQueryOptions options;
    options.order = static_cast<SphereOrder>(draw.below(3));
    options.exact = draw.below(8) != 0;
    if (draw.below(3) == 0) options.goal.within = draw.coin() ? 0 : separation * draw.between(0.2, 2);
    if (draw.below(4) == 0) options.skin = draw.unit();
    static SpherePair memory[512];
    const std::size_t capacity =
        draw.below(4) == 0 ? SphereQueryBase::kLeastCapacity + draw.below(40) : std::size(memory);
    SphereQueryBase query;
    ASSERT_EQ(query.begin(a, b, pose, options, memory, capacity), Status::kOk);
    ASSERT_NO_FATAL_FAILURE(stop_often(query, separation, slack, draw, tally));
    if (query.surface_errors()) ++tally->by_errors;
    const bool dag = a.sphere.dag() || b.sphere.dag();
    if (!query.done() || query.upper() == 0 || !options.exact || dag || !query.conservative()) return;
    if (std::isinf(options.goal.within)) {
        ASSERT_NEAR(query.upper(), separation, slack);
        ASSERT_NEAR(query.lower(), separation, slack);
    }
    if (options.goal.within == 0) ASSERT_EQ(query.verdict(), Verdict::kDisjoint);
}

/// A mesh with a sphere tree made by hand, and with the other three as they are baked.
struct FourTrees {
    SpherePart sphere;
    ExactBytes bytes;
    ShapeView baked;
};

ExactBytes baked_bytes(const TriangleMesh& mesh, const Eigen::Vector3d& origin) {
    Progress progress;
    AssetContents contents;
    BakedShape& part = contents.shapes.emplace_back();
    part.mesh = mesh;
    part.origin = origin;
    part.trees = {built_tree(build_aabb_tree(mesh, {}, progress)),
                  built_tree(build_box_tree(mesh, {}, progress)),
                  built_tree(build_cell_tree(mesh, {}, progress))};
    return ExactBytes(write_asset(contents).value());
}

/// Takes triangles out and lets errors count as if they were there.
void cut_open(TriangleMesh& mesh, HandSphereOptions* options) {
    for (int k = 0; k < 3 && mesh.triangles.size() > 8; ++k) {
        const Triangle t = mesh.triangles.back();
        mesh.triangles.pop_back();
        options->caps.push_back(t);
        for (std::size_t c = 0; c < 3; ++c)
            options->filling =
                std::max(options->filling, (mesh.positions[t[c]] - mesh.positions[t[(c + 1) % 3]]).norm());
    }
}

std::vector<FourTrees> parts() {
    std::vector<FourTrees> all;
    std::uint32_t i = 0;
    for (const NamedTriangles& m : ten_small_meshes(90)) {
        HandSphereOptions options;
        options.levels = 2 + i % 4;
        options.closed = m.name != "soup";
        options.dag = i % 5 == 3;
        options.shells = i % 7 != 6;
        options.proved = i % 8 != 7;
        options.origin = Eigen::Vector3d(0.5 * i, -1, 2);
        TriangleMesh mesh = m.mesh;
        if (i % 3 == 1) options.gap = 0.02F + 0.02F * static_cast<float>(i);
        if (i % 3 == 2 && options.closed) cut_open(mesh, &options);
        all.push_back({SpherePart(m.name, mesh, options), baked_bytes(mesh, options.origin), {}});
        Asset asset;
        EXPECT_EQ(open(all.back().bytes.data(), all.back().bytes.size(), Verify::kFull, &asset), Status::kOk);
        EXPECT_EQ(asset.part(0, &all.back().baked), Status::kOk);
        ++i;
    }
    return all;
}

/// The same for a class like Distance<AabbTreeView>.
template <class Query>
void baked_stops(const FourTrees& a, const FourTrees& b, const Pose& pose, double separation, double slack,
                 Draw& draw, Tally* tally) {
    static Query query;
    ASSERT_EQ(query.begin(a.baked, b.baked, pose), Status::kOk);
    stop_often(query, separation, slack, draw, tally);
}

/// Asked only whether the parts touch, a query that ran to its end knows.
template <class Query>
void touch_is_known(const FourTrees& a, const FourTrees& b, const Pose& pose, double separation) {
    static Query query;
    DistanceGoal goal;
    goal.within = 0;
    ASSERT_EQ(query.begin(a.baked, b.baked, pose, goal), Status::kOk);
    ASSERT_EQ(query.step(), separation == 0 ? Verdict::kColliding : Verdict::kDisjoint);
    ASSERT_EQ(query.lower() > 0, separation > 0);
    ASSERT_LE(query.lower(), separation);
}

TEST(Bounds, HoldAtEveryStopOfEveryTreesQueries) {
    constexpr std::uint64_t kSeed = 701;
    Draw draw(kSeed);
    const std::vector<FourTrees> all = parts();
    Tally sphere, aabb, box, cell;
    const std::uint64_t wanted = effort(1000000, 20000);
    for (std::uint64_t i = 0; sphere.stops + aabb.stops + box.stops + cell.stops < wanted; ++i) {
        const FourTrees &a = all[draw.below(all.size())], &b = all[draw.below(all.size())];
        const ShapeView &part_a = a.sphere.part(), &part_b = b.sphere.part();
        const Pose pose = drawn_pose(draw, part_a, part_b);
        SCOPED_TRACE(a.sphere.name() + " and " + b.sphere.name() + ", draw " + std::to_string(i) + ", seed " +
                     std::to_string(kSeed) + ", " + text_of(pose));
        const double separation = BruteForce(part_a, part_b, pose).distance();
        const double slack = 1e-12 * (radius_of(part_a) + radius_of(part_b));
        ++sphere.poses;
        for (int repeat = 0; repeat < 6; ++repeat)
            ASSERT_NO_FATAL_FAILURE(sphere_stops(part_a, part_b, pose, separation, slack, draw, &sphere));
        ASSERT_NO_FATAL_FAILURE(
            baked_stops<Distance<AabbTreeView>>(a, b, pose, separation, slack, draw, &aabb));
        ASSERT_NO_FATAL_FAILURE(
            baked_stops<Distance<BoxTreeView>>(a, b, pose, separation, slack, draw, &box));
        ASSERT_NO_FATAL_FAILURE(
            baked_stops<Distance<CellTreeView>>(a, b, pose, separation, slack, draw, &cell));
        ASSERT_NO_FATAL_FAILURE(touch_is_known<Distance<AabbTreeView>>(a, b, pose, separation));
        ASSERT_NO_FATAL_FAILURE(touch_is_known<Distance<BoxTreeView>>(a, b, pose, separation));
        ASSERT_NO_FATAL_FAILURE(touch_is_known<Distance<CellTreeView>>(a, b, pose, separation));
    }
    std::printf("  %llu poses; stops: sphere %llu, aabb %llu, box %llu, cell %llu\n",
                static_cast<unsigned long long>(sphere.poses), static_cast<unsigned long long>(sphere.stops),
                static_cast<unsigned long long>(aabb.stops), static_cast<unsigned long long>(box.stops),
                static_cast<unsigned long long>(cell.stops));
    std::printf("  sphere queries: %llu colliding, %llu not, %llu with errors that hold for surfaces\n",
                static_cast<unsigned long long>(sphere.colliding),
                static_cast<unsigned long long>(sphere.disjoint),
                static_cast<unsigned long long>(sphere.by_errors));
    EXPECT_GT(sphere.colliding, sphere.poses / 4);
    EXPECT_GT(sphere.disjoint, sphere.poses / 4);
    EXPECT_GT(sphere.by_errors, sphere.poses / 4);
}

}  // namespace
}  // namespace espalier::testing
