// SPDX-License-Identifier: GPL-3.0-or-later
// A body by itself: its parts at rest and where they are put, boxes about them, the pairs that its asset
// lists, and what it refuses.
#include "espalier/body.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/body_collide.h"
#include "espalier/body_distance.h"
#include "espalier/body_point.h"
#include "espalier/body_ray_cast.h"
#include "espalier/collide.h"
#include "espalier/distance.h"
#include "tests/support/random_body.h"

namespace espalier::testing {
namespace {

using Eigen::Vector3d;

ShapeView shape_view(std::uint32_t shape) {
    static const ExactBytes kBytes(shape_bytes());
    Asset asset;
    EXPECT_EQ(open(kBytes.data(), kBytes.size(), Verify::kFull, &asset), Status::kOk);
    ShapeView view;
    EXPECT_EQ(asset.shape(shape, &view), Status::kOk);
    return view;
}

TEST(BodyAtRest, HasEveryPartBehindItsParent) {
    HandParts parts;
    PartNode turned = hand_part(kNoIndex, kNoIndex, {1, 2, 3});
    turned.rotation[0] = turned.rotation[3] = std::sqrt(0.5);  // a quarter about z
    parts.add("frame", turned);
    parts.add("shape", hand_part(2, 0, {10, 0, 0}, Joint::kRevolute, {0, 0, 1}));
    const HandBody body(parts);
    EXPECT_EQ(body.body().part_count(), 2u);
    EXPECT_EQ(body.body().shaped_count(), 1u);
    Pose pose;
    ASSERT_EQ(body.body().pose(1, &pose), Status::kOk);
    EXPECT_TRUE(isometry(pose).translation().isApprox(Vector3d(1, 12, 3), 1e-12));
    ShapeView view;
    EXPECT_EQ(body.body().shape(0, &view), Status::kNoShape);
    ASSERT_EQ(body.body().shape(1, &view), Status::kOk);
    EXPECT_EQ(view.mesh.triangle_count, shape_view(2).mesh.triangle_count);
}

TEST(BodyBoxes, HoldEveryCornerOfEveryPart) {
    Draw draw(31);
    for (int repeat = 0; repeat < 30; ++repeat) {
        HandBody body(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(30))));
        body.bend(draw, random_place(draw, repeat % 3 == 2 ? 1e6 : 3));
        BroadBox all;
        if (body.body().box(&all) != Status::kOk) continue;
        for (std::uint32_t i = 0; i < body.body().part_count(); ++i) {
            ShapeView view;
            if (body.body().shape(i, &view) != Status::kOk) continue;
            BroadBox box;
            ASSERT_EQ(body.body().part_box(i, &box), Status::kOk);
            for (std::uint32_t v = 0; v < view.mesh.vertex_count; ++v) {
                const Vector3d p =
                    isometry(body.poses()[i]) *
                    (Eigen::Vector3f(view.mesh.positions + 3 * v).cast<double>() + Vector3d(view.origin));
                for (int k = 0; k < 3; ++k) {
                    ASSERT_GE(p[k], box.lo[k]);
                    ASSERT_LE(p[k], box.hi[k]);
                    ASSERT_GE(p[k], all.lo[k]);
                    ASSERT_LE(p[k], all.hi[k]);
                }
            }
        }
    }
}

TEST(BodyPairs, AreThoseOfTheFile) {
    Draw draw(32);
    const HandBody body(random_parts(draw, 12));
    std::size_t listed = 0;
    for (std::uint32_t a = 0; a < 14; ++a)
        for (std::uint32_t b = 0; b < 14; ++b) listed += body.body().pair_listed(a, b) ? 1 : 0;
    ASSERT_GT(body.parts().pairs.size(), 3u);
    EXPECT_EQ(listed, 2 * body.parts().pairs.size());
    for (const PartPair& pair : body.parts().pairs) {
        EXPECT_TRUE(body.body().pair_listed(pair.a, pair.b));
        EXPECT_TRUE(body.body().pair_listed(pair.b, pair.a));
    }
}

TEST(BodyPoses, ThatAreWrongChangeNothing) {
    Draw draw(33);
    HandBody hand(random_parts(draw, 5));
    Body& body = hand.body();
    const std::vector<Pose> good = hand.poses();
    const auto refused = [&](const std::vector<Pose>& poses) {
        EXPECT_EQ(body.set_poses(poses.data(), poses.size()), Status::kInvalidArgument);
        for (std::uint32_t i = 0; i < good.size(); ++i) {
            Pose now;
            EXPECT_EQ(body.pose(i, &now), Status::kOk);
            EXPECT_EQ(std::memcmp(&now, &good[i], sizeof(now)), 0);
        }
    };
    std::vector<Pose> poses = good;
    poses.pop_back();
    refused(poses);
    poses = good;
    poses.emplace_back();
    refused(poses);
    const auto with = [&](auto change) {
        std::vector<Pose> changed = good;
        for (Pose& pose : changed) pose.translation[0] += 1;
        change(changed[3]);
        refused(changed);
    };
    with([](Pose& pose) { pose.translation[1] = NAN; });
    with([](Pose& pose) { pose.translation[2] = 2e15; });
    with([](Pose& pose) { pose.rotation[0] = INFINITY; });
    with([](Pose& pose) { std::fill_n(pose.rotation, 4, 0.0); });
    with([](Pose& pose) { pose.scale[1] = 2; });
    EXPECT_EQ(body.set_poses(nullptr, good.size()), Status::kInvalidArgument);
}

