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
/// Patches that are in no chain are split so often, to half each time; what is left then is for cover_level.
constexpr int kChainSplits = 6;

std::size_t count_pieces(const std::vector<Patch>& patches) {
    std::size_t count = 0;
    for (const Patch& patch : patches) {
        count += patch.pieces.size();
    }
    return count;
}

float reach_from(const LaneBall& ball, const LaneDisc& disc) {
    return std::sqrt(squared_reach(ball, disc));
}

/// How many times wider the disc could be in the ball; negative if it is not in it.
float room_in(const LaneBall& ball, const LaneDisc& disc) {
    const float needed = reach_from(ball, disc);
    // Without the disc's width, it would be so much less.
    const float width = needed - std::sqrt(squared_distance(disc.center, ball));
    return (ball.radius - needed) / std::max(width, 1e-9F);
}

}  // namespace

FitPatches::FitPatches(const LaneFrame& frame, const std::vector<Chain>& chains) : frame_(frame) {
    for (const Chain& chain : chains) {
        chains_.emplace_back();
        for (const Ball& ball : chain) {
            LaneBall lane = frame.to_lanes(ball);
            lane.radius = lane.radius / kLaneSafe - kLaneRounding;
            chains_.back().push_back(lane);
        }
    }
}

void FitPatches::cut(const TriangleMesh& mesh, double radius) {
    patches_ = surface_patches(mesh, radius);
    most_pieces_ = std::max(kMostPieces, 2 * count_pieces(patches_));
    discs_changed();
    for (int k = 1; k <= kChainSplits; ++k) {
        const std::vector<std::uint8_t> held = in_any_chain();
        split([&](std::size_t i) { return held[i] == 0; });
    }
    const std::vector<std::uint8_t> held = in_any_chain();
    std::vector<Patch> kept;
    for (std::size_t i = 0; i < patches_.size(); ++i) {
        if (held[i] != 0) {
            kept.push_back(std::move(patches_[i]));
        }
    }
    patches_ = std::move(kept);
    discs_changed();
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
    discs_changed();
}

LaneDisc FitPatches::disc_of(const Patch& patch) const {
    const LaneBall ball = frame_.to_lanes(patch.ball);
    return {{ball.x, ball.y, ball.z},
            normal_of(patch).cast<float>(),
            static_cast<float>(kPatchShare) * ball.radius * kLaneSafe + kLaneRounding};
}

void FitPatches::discs_changed() {
    discs_.clear();
    for (const Patch& patch : patches_) {
        discs_.push_back(disc_of(patch));
    }
}

void FitPatches::split_critical(std::span<const Member> members, double radius) {
    std::vector<std::uint8_t> safe(discs_.size(), 0);
    const HeldPoints all(discs_);
    for (const Member& member : members) {
        std::vector<std::uint32_t> held;
        all.find(member.ball, 0, {}, held);
        for (const std::uint32_t p : held) {
            // The ball can grow a little. What sticks out of a parent is lost to all of its children,
            // however they grow, and another parent's may be far away.
            const auto& chain = chains_[member.parent];
            if (room_in(member.ball, discs_[p]) * kPatchShare >= kCritical &&
                std::all_of(chain.begin(), chain.end(), [&](const LaneBall& ball) {
                    return room_in(ball, discs_[p]) * kPatchShare >= 1.0 - kPatchShare;
                })) {
                safe[p] = 1;
            }
        }
    }
    split([&](std::size_t i) { return patches_[i].ball.radius > radius && safe[i] == 0; });
}

bool FitPatches::in_chain(std::uint32_t parent, const LaneDisc& disc) const {
    return std::all_of(chains_[parent].begin(), chains_[parent].end(),
                       [&](const LaneBall& ball) { return reach_from(ball, disc) <= ball.radius; });
}

std::vector<std::uint8_t> FitPatches::allowed(std::uint32_t parent, const HeldPoints& discs) const {
    if (chains_[parent].empty()) {
        return {};
    }
    std::vector<std::uint8_t> allowed(discs.size(), 0);
    std::vector<std::uint32_t> found;
    discs.find(chains_[parent].front(), 0, {}, found);
    for (const std::uint32_t p : found) {
        allowed[p] = in_chain(parent, discs.disc(p)) ? 1 : 0;
    }
    return allowed;
}

/// By patch, 1 or 0.
std::vector<std::uint8_t> FitPatches::in_any_chain() const {
    const HeldPoints all(discs_);
    std::vector<std::uint8_t> any(all.size(), 0);
    for (std::uint32_t parent = 0; parent < chains_.size(); ++parent) {
        const std::vector<std::uint8_t> in = allowed(parent, all);
        for (std::size_t p = 0; p < any.size(); ++p) {
            any[p] |= in.empty() ? 1 : in[p];
        }
    }
    return any;
}

}  // namespace espalier
