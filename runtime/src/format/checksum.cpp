// SPDX-License-Identifier: MIT
// XXH64 after its public specification (Collet, "xxHash fast digest algorithm", sections XXH64 1 to 7).
#include "checksum.h"

#include <cstring>

namespace espalier {
namespace {

constexpr std::uint64_t kPrime1 = 0x9E3779B185EBCA87u;
constexpr std::uint64_t kPrime2 = 0xC2B2AE3D27D4EB4Fu;
constexpr std::uint64_t kPrime3 = 0x165667B19E3779F9u;
constexpr std::uint64_t kPrime4 = 0x85EBCA77C2B2AE63u;
constexpr std::uint64_t kPrime5 = 0x27D4EB2F165667C5u;

std::uint64_t rotate(std::uint64_t value, int bits) {
    return (value << bits) | (value >> (64 - bits));
}

// Long where a processor multiplies 64 bits in several steps.
#if defined(__OPTIMIZE_SIZE__)
__attribute__((noinline))
#endif
std::uint64_t
round(std::uint64_t accumulator, std::uint64_t lane) {
    return rotate(accumulator + lane * kPrime2, 31) * kPrime1;
}

std::uint64_t merge(std::uint64_t hash, std::uint64_t accumulator) {
    return (hash ^ round(0, accumulator)) * kPrime1 + kPrime4;
}

/// Reads lanes and skips the hole.
struct Lanes {
    const std::uint8_t* data;
    std::size_t hole;

    std::uint64_t lane64(std::size_t at) const {
        std::uint64_t value;
        std::memcpy(&value, data + at, 8);
        return at == hole ? 0 : value;
    }
    std::uint64_t lane32(std::size_t at) const {
        std::uint32_t value;
        std::memcpy(&value, data + at, 4);
        return value;
    }
};

}  // namespace

std::uint64_t checksum(const std::uint8_t* data, std::size_t size, std::size_t hole) {
    const Lanes lanes{data, hole};
    std::size_t at = 0;
    std::uint64_t hash = kPrime5;
    if (size >= 32) {
        std::uint64_t accumulators[4] = {kPrime1 + kPrime2, kPrime2, 0, 0u - kPrime1};
        for (; at + 32 <= size; at += 32)
            for (std::size_t i = 0; i < 4; ++i)
                accumulators[i] = round(accumulators[i], lanes.lane64(at + 8 * i));
        hash = rotate(accumulators[0], 1) + rotate(accumulators[1], 7) + rotate(accumulators[2], 12) +
               rotate(accumulators[3], 18);
        for (const std::uint64_t accumulator : accumulators) hash = merge(hash, accumulator);
    }
    hash += size;
    for (; at + 8 <= size; at += 8) hash = rotate(hash ^ round(0, lanes.lane64(at)), 27) * kPrime1 + kPrime4;
    if (at + 4 <= size) {
        hash = rotate(hash ^ (lanes.lane32(at) * kPrime1), 23) * kPrime2 + kPrime3;
        at += 4;
    }
    for (; at < size; ++at) hash = rotate(hash ^ (data[at] * kPrime5), 11) * kPrime1;
    hash = (hash ^ (hash >> 33)) * kPrime2;
    hash = (hash ^ (hash >> 29)) * kPrime3;
    return hash ^ (hash >> 32);
}

}  // namespace espalier
