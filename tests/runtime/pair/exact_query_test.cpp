// SPDX-License-Identifier: GPL-3.0-or-later
// Contact queries against CGAL's exact predicates on exactly placed meshes: no pair missed that penetrates by
// more than 1e-6 of the diagonal, none reported that is farther apart than that.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "espalier/collide.h"
#include "tests/runtime/pair/query_answers.h"
#include "tests/support/effort.h"
#include "tests/support/exact.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

constexpr std::uint64_t kSeed = 40;
constexpr double kPromise = 1e-6;

struct Tally {
    std::uint64_t poses = 0, colliding = 0, pairs = 0, differing = 0;
    double worst = 0;  // of the differing pairs: gap or penetration, as a fraction of the diagonal
};

/// Compares the query's pairs with the exact ones; those that differ must lie within rounding.
void compare(const BakedMesh& a, const BakedMesh& b, const Pose& pose, Tally& tally) {
    const double diagonal = std::min(a.diagonal(), b.diagonal());
    const std::vector<TrianglePair> exact = exact_mesh_contacts(a.part(), b.part(), pose);
    const std::vector<TrianglePair> found = all_contacts(a.part(), b.part(), pose, Overlap::kSatLite);
    const BruteForce placed(a.part(), b.part(), pose);
    std::vector<TrianglePair> missed, invented;
    std::set_difference(exact.begin(), exact.end(), found.begin(), found.end(), std::back_inserter(missed));
    std::set_difference(found.begin(), found.end(), exact.begin(), exact.end(), std::back_inserter(invented));
    for (const auto& [i, j] : missed) {
        const double depth = penetration_bound(placed.a(i), placed.b(j)) / diagonal;
        tally.worst = std::max(tally.worst, depth);
        ASSERT_LE(depth, kPromise) << "missed pair " << i << ", " << j << " at " << text_of(pose);
    }
    for (const auto& [i, j] : invented) {
        const double gap = exact_distance(placed.a(i), placed.b(j)) / diagonal;
        tally.worst = std::max(tally.worst, gap);
        ASSERT_LE(gap, kPromise) << "invented pair " << i << ", " << j << " at " << text_of(pose);
    }
    Collide<AabbTreeView, Overlap::kSat> first;
    ASSERT_EQ(first.begin(a.part(), b.part(), pose), Status::kOk);
    ASSERT_EQ(first.step() == Verdict::kColliding, !found.empty()) << text_of(pose);
    ++tally.poses;
    tally.colliding += !exact.empty();
    tally.pairs += exact.size();
    tally.differing += missed.size() + invented.size();
}

void report(const std::string& name, const Tally& t) {
    std::printf("  %s: %llu poses, %llu colliding, %llu pairs, %llu differ by at most %.3g of the diagonal\n",
                name.c_str(), static_cast<unsigned long long>(t.poses),
                static_cast<unsigned long long>(t.colliding), static_cast<unsigned long long>(t.pairs),
                static_cast<unsigned long long>(t.differing), t.worst);
}

TEST(ExactQuery, TenMeshesAtRandomPoses) {
    Draw draw(kSeed);
    for (const NamedTriangles& source : ten_small_meshes(120)) {
        const BakedMesh mesh(source.name, source.mesh);
        SCOPED_TRACE(source.name + " seed " + std::to_string(kSeed));
        Tally tally;
        for (std::uint64_t i = 0; i < effort(100, 3); ++i)
            ASSERT_NO_FATAL_FAILURE(compare(mesh, mesh, random_pose(draw, mesh.part(), mesh.part()), tally));
        report(source.name, tally);
    }
}

TEST(ExactQuery, TenMeshesThatJustTouch) {
    Draw draw(kSeed + 1);
    for (const NamedTriangles& source : ten_small_meshes(120)) {
        const BakedMesh mesh(source.name, source.mesh);
        SCOPED_TRACE(source.name + " seed " + std::to_string(kSeed + 1));
        Tally tally;
        for (std::uint64_t i = 0; i < effort(12, 1); ++i) {
            const Touching touching = find_touching(draw, mesh.part(), mesh.part());
            for (const double offset : {0.0, 1e-15, 1e-12, 1e-9, 2e-6, -1e-15, -1e-12, -1e-9, -2e-6})
                ASSERT_NO_FATAL_FAILURE(compare(mesh, mesh, touching.at(offset * mesh.diagonal()), tally));
        }
        report(source.name, tally);
    }
}

TEST(ExactQuery, MeshesFarFromTheOriginAndOfOtherSizes) {
    Draw draw(kSeed + 2);
    const std::vector<NamedTriangles> sources = ten_small_meshes(120);
    for (const double size : {1e-6, 1.0, 1e6})
        for (const double far : {0.0, 1e3, 1e7}) {
            TriangleMesh small = sources[1].mesh, other = sources[5].mesh;
            for (TriangleMesh* mesh : {&small, &other})
                for (Eigen::Vector3f& p : mesh->positions) p *= static_cast<float>(size);
            // Origins as sanitize subtracts them: far against the size of the mesh.
            const BakedMesh a("a", small, {}, Eigen::Vector3d(far, -2 * far, far / 3) * size);
            const BakedMesh b("b", other, {}, Eigen::Vector3d(-far, far / 7, far) * size);
            Tally tally;
            for (std::uint64_t i = 0; i < effort(20, 1); ++i) {
                ASSERT_NO_FATAL_FAILURE(compare(a, b, random_pose(draw, a.part(), b.part()), tally));
                const Touching touching = find_touching(draw, a.part(), b.part());
                for (const double offset : {2e-6, -2e-6})
                    ASSERT_NO_FATAL_FAILURE(compare(a, b, touching.at(offset * a.diagonal()), tally));
            }
            char name[80];
            std::snprintf(name, sizeof(name), "size %g, %g sizes from the origin", size, far);
            report(name, tally);
        }
}

TEST(ExactQuery, ScaledPoses) {
    Draw draw(kSeed + 3);
    const std::vector<NamedTriangles> sources = ten_small_meshes(120);
    const BakedMesh a(sources[2].name, sources[2].mesh), b(sources[8].name, sources[8].mesh);
    Tally tally;
    for (std::uint64_t i = 0; i < effort(150, 5); ++i) {
        Pose pose = random_pose(draw, a.part(), b.part());
        for (double& scale : pose.scale) scale = draw.power_of_two(-2, 2) * (draw.below(4) == 0 ? -1 : 1);
        ASSERT_NO_FATAL_FAILURE(compare(a, b, pose, tally));
    }
    report("scaled", tally);
}

}  // namespace
}  // namespace espalier::testing
