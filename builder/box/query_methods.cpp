// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/box/row.h"
#include "builder/hierarchy/query_runners.h"
#include "espalier/box_query.h"

namespace espalier {

std::span<const QueryMethod> box_query_methods() {
    static constexpr QueryVariant kFirst[] = {
        {"satlite", "6 axes", run_first<BoxCollide<BoxOverlap::kSatLite>>},
        {"sat", "15 axes", run_first<BoxCollide<BoxOverlap::kSat>>},
        {"axis", "3 axes", run_first<BoxCollide<BoxOverlap::kAxis>>},
        {"table", "3 axes by tables", run_first<BoxCollide<BoxOverlap::kTable>>}};
    static constexpr QueryVariant kAll[] = {
        {"satlite", "6 axes", run_all<BoxContacts<BoxOverlap::kSatLite>>},
        {"sat", "15 axes", run_all<BoxContacts<BoxOverlap::kSat>>},
        {"axis", "3 axes", run_all<BoxContacts<BoxOverlap::kAxis>>},
        {"table", "3 axes by tables", run_all<BoxContacts<BoxOverlap::kTable>>}};
    static constexpr QueryVariant kDistance[] = {{"", "", run_distance<BoxDistance>}};
    static constexpr QueryMethod kMethods[] = {{QueryMode::kFirst, "overlap", kFirst},
                                               {QueryMode::kAll, "overlap", kAll},
                                               {QueryMode::kDistance, "overlap", kDistance}};
    return kMethods;
}

}  // namespace espalier
