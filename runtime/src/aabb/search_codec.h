// SPDX-License-Identifier: MIT
// Nodes of one aabb tree for searches: four children at a time.
#pragma once

#include "../single/tree_search.h"
#include "codec.h"

namespace espalier {

class AabbSearch {
  public:
    using Place = ChildPlace;
    struct Children {
        const AabbNode* node;
    };
    static constexpr std::uint32_t kMaxLevels = kMaxAabbDepth + 1;
    static constexpr bool kRootTest = false;
    static constexpr bool kHigherFirst = false;

    static bool present(const ShapeView& part) { return part.aabb.present(); }

    void begin(const ShapeView& part) { tree_ = part.aabb; }
    const AabbTreeView& tree() const { return tree_; }

    static Place root_place() { return {0, kChildInner}; }

    static Place place(const Children& children, unsigned lane) {
        return place_of_child(*children.node, lane);
    }
    static bool leaf(const Place& place) { return place.kind != kChildInner; }
    static void triangles(const Place& leaf, std::uint32_t* first, std::uint32_t* count) {
        *first = leaf.first;
        *count = leaf.kind;
    }

    unsigned expand(const Place& place, const float (*lo)[4], const float (*hi)[4], unsigned lane,
                    Children* children, F4* lo4, F4* hi4) const {
        const AabbNode& node = tree_.nodes[place.first];
        children->node = &node;
        V4 from, to;
        decode_boxes(node, lane_of(lo, lane), lane_of(hi, lane), &from, &to);
        lo4[0] = from.x;
        lo4[1] = from.y;
        lo4[2] = from.z;
        hi4[0] = to.x;
        hi4[1] = to.y;
        hi4[2] = to.z;
        return present_children(node);
    }

  private:
    AabbTreeView tree_;
};

template <>
struct SearchCodec<AabbTreeView> {
    using Type = AabbSearch;
};

}  // namespace espalier
