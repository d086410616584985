// SPDX-License-Identifier: GPL-3.0-or-later
// How an aabb tree is built.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace espalier {

struct TreeRequest;

enum class AabbSplit : std::uint8_t {
    kBinned,  ///< least surface-area cost over bins of all three axes
    kMedian,  ///< the paper's: middle of the longest side, equal halves if all fall on one side (section 2)
};

constexpr std::array<std::string_view, 2> enum_names(AabbSplit) {
    return {"binned", "median"};
}

/// How an aabb tree is built.
struct AabbTreeOptions {
    AabbSplit split = AabbSplit::kBinned;  ///< how nodes are divided
    std::uint32_t leaf_triangles = 4;      ///< most triangles in a leaf, 1..kMaxLeafTriangles
};

/// An aabb tree for BakeOptions::trees (builder/bake.h).
TreeRequest aabb_tree(const AabbTreeOptions& options = {});

}  // namespace espalier
