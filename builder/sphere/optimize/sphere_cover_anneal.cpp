// SPDX-License-Identifier: GPL-3.0-or-later
// Simulated annealing: a sphere is dropped and its neighbours take over, another one is split; neighbours
// swap patches; spheres are perturbed. After each change the spheres concerned move and shrink to what no
// other one covers, and what others cover already costs them nothing unless it is far out, so it is the
// volume of the union that falls. Compare the swaps of Wang et al. 2006, "Variational sphere set
// approximation for solid objects", which go by the sum of the spheres.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "builder/sphere/optimize/sphere_cover.h"

namespace espalier {

std::size_t SphereCover::any_movable() {
    for (int draw = 0; draw < 8; ++draw) {
        const std::size_t i = draw_.below(candidates_.size());
        if (movable(i)) return i;
    }
    return kNone;
}

std::size_t SphereCover::sphere_to_drop() {
    std::size_t best = kNone;
    for (int k = 0; k < tuning::kDraws; ++k) {
        const std::size_t i = any_movable();
        if (i != kNone && (best == kNone || seen_[i].loss < seen_[best].loss)) best = i;
    }
    return best;
}

std::size_t SphereCover::sphere_to_split(std::size_t dropped) {
    std::size_t best = kNone;
    double most = -1.0;
    for (int k = 0; k < tuning::kDraws; ++k) {
        const std::size_t i = any_movable();
        if (i != kNone && i != dropped && (has_free_slot(candidates_[i].parent) || frees_slot(dropped, i))) {
            const double gain = gain_of(i);
            if (gain > most) {
                most = gain;
                best = i;
            }
        }
    }
    return best;
}

/// One sphere less here, one more there.
void SphereCover::try_drop_and_split() {
    std::size_t dropped = free_slot();
    const bool any_free = dropped != kNone;
    if (!any_free) dropped = sphere_to_drop();
    const std::size_t split_one = sphere_to_split(dropped);
    if (dropped == kNone || split_one == kNone || seen_[dropped].loss > gain_of(split_one) + mean_cost_)
        return;
    if (!any_free) {
        const double limit = cost_before_ + gain_of(split_one) + tuning::kRejectThreshold * mean_cost_;
        const bool taken_over = drop(dropped, limit);
        seen_[dropped].loss =
            taken_over || cost_ > limit ? cost_ - cost_before_ : std::numeric_limits<double>::max();
        if (!taken_over) {
            cost_ = std::numeric_limits<double>::infinity();
            return;
        }
        if (!movable(split_one) || cost_ > limit) return;
    }
    const double before = cost_;
    if (split(split_one, dropped)) {
        seen_[split_one].gain = std::max(0.0, before - cost_);
        shrink_around(dropped, split_one);
    }
}

/// After a drop and a split: all that have changed shrink to fit, and then their neighbours, unless it costs
/// too much already.
void SphereCover::shrink_around(std::size_t dropped, std::size_t split_one) {
    if (beyond_threshold(tuning::kRejectThreshold)) return;
    std::vector<std::size_t> touched;
    for (const Change& change : before_) touched.push_back(change.sphere);
    for (int round = 0; round < 2; ++round) {
        for (const std::size_t i : touched)
            if (movable(i)) shrink_to_fit(i, tuning::kQuickSteps);
        if (beyond_threshold(0.5 * tuning::kRejectThreshold)) return;
    }
    for (const std::size_t center : {dropped, split_one}) {
        if (movable(center))
            for (const std::size_t i : neighbours(center, tuning::kTakers))
                shrink_to_fit(i, tuning::kQuickSteps);
    }
}

/// Two neighbours divide the patches that only they cover anew, as if one of them were larger or smaller.
void SphereCover::try_swap_patches() {
    const std::size_t i = any_movable();
    const std::vector<std::size_t> near =
        i == kNone ? std::vector<std::size_t>{} : neighbours(i, tuning::kSwapNeighbours);
    if (near.empty()) return;
    const std::size_t k = near[draw_.below(near.size())];
    const SearchSphere a = candidates_[i].sphere;
    const SearchSphere b = candidates_[k].sphere;
    const auto grown = static_cast<float>(1.0 + tuning::kSwapGrowth * draw_.unit());
    const float factor = draw_.unit() < 0.5 ? grown : 1.0F / grown;
    Indices patches = needed_by(i);
    const Indices of_b = needed_by(k);
    patches.insert(patches.end(), of_b.begin(), of_b.end());
    Indices common;
    scene_.patches.find(a, 2, allowed(i), common);
    std::copy_if(common.begin(), common.end(), std::back_inserter(patches),
                 [&](std::uint32_t p) { return may_cover(k, p) && scene_.patches.covers(b, p); });
    Indices half[2];
    for (const std::uint32_t p : patches) {
        const Eigen::Vector3f place = scene_.patches.at(p);
        const bool nearer_a = squared_distance(place, a) * b.radius * b.radius <=
                              squared_distance(place, b) * a.radius * a.radius * factor * factor;
        half[may_cover(i, p) && (nearer_a || !may_cover(k, p)) ? 0 : 1].push_back(p);
    }
    if (half[0].empty() || half[1].empty()) return;
    replace(i, {});
    replace(k, {});
    replace(i, recenter(half[0], a, {}, tuning::kSmallSteps));
    std::erase_if(half[1], [&](std::uint32_t p) { return scene_.patches.count(p) > 0; });
    if (half[1].empty()) return;
    replace(k, recenter(half[1], b, {}, tuning::kSmallSteps));
    shrink_to_fit(i, tuning::kSmallSteps);
}

/// A sphere moves off and grows to keep its patches, and its neighbours make use of it.
void SphereCover::try_perturb() {
    const std::size_t i = any_movable();
    const Indices patches = i == kNone ? Indices{} : needed_by(i);
    if (patches.empty()) return;
    SearchSphere moved = candidates_[i].sphere;
    const float step = tuning::kPerturbation * moved.radius;
    moved.x += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.y += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.z += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.radius = radius_needed(scene_, moved, patches);
    if (outside_search_box(scene_, moved)) return;
    replace(i, moved);
    for (const std::size_t k : neighbours(i, tuning::kTakers)) shrink_to_fit(k, tuning::kQuickSteps);
    shrink_to_fit(i, tuning::kQuickSteps);
}

/// A sphere and its neighbours move to where they cost least.
void SphereCover::try_recenter() {
    const std::size_t i = any_movable();
    if (i == kNone) return;
    shrink_to_fit(i, tuning::kThoroughSteps);
    for (const std::size_t k : movable(i) ? neighbours(i, tuning::kTakers) : std::vector<std::size_t>{})
        shrink_to_fit(k, tuning::kQuickSteps);
}

/// With a chance that falls about as the exponential of what the change costs (Metropolis et al. 1953).
bool SphereCover::is_kept(double temperature) {
    const double more = cost_ - cost_before_;
    if (more <= 0.0) return true;
    const double left = 1.0 - 0.25 * more / (temperature * mean_cost_);
    return left > 0.0 && draw_.unit() < left * left * left * left;
}

void SphereCover::anneal(std::size_t proposals, double first_temperature, double last_temperature,
                         const Progress* progress) {
    mean_cost_ = cost_ / double(std::max<std::size_t>(1, candidates_.size()));
    for (std::size_t t = 0; t < proposals && (progress == nullptr || !progress->cancelled()); ++t) {
        begin();
        const double kind = draw_.unit();
        if (kind < tuning::kDropAndSplitBelow)
            try_drop_and_split();
        else if (kind < tuning::kSwapBelow)
            try_swap_patches();
        else if (kind < tuning::kPerturbBelow)
            try_perturb();
        else
            try_recenter();
        const double left = 1.0 - double(t) / double(proposals);
        if (is_kept(last_temperature + (first_temperature - last_temperature) * left * left))
            for (const Change& change : before_) seen_[change.sphere] = {};
        else
            take_back();
    }
}

}  // namespace espalier
