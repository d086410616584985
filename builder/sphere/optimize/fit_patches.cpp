// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/fit_patches.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace espalier {
namespace {

/// Patches are not split any more when they have so many pieces together, or twice as many as at first.
constexpr std::size_t kMostPieces = 600000;
/// Balls that hold this share of each patch's radius need neither grow nor shrink much to cover, on average.
constexpr double kPatchShare = 0.35;
/// A patch is critical if no ball has so many of its radii left.
constexpr double kCritical = 0.25;
/// Patches that are in no ancestors are split so often, to half each time; what is left then is for
/// cover_level.
constexpr int kAncestorSplits = 6;

std::size_t count_pieces(const std::vector<Patch>& patches) {
    std::size_t count = 0;
    for (const Patch& patch : patches) {
        count += patch.pieces.size();
    }
    return count;
}

float radius_to_cover(const SearchSphere& ball, const Surfel& surfel) {
    return std::sqrt(squared_radius_to_cover(ball, surfel));
}

/// How many times wider the surfel could be in the ball; negative if it is not in it.
float relative_margin(const SearchSphere& ball, const Surfel& surfel) {
    const float needed = radius_to_cover(ball, surfel);
    // Without the surfel's width, it would be so much less.
    const float width = needed - std::sqrt(squared_distance(surfel.center, ball));
    return (ball.radius - needed) / std::max(width, 1e-9F);
}

}  // namespace

FitPatches::FitPatches(const SearchFrame& frame, const std::vector<Ancestors>& ancestors) : frame_(frame) {
    for (const Ancestors& ancestors : ancestors) {
        ancestors_.emplace_back();
        for (const Ball& ball : ancestors) {
            SearchSphere lane = frame.to_search(ball);
            lane.radius = lane.radius / kSearchSafe - kSearchRounding;
            ancestors_.back().push_back(lane);
        }
    }
}

void FitPatches::cut(const TriangleMesh& mesh, double radius) {
    patches_ = surface_patches(mesh, radius);
    most_pieces_ = std::max(kMostPieces, 2 * count_pieces(patches_));
    surfels_changed();
    for (int k = 1; k <= kAncestorSplits; ++k) {
        const std::vector<std::uint8_t> held = in_any_ancestors();
        split([&](std::size_t i) { return held[i] == 0; });
    }
    const std::vector<std::uint8_t> held = in_any_ancestors();
    std::vector<Patch> kept;
    for (std::size_t i = 0; i < patches_.size(); ++i) {
        if (held[i] != 0) {
            kept.push_back(std::move(patches_[i]));
        }
    }
    patches_ = std::move(kept);
    surfels_changed();
}

/// Splits some patches into parts of half the size.
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
        for (std::size_t k = first; k < patches.size(); ++k) {
            pieces += patches[k].pieces.size();
        }
    }
    patches_ = std::move(patches);
    surfels_changed();
}

Surfel FitPatches::surfel_of(const Patch& patch) const {
    const SearchSphere ball = frame_.to_search(patch.ball);
    return {{ball.x, ball.y, ball.z},
            normal_of(patch).cast<float>(),
            static_cast<float>(kPatchShare) * ball.radius * kSearchSafe + kSearchRounding};
}

void FitPatches::surfels_changed() {
    surfels_.clear();
    for (const Patch& patch : patches_) {
        surfels_.push_back(surfel_of(patch));
    }
}

void FitPatches::split_critical(std::span<const CandidateSphere> candidates, double radius) {
    std::vector<std::uint8_t> safe(surfels_.size(), 0);
    const CoverCounts all(surfels_);
    for (const CandidateSphere& candidate : candidates) {
        std::vector<std::uint32_t> held;
        all.find(candidate.sphere, 0, {}, held);
        for (const std::uint32_t p : held) {
            // The ball can grow a little. What sticks out of a parent is lost to all of its children,
            // however they grow, and another parent's may be far away.
            const auto& ancestors = ancestors_[candidate.parent];
            if (relative_margin(candidate.sphere, surfels_[p]) * kPatchShare >= kCritical &&
                std::all_of(ancestors.begin(), ancestors.end(), [&](const SearchSphere& ball) {
                    return relative_margin(ball, surfels_[p]) * kPatchShare >= 1.0 - kPatchShare;
                })) {
                safe[p] = 1;
            }
        }
    }
    split([&](std::size_t i) { return patches_[i].ball.radius > radius && safe[i] == 0; });
}

bool FitPatches::in_ancestors(std::uint32_t parent, const Surfel& surfel) const {
    return std::all_of(ancestors_[parent].begin(), ancestors_[parent].end(), [&](const SearchSphere& ball) {
        return radius_to_cover(ball, surfel) <= ball.radius;
    });
}

std::vector<std::uint8_t> FitPatches::allowed(std::uint32_t parent, const CoverCounts& surfels) const {
    if (ancestors_[parent].empty()) {
        return {};
    }
    std::vector<std::uint8_t> allowed(surfels.size(), 0);
    std::vector<std::uint32_t> found;
    surfels.find(ancestors_[parent].front(), 0, {}, found);
    for (const std::uint32_t p : found) {
        allowed[p] = in_ancestors(parent, surfels.surfel(p)) ? 1 : 0;
    }
    return allowed;
}

/// By patch, 1 or 0.
std::vector<std::uint8_t> FitPatches::in_any_ancestors() const {
    const CoverCounts all(surfels_);
    std::vector<std::uint8_t> any(all.size(), 0);
    for (std::uint32_t parent = 0; parent < ancestors_.size(); ++parent) {
        const std::vector<std::uint8_t> in = allowed(parent, all);
        for (std::size_t p = 0; p < any.size(); ++p) {
            any[p] |= in.empty() ? 1 : in[p];
        }
    }
    return any;
}

}  // namespace espalier
