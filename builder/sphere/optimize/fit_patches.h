// SPDX-License-Identifier: GPL-3.0-or-later
// What spheres are to cover while they are fitted: the surface as surfels, finer where it matters, and which
// spheres may cover which of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/coverage/siblings.h"
#include "builder/sphere/optimize/cover_counts.h"
#include "builder/sphere/optimize/search_frame.h"
#include "builder/sphere/optimize/search_sphere.h"
#include "builder/sphere/optimize/surface_patches.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

class FitPatches {
  public:
    /// `parents` has for each parent the balls that pieces must be in to be covered by its children.
    FitPatches(const SearchFrame& frame, const std::vector<Ancestors>& parents);

    /// The surface in patches up to `radius`, smaller where that is too large to be in the ancestors of
    /// any parent.
    void cut(const TriangleMesh& mesh, double radius);

    /// Splits patches larger than `radius` that spheres hardly cover, or that protrude from their parents.
    void split_critical(std::span<const CandidateSphere> candidates, double radius);

    /// A part of each patch: spheres that cover it need neither grow nor shrink on average to cover all.
    const std::vector<Surfel>& surfels() const { return surfels_; }

    std::size_t parents() const { return ancestors_.size(); }
    /// Whether children of the parent may cover it.
    bool in_ancestors(std::uint32_t parent, const Surfel& surfel) const;
    /// Of some surfels: 1 for those that children of the parent may cover; empty if all. Precondition: they
    /// are uncovered.
    std::vector<std::uint8_t> allowed(std::uint32_t parent, const CoverCounts& surfels) const;
    /// The same by parent, for those that have candidates.
    std::vector<std::vector<std::uint8_t>> allowed_by_parent(
        const CoverCounts& surfels, std::span<const CandidateSphere> candidates) const;

    /// The sphere that would grow least to cover a surfel; the number of spheres if that would be much.
    std::size_t nearest_taker(const Surfel& surfel, std::span<const CandidateSphere> candidates) const;

    /// Spheres grow until they cover all surfels but those that are far from all, each by the nearest taker.
    void cover_by_growing(std::vector<CandidateSphere>& candidates) const;

  private:
    std::vector<std::uint8_t> in_any_ancestors() const;
    Surfel surfel_of(const Patch& patch) const;
    template <class Which>
    void split(Which which);
    void surfels_changed();

    SearchFrame frame_;
    std::vector<std::vector<SearchSphere>> ancestors_;  ///< by parent
    std::vector<Patch> patches_;
    std::size_t most_pieces_ = 0;
    std::vector<Surfel> surfels_;
};

}  // namespace espalier
