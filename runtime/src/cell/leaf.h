// SPDX-License-Identifier: MIT
// The paper's elementary operation on two leaves (Zachmann 1997, "Motivation for BoxTrees"): edges of one
// against polygons of the other and vice versa, four at a time through a float filter, the rest in double
// precision. And where a pair is at home, so that what several leaves list is reported once.
#pragma once

#include "../base/assert.h"
#include "../base/bits.h"
#include "../base/points4.h"
#include "../pair/leaf_boxes.h"
#include "../pair/leaf_contacts.h"
#include "codec.h"

namespace espalier {

/// A leaf of a running walk: its lists, its cell in its own frame, and along A's axes.
struct WalkedLeaf {
    std::uint32_t unit;
    CellLists lists;
    CellVolume cell;
    CellVolume in_a;
};

/// The way back: A's local frame to B's.
struct InverseFrame {
    double inverse[9];  ///< of the rotation times scale, whose columns are orthogonal
    double shift[3];
    double margin[3];  ///< rounding along B's axes

    void begin(const PairFrame& f) {
        for (unsigned k = 0; k < 3; ++k) {
            shift[k] = f.shift[k];
            double scale2 = 0;
            for (unsigned row = 0; row < 3; ++row) scale2 += f.to_a[3 * row + k] * f.to_a[3 * row + k];
            for (unsigned row = 0; row < 3; ++row) inverse[3 * k + row] = f.to_a[3 * row + k] / scale2;
            float lanes[4];
            store4(lanes, f.margin_b4[k]);
            margin[k] = double(lanes[0]);
        }
    }

    double largest_margin() const {
        const double most = margin[0] > margin[1] ? margin[0] : margin[1];
        return most > margin[2] ? most : margin[2];
    }

    void place(const double* a, double* b) const {
        for (unsigned k = 0; k < 3; ++k) {
            b[k] = 0;
            for (unsigned row = 0; row < 3; ++row) b[k] += inverse[3 * k + row] * (a[row] - shift[row]);
        }
    }
};

/// B's cell enclosed along A's axes, with the rounding margin.
inline CellVolume enclose_in_a(const CellVolume& cell, const PairFrame& f) {
    CellVolume box;
    for (unsigned row = 0; row < 3; ++row) {
        double middle = f.shift[row], reach = double(f.margin);
        for (unsigned k = 0; k < 3; ++k) {
            middle += f.to_a[3 * row + k] * 0.5 * (double(cell.lo[k]) + double(cell.hi[k]));
            reach += std::fabs(f.to_a[3 * row + k]) * 0.5 * (double(cell.hi[k]) - double(cell.lo[k]));
        }
        box.lo[row] = static_cast<float>(middle - reach);
        box.hi[row] = static_cast<float>(middle + reach);
    }
    return box;
}

/// A's cell enclosed along B's axes.
inline CellVolume enclose_in_b(const CellVolume& cell, const InverseFrame& f) {
    CellVolume box;
    for (unsigned row = 0; row < 3; ++row) {
        double middle = 0, reach = f.margin[row];
        for (unsigned k = 0; k < 3; ++k) {
            const double at = 0.5 * (double(cell.lo[k]) + double(cell.hi[k])) - f.shift[k];
            middle += f.inverse[3 * row + k] * at;
            reach += std::fabs(f.inverse[3 * row + k]) * 0.5 * (double(cell.hi[k]) - double(cell.lo[k]));
        }
        box.lo[row] = static_cast<float>(middle - reach);
        box.hi[row] = static_cast<float>(middle + reach);
    }
    return box;
}

/// Segments in A's local frame; a polygon beside them is lanes too, one or four different ones.
struct Segments4 {
    V4 p, q;
};

/// Bits of the lanes in which segment and triangle are surely apart: the triangle's normal, and the edges'
/// common normals with the segment. Coplanar pairs are left to the exact test.
template <class Polygons>
inline unsigned segments_surely_apart(const Segments4& s, const Polygons& t, float margin) {
    const V4 d = s.p - t.p[0], e = s.q - t.p[0], along = s.q - s.p, t2 = t.p[2] - t.p[0];
    const F4 zero = splat(0.0F);
    const auto separated = [&](const V4& axis) {
        const F4 p1 = dot(axis, t.edge[0]), p2 = dot(axis, t2), at = dot(axis, d), to = dot(axis, e);
        return bits(
            apart(min(zero, min(p1, p2)), max(zero, max(p1, p2)), at, to, to, axis_error(axis, margin)));
    };
    unsigned result = separated(t.normal);
    for (unsigned i = 0; i < 3 && result != 15u; ++i) result |= separated(cross(t.edge[i], along));
    return result;
}

/// The two parts of a query on cell trees.
struct CellParts {
    PairMeshes pair;  ///< its leaf orders are the trees' triangle lists
    CellTreeView tree[2];

