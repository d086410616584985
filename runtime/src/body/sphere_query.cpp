// SPDX-License-Identifier: MIT
// The time-critical query of bodies (Hubbard 1996, sections 2, 3.2 and 7): one budget, and at each turn the
// pair of parts that holds the bounds apart.
#include <new>

#include "../base/memory_layout.h"
#include "../format/hierarchies.h"
#include "espalier/body_sphere_query.h"
#include "sphere_state.h"

namespace espalier {
namespace {

bool satisfied(const BodySphereState& s) {
    const double within = s.options.pair.goal.within;
    return s.upper == 0 || (within < kInfiniteDistance && s.upper <= within);
}

void leave(BodySphereState* s, double lower) {
    if (lower < s->rest) s->rest = lower;
}

/// Takes a pair into the table, if it may matter.
void consider(BodySphereState* s, ActivePair pair) {
    const bool parts = s->bodies.node(0, pair.a).count == 0 && s->bodies.node(1, pair.b).count == 0;
    if (parts) {
        if (!s->bodies.take_parts(s->bodies.node(0, pair.a).first, s->bodies.node(1, pair.b).first)) return;
        bound_parts(s->bodies.shape_a(), s->bodies.shape_b(), s->bodies.pose(), &pair);
    }
    if (pair.upper < s->upper && (parts || !s->bodies.self())) {
        s->upper = pair.upper;
        s->nearest[0] = parts ? s->bodies.part_a() : kNoIndex;
        s->nearest[1] = parts ? s->bodies.part_b() : kNoIndex;
        s->by_triangles = false;
    }
    if (pair.lower > useful_distance(*s)) return leave(s, pair.lower);
    s->pairs.push(pair);
}

void open_pair(BodySphereState* s, std::uint32_t index) {
    const ActivePair pair = s->pairs[index];
    s->pairs.remove(index);
    s->counters.node_tests += s->bodies.open(
        pair.a, pair.b,
        [&](std::uint32_t a, std::uint32_t b, const NodeBox& box_a, const NodeBox& box_b) {
            consider(s, pair_of_boxes(a, b, box_a, box_b, pair.lower));
        },
        [&](std::uint32_t node) {
            s->pairs.push({pair.lower, kInfiniteDistance, node, node, kNoSlot, 0});
        });
}

/// The slot of a pair of parts, from before; kNoSlot if there is none.
std::uint32_t slot_of(const BodySphereState& s, std::uint32_t part_a, std::uint32_t part_b) {
    for (std::uint32_t i = 0; i < s.pairs.slots.count(); ++i)
        if (s.pairs.slots[i].part_a == part_a && s.pairs.slots[i].part_b == part_b) return i;
    return kNoSlot;
}

/// The slot that is missed least: one that was never used, nobody's, or that of the pair farthest apart.
std::uint32_t slot_to_take(const BodySphereState& s) {
    std::uint32_t best = 0;
    for (std::uint32_t i = 0; i < s.pairs.slots.count(); ++i) {
        const PairSlot &slot = s.pairs.slots[i], &other = s.pairs.slots[best];
        if (slot.part_a == kNoIndex) return i;
        const bool owned = slot.owner != kNoSlot, other_owned = other.owner != kNoSlot;
        if (owned != other_owned ? other_owned : slot.lower > other.lower) best = i;
    }
    return best;
}

void count_work(BodySphereState* s, PairSlot* slot) {
    const Counters& now = slot->query.counters();
    s->counters.node_tests += now.node_tests - slot->told.node_tests;
    s->counters.leaf_pairs += now.leaf_pairs - slot->told.leaf_pairs;
    s->counters.triangle_tests += now.triangle_tests - slot->told.triangle_tests;
    s->counters.exact_tests += now.exact_tests - slot->told.exact_tests;
    slot->told = now;
}

/// Takes in what the query of the parts at hand has proved.
void learn(BodySphereState* s, PairSlot* slot) {
    count_work(s, slot);
    slot->lower = slot->query.lower();
    if (!(slot->query.upper() < s->upper)) return;
    s->upper = slot->query.upper();
    s->nearest[0] = s->bodies.part_a();
    s->nearest[1] = s->bodies.part_b();
    s->by_triangles = slot->query.closest(&s->closest.found);
    if (!s->by_triangles) return;
    s->closest.part_a = s->nearest[0];
    s->closest.part_b = s->nearest[1];
    s->bodies.place_point(s->closest.found.point_a);
    s->bodies.place_point(s->closest.found.point_b);
}

/// A query from before `advance` goes on in the present poses.
void wake(BodySphereState* s, PairSlot* slot) {
    const Status status = slot->query.advance(s->bodies.pose());
    ESPALIER_ASSERT(status == Status::kOk);
    static_cast<void>(status);
    slot->told = Counters();
    slot->stale = false;
    learn(s, slot);
}

/// Gives the pair of parts at hand a slot, if it has none.
void enter_slot(BodySphereState* s, std::uint32_t index) {
    if (s->pairs[index].slot != kNoSlot) return;
    const std::uint32_t part_a = s->bodies.part_a(), part_b = s->bodies.part_b();
    std::uint32_t number = slot_of(*s, part_a, part_b);
    if (number != kNoSlot) {
        s->pairs.set_slot(index, number);
        if (s->pairs.slots[number].stale) wake(s, &s->pairs.slots[number]);
        return;
    }
    number = slot_to_take(*s);
    PairSlot* slot = &s->pairs.slots[number];
    if (slot->owner != kNoSlot) s->pairs.set_slot(slot->owner, kNoSlot);
    slot->part_a = part_a;
    slot->part_b = part_b;
    slot->stale = false;
    slot->told = Counters();
    const Status status = slot->query.begin(s->bodies.shape_a(), s->bodies.shape_b(), s->bodies.pose(),
                                            s->options.pair, slot->front(), s->pairs.slots.open_pairs());
    // Trees, bounds, poses and options were checked before: nothing is left to fail.
    ESPALIER_ASSERT(status == Status::kOk);
    static_cast<void>(status);
    s->pairs.set_slot(index, number);
    learn(s, slot);
}

/// Begins the turn of a pair of parts; longer each time that it had to start anew.
void begin_turn(BodySphereState* s, std::uint32_t index) {
    ActivePair pair = s->pairs[index];
    s->bodies.take_parts(s->bodies.node(0, pair.a).first, s->bodies.node(1, pair.b).first);
    if (pair.slot == kNoSlot && pair.restarts < 20) ++pair.restarts;
    enter_slot(s, index);
    pair.slot = s->turn_slot = s->pairs[index].slot;
    s->pairs.update(index, pair);
    s->turn_left = s->options.slice > 0 ? s->options.slice : 1;
    s->turn_left <<= pair.restarts > 0 ? pair.restarts - 1 : 0;
    const bool only = s->pairs.count() == 1 && s->rest == kInfiniteDistance;
    if (only) s->turn_left = Budget::kUnlimited;  // nobody waits, and no other tells what does not matter
}

/// Goes on with the turn that was begun, as far as the budget allows. Where steps end changes nothing but
/// when it is known.
void go_on_with_turn(BodySphereState* s, const Budget& budget, std::uint64_t most_tests) {
    PairSlot* slot = &s->pairs.slots[s->turn_slot];
    s->bodies.take_parts(slot->part_a, slot->part_b);
    const std::uint64_t used = s->counters.node_tests;
    const std::uint64_t left = most_tests > used ? most_tests - used : 0;
    Budget rest = budget;
    rest.node_tests = s->turn_left < left ? s->turn_left : left;
    slot->query.step(rest);
    learn(s, slot);
    ActivePair pair = s->pairs[slot->owner];
    if (slot->lower > pair.lower) pair.lower = slot->lower;
    if (slot->query.upper() < pair.upper) pair.upper = slot->query.upper();
    if (pair.lower > pair.upper) pair.lower = pair.upper;
    slot->lower = pair.lower;
    const std::uint32_t index = s->pairs.update(slot->owner, pair);
    const std::uint64_t done = s->counters.node_tests - used;
    s->turn_left = slot->query.done() || done >= s->turn_left ? 0 : s->turn_left - done;
    if (s->turn_left > 0 || (!slot->query.done() && !(pair.lower > useful_distance(*s)))) return;
    leave(s, pair.lower);
    s->pairs.remove(index);
}

/// Nothing in the table matters any more.
bool finished(const BodySphereState& s) {
    return s.turn_left == 0 && (s.pairs.count() == 0 || s.pairs[0].lower > useful_distance(s));
}

/// Works on the pair whose turn it is, or opens one of groups.
void work(BodySphereState* s, const Budget& budget, std::uint64_t most_tests) {
    if (s->turn_left == 0) {
        // A full table is worked off depth first, so that it never overflows.
        const std::uint32_t next = s->pairs.room() < kDepthFirstRoom ? s->pairs.deepest() : 0;
        const ActivePair& pair = s->pairs[next];
        if (pair.lower > useful_distance(*s)) {
            leave(s, pair.lower);
            return s->pairs.remove(next);
        }
        if (s->bodies.node(0, pair.a).count > 0 || s->bodies.node(1, pair.b).count > 0)
            return open_pair(s, next);
        begin_turn(s, next);
    }
    go_on_with_turn(s, budget, most_tests);
}

void run(BodySphereState* s, const Budget& budget) {
    const std::uint64_t most_tests = budget_limit(budget, s->counters);
    for (;;) {
        if (satisfied(*s) || finished(*s)) {
            s->done = true;
            return;
        }
        if (s->counters.node_tests >= most_tests || (budget.expired && budget.expired(budget.user))) return;
        work(s, budget, most_tests);
    }
}

/// Takes what is known now into the lower bound.
void update_lower(BodySphereState* s) {
    double lower = s->rest;
    if (s->pairs.count() > 0 && s->pairs[0].lower < lower) lower = s->pairs[0].lower;
    if (lower > s->lower) s->lower = lower;
    if (s->lower > s->upper) s->lower = s->upper;
}

/// Forgets all pairs, and begins at the roots.
void start_at_roots(BodySphereState* s) {
    s->pairs.clear();
    s->counters = Counters();
    s->lower = 0;
    s->upper = s->rest = kInfiniteDistance;
    s->nearest[0] = s->nearest[1] = kNoIndex;
    s->by_triangles = false;
    s->turn_left = 0;
    s->done = false;
    for (std::uint32_t i = 0; i < s->pairs.slots.count(); ++i) s->pairs.slots[i].owner = kNoSlot;
}

void push_roots(BodySphereState* s) {
    const std::uint32_t a = s->bodies.node_count(0), b = s->bodies.node_count(1);
    if (a > 0 && b > 0 && s->bodies.self() && a > 1)
        s->pairs.push({0, kInfiniteDistance, a - 1, b - 1, kNoSlot, 0});
    else if (a == 1 && b == 1 && !s->bodies.self())
        consider(s, {0, kInfiniteDistance, 0, 0, kNoSlot, 0});  // no box is placed: see BodyPair::set
    else if (a > 0 && b > 0 && !s->bodies.self())
        consider(s, pair_of_boxes(a - 1, b - 1, s->bodies.box<0>(s->bodies.node(0, a - 1)),
                                  s->bodies.box<1>(s->bodies.node(1, b - 1)), 0));
    update_lower(s);
}

bool sound(const SphereQueryOptions& o) {
    return o.goal.within >= 0 && o.goal.relative_tolerance >= 0 && o.goal.absolute_tolerance >= 0 &&
           o.skin >= 0 && o.order <= SphereOrder::kWidestFirst;
}

struct SphereMemory {
    unsigned char* slots;
    ActivePair* pairs;

