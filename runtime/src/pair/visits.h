// SPDX-License-Identifier: MIT
// The pairs of a visit that are still to come, and their order.
#pragma once

#include <cstdint>

#include "../base/assert.h"

namespace espalier {

/// Packs the set lanes, two bits each, least key lowest; of equal keys the lower lane comes first, or the
/// higher with `kHigherFirst`.
template <bool kHigherFirst = false>
inline void order_lanes(unsigned set, const float* keys, std::uint8_t* order, std::uint8_t* remaining) {
    unsigned sorted[4];
    unsigned count = 0;
    for (unsigned lane = 0; lane < 4; ++lane) {
        if (!(set >> lane & 1u)) continue;
        unsigned slot = count++;
        for (; slot > 0 &&
               (kHigherFirst ? keys[sorted[slot - 1]] >= keys[lane] : keys[sorted[slot - 1]] > keys[lane]);
             --slot)
            sorted[slot] = sorted[slot - 1];
        sorted[slot] = lane;
    }
    unsigned packed = 0;
    for (unsigned slot = 0; slot < count; ++slot) packed |= sorted[slot] << (2 * slot);
    *order = static_cast<std::uint8_t>(packed);
    *remaining = static_cast<std::uint8_t>(count);
}

inline unsigned take_lane(std::uint8_t* order, std::uint8_t* remaining) {
    ESPALIER_ASSERT(*remaining > 0);
    const unsigned lane = *order & 3u;
    *order = static_cast<std::uint8_t>(*order >> 2);
    --*remaining;
    return lane;
}

/// Pairs of lanes, next one last. What a pair's number means is the codec's.
template <unsigned kPairs>
struct PairList {
    std::uint8_t pair[kPairs];
    std::uint8_t remaining;

    unsigned take() {
        ESPALIER_ASSERT(remaining > 0);
        return pair[--remaining];
    }
    void append(unsigned number) {
        ESPALIER_ASSERT(remaining < kPairs);
        pair[remaining++] = static_cast<std::uint8_t>(number);
    }

    /// Inserts a pair among those with their keys: the last one's is the least. Of equal keys the pair that
    /// came later is nearer to the end.
    void insert(unsigned number, float key, float* keys) {
        ESPALIER_ASSERT(remaining < kPairs);
        unsigned slot = remaining++;
        for (; slot > 0 && keys[slot - 1] < key; --slot) {
            keys[slot] = keys[slot - 1];
            pair[slot] = pair[slot - 1];
        }
        keys[slot] = key;
        pair[slot] = static_cast<std::uint8_t>(number);
    }
};

template <unsigned kPairs>
struct PairBounds {
    float bound[kPairs];
};

/// The same with lower bounds of the pairs' distances, nearest last.
template <unsigned kPairs>
struct BoundedPairList : PairBounds<kPairs>, PairList<kPairs> {
    using PairBounds<kPairs>::bound;

    void insert(unsigned number, float key) { PairList<kPairs>::insert(number, key, bound); }
    float next_bound() const { return bound[this->remaining - 1]; }
    float least_bound() const { return this->remaining > 0 ? next_bound() : __builtin_huge_valf(); }
};

}  // namespace espalier