    void set(const ShapeView& a, const ShapeView& b) {
        pair.set(a, b);
        tree[0] = a.cell;
        tree[1] = b.cell;
        for (unsigned side = 0; side < 2; ++side) pair.tree[side].triangle_order = tree[side].triangles;
    }

    /// Corner 0 or 1 of a listed edge.
    const float* end(unsigned side, std::uint32_t entry, unsigned which) const {
        const CellEdge e = cell_edge(tree[side].edges[entry]);
        return pair.mesh[side].corner(e.triangle, (e.corner + which) % 3);
    }
};

/// An edge as the triangle that it is, for the exact tests.
inline Triangle3 edge_triangle(const CellParts& parts, const PairFrame& frame, unsigned side,
                               std::uint32_t entry) {
    Triangle3 t;
    for (unsigned c = 0; c < 3; ++c) {
        const float* p = parts.end(side, entry, c == 0 ? 0 : 1);
        if (side == 1) {
            frame.place(p, t.p[c]);
            continue;
        }
        for (unsigned k = 0; k < 3; ++k) t.p[c][k] = double(p[k]);
    }
    return t;
}

/// Decides one pair of an edge of `side` and a polygon of the other side; on a hit fills the point and the
/// normal of `witness`.
inline bool edge_meets(const Triangle3& edge, const Triangle3& polygon, const double* origin_a,
                       CellWitness* witness) {
    if (!triangles_intersect(edge, polygon)) return false;
    intersection_witness(edge, polygon, witness->point, witness->normal);
    for (int k = 0; k < 3; ++k) witness->point[k] += origin_a[k];
    return true;
}

/// The same for a listed edge; on a hit fills all of `witness`.
inline bool test_edge(const CellParts& parts, const PairFrame& frame, unsigned side, std::uint32_t entry,
                      std::uint32_t triangle, CellWitness* witness) {
    const Triangle3 edge = edge_triangle(parts, frame, side, entry);
    const Triangle3 polygon = side == 0 ? exact_triangle_b(parts.pair.mesh[1], triangle, frame)
                                        : exact_triangle_a(parts.pair.mesh[0], triangle);
    if (!edge_meets(edge, polygon, parts.pair.origin_a, witness)) return false;
    const CellEdge named = cell_edge(parts.tree[side].edges[entry]);
    witness->edge_side = side;
    witness->edge_triangle = named.triangle;
    witness->edge_corner = named.corner;
    witness->triangle = triangle;
    return true;
}

/// Four of B's listed edges in A's local frame; spare lanes repeat the last.
inline Segments4 load_edges4(const CellParts& parts, std::uint32_t first, unsigned count,
                             const PairFrame& frame) {
    V4 ends[2];
    for (unsigned c = 0; c < 2; ++c) {
        const float* p[4];
        for (unsigned lane = 0; lane < 4; ++lane)
            p[lane] = parts.end(1, first + (lane < count ? lane : count - 1), c);
        const V4 turned = transform(frame.m4, points4(p[0], p[1], p[2], p[3]));
        ends[c] = {turned.x + frame.t4[0], turned.y + frame.t4[1], turned.z + frame.t4[2]};
    }
    return {ends[0], ends[1]};
}

/// Elements of A's leaf that are held against B's cell at a time.
constexpr unsigned kNearChunk = 32;

/// The box of some points, one vector a corner.
struct PointsBox {
    F4 lo, hi;

    PointsBox(const float* p, const float* q)
        : lo(min(point4(p), point4(q))), hi(max(point4(p), point4(q))) {}
    PointsBox(const float* p, const float* q, const float* r) : PointsBox(p, q) {
        lo = min(lo, point4(r));
        hi = max(hi, point4(r));
    }
};

/// What the cells of two leaves have in common, along the axes of one of them: a common point of their
/// elements that both hold lies in here; others are found in other pairs of leaves.
struct SharedBox {
    F4 lo, hi;

    /// @param margin rounding in the frame of `own`; `other` has it already
    SharedBox(const CellVolume& own, const CellVolume& other, float margin)
        : lo(max(point4(own.lo) - splat(margin), point4(other.lo))),
          hi(min(point4(own.hi) + splat(margin), point4(other.hi))) {}

    bool meets(const PointsBox& box) const { return (bits((box.lo > hi) | (lo > box.hi)) & 7u) == 0; }

