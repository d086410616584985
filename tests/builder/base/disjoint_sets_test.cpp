// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/base/disjoint_sets.h"

#include <gtest/gtest.h>

#include "tests/support/draw.h"

namespace espalier::testing {
namespace {

TEST(DisjointSets, AreOfOneNumberEachAtFirst) {
    DisjointSets sets(3);
    EXPECT_EQ(sets.count(), 3u);
    EXPECT_EQ(sets.root(2), 2u);
}

TEST(DisjointSets, JoiningTellsWhetherThereWereTwo) {
    DisjointSets sets(4);
    EXPECT_TRUE(sets.join(3, 1));
    EXPECT_TRUE(sets.join(1, 2));
    EXPECT_FALSE(sets.join(2, 3));
    EXPECT_EQ(sets.count(), 2u);
}

/// Against a list of the set of each number, which every joining rewrites.
TEST(DisjointSets, AreKnownByTheirLeastNumberWhateverTheOrder) {
    constexpr std::uint32_t kNumbers = 200;
    Draw draw(3);
    DisjointSets sets(kNumbers);
    std::vector<std::uint32_t> least(kNumbers);
    std::iota(least.begin(), least.end(), 0u);
    for (int round = 0; round < 150; ++round) {
        const auto a = static_cast<std::uint32_t>(draw.below(kNumbers));
        const auto b = static_cast<std::uint32_t>(draw.below(kNumbers));
        sets.join(a, b);
        const std::uint32_t from = std::max(least[a], least[b]);
        const std::uint32_t to = std::min(least[a], least[b]);
        std::replace(least.begin(), least.end(), from, to);
        for (std::uint32_t i = 0; i < kNumbers; ++i)
            ASSERT_EQ(sets.root(i), least[i]) << "round " << round << ", number " << i;
    }
}

}  // namespace
}  // namespace espalier::testing
