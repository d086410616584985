// SPDX-License-Identifier: MIT
// Which codecs a tree brings to the drivers in query/; its room specialises them.
#pragma once

namespace espalier {

/// `First<overlap>`, `All<overlap>` and `Nearest`: how a pair walk finds one contact, all of them, and the
/// nearest triangles (pair_walk.h).
template <class Tree>
struct PairCodecs;

/// `Type`: how a search of one tree opens its nodes (tree_search.h).
template <class Tree>
struct SearchCodec;

}  // namespace espalier
