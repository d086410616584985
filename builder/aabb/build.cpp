// SPDX-License-Identifier: GPL-3.0-or-later
// Top-down construction of the aabb tree (van den Bergen 1998, section 2), and a binned surface-area
// heuristic after Wald 2007, "On fast Construction of SAH-based Bounding Volume Hierarchies". A node splits
// its largest child until it has four.
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "builder/aabb/build_node.h"
#include "builder/hierarchy/binned_split.h"

namespace espalier {
namespace {

using Box = Eigen::AlignedBox3f;

/// Bins an axis. More find cuts that are a little better and take more time on small ranges; another number
/// changes the baked tree.
constexpr std::size_t kBins = 16;
/// In leaves: ranges up to this size are split by trying every position. A larger number takes longer, and
/// changes the baked tree.
constexpr std::uint32_t kSweepLeaves = 8;

/// Where a range is cut: triangles whose doubled middle along `axis` is at most `position` go left.
struct Cut {
    int axis = -1;
    float position = 0;
};

class Splitter {
  public:
    Splitter(const AabbTreeOptions& options, std::vector<TriangleBounds>& boxes, Progress& progress)
        : options_(options), boxes_(boxes), scratch_(boxes.size()), progress_(progress) {}

    std::unique_ptr<BuildNode> run() {
        BuildChild all;
        all.end = static_cast<std::uint32_t>(boxes_.size());
        all.box = bounds(all.begin, all.end);
        return split_node(all, kMaxAabbDepth);
    }

  private:
    std::span<const TriangleBounds> triangles(std::uint32_t begin, std::uint32_t end) const {
        return std::span<const TriangleBounds>(boxes_).subspan(begin, end - begin);
    }
    Box bounds(std::uint32_t begin, std::uint32_t end) const { return box_around(triangles(begin, end)); }

    /// `levels` nodes may still lie on a path from here.
    std::unique_ptr<BuildNode> split_node(const BuildChild& range, std::uint32_t levels) {
        auto node = std::make_unique<BuildNode>();
        node->children[0].begin = range.begin;
        node->children[0].end = range.end;
        node->children[0].box = range.box;
        node->child_count = 1;
        const bool balance = must_balance(range.count(), levels);
        while (node->child_count < 4) {
            const int chosen = child_to_split(*node, balance);
            if (chosen < 0) break;
            split_child(*node, chosen, balance);
        }
        std::sort(node->children.begin(), node->children.begin() + node->child_count,
                  [](const BuildChild& a, const BuildChild& b) { return a.begin < b.begin; });
        split_grandchildren(*node, levels - 1);
        for (const BuildChild& child : node->children) {
            if (!child.node) continue;
            node->subtree_nodes += child.node->subtree_nodes;
            node->depth = std::max(node->depth, child.node->depth + 1);
        }
        return node;
    }

    /// The child with the largest surface, or with the most triangles when the node must be balanced.
    int child_to_split(const BuildNode& node, bool balance) const {
        int largest = -1;
        float largest_size = -1.0F;
        for (std::uint32_t i = 0; i < node.child_count; ++i) {
            const BuildChild& child = node.children[i];
            if (child.count() <= options_.leaf_triangles) continue;
            const float size = balance ? static_cast<float>(child.count()) : half_area(child.box);
            if (size > largest_size) {
                largest_size = size;
                largest = static_cast<int>(i);
            }
        }
        return largest;
    }

    void split_child(BuildNode& node, int index, bool balance) {
        BuildChild& left = node.children[static_cast<std::size_t>(index)];
        BuildChild& right = node.children[node.child_count++];
        right.end = left.end;
        left.end = right.begin = split_range(left, balance);
        left.box = bounds(left.begin, left.end);
        right.box = bounds(right.begin, right.end);
    }

    void split_grandchildren(BuildNode& node, std::uint32_t levels) {
        const auto split = [&](std::size_t i) {
            BuildChild& child = node.children[i];
            if (child.count() <= options_.leaf_triangles) return;
            if (progress_.cancelled()) return;
            child.node = split_node(child, levels);
        };
        std::uint32_t total = 0;
        for (const BuildChild& child : node.children) total += child.count();
        if (total < kTaskTriangles) {
            for (std::size_t i = 0; i < node.child_count; ++i) split(i);
            return;
        }
        tbb::parallel_for(std::size_t{0}, std::size_t{node.child_count}, split);
    }

    /// Reorders the range and returns where its right half begins.
    std::uint32_t split_range(const BuildChild& range, bool balance) {
        if (balance) return split_at_median(range);
        if (options_.split == AabbSplit::kBinned && range.count() <= kSweepLeaves * options_.leaf_triangles)
            return swept_split(range);
        const Cut cut = options_.split == AabbSplit::kMedian ? middle_cut(range) : binned_cut(range);
        if (cut.axis >= 0) {
            const std::uint32_t middle = partition(range, cut);
            if (middle != range.begin && middle != range.end) return middle;
        }
        return options_.split == AabbSplit::kMedian ? range.begin + range.count() / 2
                                                    : split_at_median(range);
    }

