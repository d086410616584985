// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/fit_patches.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "builder/sphere/optimize/tuning.h"

namespace espalier {
namespace {

std::size_t count_pieces(const std::vector<Patch>& patches) {
    std::size_t count = 0;
    for (const Patch& patch : patches) count += patch.pieces.size();
    return count;
}

float radius_to_cover(const SearchSphere& sphere, const Surfel& surfel) {
    return std::sqrt(squared_radius_to_cover(sphere, surfel));
}

/// How many times wider the surfel could be in the sphere; negative if it is not in it.
float relative_margin(const SearchSphere& sphere, const Surfel& surfel) {
    const float needed = radius_to_cover(sphere, surfel);
    // What the surfel's width adds to the radius.
    const float width = needed - std::sqrt(squared_distance(surfel.center, sphere));
    return (sphere.radius - needed) / std::max(width, 1e-9F);
}

}  // namespace

FitPatches::FitPatches(const SearchFrame& frame, const std::vector<Ancestors>& parents) : frame_(frame) {
    for (const Ancestors& ancestors : parents) {
        ancestors_.emplace_back();
        for (const Ball& ball : ancestors) {
            SearchSphere sphere = frame.to_search(ball);
            sphere.radius = sphere.radius / kSearchSafe - kSearchRounding;
            ancestors_.back().push_back(sphere);
        }
    }
}

void FitPatches::cut(const TriangleMesh& mesh, double radius) {
    patches_ = surface_patches(mesh, radius);
    most_pieces_ = std::max(tuning::kMostPieces, 2 * count_pieces(patches_));
    surfels_changed();
    for (int k = 1; k <= tuning::kAncestorSplits; ++k) {
        const std::vector<std::uint8_t> inside = in_any_ancestors();
        split([&](std::size_t i) { return inside[i] == 0; });
    }
    const std::vector<std::uint8_t> inside = in_any_ancestors();
    std::vector<Patch> kept;
    for (std::size_t i = 0; i < patches_.size(); ++i)
        if (inside[i] != 0) kept.push_back(std::move(patches_[i]));
    patches_ = std::move(kept);
    surfels_changed();
}

/// Splits some patches into parts of half the size, while there are not too many pieces.
template <class Which>
void FitPatches::split(Which which) {
    std::vector<Patch> patches;
    std::size_t pieces = count_pieces(patches_);
    for (std::size_t i = 0; i < patches_.size(); ++i) {
        const bool split = pieces < most_pieces_ && which(i);
        const double radius = patches_[i].ball.radius * (split ? 0.5 : 1.0);
        const std::size_t first = patches.size();
        pieces -= patches_[i].pieces.size();
        append_split(std::move(patches_[i]), radius, patches);
        for (std::size_t k = first; k < patches.size(); ++k) pieces += patches[k].pieces.size();
    }
    patches_ = std::move(patches);
    surfels_changed();
}

Surfel FitPatches::surfel_of(const Patch& patch) const {
    const SearchSphere ball = frame_.to_search(patch.ball);
    return {{ball.x, ball.y, ball.z},
            normal_of(patch).cast<float>(),
            static_cast<float>(tuning::kPatchShare) * ball.radius * kSearchSafe + kSearchRounding};
}

void FitPatches::surfels_changed() {
    surfels_.clear();
    for (const Patch& patch : patches_) surfels_.push_back(surfel_of(patch));
}

void FitPatches::split_critical(std::span<const CandidateSphere> candidates, double radius) {
    std::vector<std::uint8_t> safe(surfels_.size(), 0);
    const CoverCounts all(surfels_);
    for (const CandidateSphere& candidate : candidates) {
        std::vector<std::uint32_t> covered;
        all.find(candidate.sphere, 0, {}, covered);
        for (const std::uint32_t p : covered) {
            // The sphere can grow a little. What protrudes from a parent is lost to all of its children,
            // however they grow, and another parent's may be far away.
            const auto& ancestors = ancestors_[candidate.parent];
            if (relative_margin(candidate.sphere, surfels_[p]) * tuning::kPatchShare >=
                    tuning::kCriticalMargin &&
                std::all_of(ancestors.begin(), ancestors.end(), [&](const SearchSphere& sphere) {
                    return relative_margin(sphere, surfels_[p]) * tuning::kPatchShare >=
                           1.0 - tuning::kPatchShare;
                }))
                safe[p] = 1;
        }
    }
    split([&](std::size_t i) { return patches_[i].ball.radius > radius && safe[i] == 0; });
}

bool FitPatches::in_ancestors(std::uint32_t parent, const Surfel& surfel) const {
    return std::all_of(ancestors_[parent].begin(), ancestors_[parent].end(), [&](const SearchSphere& sphere) {
        return radius_to_cover(sphere, surfel) <= sphere.radius;
    });
}

std::vector<std::uint8_t> FitPatches::allowed(std::uint32_t parent, const CoverCounts& surfels) const {
    if (ancestors_[parent].empty()) return {};
    std::vector<std::uint8_t> allowed(surfels.size(), 0);
    std::vector<std::uint32_t> found;
    surfels.find(ancestors_[parent].front(), 0, {}, found);
    for (const std::uint32_t p : found) allowed[p] = in_ancestors(parent, surfels.surfel(p)) ? 1 : 0;
    return allowed;
}

std::vector<std::vector<std::uint8_t>> FitPatches::allowed_by_parent(
    const CoverCounts& surfels, std::span<const CandidateSphere> candidates) const {
    std::vector<std::vector<std::uint8_t>> by_parent(ancestors_.size());
    for (const CandidateSphere& candidate : candidates)
        if (by_parent[candidate.parent].empty())
            by_parent[candidate.parent] = allowed(candidate.parent, surfels);
    return by_parent;
}

std::size_t FitPatches::nearest_taker(const Surfel& surfel,
                                      std::span<const CandidateSphere> candidates) const {
    std::size_t nearest = candidates.size();
    float least = tuning::kNearPatch * surfel.radius;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const float growth = radius_to_cover(candidates[i].sphere, surfel) - candidates[i].sphere.radius;
        if (growth < least && !candidates[i].fixed && in_ancestors(candidates[i].parent, surfel)) {
            least = growth;
            nearest = i;
        }
    }
    return nearest;
}

void FitPatches::cover_by_growing(std::vector<CandidateSphere>& candidates) const {
    CoverCounts patches(surfels_);
    const std::vector<std::vector<std::uint8_t>> allowed = allowed_by_parent(patches, candidates);
    for (const CandidateSphere& candidate : candidates)
        patches.add(candidate.sphere, allowed[candidate.parent]);
    for (std::size_t p = 0; p < patches.real_size(); ++p) {
        const std::size_t i =
            patches.count(p) > 0 ? candidates.size() : nearest_taker(surfels_[p], candidates);
        if (i < candidates.size()) {
            SearchSphere& sphere = candidates[i].sphere;
            sphere.radius = std::max(sphere.radius, radius_to_cover(sphere, surfels_[p]) * kSearchSafe);
        }
    }
}

/// By patch, 1 if any parent's children may cover it, or 0.
std::vector<std::uint8_t> FitPatches::in_any_ancestors() const {
    const CoverCounts all(surfels_);
    std::vector<std::uint8_t> any(all.size(), 0);
    for (std::uint32_t parent = 0; parent < ancestors_.size(); ++parent) {
        const std::vector<std::uint8_t> in = allowed(parent, all);
        for (std::size_t p = 0; p < any.size(); ++p) any[p] |= in.empty() ? 1 : in[p];
    }
    return any;
}

}  // namespace espalier
