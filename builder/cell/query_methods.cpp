// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/cell/row.h"
#include "builder/hierarchy/query_runners.h"
#include "espalier/cell_query.h"

namespace espalier {

std::span<const QueryMethod> cell_query_methods() {
    static constexpr QueryVariant kFirst[] = {
        {"satlite", "6 axes", run_first<CellCollide<CellOverlap::kSatLite>>},
        {"sat", "15 axes", run_first<CellCollide<CellOverlap::kSat>>},
        {"axis", "3 axes", run_first<CellCollide<CellOverlap::kAxis>>},
        {"clip", "edges clipped by cells", run_first<CellCollide<CellOverlap::kClip>>}};
    static constexpr QueryVariant kAll[] = {
        {"satlite", "6 axes", run_all<CellContacts<CellOverlap::kSatLite>>},
        {"sat", "15 axes", run_all<CellContacts<CellOverlap::kSat>>},
        {"axis", "3 axes", run_all<CellContacts<CellOverlap::kAxis>>},
        {"clip", "edges clipped by cells", run_all<CellContacts<CellOverlap::kClip>>}};
    static constexpr QueryVariant kDistance[] = {{"", "", run_distance<CellDistance>}};
    static constexpr QueryMethod kMethods[] = {{QueryMode::kFirst, "overlap", kFirst},
                                               {QueryMode::kAll, "overlap", kAll},
                                               {QueryMode::kDistance, "overlap", kDistance}};
    return kMethods;
}

}  // namespace espalier
