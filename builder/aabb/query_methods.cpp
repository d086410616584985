// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/aabb/row.h"
#include "builder/hierarchy/body_runners.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"

namespace espalier {

std::span<const QueryMethod> aabb_query_methods() {
    static constexpr QueryVariant kFirst[] = {
        {"satlite", "6 axes", run_first<Collide<AabbTreeView, Overlap::kSatLite>>, kBodyFirst<AabbTreeView>},
        {"sat", "15 axes", run_first<Collide<AabbTreeView, Overlap::kSat>>}};
    static constexpr QueryVariant kAll[] = {
        {"satlite", "6 axes", run_all<Contacts<AabbTreeView, Overlap::kSatLite>>, kBodyAll<AabbTreeView>},
        {"sat", "15 axes", run_all<Contacts<AabbTreeView, Overlap::kSat>>}};
    static constexpr QueryVariant kDistance[] = {
        {"", "", run_distance<Distance<AabbTreeView>>, kBodyDistance<AabbTreeView>}};
    static constexpr QueryVariant kSelf[] = {{"", "", nullptr, kBodyFirst<AabbTreeView>}};
    static constexpr QueryMethod kMethods[] = {{QueryMode::kFirst, "overlap", kFirst},
                                               {QueryMode::kAll, "overlap", kAll},
                                               {QueryMode::kDistance, "overlap", kDistance},
                                               {QueryMode::kWithin, "overlap", kDistance},
                                               {QueryMode::kSelf, "overlap", kSelf}};
    return kMethods;
}

}  // namespace espalier