    std::size_t take(MemoryLayout layout, const BodySphereCapacity& capacity) {
        slots = layout.take<unsigned char>(capacity.slots * PairSlots::bytes_of_one(capacity.open_pairs));
        pairs = layout.take<ActivePair>(capacity.part_pairs);
        return layout.used();
    }
};

/// @param own the memory is the query's own
void lay_out(BodySphereState* s, void* memory, bool own, const BodySphereCapacity& capacity) {
    SphereMemory arrays;
    arrays.take(MemoryLayout(memory), capacity);
    const std::size_t stride = PairSlots::bytes_of_one(capacity.open_pairs);
    for (std::uint32_t i = 0; i < capacity.slots; ++i) {
        PairSlot* slot = new (arrays.slots + i * stride) PairSlot;
        slot->part_a = slot->part_b = kNoIndex;
        slot->owner = kNoSlot;
        slot->stale = false;
    }
    s->pairs.slots.begin(arrays.slots, own, capacity.slots, capacity.open_pairs);
    s->pairs.begin(arrays.pairs, own, capacity.part_pairs);
}

/// After `bodies` was set with this status.
Status begin_query(BodySphereState* s, Status status, const BodySphereOptions& options,
                   const BodySphereCapacity& capacity, void* memory, std::size_t size, bool own) {
    if (status != Status::kOk) return status;
    if (!(s->bodies.trees() & HierarchiesToRead::bit_of<SphereTreeView>())) return Status::kNoTree;
    const std::size_t needed = BodySphereQueryBase::memory_size(capacity);
    if (!memory || !is_aligned(memory) || needed == 0 || size < needed || !sound(options.pair))
        return Status::kInvalidArgument;
    s->options = options;
    lay_out(s, memory, own, capacity);
    start_at_roots(s);
    push_roots(s);
    s->ready = true;
    return Status::kOk;
}

BodySphereState* fresh(unsigned char (&bytes)[1024]) {
    BodySphereState* s = make_state<BodySphereState>(bytes);
    s->ready = s->done = false;
    s->lower = 0;
    s->upper = kInfiniteDistance;
    s->counters = Counters();
    s->by_triangles = false;
    s->nearest[0] = s->nearest[1] = kNoIndex;
    s->pairs.slots.begin(nullptr, false, 0, 0);
    s->pairs.begin(nullptr, false, 0);
    return s;
}

}  // namespace

std::size_t BodySphereQueryBase::memory_size(const BodySphereCapacity& capacity) {
    if (capacity.slots == 0 || capacity.slots > kMostSlots) return 0;
    if (capacity.open_pairs < SphereQueryBase::kLeastCapacity || capacity.open_pairs > kMostOpenPairs)
        return 0;
    if (capacity.part_pairs < kLeastPartPairs || capacity.part_pairs > kMostPartPairs) return 0;
    SphereMemory arrays;
    return arrays.take(MemoryLayout(nullptr), capacity);
}

Status BodySphereQueryBase::begin(const Body& a, const Body& b, const Pose& pose,
                                  const BodySphereOptions& options, const BodySphereCapacity& capacity,
                                  void* memory, std::size_t size) {
    BodySphereState* s = fresh(state_);
    begun_ = true;
    return begin_query(s, s->bodies.set(a, b, pose), options, capacity, memory, size, memory == this + 1);
}

Status BodySphereQueryBase::begin_self(const Body& body, const BodySphereOptions& options,
                                       const BodySphereCapacity& capacity, void* memory, std::size_t size) {
    BodySphereState* s = fresh(state_);
    begun_ = true;
    return begin_query(s, s->bodies.set_self(body), options, capacity, memory, size, memory == this + 1);
}

Status BodySphereQueryBase::advance(const Pose& pose) {
    BodySphereState* s = begun_ ? state<BodySphereState>(state_) : nullptr;
    if (!s || !s->ready) return Status::kInvalidArgument;
    if (!s->bodies.move(pose)) return Status::kInvalidArgument;
    const std::uint32_t nearest = slot_of(*s, s->nearest[0], s->nearest[1]);
    start_at_roots(s);
    for (std::uint32_t i = 0; i < s->pairs.slots.count(); ++i)
        s->pairs.slots[i].stale = s->pairs.slots[i].part_a != kNoIndex;
    if (nearest != kNoSlot && s->pairs.slots[nearest].stale) {
        s->bodies.take_parts(s->pairs.slots[nearest].part_a, s->pairs.slots[nearest].part_b);
        wake(s, &s->pairs.slots[nearest]);
    }
    push_roots(s);
    return Status::kOk;
}

Verdict BodySphereQueryBase::step(const Budget& budget) {
    BodySphereState* s = state<BodySphereState>(state_);
    if (s->ready && !s->done) {
        run(s, budget);
        update_lower(s);
    }
    return verdict();
}

Verdict BodySphereQueryBase::verdict() const {
    const BodySphereState* s = state<BodySphereState>(state_);
    if (s->upper == 0) return Verdict::kColliding;
    return s->lower > 0 ? Verdict::kDisjoint : Verdict::kUnresolved;
}

bool BodySphereQueryBase::done() const {
    return state<BodySphereState>(state_)->done;
}

double BodySphereQueryBase::lower() const {
    return state<BodySphereState>(state_)->lower;
}

double BodySphereQueryBase::upper() const {
    return state<BodySphereState>(state_)->upper;
}

bool BodySphereQueryBase::nearest(std::uint32_t* part_a, std::uint32_t* part_b) const {
    const BodySphereState* s = state<BodySphereState>(state_);
    if (s->nearest[0] == kNoIndex) return false;
    *part_a = s->nearest[0];
    *part_b = s->nearest[1];
    return true;
}

bool BodySphereQueryBase::closest(BodyClosestPair* pair) const {
    const BodySphereState* s = state<BodySphereState>(state_);
    if (s->by_triangles) *pair = s->closest;
    return s->by_triangles;
}

std::uint32_t BodySphereQueryBase::active_pairs() const {
    const BodySphereState* s = state<BodySphereState>(state_);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < s->pairs.count(); ++i)
        if (!(s->pairs[i].lower > useful_distance(*s))) ++count;
    return count;
}

std::uint32_t BodySphereQueryBase::started_pairs() const {
    const BodySphereState* s = state<BodySphereState>(state_);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < s->pairs.count(); ++i)
        if (s->pairs[i].slot != kNoSlot && !(s->pairs[i].lower > useful_distance(*s))) ++count;
    return count;
}

const Counters& BodySphereQueryBase::counters() const {
    return state<BodySphereState>(state_)->counters;
}

}  // namespace espalier
