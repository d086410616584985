// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of every node of a hierarchy whose volumes are boxes, once for all of them. A hierarchy's
// walk (walk.h in its folder) decodes it with the runtime's codec, parents before children, and calls
//   inner(level, volume)         a node that has children
//   leaf(level, volume, range)   a leaf
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "builder/hierarchy/check_item.h"
#include "builder/hierarchy/description.h"
#include "builder/hierarchy/volumes.h"
#include "espalier/asset.h"

namespace espalier {

/// The triangles of a leaf.
struct LeafRange {
    std::uint32_t first;  ///< place of the first one in the tree's order of triangles
    std::uint32_t count;
    std::uint32_t place;  ///< what messages call the leaf by
};

/// Counts nodes, leaves and triangles of each level.
class LevelCounter {
  public:
    explicit LevelCounter(TreeDescription& tree) : tree_(tree) {}

    template <class Volume>
    void inner(std::size_t level, const Volume&) {
        ++tree_.nodes;
        ++level_at(level).nodes;
    }

    /// A leaf hangs from the node above it; only a tree of one leaf has none.
    template <class Volume>
    void leaf(std::size_t level, const Volume&, const LeafRange& range) {
        LevelDescription& above = level_at(level == 0 ? 0 : level - 1);
        ++tree_.leaves;
        ++above.leaves;
        above.triangles += range.count;
        if (tree_.leaf_fill.size() <= range.count) tree_.leaf_fill.resize(range.count + 1);
        ++tree_.leaf_fill[range.count];
    }

  private:
    LevelDescription& level_at(std::size_t level) {
        if (tree_.levels.size() <= level) tree_.levels.resize(level + 1);
        return tree_.levels[level];
    }

    TreeDescription& tree_;
};

/// Collects the boxes of each level.
class BoxCollector {
  public:
    template <class Volume>
    void inner(std::size_t level, const Volume& volume) {
        level_at(level).inner.boxes.push_back(corners(volume));
    }
    template <class Volume>
    void leaf(std::size_t level, const Volume& volume, const LeafRange&) {
        level_at(level).leaves.boxes.push_back(corners(volume));
    }

    std::vector<VolumeLevel> levels;

  private:
    template <class Volume>
    static DecodedBox corners(const Volume& v) {
        return {v.lo[0], v.lo[1], v.lo[2], v.hi[0], v.hi[1], v.hi[2]};
    }
    VolumeLevel& level_at(std::size_t level) {
        if (levels.size() <= level) levels.resize(level + 1);
        return levels[level];
    }
};

/// Whether the box of a volume holds a point, exactly: floats are compared, not computed.
template <class Volume>
bool box_holds(const Volume& v, const float* p) {
    for (int k = 0; k < 3; ++k)
        if (!(v.lo[k] <= p[k] && p[k] <= v.hi[k])) return false;
    return true;
}

/// Asks of every corner of every leaf's triangles that all volumes from the root to the leaf hold it, and
/// that every triangle is in one leaf.
template <class Volume>
class Containment {
  public:
    /// One promise of a volume.
    struct Promise {
        CheckItem item;
        bool (*holds)(const Volume& volume, const float* point);
        const char* breach;  ///< "leaves a box above it"
    };

    /// @param order   the tree's order of triangles; null: that of the file
    /// @param leaves  the item about the leaves
    /// @param place   what LeafRange::place counts: "node" or "leaf"
    Containment(const MeshView& mesh, const std::uint32_t* order, std::vector<Promise> promises,
                CheckItem leaves, const char* place)
        : mesh_(mesh),
          order_(order),
          promises_(std::move(promises)),
          leaves_(std::move(leaves)),
          place_(place),
          seen_(mesh.triangle_count, false) {}

    void inner(std::size_t level, const Volume& volume) {
        path_.erase(path_.begin() + static_cast<std::ptrdiff_t>(level), path_.end());
        path_.push_back(volume);
    }

    void leaf(std::size_t level, const Volume& volume, const LeafRange& range) {
        inner(level, volume);
        for (std::uint32_t i = range.first; i < range.first + range.count; ++i)
            test_triangle(order_ ? order_[i] : i, range.place);
    }

    /// The promises' items, then that of the leaves.
    std::vector<CheckItem> items() {
        const auto missing = static_cast<std::uint64_t>(std::count(seen_.begin(), seen_.end(), false));
        if (missing > 0 && leaves_.ok)
            leaves_.message = std::to_string(missing) + " triangles are in no leaf";
        leaves_.ok = leaves_.ok && missing == 0;
        std::vector<CheckItem> items;
        for (const Promise& promise : promises_) items.push_back(promise.item);
        items.push_back(leaves_);
        return items;
    }

  private:
    void test_triangle(std::uint32_t triangle, std::uint32_t place) {
        if (seen_[triangle]) fail(leaves_, triangle, place, "is in two leaves");
        seen_[triangle] = true;
        ++leaves_.count;
        for (std::uint32_t corner = 0; corner < 3; ++corner)
            for (const Volume& volume : path_)
                for (Promise& promise : promises_) {
                    ++promise.item.count;
                    if (!promise.holds(volume, mesh_.corner(triangle, corner)))
                        fail(promise.item, triangle, place, promise.breach);
                }
    }

    void fail(CheckItem& item, std::uint32_t triangle, std::uint32_t place, const char* what) const {
        if (item.ok)
            item.message = "triangle " + std::to_string(triangle) + " of " + place_ + " " +
                           std::to_string(place) + " " + what;
        item.ok = false;
    }

    const MeshView& mesh_;
    const std::uint32_t* order_;
    std::vector<Promise> promises_;
    CheckItem leaves_;
    const char* place_;
    std::vector<bool> seen_;
    std::vector<Volume> path_;
};

}  // namespace espalier
