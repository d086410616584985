// SPDX-License-Identifier: GPL-3.0-or-later
// Growing by the same bisection as the proof of coverage, so that the proof finds what is found here.
#include "builder/sphere/coverage/cover_level.h"

#include <algorithm>
#include <limits>
#include <span>

namespace espalier {
namespace {

bool in_ancestors(const Piece& piece, std::span<const Ball> ancestors, double slack) {
    return std::all_of(ancestors.begin(), ancestors.end(), [&](const Ball& ball) {
        return piece_in_ball(piece, ball.center, ball.radius - slack);
    });
}

/// A piece for which a ball would grow by more than its length may be split down to this share of the
/// smallest length otherwise. Smaller: time; larger: balls come from far away for slivers on seams between
/// parents.
constexpr double kLeastShare = 1.0 / 64.0;

/// One triangle's part in cover_level.
class TriangleCover {
  public:
    TriangleCover(std::vector<Siblings>& groups, double slack) : groups_(groups), slack_(slack) {}

    void cover(const Piece& triangle, const std::vector<std::uint32_t>& near) { visit(triangle, near, 0); }

  private:
    void visit(const Piece& piece, const std::vector<std::uint32_t>& near, int depth) {
        std::vector<std::uint32_t> containing;
        std::vector<std::uint32_t> met;
        for (const std::uint32_t f : near) {
            const Siblings& siblings = groups_[f];
            if (in_ancestors(piece, siblings.ancestors, slack_)) {
                if (std::any_of(siblings.children.begin(), siblings.children.end(), [&](const Ball& ball) {
                        return piece_in_ball(piece, ball.center, ball.radius - slack_);
                    }))
                    return;
                containing.push_back(f);
            }
            if (std::none_of(siblings.ancestors.begin(), siblings.ancestors.end(), [&](const Ball& ball) {
                    return piece_outside_ball(piece, ball.center, ball.radius + slack_);
                }))
                met.push_back(f);
        }
        // Parts of it may be in other ancestors, whose children are nearer.
        const bool may_split = met.size() > containing.size() && depth < kMaxBisections;
        if (!containing.empty() && cover_small(piece, containing, may_split)) return;
        if (depth >= kMaxBisections) return;  // the proof will say so
        for (const Piece& half : bisect(piece)) visit(half, met, depth + 1);
    }

    /// Covers a piece that is small enough by growing a child of a group whose ancestors contain it. False if
    /// it is better to split the piece.
    bool cover_small(const Piece& piece, const std::vector<std::uint32_t>& containing, bool may_split) {
        double smallest = std::numeric_limits<double>::infinity();
        for (const std::uint32_t f : containing) smallest = std::min(smallest, groups_[f].smallest_piece);
        const double squared = longest_edge_squared(piece);
        if (squared > smallest * smallest) return false;
        Growth growth;
        for (const std::uint32_t f : containing) grow_less(piece, f, 0.0, growth);
        const double more = growth.child_radius - growth.child->radius;
        const bool near = more * more <= squared;
        if (!near && may_split && squared > kLeastShare * kLeastShare * smallest * smallest) return false;
        if (!near) widen_less(piece, growth);
        growth.apply();
        return true;
    }

    /// What takes a piece in at the least growth of volume: a child, and its parent where it does not
    /// contain the piece.
    struct Growth {
        double volume = std::numeric_limits<double>::infinity();
        Ball* child = nullptr;
        double child_radius = 0.0;  ///< then
        Ball* parent = nullptr;
        double parent_radius = 0.0;

        void apply() const {
            child->radius = std::max(child->radius, child_radius);
            if (parent != nullptr) parent->radius = parent_radius;
        }
    };

    double radius_for(const Piece& piece, const Ball& ball) const {
        return farthest_corner(piece, ball.center) * (1.0 + 1e-12) + 2.0 * slack_;
    }
    static double growth_of(const Ball& ball, double radius) {
        return std::max(0.0, radius * radius * radius - ball.radius * ball.radius * ball.radius);
    }

    /// By a child of group `f`, whose parent grows by `volume` first. True if that is less than before.
    bool grow_less(const Piece& piece, std::uint32_t f, double volume, Growth& best) const {
        bool less = false;
        for (Ball& child : groups_[f].children) {
            const double needed = radius_for(piece, child);
            const double sum = volume + growth_of(child, needed);
            if (sum < best.volume) {
                best = {sum, &child, needed, nullptr, 0.0};
                less = true;
            }
        }
        return less;
    }

    /// Where parents meet there may be slivers that only another one contains, whose children are far away:
    /// then one of them grows a little, and its children are near.
    void widen_less(const Piece& piece, Growth& best) const {
        for (std::uint32_t f = 0; f < groups_.size(); ++f) {
            Ancestors& ancestors = groups_[f].ancestors;
            if (ancestors.empty() || !in_ancestors(piece, std::span(ancestors).subspan(1), slack_)) continue;
            const double radius = radius_for(piece, ancestors.front());
            const double volume = growth_of(ancestors.front(), radius);
            if (volume < best.volume && grow_less(piece, f, volume, best)) {
                best.parent = &ancestors.front();
                best.parent_radius = std::max(radius, ancestors.front().radius);
            }
        }
    }

    std::vector<Siblings>& groups_;
    double slack_;
};

}  // namespace

void cover_level(const TriangleMesh& mesh, const TriangleBoxes& boxes, std::vector<Siblings>& groups,
                 double slack) {
    std::vector<std::vector<std::uint32_t>> near(mesh.triangles.size());
    for (std::uint32_t f = 0; f < groups.size(); ++f) {
        if (groups[f].ancestors.empty()) {
            for (auto& list : near) list.push_back(f);
            continue;
        }
        const Ball& ball = groups[f].ancestors.front();
        for (const std::uint32_t t : boxes.near_ball(ball.center, ball.radius + slack)) near[t].push_back(f);
    }
    TriangleCover cover(groups, slack);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) cover.cover(whole_triangle(mesh, t), near[t]);
}

}  // namespace espalier
