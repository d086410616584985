// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/aabb/row.h"
#include "builder/hierarchy/query_runners.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"

namespace espalier {

std::span<const QueryMethod> aabb_query_methods() {
    static constexpr QueryVariant kFirst[] = {
        {"satlite", "6 axes", run_first<Collide<AabbTreeView, Overlap::kSatLite>>},
        {"sat", "15 axes", run_first<Collide<AabbTreeView, Overlap::kSat>>}};
    static constexpr QueryVariant kAll[] = {
        {"satlite", "6 axes", run_all<Contacts<AabbTreeView, Overlap::kSatLite>>},
        {"sat", "15 axes", run_all<Contacts<AabbTreeView, Overlap::kSat>>}};
    static constexpr QueryVariant kDistance[] = {{"", "", run_distance<Distance<AabbTreeView>>}};
    static constexpr QueryMethod kMethods[] = {{QueryMode::kFirst, "overlap", kFirst},
                                               {QueryMode::kAll, "overlap", kAll},
                                               {QueryMode::kDistance, "overlap", kDistance}};
    return kMethods;
}

}  // namespace espalier
