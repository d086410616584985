// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/host_query/parallel_query.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>

#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "runtime/src/cell/leaf.h"

namespace espalier {
namespace {

/// Pairs of subtrees that a query is divided into, at least, if it has that number: more than threads, since
/// they differ in work.
constexpr std::size_t kPairs = 64;
/// Items that a subtree has room for at first; one with more is searched again.
constexpr std::size_t kRoom = 256;
/// Node tests between two looks at what the others have found.
constexpr std::uint64_t kStride = 2000;

struct Subtree {
    CellRange range;
    CellVolume cell;
};

/// What one task looks at.
struct SubtreePair {
    Subtree a, b;
    double gap;  ///< lower bound of their distance, beyond rounding; 0 when they may meet
};

/// The children of a subtree that are not empty, or itself when it is a leaf.
std::vector<Subtree> children(const CellTreeView& tree, const Subtree& parent) {
    if (parent.range.leaf()) return {parent};
    std::vector<Subtree> found;
    for (unsigned child = 0; child < 2; ++child) {
        const CellRange range = cell_child(tree.nodes, parent.range, child);
        if (range.empty()) continue;
        found.push_back({range, child_cell(tree.nodes[parent.range.node], tree.delta, parent.cell, child)});
        skip_chipped(tree.nodes, tree.delta, &found.back().range, &found.back().cell);
    }
    return found;
}

/// Lower bound of the distance of two cells along A's axes. B's is enclosed with the rounding margin.
double gap_of(const CellVolume& a, const CellVolume& b, const PairFrame& frame) {
    const CellVolume box = enclose_in_a(b, frame);
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double gap =
            std::max({double(a.lo[k]) - double(box.hi[k]), double(box.lo[k]) - double(a.hi[k]), 0.0});
        squared += gap * gap;
    }
    return std::sqrt(squared);
}

/// Divides a query by descending both trees together, level by level, so that the pairs lie where the work
/// is. Pairs farther apart than `reach` are left out. In a fixed order.
std::vector<SubtreePair> divide(const ShapeView& a, const ShapeView& b, const PairFrame& frame,
                                double reach) {
    std::vector<SubtreePair> pairs = {{{CellRange{0, a.cell.unit_count}, root_cell(a.cell)},
                                       {CellRange{0, b.cell.unit_count}, root_cell(b.cell)},
                                       0}};
    for (bool divided = true; divided && !pairs.empty() && pairs.size() < kPairs;) {
        divided = false;
        std::vector<SubtreePair> next;
        for (const SubtreePair& pair : pairs) {
            divided = divided || !pair.a.range.leaf() || !pair.b.range.leaf();
            for (const Subtree& x : children(a.cell, pair.a))
                for (const Subtree& y : children(b.cell, pair.b)) {
                    const double gap = gap_of(x.cell, y.cell, frame);
                    if (gap <= reach) next.push_back({x, y, gap});
                }
        }
        pairs = std::move(next);
    }
    return pairs;
}

/// The part with one subtree for its tree. Everything else is the whole part's, so all arithmetic is the
/// same.
ShapeView with_subtree(const ShapeView& part, const Subtree& subtree) {
    ShapeView view = part;
    view.cell.nodes += subtree.range.node;
    view.cell.unit_count = subtree.range.units;
    std::copy_n(subtree.cell.lo, 3, view.cell.lo);
    std::copy_n(subtree.cell.hi, 3, view.cell.hi);
    return view;
}

/// Runs `task(index, part of A, part of B)` for every pair, one at a time a thread.
template <class Task>
void for_pairs(const ShapeView& a, const ShapeView& b, const std::vector<SubtreePair>& pairs, Task task) {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, pairs.size(), 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
            for (std::size_t i = range.begin(); i < range.end(); ++i)
                task(i, with_subtree(a, pairs[i].a), with_subtree(b, pairs[i].b));
        },
        tbb::simple_partitioner());
}

/// The placement and the pairs of a query, or why it cannot be asked.
Status prepare(const ShapeView& a, const ShapeView& b, const Pose& pose, std::vector<SubtreePair>* pairs) {
    if (a.cell.unit_count == 0 || b.cell.unit_count == 0) return Status::kNoTree;
    PairFrame frame;
    const Status status = make_pair_frame(a, b, pose, &frame);
    if (status == Status::kOk) *pairs = divide(a, b, frame, 0);
    return status;
}

