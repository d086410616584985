// SPDX-License-Identifier: GPL-3.0-or-later
// Where a cell is cut (Zachmann 1997, "Constructing the BoxTree").
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>

#include "builder/cell/cell_tree.h"
#include "runtime/src/cell/codec.h"

namespace espalier {

/// A triangle or edge in a cell: bounds of the part of it that lies inside.
struct CellEntry {
    Eigen::Vector3f lo, hi;
    std::uint32_t id;
};

struct CellCut {
    unsigned axis = 0;
    float at = 0;
};

enum class CellSide { kLeft, kRight, kBoth };

/// On which side of a thick cut an entry belongs. One that lies inside the thickness goes where its middle
/// is.
inline CellSide side_of(float lo, float hi, float cut, float delta) {
    const bool left = hi <= left_end(cut, delta), right = lo >= right_begin(cut, delta);
    if (left && right) return lo + hi <= cut + cut ? CellSide::kLeft : CellSide::kRight;
    return left ? CellSide::kLeft : right ? CellSide::kRight : CellSide::kBoth;
}

/// The cut that chips off the largest empty cell, if its share of the cell exceeds `share`; ties go to the
/// lower axis and the lower side.
std::optional<CellCut> empty_cut(std::span<const CellEntry> triangles, const CellVolume& cell, float delta,
                                 double share);

/// The cut of least penalty |left - right| + gamma crossing over the three axes, each searched by interval
/// bisection, among those that leave no side with more than lambda of the triangles. Penalties that differ by
/// less than a sixteenth of the triangles are ties: few crossing triangles and a long side decide.
std::optional<CellCut> balanced_cut(std::span<const CellEntry> triangles, const CellVolume& cell, float delta,
                                    double gamma, double lambda);

}  // namespace espalier
