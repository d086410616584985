// SPDX-License-Identifier: MIT
// The table of a time-critical query of bodies: pairs of nodes with what is known of them, as a binary heap
// with the least lower bound first, and among equals the least upper bound; and the slots in which some of
// them are refined.
#pragma once

#include <new>

#include "../base/assert.h"
#include "../base/own_pointer.h"
#include "espalier/sphere_query.h"

namespace espalier {

constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};

/// Two nodes, or two parts where both nodes are those of parts.
struct ActivePair {
    double lower, upper;     ///< of the separation of all that is below them
    std::uint32_t a, b;      ///< nodes
    std::uint32_t slot;      ///< where it is refined, or kNoSlot
    std::uint32_t restarts;  ///< how often it got one
};
static_assert(sizeof(ActivePair) == 32, "BodySphereQueryBase::memory_size promises bytes a pair");

/// A query of two parts, and whose it is. The open pairs of the query lie right behind it, where its `begin`
/// knows them for its own.
struct alignas(16) PairSlot {
    Counters told;         ///< of the query's counters, what was counted already
    double lower;          ///< of its pair, when it was looked at last
    std::uint32_t part_a;  ///< kNoIndex: nothing was begun here
    std::uint32_t part_b;
    std::uint32_t owner;  ///< place in the table, or kNoSlot
    bool stale;           ///< the query is of poses before `advance`
    SphereQueryBase query;

    SpherePair* front() { return reinterpret_cast<SpherePair*>(this + 1); }
};

/// Slots in memory of the caller's, or of the query's own.
class PairSlots {
  public:
    static std::size_t bytes_of_one(std::uint32_t open_pairs) {
        return sizeof(PairSlot) + std::size_t{open_pairs} * sizeof(SpherePair);
    }
    void begin(unsigned char* memory, bool own, std::uint32_t count, std::uint32_t open_pairs) {
        memory_.set(memory, own);
        count_ = count;
        open_pairs_ = open_pairs;
    }
    std::uint32_t count() const { return count_; }
    std::uint32_t open_pairs() const { return open_pairs_; }
    PairSlot& operator[](std::uint32_t i) const {
        ESPALIER_ASSERT(i < count_);
        return *std::launder(reinterpret_cast<PairSlot*>(memory_.get() + i * bytes_of_one(open_pairs_)));
    }

  private:
    OwnPointer<unsigned char> memory_;
    std::uint32_t count_, open_pairs_;
};

class ActivePairs {
  public:
    PairSlots slots;

    void begin(ActivePair* memory, bool own, std::uint32_t capacity) {
        memory_.set(memory, own);
        capacity_ = capacity;
        count_ = 0;
    }
    void clear() { count_ = 0; }

    std::uint32_t count() const { return count_; }
    std::uint32_t room() const { return capacity_ - count_; }
    const ActivePair& operator[](std::uint32_t i) const { return memory_.get()[i]; }

    /// Precondition: room() > 0.
    void push(const ActivePair& pair) {
        ESPALIER_ASSERT(count_ < capacity_);
        rise(count_++, pair);
    }

    /// Takes a pair out; a slot that it has is nobody's then.
    void remove(std::uint32_t i) {
        ESPALIER_ASSERT(i < count_);
        const ActivePair* const pairs = memory_.get();
        if (pairs[i].slot != kNoSlot) slots[pairs[i].slot].owner = kNoSlot;
        const ActivePair last = pairs[--count_];
        if (i < count_) settle(i, last);
    }

    /// Puts a changed pair in its place, which is returned.
    std::uint32_t update(std::uint32_t i, const ActivePair& pair) { return settle(i, pair); }

    void set_slot(std::uint32_t i, std::uint32_t slot) {
        memory_.get()[i].slot = slot;
        if (slot != kNoSlot) slots[slot].owner = i;
    }

    /// The pair that is deepest in the trees: the sum of the nodes' numbers is least, for children have lower
    /// numbers than their parents. Opening this one until none is left that is younger is a depth first
    /// search.
    std::uint32_t deepest() const {
        const ActivePair* const pairs = memory_.get();
        std::uint32_t best = 0;
        for (std::uint32_t i = 1; i < count_; ++i)
            if (pairs[i].a + pairs[i].b < pairs[best].a + pairs[best].b) best = i;
        return best;
    }

  private:
    static bool before(const ActivePair& x, const ActivePair& y) {
        if (x.lower != y.lower) return x.lower < y.lower;
        if (x.upper != y.upper) return x.upper < y.upper;
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    }

    void put(std::uint32_t i, const ActivePair& pair) {
        memory_.get()[i] = pair;
        if (pair.slot != kNoSlot) slots[pair.slot].owner = i;
    }

    std::uint32_t rise(std::uint32_t i, ActivePair pair) {
        const ActivePair* const pairs = memory_.get();
        while (i > 0 && before(pair, pairs[(i - 1) / 2])) {
            put(i, pairs[(i - 1) / 2]);
            i = (i - 1) / 2;
        }
        put(i, pair);
        return i;
    }

    std::uint32_t settle(std::uint32_t i, ActivePair pair) {
        const ActivePair* const pairs = memory_.get();
        for (;;) {
            std::uint32_t child = 2 * i + 1;
            if (child >= count_) break;
            if (child + 1 < count_ && before(pairs[child + 1], pairs[child])) ++child;
            if (!before(pairs[child], pair)) break;
            put(i, pairs[child]);
            i = child;
        }
        return rise(i, pair);
    }

    OwnPointer<ActivePair> memory_;
    std::uint32_t capacity_, count_;
};

}  // namespace espalier
