// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/surface/median_tree.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/draw.h"

namespace espalier::testing {
namespace {

constexpr std::uint32_t kLeafItems = 5;

struct Items {
    explicit Items(std::uint32_t count, std::uint64_t seed) {
        Draw draw(seed);
        for (std::uint32_t i = 0; i < count; ++i) {
            // Whole numbers: many are equal.
            places.push_back({std::floor(draw.between(0, 20)), std::floor(draw.between(0, 9)), 0.0});
        }
    }

    MedianTree tree(MedianOrder order) const {
        const auto key = [this](std::uint32_t i, int axis) { return places[i][std::size_t(axis)]; };
        const auto axis = [](std::span<const std::uint32_t> items) { return items.size() % 2 == 0 ? 0 : 1; };
        return MedianTreeBuilder(kLeafItems, order, key, axis)
            .build(static_cast<std::uint32_t>(places.size()));
    }

    std::vector<std::array<double, 3>> places;
};

TEST(MedianTree, HoldsEveryItemOnce) {
    for (const std::uint32_t count : {1u, 5u, 6u, 100u, 1001u}) {
        const MedianTree tree = Items(count, count).tree(MedianOrder::kAsSplit);
        std::vector<std::uint32_t> seen(count, 0);
        for (const MedianNode& node : tree.nodes)
            for (const std::uint32_t item : node.leaf() ? tree.items(node) : std::span<const std::uint32_t>())
                ++seen[item];
        EXPECT_EQ(seen, std::vector<std::uint32_t>(count, 1)) << count;
    }
}

TEST(MedianTree, HasNoNodeWithoutItems) {
    EXPECT_TRUE(Items(0, 1).tree(MedianOrder::kAsSplit).nodes.empty());
}

TEST(MedianTree, LeavesAreSmallAndHalvesAreApart) {
    const Items items(777, 4);
    const MedianTree tree = items.tree(MedianOrder::kAsSplit);
    for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
        const MedianNode& node = tree.nodes[n];
        if (node.leaf()) {
            EXPECT_LE(tree.items(node).size(), kLeafItems);
            continue;
        }
        const MedianNode& left = tree.nodes[n + 1];
        const MedianNode& right = tree.nodes[node.right];
        EXPECT_EQ(left.begin, node.begin);
        EXPECT_EQ(left.end, right.begin);
        EXPECT_EQ(right.end, node.end);
        EXPECT_LE(right.end - right.begin - (left.end - left.begin), 1u);
        const std::size_t axis = tree.items(node).size() % 2 == 0 ? 0 : 1;
        for (const std::uint32_t a : tree.items(left))
            for (const std::uint32_t b : tree.items(right))
                ASSERT_TRUE(std::pair(items.places[a][axis], a) < std::pair(items.places[b][axis], b));
    }
}

TEST(MedianTree, ItemsOfALeafAreByNumberWhereSumsMustBeReproducible) {
    const MedianTree tree = Items(300, 5).tree(MedianOrder::kByNumber);
    for (const MedianNode& node : tree.nodes) {
        const auto items = tree.items(node);
        EXPECT_TRUE(!node.leaf() || std::is_sorted(items.begin(), items.end()));
    }
}

}  // namespace
}  // namespace espalier::testing
