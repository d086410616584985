// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/cell/row.h"
#include "builder/hierarchy/body_runners.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"

namespace espalier {

std::span<const QueryMethod> cell_query_methods() {
    static constexpr QueryVariant kFirst[] = {
        {"satlite", "6 axes", run_first<Collide<CellTreeView, Overlap::kSatLite>>, kBodyFirst<CellTreeView>},
        {"sat", "15 axes", run_first<Collide<CellTreeView, Overlap::kSat>>},
        {"axis", "3 axes", run_first<Collide<CellTreeView, Overlap::kAxis>>},
        {"clip", "edges clipped by cells", run_first<Collide<CellTreeView, Overlap::kClip>>}};
    static constexpr QueryVariant kAll[] = {
        {"satlite", "6 axes", run_all<Contacts<CellTreeView, Overlap::kSatLite>>, kBodyAll<CellTreeView>},
        {"sat", "15 axes", run_all<Contacts<CellTreeView, Overlap::kSat>>},
        {"axis", "3 axes", run_all<Contacts<CellTreeView, Overlap::kAxis>>},
        {"clip", "edges clipped by cells", run_all<Contacts<CellTreeView, Overlap::kClip>>}};
    static constexpr QueryVariant kDistance[] = {
        {"", "", run_distance<Distance<CellTreeView>>, kBodyDistance<CellTreeView>}};
    static constexpr QueryVariant kSelf[] = {{"", "", nullptr, kBodyFirst<CellTreeView>}};
    static constexpr QueryMethod kMethods[] = {{QueryMode::kFirst, "overlap", kFirst},
                                               {QueryMode::kAll, "overlap", kAll},
                                               {QueryMode::kDistance, "overlap", kDistance},
                                               {QueryMode::kWithin, "overlap", kDistance},
                                               {QueryMode::kSelf, "overlap", kSelf}};
    return kMethods;
}

}  // namespace espalier
