// SPDX-License-Identifier: GPL-3.0-or-later
// What the levels of the default method are like, seen from outside.
#include "builder/sphere/split/level_fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "builder/sphere/optimize/tuning.h"
#include "builder/sphere/sphere_tree.h"
#include "corpus/desk_lamp.h"
#include "tests/builder/sphere/shapes.h"
#include "tests/support/meshes.h"

namespace espalier {
namespace {

using Eigen::Vector3f;

SphereTree built(const TriangleMesh& mesh, std::uint32_t levels, std::uint32_t branch = 8,
                 SphereEffort effort = SphereEffort::kFast) {
    SphereTreeOptions options;
    options.levels = levels;
    options.branch = branch;
    options.effort = effort;
    Progress progress;
    Result<SphereTree> tree = build_sphere_tree(mesh, options, progress);
    EXPECT_TRUE(tree.ok()) << (tree.ok() ? "" : tree.error().message);
    return tree.ok() ? std::move(tree).value() : SphereTree{};
}

void expect_counts(const SphereTree& tree, std::uint32_t branch) {
    double most = 1.0;
    for (std::size_t l = 0; l < tree.levels.size(); ++l, most *= branch) {
        const SphereLevel& level = tree.levels[l];
        EXPECT_LE(level.count, most) << "level " << l;
        for (std::uint32_t s = level.first; s < level.first + level.count; ++s) {
            const bool last = l + 1 == tree.levels.size();
            EXPECT_GE(tree.spheres[s].child_count, last ? 0u : 1u) << "sphere " << s;
            EXPECT_LE(tree.spheres[s].child_count, last ? 0u : tuning::kMostChildren * branch)
                << "sphere " << s;
        }
    }
}

void expect_tighter_levels(const SphereTree& tree) {
    for (std::size_t l = 1; l < tree.levels.size(); ++l) {
        EXPECT_LE(tree.levels[l].error_max, tree.levels[l - 1].error_max) << "level " << l;
        EXPECT_LT(tree.levels[l].error_mean, tree.levels[l - 1].error_mean) << "level " << l;
        EXPECT_LT(tree.levels[l].outside_volume, tree.levels[l - 1].outside_volume) << "level " << l;
        EXPECT_LT(tree.levels[l].union_volume, tree.levels[l - 1].union_volume) << "level " << l;
    }
}

TEST(LevelFit, LevelsOfATorusKeepToTheirCountsAndGetTighter) {
    const SphereTree tree = built(shapes::torus(1.0, 0.35, 30, 16), 4);
    ASSERT_EQ(tree.levels.size(), 4u);
    expect_counts(tree, 8);
    expect_tighter_levels(tree);
}

TEST(LevelFit, LevelsOfADeskLampKeepToTheirCountsAndGetTighter) {
    const SphereTree tree = built(corpus::make_desk_lamp({12}), 4);
    ASSERT_EQ(tree.levels.size(), 4u);
    expect_counts(tree, 8);
    // There is use for nearly all that are allowed.
    EXPECT_EQ(tree.levels[1].count, 8u);
    EXPECT_GE(tree.levels[2].count, 60u);
    EXPECT_GE(tree.levels[3].count, 480u);
    expect_tighter_levels(tree);
}

/// Where two parents meet, what only one of them contains must not be left to a child of it that is far away.
TEST(LevelFit, NoSphereProtrudesMuchFartherThanTheOthers) {
    for (const char* name : {"hand.off", "femur.off"}) {
        const SphereTree tree =
            built(testing::load_real_mesh(std::filesystem::path(ESPALIER_MESHES_DIR) / name).mesh, 4, 8,
                  SphereEffort::kNormal);
        ASSERT_EQ(tree.levels.size(), 4u);
        for (std::size_t l = 1; l < tree.levels.size(); ++l)
            EXPECT_LT(tree.levels[l].error_max, 3.3 * tree.levels[l].error_mean) << name << " level " << l;
    }
}

/// Many spheres that fill a room together must not stay there because each of them alone gains nothing by
/// leaving it.
TEST(LevelFit, NarrowRoomIsLeftEmptyWhenThereAreSpheresEnoughForItsWalls) {
    // The room is 0.3 high: what fills it protrudes 0.15. The spheres of level 2 do.
    const TriangleMesh outside = shapes::box(Vector3f(0, 0, 0), Vector3f(1.4F, 1.2F, 0.5F));
    const TriangleMesh room = shapes::box(Vector3f(0.1F, 0.1F, 0.1F), Vector3f(1.3F, 1.1F, 0.4F));
    const SphereTree tree = built(shapes::joined(outside, shapes::inside_out(room)), 4);
    ASSERT_EQ(tree.levels.size(), 4u);
    EXPECT_GT(tree.levels[2].error_max, 0.1F);
    EXPECT_LT(tree.levels[3].error_max, 0.1F);
}

TEST(LevelFit, ChildrenGoToWhereTheyHelpMost) {
    // A small torus beside a large one needs fewer.
    TriangleMesh small = shapes::torus(0.2, 0.02, 16, 8);
    for (Vector3f& p : small.positions) p += Vector3f(2, 0, 0);
    const TriangleMesh mesh = shapes::joined(shapes::torus(1.0, 0.35, 30, 16), small);
    const SphereTree tree = built(mesh, 4, 4);
    expect_counts(tree, 4);
    std::uint32_t least = 99;
    std::uint32_t most = 0;
    for (std::uint32_t s = 0; s < tree.levels.back().first; ++s) {
        least = std::min(least, tree.spheres[s].child_count);
        most = std::max(most, tree.spheres[s].child_count);
    }
    EXPECT_GT(most, 4u);
    EXPECT_LT(least, 4u);
}

}  // namespace
}  // namespace espalier
