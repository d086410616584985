// SPDX-License-Identifier: MIT
// Nodes of one box tree for searches: two levels, four grandchildren at a time.
#pragma once

#include "../single/tree_search.h"
#include "lanes.h"

namespace espalier {

class BoxSearch {
  public:
    using Place = BoxRange;
    struct Children {
        BoxRange range[4];
    };
    static constexpr std::uint32_t kMaxLevels = kBoxLevels;
    static constexpr bool kRootTest = true;
    static constexpr bool kHigherFirst = true;

    static bool present(const ShapeView& part) { return part.box.present(); }

    void begin(const ShapeView& part) {
        tree_ = part.box;
        triangle_count_ = part.mesh.triangle_count;
    }
    const BoxTreeView& tree() const { return tree_; }

    Children root_children() const { return {{{0, tree_.leaf_count, 0}, {}, {}, {}}}; }

    static Place place(const Children& children, unsigned lane) { return children.range[lane]; }
    static bool leaf(const Place& place) { return place.leaves == 1; }
    void triangles(const Place& leaf, std::uint32_t* first, std::uint32_t* count) const {
        *first = leaf.first * tree_.leaf_triangles;
        const std::uint32_t rest = triangle_count_ - *first;
        *count = rest < tree_.leaf_triangles ? rest : tree_.leaf_triangles;
    }

    unsigned expand(const Place& place, const float (*lo)[4], const float (*hi)[4], unsigned lane,
                    Children* children, F4* lo4, F4* hi4) const {
        unsigned present;
        const GrandchildCuts cuts = locate_grandchildren(tree_.nodes, place, children->range, &present);
        derive_boxes(cuts, lo, hi, lane, lo4, hi4);
        return present;
    }

  private:
    BoxTreeView tree_;
    std::uint32_t triangle_count_;
};

template <>
struct SearchCodec<BoxTreeView> {
    using Type = BoxSearch;
};

}  // namespace espalier
