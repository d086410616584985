// SPDX-License-Identifier: GPL-3.0-or-later
// A set of spheres that hold patches of a surface, and what their union costs: the weight of the samples
// around the solid that at least one of them holds, where those far out count for each that does. The steps
// by which such a set changes, each of which leaves every point held.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "builder/base/progress.h"
#include "builder/sphere/optimize/center_search.h"
#include "builder/sphere/optimize/cover_counts.h"

namespace espalier {

/// Numbers below 1 and choices from a fixed seed, the same with every library.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
    std::size_t below(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }

  private:
    std::mt19937_64 engine_;
};

class SphereCover {
  public:
    /// The spheres together hold the patches, or `cover_missing` makes them.
    SphereCover(CoverScene scene, std::vector<CandidateSphere> candidates, std::uint64_t seed);

    std::span<const CandidateSphere> candidates() const { return candidates_; }
    double cost() const { return cost_; }
    /// Of one sphere: what would be saved without it.
    double own_cost(std::size_t sphere) const;

    /// Patches that no sphere holds go to the spheres to which they cost least. False if there is a patch
    /// that no sphere may hold.
    bool cover_missing();

    /// Seats of no sphere are filled by dividing others until there are `count` spheres, costliest first.
    void split_to(std::size_t count);

    /// Drops those whose neighbours can take over best until there are `count` spheres, or none can be
    /// spared.
    void drop_to(std::size_t count);

    /// Tries that many random changes and keeps those that make the cost less, and now and then one that
    /// makes it more: by about `temperature` mean costs of a sphere, which falls from the first to the last
    /// while the search goes on. It ends when `progress`, unless null, is cancelled.
    void anneal(std::size_t proposals, double first_temperature, double last_temperature,
                const Progress* progress = nullptr);

    /// Every sphere moves and shrinks to what no other holds.
    void shrink_all_to_fit();

  private:
    using Indices = std::vector<std::uint32_t>;

    // Changes that can be taken back.
    void begin();
    void take_back();
    void record(std::size_t i);
    void replace(std::size_t i, const SearchSphere& sphere, std::uint32_t parent);
    void replace(std::size_t i, const SearchSphere& sphere) { replace(i, sphere, candidates_[i].parent); }

    std::span<const std::uint8_t> allowed(std::size_t i) const {
        return scene_.allowed[candidates_[i].parent];
    }
    bool may_cover(std::size_t i, std::uint32_t patch) const {
        const auto& allowed = scene_.allowed[candidates_[i].parent];
        return allowed.empty() || allowed[patch] != 0;
    }
    bool movable(std::size_t i) const { return !candidates_[i].sphere.empty() && !candidates_[i].fixed; }
    bool has_free_slot(std::size_t parent) const { return children_[parent] < scene_.max_children[parent]; }

    /// Without sphere `i`, the parent of sphere `k` has room for another child.
    bool frees_slot(std::size_t i, std::size_t k) const {
        return !candidates_[i].sphere.empty() && candidates_[i].parent == candidates_[k].parent &&
               children_[candidates_[k].parent] <= scene_.max_children[candidates_[k].parent];
    }
    bool beyond_threshold(double share) const { return cost_ > cost_before_ + share * mean_cost_; }
    bool is_recentered(std::size_t i) const;

    float radius_to_cover(const SearchSphere& sphere, std::uint32_t patch) const;
    SearchSphere recenter(const Indices& patches, const SearchSphere& start, const SearchSphere& own,
                          const CenterSteps& steps) {
        return centers_.recenter(scene_, patches, start, own, steps);
    }
    Indices needed_by(std::size_t i) const;
    std::vector<std::size_t> neighbours(std::size_t i, std::size_t most) const;
    std::vector<std::size_t> takers_for(const SearchSphere& sphere) const;
    bool reassign(const Indices& patches, const std::vector<std::size_t>& takers, double limit);

    // Random changes.
    void shrink_to_fit(std::size_t i, const CenterSteps& steps);
    bool drop(std::size_t i, double limit);
    bool split(std::size_t i, std::size_t into);
    void try_drop_and_split();
    void try_swap_patches();
    void try_perturb();
    void try_recenter();
    double gain_of(std::size_t i) const { return seen_[i].gain < 0.0 ? own_cost(i) : seen_[i].gain; }
    std::size_t sphere_to_drop();
    std::size_t sphere_to_split(std::size_t dropped);
    bool is_kept(double temperature);
    std::size_t spheres() const;
    std::size_t free_slot() const;
    std::size_t any_movable();

    CoverScene scene_;
    std::vector<CandidateSphere> candidates_;
    std::vector<std::uint32_t> children_;  ///< by parent
    double cost_ = 0.0;
    Draw draw_;
    /// When a sphere was last changed, and when it was last found to be as good as it gets.
    struct Times {
        std::uint64_t changed = 1;
        std::uint64_t recentered = 0;
    };
    struct Change {
        std::size_t sphere;
        CandidateSphere candidate;
        Times times;
    };
    /// What was seen of a sphere when it was last dropped or divided.
    struct Seen {
        double loss = 0.0;   ///< by dropping it, or less
        double gain = -1.0;  ///< by dividing it; negative: not seen
    };
    std::vector<Seen> seen_;
    std::vector<Times> times_;
    std::uint64_t now_ = 1;
    std::vector<Change> before_;  ///< what has been changed since `begin`
    double cost_before_ = 0.0;
    double mean_cost_ = 0.0;  ///< of a sphere, when the search began
    CenterSearch centers_;
};

}  // namespace espalier
