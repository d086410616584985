// SPDX-License-Identifier: MIT
// Cuts arrays out of a caller's memory. The same calls with null memory tell how many bytes they need.
#pragma once

#include <cstddef>
#include <cstdint>

#include "assert.h"

namespace espalier {

constexpr std::size_t kMemoryAlignment = 16;

class MemoryLayout {
  public:
    explicit MemoryLayout(void* memory) : memory_(static_cast<unsigned char*>(memory)) {}

    /// The next array, 16-byte aligned; null when measuring. The caller initialises what it reads.
    template <class T>
    T* take(std::size_t count) {
        static_assert(alignof(T) <= kMemoryAlignment, "arrays start at 16-byte boundaries");
        unsigned char* start = memory_ ? memory_ + used_ : nullptr;
        used_ += (count * sizeof(T) + kMemoryAlignment - 1) / kMemoryAlignment * kMemoryAlignment;
        return reinterpret_cast<T*>(start);
    }

    std::size_t used() const { return used_; }

  private:
    unsigned char* memory_;
    std::size_t used_ = 0;
};

inline bool is_aligned(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % kMemoryAlignment == 0;
}

/// Least power of two that is not below `count` (at most 2^31).
inline std::uint32_t power_of_two(std::uint32_t count) {
    ESPALIER_ASSERT(count <= 0x80000000u);
    std::uint32_t power = 1;
    while (power < count) power *= 2;
    return power;
}

}  // namespace espalier
