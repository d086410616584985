// SPDX-License-Identifier: GPL-3.0-or-later
// Where one sphere of a set costs least while it covers what it has to.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/optimize/cover_counts.h"
#include "builder/sphere/optimize/point_batch.h"
#include "builder/sphere/optimize/tuning.h"

namespace espalier {

/// What a set of spheres is about.
struct CoverScene {
    CoverCounts patches;  ///< of the surface, as surfels
    CoverCounts samples;  ///< of what is around the solid, with their weights
    /// By parent: 1 for the patches that its children may cover; empty: all.
    std::vector<std::vector<std::uint8_t>> allowed;
    std::vector<std::uint32_t> max_children;  ///< by parent: children that it may have
    float sample_width = 0.0F;                ///< of the cells that samples stand for
    Eigen::AlignedBox3f search_box;           ///< samples are complete in it, and no sphere moves out of it
};

/// The radius of a sphere about `center` that covers the patches.
float radius_needed(const CoverScene& scene, const SearchSphere& center,
                    std::span<const std::uint32_t> patches);

/// Whether a part of the sphere is outside.
bool outside_search_box(const CoverScene& scene, const SearchSphere& sphere);

class CenterSearch {
  public:
    /// Compass search for the centre whose sphere around the patches costs least: along the axes and the
    /// diagonals in turn, because the radius is not smooth and either set of directions alone gets caught on
    /// a ridge. `own` is a sphere that goes: what it covers counts as
    /// uncovered. Precondition: at least one patch.
    SearchSphere recenter(const CoverScene& scene, std::span<const std::uint32_t> patches,
                          const SearchSphere& start, const SearchSphere& own,
                          const tuning::CenterSteps& steps);

  private:
    void need(const CoverScene& scene, std::span<const std::uint32_t> patches, const SearchSphere& from);
    void gather(const CoverScene& scene, const SearchSphere& sphere, float radius, const SearchSphere& own,
                const tuning::CenterSteps& steps);
    bool gathered(const CoverScene& scene, const SearchSphere& sphere) const;

    PointBatch needed_;    ///< middles of patches
    PointBatch free_;      ///< samples that no other sphere covers
    SearchSphere around_;  ///< where those have been gathered
};

}  // namespace espalier
