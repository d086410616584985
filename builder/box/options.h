// SPDX-License-Identifier: GPL-3.0-or-later
// How a box tree is built.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace espalier {

struct TreeRequest;

enum class BoxSplit : std::uint8_t {
    kBinned,   ///< least surface-area cost over bins of all three axes, exact sweeps near the leaves
    kVolume,   ///< the paper's: best of nine candidates by the sum of the volumes (section 4.2)
    kLongest,  ///< the paper's variant: the three candidates of the longest axis only
};

constexpr std::array<std::string_view, 3> enum_names(BoxSplit) {
    return {"binned", "volume", "longest"};
}

/// How a box tree is built.
struct BoxTreeOptions {
    BoxSplit split = BoxSplit::kBinned;  ///< how nodes are divided
    std::uint32_t leaf_triangles = 4;    ///< triangles in every leaf but the last, 1..kMaxLeafTriangles
};

/// A box tree for BakeOptions::trees (builder/bake.h).
TreeRequest box_tree(const BoxTreeOptions& options = {});

}  // namespace espalier
