// SPDX-License-Identifier: GPL-3.0-or-later
// Where one ball of a set costs least while it holds what it has to.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/optimize/held_points.h"

namespace espalier {

/// What a set of balls is about.
struct CoverScene {
    HeldPoints patches;  ///< of the surface, as small discs
    HeldPoints samples;  ///< of what is around the solid, with their weights
    /// By parent: 1 for the patches that its children may hold; empty: all.
    std::vector<std::vector<std::uint8_t>> allowed;
    std::vector<std::uint32_t> room;  ///< by parent: children that it may have
    float sample_width = 0.0F;        ///< of the cells that samples stand for
    Eigen::AlignedBox3f reach;        ///< samples are complete in it, and no ball moves out of it
};

/// Steps of the search for a centre, in radii: from the first, until below the last.
struct CenterSteps {
    float first;
    float last;
};

/// Of a ball about `center` that holds the patches.
float radius_needed(const CoverScene& scene, const LaneBall& center, std::span<const std::uint32_t> patches);

bool beyond_reach(const CoverScene& scene, const LaneBall& ball);

class CenterSearch {
  public:
    /// Compass search for the centre whose ball around the patches costs least: along the axes and the
    /// diagonals in turn, because the radius is not smooth and either set of directions alone gets caught on
    /// a ridge. `own` is a ball whose hold on samples does not count, since it goes.
    LaneBall settle(const CoverScene& scene, std::span<const std::uint32_t> patches, const LaneBall& start,
                    const LaneBall& own, const CenterSteps& steps);

  private:
    void need(const CoverScene& scene, std::span<const std::uint32_t> patches, const LaneBall& from);
    void gather(const CoverScene& scene, const LaneBall& ball, float radius, const LaneBall& own,
                const CenterSteps& steps);
    bool gathered(const CoverScene& scene, const LaneBall& ball) const;

    LanePoints needed_;  ///< middles of patches
    LanePoints free_;    ///< samples that nobody else holds
    LaneBall around_;    ///< where those have been looked for
};

}  // namespace espalier
