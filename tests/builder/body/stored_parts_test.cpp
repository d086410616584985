// SPDX-License-Identifier: GPL-3.0-or-later
// What a body's description must satisfy, and what is stored of it.
#include "builder/body/stored_parts.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace espalier::test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A base, an arm that turns and a finger that follows it; the shape is the base's and the finger's.
BodyDescription arm() {
    BodyDescription body;
    body.shapes.resize(1);
    body.shapes[0].name = std::string("block");
    body.parts.resize(3);
    for (std::uint32_t i = 0; i < 3; ++i)
        body.parts[i].name = std::string(i == 0 ? "part a" : i == 1 ? "part b" : "part c");
    body.parts[0].shape = body.parts[2].shape = 0;
    body.parts[1].parent = 0;
    body.parts[1].rotation = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized());
    body.parts[1].translation = {1, 2, 3};
    body.parts[1].joint = {Joint::kRevolute, "elbow", {0, 0, 1}, -1, 2, {}};
    body.parts[2].parent = 1;
    body.parts[2].joint = {Joint::kPrismatic, "part a", {0, 1, 0}, 0, kInfinity, BodyMimic{1, -0.5, 0.25}};
    body.pairs = {{2, 1, 0, 0, PairReason::kUser, 0, 0}, {1, 0, 100, 0.5F, PairReason::kAdjacent, 7, 9}};
    return body;
}

TEST(StoredParts, AreWhatTheDescriptionSays) {
    const Result<StoredParts> stored = stored_parts(arm());
    ASSERT_TRUE(stored) << stored.error().message;
    const std::vector<PartNode>& parts = stored.value().parts;
    ASSERT_EQ(parts.size(), 3u);
    EXPECT_EQ(stored.value().names, (std::vector<std::string>{"part a", "part b", "elbow", "part c"}));
    EXPECT_EQ(parts[2].joint_name, 0u) << "a joint may be called as a part is: one string";
    EXPECT_EQ(parts[0].joint_name, kNoIndex);
    EXPECT_EQ(parts[0].parent, kNoIndex);
    EXPECT_EQ(parts[1].shape, kNoIndex);
    EXPECT_EQ(parts[2].parent, 1u);
    EXPECT_DOUBLE_EQ(parts[1].rotation[0], std::cos(0.35));
    EXPECT_EQ(parts[1].translation[2], 3);
    EXPECT_EQ(parts[1].axis[2], 1);
    EXPECT_EQ(parts[1].lower, -1);
    EXPECT_EQ(parts[1].upper, 2);
    EXPECT_EQ(parts[2].mimic, 1u);
    EXPECT_EQ(parts[2].multiplier, -0.5);
    EXPECT_EQ(parts[2].offset, 0.25);
    EXPECT_EQ(parts[1].mimic, kNoIndex);
}

TEST(StoredParts, PairsAreSortedAndTheirUnusedBytesZero) {
    const std::vector<PartPair> pairs = stored_parts(arm()).value().pairs;
    ASSERT_EQ(pairs.size(), 2u);
    EXPECT_EQ(pairs[0].a, 0u);
    EXPECT_EQ(pairs[0].b, 1u);
    EXPECT_EQ(pairs[0].proved, 1);
    EXPECT_EQ(pairs[0].reserved, 0);
    EXPECT_EQ(pairs[0].share, 0.5F);
    EXPECT_EQ(pairs[1].a, 1u);
    EXPECT_EQ(pairs[1].b, 2u);
}

TEST(StoredParts, OnePartInTheBodysFrameNeedsNone) {
    BodyDescription body = arm();
    body.pairs.clear();
    body.parts.resize(1);
    body.parts[0].name = std::string("block");
    EXPECT_TRUE(stored_parts(body).value().parts.empty());
    body.parts[0].translation.x() = 1e-300;
    EXPECT_EQ(stored_parts(body).value().parts.size(), 1u) << "moved";
    body.parts[0].translation.x() = 0;
    body.parts[0].name = std::string("other");
    EXPECT_EQ(stored_parts(body).value().parts.size(), 1u) << "named apart from its shape";
}

struct Fault {
    std::string says;
    std::function<void(BodyDescription&)> make;
};

