// SPDX-License-Identifier: MIT
// The open pairs of a sphere query: a binary heap, least key first, then least spheres, so that equal pairs
// follow each other. It lies in the caller's memory or in the query's own, which a copy of the query has too:
// that is found by its distance from here.
#pragma once

#include <cstdint>
#include <cstring>

#include "../base/assert.h"
#include "espalier/sphere_query.h"

namespace espalier {

/// Keys from here on are not refined any more: remembered for the next frame.
constexpr std::uint32_t kParked = 0x80000000u;
/// A pair of leaves whose triangles are not asked for: it keeps its gap.
constexpr std::uint32_t kEndOfSpheres = 0xfffffffeu;
/// A pair of leaves whose triangles were measured: its gap says nothing any more.
constexpr std::uint32_t kMeasured = 0xffffffffu;

/// Floats in 31 bits, in their order.
inline std::uint32_t ordered_bits(float x) {
    std::uint32_t bits;
    std::memcpy(&bits, &x, 4);
    const std::uint32_t ordered = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return ordered >> 1;
}

/// The key of a pair that is remembered for its gap alone.
inline std::uint32_t parked_key(float gap) {
    return kParked | ordered_bits(gap) >> 1;
}

class SphereFront {
  public:
    /// @param own `memory` is part of the same object as this, and is copied with it
    void begin(SpherePair* memory, std::size_t capacity, bool own) {
        base_ = own ? ~std::uintptr_t{0} : 0;
        place_ = reinterpret_cast<std::uintptr_t>(memory) - (base_ & reinterpret_cast<std::uintptr_t>(this));
        capacity_ = capacity < 0x7fffffff ? static_cast<std::uint32_t>(capacity) : 0x7fffffffu;
        count_ = 0;
        parked_ = 0;
    }

    void clear() { count_ = parked_ = 0; }

    std::uint32_t capacity() const { return capacity_; }
    std::uint32_t count() const { return count_; }
    /// Two places are kept for a pair that is put back.
    std::uint32_t room() const { return capacity_ - 2 > count_ ? capacity_ - 2 - count_ : 0; }
    /// Parked pairs may take half of the memory.
    bool room_to_park() const { return room() > 0 && parked_ < capacity_ / 2; }
    const SpherePair& operator[](std::uint32_t i) const { return pairs()[i]; }
    SpherePair& operator[](std::uint32_t i) { return pairs()[i]; }

    /// Precondition: count() < capacity.
    void push(const SpherePair& pair) {
        ESPALIER_ASSERT(count_ < capacity_);
        if (pair.key >= kParked) ++parked_;
        SpherePair* const pairs = this->pairs();
        std::uint32_t i = count_++;
        while (i > 0 && before(pair, pairs[(i - 1) / 2])) {
            pairs[i] = pairs[(i - 1) / 2];
            i = (i - 1) / 2;
        }
        pairs[i] = pair;
    }

    /// Precondition: count() > 0.
    SpherePair pop() {
        ESPALIER_ASSERT(count_ > 0);
        const SpherePair top = pairs()[0];
        if (top.key >= kParked) --parked_;
        const SpherePair last = pairs()[--count_];
        if (count_ > 0) sink(0, last);
        return top;
    }

    /// Makes a heap again of the first `count` pairs after keys were changed.
    void restore(std::uint32_t count) {
        ESPALIER_ASSERT(count <= count_);
        count_ = count;
        parked_ = 0;
        for (std::uint32_t i = 0; i < count_; ++i)
            if (pairs()[i].key >= kParked) ++parked_;
        for (std::uint32_t i = count_ / 2; i-- > 0;) sink(i, pairs()[i]);
    }

  private:
    static bool before(const SpherePair& x, const SpherePair& y) {
        if (x.key != y.key) return x.key < y.key;
        return x.a != y.a ? x.a < y.a : x.b < y.b;
    }

    SpherePair* pairs() const {
        return reinterpret_cast<SpherePair*>(place_ + (base_ & reinterpret_cast<std::uintptr_t>(this)));
    }

    void sink(std::uint32_t i, SpherePair pair) {
        SpherePair* const pairs = this->pairs();
        for (;;) {
            std::uint32_t child = 2 * i + 1;
            if (child >= count_) break;
            if (child + 1 < count_ && before(pairs[child + 1], pairs[child])) ++child;
            if (!before(pairs[child], pair)) break;
            pairs[i] = pairs[child];
            i = child;
        }
        pairs[i] = pair;
    }

    std::uintptr_t base_;   ///< all bits: `place_` counts from this object; none: it is an address
    std::uintptr_t place_;  ///< of the first pair
    std::uint32_t capacity_, count_, parked_;
};

}  // namespace espalier