    /// True when a node with `levels` nodes left on its path must quarter its range to keep the depth bound:
    /// an uneven split may leave everything but one triangle to a child, which has one level less.
    bool must_balance(std::uint32_t count, std::uint32_t levels) const {
        std::uint64_t capacity = options_.leaf_triangles;
        for (std::uint32_t i = 1; i < levels && capacity < count; ++i) capacity *= 4;
        return capacity < count;
    }

    Cut middle_cut(const BuildChild& range) const {
        Cut cut;
        range.box.sizes().maxCoeff(&cut.axis);
        cut.position = range.box.min()[cut.axis] + range.box.max()[cut.axis];
        return cut;
    }

    Cut binned_cut(const BuildChild& range) const {
        const Binning<kBins> binning(triangles(range.begin, range.end));
        const BinnedCut cut = binning.best_cut();
        return cut.axis < 0 ? Cut{} : Cut{cut.axis, binning.position(cut)};
    }

    /// Stable, so that the order never depends on a library's partition.
    std::uint32_t partition(const BuildChild& range, Cut cut) {
        std::uint32_t left = range.begin, right = 0;
        for (std::uint32_t i = range.begin; i < range.end; ++i) {
            const TriangleBounds t = boxes_[i];
            if (t.doubled_middle()[cut.axis] <= cut.position)
                boxes_[left++] = t;
            else
                scratch_[range.begin + right++] = t;
        }
        std::copy_n(scratch_.begin() + range.begin, right, boxes_.begin() + left);
        return left;
    }

    /// Near the leaves every position along every axis is tried, but only those that need no more leaves than
    /// the range does: half-empty leaves would cost more bytes than they save tests.
    std::uint32_t swept_split(const BuildChild& range) {
        const auto leaves = [this](std::uint32_t count) {
            return (count + options_.leaf_triangles - 1) / options_.leaf_triangles;
        };
        const std::uint32_t count = range.count();
        std::vector<float> right_area(count);
        float best_cost = std::numeric_limits<float>::infinity();
        std::uint32_t best_left = 1;
        int best_axis = 0;
        for (int axis = 0; axis < 3; ++axis) {
            sort_along(range, axis);
            Box box;
            for (std::uint32_t i = count; i-- > 1;) {
                extend(box, boxes_[range.begin + i]);
                right_area[i] = half_area(box);
            }
            box.setEmpty();
            for (std::uint32_t left = 1; left < count; ++left) {
                extend(box, boxes_[range.begin + left - 1]);
                if (leaves(left) + leaves(count - left) > leaves(count)) continue;
                const float cost = half_area(box) * static_cast<float>(left) +
                                   right_area[left] * static_cast<float>(count - left);
                if (cost >= best_cost) continue;
                best_cost = cost;
                best_left = left;
                best_axis = axis;
            }
        }
        sort_along(range, best_axis);
        return range.begin + best_left;
    }

    void sort_along(const BuildChild& range, int axis) {
        std::sort(boxes_.begin() + range.begin, boxes_.begin() + range.end,
                  [axis](const TriangleBounds& a, const TriangleBounds& b) {
                      const float ca = a.doubled_middle()[axis], cb = b.doubled_middle()[axis];
                      return ca != cb ? ca < cb : a.triangle < b.triangle;
                  });
    }

    std::uint32_t split_at_median(const BuildChild& range) {
        Box centers;
        for (std::uint32_t i = range.begin; i < range.end; ++i) centers.extend(boxes_[i].doubled_middle());
        int axis = 0;
        centers.sizes().maxCoeff(&axis);
        sort_along(range, axis);
        return range.begin + range.count() / 2;
    }

    const AabbTreeOptions& options_;
    std::vector<TriangleBounds>& boxes_;
    std::vector<TriangleBounds> scratch_;
    Progress& progress_;
};

}  // namespace

std::unique_ptr<BuildNode> split_triangles(const AabbTreeOptions& options, std::vector<TriangleBounds>& boxes,
                                           Progress& progress) {
    return Splitter(options, boxes, progress).run();
}

AabbTree build_aabb_tree(const TriangleMesh& mesh, const AabbTreeOptions& options, Progress& progress) {
    progress.begin_stage("aabb tree", 2);
    std::vector<TriangleBounds> boxes = triangle_bounds(mesh);
    const std::unique_ptr<BuildNode> root = split_triangles(options, boxes, progress);
    progress.advance();
    AabbTree tree = progress.cancelled() ? AabbTree() : emit_aabb_tree(mesh, *root, boxes);
    progress.advance();
    return tree;
}

}  // namespace espalier
