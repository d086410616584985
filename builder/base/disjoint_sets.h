// SPDX-License-Identifier: GPL-3.0-or-later
// Disjoint sets of numbers (union-find with path halving; Tarjan and van Leeuwen 1984).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace espalier {

/// The numbers from 0 to below `count`, each a set of its own at first. A set is known by its least number,
/// whatever the order of joining: results do not depend on it.
class DisjointSets {
  public:
    explicit DisjointSets(std::size_t count) : parent_(count), sets_(count) {
        std::iota(parent_.begin(), parent_.end(), 0u);
    }

    /// The least number of the set that `i` is in.
    std::uint32_t root(std::uint32_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }

    /// Makes one set of two; false if they are one already.
    bool join(std::uint32_t a, std::uint32_t b) {
        a = root(a);
        b = root(b);
        parent_[std::max(a, b)] = std::min(a, b);
        sets_ -= a != b;
        return a != b;
    }

    /// Number of sets.
    std::size_t count() const { return sets_; }

  private:
    std::vector<std::uint32_t> parent_;
    std::size_t sets_;
};

}  // namespace espalier
