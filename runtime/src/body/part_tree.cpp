// SPDX-License-Identifier: MIT
#include "part_tree.h"

#include <cmath>

#include "../base/points4.h"

namespace espalier {
namespace {

/// A placed corner is off by a few 2^-53 of the numbers that went into it.
constexpr double kPlacingError = 1e-14;

float center(const BodyNode& node, unsigned axis) {
    return 0.5F * node.lo[axis] + 0.5F * node.hi[axis];
}

/// Whether a node comes before another along an axis; of equals the lower part.
bool before(const BodyNode& a, const BodyNode& b, unsigned axis) {
    const float x = center(a, axis), y = center(b, axis);
    return x != y ? x < y : a.first < b.first;
}

void sink(BodyNode* nodes, std::uint32_t count, std::uint32_t i, unsigned axis) {
    const BodyNode moved = nodes[i];
    for (;;) {
        std::uint32_t child = 2 * i + 1;
        if (child >= count) break;
        if (child + 1 < count && before(nodes[child], nodes[child + 1], axis)) ++child;
        if (!before(moved, nodes[child], axis)) break;
        nodes[i] = nodes[child];
        i = child;
    }
    nodes[i] = moved;
}

/// Heap sort: in place, and no order of the parts makes it slow.
void sort_along(BodyNode* nodes, std::uint32_t count, unsigned axis) {
    for (std::uint32_t i = count / 2; i-- > 0;) sink(nodes, count, i, axis);
    for (std::uint32_t end = count; end-- > 1;) {
        const BodyNode largest = nodes[0];
        nodes[0] = nodes[end];
        nodes[end] = largest;
        sink(nodes, end, 0, axis);
    }
}

/// The axis along which the centres spread most.
unsigned widest_axis(const BodyNode* nodes, std::uint32_t count) {
    unsigned widest = 0;
    float most = -1;
    for (unsigned axis = 0; axis < 3; ++axis) {
        float lo = center(nodes[0], axis), hi = lo;
        for (std::uint32_t i = 1; i < count; ++i) {
            const float at = center(nodes[i], axis);
            if (at < lo) lo = at;
            if (at > hi) hi = at;
        }
        if (hi - lo > most) {
            most = hi - lo;
            widest = axis;
        }
    }
    return widest;
}

/// Where a range is cut in two: at about its middle, and between whole groups of the largest power of four
/// below it, which nodes above will hold.
std::uint32_t cut_of(std::uint32_t count) {
    std::uint32_t group = 1;
    while (group * kBodyBranch < count) group *= kBodyBranch;
    const std::uint32_t groups = (count + group - 1) / group;
    return (groups + 1) / 2 * group;
}

/// Sides of a part's box, rounded outward whether that is needed or not: which of them need it no processor
/// foresees.
void set_box(const double* lo, const double* hi, BodyNode* node) {
    for (int k = 0; k < 3; ++k) {
        const float below = static_cast<float>(lo[k]), above = static_cast<float>(hi[k]);
        node->lo[k] = below - (std::fabs(below) * 1.2e-7F + 1e-44F);
        node->hi[k] = above + (std::fabs(above) * 1.2e-7F + 1e-44F);
    }
}

/// The box about the node's children.
void cover_children(const BodyNode* nodes, BodyNode* node) {
    const BodyNode* child = nodes + node->first;
    F4 lo = point4(child->lo), hi = point4(child->hi);
    for (std::uint32_t j = 1; j < node->count; ++j) {
        lo = min(lo, point4(child[j].lo));
        hi = max(hi, point4(child[j].hi));
    }
    float sides[2][4];
    store4(sides[0], lo);
    store4(sides[1], hi);
    for (int k = 0; k < 3; ++k) {
        node->lo[k] = sides[0][k];
        node->hi[k] = sides[1][k];
    }
}

}  // namespace

std::uint32_t part_tree_nodes(std::uint32_t parts) {
    std::uint32_t nodes = parts;
    for (std::uint32_t level = parts; level > 1;) {
        level = (level + kBodyBranch - 1) / kBodyBranch;
        nodes += level;
    }
    return nodes;
}

void placed_box(const ShapeView& shape, const Placement& place, double* lo, double* hi) {
    double r[9], c[3], half[3], size = 0;
    rotation_of(place.rotation, r);
    for (int k = 0; k < 3; ++k) {
        c[k] = 0.5 * (double(shape.lo[k]) + double(shape.hi[k])) + shape.origin[k];
        half[k] = 0.5 * (double(shape.hi[k]) - double(shape.lo[k]));
        size += std::fabs(shape.origin[k]) + std::fabs(double(shape.lo[k])) + std::fabs(double(shape.hi[k])) +
                std::fabs(place.translation[k]);
    }
    for (int row = 0; row < 3; ++row) {
        const double* m = r + 3 * row;
        const double at = m[0] * c[0] + m[1] * c[1] + m[2] * c[2] + place.translation[row];
        const double reach = std::fabs(m[0]) * half[0] + std::fabs(m[1]) * half[1] +
                             std::fabs(m[2]) * half[2] + kPlacingError * size;
        lo[row] = at - reach;
        hi[row] = at + reach;
    }
}

void refit_part_tree(const PlacedPart* parts, const ShapeView* shapes, BodyNode* nodes,
                     std::uint32_t parts_in_tree, std::uint32_t node_count) {
    for (std::uint32_t i = 0; i < parts_in_tree; ++i) {
        const PlacedPart& part = parts[nodes[i].first];
        double lo[3], hi[3];
        placed_box(shapes[part.shape], part.place, lo, hi);
        set_box(lo, hi, nodes + i);
    }
    for (std::uint32_t i = parts_in_tree; i < node_count; ++i) cover_children(nodes, nodes + i);
}

void order_part_tree(BodyNode* nodes, std::uint32_t parts_in_tree, std::uint32_t node_count) {
    // Ranges still to cut: every cut leaves one of at most half the groups behind, so that two a level are
    // enough.
    struct Range {
        std::uint32_t first, count;
    };
    Range open[2 * kMaxBodyLevels + 2];
    std::uint32_t open_count = 0;
    if (parts_in_tree > kBodyBranch) open[open_count++] = {0, parts_in_tree};
    while (open_count > 0) {
        const Range range = open[--open_count];
        sort_along(nodes + range.first, range.count, widest_axis(nodes + range.first, range.count));
        const std::uint32_t cut = cut_of(range.count);
        const Range halves[2] = {{range.first, cut}, {range.first + cut, range.count - cut}};
        for (const Range& half : halves) {
            if (half.count <= kBodyBranch) continue;  // one node
            ESPALIER_ASSERT(open_count < 2 * kMaxBodyLevels + 2);
            open[open_count++] = half;
        }
    }
    std::uint32_t first = 0, end = parts_in_tree, next = parts_in_tree;
    while (end - first > 1) {
        for (; first < end; first += kBodyBranch, ++next) {
            nodes[next].first = first;
            nodes[next].count = end - first < kBodyBranch ? end - first : kBodyBranch;
        }
        first = end;
        end = next;
    }
    ESPALIER_ASSERT(next == node_count);
    static_cast<void>(node_count);
}

}  // namespace espalier
