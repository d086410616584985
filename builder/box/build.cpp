// SPDX-License-Identifier: GPL-3.0-or-later
// Top-down construction of the restricted BoxTree (Zachmann 2002, section 4). A node's place in the file
// follows from its leaf count, so splitting and writing are one recursion; every cut is chosen by decoding it
// with the runtime's own functions, so containment holds for what queries see.
#include <tbb/parallel_invoke.h>

#include <algorithm>

#include "builder/box/split.h"
#include "runtime/src/box/codec.h"

namespace espalier {
namespace {

using Box = Eigen::AlignedBox3f;

/// Largest cut: the whole side would need 128 steps.
constexpr int kMaxCut = 127;

Box as_box(const BoxVolume& v) {
    return Box(Eigen::Vector3f(v.lo[0], v.lo[1], v.lo[2]), Eigen::Vector3f(v.hi[0], v.hi[1], v.hi[2]));
}

/// The largest number of steps by which a side of [lo, hi] can move in (sign +1: the lower one) and still
/// leave [inner_lo, inner_hi] inside.
int largest_cut(float lo, float hi, int sign, float inner_lo, float inner_hi) {
    const auto holds = [&](int q) {
        float l = lo, h = hi;
        cut_interval(static_cast<float>(sign * q), &l, &h);
        return l <= inner_lo && inner_hi <= h;
    };
    int low = 0, high = kMaxCut + 1;  // zero always holds; the ends move monotonically with q
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (holds(middle) ? low : high) = middle;
    }
    return low;
}

class BoxTreeBuilder {
  public:
    BoxTreeBuilder(const BoxTreeOptions& options, std::vector<TriangleBounds>& boxes, BoxTree& tree,
                   Progress& progress)
        : options_(options), boxes_(boxes), tree_(tree), progress_(progress) {}

    /// Divides the triangles of a subtree and writes its nodes; returns its depth. `levels` splits may still
    /// lie on a path from here.
    std::uint32_t build(const BoxRange& range, const BoxVolume& box, std::uint32_t levels) {
        if (range.leaves == 1 || progress_.cancelled()) return 0;
        const std::span<TriangleBounds> triangles = triangles_of(range);
        const std::uint32_t left_triangles = split(triangles, range.leaves, box, levels);
        const std::uint32_t left = left_triangles / options_.leaf_triangles;
        BoxNode& node = tree_.nodes[range.node];
        node = BoxNode{};
        node.left = static_cast<std::uint16_t>(left >> left_unit_shift(range.leaves));
        set_cuts(node, 0, box, box_around(triangles.subspan(0, left_triangles)));
        set_cuts(node, 1, box, box_around(triangles.subspan(left_triangles)));
        std::uint32_t depth[2];
        const auto build_left = [&] {
            depth[0] = build(left_child(range, left), child_box(node, box, 0), levels - 1);
        };
        const auto build_right = [&] {
            depth[1] = build(right_child(range, left), child_box(node, box, 1), levels - 1);
        };
        if (triangles.size() < kTaskTriangles) {
            build_left();
            build_right();
        } else {
            tbb::parallel_invoke(build_left, build_right);
        }
        return 1 + std::max(depth[0], depth[1]);
    }

  private:
    std::span<TriangleBounds> triangles_of(const BoxRange& range) {
        const std::size_t begin = std::size_t{range.first} * options_.leaf_triangles;
        const std::size_t end =
            std::min(begin + std::size_t{range.leaves} * options_.leaf_triangles, boxes_.size());
        return std::span<TriangleBounds>(boxes_).subspan(begin, end - begin);
    }

    /// A child gets at most as many leaves as a balanced tree of the remaining levels holds, so the depth
    /// bound can always be kept.
    CutLimits limits(std::uint32_t leaves, std::uint32_t levels) const {
        const std::uint64_t capacity = std::uint64_t{1} << (levels - 1);
        const std::uint64_t unit = std::uint64_t{1} << left_unit_shift(leaves);
        const std::uint64_t least = leaves > capacity ? leaves - capacity : 1;
        const std::uint64_t most = std::min<std::uint64_t>(capacity, leaves - 1);
        CutLimits limits;
        limits.unit = static_cast<std::uint32_t>(unit * options_.leaf_triangles);
        limits.least = static_cast<std::uint32_t>((least + unit - 1) / unit) * limits.unit;
        limits.most = static_cast<std::uint32_t>(most / unit) * limits.unit;
        return limits;
    }

    std::uint32_t split(std::span<TriangleBounds> triangles, std::uint32_t leaves, const BoxVolume& box,
                        std::uint32_t levels) const {
        const CutLimits allowed = limits(leaves, levels);
        if (options_.split == BoxSplit::kBinned) return split_binned(triangles, allowed);
        return split_by_volume(triangles, as_box(box), options_.split == BoxSplit::kLongest, allowed);
    }

    static void set_cuts(BoxNode& node, unsigned child, const BoxVolume& parent, const Box& inner) {
        for (unsigned k = 0; k < 3; ++k) {
            const float lo = parent.lo[k], hi = parent.hi[k];
            const int up = largest_cut(lo, hi, 1, inner.min()[k], inner.max()[k]);
            const int down = largest_cut(lo, hi, -1, inner.min()[k], inner.max()[k]);
            node.cut[2 * k + child] = static_cast<std::int8_t>(up >= down ? up : -down);
        }
    }

    const BoxTreeOptions& options_;
    std::vector<TriangleBounds>& boxes_;
    BoxTree& tree_;
    Progress& progress_;
};

}  // namespace

BoxTree build_box_tree(const TriangleMesh& mesh, const BoxTreeOptions& options, Progress& progress) {
    progress.begin_stage("box tree", 1);
    std::vector<TriangleBounds> boxes = triangle_bounds(mesh);
    BoxTree tree;
    tree.leaf_triangles = std::clamp<std::uint32_t>(options.leaf_triangles, 1, kMaxLeafTriangles);
    BoxTreeOptions clamped = options;
    clamped.leaf_triangles = tree.leaf_triangles;
    const auto leaves = static_cast<std::uint32_t>((boxes.size() - 1) / tree.leaf_triangles + 1);
    tree.nodes.resize(leaves - 1);
    const Box box = box_around(boxes);
    tree.lo = box.min();
    tree.hi = box.max();
    BoxVolume root;
    for (int k = 0; k < 3; ++k) {
        root.lo[k] = tree.lo[k];
        root.hi[k] = tree.hi[k];
    }
    tree.depth = BoxTreeBuilder(clamped, boxes, tree, progress).build({0, leaves, 0}, root, kMaxBoxDepth);
    if (progress.cancelled()) return BoxTree();
    tree.order.reserve(boxes.size());
    for (const TriangleBounds& triangle : boxes) tree.order.push_back(triangle.triangle);
    progress.advance();
    return tree;
}

}  // namespace espalier
