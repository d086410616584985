// SPDX-License-Identifier: MIT
// Sweep and prune with temporal coherence (Baraff 1992; Cohen, Lin, Manocha and Ponamgi 1995): on each axis
// the ends of all boxes are kept sorted by insertion. Two boxes begin or cease to overlap only where a lower
// end passes an upper one.
#include "../base/memory_layout.h"
#include "espalier/broad_phase.h"
#include "pair_table.h"

namespace espalier {

/// An end of a box on one axis. Lower ends come before upper ones of the same value: closed boxes that touch
/// overlap.
struct SweepAndPrune::End {
    double value;
    std::uint32_t key;  // upper end: kUpper + id; lower end: id

    static constexpr std::uint32_t kUpper = 1u << 31;
    std::uint32_t id() const { return key & ~kUpper; }
    bool upper() const { return (key & kUpper) != 0; }
};

namespace {

constexpr double kInfinity = __builtin_huge_val();

enum Flag : std::uint8_t {
    kPresent = 1,  // the caller sees the object
    kListed = 2,   // its ends are in the lists
};

/// Insertion may move ends by this many places an object before sorting anew is cheaper. Any value is
/// correct.
constexpr std::uint64_t kMovesPerObject = 64;

template <class E>
bool before(const E& x, const E& y) {
    return x.value < y.value || (x.value == y.value && x.key < y.key);
}

/// Heap sort: in place, without recursion, and never slower than O(n log n).
template <class E>
void sift_down(E* ends, std::uint32_t root, std::uint32_t count) {
    const E moving = ends[root];
    for (std::uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && before(ends[child], ends[child + 1])) ++child;
        if (!before(moving, ends[child])) break;
        ends[root] = ends[child];
        root = child;
    }
    ends[root] = moving;
}

template <class E>
void sort(E* ends, std::uint32_t count) {
    for (std::uint32_t i = count / 2; i > 0; --i) sift_down(ends, i - 1, count);
    for (std::uint32_t i = count; i > 1; --i) {
        const E largest = ends[0];
        ends[0] = ends[i - 1];
        ends[i - 1] = largest;
        sift_down(ends, 0, i - 1);
    }
}

/// Pairs of intervals that overlap on a sorted axis.
template <class E>
std::uint64_t overlaps_on(const E* ends, std::uint32_t count) {
    std::uint64_t overlaps = 0, open = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        if (ends[i].upper())
            --open;
        else
            overlaps += open++;
    return overlaps;
}

bool overlap(const BroadBox& a, const BroadBox& b) {
    for (int k = 0; k < 3; ++k)
        if (!(a.lo[k] <= b.hi[k] && b.lo[k] <= a.hi[k])) return false;
    return true;
}

}  // namespace

/// One update's work on the object's arrays.
struct SweepAndPrune::Work {
    SweepAndPrune& s;
    PairTable<BroadPair> table;

    explicit Work(SweepAndPrune* sweep)
        : s(*sweep), table{s.pairs_, &s.pair_count_, s.max_pairs_, s.buckets_, s.bucket_mask_} {}

    static std::size_t lay_out(MemoryLayout layout, std::uint32_t objects, std::uint32_t pairs,
                               SweepAndPrune* s) {
        SweepAndPrune measured;
        SweepAndPrune& out = s ? *s : measured;
        for (End*& ends : out.ends_) ends = layout.take<End>(std::size_t{2} * objects);
        out.boxes_ = layout.take<BroadBox>(objects);
        out.pairs_ = layout.take<BroadPair>(pairs);
        // A quarter of the buckets stays empty at the least, so that probing stays short.
        out.bucket_mask_ = power_of_two(pairs + pairs / 3 + 1) - 1;
        out.buckets_ = layout.take<std::uint32_t>(std::size_t{out.bucket_mask_} + 1);
        out.flags_ = layout.take<std::uint8_t>(objects);
        return layout.used();
    }

    /// False when there is no room.
    bool add(std::uint32_t x, std::uint32_t y) {
        const std::uint32_t a = x < y ? x : y, b = x < y ? y : x;
        if (table.find(a, b) != kNoPair) return true;
        const std::uint32_t index = table.insert(a, b);
        if (index == kNoPair) return false;
        table.records[index].time = -kInfinity;
        return true;
    }

    void drop(std::uint32_t x, std::uint32_t y) {
        const std::uint32_t index = table.find(x < y ? x : y, x < y ? y : x);
        if (index != kNoPair) table.remove(index);
    }

    /// Takes the ends of removed objects out of the lists, and their pairs out of the table.
    void forget_removed() {
        for (int axis = 0; axis < 3; ++axis) {
            std::uint32_t kept = 0;
            for (std::uint32_t i = 0; i < s.end_count_; ++i)
                if (s.flags_[s.ends_[axis][i].id()] & kPresent) s.ends_[axis][kept++] = s.ends_[axis][i];
            if (axis == 2) s.end_count_ = kept;
        }
        for (std::uint32_t id = 0; id < s.max_objects_; ++id)
            if (!(s.flags_[id] & kPresent)) s.flags_[id] = 0;
        for (std::uint32_t i = s.pair_count_; i > 0; --i) {
            const BroadPair& pair = s.pairs_[i - 1];
            if (!(s.flags_[pair.a] & kPresent) || !(s.flags_[pair.b] & kPresent)) table.remove(i - 1);
        }
        s.removed_ = 0;
    }