TEST(BodyArguments, ThatAreWrongAreStatuses) {
    Draw draw(34);
    const HandBody hand(random_parts(draw, 3));
    const std::size_t size = Body::memory_size(hand.asset());
    BodyMemory memory(size);
    Body body;
    Pose pose;
    ShapeView view;
    BroadBox box;
    EXPECT_EQ(body.part_count(), 0u);
    EXPECT_EQ(body.set_poses(&pose, 0), Status::kInvalidArgument);
    EXPECT_EQ(body.rebuild(), Status::kInvalidArgument);
    EXPECT_EQ(body.pose(0, &pose), Status::kInvalidArgument);
    EXPECT_EQ(body.begin(hand.asset(), nullptr, size), Status::kInvalidArgument);
    EXPECT_EQ(body.begin(hand.asset(), memory.data(), size - 1), Status::kInvalidArgument);
    EXPECT_EQ(body.begin(hand.asset(), static_cast<char*>(memory.data()) + 8, size),
              Status::kInvalidArgument);
    EXPECT_EQ(body.begin(Asset(), memory.data(), size), Status::kInvalidArgument);
    EXPECT_EQ(Body::memory_size(Asset()), 0u);
    EXPECT_EQ(body.begin_part(ShapeView(), nullptr, 4096), Status::kInvalidArgument);
    ASSERT_EQ(body.begin(hand.asset(), memory.data(), size), Status::kOk);
    EXPECT_EQ(body.pose(3, &pose), Status::kInvalidArgument);
    EXPECT_EQ(body.pose(0, nullptr), Status::kInvalidArgument);
    EXPECT_EQ(body.shape(3, &view), Status::kInvalidArgument);
    EXPECT_EQ(body.part_box(3, &box), Status::kInvalidArgument);
    EXPECT_EQ(body.box(nullptr), Status::kInvalidArgument);
    ShapeView far = shape_view(0);
    far.origin[1] = 1e16;
    EXPECT_EQ(body.begin_part(far, memory.data(), size), Status::kInvalidArgument);
    far.origin[1] = NAN;
    EXPECT_EQ(body.begin_part(far, memory.data(), size), Status::kInvalidArgument);
    EXPECT_EQ(body.part_count(), 0u);
}

TEST(BodyQueries, OfBodiesThatCannotAnswerAreStatuses) {
    Draw draw(35);
    const HandBody hand(random_parts(draw, 3));
    static BodyCollide<AabbTreeView> collide;
    static BodyDistance<AabbTreeView> distance;
    Pose bad;
    bad.rotation[2] = NAN;
    EXPECT_EQ(collide.begin(hand.body(), Body()), Status::kInvalidArgument);
    EXPECT_EQ(collide.step(), Verdict::kUnresolved);
    EXPECT_EQ(collide.begin_self(Body()), Status::kInvalidArgument);
    EXPECT_EQ(collide.begin(hand.body(), hand.body(), bad), Status::kInvalidArgument);
    EXPECT_EQ(distance.begin(hand.body(), hand.body(), bad), Status::kInvalidArgument);
    EXPECT_EQ(distance.step(), Verdict::kUnresolved);
    DistanceGoal goal;
    goal.within = -1;
    EXPECT_EQ(distance.begin_self(hand.body(), goal), Status::kInvalidArgument);
    ShapeView bare = shape_view(1);
    bare.aabb = AabbTreeView();
    BodyMemory memory(Body::kPartMemory);
    Body part;
    ASSERT_EQ(part.begin_part(bare, memory.data(), memory.size()), Status::kOk);
    EXPECT_EQ(collide.begin(hand.body(), part), Status::kNoTree);
    EXPECT_EQ(distance.begin(part, part), Status::kNoTree);
    static BodyRayCast<AabbTreeView> ray;
    static BodyClosestPointQuery closest;
    static BodyInsideQuery inside;
    const double point[3] = {0, 0, 0}, nowhere[3] = {0, NAN, 0};
    Ray none;
    none.direction[2] = 0;
    EXPECT_EQ(ray.begin(part, Ray()), Status::kNoTree);
    EXPECT_EQ(ray.begin(Body(), Ray()), Status::kInvalidArgument);
    EXPECT_EQ(ray.begin(hand.body(), none), Status::kInvalidArgument);
    EXPECT_EQ(ray.step(), Verdict::kUnresolved);
    EXPECT_EQ(closest.begin(part, point), Status::kNoTree);
    EXPECT_EQ(closest.begin(hand.body(), nowhere), Status::kInvalidArgument);
    EXPECT_EQ(closest.begin(hand.body(), nullptr), Status::kInvalidArgument);
    EXPECT_EQ(closest.begin(hand.body(), point, -1), Status::kInvalidArgument);
    EXPECT_EQ(closest.step(), Verdict::kUnresolved);
    EXPECT_EQ(inside.begin(hand.body(), nowhere), Status::kInvalidArgument);
    ShapeView open = shape_view(1);
    open.closed = false;
    ASSERT_EQ(part.begin_part(open, memory.data(), memory.size()), Status::kOk);
    EXPECT_EQ(inside.begin(part, point), Status::kNotClosed);
    EXPECT_EQ(inside.step(), Verdict::kUnresolved);
}