    Boxes4 lanes() const {
        float from[4], to[4];
        store4(from, lo);
        store4(to, hi);
        return {splat3(from), splat3(to)};
    }
};

/// Keeps of `count` elements from `first` on those for which `near(element)` holds; returns how many.
template <class Near>
inline unsigned keep_near(std::uint32_t first, std::uint32_t count, std::uint32_t* kept, Near near) {
    unsigned n = 0;
    for (std::uint32_t i = 0; i < count && i < kNearChunk; ++i) {
        kept[n] = first + i;
        n += near(first + i) ? 1u : 0u;
    }
    return n;
}

/// Some edges of A (by entry) against the polygons of B's leaf. Kept apart from its callers, as the next one:
/// their lanes together would make one large stack frame.
template <class Found>
__attribute__((noinline)) bool test_edges_of_a(const CellParts& parts, const PairFrame& frame,
                                               const std::uint32_t* entries, unsigned entry_count,
                                               const SharedBox& shared, const WalkedLeaf& b,
                                               Counters* counters, Found found) {
    const Boxes4 both = shared.lanes();
    const std::uint32_t count = b.lists.triangle_count, first = b.lists.first_triangle;
    for (std::uint32_t j = 0; j < count; j += 4) {
        const unsigned lanes = count - j < 4 ? count - j : 4;
        const Triangles4 four =
            load_triangles4(parts.pair.mesh[1], parts.pair.tree[1], first + j, lanes, frame);
        const Boxes4 boxes = corners_box(four.p[0], four.p[1], four.p[2]);
        const unsigned near = boxes_meet(both, boxes, frame.margin) & ((1u << lanes) - 1u);
        for (unsigned i = 0; near && i < entry_count; ++i) {
            const Segments4 edge = {splat3(parts.end(0, entries[i], 0)), splat3(parts.end(0, entries[i], 1))};
            unsigned open = boxes_meet(corners_box(edge.p, edge.q, edge.q), boxes, frame.margin) & near;
            if (!open) continue;
            counters->triangle_tests += count_bits(open);
            open &= ~segments_surely_apart(edge, four, frame.margin);
            for (unsigned lane = 0; open >> lane; ++lane) {
                if (!(open >> lane & 1u)) continue;
                ++counters->exact_tests;
                CellWitness witness;
                const std::uint32_t triangle = parts.tree[1].triangles[first + j + lane];
                if (test_edge(parts, frame, 0, entries[i], triangle, &witness) && found(witness)) return true;
            }
        }
    }
    return false;
}

/// Some polygons of A (by entry) against the edges of B's leaf.
template <class Found>
__attribute__((noinline)) bool test_edges_of_b(const CellParts& parts, const PairFrame& frame,
                                               const std::uint32_t* entries, unsigned entry_count,
                                               const SharedBox& shared, const WalkedLeaf& b,
                                               Counters* counters, Found found) {
    const Boxes4 both = shared.lanes();
    const std::uint32_t count = b.lists.edge_count, first = b.lists.first_edge;
    for (std::uint32_t j = 0; j < count; j += 4) {
        const unsigned lanes = count - j < 4 ? count - j : 4;
        const Segments4 edges = load_edges4(parts, first + j, lanes, frame);
        const Boxes4 boxes = corners_box(edges.p, edges.q, edges.q);
        const unsigned near = boxes_meet(both, boxes, frame.margin) & ((1u << lanes) - 1u);
        for (unsigned i = 0; near && i < entry_count; ++i) {
            const std::uint32_t triangle = parts.tree[0].triangles[entries[i]];
            const FilterTriangle one = load_filter_triangle(parts.pair.mesh[0], triangle);
            unsigned open = boxes_meet(corners_box(one.p[0], one.p[1], one.p[2]), boxes, frame.margin) & near;
            if (!open) continue;
            counters->triangle_tests += count_bits(open);
            open &= ~segments_surely_apart(edges, one, frame.margin);
            for (unsigned lane = 0; open >> lane; ++lane) {
                if (!(open >> lane & 1u)) continue;
                ++counters->exact_tests;
                CellWitness witness;
                if (test_edge(parts, frame, 1, first + j + lane, triangle, &witness) && found(witness))
                    return true;
            }
        }
    }
    return false;
}

/// Edges of A's leaf against polygons of B's. Calls `found(witness)` until it returns true; returns whether
/// it did. The pre-checks are the paper's: a common point in both cells is found in this pair of leaves,
/// others elsewhere.
template <class Found>
inline bool for_edges_of_a(const CellParts& parts, const PairFrame& frame, const WalkedLeaf& a,
                           const WalkedLeaf& b, Counters* counters, Found found) {
    const SharedBox shared(a.cell, b.in_a, frame.margin);
    for (std::uint32_t i = 0; i < a.lists.edge_count; i += kNearChunk) {
        std::uint32_t entries[kNearChunk];
        const unsigned n =
            keep_near(a.lists.first_edge + i, a.lists.edge_count - i, entries, [&](std::uint32_t entry) {
                return shared.meets(PointsBox(parts.end(0, entry, 0), parts.end(0, entry, 1)));
            });
        if (n > 0 && test_edges_of_a(parts, frame, entries, n, shared, b, counters, found)) return true;
    }
    return false;
}

/// Edges of B's leaf against polygons of A's.
template <class Found>
inline bool for_edges_of_b(const CellParts& parts, const PairFrame& frame, const WalkedLeaf& a,
                           const WalkedLeaf& b, Counters* counters, Found found) {
    const SharedBox shared(a.cell, b.in_a, frame.margin);
    const MeshView& mesh = parts.pair.mesh[0];
    for (std::uint32_t i = 0; i < a.lists.triangle_count; i += kNearChunk) {
        std::uint32_t entries[kNearChunk];
        const unsigned n = keep_near(
            a.lists.first_triangle + i, a.lists.triangle_count - i, entries, [&](std::uint32_t entry) {
                const std::uint32_t t = parts.tree[0].triangles[entry];
                return shared.meets(PointsBox(mesh.corner(t, 0), mesh.corner(t, 1), mesh.corner(t, 2)));
            });
        if (n > 0 && test_edges_of_b(parts, frame, entries, n, shared, b, counters, found)) return true;
    }
    return false;
}

/// Both ways: it is not enough to test the edges of one against the polygons of the other.
template <class Found>
inline bool for_leaf_witnesses(const CellParts& parts, const PairFrame& frame, const WalkedLeaf& a,
                               const WalkedLeaf& b, Counters* counters, Found found) {
    ++counters->leaf_pairs;
    return for_edges_of_a(parts, frame, a, b, counters, found) ||
           for_edges_of_b(parts, frame, a, b, counters, found);
}

/// What a leaf lists: a triangle, or an edge as 3 * triangle + corner.
struct ListedElement {
    std::uint32_t number;
    bool edge;
};

/// Several leaves list a triangle or an edge. A common point of a pair lies, for each side, in at least one
/// leaf that lists its element; the pair is at home in the first such leaf of A and of B. Both contain the
/// point, so the walk comes by.
class CellHomes {
  public:
    CellHomes(const PairFrame& f, const InverseFrame& inverse) {
        // Two of the 48 roundings that every margin allows for: far more than the point is off by, far less
        // than the overlap tests forgive.
        for (unsigned k = 0; k < 3; ++k) {
            slack_[0][k] = double(f.margin) / 24;
            slack_[1][k] = inverse.margin[k] / 24;
        }
    }

