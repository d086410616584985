// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <tbb/global_control.h>

#include <cmath>
#include <random>

#include "builder/base/names.h"
#include "builder/sphere/sphere_tree.h"
#include "corpus/icosphere.h"
#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

constexpr std::uint64_t kSeed = 99;

SphereTreeOptions quick() {
    SphereTreeOptions options;
    options.levels = 3;
    options.effort = SphereEffort::kFast;
    options.samples = 1500;
    return options;
}

SphereTree built(const TriangleMesh& mesh, const SphereTreeOptions& options) {
    Progress progress;
    Result<SphereTree> tree = build_sphere_tree(mesh, options, progress);
    EXPECT_TRUE(tree.ok()) << (tree.ok() ? "" : tree.error().message);
    return tree.ok() ? std::move(tree).value() : SphereTree{};
}

bool contains(const SphereTree& tree, const Sphere& sphere, const Vector3d& point) {
    return (point - sphere.center.cast<double>()).norm() <=
           (double(sphere.radius) + double(tree.certificate.gap)) * (1.0 + 1e-12);
}

/// Own children first, then shared ones.
std::vector<std::uint32_t> children_of(const SphereTree& tree, const Sphere& s) {
    std::vector<std::uint32_t> children;
    for (std::uint32_t c = s.first_child; c < s.first_child + s.child_count; ++c)
        children.push_back(tree.dag ? tree.child_list[c] : c);
    for (std::uint32_t c = s.first_shared; c < s.first_shared + s.shared_count; ++c)
        children.push_back(tree.shared_list[c]);
    return children;
}

/// The point has a path of own children; with full coverage whatever sphere contains it has a child, own or
/// shared, that contains it too.
bool followed(const SphereTree& tree, const Vector3d& point) {
    std::vector<std::uint8_t> reached(tree.spheres.size(), 0);
    reached[0] = 1;
    for (std::uint32_t i = 0; i < tree.levels.back().first; ++i) {
        const Sphere& s = tree.spheres[i];
        if (!contains(tree, s, point)) continue;
        bool found = false;
        const std::vector<std::uint32_t> children = children_of(tree, s);
        for (std::size_t c = 0; c < children.size(); ++c) {
            if (contains(tree, tree.spheres[children[c]], point)) {
                found = true;
                reached[children[c]] |= reached[i] & std::uint8_t(c < s.child_count);
            }
        }
        if (!found && tree.certificate.policy == CoveragePolicy::kFull) return false;
    }
    return std::find(reached.begin() + tree.levels.back().first, reached.end(), 1) != reached.end();
}

/// Random surface points lie in a sphere of every level and are followed from level to level: an independent
/// look at what the proof claims.
void expect_covered(const TriangleMesh& mesh, const SphereTree& tree) {
    std::mt19937_64 engine(kSeed);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
    for (int i = 0; i < 3000; ++i) {
        const std::size_t t = engine() % mesh.triangles.size();
        double u = unit();
        double v = unit();
        if (u + v > 1.0) {
            u = 1.0 - u;
            v = 1.0 - v;
        }
        const Vector3d p = mesh.corner(t, 0) + u * (mesh.corner(t, 1) - mesh.corner(t, 0)) +
                           v * (mesh.corner(t, 2) - mesh.corner(t, 0));
        for (const SphereLevel& level : tree.levels) {
            bool covered = false;
            for (std::uint32_t s = level.first; s < level.first + level.count && !covered; ++s)
                covered = contains(tree, tree.spheres[s], p);
            ASSERT_TRUE(covered) << "seed " << kSeed << " draw " << i << " triangle " << t;
        }
        ASSERT_TRUE(followed(tree, p)) << "seed " << kSeed << " draw " << i << " triangle " << t;
    }
}

void expect_sound(const TriangleMesh& mesh, const SphereTree& tree) {
    EXPECT_TRUE(tree.certificate.proved);
    const auto report = check_sphere_coverage(mesh, view_of(tree), tree.leaf_triangles);
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report.value().proved);
    EXPECT_TRUE(report.value().leaves_complete);
    expect_covered(mesh, tree);
    for (const Sphere& s : tree.spheres) {
        EXPECT_GE(s.error, 0.0F);
        EXPECT_TRUE(std::isfinite(s.error));
    }
}

TEST(BuildSphereTree, EveryMethodCoversATorus) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 16);
    for (const SphereMethod method : {SphereMethod::kBest, SphereMethod::kHubbard, SphereMethod::kOctree}) {
        SphereTreeOptions options = quick();
        options.method = method;
        const SphereTree tree = built(mesh, options);
        ASSERT_EQ(tree.levels.size(), 3u);
        expect_sound(mesh, tree);
        EXPECT_EQ(tree.certificate.policy, CoveragePolicy::kFull);
    }
}

