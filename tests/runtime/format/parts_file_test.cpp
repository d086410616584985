// SPDX-License-Identifier: GPL-3.0-or-later
// Parts, names and pairs of a file: read as they were stored, as flatc's reader sees them, and refused by a
// full verification when one of the rules of FORMAT.md is broken.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "builder/asset/write_asset.h"
#include "espalier_generated.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/part_asset.h"

namespace espalier::testing {
namespace {

/// Two shapes: a box and a torus.
const std::vector<std::uint8_t>& two_shapes() {
    static const std::vector<std::uint8_t> bytes = [] {
        AssetContents contents;
        for (const NamedTriangles& mesh : {ten_small_meshes(12)[0], ten_small_meshes(60)[1]}) {
            BakedShape& shape = contents.shapes.emplace_back();
            shape.name = "shape of " + mesh.name;
            shape.mesh = mesh.mesh;
        }
        return write_asset(contents).value();
    }();
    return bytes;
}

/// A frame, three placed shapes on three kinds of joints, one that follows another, two pairs.
HandParts good_parts() {
    HandParts hand;
    hand.add("base", PartNode());
    PartNode arm = hand_part(0, 0, {1, 2, 3}, Joint::kRevolute, {0, 3, 4});
    arm.lower = -1;
    arm.upper = 2;
    arm.rotation[0] = 0.6;
    arm.rotation[2] = -0.8;
    hand.add("arm", arm);
    hand.add("slider", hand_part(1, 1, {0, 0, 1}, Joint::kPrismatic, {1, 0, 0}));
    PartNode finger = hand_part(1, 2, {0, 1, 0}, Joint::kContinuous, {0, 0, 1});
    finger.mimic = 2;
    finger.multiplier = -0.5;
    finger.offset = 0.25;
    finger.joint_name = static_cast<std::uint32_t>(hand.names.size());
    hand.names.push_back("finger joint");
    hand.add("finger", finger);
    hand.add("cargo", hand_part(0, kNoIndex, {5, 0, 0}, Joint::kFree));
    PartPair adjacent;
    adjacent.a = 1;
    adjacent.b = 2;
    PartPair never;
    never.a = 1;
    never.b = 3;
    never.samples = 1000;
    never.share = 0.5F;
    never.reason = PairReason::kNever;
    never.proved = 1;
    hand.pairs = {adjacent, never};
    return hand;
}

Status opened(const HandParts& parts, Verify verify = Verify::kFull) {
    const ExactBytes bytes(with_parts(two_shapes(), parts));
    Asset asset;
    return open(bytes.data(), bytes.size(), verify, &asset);
}

TEST(PartsOfAFile, AreReadAsTheyWereStored) {
    const HandParts hand = good_parts();
    const ExactBytes bytes(with_parts(two_shapes(), hand));
    Asset asset;
    ASSERT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk);
    ASSERT_EQ(asset.part_count(), 5u);
    EXPECT_EQ(asset.shape_count(), 2u);
    EXPECT_EQ(asset.name_count(), 6u);
    EXPECT_TRUE(asset.has_parts());
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartNode node;
        ASSERT_EQ(asset.part_node(i, &node), Status::kOk);
        EXPECT_EQ(std::memcmp(&node, &hand.parts[i], sizeof(node)), 0) << i;
        EXPECT_EQ(asset.part_name(i), hand.names[hand.parts[i].name]);
    }
    EXPECT_STREQ(asset.name(3), "finger joint");
    ASSERT_EQ(asset.pair_count(), 2u);
    EXPECT_EQ(std::memcmp(asset.pairs(), hand.pairs.data(), 2 * sizeof(PartPair)), 0);
    PartNode none;
    EXPECT_EQ(asset.part_node(5, &none), Status::kInvalidArgument);
    EXPECT_EQ(asset.part_node(0, nullptr), Status::kInvalidArgument);
    EXPECT_STREQ(asset.name(6), "");
    EXPECT_STREQ(asset.part_name(5), "");
}

TEST(PartsOfAFile, AreWhatFlatcsReaderSees) {
    const HandParts hand = good_parts();
    const ExactBytes bytes(with_parts(two_shapes(), hand));
    flatbuffers::Verifier verifier(bytes.data(), bytes.size());
    ASSERT_TRUE(schema::VerifyAssetBuffer(verifier));
    const schema::Asset* theirs = schema::GetAsset(bytes.data());
    ASSERT_EQ(theirs->parts()->size(), 5u);
    const schema::Part* finger = theirs->parts()->Get(3);
    EXPECT_EQ(finger->mimic(), 2u);
    EXPECT_EQ(finger->multiplier(), -0.5);
    EXPECT_EQ(finger->offset(), 0.25);
    EXPECT_EQ(finger->joint(), 2);
    EXPECT_EQ(finger->axis().z(), 1);
    EXPECT_EQ(finger->parent(), 2u);
    EXPECT_EQ(finger->shape(), 1u);
    EXPECT_EQ(theirs->parts()->Get(1)->rotation()->Get(2), -0.8);
    EXPECT_EQ(theirs->parts()->Get(1)->translation().y(), 2);
    EXPECT_EQ(theirs->parts()->Get(1)->lower(), -1);
    EXPECT_EQ(theirs->parts()->Get(1)->upper(), 2);
    EXPECT_EQ(theirs->names()->Get(finger->joint_name())->str(), "finger joint");
    EXPECT_EQ(theirs->names()->Get(finger->name())->str(), "finger");
    const schema::PartPair* pair = theirs->pairs()->Get(1);
    EXPECT_EQ(pair->b(), 3u);
    EXPECT_EQ(pair->samples(), 1000u);
    EXPECT_EQ(pair->share(), 0.5F);
    EXPECT_EQ(pair->reason(), 3);
    EXPECT_TRUE(pair->proved());
}