    /// Whether the leaf at `unit` of a side is the first that holds `p` (in the side's own frame) and lists
    /// `entry`.
    bool home(unsigned side, const CellTreeView& tree, const double* p, std::uint32_t unit,
              const ListedElement& entry) const {
        CellRange waiting[kMaxCellDepth + 1];
        std::uint32_t count = 0;
        waiting[count++] = CellRange{0, tree.unit_count};
        while (count > 0) {
            const CellRange range = waiting[--count];
            if (range.node > unit) return false;
            if (range.leaf()) {
                if (range.node == unit) return true;
                if (lists(tree, range, entry)) return false;
                continue;
            }
            ESPALIER_ASSERT(count + 2 <= kMaxCellDepth + 1);
            const CellNode& node = tree.nodes[range.node];
            const unsigned axis = cell_axis(node);
            const CellRange left = cell_child(tree.nodes, range, 0), right = cell_child(tree.nodes, range, 1);
            if (!right.empty() &&
                p[axis] >= double(right_begin(cell_cut(node), tree.delta)) - slack_[side][axis])
                waiting[count++] = right;
            if (!left.empty() && p[axis] <= double(left_end(cell_cut(node), tree.delta)) + slack_[side][axis])
                waiting[count++] = left;
        }
        return false;
    }

  private:
    static bool lists(const CellTreeView& tree, const CellRange& leaf, const ListedElement& entry) {
        const CellLists l = cell_leaf_lists(tree.nodes, leaf);
        const std::uint32_t* entries =
            entry.edge ? tree.edges + l.first_edge : tree.triangles + l.first_triangle;
        const std::uint32_t count = entry.edge ? l.edge_count : l.triangle_count;
        for (std::uint32_t i = 0; i < count; ++i)
            if (entries[i] == entry.number) return true;
        return false;
    }

    double slack_[2][3];
};

}  // namespace espalier
