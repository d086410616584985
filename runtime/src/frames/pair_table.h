// SPDX-License-Identifier: MIT
// A set of pairs of ids in fixed memory: a dense array of records, and a hash of open addresses over it.
// Removing closes the gap in both, so that nothing slows down with age.
#pragma once

#include <cstdint>

#include "../base/assert.h"

namespace espalier {

constexpr std::uint32_t kNoPair = ~std::uint32_t{0};

/// A view of a caller's arrays. `Record` has members a and b, a < b.
template <class Record>
struct PairTable {
    Record* records;
    std::uint32_t* count;
    std::uint32_t capacity;
    std::uint32_t* buckets;  // index of a record, or kNoPair; more buckets than records
    std::uint32_t mask;      // buckets - 1

    void clear() {
        *count = 0;
        for (std::uint32_t i = 0; i <= mask; ++i) buckets[i] = kNoPair;
    }

    /// Index of a pair, or kNoPair.
    std::uint32_t find(std::uint32_t a, std::uint32_t b) const { return buckets[bucket_of(a, b)]; }

    /// Index of a new record, of which a and b are set; kNoPair when full. The pair must not be in.
    std::uint32_t insert(std::uint32_t a, std::uint32_t b) {
        ESPALIER_ASSERT(find(a, b) == kNoPair);
        if (*count == capacity) return kNoPair;
        const std::uint32_t index = (*count)++;
        records[index].a = a;
        records[index].b = b;
        buckets[bucket_of(a, b)] = index;
        return index;
    }

    /// Removes a record; the last one takes its place.
    void remove(std::uint32_t index) {
        ESPALIER_ASSERT(index < *count);
        close_gap(bucket_of(records[index].a, records[index].b));
        const std::uint32_t last = --(*count);
        if (index == last) return;
        buckets[bucket_of(records[last].a, records[last].b)] = index;
        records[index] = records[last];
    }

  private:
    std::uint32_t home(std::uint32_t a, std::uint32_t b) const {
        std::uint64_t key =
            (std::uint64_t{a} << 32 | b) * 0x9E3779B97F4A7C15u;  // Knuth's multiplicative hash
        key ^= key >> 32;
        return static_cast<std::uint32_t>(key) & mask;
    }

    /// Where the pair is, or the empty bucket where it would be.
    std::uint32_t bucket_of(std::uint32_t a, std::uint32_t b) const {
        std::uint32_t at = home(a, b);
        while (buckets[at] != kNoPair && (records[buckets[at]].a != a || records[buckets[at]].b != b))
            at = (at + 1) & mask;
        return at;
    }

    /// Empties a bucket and moves later ones of its run back, so that none becomes unreachable.
    void close_gap(std::uint32_t gap) {
        for (std::uint32_t at = (gap + 1) & mask; buckets[at] != kNoPair; at = (at + 1) & mask) {
            const Record& record = records[buckets[at]];
            const std::uint32_t distance = (at - home(record.a, record.b)) & mask;
            if (distance >= ((at - gap) & mask)) {
                buckets[gap] = buckets[at];
                gap = at;
            }
        }
        buckets[gap] = kNoPair;
    }
};

}  // namespace espalier
