// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's checksum against the library of xxHash's author.
#include "runtime/src/format/checksum.h"

#include <gtest/gtest.h>
#include <xxhash.h>

#include <algorithm>
#include <vector>

#include "tests/support/draw.h"

namespace espalier::testing {
namespace {

constexpr std::size_t kNoHole = ~std::size_t{0};

std::vector<std::uint8_t> random_bytes(std::uint64_t seed, std::size_t size) {
    Draw draw(seed);
    std::vector<std::uint8_t> bytes(size);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(draw.below(256));
    return bytes;
}

TEST(Checksum, EqualsXxh64ForEveryShortLength) {
    const std::vector<std::uint8_t> bytes = random_bytes(60, 1100);
    for (std::size_t size = 0; size <= bytes.size(); ++size)
        ASSERT_EQ(checksum(bytes.data(), size, kNoHole), XXH64(bytes.data(), size, 0)) << size << " bytes";
}

TEST(Checksum, EqualsXxh64AtEveryAlignment) {
    const std::vector<std::uint8_t> bytes = random_bytes(61, 300);
    for (std::size_t shift = 0; shift < 64; ++shift)
        ASSERT_EQ(checksum(bytes.data() + shift, 200, kNoHole), XXH64(bytes.data() + shift, 200, 0));
}

TEST(Checksum, EqualsXxh64OfAMegabyte) {
    const std::vector<std::uint8_t> bytes = random_bytes(62, (1u << 20) + 5);
    EXPECT_EQ(checksum(bytes.data(), bytes.size(), kNoHole), XXH64(bytes.data(), bytes.size(), 0));
}

TEST(Checksum, TakesTheHoleAsZero) {
    std::vector<std::uint8_t> bytes = random_bytes(63, 203);
    for (std::size_t hole = 0; hole + 8 <= bytes.size(); hole += 8) {
        std::vector<std::uint8_t> zeroed = bytes;
        std::fill_n(zeroed.begin() + static_cast<std::ptrdiff_t>(hole), 8, std::uint8_t{0});
        for (std::size_t size = hole + 8; size <= bytes.size(); ++size)
            ASSERT_EQ(checksum(bytes.data(), size, hole), XXH64(zeroed.data(), size, 0))
                << "hole at " << hole << " of " << size;
    }
}

}  // namespace
}  // namespace espalier::testing
