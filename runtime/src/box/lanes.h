// SPDX-License-Identifier: MIT
// The four grandchildren of a box-tree node at once, with their intervals along the axes of the overlap test.
// What depends on one node only is computed here, one level above the pairs that use it (Zachmann 2002,
// section 3.3), and kept for all of them.
//
// The paper updates one end of each interval by one product, since one side moves. Here up to three sides
// move and two levels are taken at once: projecting the derived box afresh needs no more products than
// updating (18 a frame) and, unlike updating, does not add up rounding on the way down.
#pragma once

#include "../pair/intervals.h"
#include "codec.h"

namespace espalier {

/// Lanes of a tree's path: the root, and one entry for two levels of the tree.
constexpr std::uint32_t kBoxLevels = kMaxBoxDepth / 2 + 1;
static_assert(kMaxBoxDepth % 2 == 0, "a path's last lanes would be left out");

/// Up to four boxes of one tree. A box's own axes hold it as derived; the intervals along the other tree's
/// axes and the edge pairs carry the rounding margins.
template <Overlap kOverlap>
struct alignas(16) BoxLanes {
    float lo[stored_axes(kOverlap)][4];
    float hi[stored_axes(kOverlap)][4];
    BoxRange range[4];
    float size[4];  ///< squared diagonal in A's frame: decides which side is descended
    unsigned present;
    std::uint32_t source;  ///< node whose grandchildren these are

    bool leaf(unsigned lane) const { return range[lane].leaves == 1; }
};

/// The node's bytes as one word: cuts of an axis are the 16 bits at 16 * axis, the left count the top ones.
inline std::uint64_t node_word(const BoxNode& node) {
    std::uint64_t word;
    std::memcpy(&word, &node, sizeof(word));
    return word;
}

inline F4 signed_lanes(std::uint32_t packed) {
    std::int8_t bytes[4];
    std::memcpy(bytes, &packed, sizeof(bytes));
    return widen_s8(bytes);
}

/// Where the grandchildren are and by which cuts they derive. A leaf child takes one lane itself, uncut.
struct GrandchildCuts {
    std::uint64_t child;     ///< the node's word
    std::uint64_t grand[2];  ///< the children's words; 0 for leaves
};

inline GrandchildCuts locate_grandchildren(const BoxNode* nodes, const BoxRange& parent, BoxRange* range,
                                           unsigned* present) {
    GrandchildCuts cuts;
    const BoxNode& node = nodes[parent.node];
    cuts.child = node_word(node);
    const std::uint32_t left = left_leaves(node, parent.leaves);
    const BoxRange child[2] = {left_child(parent, left), right_child(parent, left)};
    *present = 0;
    for (unsigned c = 0; c < 2; ++c) {
        if (child[c].leaves == 1) {
            cuts.grand[c] = 0;
            range[2 * c] = range[2 * c + 1] = child[c];
            *present |= 1u << (2 * c);
            continue;
        }
        const BoxNode& below = nodes[child[c].node];
        cuts.grand[c] = node_word(below);
        const std::uint32_t split = left_leaves(below, child[c].leaves);
        range[2 * c] = left_child(child[c], split);
        range[2 * c + 1] = right_child(child[c], split);
        *present |= 3u << (2 * c);
    }
    return cuts;
}

/// Boxes of the grandchildren of the box in `lane` of `from`, along their own axes.
inline void derive_boxes(const GrandchildCuts& cuts, const float (*from_lo)[4], const float (*from_hi)[4],
                         unsigned lane, F4* lo, F4* hi) {
    for (unsigned k = 0; k < 3; ++k) {
        lo[k] = splat(from_lo[k][lane]);
        hi[k] = splat(from_hi[k][lane]);
        const std::uint32_t pair = static_cast<std::uint32_t>(cuts.child >> (16 * k)) & 0xffffu;
        cut_intervals(signed_lanes((pair & 0xffu) * 0x0101u | (pair >> 8) * 0x01010000u), &lo[k], &hi[k]);
        const std::uint32_t quad = (static_cast<std::uint32_t>(cuts.grand[0] >> (16 * k)) & 0xffffu) |
                                   static_cast<std::uint32_t>(cuts.grand[1] >> (16 * k)) << 16;
        cut_intervals(signed_lanes(quad), &lo[k], &hi[k]);
    }
}

/// Tables of c * b_x (Zachmann 2002, section 3.2.2): entry [x][j][q] is q 128ths of B's axis j along A's x.
struct CutTables {
    float product[3][3][128];

    void fill(const PairFrame& f) {
        for (unsigned x = 0; x < 3; ++x)
            for (unsigned j = 0; j < 3; ++j)
                for (unsigned q = 0; q < 128; ++q)
                    product[x][j][q] = f.m[3 * x + j] * (static_cast<float>(q) * kCutStep);
    }

