// SPDX-License-Identifier: GPL-3.0-or-later
// Refit: conservative after any deformation, and queries on the refitted tree equal those on a rebuilt one.
#include "espalier/refit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "espalier/contacts.h"
#include "runtime/src/aabb/codec.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/brute_force.h"
#include "tests/support/effort.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

constexpr std::uint64_t kSeed = 0x4ef17;

struct Refitted {
    std::vector<float> positions;
    std::vector<AabbNode> nodes;
    std::vector<double> scratch;
    ShapeView part;

    /// Positions drawn from the part's by `deform(point)`.
    template <class Deform>
    Refitted(const ShapeView& source, Deform deform)
        : nodes(source.aabb.node_count + 1), scratch(refit_scratch_size(source) / sizeof(double) + 4) {
        for (std::uint32_t v = 0; v < source.mesh.vertex_count; ++v) {
            const float* p = source.mesh.positions + 3 * v;
            const Eigen::Vector3d moved = deform(Eigen::Vector3d(p[0], p[1], p[2]));
            for (int k = 0; k < 3; ++k) positions.push_back(static_cast<float>(moved[k]));
        }
        const Status status = refit(source, positions.data(), aligned(nodes.data()), aligned(scratch.data()),
                                    refit_scratch_size(source), &part);
        if (status != Status::kOk) throw std::runtime_error(status_text(status));
    }

    template <class T>
    static T* aligned(T* p) {
        return reinterpret_cast<T*>((reinterpret_cast<std::uintptr_t>(p) + 15) & ~std::uintptr_t{15});
    }
};

Eigen::Vector3d twist(const Eigen::Vector3d& p) {
    const double angle = 0.8 * p.z();
    return {p.x() * std::cos(angle) - p.y() * std::sin(angle),
            p.x() * std::sin(angle) + p.y() * std::cos(angle), 1.2 * p.z() + 0.1};
}

/// Checks each triangle against every volume above it; recursion is bounded by the tree's depth.
void expect_contained(const ShapeView& part, std::uint32_t index, std::vector<AabbVolume>& path) {
    const AabbNode& node = part.aabb.nodes[index];
    for (unsigned lane = 0; lane < 4; ++lane) {
        const ChildPlace child = place_of_child(node, lane);
        if (child.kind == kChildNone) continue;
        path.push_back(decode_child(node, path.back(), lane));
        if (child.kind == kChildInner) {
            expect_contained(part, child.first, path);
        } else {
            for (std::uint32_t i = 0; i < child.kind; ++i)
                for (std::uint32_t c = 0; c < 3; ++c)
                    for (const AabbVolume& v : path) {
                        const float* p = part.mesh.corner(part.aabb.triangle_at(child.first + i), c);
                        double along = 0, d2 = 0, r2 = 0;
                        for (int k = 0; k < 3; ++k) {
                            ASSERT_LE(v.lo[k], p[k]);
                            ASSERT_GE(v.hi[k], p[k]);
                            const double d = double(p[k]) - double((v.lo[k] + v.hi[k]) * 0.5F);
                            along += d * double(v.normal[k]);
                            d2 += d * d;
                            r2 += double(v.hi[k] - v.lo[k]) * double(v.hi[k] - v.lo[k]) / 4;
                        }
                        const double slack = 1e-6 * std::sqrt(r2);
                        ASSERT_GE(along, double(v.slab_lo) - slack);
                        ASSERT_LE(along, double(v.slab_hi) + slack);
                        ASSERT_LE(std::sqrt(std::max(d2 - along * along, 0.0)), double(v.radius) + 2 * slack);
                    }
        }
        path.pop_back();
    }
}

TEST(Refit, VolumesContainTheDeformedTriangles) {
    Draw draw(kSeed);
    for (const NamedTriangles& named : ten_small_meshes(2000)) {
        const BakedMesh mesh(named.name, named.mesh);
        SCOPED_TRACE(named.name);
        const Refitted twisted(mesh.part(), twist);
        std::vector<AabbVolume> path = {root_volume(twisted.part.aabb)};
        expect_contained(twisted.part, 0, path);
        // Noise tears the mesh apart: the worst case for a kept shape.
        const Refitted noisy(
            mesh.part(), [&](const Eigen::Vector3d& p) { return Eigen::Vector3d(p + 0.3 * draw.in_cube()); });
        path = {root_volume(noisy.part.aabb)};
        expect_contained(noisy.part, 0, path);
    }
}

TEST(Refit, UnchangedPositionsKeepTheBoxes) {
    const BakedMesh mesh("soup", random_soup(7, 500));
    const Refitted same(mesh.part(), [](const Eigen::Vector3d& p) { return p; });
    for (std::uint32_t i = 0; i < mesh.part().aabb.node_count; ++i)
        for (int k = 0; k < 12; ++k) {
            ASSERT_EQ(same.part.aabb.nodes[i].lo[k], mesh.part().aabb.nodes[i].lo[k]);
            ASSERT_EQ(same.part.aabb.nodes[i].hi[k], mesh.part().aabb.nodes[i].hi[k]);
        }
}

TEST(Refit, QueriesEqualBruteForceOnTheDeformedMesh) {
    Draw draw(kSeed);
    std::uint64_t hits = 0;
    for (const NamedTriangles& named : ten_small_meshes(150)) {
        const BakedMesh mesh(named.name, named.mesh);
        const Refitted twisted(mesh.part(), twist);
        for (std::uint64_t i = 0; i < effort(100, 5); ++i) {
            const Pose pose = random_pose(draw, twisted.part, mesh.part());
            SCOPED_TRACE(named.name + ", seed " + std::to_string(kSeed) + ", " + text_of(pose));
            const std::size_t expected = BruteForce(twisted.part, mesh.part(), pose).near_contacts().size();
            static Contacts<AabbTreeView> all;
            ASSERT_EQ(all.begin(twisted.part, mesh.part(), pose, nullptr, 0), Status::kOk);
            all.step();
            ASSERT_EQ(all.count(), expected);
            hits += expected > 0;
        }
    }
    EXPECT_GT(hits, 0u);
}

TEST(Refit, RefusesMissingMemoryAndPositionsThatAreNotFinite) {
    const BakedMesh mesh("soup", random_soup(9, 50));
    const ShapeView& part = mesh.part();
    std::vector<float> positions(part.mesh.positions, part.mesh.positions + 3 * part.mesh.vertex_count);
    std::vector<AabbNode> nodes(part.aabb.node_count + 1);
    std::vector<double> scratch(refit_scratch_size(part) / sizeof(double) + 4);
    ShapeView refitted;
    AabbNode* out = Refitted::aligned(nodes.data());
    double* work = Refitted::aligned(scratch.data());
    EXPECT_EQ(refit(part, positions.data(), out, work, refit_scratch_size(part) - 1, &refitted),
              Status::kBufferFull);
    EXPECT_EQ(refit(part, nullptr, out, work, refit_scratch_size(part), &refitted), Status::kInvalidArgument);
    positions[4] = 1e20F;
    EXPECT_EQ(refit(part, positions.data(), out, work, refit_scratch_size(part), &refitted),
              Status::kInvalidArgument);
    positions[4] = NAN;
    EXPECT_EQ(refit(part, positions.data(), out, work, refit_scratch_size(part), &refitted),
              Status::kInvalidArgument);
    EXPECT_EQ(refitted.aabb.nodes, nullptr);
}

}  // namespace
}  // namespace espalier::testing