TEST(BuildSphereTree, BestIsTighterThanTheOctree) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 16);
    SphereTreeOptions options = quick();
    const SphereTree best = built(mesh, options);
    options.method = SphereMethod::kOctree;
    const SphereTree octree = built(mesh, options);
    for (std::size_t l = 1; l < 3; ++l) {
        EXPECT_LE(best.levels[l].error_max, 0.5 * octree.levels[l].error_max);
        EXPECT_LE(best.levels[l].error_mean, 0.5 * octree.levels[l].error_mean);
        EXPECT_LT(best.levels[l].outside_volume, 0.3 * octree.levels[l].outside_volume);
    }
}

TEST(BuildSphereTree, EveryLevelIsTighterThanTheOneAbove) {
    for (const TriangleMesh& mesh :
         {shapes::torus(1.0, 0.35, 30, 16), shapes::box(Vector3f(0, 0, 0), Vector3f(1, 2, 3))}) {
        const SphereTree tree = built(mesh, quick());
        for (std::size_t l = 1; l < tree.levels.size(); ++l) {
            EXPECT_LT(tree.levels[l].outside_volume, 0.7 * tree.levels[l - 1].outside_volume)
                << "level " << l;
            EXPECT_LT(tree.levels[l].error_max, 0.7 * tree.levels[l - 1].error_max) << "level " << l;
        }
    }
}

TEST(BuildSphereTree, BallKeepsItsSphereInsteadOfChildrenThatBulgeMore) {
    const SphereTree tree = built(corpus::make_icosphere({}), quick());
    for (std::size_t l = 1; l < tree.levels.size(); ++l) {
        // Every level rounds its spheres outward to float32.
        EXPECT_LE(tree.levels[l].outside_volume, tree.levels[0].outside_volume + 1e-5) << "level " << l;
        EXPECT_LE(tree.levels[l].error_max, 1.06 * tree.levels[0].error_max) << "level " << l;
    }
}

TEST(BuildSphereTree, OpenSheetAndSingleTriangleAreCovered) {
    SphereTreeOptions options = quick();
    const TriangleMesh sheet = shapes::sheet(3);
    for (const SphereMethod method : {SphereMethod::kBest, SphereMethod::kHubbard, SphereMethod::kOctree}) {
        options.method = method;
        expect_sound(sheet, built(sheet, options));
    }
    TriangleMesh one;
    one.positions = {{0, 0, 0}, {1, 0, 0}, {0, 0.001F, 0}};
    one.triangles = {{0, 1, 2}};
    for (const SphereMethod method : {SphereMethod::kBest, SphereMethod::kHubbard, SphereMethod::kOctree}) {
        options.method = method;
        expect_sound(one, built(one, options));
    }
}

TEST(BuildSphereTree, TinyFarAwayMeshIsCovered) {
    // A scale of 0.001 at a distance of 1000: float32 positions have a step of 6e-5 there.
    TriangleMesh mesh = shapes::box(Vector3f(1000, 1000, 1000), Vector3f(1000.001F, 1000.002F, 1000.003F));
    expect_sound(mesh, built(mesh, quick()));
}

TEST(BuildSphereTree, LevelAndSampledPoliciesAreStatedInTheCertificate) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 16);
    SphereTreeOptions options = quick();
    options.coverage = CoveragePolicy::kLevel;
    const SphereTree level = built(mesh, options);
    expect_sound(mesh, level);
    EXPECT_EQ(level.certificate.policy, CoveragePolicy::kLevel);
    options.coverage = CoveragePolicy::kSampled;
    const SphereTree sampled = built(mesh, options);
    EXPECT_FALSE(sampled.certificate.proved);
    EXPECT_EQ(sampled.certificate.policy, CoveragePolicy::kSampled);
    // Gaps between samples are what one saves by it.
    EXPECT_LT(sampled.levels[1].outside_volume, level.levels[1].outside_volume);
    EXPECT_FALSE(check_sphere_coverage(mesh, view_of(sampled)).value().proved);
}

TEST(BuildSphereTree, FullCoverageSharesChildrenAndLevelCoverageNone) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 16);
    SphereTreeOptions options = quick();
    SphereTree full = built(mesh, options);
    expect_sound(mesh, full);
    EXPECT_EQ(full.certificate.policy, CoveragePolicy::kFull);
    EXPECT_FALSE(full.shared_list.empty());
    std::size_t listed = 0;
    for (const Sphere& s : full.spheres) {
        for (std::uint32_t k = s.first_shared; k < s.first_shared + s.shared_count; ++k, ++listed) {
            EXPECT_GE(full.shared_list[k] - s.first_child, s.child_count) << "an own child";
            EXPECT_TRUE(k == s.first_shared || full.shared_list[k - 1] < full.shared_list[k]) << "order";
        }
    }
    EXPECT_EQ(listed, full.shared_list.size());
    for (Sphere& s : full.spheres) s.shared_count = 0;
    EXPECT_FALSE(check_sphere_coverage(mesh, view_of(full)).value().proved) << "none of them was needed";
    options.coverage = CoveragePolicy::kLevel;
    const SphereTree level = built(mesh, options);
    expect_sound(mesh, level);
    EXPECT_TRUE(level.shared_list.empty());
}