template <class Number>
void lower_to(std::atomic<Number>& shared, Number value) {
    Number now = shared.load();
    while (value < now && !shared.compare_exchange_weak(now, value)) {
    }
}

/// All items of a kind of query over all pairs of subtrees, sorted by `key`. An item on the border of
/// subtrees is at home in one leaf of each.
template <class Query, class Item, class Key>
Status collect(const ShapeView& a, const ShapeView& b, const Pose& pose, std::vector<Item>* items, Key key) {
    std::vector<SubtreePair> pairs;
    const Status status = prepare(a, b, pose, &pairs);
    if (status != Status::kOk) return status;
    std::vector<std::vector<Item>> found(pairs.size());
    for_pairs(a, b, pairs, [&](std::size_t i, const ShapeView& part_a, const ShapeView& part_b) {
        const auto query = std::make_unique_for_overwrite<Query>();
        const auto room = std::make_unique_for_overwrite<Item[]>(kRoom);
        query->begin(part_a, part_b, pose, room.get(), kRoom);
        query->step();
        if (query->count() <= kRoom) {
            found[i].assign(room.get(), room.get() + query->count());
            return;
        }
        found[i].resize(query->count());
        query->begin(part_a, part_b, pose, found[i].data(), found[i].size());
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

Status parallel_cell_collide(const ShapeView& a, const ShapeView& b, const Pose& pose, Verdict* verdict,
                             CellWitness* witness) {
    std::vector<SubtreePair> pairs;
    const Status status = prepare(a, b, pose, &pairs);
    if (status != Status::kOk) return status;
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> first{kNone};
    std::vector<CellWitness> found(pairs.size());
    for_pairs(a, b, pairs, [&](std::size_t i, const ShapeView& part_a, const ShapeView& part_b) {
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
        const auto query = std::make_unique_for_overwrite<Collide<CellTreeView>>();
        query->begin(part_a, part_b, pose);
        if (query->step(budget) != Verdict::kColliding) return;
        found[i] = query->contact();
        lower_to(first, i);
    });
    *verdict = first == kNone ? Verdict::kDisjoint : Verdict::kColliding;
    if (first != kNone) *witness = found[first];
    return Status::kOk;
}

Status parallel_cell_contacts(const ShapeView& a, const ShapeView& b, const Pose& pose,
                              std::vector<Contact>* contacts) {
    return collect<Contacts<CellTreeView>>(
        a, b, pose, contacts, [](const Contact& c) { return std::tuple(c.triangle_a, c.triangle_b); });
}

Status parallel_cell_witnesses(const ShapeView& a, const ShapeView& b, const Pose& pose,
                               std::vector<CellWitness>* witnesses) {
    return collect<CellWitnesses<>>(a, b, pose, witnesses, [](const CellWitness& w) {
        return std::tuple(w.edge_side, w.edge_triangle, w.edge_corner, w.triangle);
    });
}

Status parallel_cell_distance(const ShapeView& a, const ShapeView& b, const Pose& pose,
                              ClosestPair* closest) {
    // A start on the whole trees finds a pair that is nearly the nearest, which spares every subtree most of
    // its work, and often is the answer.
    const auto start = std::make_unique_for_overwrite<Distance<CellTreeView>>();
    const Status status = start->begin(a, b, pose);
    if (status != Status::kOk) return status;
    Budget budget;
    budget.node_tests = kStride;
    start->step(budget);
    if (start->done()) {
        *closest = start->closest();
        return Status::kOk;
    }
    const double infinity = std::numeric_limits<double>::infinity();
    PairFrame frame;
    make_pair_frame(a, b, pose, &frame);
    std::vector<SubtreePair> pairs = divide(a, b, frame, start->upper());
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const SubtreePair& x, const SubtreePair& y) { return x.gap < y.gap; });
    std::vector<ClosestPair> found(pairs.size() + 1);
    for (ClosestPair& pair : found) pair.distance = infinity;
    if (start->upper() < infinity) found.back() = start->closest();
    std::atomic<double> least{start->upper()};
    for_pairs(a, b, pairs, [&](std::size_t i, const ShapeView& part_a, const ShapeView& part_b) {
        if (pairs[i].gap > least.load()) return;
        const auto query = std::make_unique_for_overwrite<Distance<CellTreeView>>();
        query->begin(part_a, part_b, pose);
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
