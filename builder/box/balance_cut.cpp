// SPDX-License-Identifier: GPL-3.0-or-later
// Leaves are full and left counts are stored in few bits, so a cut must fall on certain counts.
#include <algorithm>

#include "builder/box/split.h"

namespace espalier {

std::uint32_t CutLimits::nearest(std::uint32_t count) const {
    const std::uint32_t rounded = (count + unit / 2) / unit * unit;
    return std::clamp(rounded, least, most);
}

std::uint32_t balance_cut(std::span<TriangleBounds> range, std::uint32_t left_count, int axis,
                          const CutLimits& limits) {
    const std::uint32_t target = limits.nearest(left_count);
    if (target == left_count) return target;
    struct Key {
        float middle;
        std::uint32_t triangle;
        bool operator<(const Key& other) const {
            return middle != other.middle ? middle < other.middle : triangle < other.triangle;
        }
    };
    const bool shrink = target < left_count;
    const std::span<TriangleBounds> donors =
        shrink ? range.subspan(0, left_count) : range.subspan(left_count);
    std::vector<Key> keys;
    keys.reserve(donors.size());
    for (const TriangleBounds& box : donors) keys.push_back({box.doubled_middle()[axis], box.triangle});
    // The donors' first `kept` by key stay left (shrink) or come over (grow).
    const std::uint32_t kept = shrink ? target : target - left_count;
    std::nth_element(keys.begin(), keys.begin() + kept, keys.end());
    const Key first_right = keys[kept];
    const std::uint32_t moved = stable_split(donors, [&](std::uint32_t, const TriangleBounds& box) {
        return Key{box.doubled_middle()[axis], box.triangle} < first_right;
    });
    return shrink ? moved : left_count + moved;
}

}  // namespace espalier
