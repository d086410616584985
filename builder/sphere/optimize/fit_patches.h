// SPDX-License-Identifier: GPL-3.0-or-later
// What balls are to hold while they are searched for: the surface as surfels, finer where it matters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/optimize/search_frame.h"
#include "builder/sphere/optimize/sphere_cover.h"
#include "builder/sphere/optimize/surface_patches.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

class FitPatches {
  public:
    /// By parent, the balls above that pieces must be in to be held by its children.
    FitPatches(const SearchFrame& frame, const std::vector<Ancestors>& ancestors);

    /// The surface in patches up to `radius`, smaller where that is too large to be in any ancestors.
    void cut(const TriangleMesh& mesh, double radius);

    /// Splits patches larger than `radius` that balls hardly hold, or that stick out of their parents.
    void split_critical(std::span<const CandidateSphere> candidates, double radius);

    /// A part of each patch: balls that hold it need neither grow nor shrink much to cover, on average.
    const std::vector<Surfel>& surfels() const { return surfels_; }

    bool in_ancestors(std::uint32_t parent, const Surfel& surfel) const;
    /// Of some surfels: 1 for those in the parent's ancestors; empty if all are. Precondition: nobody holds
    /// any.
    std::vector<std::uint8_t> allowed(std::uint32_t parent, const CoverCounts& surfels) const;

  private:
    std::vector<std::uint8_t> in_any_ancestors() const;
    Surfel surfel_of(const Patch& patch) const;
    template <class Which>
    void split(Which which);
    void surfels_changed();

    SearchFrame frame_;
    std::vector<std::vector<SearchSphere>> ancestors_;
    std::vector<Patch> patches_;
    std::size_t most_pieces_ = 0;
    std::vector<Surfel> surfels_;
};

}  // namespace espalier
