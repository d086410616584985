// SPDX-License-Identifier: GPL-3.0-or-later
// Who of a node's children answers for what of the surface (Hubbard 1996, "Hierarchies from medial-axis
// surfaces": a sphere covers the forming points of what was merged into it).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/medial/medial_set.h"
#include "builder/medial/nearest_point.h"
#include "builder/sphere/split/medial_merge.h"
#include "builder/surface/surface_pieces.h"

namespace espalier {

/// The children to which the samples nearest to a piece of the surface went. A child that has none of them
/// may lie there as well, but its medial spheres are elsewhere: one level down, one of them would have to
/// grow far.
class PieceOwners {
  public:
    /// Precondition: at least one child, with at least one medial sphere.
    PieceOwners(const MedialSet& set, const std::vector<MergedSphere>& children);

    /// At least one; in order.
    std::span<const std::uint32_t> of(const Piece& piece) const;

  private:
    PieceOwners(const MedialSet& set, std::vector<std::pair<std::uint32_t, std::uint32_t>> sample_children);

    NearestPoint nearest_;              ///< of the samples that children have
    std::vector<std::uint32_t> first_;  ///< by sample there, into `owners_`
    std::vector<std::uint32_t> owners_;
};

/// Grows balls until each piece lies in one of its owners. A piece that does not is split while it is longer
/// than `smallest`; what is left goes to the owner whose volume grows least. Returns the pieces by ball.
std::vector<std::vector<Piece>> cover_by_owners(std::vector<Ball>& balls, const std::vector<Piece>& pieces,
                                                const PieceOwners& owners, double smallest, double slack);

}  // namespace espalier
