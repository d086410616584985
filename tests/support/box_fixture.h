// SPDX-License-Identifier: GPL-3.0-or-later
// Baked parts and random poses for the tests of box trees.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "builder/aabb/row.h"
#include "builder/asset/aligned_bytes.h"
#include "builder/asset/write_asset.h"
#include "builder/base/progress.h"
#include "builder/box/row.h"
#include "corpus/registry.h"
#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"
#include "runtime/src/format/checksum.h"
#include "runtime/src/pair/pair_frame.h"
#include "runtime/src/triangle/triangle_pair.h"
#include "tests/support/draw.h"

namespace espalier::test {

/// A serialized asset with one part and the views of it.
struct BakedBytes {
    std::unique_ptr<AlignedBytes> bytes;
    Asset asset;
    ShapeView part;
    Status status = Status::kOk;

    void open_bytes() {
        status = open(bytes->data(), bytes->size(), Verify::kFull, &asset);
        if (status == Status::kOk) status = asset.part(0, &part);
    }

    /// Makes the stored checksum that of the changed bytes. `asset` must still be the view of the old ones.
    void reseal() {
        const std::uint64_t old = asset.checksum();
        for (std::size_t at = 0; at + 8 <= bytes->size(); at += 8) {
            std::uint64_t word;
            std::memcpy(&word, bytes->data() + at, 8);
            if (word != old) continue;
            const std::uint64_t sum = checksum(bytes->data(), bytes->size(), at);
            std::memcpy(bytes->data() + at, &sum, 8);
            return;
        }
    }
};

inline BakedBytes bake_mesh(const TriangleMesh& mesh, const BoxTreeOptions& options, bool with_aabb = false) {
    AssetContents contents;
    BakedShape& part = contents.shapes.emplace_back();
    part.mesh = mesh;
    Progress progress;
    if (with_aabb) part.trees.push_back(built_tree(build_aabb_tree(mesh, AabbTreeOptions(), progress)));
    part.trees.push_back(built_tree(build_box_tree(mesh, options, progress)));
    BakedBytes baked;
    baked.bytes = std::make_unique<AlignedBytes>(write_asset(contents).value());
    baked.open_bytes();
    return baked;
}

/// Draws with the placements that these tests use.
class Draws : public espalier::testing::Draw {
  public:
    using Draw::Draw;

    /// A placement whose translation is within `max_offset` of the origin along each axis.
    Pose pose(double max_offset) {
        Pose pose;
        for (double& q : pose.rotation) q = between(-1, 1);
        for (double& t : pose.translation) t = between(-max_offset, max_offset);
        return pose;
    }
};

inline double diagonal(const ShapeView& part) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) squared += std::pow(double(part.hi[k]) - double(part.lo[k]), 2);
    return std::sqrt(squared);
}

/// First-contact queries in steps of one node test end as those in one step, at twenty placements of a part
/// against itself; a step does at most `visit` tests. `told` says what a query found.
template <class Collide, class Told>
void expect_small_steps_end_alike(const ShapeView& part, std::uint64_t seed, std::uint64_t visit, Told told) {
    Draws draws(seed);
    for (int i = 0; i < 20; ++i) {
        const Pose pose = draws.pose(0.5 * diagonal(part));
        Collide whole, pieces;
        ASSERT_EQ(whole.begin(part, part, pose), Status::kOk);
        ASSERT_EQ(pieces.begin(part, part, pose), Status::kOk);
        whole.step();
        Budget budget;
        budget.node_tests = 1;
        std::uint64_t before = 0;
        while (pieces.step(budget) == Verdict::kUnresolved) {
            EXPECT_LE(pieces.counters().node_tests, before + visit);
            before = pieces.counters().node_tests;
        }
        EXPECT_EQ(whole.verdict(), pieces.verdict());
        EXPECT_EQ(whole.counters().node_tests, pieces.counters().node_tests);
        if (whole.verdict() == Verdict::kColliding) EXPECT_EQ(told(whole), told(pieces));
    }
}

/// All intersecting triangle pairs, each tested exactly as the queries' last step does.
inline std::uint64_t brute_contacts(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    PairFrame frame;
    if (make_pair_frame(a, b, pose, &frame) != Status::kOk) return ~std::uint64_t{0};
    const auto corners = [](const MeshView& mesh, std::uint32_t triangle, auto place) {
        Triangle3 t;
        for (std::uint32_t c = 0; c < 3; ++c) place(mesh.corner(triangle, c), t.p[c]);
        return t;
    };
    std::vector<Triangle3> placed;
    for (std::uint32_t j = 0; j < b.mesh.triangle_count; ++j)
        placed.push_back(corners(b.mesh, j, [&](const float* p, double* out) { frame.place(p, out); }));
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < a.mesh.triangle_count; ++i) {
        const Triangle3 t = corners(a.mesh, i, [](const float* p, double* out) {
            for (int k = 0; k < 3; ++k) out[k] = double(p[k]);
        });
        for (const Triangle3& other : placed) count += triangles_intersect(t, other);
    }
    return count;
}

}  // namespace espalier::test
