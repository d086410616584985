// SPDX-License-Identifier: GPL-3.0-or-later
// Shared children by the same bisection as the proof of coverage, so that the proof finds what is found here.
#include "builder/sphere/coverage/shared_children.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>
#include <vector>

#include "builder/sphere/coverage/gap.h"
#include "builder/surface/surface_pieces.h"

namespace espalier {
namespace {

struct OtherSphere {
    std::uint32_t sphere;
    Ball safe;  ///< the radius is less by the slack
};

class Sharing {
  public:
    Sharing(const SphereTree& tree, const Sphere& parent, const SphereLevel& below, double slack)
        : parent_(covering_ball(parent, double(tree.certificate.gap) + slack)) {
        for (std::uint32_t i = below.first; i < below.first + below.count; ++i) {
            const Sphere& s = tree.spheres[i];
            const Ball ball = covering_ball(s, double(tree.certificate.gap) - slack);
            if (i - parent.first_child < parent.child_count)
                covering_.push_back(ball);
            else if ((ball.center - parent_.center).norm() < ball.radius + parent_.radius)
                others_.push_back({i, ball});
        }
    }

    /// What it covers, and the slack.
    const Ball& parent() const { return parent_; }

    void visit(const Piece& piece, int depth = 0) {
        const auto covers = [&](const Ball& ball) { return piece_in_ball(piece, ball.center, ball.radius); };
        if (std::any_of(covering_.begin(), covering_.end(), covers) ||
            piece_outside_ball(piece, parent_.center, parent_.radius))
            return;
        const OtherSphere* best = nullptr;
        double deepest = 0.0;
        for (const OtherSphere& other : others_) {
            const double depth_here = other.safe.radius - farthest_corner(piece, other.safe.center);
            if (covers(other.safe) && (best == nullptr || depth_here > deepest)) {
                deepest = depth_here;
                best = &other;
            }
        }
        if (best != nullptr) {
            covering_.push_back(best->safe);
            shared_.push_back(best->sphere);
            return;
        }
        if (depth < kMaxBisections)
            for (const Piece& half : bisect(piece)) visit(half, depth + 1);
    }

    std::vector<std::uint32_t> shared() {
        std::sort(shared_.begin(), shared_.end());
        return std::move(shared_);
    }

  private:
    Ball parent_;
    std::vector<Ball> covering_;       ///< the children, own ones and those that are shared so far
    std::vector<OtherSphere> others_;  ///< what may be shared
    std::vector<std::uint32_t> shared_;
};

}  // namespace

void share_children(const TriangleMesh& mesh, const TriangleBoxes& boxes, SphereTree& tree) {
    assert(tree.shared_list.empty());
    const double slack =
        coverage_slack(coverage_magnitude(mesh, tree.spheres) + double(tree.certificate.gap));
    for (std::size_t l = 0; l + 1 < tree.levels.size(); ++l) {
        const SphereLevel& level = tree.levels[l];
        std::vector<std::vector<std::uint32_t>> shared(level.count);
        tbb::parallel_for(std::uint32_t(0), level.count, [&](std::uint32_t i) {
            const Sphere& parent = tree.spheres[level.first + i];
            Sharing sharing(tree, parent, tree.levels[l + 1], slack);
            for (const std::uint32_t t : boxes.near_ball(sharing.parent().center, sharing.parent().radius))
                sharing.visit(whole_triangle(mesh, t));
            shared[i] = sharing.shared();
        });
        for (std::uint32_t i = 0; i < level.count; ++i) {
            Sphere& parent = tree.spheres[level.first + i];
            parent.first_shared = static_cast<std::uint32_t>(tree.shared_list.size());
            parent.shared_count = static_cast<std::uint32_t>(shared[i].size());
            tree.shared_list.insert(tree.shared_list.end(), shared[i].begin(), shared[i].end());
        }
    }
}

}  // namespace espalier