    /// Puts the ends of new objects last: as if they came from beyond everything else.
    void append_added() {
        for (std::uint32_t id = 0; id < s.max_objects_ && s.added_ > 0; ++id) {
            if ((s.flags_[id] & (kPresent | kListed)) != kPresent) continue;
            for (End* ends : s.ends_) {
                ends[s.end_count_].key = id;
                ends[s.end_count_ + 1].key = End::kUpper + id;
            }
            s.end_count_ += 2;
            s.flags_[id] |= kListed;
            --s.added_;
        }
    }

    void read_boxes() {
        for (int axis = 0; axis < 3; ++axis) {
            for (std::uint32_t i = 0; i < s.end_count_; ++i) {
                End& end = s.ends_[axis][i];
                end.value = end.upper() ? s.boxes_[end.id()].hi[axis] : s.boxes_[end.id()].lo[axis];
            }
        }
    }

    /// Insertion sort. False when it becomes too long, or a pair finds no room.
    bool insert_ends(int axis, std::uint64_t limit) {
        End* ends = s.ends_[axis];
        for (std::uint32_t i = 1; i < s.end_count_; ++i) {
            const End moving = ends[i];
            std::uint32_t at = i;
            for (; at > 0 && before(moving, ends[at - 1]); --at) {
                const End& passed = ends[at - 1];
                ends[at] = passed;
                if (moving.upper() == passed.upper()) continue;
                const std::uint32_t x = moving.id(), y = passed.id();
                if (moving.upper())
                    drop(x, y);
                else if (overlap(s.boxes_[x], s.boxes_[y]) && !add(x, y))
                    s.complete_ = false;  // sorting anew counts them all
            }
            ends[at] = moving;
            s.moves_ += i - at;
            if (!s.complete_ || s.moves_ > limit) return false;
        }
        return true;
    }

    /// Sorts and pairs everything, along the axis with the fewest overlaps.
    void rebuild() {
        s.rebuilt_ = true;
        table.clear();
        s.pair_total_ = 0;
        int best = 0;
        std::uint64_t fewest = 0;
        for (int axis = 0; axis < 3; ++axis) {
            sort(s.ends_[axis], s.end_count_);
            const std::uint64_t overlaps = overlaps_on(s.ends_[axis], s.end_count_);
            if (axis == 0 || overlaps < fewest) {
                best = axis;
                fewest = overlaps;
            }
        }
        const End* ends = s.ends_[best];
        for (std::uint32_t i = 0; i < s.end_count_; ++i)
            if (!ends[i].upper()) pair_from(ends, i);
        s.complete_ = s.pair_total_ == s.pair_count_;
    }

    /// Pairs the box that begins at `first` with those that begin before it ends.
    void pair_from(const End* ends, std::uint32_t first) {
        const std::uint32_t x = ends[first].id();
        for (std::uint32_t i = first + 1; ends[i].key != (End::kUpper + x); ++i) {
            if (ends[i].upper() || !overlap(s.boxes_[x], s.boxes_[ends[i].id()])) continue;
            ++s.pair_total_;
            if (s.pair_count_ < s.max_pairs_) add(x, ends[i].id());
        }
    }
};

std::size_t SweepAndPrune::memory_size(std::uint32_t max_objects, std::uint32_t max_pairs) {
    if (max_objects == 0 || max_objects > kMaxObjects || max_pairs == 0 || max_pairs > kMaxPairs) return 0;
    return Work::lay_out(MemoryLayout(nullptr), max_objects, max_pairs, nullptr);
}

Status SweepAndPrune::begin(void* memory, std::size_t size, std::uint32_t max_objects,
                            std::uint32_t max_pairs) {
    const std::size_t needed = memory_size(max_objects, max_pairs);
    if (!memory || !is_aligned(memory) || needed == 0 || size < needed) return Status::kInvalidArgument;
    *this = SweepAndPrune();
    max_objects_ = max_objects;
    max_pairs_ = max_pairs;
    Work::lay_out(MemoryLayout(memory), max_objects, max_pairs, this);
    for (std::uint32_t id = 0; id < max_objects; ++id) flags_[id] = 0;
    Work(this).table.clear();
    return Status::kOk;
}

Status SweepAndPrune::set(std::uint32_t id, const BroadBox& box) {
    if (id >= max_objects_) return Status::kInvalidArgument;
    for (int k = 0; k < 3; ++k)
        if (!(box.lo[k] <= box.hi[k])) return Status::kInvalidArgument;
    boxes_[id] = box;
    if (flags_[id] & kPresent) return Status::kOk;
    // An object that left and comes back before the update still has its ends.
    if (flags_[id] & kListed)
        --removed_;
    else
        ++added_;
    flags_[id] |= kPresent;
    return Status::kOk;
}

Status SweepAndPrune::remove(std::uint32_t id) {
    if (!contains(id)) return Status::kInvalidArgument;
    flags_[id] = static_cast<std::uint8_t>(flags_[id] & ~kPresent);
    if (flags_[id] & kListed)
        ++removed_;
    else
        --added_;
    return Status::kOk;
}

Status SweepAndPrune::update() {
    if (max_objects_ == 0) return Status::kInvalidArgument;
    Work work(this);
    moves_ = 0;
    rebuilt_ = false;
    if (removed_ > 0) work.forget_removed();
    const bool many_new = added_ > 8 && added_ > end_count_ / 16;
    if (added_ > 0) work.append_added();
    work.read_boxes();
    bool sorted = complete_ && !many_new;
    const std::uint64_t limit = kMovesPerObject * (end_count_ / 2 + 4);
    for (int axis = 0; axis < 3 && sorted; ++axis) sorted = work.insert_ends(axis, limit);
    if (sorted)
        pair_total_ = pair_count_;
    else
        work.rebuild();
    return complete_ ? Status::kOk : Status::kBufferFull;
}

}  // namespace espalier