TEST(PartsOfAFile, APartsShapeIsSeenUnderThePartsName) {
    const ExactBytes bytes(with_parts(two_shapes(), good_parts()));
    Asset asset;
    ASSERT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk);
    ShapeView view, shape;
    ASSERT_EQ(asset.part(3, &view), Status::kOk);
    ASSERT_EQ(asset.shape(1, &shape), Status::kOk);
    EXPECT_STREQ(view.name, "finger");
    EXPECT_STREQ(shape.name, "shape of torus");
    EXPECT_EQ(view.mesh.positions, shape.mesh.positions);
    EXPECT_EQ(asset.part(0, &view), Status::kNoShape);
    EXPECT_EQ(asset.part(5, &view), Status::kInvalidArgument);
    EXPECT_EQ(asset.shape(2, &view), Status::kInvalidArgument);
}

/// A file without parts of its own, as all of 1.x are.
TEST(PartsOfAFile, WithoutThemEveryShapeIsAPartAtRest) {
    const ExactBytes bytes(two_shapes());
    Asset asset;
    ASSERT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk);
    EXPECT_FALSE(asset.has_parts());
    ASSERT_EQ(asset.part_count(), 2u);
    for (std::uint32_t i = 0; i < 2; ++i) {
        PartNode node;
        ASSERT_EQ(asset.part_node(i, &node), Status::kOk);
        EXPECT_EQ(node.shape, i);
        EXPECT_EQ(node.parent, kNoIndex);
        EXPECT_EQ(node.joint, Joint::kFixed);
        EXPECT_EQ(node.rotation[0], 1);
        ShapeView view;
        ASSERT_EQ(asset.part(i, &view), Status::kOk);
        EXPECT_STREQ(asset.part_name(i), view.name);
    }
    EXPECT_EQ(asset.pair_count(), 0u);
}