    /// Moves the ends of an enclosure along A's axes as the cuts of one child ask (section 3.2.1), and the
    /// box. `pairs` are the cuts of an axis at 16 * axis, of which `shift` 0 or 8 selects the child.
    void cut(std::uint64_t word, unsigned shift, BoxVolume* box, float* lo, float* hi) const {
        for (unsigned j = 0; j < 3; ++j) {
            const auto q = static_cast<std::int8_t>(word >> (16 * j + shift) & 0xffu);
            if (q == 0) continue;
            const float side = box->hi[j] - box->lo[j];
            for (unsigned x = 0; x < 3; ++x) {
                // 127 bounds the byte -128, which no builder writes.
                const float c = product[x][j][q < 0 ? (q < -127 ? 127 : -q) : q] * side;
                if (q > 0)
                    *(c > 0.0f ? lo + x : hi + x) += c;
                else
                    *(c > 0.0f ? hi + x : lo + x) -= c;
            }
            cut_interval(static_cast<float>(q), &box->lo[j], &box->hi[j]);
        }
    }
};

/// What a query needs to fill lanes: the placement, filled before `begin`, and, for kTable, the tables.
template <Overlap kOverlap>
struct BoxProjector {
    PairFrame frame;

    void begin(const BoxTreeView&) {}
};
template <>
struct BoxProjector<Overlap::kTable> {
    PairFrame frame;
    CutTables tables;

    /// Every level adds three terms to an end, each rounded once, beside what `margin` covers.
    void begin(const BoxTreeView& b) {
        frame.margin4 = splat(frame.margin * (1.25f + static_cast<float>(b.depth) * (3.0f / 48.0f)));
        tables.fill(frame);
    }
};

/// Lane 0 becomes the root's box.
template <Overlap kOverlap>
inline void root_lanes(const BoxProjector<kOverlap>& p, const BoxTreeView& tree, unsigned side,
                       BoxLanes<kOverlap>* out) {
    const V4 l = splat3(tree.lo), h = splat3(tree.hi);
    const F4 lo[3] = {l.x, l.y, l.z}, hi[3] = {h.x, h.y, h.z};
    if (side == 0)
        project_a<kOverlap>(p.frame, lo, hi, out);
    else
        project_b<kOverlap>(p.frame, lo, hi, out);
    out->range[0] = BoxRange{0, tree.leaf_count, 0};
    out->present = 1;
    out->source = ~0u;
}

/// B's grandchildren by tables: the enclosure along A's axes follows the cuts, one child after the other.
inline void grandchildren_by_table(const BoxProjector<Overlap::kTable>& p, const GrandchildCuts& cuts,
                                   const BoxLanes<Overlap::kTable>& from, unsigned lane,
                                   BoxLanes<Overlap::kTable>* out) {
    for (unsigned i = 0; i < 4; ++i) {
        BoxVolume box;
        float lo[3], hi[3];
        for (unsigned k = 0; k < 3; ++k) {
            box.lo[k] = from.lo[3 + k][lane];
            box.hi[k] = from.hi[3 + k][lane];
            lo[k] = from.lo[k][lane];
            hi[k] = from.hi[k][lane];
        }
        p.tables.cut(cuts.child, i < 2 ? 0 : 8, &box, lo, hi);
        if (cuts.grand[i >> 1] != 0) p.tables.cut(cuts.grand[i >> 1], (i & 1u) * 8, &box, lo, hi);
        float size = 0;
        for (unsigned k = 0; k < 3; ++k) {
            out->lo[k][i] = lo[k];
            out->hi[k][i] = hi[k];
            out->lo[3 + k][i] = box.lo[k];
            out->hi[3 + k][i] = box.hi[k];
            const float half = (box.hi[k] - box.lo[k]) * 0.5f;
            size += half * half;
        }
        out->size[i] = size * (p.frame.max_scale * p.frame.max_scale);
    }
}

/// Fills `out` with the grandchildren of the inner node in `lane` of `from`, unless it holds them already.
template <unsigned kSide, Overlap kOverlap>
inline void grandchildren(const BoxProjector<kOverlap>& p, const BoxNode* nodes,
                          const BoxLanes<kOverlap>& from, unsigned lane, BoxLanes<kOverlap>* out) {
    const BoxRange& parent = from.range[lane];
    if (out->source == parent.node) return;
    out->source = parent.node;
    const GrandchildCuts cuts = locate_grandchildren(nodes, parent, out->range, &out->present);
    if constexpr (kOverlap == Overlap::kTable && kSide == 1) {
        grandchildren_by_table(p, cuts, from, lane, out);
    } else {
        F4 lo[3], hi[3];
        derive_boxes(cuts, from.lo + 3 * kSide, from.hi + 3 * kSide, lane, lo, hi);
        if constexpr (kSide == 0)
            project_a<kOverlap>(p.frame, lo, hi, out);
        else
            project_b<kOverlap>(p.frame, lo, hi, out);
    }
}

}  // namespace espalier
