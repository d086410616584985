// SPDX-License-Identifier: GPL-3.0-or-later
// How many spheres a level has, and what an effort changes.
#include <gtest/gtest.h>

#include <set>

#include "builder/sphere/optimize/sphere_fit.h"
#include "builder/sphere/optimize/tuning.h"
#include "builder/sphere/sphere_tree.h"
#include "corpus/icosphere.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

SphereTree built(const TriangleMesh& mesh, const SphereTreeOptions& options) {
    Progress progress;
    Result<SphereTree> tree = build_sphere_tree(mesh, options, progress);
    EXPECT_TRUE(tree.ok()) << (tree.ok() ? "" : tree.error().message);
    return tree.ok() ? std::move(tree).value() : SphereTree{};
}

TEST(SphereCounts, AFlatSetHasAsManyAsAskedForWhateverTheLevelsAre) {
    SphereTreeOptions options;
    options.spheres = 20;
    options.levels = 4;
    options.effort = SphereEffort::kFast;
    for (const SphereMethod method : {SphereMethod::kBest, SphereMethod::kHubbard}) {
        options.method = method;
        const SphereTree tree = built(shapes::torus(1.0, 0.35, 30, 16), options);
        ASSERT_EQ(tree.levels.size(), 2u);
        EXPECT_EQ(tree.levels[1].count, 20u);
        EXPECT_TRUE(tree.certificate.proved);
    }
}

TEST(SphereCounts, AFlatSetOfOneOrOfOctantsIsRefused) {
    SphereTreeOptions options;
    options.spheres = 1;
    Progress progress;
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 12, 8);
    EXPECT_EQ(build_sphere_tree(mesh, options, progress).error().kind, ErrorKind::kUsage);
    options.spheres = 8;
    options.method = SphereMethod::kOctree;
    EXPECT_EQ(build_sphere_tree(mesh, options, progress).error().kind, ErrorKind::kUsage);
}

/// A ball of 1,280 facets that is 1.2 % flatter along one axis: several spheres would follow it, one will do.
TEST(SphereCounts, LevelsBelowTheErrorFloorAreNotRefined) {
    corpus::IcosphereOptions ball;
    ball.levels = 3;
    TriangleMesh mesh = corpus::make_icosphere(ball);
    for (Vector3f& p : mesh.positions) p.z() *= 0.988F;
    SphereTreeOptions options;
    options.levels = 3;
    options.effort = SphereEffort::kFast;
    const SphereTree tree = built(mesh, options);
    ASSERT_EQ(tree.levels.size(), 3u);
    EXPECT_LE(tree.levels[0].error_max, tuning::kErrorFloor * double(tree.spheres[0].radius));
    for (const SphereLevel& level : tree.levels) EXPECT_EQ(level.count, 1u);
}

/// Its error is far above the floor.
TEST(SphereCounts, LevelsAboveTheErrorFloorHaveTheirCounts) {
    SphereTreeOptions options;
    options.levels = 3;
    options.effort = SphereEffort::kFast;
    const SphereTree tree = built(shapes::torus(1.0, 0.35, 30, 16), options);
    ASSERT_EQ(tree.levels.size(), 3u);
    EXPECT_EQ(tree.levels[1].count, 8u);
    EXPECT_LE(tree.levels[2].count, 64u);
    EXPECT_GE(tree.levels[2].count, 60u);
}

/// Twenty parents contain everything alike, and all but a few are left without a child: those get an idle one
/// later, for which there has to be room.
TEST(SphereCounts, ParentsWithoutAChildHaveRoomForOne) {
    const Solid solid{shapes::box(Vector3f(-1.0F, -0.5F, -0.05F), Vector3f(1.0F, 0.5F, 0.05F))};
    const SurfaceQuery query{solid.boundary()};
    const TriangleBoxes boxes{solid.boundary()};
    const SearchFrame frame = SearchFrame::of(solid.boundary());
    const FitSurface surface{solid.surface(), solid, query, boxes, 4.3, 2.24, 1e-7, 0.0, frame};
    const Ball all{Vector3d::Zero(), 1.2};
    std::vector<Ancestors> parents(20, Ancestors{all});
    std::vector<CandidateSphere> start;
    for (std::uint32_t i = 0; i < parents.size(); ++i) start.push_back({frame.to_search(all), i, false});
    FitOptions options;
    options.count = 24;
    options.most_children = 24;
    options.max_protrusion = 1.6;
    options.smallest_piece = 0.01;
    Progress progress;
    const std::vector<CandidateSphere> found = fit_spheres(surface, parents, start, options, progress);
    std::set<std::uint32_t> with_child;
    for (const CandidateSphere& candidate : found) with_child.insert(candidate.parent);
    EXPECT_LE(found.size() + parents.size() - with_child.size(), options.count);
}

TEST(SphereCounts, MoreEffortIsTighter) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 20, 10);
    SphereTreeOptions options;
    options.spheres = 24;
    std::vector<double> volumes;
    for (const SphereEffort effort : {SphereEffort::kFast, SphereEffort::kNormal}) {
        options.effort = effort;
        const SphereTree tree = built(mesh, options);
        EXPECT_TRUE(tree.certificate.proved);
        volumes.push_back(tree.levels[1].outside_volume);
    }
    EXPECT_LT(volumes[1], volumes[0]);
}

}  // namespace
}  // namespace espalier
