// SPDX-License-Identifier: GPL-3.0-or-later
// What balls are to hold while they are searched for: the surface as discs, finer where it matters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/optimize/ball_cover.h"
#include "builder/sphere/optimize/lane_frame.h"
#include "builder/sphere/optimize/surface_patches.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

class FitPatches {
  public:
    /// By parent, the balls above that pieces must be in to be held by its children.
    FitPatches(const LaneFrame& frame, const std::vector<Chain>& chains);

    /// The surface in patches up to `radius`, smaller where that is too large to be in any chain.
    void cut(const TriangleMesh& mesh, double radius);

    /// Splits patches larger than `radius` that balls hardly hold, or that stick out of their parents.
    void split_critical(std::span<const Member> members, double radius);

    /// A part of each patch: balls that hold it need neither grow nor shrink much to cover, on average.
    const std::vector<LaneDisc>& discs() const { return discs_; }

    bool in_chain(std::uint32_t parent, const LaneDisc& disc) const;
    /// Of some discs: 1 for those in the parent's chain; empty if all are. Precondition: nobody holds any.
    std::vector<std::uint8_t> allowed(std::uint32_t parent, const HeldPoints& discs) const;

  private:
    std::vector<std::uint8_t> in_any_chain() const;
    LaneDisc disc_of(const Patch& patch) const;
    template <class Which>
    void split(Which which);
    void discs_changed();

    LaneFrame frame_;
    std::vector<std::vector<LaneBall>> chains_;
    std::vector<Patch> patches_;
    std::size_t most_pieces_ = 0;
    std::vector<LaneDisc> discs_;
};

}  // namespace espalier