TEST(BuildSphereTree, DagLevelsAreCoveredAndShareChildren) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 16);
    SphereTreeOptions options = quick();
    options.dag = true;
    const SphereTree tree = built(mesh, options);
    expect_sound(mesh, tree);
    EXPECT_TRUE(tree.dag);
    EXPECT_GT(tree.child_list.size(), tree.spheres.size() - 1);
}

TEST(BuildSphereTree, FlatSetStopsAtTheErrorAndSaysSo) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 16);
    SphereTreeOptions options = quick();
    options.levels = 2;
    options.branch = 200;
    options.max_error = 0.12;
    const SphereTree enough = built(mesh, options);
    EXPECT_EQ(enough.limit, SphereLimit::kError);
    EXPECT_LE(enough.levels[1].error_max, 0.12);
    EXPECT_LT(enough.levels[1].count, 200u);
    options.branch = 5;
    const SphereTree few = built(mesh, options);
    EXPECT_EQ(few.limit, SphereLimit::kCount);
    EXPECT_EQ(few.levels[1].count, 5u);
    EXPECT_GT(few.levels[1].error_max, 0.12);
}

TEST(BuildSphereTree, TreeWhoseLastLevelReachesTheErrorSaysSo) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 16);
    SphereTreeOptions options = quick();
    const SphereTree whole = built(mesh, options);
    EXPECT_EQ(whole.limit, SphereLimit::kCount);
    options.max_error = 1.1 * whole.levels.back().error_max;
    const SphereTree reached = built(mesh, options);
    ASSERT_EQ(reached.levels.size(), whole.levels.size());
    ASSERT_LE(reached.levels.back().error_max, options.max_error);
    EXPECT_EQ(reached.limit, SphereLimit::kError);
    options.max_error = 0.1 * whole.levels.back().error_max;
    EXPECT_EQ(built(mesh, options).limit, SphereLimit::kCount);
}

TEST(BuildSphereTree, BytesDoNotDependOnTheThreads) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 24, 12);
    std::vector<SphereTree> trees;
    for (const std::size_t threads : {1, 4}) {
        const tbb::global_control control(tbb::global_control::max_allowed_parallelism, threads);
        trees.push_back(built(mesh, quick()));
    }
    ASSERT_EQ(trees[0].spheres.size(), trees[1].spheres.size());
    for (std::size_t i = 0; i < trees[0].spheres.size(); ++i) {
        EXPECT_EQ(trees[0].spheres[i].center, trees[1].spheres[i].center);
        EXPECT_EQ(trees[0].spheres[i].radius, trees[1].spheres[i].radius);
        EXPECT_EQ(trees[0].spheres[i].error, trees[1].spheres[i].error);
    }
    EXPECT_EQ(trees[0].shared_list, trees[1].shared_list);
    EXPECT_EQ(trees[0].leaf_triangles, trees[1].leaf_triangles);
    EXPECT_EQ(trees[0].levels[2].outside_volume, trees[1].levels[2].outside_volume);
}

TEST(BuildSphereTree, EveryMethodAndPolicyCoversWithinAGap) {
    const TriangleMesh mesh = shapes::torus(1.0, 0.35, 30, 16);
    const auto with = [](SphereMethod method, CoveragePolicy coverage, bool dag) {
        SphereTreeOptions options = quick();
        options.method = method;
        options.coverage = coverage;
        options.dag = dag;
        return options;
    };
    for (SphereTreeOptions options : {with(SphereMethod::kBest, CoveragePolicy::kFull, false),
                                      with(SphereMethod::kHubbard, CoveragePolicy::kFull, false),
                                      with(SphereMethod::kHubbard, CoveragePolicy::kLevel, false),
                                      with(SphereMethod::kOctree, CoveragePolicy::kFull, false),
                                      with(SphereMethod::kBest, CoveragePolicy::kLevel, true)}) {
        SCOPED_TRACE(std::string(name_of(options.method)) + " " + std::string(name_of(options.coverage)));
        const SphereTree without = built(mesh, options);
        options.gap = 0.02;
        const SphereTree tree = built(mesh, options);
        EXPECT_LE(double(tree.certificate.gap), 0.02);
        EXPECT_GT(double(tree.certificate.gap), 0.0199999);
        expect_sound(mesh, tree);
        const SphereLevel& last = tree.levels.back();
        EXPECT_LT(last.outside_volume, 0.95 * without.levels.back().outside_volume);
        // It is used: not the whole surface is in the spheres.
        SphereTreeSpans view = view_of(tree);
        view.gap = 0.0;
        EXPECT_FALSE(check_sphere_coverage(mesh, view).value().proved);
    }
}

