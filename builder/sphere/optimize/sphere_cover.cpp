// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a set of spheres, changes that can be undone, and what becomes of single spheres.
#include "builder/sphere/optimize/sphere_cover.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace espalier {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace

SphereCover::SphereCover(CoverScene scene, std::vector<CandidateSphere> candidates, std::uint64_t seed)
    : scene_(std::move(scene)),
      candidates_(std::move(candidates)),
      children_(scene_.allowed.size(), 0),
      draw_(seed) {
    assert(scene_.max_children.size() == scene_.allowed.size());
    times_.resize(candidates_.size());
    seen_.resize(candidates_.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        assert(candidates_[i].parent < scene_.allowed.size());
        if (!candidates_[i].sphere.empty()) {
            ++children_[candidates_[i].parent];
            scene_.patches.add(candidates_[i].sphere, allowed(i));
            cost_ += scene_.samples.add(candidates_[i].sphere);
        }
    }
}

double SphereCover::own_cost(std::size_t sphere) const {
    PointBatch own;
    scene_.samples.find_uncovered(candidates_[sphere].sphere, candidates_[sphere].sphere, own);
    own.close();
    return static_cast<double>(own.weight_within(candidates_[sphere].sphere, scene_.sample_width, kInfinity));
}

// ---- changes ----

void SphereCover::begin() {
    before_.clear();
    cost_before_ = cost_;
}

void SphereCover::record(std::size_t i) {
    if (std::none_of(before_.begin(), before_.end(),
                     [&](const Change& change) { return change.sphere == i; }))
        before_.push_back({i, candidates_[i], times_[i]});
}

void SphereCover::replace(std::size_t i, const SearchSphere& sphere, std::uint32_t parent) {
    record(i);
    times_[i].changed = ++now_;
    const CandidateSphere old = candidates_[i];
    if (!old.sphere.empty()) --children_[old.parent];
    if (!sphere.empty()) ++children_[parent];
    if (parent == old.parent) {
        scene_.patches.replace(old.sphere, sphere, allowed(i));
        candidates_[i].sphere = sphere;
    } else {
        scene_.patches.replace(old.sphere, {}, allowed(i));
        candidates_[i] = {sphere, parent, old.fixed};
        scene_.patches.add(sphere, allowed(i));
    }
    cost_ += scene_.samples.replace(old.sphere, sphere);
}

void SphereCover::take_back() {
    const std::vector<Change> changes = std::move(before_);
    before_.clear();
    for (const Change& change : changes) {
        const CandidateSphere& now = candidates_[change.sphere];
        if (now.parent != change.candidate.parent || now.sphere.radius != change.candidate.sphere.radius ||
            squared_distance(now.sphere, change.candidate.sphere) > 0.0F)
            replace(change.sphere, change.candidate.sphere, change.candidate.parent);
        times_[change.sphere] = change.times;
    }
    before_.clear();
    cost_ = cost_before_;
}

/// Nothing that it meets has changed since it was last found to be as good as it gets.
bool SphereCover::is_recentered(std::size_t i) const {
    const SearchSphere& sphere = candidates_[i].sphere;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (times_[k].changed > times_[i].recentered) {
            const float near = 1.2F * sphere.radius + std::max(candidates_[k].sphere.radius, 0.0F);
            if (candidates_[k].sphere.empty() ||
                squared_distance(sphere, candidates_[k].sphere) < near * near)
                return false;
        }
    }
    return true;
}

// ---- single spheres ----

/// The radius that a sphere needs to cover a patch.
float SphereCover::radius_to_cover(const SearchSphere& sphere, std::uint32_t patch) const {
    return std::sqrt(squared_radius_to_cover(sphere, scene_.patches.surfel(patch)));
}

/// The patches that sphere `i` alone covers.
SphereCover::Indices SphereCover::needed_by(std::size_t i) const {
    Indices patches;
    scene_.patches.find(candidates_[i].sphere, 1, allowed(i), patches);
    return patches;
}