TEST(BodyOfFrames, TouchesNothing) {
    HandParts parts;
    parts.add("frame", PartNode());
    const HandBody frames(parts);
    Draw draw(36);
    const HandBody other(random_parts(draw, 4));
    static BodyCollide<AabbTreeView> collide;
    ASSERT_EQ(collide.begin(frames.body(), other.body()), Status::kOk);
    EXPECT_EQ(collide.step(), Verdict::kDisjoint);
    static BodyDistance<AabbTreeView> distance;
    ASSERT_EQ(distance.begin(other.body(), frames.body()), Status::kOk);
    distance.step();
    EXPECT_TRUE(std::isinf(distance.lower()));
    BroadBox box;
    EXPECT_EQ(frames.body().box(&box), Status::kNoShape);
}

/// A body of one part at its own frame answers bit for bit as the part, after the same work.
TEST(BodyOfOnePart, AnswersAsThePartDoes) {
    Draw draw(37);
    BodyMemory memory_a(Body::kPartMemory), memory_b(Body::kPartMemory);
    static Collide<AabbTreeView> plain;
    static BodyCollide<AabbTreeView> whole;
    static Distance<AabbTreeView> plain_distance;
    static BodyDistance<AabbTreeView> whole_distance;
    for (int repeat = 0; repeat < 300; ++repeat) {
        const ShapeView view_a = shape_view(static_cast<std::uint32_t>(draw.below(10)));
        const ShapeView view_b = shape_view(static_cast<std::uint32_t>(draw.below(10)));
        Body a, b;
        ASSERT_EQ(a.begin_part(view_a, memory_a.data(), memory_a.size()), Status::kOk);
        ASSERT_EQ(b.begin_part(view_b, memory_b.data(), memory_b.size()), Status::kOk);
        const Pose pose = random_pose(draw, view_a, view_b, 1.2);
        ASSERT_EQ(plain.begin(view_a, view_b, pose), Status::kOk);
        ASSERT_EQ(whole.begin(a, b, pose), Status::kOk);
        ASSERT_EQ(plain.step(), whole.step());
        EXPECT_EQ(plain.counters().node_tests, whole.counters().node_tests);
        EXPECT_EQ(plain.counters().exact_tests, whole.counters().exact_tests);
        if (plain.verdict() == Verdict::kColliding)
            EXPECT_EQ(std::memcmp(&plain.contact(), &whole.contact().found, sizeof(Contact)), 0);
        ASSERT_EQ(plain_distance.begin(view_a, view_b, pose), Status::kOk);
        ASSERT_EQ(whole_distance.begin(a, b, pose), Status::kOk);
        plain_distance.step();
        whole_distance.step();
        EXPECT_EQ(plain_distance.upper(), whole_distance.upper());
        EXPECT_EQ(plain_distance.lower(), whole_distance.lower());
        EXPECT_EQ(plain_distance.counters().node_tests, whole_distance.counters().node_tests);
    }
}

TEST(BodyTree, OfManyPartsSparesMostOfThem) {
    Draw draw(38);
    HandParts parts;
    const std::uint32_t count = 500;
    for (std::uint32_t i = 0; i < count; ++i)
        parts.add(std::to_string(i), hand_part(i % 10, kNoIndex, {0, 0, 0}));
    HandBody many(parts);
    std::vector<Pose> poses;
    poses.reserve(count);
    for (std::uint32_t i = 0; i < count; ++i) poses.push_back(pose_of(random_place(draw, 30)));
    many.set(poses);
    HandParts single;
    single.add("one", hand_part(1, kNoIndex, {0, 0, 0}));
    HandBody one(single);
    static BodyDistance<AabbTreeView> query;
    std::uint64_t tests[2] = {0, 0};
    for (int rebuilt = 0; rebuilt < 2; ++rebuilt) {
        Draw places(39);
        for (int repeat = 0; repeat < 30; ++repeat) {
            const Pose pose = pose_of(random_place(places, 30));
            ASSERT_EQ(query.begin(many.body(), one.body(), pose), Status::kOk);
            query.step();
            EXPECT_NEAR(query.upper(), least_distance(pairs_between(many, one, pose)), 1e-9);
            tests[rebuilt] += query.counters().node_tests;
        }
        ASSERT_EQ(many.body().rebuild(), Status::kOk);
    }
    EXPECT_LT(tests[1], tests[0] / 2) << "a tree that was made where the parts are is better than an old one";
}

}  // namespace
}  // namespace espalier::testing
