// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/cell_tree/parallel_query.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <tuple>

#include "runtime/src/cell_volume.h"

namespace espalier {
namespace {

/// Subtrees a query is divided into: many more than threads, since they differ in work; each starts anew at
/// B's root.
constexpr std::size_t kSubtrees = 64;
/// Items that a subtree has room for at first; one with more is searched again.
constexpr std::size_t kRoom = 256;
/// Node tests between two looks at what the others have found.
constexpr std::uint64_t kStride = 2000;

struct Subtree {
    CellRange range;
    CellVolume cell;
};

/// A's tree as at least kSubtrees subtrees, if it has so many, in preorder. The largest are divided first.
std::vector<Subtree> divide(const CellTreeView& tree) {
    std::vector<Subtree> parts = {{CellRange{0, tree.unit_count}, root_cell(tree)}};
    while (parts.size() < kSubtrees) {
        const auto largest = std::max_element(
            parts.begin(), parts.end(),
            [](const Subtree& x, const Subtree& y) { return x.range.units < y.range.units; });
        if (largest->range.leaf()) break;
        const Subtree whole = *largest;
        parts.erase(largest);
        for (unsigned child = 0; child < 2; ++child) {
            const CellRange range = cell_child(tree.nodes, whole.range, child);
            const CellNode& node = tree.nodes[whole.range.node];
            if (!range.empty()) parts.push_back({range, child_cell(node, tree.delta, whole.cell, child)});
        }
    }
    std::sort(parts.begin(), parts.end(),
              [](const Subtree& x, const Subtree& y) { return x.range.node < y.range.node; });
    return parts;
}

/// The part with one subtree for its tree. Everything else is the whole part's, so all arithmetic is the
/// same.
PartView with_subtree(const PartView& part, const Subtree& subtree) {
    PartView view = part;
    view.cell.nodes += subtree.range.node;
    view.cell.unit_count = subtree.range.units;
    std::copy_n(subtree.cell.lo, 3, view.cell.lo);
    std::copy_n(subtree.cell.hi, 3, view.cell.hi);
    return view;
}

/// Runs `task(index, part of A)` for every subtree. The arguments were tried on the whole part before.
template <class Task>
void for_subtrees(const PartView& a, Task task) {
    const std::vector<Subtree> subtrees = divide(a.cell);
    tbb::parallel_for(std::size_t{0}, subtrees.size(),
                      [&](std::size_t i) { task(i, with_subtree(a, subtrees[i])); });
}

template <class Number>
void lower_to(std::atomic<Number>& shared, Number value) {
    Number now = shared.load();
    while (value < now && !shared.compare_exchange_weak(now, value)) {
    }
}

/// All items of a kind of query over all subtrees, sorted by `key`. A pair that lies on the border of
/// subtrees is at home in one leaf of each.
template <class Query, class Item, class Key>
Status collect(const PartView& a, const PartView& b, const Pose& pose, std::vector<Item>* items, Key key) {
    const Status status = std::make_unique_for_overwrite<Query>()->begin(a, b, pose, nullptr, 0);
    if (status != Status::kOk) return status;
    std::vector<std::vector<Item>> found(kSubtrees + 1);
    for_subtrees(a, [&](std::size_t i, const PartView& part) {
        const auto query = std::make_unique_for_overwrite<Query>();
        const auto room = std::make_unique_for_overwrite<Item[]>(kRoom);
        query->begin(part, b, pose, room.get(), kRoom);
        query->step();
        if (query->count() <= kRoom) {
            found[i].assign(room.get(), room.get() + query->count());
            return;
        }
        found[i].resize(query->count());
        query->begin(part, b, pose, found[i].data(), found[i].size());
        query->step();
    });
    items->clear();
    for (const std::vector<Item>& some : found) items->insert(items->end(), some.begin(), some.end());
    std::sort(items->begin(), items->end(), [&](const Item& x, const Item& y) { return key(x) < key(y); });
    items->erase(std::unique(items->begin(), items->end(),
                             [&](const Item& x, const Item& y) { return key(x) == key(y); }),
                 items->end());
    return Status::kOk;
}

}  // namespace

Status parallel_cell_collide(const PartView& a, const PartView& b, const Pose& pose, Verdict* verdict,
                             CellWitness* witness) {
    const Status status = std::make_unique_for_overwrite<CellCollide<>>()->begin(a, b, pose);
    if (status != Status::kOk) return status;
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> first{kNone};
    std::vector<CellWitness> found(kSubtrees + 1);
    for_subtrees(a, [&](std::size_t i, const PartView& part) {
        struct Watch {
            const std::atomic<std::size_t>& first;
            std::size_t own;
            static bool expired(void* user) {
                const auto* watch = static_cast<const Watch*>(user);
                return watch->first.load(std::memory_order_relaxed) < watch->own;
            }
        } watch{first, i};
        Budget budget;
        budget.expired = &Watch::expired;
        budget.user = &watch;
        const auto query = std::make_unique_for_overwrite<CellCollide<>>();
        query->begin(part, b, pose);
        if (query->step(budget) != Verdict::kColliding) return;
        found[i] = query->witness();
        lower_to(first, i);
    });
    *verdict = first == kNone ? Verdict::kDisjoint : Verdict::kColliding;
    if (first != kNone) *witness = found[first];
    return Status::kOk;
}

Status parallel_cell_contacts(const PartView& a, const PartView& b, const Pose& pose,
                              std::vector<Contact>* contacts) {
    return collect<CellContacts<>>(a, b, pose, contacts,
                                   [](const Contact& c) { return std::tuple(c.triangle_a, c.triangle_b); });
}

Status parallel_cell_witnesses(const PartView& a, const PartView& b, const Pose& pose,
                               std::vector<CellWitness>* witnesses) {
    return collect<CellWitnesses<>>(a, b, pose, witnesses, [](const CellWitness& w) {
        return std::tuple(w.edge_side, w.edge_triangle, w.edge_corner, w.triangle);
    });
}

Status parallel_cell_distance(const PartView& a, const PartView& b, const Pose& pose, ClosestPair* closest) {
    // A start on the whole trees finds a pair that is nearly the nearest, which spares every subtree most of
    // its work, and often is the answer.
    const auto start = std::make_unique_for_overwrite<CellDistance>();
    const Status status = start->begin(a, b, pose);
    if (status != Status::kOk) return status;
    Budget budget;
    budget.node_tests = kStride;
    start->step(budget);
    const double infinity = std::numeric_limits<double>::infinity();
    std::vector<ClosestPair> found(kSubtrees + 2);
    for (ClosestPair& pair : found) pair.distance = infinity;
    if (start->upper() < infinity) found.back() = start->closest();
    std::atomic<double> least{start->upper()};
    if (!start->done())
        for_subtrees(a, [&](std::size_t i, const PartView& part) {
            const auto query = std::make_unique_for_overwrite<CellDistance>();
            query->begin(part, b, pose);
            while (!query->done()) {
                query->tighten(least.load());
                query->step(budget);
                lower_to(least, query->upper());
            }
            if (query->upper() < infinity) found[i] = query->closest();
        });
    *closest = *std::min_element(found.begin(), found.end(), [](const ClosestPair& x, const ClosestPair& y) {
        return x.distance < y.distance;
    });
    return Status::kOk;
}

}  // namespace espalier
