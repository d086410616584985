// SPDX-License-Identifier: GPL-3.0-or-later
// By the same bisection as the proof of coverage.
#include "builder/sphere_tree/lone_corners.h"

#include <algorithm>

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Pieces in no ball as a whole are split this far below the smallest others.
constexpr double kFurther = 1.0 / 16.0;

bool covers(const ChainedBall& chained, const Piece& piece, double slack) {
    const auto holds = [&](const Ball& ball) {
        return piece_in_ball(piece, ball.center, ball.radius - slack);
    };
    return holds(chained.ball) && std::all_of(chained.chain->begin(), chained.chain->end(), holds);
}

class LoneCorners {
  public:
    LoneCorners(const ChainedBall& ball, const std::vector<ChainedBall>& others, double smallest,
                double slack)
        : ball_(ball), others_(others), smallest_(smallest), slack_(slack) {}

    void visit(const Piece& piece, const std::vector<std::uint32_t>& near, int depth = 0) {
        if (piece_outside_ball(piece, ball_.ball.center, ball_.ball.radius + slack_)) {
            return;
        }
        std::vector<std::uint32_t> reached;
        for (const std::uint32_t k : near) {
            if (covers(others_[k], piece, slack_)) {
                return;
            }
            if (!piece_outside_ball(piece, others_[k].ball.center, others_[k].ball.radius + slack_)) {
                reached.push_back(k);
            }
        }
        const bool mine = covers(ball_, piece, slack_);
        const double squared = longest_edge_squared(piece);
        if (mine && (reached.empty() || squared <= smallest_ * smallest_)) {
            corners.insert(corners.end(), piece.corner.begin(), piece.corner.end());
            return;
        }
        if (!mine && squared <= kFurther * kFurther * smallest_ * smallest_) {
            return;
        }
        if (depth < kMaxBisections) {
            for (const Piece& half : bisect(piece)) {
                visit(half, reached, depth + 1);
            }
        }
    }

    std::vector<Vector3d> corners;

  private:
    const ChainedBall& ball_;
    const std::vector<ChainedBall>& others_;
    double smallest_;
    double slack_;
};

}  // namespace

std::vector<Vector3d> corners_only_in(const TriangleMesh& mesh, const TriangleBoxes& boxes,
                                      const ChainedBall& ball, const std::vector<ChainedBall>& others,
                                      double smallest, double slack) {
    std::vector<std::uint32_t> all(others.size());
    for (std::uint32_t k = 0; k < all.size(); ++k) {
        all[k] = k;
    }
    LoneCorners lone(ball, others, smallest, slack);
    for (const std::uint32_t t : boxes.near_ball(ball.ball.center, ball.ball.radius + slack)) {
        lone.visit(whole_triangle(mesh, t), all);
    }
    return std::move(lone.corners);
}

}  // namespace espalier