TEST(BuildSphereTree, VolumeIsCoveredWithinTheGapToo) {
    SphereTreeOptions options = quick();
    options.levels = 2;
    options.cover_volume = true;
    options.gap_share = 0.02;
    const TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 2, 3));
    const SphereTree tree = built(mesh, options);
    EXPECT_NEAR(double(tree.certificate.gap), 0.02 * std::sqrt(14.0), 1e-6);
    EXPECT_TRUE(tree.certificate.volume_proved);
    std::mt19937_64 engine(kSeed);
    const auto unit = [&] { return static_cast<double>(engine() >> 11) * 0x1.0p-53; };
    for (int i = 0; i < 2000; ++i) {
        const Vector3d p(unit(), 2.0 * unit(), 3.0 * unit());
        EXPECT_TRUE(std::any_of(tree.spheres.begin() + 1, tree.spheres.end(),
                                [&](const Sphere& s) { return contains(tree, s, p); }));
    }
}

TEST(BuildSphereTree, ErrorsOfAnOpenBoxFallFromLevelToLevel) {
    TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);
    const SphereTree tree = built(mesh, quick());
    EXPECT_EQ(tree.solid, SolidKind::kShell);
    EXPECT_EQ(tree.solid_volume, 0.0);
    expect_sound(mesh, tree);
    EXPECT_LT(tree.levels[2].error_max, 0.6 * tree.levels[1].error_max);
    EXPECT_LT(tree.levels[1].error_max, tree.levels[0].error_max);
}

TEST(BuildSphereTree, CappedSolidIsMeasuredFromItsCaps) {
    TriangleMesh mesh = shapes::torus(1.0, 0.35, 60, 40);
    mesh.triangles.erase(mesh.triangles.begin() + 100);
    SphereTreeOptions options = quick();
    const SphereTree tree = built(mesh, options);
    EXPECT_EQ(tree.solid, SolidKind::kCapped);
    EXPECT_GT(tree.filling, 0.0F);
    ASSERT_EQ(tree.findings.size(), 1u);
    EXPECT_EQ(tree.findings[0].number, "T01");
    EXPECT_EQ(tree.findings[0].count, 1u);
    expect_sound(mesh, tree);
    EXPECT_NEAR(tree.solid_volume, 2.0 * M_PI * M_PI * 0.35 * 0.35, 0.05);
    options.solid = SolidChoice::kShell;
    EXPECT_GT(built(mesh, options).levels[2].error_max, 1.5 * tree.levels[2].error_max);
    options.solid = SolidChoice::kClosed;
    Progress progress;
    EXPECT_EQ(build_sphere_tree(mesh, options, progress).error().kind, ErrorKind::kInvalidInput);
}

TEST(BuildSphereTree, HubbardOnAShellStartsFromItsSamplesAndSaysSo) {
    SphereTreeOptions options = quick();
    options.method = SphereMethod::kHubbard;
    const SphereTree tree = built(shapes::sheet(3), options);
    ASSERT_EQ(tree.findings.size(), 1u);
    EXPECT_EQ(tree.findings[0].number, "T02");
    EXPECT_TRUE(built(shapes::torus(1.0, 0.35, 30, 16), options).findings.empty());
}

TEST(BuildSphereTree, BadOptionsAreRefusedWithAReason) {
    const TriangleMesh mesh = shapes::sheet(1);
    Progress progress;
    SphereTreeOptions options;
    options.branch = 1;
    EXPECT_EQ(build_sphere_tree(mesh, options, progress).error().kind, ErrorKind::kUsage);
    for (const double gap : {-1e-30, std::numeric_limits<double>::infinity(), std::nan("")}) {
        options = {};
        options.gap = gap;
        EXPECT_EQ(build_sphere_tree(mesh, options, progress).error().kind, ErrorKind::kUsage);
    }
    options = {};
    options.levels = 12;
    EXPECT_EQ(build_sphere_tree(mesh, options, progress).error().kind, ErrorKind::kUnsupported);
    TriangleMesh bad = mesh;
    bad.positions[1].x() = std::numeric_limits<float>::infinity();
    EXPECT_EQ(build_sphere_tree(bad, {}, progress).error().kind, ErrorKind::kInvalidInput);
}

}  // namespace
}  // namespace espalier