void SphereCover::shrink_to_fit(std::size_t i, const tuning::CenterSteps& steps) {
    if (is_recentered(i)) return;
    const SearchSphere old = candidates_[i].sphere;
    const Indices patches = needed_by(i);
    if (patches.empty()) {
        replace(i, {});
        return;
    }
    // It begins with a sphere no larger than the old one, so what is found costs no more.
    const SearchSphere moved = recenter(patches, old, old, steps);
    if (squared_distance(moved, old) > 0.0F || moved.radius < old.radius * (1.0F - 1e-5F)) {
        replace(i, moved);
    } else {
        record(i);
        times_[i].recentered = ++now_;
    }
}

void SphereCover::shrink_all_to_fit() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (movable(i)) {
            begin();
            shrink_to_fit(i, tuning::kThoroughSteps);
        }
    }
}

/// Spheres that meet sphere `i`, nearest centres first.
std::vector<std::size_t> SphereCover::neighbours(std::size_t i, std::size_t most) const {
    std::vector<std::pair<float, std::size_t>> near;
    const SearchSphere& sphere = candidates_[i].sphere;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        const float radii = sphere.radius + candidates_[k].sphere.radius;
        const float squared = squared_distance(sphere, candidates_[k].sphere);
        if (k != i && movable(k) && squared < radii * radii) near.emplace_back(squared, k);
    }
    std::sort(near.begin(), near.end());
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < std::min(most, near.size()); ++k) found.push_back(near[k].second);
    return found;
}

/// The spheres that could most easily take over from a sphere.
std::vector<std::size_t> SphereCover::takers_for(const SearchSphere& sphere) const {
    std::vector<std::pair<float, std::size_t>> near;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (movable(k)) {
            near.emplace_back(
                std::sqrt(squared_distance(sphere, candidates_[k].sphere)) - candidates_[k].sphere.radius, k);
        }
    }
    const std::size_t count = std::min(tuning::kTakers, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
    std::vector<std::size_t> takers;
    for (std::size_t k = 0; k < count; ++k) takers.push_back(near[k].second);
    return takers;
}

/// By taker, those of the patches for which it would grow least in volume; none at all if there is a patch
/// that no taker may cover.
SphereCover::Shares SphereCover::shares_of(const Indices& patches,
                                           const std::vector<std::size_t>& takers) const {
    Shares shares;
    for (const std::size_t taker : takers) shares.emplace_back(taker, Indices{});
    for (const std::uint32_t p : patches) {
        Indices* share = nullptr;
        float least = kInfinity;
        for (auto& [taker, of_taker] : shares) {
            if (may_cover(taker, p)) {
                const float radius = candidates_[taker].sphere.radius;
                const float needed = radius_to_cover(candidates_[taker].sphere, p);
                const float growth = needed * needed * needed - radius * radius * radius;
                if (growth < least) {
                    least = growth;
                    share = &of_taker;
                }
            }
        }
        if (share == nullptr) return {};
        share->push_back(p);
    }
    // The largest first: they tell most, and smaller ones may be covered by then.
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    return shares;
}

/// Gives uncovered patches to takers. False if there is one that none may cover, or if the cost is beyond the
/// limit before the end.
bool SphereCover::reassign(const Indices& patches, const std::vector<std::size_t>& takers, double limit) {
    const Shares shares = shares_of(patches, takers);
    if (shares.empty()) return false;
    for (const auto& [taker, share] : shares) {
        Indices lost;
        std::copy_if(share.begin(), share.end(), std::back_inserter(lost),
                     [&](std::uint32_t p) { return scene_.patches.count(p) == 0; });
        if (lost.empty()) continue;
        Indices wanted = needed_by(taker);
        wanted.insert(wanted.end(), lost.begin(), lost.end());
        const SearchSphere old = candidates_[taker].sphere;
        replace(taker, recenter(wanted, old, old, tuning::kLargeSteps));
        if (cost_ > limit) return false;
    }
    return true;
}

bool SphereCover::cover_missing() {
    Indices lost;
    for (std::uint32_t p = 0; p < scene_.patches.real_size(); ++p)
        if (scene_.patches.count(p) == 0) lost.push_back(p);
    std::vector<std::size_t> takers;
    for (std::size_t k = 0; k < candidates_.size(); ++k)
        if (movable(k)) takers.push_back(k);
    begin();
    return lost.empty() || reassign(lost, takers, std::numeric_limits<double>::infinity());
}

}  // namespace espalier
