// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/sphere_fit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/builder/sphere/shapes.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

/// A flat box with its corners at (+-1, +-0.5, +-0.05), 1.119 from the origin.
struct Slab {
    FitSurface surface() const {
        return {
            solid.surface(), solid, query, boxes, 4.3, 2.24, 1e-7, 0.0, SearchFrame::of(solid.boundary())};
    }

    Solid solid{shapes::box(Vector3f(-1.0F, -0.5F, -0.05F), Vector3f(1.0F, 0.5F, 0.05F))};
    SurfaceQuery query{solid.boundary()};
    TriangleBoxes boxes{solid.boundary()};
};

TEST(SphereFit, WhatOnlyOneParentContainsIsCoveredByASmallChildOfIt) {
    // The first two parents contain the left and the right half, all but a nook between them at the edge,
    // which is smaller than a patch; the third one contains that and some of the rest, and its middle is far
    // away.
    std::vector<Ancestors> parents = {{Ball{Vector3d(-10.0, -0.3, 0.0), 10.035}},
                                      {Ball{Vector3d(10.0, -0.3, 0.0), 10.02}},
                                      {Ball{Vector3d(0.0, 1.2, 0.0), 0.8}}};
    const Slab slab;
    const SearchFrame frame = slab.surface().frame;
    const std::vector<CandidateSphere> start = {
        {frame.to_search(Ball{Vector3d(-0.5, 0.0, 0.0), 0.76}), 0, false},
        {frame.to_search(Ball{Vector3d(0.5, 0.0, 0.0), 0.76}), 1, false},
        {frame.to_search(parents[2].front()), 2, false}};
    FitOptions options;
    options.count = 24;
    options.most_children = 24;
    options.max_protrusion = 1.6;
    options.smallest_piece = 0.002;
    Progress progress;
    const std::vector<CandidateSphere> candidates =
        fit_spheres(slab.surface(), parents, start, options, progress);
    EXPECT_LE(candidates.size(), options.count);
    const Vector3d in_nook(0.001, 0.5, 0.0);
    EXPECT_TRUE(std::any_of(candidates.begin(), candidates.end(), [&](const CandidateSphere& candidate) {
        const Ball ball = frame.to_ball(candidate.sphere);
        return candidate.parent == 2 && (ball.center - in_nook).norm() <= ball.radius;
    }));
    for (const CandidateSphere& candidate : candidates)
        EXPECT_LT(frame.to_ball(candidate.sphere).radius, 0.35) << "of parent " << candidate.parent;
}

}  // namespace
}  // namespace espalier
