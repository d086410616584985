// SPDX-License-Identifier: GPL-3.0-or-later
// More and fewer spheres in a set: single spheres are dropped or split, and whole sets reach a number.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "builder/sphere/optimize/sphere_cover.h"

namespace espalier {

/// False if its neighbours cannot take over within the limit of the cost.
bool SphereCover::drop(std::size_t i, double limit) {
    const Indices lost = needed_by(i);
    const SearchSphere old = candidates_[i].sphere;
    replace(i, {});
    return lost.empty() || reassign(lost, takers_for(old), limit);
}

/// Divides patches into two parts about random ends: what is near one end, or halves, or halves about their
/// own middles. An empty part: they could not be divided.
SphereCover::Halves SphereCover::halve(const Indices& patches, float radius) {
    Eigen::Vector3f a = scene_.patches.at(patches[draw_.below(patches.size())]);
    Eigen::Vector3f b = scene_.patches.at(patches[draw_.below(patches.size())]);
    if (draw_.unit() < 0.5) {
        for (const std::uint32_t p : patches)
            if ((scene_.patches.at(p) - a).squaredNorm() > (b - a).squaredNorm()) b = scene_.patches.at(p);
    }
    const std::size_t kind = draw_.below(3);
    const float near = radius * static_cast<float>(0.3 + 0.6 * draw_.unit());
    Halves halves;
    for (int round = 0; round < (kind == 2 ? 4 : 1); ++round) {
        halves = {};
        for (const std::uint32_t p : patches) {
            const Eigen::Vector3f place = scene_.patches.at(p);
            const float from_a = (place - a).squaredNorm();
            const bool first = from_a <= (kind == 0 ? near * near : (place - b).squaredNorm());
            halves.patches[first ? 0 : 1].push_back(p);
            halves.middle[first ? 0 : 1] += place;
        }
        if (halves.patches[0].empty() || halves.patches[1].empty()) break;
        a = halves.middle[0] /= static_cast<float>(halves.patches[0].size());
        b = halves.middle[1] /= static_cast<float>(halves.patches[1].size());
    }
    return halves;
}

/// Puts two spheres in place of one, by a random cut through the patches that it alone covers. False if that
/// cannot be; then nothing has changed.
bool SphereCover::split(std::size_t i, std::size_t into) {
    const Indices patches = needed_by(i);
    if (patches.size() < 2 || !has_free_slot(candidates_[i].parent)) return false;
    const std::uint32_t parent = candidates_[i].parent;
    Halves halves = halve(patches, candidates_[i].sphere.radius);
    if (halves.patches[0].empty() || halves.patches[1].empty()) return false;
    const Eigen::Vector3f& a = halves.middle[0];
    const Eigen::Vector3f& b = halves.middle[1];
    replace(i, {});
    replace(i, recenter(halves.patches[0], {a.x(), a.y(), a.z(), 0.0F}, {}, tuning::kLargeSteps));
    std::erase_if(halves.patches[1], [&](std::uint32_t p) { return scene_.patches.count(p) > 0; });
    if (!halves.patches[1].empty()) {
        replace(into, recenter(halves.patches[1], {b.x(), b.y(), b.z(), 0.0F}, {}, tuning::kLargeSteps),
                parent);
    }
    return true;
}

void SphereCover::drop_to(std::size_t count) {
    constexpr double kUnknown = -std::numeric_limits<double>::infinity();
    constexpr double kNever = std::numeric_limits<double>::infinity();
    std::vector<double> losses(candidates_.size(), kUnknown);
    for (std::size_t spheres = this->spheres(); spheres > count; --spheres) {
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            if (losses[i] == kUnknown) {
                begin();
                losses[i] = movable(i) && drop(i, kNever) ? cost_ - cost_before_ : kNever;
                take_back();
            }
        }
        const auto least = std::min_element(losses.begin(), losses.end());
        if (*least == kNever) break;
        begin();
        drop(static_cast<std::size_t>(least - losses.begin()), kNever);
        for (const Change& change : before_) losses[change.sphere] = kUnknown;
    }
    // Annealing would fill the slots that are free now.
    std::erase_if(candidates_, [](const CandidateSphere& candidate) { return candidate.sphere.empty(); });
    times_.assign(candidates_.size(), {});
    seen_.assign(candidates_.size(), {});
}

std::size_t SphereCover::free_slot() const {
    for (std::size_t i = 0; i < candidates_.size(); ++i)
        if (candidates_[i].sphere.empty()) return i;
    return kNone;
}

std::size_t SphereCover::spheres() const {
    return static_cast<std::size_t>(
        std::count_if(candidates_.begin(), candidates_.end(),
                      [](const CandidateSphere& candidate) { return !candidate.sphere.empty(); }));
}

/// Of several ways to split sphere `i`, the one that costs least; empty if there is none. Nothing changes.
SphereCover::Split SphereCover::best_split(std::size_t i, std::size_t into) {
    Split best;
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < tuning::kSplitsCompared; ++k) {
        begin();
        if (split(i, into) && !candidates_[into].sphere.empty() && cost_ < least) {
            least = cost_;
            best = {{i, candidates_[i]}, {into, candidates_[into]}};
        }
        take_back();
    }
    return best;
}

void SphereCover::split_to(std::size_t count) {
    candidates_.resize(std::max(count, candidates_.size()));
    times_.resize(candidates_.size());
    seen_.resize(candidates_.size());
    std::vector<double> costs(candidates_.size(), -1.0);
    for (std::size_t i = 0; i < candidates_.size(); ++i) costs[i] = movable(i) ? own_cost(i) : -1.0;
    std::size_t spheres = this->spheres();
    std::size_t added = 0;
    // Some may turn out not to be needed, again and again.
    for (std::size_t round = 0; spheres < count && round < tuning::kGrowthRounds * count; ++round) {
        const auto most = std::max_element(costs.begin(), costs.end());
        if (*most < 0.0) return;
        const auto i = static_cast<std::size_t>(most - costs.begin());
        const std::size_t into = free_slot();
        const Split best = best_split(i, into);
        if (best.empty()) {
            costs[i] = -1.0;
            continue;
        }
        ++spheres;
        ++added;
        begin();
        for (const auto& [k, candidate] : best) replace(k, candidate.sphere, candidate.parent);
        costs[i] = own_cost(i);
        costs[into] = own_cost(into);
        if (double(added) > tuning::kGrowth * double(spheres)) {
            shrink_all_to_fit();
            for (std::size_t k = 0; k < candidates_.size(); ++k)
                costs[k] = movable(k) && costs[k] >= 0.0 ? own_cost(k) : -1.0;
            spheres = this->spheres();  // those that were not needed any more are gone
            added = 0;
        }
    }
}

}  // namespace espalier
