// SPDX-License-Identifier: GPL-3.0-or-later
// Growing by the same bisection as the proof of coverage, so that the proof finds what is found here.
#include "builder/sphere_tree/cover_level.h"

#include <algorithm>
#include <limits>

namespace espalier {
namespace {

bool in_chain(const Piece& piece, const Chain& chain, double slack) {
    return std::all_of(chain.begin(), chain.end(), [&](const Ball& ball) {
        return piece_in_ball(piece, ball.center, ball.radius - slack);
    });
}

/// A piece for which a ball would grow by more than its length may be split down to this share of the usual.
constexpr double kLeastShare = 1.0 / 64.0;

/// One triangle's part in cover_level.
class TriangleCover {
  public:
    TriangleCover(std::vector<Family>& families, double slack) : families_(families), slack_(slack) {}

    void cover(const Piece& triangle, const std::vector<std::uint32_t>& near) { visit(triangle, near, 0); }

  private:
    void visit(const Piece& piece, const std::vector<std::uint32_t>& near, int depth) {
        std::vector<std::uint32_t> holders;
        std::vector<std::uint32_t> reached;
        double smallest = std::numeric_limits<double>::infinity();
        for (const std::uint32_t f : near) {
            const Family& family = families_[f];
            if (in_chain(piece, family.chain, slack_)) {
                if (std::any_of(family.children.begin(), family.children.end(), [&](const Ball& ball) {
                        return piece_in_ball(piece, ball.center, ball.radius - slack_);
                    })) {
                    return;
                }
                holders.push_back(f);
                smallest = std::min(smallest, family.smallest_piece);
            }
            if (std::none_of(family.chain.begin(), family.chain.end(), [&](const Ball& ball) {
                    return piece_outside_ball(piece, ball.center, ball.radius + slack_);
                })) {
                reached.push_back(f);
            }
        }
        const double squared = longest_edge_squared(piece);
        if (!holders.empty() && squared <= smallest * smallest) {
            const Growth growth = least_growth(piece, holders);
            // Parts of it may be in other chains, whose children are nearer.
            const bool may_split = reached.size() > holders.size() && depth < kMaxBisections &&
                                   squared > kLeastShare * kLeastShare * smallest * smallest;
            const double more = growth.radius - growth.ball->radius;
            if (!may_split || more * more <= squared) {
                growth.ball->radius = growth.radius;
                return;
            }
        }
        if (depth >= kMaxBisections) {
            return;  // the proof will say so
        }
        for (const Piece& half : bisect(piece)) {
            visit(half, reached, depth + 1);
        }
    }

    struct Growth {
        Ball* ball;
        double radius;  ///< then
    };

    /// To hold the piece, of the child whose volume grows least.
    Growth least_growth(const Piece& piece, const std::vector<std::uint32_t>& holders) const {
        Growth best{nullptr, 0.0};
        double least = std::numeric_limits<double>::infinity();
        for (const std::uint32_t f : holders) {
            for (Ball& ball : families_[f].children) {
                const double needed = farthest_corner(piece, ball.center) * (1.0 + 1e-12) + 2.0 * slack_;
                const double volume = needed * needed * needed - ball.radius * ball.radius * ball.radius;
                if (volume < least) {
                    least = volume;
                    best = {&ball, needed};
                }
            }
        }
        return best;
    }

    std::vector<Family>& families_;
    double slack_;
};

}  // namespace

void cover_level(const TriangleMesh& mesh, const TriangleBoxes& boxes, std::vector<Family>& families,
                 double slack) {
    std::vector<std::vector<std::uint32_t>> near(mesh.triangles.size());
    for (std::uint32_t f = 0; f < families.size(); ++f) {
        if (families[f].chain.empty()) {
            for (auto& list : near) {
                list.push_back(f);
            }
            continue;
        }
        const Ball& ball = families[f].chain.front();
        for (const std::uint32_t t : boxes.near_ball(ball.center, ball.radius + slack)) {
            near[t].push_back(f);
        }
    }
    TriangleCover cover(families, slack);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        cover.cover(whole_triangle(mesh, t), near[t]);
    }
}

}  // namespace espalier
