// SPDX-License-Identifier: GPL-3.0-or-later
// A set of spheres that cover the patches of a surface, and what their union costs: the weight of the samples
// around the solid that at least one of them covers, where those far out count for each that does. The steps
// by which such a set changes, each of which leaves every patch covered.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "builder/base/progress.h"
#include "builder/base/random.h"
#include "builder/sphere/optimize/center_search.h"
#include "builder/sphere/optimize/cover_counts.h"
#include "builder/sphere/optimize/tuning.h"

namespace espalier {

class SphereCover {
  public:
    /// Call cover_missing next unless the spheres are known to cover the patches. Precondition: the scene
    /// knows every parent.
    SphereCover(CoverScene scene, std::vector<CandidateSphere> candidates, std::uint64_t seed);

    std::span<const CandidateSphere> candidates() const { return candidates_; }
    double cost() const { return cost_; }
    /// Of one sphere: what would be saved without it.
    double own_cost(std::size_t sphere) const;

    /// Uncovered patches go to the spheres that grow least for them. False if there is one that no sphere may
    /// cover.
    bool cover_missing();

    /// Free slots are filled by splitting spheres, costliest first, until there are `count`.
    void split_to(std::size_t count);

    /// Drops those that cost least to reassign until there are `count` spheres, or none can be spared.
    void drop_to(std::size_t count);

    /// Makes random proposals and keeps those that lower the cost, and now and then one that raises it, by
    /// about `temperature` mean costs of a sphere; that falls from the first to the last. Ends when
    /// `progress`, unless null, is cancelled.
    void anneal(std::size_t proposals, double first_temperature, double last_temperature,
                const Progress* progress = nullptr);

    /// Every sphere moves and shrinks to what it alone covers.
    void shrink_all_to_fit();

  private:
    using Indices = std::vector<std::uint32_t>;
    /// Patches by sphere that is to cover them.
    using Shares = std::vector<std::pair<std::size_t, Indices>>;
    /// Two spheres in place of one, by slot.
    using Split = std::vector<std::pair<std::size_t, CandidateSphere>>;
    struct Halves {
        std::array<Indices, 2> patches;
        std::array<Eigen::Vector3f, 2> middle = {Eigen::Vector3f::Zero(), Eigen::Vector3f::Zero()};
    };
    static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

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

    /// Without sphere `i`, the parent of sphere `k` may have another child.
    bool frees_slot(std::size_t i, std::size_t k) const {
        return !candidates_[i].sphere.empty() && candidates_[i].parent == candidates_[k].parent &&
               children_[candidates_[k].parent] <= scene_.max_children[candidates_[k].parent];
    }
    bool beyond_threshold(double share) const { return cost_ > cost_before_ + share * mean_cost_; }
    bool is_recentered(std::size_t i) const;

    float radius_to_cover(const SearchSphere& sphere, std::uint32_t patch) const;
    SearchSphere recenter(const Indices& patches, const SearchSphere& start, const SearchSphere& own,
                          const tuning::CenterSteps& steps) {
        return centers_.recenter(scene_, patches, start, own, steps);
    }
    Indices needed_by(std::size_t i) const;
    std::vector<std::size_t> neighbours(std::size_t i, std::size_t most) const;
    std::vector<std::size_t> takers_for(const SearchSphere& sphere) const;
    Shares shares_of(const Indices& patches, const std::vector<std::size_t>& takers) const;
    bool reassign(const Indices& patches, const std::vector<std::size_t>& takers, double limit);

    void shrink_to_fit(std::size_t i, const tuning::CenterSteps& steps);

    // More and fewer.
    bool drop(std::size_t i, double limit);
    Halves halve(const Indices& patches, float radius);
    bool split(std::size_t i, std::size_t into);
    Split best_split(std::size_t i, std::size_t into);

    // Proposals.
    void try_drop_and_split();
    void shrink_around(std::size_t dropped, std::size_t split_one);
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
    /// When a sphere was last changed, and when recentering last found nothing better.
    struct Times {
        std::uint64_t changed = 1;
        std::uint64_t recentered = 0;
    };
    struct Change {
        std::size_t sphere;
        CandidateSphere candidate;
        Times times;
    };
    /// What was seen of a sphere when it was last dropped or split.
    struct Seen {
        double loss = 0.0;   ///< by dropping it, or less
        double gain = -1.0;  ///< by splitting it; negative: not seen
    };
    std::vector<Seen> seen_;
    std::vector<Times> times_;
    std::uint64_t now_ = 1;
    std::vector<Change> before_;  ///< what has been changed since `begin`
    double cost_before_ = 0.0;
    double mean_cost_ = 0.0;  ///< of a sphere, when annealing began
    CenterSearch centers_;
};

}  // namespace espalier
