// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/exact/models.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "tests/support/effort.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

constexpr std::size_t kMostSmall = 330;
constexpr std::uint64_t kLargePoses = 8;
/// Real meshes of the right size for the few large placements; each is another kind of surface.
constexpr const char* kLargeNames[] = {"anchor.off", "rotor.off", "hand.off", "elephant.off"};

TriangleMesh of_unit_size(TriangleMesh mesh) {
    Eigen::AlignedBox3f box;
    for (const Eigen::Vector3f& p : mesh.positions) box.extend(p);
    const float factor = std::exp2(-std::floor(std::log2(box.diagonal().norm())));
    for (Eigen::Vector3f& p : mesh.positions) p *= factor;
    return mesh;
}

std::unique_ptr<BakedMesh> bake(const std::string& name, const TriangleMesh& mesh, std::size_t index) {
    AabbTreeOptions aabb;
    aabb.leaf_triangles = 1 + static_cast<std::uint32_t>(index) % kMaxLeafTriangles;
    aabb.split = index % 3 == 2 ? AabbSplit::kMedian : AabbSplit::kBinned;
    BoxTreeOptions box;
    constexpr std::uint32_t kLeaves[] = {4, 1, 8, 3};
    constexpr BoxSplit kSplits[] = {BoxSplit::kBinned, BoxSplit::kVolume, BoxSplit::kLongest};
    box.leaf_triangles = kLeaves[index % 4];
    box.split = kSplits[index % 3];
    return std::make_unique<BakedMesh>(name, of_unit_size(mesh), aabb, Eigen::Vector3d::Zero(), &box);
}

/// Runs `check` and tells which model it was when it fails.
template <class Check>
bool passes(const std::string& what, Check check) {
    SCOPED_TRACE(what);
    check();
    return !::testing::Test::HasFailure();
}

}  // namespace

ExactModels::ExactModels(std::uint32_t triangles) {
    for (const NamedTriangles& m : ten_small_meshes(triangles))
        small.push_back(bake(m.name, m.mesh, small.size()));
    const std::filesystem::path folder = ESPALIER_MESHES_DIR;
    for (const std::string& name : real_mesh_names(folder)) {
        if (std::filesystem::file_size(folder / name) > 40000) continue;
        const SanitizedMesh clean = load_real_mesh(folder / name);
        if (clean.mesh.triangles.size() <= kMostSmall) small.push_back(bake(name, clean.mesh, small.size()));
    }
    for (const char* name : kLargeNames)
        large.push_back(bake(name, load_real_mesh(folder / name).mesh, large.size()));
}

void for_exact_poses(const ExactModels& models, std::uint64_t seed, double reach,
                     const std::function<void(const ShapeView&, const ShapeView&, const Pose&)>& check) {
    Draw draw(seed);
    const auto run = [&](const BakedMesh& a, const BakedMesh& b) {
        const Pose pose = random_pose(draw, a.part(), b.part(), reach);
        return passes(
            a.name() + " against " + b.name() + ", seed " + std::to_string(seed) + ", " + text_of(pose),
            [&] { check(a.part(), b.part(), pose); });
    };
    const std::uint64_t poses = effort(kExactPoses, kExactPoses / 200);
    for (std::uint64_t i = 0; i < poses; ++i) {
        const std::size_t first = i % models.small.size(), turn = i / models.small.size() % 2;
        if (!run(*models.small[first], *models.small[(first + turn) % models.small.size()])) return;
    }
    for (std::size_t m = 0; m < models.large.size(); ++m)
        for (std::uint64_t i = 0; i < effort(kLargePoses, 1); ++i)
            if (!run(*models.large[m], *models.large[(m + i % 2) % models.large.size()])) return;
}

void for_exact_parts(const ExactModels& models, std::uint64_t seed,
                     const std::function<void(const BakedMesh&, Draw&)>& check) {
    Draw draw(seed);
    const auto run = [&](const BakedMesh& mesh) {
        return passes(mesh.name() + ", seed " + std::to_string(seed), [&] { check(mesh, draw); });
    };
    const std::uint64_t poses = effort(kExactPoses, kExactPoses / 200);
    for (std::uint64_t i = 0; i < poses; ++i)
        if (!run(*models.small[i % models.small.size()])) return;
    for (const auto& mesh : models.large)
        for (std::uint64_t i = 0; i < effort(kLargePoses, 1); ++i)
            if (!run(*mesh)) return;
}

}  // namespace espalier::testing
