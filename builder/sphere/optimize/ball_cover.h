// SPDX-License-Identifier: GPL-3.0-or-later
// A set of balls that hold patches of a surface, and what their union costs: the weight of the samples around
// the solid that at least one of them holds, where those far out count for each that does. The steps by which
// such a set changes, each of which leaves every point held.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "builder/base/progress.h"
#include "builder/base/random.h"
#include "builder/sphere/optimize/center_search.h"
#include "builder/sphere/optimize/held_points.h"

namespace espalier {

/// A ball and the sphere above whose child it is.
struct Member {
    LaneBall ball;
    std::uint32_t parent = 0;
    bool fixed = false;  ///< stays as it is
};

class BallCover {
  public:
    /// The balls together hold the patches, or `mend` makes them.
    BallCover(CoverScene scene, std::vector<Member> members, std::uint64_t seed);

    std::span<const Member> members() const { return members_; }
    double cost() const { return cost_; }
    /// Of one ball: what would be saved without it.
    double own_cost(std::size_t ball) const;

    /// Patches that no ball holds go to the balls to which they cost least. False if there is a patch that no
    /// ball may hold.
    bool mend();

    /// Seats of no ball are filled by dividing others until there are `count` balls, costliest first.
    void grow(std::size_t count);

    /// Drops those whose neighbours can take over best until there are `count` balls, or none can be spared.
    void shrink(std::size_t count);

    /// Tries that many random changes and keeps those that make the cost less, and now and then one that
    /// makes it more: by about `heat` mean costs of a ball, which falls from the first to the last while the
    /// search goes on. It ends when `progress`, unless null, is cancelled.
    void search(std::size_t tries, double first_heat, double last_heat, const Progress* progress = nullptr);

    /// Every ball moves and shrinks to what no other holds.
    void tighten_all();

  private:
    using Indices = std::vector<std::uint32_t>;

    // Changes that can be taken back.
    void begin();
    void take_back();
    void record(std::size_t i);
    void replace(std::size_t i, const LaneBall& ball, std::uint32_t parent);
    void replace(std::size_t i, const LaneBall& ball) { replace(i, ball, members_[i].parent); }

    std::span<const std::uint8_t> allowed(std::size_t i) const { return scene_.allowed[members_[i].parent]; }
    bool may_hold(std::size_t i, std::uint32_t patch) const {
        const auto& allowed = scene_.allowed[members_[i].parent];
        return allowed.empty() || allowed[patch] != 0;
    }
    bool movable(std::size_t i) const { return !members_[i].ball.empty() && !members_[i].fixed; }
    bool has_room(std::size_t parent) const { return children_[parent] < scene_.room[parent]; }

    /// Without ball `i`, the parent of ball `k` has room for another child.
    bool makes_room(std::size_t i, std::size_t k) const {
        return !members_[i].ball.empty() && members_[i].parent == members_[k].parent &&
               children_[members_[k].parent] <= scene_.room[members_[k].parent];
    }
    bool hopeless(double share) const { return cost_ > cost_before_ + share * mean_cost_; }
    bool is_settled(std::size_t i) const;

    float reach_from(const LaneBall& ball, std::uint32_t patch) const;
    LaneBall settle(const Indices& patches, const LaneBall& start, const LaneBall& own,
                    const CenterSteps& steps) {
        return centers_.settle(scene_, patches, start, own, steps);
    }
    Indices needed_by(std::size_t i) const;
    std::vector<std::size_t> neighbours(std::size_t i, std::size_t most) const;
    std::vector<std::size_t> heirs_of(const LaneBall& ball) const;
    bool share_out(const Indices& patches, const std::vector<std::size_t>& heirs, double limit);

    // Random changes.
    void tighten(std::size_t i, const CenterSteps& steps);
    bool drop(std::size_t i, double limit);
    bool divide(std::size_t i, std::size_t into);
    void try_exchange();
    void try_trade();
    void try_nudge();
    void try_settling();
    double gain_of(std::size_t i) const { return seen_[i].gain < 0.0 ? own_cost(i) : seen_[i].gain; }
    std::size_t ball_to_drop();
    std::size_t ball_to_divide(std::size_t dropped);
    bool is_kept(double heat);
    std::size_t balls() const;
    std::size_t empty_seat() const;
    std::size_t any_movable();

    CoverScene scene_;
    std::vector<Member> members_;
    std::vector<std::uint32_t> children_;  ///< by parent
    double cost_ = 0.0;
    Draw draw_;
    /// When a ball was last changed, and when it was last found to be as good as it gets.
    struct Times {
        std::uint64_t changed = 1;
        std::uint64_t settled = 0;
    };
    struct Change {
        std::size_t ball;
        Member member;
        Times times;
    };
    /// What was seen of a ball when it was last dropped or divided.
    struct Seen {
        double loss = 0.0;   ///< by dropping it, or less
        double gain = -1.0;  ///< by dividing it; negative: not seen
    };
    std::vector<Seen> seen_;
    std::vector<Times> times_;
    std::uint64_t now_ = 1;
    std::vector<Change> before_;  ///< what has been changed since `begin`
    double cost_before_ = 0.0;
    double mean_cost_ = 0.0;  ///< of a ball, when the search began
    CenterSearch centers_;
};

}  // namespace espalier
