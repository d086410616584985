// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/options/query_methods.h"

#include <algorithm>

#include "espalier/aabb_query.h"
#include "espalier/box_query.h"
#include "espalier/cell_query.h"
#include "espalier/sphere_query.h"

namespace espalier::tools {
namespace {

/// Runs a class like AabbCollide: one contact. `kTest` is passed on to `begin`.
template <class Query, auto... kTest>
Status run_first(const PartView& a, const PartView& b, const Pose& pose, const Budget& budget,
                 QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose, kTest...);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    if (outcome.verdict == Verdict::kColliding) outcome.upper = 0;
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Runs a class like AabbContacts: all contacts. Without the last of them the verdict is open, but one is
/// enough to know the separation.
template <class Query, auto... kTest>
Status run_all(const PartView& a, const PartView& b, const Pose& pose, const Budget& budget,
               QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose, nullptr, 0, kTest...);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    outcome.contacts = query.count();
    if (outcome.contacts > 0) outcome.upper = 0;
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Runs a class like AabbDistance.
template <class Query>
Status run_distance(const PartView& a, const PartView& b, const Pose& pose, const Budget& budget,
                    QueryOutcome& outcome) {
    Query query;
    const Status status = query.begin(a, b, pose);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    outcome.lower = query.lower();
    outcome.upper = query.upper();
    outcome.counters = query.counters();
    return Status::kOk;
}

/// Open pairs that a sphere query keeps: far more than it needs to be exact, at 64 KiB.
constexpr std::size_t kSpherePairs = 4096;

/// Runs SphereQuery; without `kDistance` asks only whether the parts touch.
template <SphereOrder kOrder, bool kDistance>
Status run_sphere(const PartView& a, const PartView& b, const Pose& pose, const Budget& budget,
                  QueryOutcome& outcome) {
    SphereQueryOptions options;
    options.order = kOrder;
    if (!kDistance) options.goal.within = 0;
    SphereQuery<kSpherePairs> query;
    const Status status = query.begin(a, b, pose, options);
    if (status != Status::kOk) return status;
    outcome.verdict = query.step(budget);
    outcome.lower = query.lower();
    outcome.upper = query.upper();
    outcome.level = query.level();
    outcome.counters = query.counters();
    return Status::kOk;
}

template <bool kDistance>
std::vector<OverlapVariant> sphere_orders() {
    return {{"best", run_sphere<SphereOrder::kBestFirst, kDistance>},
            {"level", run_sphere<SphereOrder::kLevel, kDistance>},
            {"widest", run_sphere<SphereOrder::kWidestFirst, kDistance>}};
}

bool has_sphere(const PartView& part) {
    return part.sphere.spheres != nullptr;
}

bool has_aabb(const PartView& part) {
    return part.aabb.nodes != nullptr;
}

bool has_box(const PartView& part) {
    return part.box.leaf_count > 0;
}

bool has_cell(const PartView& part) {
    return part.cell.unit_count > 0;
}

const std::vector<QueryMethod>& methods() {
    static const std::vector<QueryMethod> all = {
        {"aabb",
         QueryMode::kFirst,
         has_aabb,
         {{"satlite", run_first<AabbCollide, Overlap::kSatLite>},
          {"sat", run_first<AabbCollide, Overlap::kSat>}}},
        {"aabb",
         QueryMode::kAll,
         has_aabb,
         {{"satlite", run_all<AabbContacts, Overlap::kSatLite>},
          {"sat", run_all<AabbContacts, Overlap::kSat>}}},
        {"aabb", QueryMode::kDistance, has_aabb, {{"", run_distance<AabbDistance>}}},
        {"box",
         QueryMode::kFirst,
         has_box,
         {{"satlite", run_first<BoxCollide<BoxOverlap::kSatLite>>},
          {"sat", run_first<BoxCollide<BoxOverlap::kSat>>},
          {"axis", run_first<BoxCollide<BoxOverlap::kAxis>>},
          {"table", run_first<BoxCollide<BoxOverlap::kTable>>}}},
        {"box",
         QueryMode::kAll,
         has_box,
         {{"satlite", run_all<BoxContacts<BoxOverlap::kSatLite>>},
          {"sat", run_all<BoxContacts<BoxOverlap::kSat>>},
          {"axis", run_all<BoxContacts<BoxOverlap::kAxis>>},
          {"table", run_all<BoxContacts<BoxOverlap::kTable>>}}},
        {"box", QueryMode::kDistance, has_box, {{"", run_distance<BoxDistance>}}},
        {"cell",
         QueryMode::kFirst,
         has_cell,
         {{"satlite", run_first<CellCollide<CellOverlap::kSatLite>>},
          {"sat", run_first<CellCollide<CellOverlap::kSat>>},
          {"axis", run_first<CellCollide<CellOverlap::kAxis>>},
          {"clip", run_first<CellCollide<CellOverlap::kClip>>}}},
        {"cell",
         QueryMode::kAll,
         has_cell,
         {{"satlite", run_all<CellContacts<CellOverlap::kSatLite>>},
          {"sat", run_all<CellContacts<CellOverlap::kSat>>},
          {"axis", run_all<CellContacts<CellOverlap::kAxis>>},
          {"clip", run_all<CellContacts<CellOverlap::kClip>>}}},
        {"cell", QueryMode::kDistance, has_cell, {{"", run_distance<CellDistance>}}},
        {"sphere", QueryMode::kFirst, has_sphere, sphere_orders<false>(), "order"},
        {"sphere", QueryMode::kDistance, has_sphere, sphere_orders<true>(), "order"},
    };
    return all;
}

/// Takes the outcome of one more pair of parts into that of the whole.
void join(const QueryOutcome& pair, QueryMode mode, bool is_first, QueryOutcome& whole) {
    whole.lower = is_first ? pair.lower : std::min(whole.lower, pair.lower);
    whole.upper = is_first ? pair.upper : std::min(whole.upper, pair.upper);
    whole.contacts += pair.contacts;
    whole.level = is_first ? pair.level : std::min(whole.level, pair.level);
    whole.counters.node_tests += pair.counters.node_tests;
    whole.counters.leaf_pairs += pair.counters.leaf_pairs;
    whole.counters.triangle_tests += pair.counters.triangle_tests;
    whole.counters.exact_tests += pair.counters.exact_tests;
    // A list of contacts is complete only if every pair's is; else one collision decides.
    const auto is = [&](Verdict verdict) {
        return pair.verdict == verdict || (!is_first && whole.verdict == verdict);
    };
    const bool list = mode == QueryMode::kAll;
    if (is(Verdict::kColliding) && !(list && is(Verdict::kUnresolved)))
        whole.verdict = Verdict::kColliding;
    else
        whole.verdict = is(Verdict::kUnresolved) ? Verdict::kUnresolved : Verdict::kDisjoint;
}

}  // namespace

const std::vector<std::string>& query_mode_names() {
    static const std::vector<std::string> names = {"first", "all", "distance"};
    return names;
}

const QueryMethod* find_query_method(const std::string& tree, QueryMode mode) {
    for (const QueryMethod& method : methods())
        if (method.tree == tree && method.mode == mode) return &method;
    return nullptr;
}

Status query_parts(RunQuery run, QueryMode mode, const std::vector<PartView>& a,
                   const std::vector<PartView>& b, const Pose& pose, std::uint64_t node_tests,
                   QueryOutcome& outcome) {
    outcome = QueryOutcome();
    bool is_first = true;
    for (const PartView& part_a : a)
        for (const PartView& part_b : b) {
            Budget budget;
            budget.node_tests = node_tests == Budget::kUnlimited
                                    ? node_tests
                                    : node_tests - std::min(node_tests, outcome.counters.node_tests);
            QueryOutcome pair;
            const Status status = run(part_a, part_b, pose, budget, pair);
            if (status != Status::kOk) return status;
            join(pair, mode, is_first, outcome);
            is_first = false;
            if (mode != QueryMode::kAll && outcome.upper == 0) return Status::kOk;
        }
    return Status::kOk;
}

}  // namespace espalier::tools