TEST(StoredParts, WhatNoReaderWouldTakeIsRefusedByPartAndReason) {
    const Fault faults[] = {
        {"the body has no shape", [](auto& b) { b.shapes.clear(); }},
        {"the body has no part", [](auto& b) { b.parts.clear(); }},
        {"shape 0: its name is no UTF-8", [](auto& b) { b.shapes[0].name = std::string("\xFF"); }},
        {"part 1: it has no name", [](auto& b) { b.parts[1].name.clear(); }},
        {"part 1 (a\xEF\xBF\xBD): the name is no UTF-8",
         [](auto& b) { b.parts[1].name = std::string("a\xC3"); }},
        {"part 2 (part a): the name 'part a' is there twice",
         [](auto& b) { b.parts[2].name = std::string("part a"); }},
        {"the joint's name 'elbow' is there twice",
         [](auto& b) { b.parts[2].joint.name = std::string("elbow"); }},
        {"the joint's name is no UTF-8", [](auto& b) { b.parts[2].joint.name = std::string("a\nb"); }},
        {"part 1 (part b): its parent, part 1, does not come before", [](auto& b) { b.parts[1].parent = 1; }},
        {"part 0 (part a): there is no shape 1", [](auto& b) { b.parts[0].shape = 1; }},
        {"its rotation has the length 2", [](auto& b) { b.parts[1].rotation.coeffs() *= 2; }},
        {"its rotation has the length nan", [](auto& b) { b.parts[1].rotation.x() = kNan; }},
        {"its translation is not finite", [](auto& b) { b.parts[2].translation.y() = kInfinity; }},
        {"the axis of its joint has the length 0, not 1", [](auto& b) { b.parts[1].joint.axis.setZero(); }},
        {"the length 1.0001, not 1", [](auto& b) { b.parts[1].joint.axis *= 1.0001; }},
        {"fixed and free joints have none", [](auto& b) { b.parts[0].joint.axis.x() = 1; }},
        {"limits of its joint, 3 to 2, are not in order", [](auto& b) { b.parts[1].joint.lower = 3; }},
        {"are not in order", [](auto& b) { b.parts[1].joint.upper = kNan; }},
        {"are not in order", [](auto& b) { b.parts[2].joint.lower = kInfinity; }},
        {"there is no part 3 whose joint", [](auto& b) { b.parts[2].joint.mimic->part = 3; }},
        {"only revolute, continuous and prismatic", [](auto& b) { b.parts[2].joint.mimic->part = 0; }},
        {"multiplier or offset", [](auto& b) { b.parts[2].joint.mimic->offset = kNan; }},
        {"has no end, or more than 64 of them",
         [](auto& b) {
             b.parts[1].joint.mimic = BodyMimic{2, 1, 0};
         }},
        {"names a part that is not there", [](auto& b) { b.pairs[0].a = 3; }},
        {"is one part", [](auto& b) { b.pairs[0].a = 1; }},
        {"share that is not from 0 to 1", [](auto& b) { b.pairs[0].share = 1.5F; }},
        {"1 and 2 is there twice", [](auto& b) { b.pairs[1] = {1, 2, 0, 0, PairReason::kNever, 0, 0}; }},
    };
    for (const Fault& fault : faults) {
        BodyDescription body = arm();
        fault.make(body);
        const Result<StoredParts> stored = stored_parts(body);
        ASSERT_FALSE(stored) << fault.says;
        EXPECT_EQ(stored.error().kind, ErrorKind::kInvalidInput) << fault.says;
        EXPECT_NE(stored.error().message.find(fault.says), std::string::npos) << stored.error().message;
    }
}

TEST(StoredParts, MorePartsThanTheLimitAreUnsupported) {
    BodyDescription body = arm();
    body.parts.resize(kMostParts + 1);
    EXPECT_EQ(stored_parts(body).error().kind, ErrorKind::kUnsupported);
}

TEST(StoredParts, AMimicChainOfTheLargestLengthIsTaken) {
    for (const std::uint32_t links : {kMaxMimicChain - 1, kMaxMimicChain}) {
        BodyDescription body = arm();
        body.pairs.clear();
        body.parts.resize(links + 1, body.parts[1]);
        for (std::uint32_t i = 0; i <= links; ++i) {
            body.parts[i] = body.parts[1];
            body.parts[i].parent = kNoIndex;
            body.parts[i].name = std::to_string(i);
            body.parts[i].joint.name.clear();
            if (i > 0) body.parts[i].joint.mimic = BodyMimic{i - 1, 1, 0};
        }
        EXPECT_EQ(stored_parts(body).ok(), links < kMaxMimicChain) << links;
    }
}

}  // namespace
}  // namespace espalier::test
