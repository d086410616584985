// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/fit_patches.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

/// The search's coordinates are those of the mesh.
const SearchFrame kFrame;
constexpr double kRadius = 0.1;

/// Flat, from corner to corner 2.
TriangleMesh square() {
    TriangleMesh mesh;
    mesh.positions = {{-0.7F, -0.7F, 0.0F}, {0.7F, -0.7F, 0.0F}, {0.7F, 0.7F, 0.0F}, {-0.7F, 0.7F, 0.0F}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
}

/// What is left of x = `x`, nearly.
Ball left_of(double x) {
    return {Vector3d(x - 50.0, 0.0, 0.0), 50.0};
}

/// So wide that no surfel is near its surface.
CandidateSphere wide(std::uint32_t parent) {
    return {{0.0F, 0.0F, 0.0F, 5.0F}, parent, false};
}

/// The largest of those whose middles are from one x to the other.
double largest_surfel(const FitPatches& patches, double from, double to) {
    double most = 0.0;
    for (const Surfel& surfel : patches.surfels())
        if (double(surfel.center.x()) >= from && double(surfel.center.x()) <= to)
            most = std::max(most, double(surfel.radius));
    return most;
}

TEST(FitPatches, PatchesWellInsideASphereAndWithoutParentsStayWhole) {
    FitPatches patches(kFrame, {{}});
    patches.cut(square(), kRadius);
    const std::size_t count = patches.surfels().size();
    EXPECT_GT(count, 100u);
    patches.split_critical(std::vector<CandidateSphere>{wide(0)}, 0.0);
    EXPECT_EQ(patches.surfels().size(), count);
}

TEST(FitPatches, PatchesThatASphereHardlyCoversAreSplit) {
    FitPatches patches(kFrame, {{}});
    patches.cut(square(), kRadius);
    const double before = largest_surfel(patches, -1.0, 1.0);
    double last = -1.0;  // left of 0
    for (const Surfel& surfel : patches.surfels())
        last = surfel.center.x() < 0.0F ? std::max(last, double(surfel.center.x())) : last;
    // The first ball ends just after the last surfels left of 0, the other one begins after their middles.
    const std::vector<CandidateSphere> candidates = {
        {{-20.0F, 0.0F, 0.0F, 20.0F + static_cast<float>(last + 1.1 * before)}, 0, false},
        {{20.0F, 0.0F, 0.0F, 20.0F - static_cast<float>(last)}, 0, false}};
    patches.split_critical(candidates, 0.0);
    EXPECT_LT(largest_surfel(patches, last - 0.01, last + 0.01), 0.7 * before);
    EXPECT_EQ(largest_surfel(patches, -1.0, -0.5), before);
    EXPECT_EQ(largest_surfel(patches, 0.5, 1.0), before);
}

TEST(FitPatches, OnlyPatchesLargerThanAskedForAreSplit) {
    FitPatches patches(kFrame, {{}});
    patches.cut(square(), kRadius);
    const std::size_t count = patches.surfels().size();
    patches.split_critical({}, 2.0 * kRadius);
    EXPECT_EQ(patches.surfels().size(), count);
    patches.split_critical({}, 0.0);
    EXPECT_GT(patches.surfels().size(), count);
}

/// However wide its sphere is: what protrudes belongs to the children of another parent.
TEST(FitPatches, PatchesThatProtrudeFromTheirParentAreSplit) {
    // Both parents contain the middle, the first one not all of the patches whose surfels it contains.
    const double edge = 0.03;  // not that of any patch
    FitPatches patches(kFrame, {{left_of(edge)}, {{Vector3d::Zero(), 10.0}}});
    patches.cut(square(), kRadius);
    const double before = largest_surfel(patches, -1.0, 1.0);
    for (int k = 0; k < 4; ++k) patches.split_critical(std::vector<CandidateSphere>{wide(0)}, 0.0);
    std::size_t whole = 0;
    for (const Surfel& surfel : patches.surfels()) {
        if (patches.in_ancestors(0, surfel)) {
            // A patch is 1 / 0.35 of its surfel.
            const double out = double(surfel.center.x()) + double(surfel.radius) / 0.35;
            EXPECT_LT(out, edge + 0.01) << surfel.center.transpose();
            whole += double(surfel.radius) > 0.9 * before ? 1 : 0;
        }
    }
    EXPECT_GT(whole, 30u);
}

TEST(FitPatches, PatchesInNoParentAreSplitAndThenLeftOut) {
    FitPatches patches(kFrame, {{left_of(0.02)}, {{Vector3d(50.0, 0.0, 0.0), 49.98}}});
    patches.cut(square(), kRadius);
    double last = -1.0;  // to where patches of the first parent go
    double first = 1.0;  // from where those of the second one do
    for (const Surfel& surfel : patches.surfels()) {
        EXPECT_TRUE(patches.in_ancestors(0, surfel) || patches.in_ancestors(1, surfel))
            << surfel.center.transpose();
        const double radius = double(surfel.radius) / 0.35;
        last = patches.in_ancestors(0, surfel) ? std::max(last, double(surfel.center.x()) + radius) : last;
        first = patches.in_ancestors(1, surfel) ? std::min(first, double(surfel.center.x()) - radius) : first;
    }
    EXPECT_GT(last, 0.02);
    EXPECT_LT(first, 0.02);
}

}  // namespace
}  // namespace espalier