/// What 1.x has no ids for is not looked at in its files.
TEST(PartsOfAFile, AFileOfAnOlderMajorVersionHasShapesOnly) {
    std::vector<std::uint8_t> old = with_parts(two_shapes(), good_parts());
    const auto* header = reinterpret_cast<const std::uint8_t*>(schema::GetAsset(old.data())->header());
    old[static_cast<std::size_t>(header - old.data())] = 1;
    repair_checksum(old);
    const ExactBytes bytes(old);
    Asset asset;
    ASSERT_EQ(open(bytes.data(), bytes.size(), Verify::kFull, &asset), Status::kOk);
    EXPECT_EQ(asset.version_major(), 1);
    EXPECT_EQ(asset.part_count(), 2u);
    EXPECT_FALSE(asset.has_parts());
    EXPECT_EQ(asset.pair_count(), 0u);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Fault {
    const char* what;
    std::function<void(HandParts&)> make;
};

const Fault kFaults[] = {
    {"a parent that is the part itself", [](HandParts& h) { h.parts[1].parent = 1; }},
    {"a parent behind its child", [](HandParts& h) { h.parts[1].parent = 2; }},
    {"a parent that does not exist", [](HandParts& h) { h.parts[4].parent = 77; }},
    {"a shape that does not exist", [](HandParts& h) { h.parts[1].shape = 2; }},
    {"a name that does not exist", [](HandParts& h) { h.parts[1].name = 6; }},
    {"a joint's name that does not exist", [](HandParts& h) { h.parts[1].joint_name = 6; }},
    {"a rotation that is not unit", [](HandParts& h) { h.parts[1].rotation[0] += 1e-9; }},
    {"a rotation of zero", [](HandParts& h) { h.parts[0].rotation[0] = 0; }},
    {"a rotation that is not a number", [](HandParts& h) { h.parts[1].rotation[3] = kNan; }},
    {"an infinite translation", [](HandParts& h) { h.parts[1].translation[1] = kInfinity; }},
    {"an axis that is not unit", [](HandParts& h) { h.parts[1].axis[0] = 1e-4; }},
    {"an axis of zero", [](HandParts& h) { h.parts[2].axis[0] = 0; }},
    {"an axis that is not a number", [](HandParts& h) { h.parts[2].axis[0] = kNan; }},
    {"an axis of a fixed joint", [](HandParts& h) { h.parts[0].axis[2] = 1; }},
    {
        "an axis of a free joint",
        [](HandParts& h) { h.parts[4].axis[2] = 1e-200; },
    },
    {"limits out of order", [](HandParts& h) { h.parts[1].lower = 2.5; }},
    {"a limit that is not a number", [](HandParts& h) { h.parts[1].upper = kNan; }},
    {"limits above all numbers", [](HandParts& h) { h.parts[1].lower = h.parts[1].upper = kInfinity; }},
    {"limits below all numbers", [](HandParts& h) { h.parts[1].lower = h.parts[1].upper = -kInfinity; }},
    {"an infinite multiplier", [](HandParts& h) { h.parts[3].multiplier = kInfinity; }},
    {"an offset that is not a number", [](HandParts& h) { h.parts[3].offset = kNan; }},
    {"a multiplier of a joint that follows none", [](HandParts& h) { h.parts[2].multiplier = 2; }},
    {"an offset of a joint that follows none", [](HandParts& h) { h.parts[2].offset = 1; }},
    {"following a part that does not exist", [](HandParts& h) { h.parts[3].mimic = 5; }},
    {"following itself", [](HandParts& h) { h.parts[3].mimic = 3; }},
    {"following each other", [](HandParts& h) { h.parts[2].mimic = 3; }},
    {"following a fixed joint", [](HandParts& h) { h.parts[3].mimic = 0; }},
    {"following a free joint", [](HandParts& h) { h.parts[3].mimic = 4; }},
    {"a free joint that follows", [](HandParts& h) { h.parts[4].mimic = 2; }},
    {"an unknown joint", [](HandParts& h) { h.parts[4].joint = Joint(5); }},
    {"reserved bytes", [](HandParts& h) { h.parts[4].reserved[2] = 1; }},
    {"a pair out of range", [](HandParts& h) { h.pairs[1].b = 5; }},
    {"a pair in the wrong order", [](HandParts& h) { std::swap(h.pairs[1].a, h.pairs[1].b); }},
    {"a pair of a part with itself", [](HandParts& h) { h.pairs[1].b = 1; }},
    {"a pair twice", [](HandParts& h) { h.pairs[1].b = 2; }},
    {"pairs that are not sorted", [](HandParts& h) { std::swap(h.pairs[0], h.pairs[1]); }},
    {"a share above 1", [](HandParts& h) { h.pairs[1].share = 1.5F; }},
    {"a share that is not a number", [](HandParts& h) { h.pairs[1].share = std::nanf(""); }},
    {"an unknown reason", [](HandParts& h) { h.pairs[1].reason = PairReason(5); }},
    {"proved neither yes nor no", [](HandParts& h) { h.pairs[1].proved = 2; }},
    {"reserved bytes of a pair", [](HandParts& h) { h.pairs[1].reserved = 1; }},
};

TEST(PartsOfAFile, EveryBrokenRuleIsRefused) {
    ASSERT_EQ(opened(good_parts()), Status::kOk);
    for (const Fault& fault : kFaults) {
        HandParts parts = good_parts();
        fault.make(parts);
        EXPECT_EQ(opened(parts), Status::kCorruptParts) << fault.what;
    }
}

TEST(PartsOfAFile, PartsWithoutNamesAreRefused) {
    HandParts parts = good_parts();
    parts.names.clear();
    EXPECT_EQ(opened(parts), Status::kCorrupt);
    EXPECT_EQ(opened(parts, Verify::kNone), Status::kCorrupt);
}

TEST(PartsOfAFile, AChainOfJointsThatFollowMayBeSoLongAndNoLonger) {
    for (const std::uint32_t links : {kMaxMimicChain - 1, kMaxMimicChain}) {
        HandParts parts;
        for (std::uint32_t i = 0; i <= links; ++i) {
            PartNode part = hand_part(kNoIndex, kNoIndex, {0, 0, 0}, Joint::kContinuous, {1, 0, 0});
            part.mimic = i == links ? kNoIndex : i + 1;
            parts.add("part" + std::to_string(i), part);
        }
        EXPECT_EQ(opened(parts), links < kMaxMimicChain ? Status::kOk : Status::kCorruptParts) << links;
    }
}

TEST(PartsOfAFile, ANameWithoutItsEndIsRefused) {
    const std::vector<std::uint8_t> good = with_parts(two_shapes(), good_parts());
    const auto* name = schema::GetAsset(good.data())->names()->Get(4);
    const auto end =
        static_cast<std::size_t>(name->c_str() - reinterpret_cast<const char*>(good.data())) + name->size();
    for (const bool broken : {false, true}) {
        std::vector<std::uint8_t> bytes = good;
        if (broken) bytes[end] = 'x';
        repair_checksum(bytes);
        const ExactBytes copy(bytes);
        Asset asset;
        EXPECT_EQ(open(copy.data(), copy.size(), Verify::kFull, &asset),
                  broken ? Status::kCorrupt : Status::kOk);
    }
}

}  // namespace
}  // namespace espalier::testing
