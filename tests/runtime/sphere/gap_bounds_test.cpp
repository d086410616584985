// SPDX-License-Identifier: GPL-3.0-or-later
// The bounds of a sphere query lie on either side of the separation by brute force, also where spheres cover
// only within a gap and where errors count from fillings of holes: baked trees, which leave no room.
#include <gtest/gtest.h>

#include <string>

#include "builder/asset/write_asset.h"
#include "builder/sphere/row.h"
#include "espalier/sphere_query.h"
#include "tests/builder/sphere/shapes.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/brute_force.h"

namespace espalier::testing {
namespace {

using Eigen::Vector3f;

class Baked {
  public:
    Baked(std::string name, const TriangleMesh& mesh, double gap, SolidChoice solid)
        : name_(std::move(name)), bytes_(bytes_of(mesh, gap, solid)) {
        Asset asset;
        EXPECT_EQ(open(bytes_.data(), bytes_.size(), Verify::kFull, &asset), Status::kOk);
        EXPECT_EQ(asset.part(0, &part_), Status::kOk);
    }
    const std::string& name() const { return name_; }
    const ShapeView& part() const { return part_; }

  private:
    static ExactBytes bytes_of(const TriangleMesh& mesh, double gap, SolidChoice solid) {
        SphereTreeOptions options;
        options.levels = 3;
        options.effort = SphereEffort::kFast;
        options.gap = gap;
        options.solid = solid;
        Progress progress;
        AssetContents contents;
        BakedShape& part = contents.shapes.emplace_back();
        part.mesh = mesh;
        part.trees = {built_tree(build_sphere_tree(mesh, options, progress).value())};
        return ExactBytes(write_asset(contents).value());
    }

    std::string name_;
    ExactBytes bytes_;
    ShapeView part_;
};

TriangleMesh open_box() {
    TriangleMesh mesh = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    mesh.triangles.erase(mesh.triangles.begin(), mesh.triangles.begin() + 2);
    return mesh;
}

/// Stops at each of some budgets.
void expect_bounds(const Baked& a, const Baked& b, const Pose& pose, bool exact) {
    const double separation = BruteForce(a.part(), b.part(), pose).distance();
    SphereQueryOptions options;
    options.exact = exact;
    static SphereQuery<512> query;
    ASSERT_EQ(query.begin(a.part(), b.part(), pose, options), Status::kOk);
    for (std::uint64_t budget = 1; !query.done() && budget < 5000; budget *= 2) {
        Budget step;
        step.node_tests = budget;
        query.step(step);
        ASSERT_LE(query.lower(), separation + 1e-9) << budget;
        ASSERT_GE(query.upper(), separation - 1e-9) << budget;
    }
}

TEST(GapBounds, LieOnEitherSideOfTheSeparation) {
    constexpr std::uint64_t kSeed = 77;
    Draw draw(kSeed);
    const TriangleMesh box = shapes::box(Vector3f(0, 0, 0), Vector3f(1, 1, 1));
    const TriangleMesh small = shapes::box(Vector3f(0, 0, 0), Vector3f(0.2F, 0.2F, 0.2F));
    const TriangleMesh torus = shapes::torus(1.0, 0.35, 24, 12);
    const Baked parts[] = {{"box", box, 0.0, SolidChoice::kAuto},
                           {"box within 0.1", box, 0.1, SolidChoice::kAuto},
                           {"torus within 0.05", torus, 0.05, SolidChoice::kAuto},
                           {"capped box", open_box(), 0.0, SolidChoice::kCapped},
                           {"capped box within 0.05", open_box(), 0.05, SolidChoice::kCapped},
                           {"open box", open_box(), 0.05, SolidChoice::kShell},
                           {"small box", small, 0.0, SolidChoice::kAuto}};
    EXPECT_TRUE(parts[3].part().sphere.capped);
    EXPECT_GT(parts[4].part().sphere.gap, 0.049F);
    for (int i = 0; i < 1500; ++i) {
        const Baked &a = parts[draw.below(7)], &b = parts[draw.below(7)];
        Pose pose = random_pose(draw, a.part(), b.part(), 1.1);
        if (draw.coin())
            for (double& s : pose.scale) s = draw.between(0.4, 1.5);
        SCOPED_TRACE(a.name() + " and " + b.name() + ", draw " + std::to_string(i) + ", " + text_of(pose));
        ASSERT_NO_FATAL_FAILURE(expect_bounds(a, b, pose, draw.coin()));
    }
}

TEST(GapBounds, APartAboveAFilledHoleIsFarFromTheTriangles) {
    const TriangleMesh small = shapes::box(Vector3f(0, 0, 0), Vector3f(0.2F, 0.2F, 0.2F));
    const Baked capped("capped box", open_box(), 0.0, SolidChoice::kCapped);
    const Baked part("small box", small, 0.0, SolidChoice::kAuto);
    Pose pose;
    for (const double height : {-0.21, -0.25, -0.3}) {  // below the bottom that is missing
        pose.translation[0] = pose.translation[1] = 0.4;
        pose.translation[2] = height;
        ASSERT_NO_FATAL_FAILURE(expect_bounds(capped, part, pose, false)) << height;
        ASSERT_NO_FATAL_FAILURE(expect_bounds(capped, part, pose, true)) << height;
    }
}

}  // namespace
}  // namespace espalier::testing
