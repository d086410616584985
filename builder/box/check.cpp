// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/box/check.h"

#include <algorithm>

#include "runtime/src/box/codec.h"

namespace espalier {
namespace {

class BoxContainment {
  public:
    explicit BoxContainment(const PartView& part) : part_(part), seen_(part.mesh.triangle_count, false) {}

    std::vector<CheckItem> run() {
        path_.push_back(root_box(part_.box));
        visit(BoxRange{0, part_.box.leaf_count, 0});
        const auto missing = static_cast<std::uint64_t>(std::count(seen_.begin(), seen_.end(), false));
        if (missing > 0 && leaves_.ok)
            leaves_.message = std::to_string(missing) + " triangles are in no leaf";
        leaves_.ok = leaves_.ok && missing == 0;
        return {boxes_, leaves_};
    }

  private:
    void visit(const BoxRange& range) {
        if (range.leaves == 1) {
            test_leaf(range.first);
            return;
        }
        const BoxNode& node = part_.box.nodes[range.node];
        const std::uint32_t left = left_leaves(node, range.leaves);
        path_.push_back(child_box(node, path_.back(), 0));
        visit(left_child(range, left));
        path_.back() = child_box(node, path_[path_.size() - 2], 1);
        visit(right_child(range, left));
        path_.pop_back();
    }

    void test_leaf(std::uint32_t leaf) {
        const std::uint32_t begin = leaf * part_.box.leaf_triangles;
        const std::uint32_t end = std::min(begin + part_.box.leaf_triangles, part_.mesh.triangle_count);
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t triangle = part_.box.triangle_at(i);
            if (seen_[triangle]) fail(leaves_, triangle, leaf, "is in two leaves");
            seen_[triangle] = true;
            ++leaves_.count;
            for (std::uint32_t corner = 0; corner < 3; ++corner)
                for (const BoxVolume& box : path_) {
                    ++boxes_.count;
                    if (!holds(box, part_.mesh.corner(triangle, corner)))
                        fail(boxes_, triangle, leaf, "leaves a box above it");
                }
        }
    }

    static bool holds(const BoxVolume& box, const float* p) {
        for (int k = 0; k < 3; ++k)
            if (!(box.lo[k] <= p[k] && p[k] <= box.hi[k])) return false;
        return true;
    }

    static void fail(CheckItem& item, std::uint32_t triangle, std::uint32_t leaf, const char* what) {
        if (item.ok)
            item.message =
                "triangle " + std::to_string(triangle) + " of leaf " + std::to_string(leaf) + " " + what;
        item.ok = false;
    }

    const PartView& part_;
    std::vector<bool> seen_;
    std::vector<BoxVolume> path_;
    CheckItem boxes_{"box tree boxes contain their triangles", true, 0, ""};
    CheckItem leaves_{"box tree leaves hold every triangle once", true, 0, ""};
};

}  // namespace

std::vector<CheckItem> check_box_tree(const PartView& part) {
    return BoxContainment(part).run();
}

}  // namespace espalier
