// SPDX-License-Identifier: GPL-3.0-or-later
// Queries on cell trees over all cores of a host (Zachmann 1997, "Future work": "each recursion can be
// processed in parallel"). Not for embedded use: allocates and runs on TBB's threads. Both trees are
// descended together to some pairs of subtrees, and each pair is walked by the runtime's own query.
#pragma once

#include <vector>

#include "espalier/asset.h"
#include "espalier/pose.h"
#include "espalier/query.h"

namespace espalier {

/// Do two parts touch? The verdict is that of Collide<CellTreeView>. The witness is that of the first pair of
/// subtrees that has one: a true one, the same for any number of threads, but not the one that
/// Collide<CellTreeView> happens to find first. Fails as Collide<CellTreeView>::begin does.
Status parallel_cell_collide(const ShapeView& a, const ShapeView& b, const Pose& pose, Verdict* verdict,
                             CellWitness* witness);

/// All contacts, as Contacts<CellTreeView> finds them, sorted by triangles. Fails as
/// Contacts<CellTreeView>::begin does.
Status parallel_cell_contacts(const ShapeView& a, const ShapeView& b, const Pose& pose,
                              std::vector<Contact>* contacts);

/// All witnesses, as CellWitnesses finds them, sorted by side, edge and polygon.
Status parallel_cell_witnesses(const ShapeView& a, const ShapeView& b, const Pose& pose,
                               std::vector<CellWitness>* witnesses);

/// The distance of Distance<CellTreeView> to the last bit; of several pairs that are equally near, any may be
/// reported. The threads tell each other the least distance found. Fails as Distance<CellTreeView>::begin
/// does.
Status parallel_cell_distance(const ShapeView& a, const ShapeView& b, const Pose& pose, ClosestPair* closest);

}  // namespace espalier
