// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/box/row.h"
#include "builder/hierarchy/body_runners.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"

namespace espalier {

std::span<const QueryMethod> box_query_methods() {
    static constexpr QueryVariant kFirst[] = {
        {"satlite", "6 axes", run_first<Collide<BoxTreeView, Overlap::kSatLite>>, kBodyFirst<BoxTreeView>},
        {"sat", "15 axes", run_first<Collide<BoxTreeView, Overlap::kSat>>},
        {"axis", "3 axes", run_first<Collide<BoxTreeView, Overlap::kAxis>>},
        {"table", "3 axes by tables", run_first<Collide<BoxTreeView, Overlap::kTable>>}};
    static constexpr QueryVariant kAll[] = {
        {"satlite", "6 axes", run_all<Contacts<BoxTreeView, Overlap::kSatLite>>, kBodyAll<BoxTreeView>},
        {"sat", "15 axes", run_all<Contacts<BoxTreeView, Overlap::kSat>>},
        {"axis", "3 axes", run_all<Contacts<BoxTreeView, Overlap::kAxis>>},
        {"table", "3 axes by tables", run_all<Contacts<BoxTreeView, Overlap::kTable>>}};
    static constexpr QueryVariant kDistance[] = {
        {"", "", run_distance<Distance<BoxTreeView>>, kBodyDistance<BoxTreeView>}};
    static constexpr QueryVariant kSelf[] = {{"", "", nullptr, kBodyFirst<BoxTreeView>}};
    static constexpr QueryMethod kMethods[] = {{QueryMode::kFirst, "overlap", kFirst},
                                               {QueryMode::kAll, "overlap", kAll},
                                               {QueryMode::kDistance, "overlap", kDistance},
                                               {QueryMode::kWithin, "overlap", kDistance},
                                               {QueryMode::kSelf, "overlap", kSelf}};
    return kMethods;
}

}  // namespace espalier
