// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies of random joint trees over a few small shapes, with all four trees each, at random configurations;
// and what is true of them by brute force over the triangles of all parts.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "espalier/body.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/brute_force.h"
#include "tests/support/draw.h"
#include "tests/support/part_asset.h"

namespace espalier::testing {

/// Memory as a caller gives it.
class BodyMemory {
  public:
    explicit BodyMemory(std::size_t size) : size_(size), bytes_(new (std::align_val_t{16}) std::byte[size]) {}
    void* data() { return bytes_.get(); }
    std::size_t size() const { return size_; }

  private:
    struct Free {
        void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t{16}); }
    };
    std::size_t size_;
    std::unique_ptr<std::byte[], Free> bytes_;
};

/// An asset with these parts over the shapes of `shape_bytes`, and a body of it.
class HandBody {
  public:
    explicit HandBody(const HandParts& parts);
    HandBody(const HandBody&) = delete;
    HandBody& operator=(const HandBody&) = delete;

    const Asset& asset() const { return asset_; }
    Body& body() { return body_; }
    const Body& body() const { return body_; }
    const HandParts& parts() const { return parts_; }
    /// As they were set last.
    const std::vector<Pose>& poses() const { return poses_; }
    /// Sets them; throws when that fails.
    void set(const std::vector<Pose>& poses);
    /// Draws a value for every joint and sets the poses that follow from it, the body's base at `base`.
    void bend(Draw& draw, const Eigen::Isometry3d& base);

  private:
    HandParts parts_;
    ExactBytes bytes_;
    Asset asset_;
    BodyMemory memory_;
    Body body_;
    std::vector<Pose> poses_;
};

/// The bytes of an asset of ten small shapes, each with its own origin and all four trees.
const std::vector<std::uint8_t>& shape_bytes();

/// A joint tree of `count` parts: frames among them, every kind of joint, some pairs listed.
HandParts random_parts(Draw& draw, std::uint32_t count);

Eigen::Isometry3d isometry(const Pose& pose);
Pose pose_of(const Eigen::Isometry3d& isometry);
/// A place whose coordinates are up to `reach`, turned anyhow.
Eigen::Isometry3d random_place(Draw& draw, double reach);

/// Two parts of two bodies, or of one, that are to be tested, and where the second is in the first's frame.
struct PlacedPair {
    std::uint32_t a, b;
    ShapeView view_a, view_b;
    Pose pose;
};
/// All pairs of parts with shapes.
std::vector<PlacedPair> pairs_between(const HandBody& a, const HandBody& b, const Pose& pose);
/// The same of different parts of one body, without those that are listed.
std::vector<PlacedPair> pairs_within(const HandBody& body);

/// Whether balls about the two parts are farther apart than `distance`.
bool surely_beyond(const PlacedPair& pair, double distance);

/// The least distance over all pairs, by brute force; infinite without a pair.
double least_distance(const std::vector<PlacedPair>& pairs);

/// Calls `visit(a, b, pose, draw)` at `count` configurations of random joint trees, ten of each two; `pose`
/// is where B's frame is in A's. Ends at the first failure.
template <class Visit>
void at_configurations(std::uint64_t seed, std::uint64_t count, Visit visit) {
    Draw draw(seed);
    for (std::uint64_t number = 0; number < count;) {
        HandBody a(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(12))));
        HandBody b(random_parts(draw, 1 + static_cast<std::uint32_t>(draw.below(6))));
        for (int turn = 0; turn < 10 && number < count; ++turn, ++number) {
            a.bend(draw, random_place(draw, 1));
            b.bend(draw, random_place(draw, draw.coin() ? 2 : 6));
            const Pose pose = draw.coin() ? Pose() : pose_of(random_place(draw, 2));
            SCOPED_TRACE("seed " + std::to_string(seed) + ", configuration " + std::to_string(number));
            visit(a, b, pose, draw);
            if (::testing::Test::HasFailure()) return;
        }
    }
}

/// A fifth to three fifths of the configurations must touch, for a test that shows misses and false hits.
void expect_dense(const char* what, std::uint64_t touching, std::uint64_t count);

}  // namespace espalier::testing
