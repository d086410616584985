// SPDX-License-Identifier: GPL-3.0-or-later
// Binary trees over items in space, halved at the median along one axis: as deep as the logarithm of their
// number, whatever the items are like.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace espalier {

/// Where a node's items stand in MedianTree::order.
struct MedianNode {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t right = 0;  ///< the right child; the left one follows its parent. 0 for leaves

    bool leaf() const { return right == 0; }
};

struct MedianTree {
    std::vector<std::uint32_t> order;  ///< the items; those of a node are side by side
    std::vector<MedianNode> nodes;     ///< parents before their children, left subtrees before right ones

    std::span<const std::uint32_t> items(const MedianNode& node) const {
        return std::span(order).subspan(node.begin, node.end - node.begin);
    }
};

/// How a node's items are ordered: as the library's nth_element leaves them, or by number, where sums over
/// them must be the same with every library.
enum class MedianOrder { kAsSplit, kByNumber };

/// Builds a tree over the items 0 .. count - 1 with up to `leaf_items` in a leaf. `key(item, axis)` says
/// where an item is; equal ones are ordered by number. `axis(items)` chooses the axis along which a node with
/// more items is halved.
template <class Key, class Axis>
class MedianTreeBuilder {
  public:
    MedianTreeBuilder(std::uint32_t leaf_items, MedianOrder order, Key key, Axis axis)
        : leaf_items_(leaf_items), order_(order), key_(key), axis_(axis) {}

    MedianTree build(std::uint32_t count) {
        tree_.order.resize(count);
        std::iota(tree_.order.begin(), tree_.order.end(), 0u);
        tree_.nodes.reserve(count);
        if (count > 0) split(0, count);
        return std::move(tree_);
    }

  private:
    // Recursion: as deep as the tree, 32 levels at most.
    void split(std::uint32_t begin, std::uint32_t end) {
        const std::size_t index = tree_.nodes.size();
        tree_.nodes.push_back({begin, end, 0});
        if (end - begin <= leaf_items_) return;
        const int axis = axis_(tree_.items(tree_.nodes[index]));
        const std::uint32_t middle = begin + (end - begin) / 2;
        const auto first = tree_.order.begin() + begin;
        const auto half = tree_.order.begin() + middle;
        const auto last = tree_.order.begin() + end;
        std::nth_element(first, half, last, [&](std::uint32_t a, std::uint32_t b) {
            const double at_a = key_(a, axis);
            const double at_b = key_(b, axis);
            return at_a < at_b || (at_a == at_b && a < b);
        });
        if (order_ == MedianOrder::kByNumber) {
            std::sort(first, half);
            std::sort(half, last);
        }
        split(begin, middle);
        tree_.nodes[index].right = static_cast<std::uint32_t>(tree_.nodes.size());
        split(middle, end);
    }

    std::uint32_t leaf_items_;
    MedianOrder order_;
    Key key_;
    Axis axis_;
    MedianTree tree_;
};

}  // namespace espalier
