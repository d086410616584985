// SPDX-License-Identifier: GPL-3.0-or-later
// Boruvka's rounds over a k-d tree whose nodes know when all their points are of one part.
#include "builder/sphere/split/part_links.h"

#include <algorithm>
#include <array>
#include <limits>
#include <tuple>

#include "builder/base/disjoint_sets.h"
#include "builder/surface/median_tree.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

constexpr std::uint32_t kLeafPoints = 8;
constexpr std::uint32_t kMixed = std::numeric_limits<std::uint32_t>::max();

class PartJoiner {
  public:
    PartJoiner(std::span<const Vector3d> points, std::span<const PointLink> links)
        : points_(points), parts_(points.size()), part_(points.size()) {
        for (const auto& [a, b] : links) parts_.join(a, b);
    }

    std::vector<PointLink> run() {
        std::vector<PointLink> found;
        if (parts_.count() > 1) build();
        std::size_t before = parts_.count() + 1;
        while (parts_.count() > 1 && parts_.count() < before) {
            before = parts_.count();
            for (const Nearest& nearest : round())
                if (parts_.join(nearest.from, nearest.to)) found.emplace_back(nearest.from, nearest.to);
        }
        return found;
    }

  private:
    /// What is known of a node of the tree.
    struct Node {
        Vector3d low;
        Vector3d high;
        std::uint32_t part;  ///< of all points below, or kMixed
    };
    struct Nearest {
        double squared = std::numeric_limits<double>::infinity();
        std::uint32_t from = 0;
        std::uint32_t to = 0;

        bool operator<(const Nearest& other) const {
            return std::tie(squared, from, to) < std::tie(other.squared, other.from, other.to);
        }
    };

    void build() {
        const auto key = [this](std::uint32_t i, int axis) { return points_[i][axis]; };
        const auto longest = [this](std::span<const std::uint32_t> items) {
            const Node box = box_of(items);
            int axis = 0;
            (box.high - box.low).maxCoeff(&axis);
            return axis;
        };
        tree_ = MedianTreeBuilder(kLeafPoints, MedianOrder::kAsSplit, key, longest)
                    .build(static_cast<std::uint32_t>(points_.size()));
        for (const MedianNode& node : tree_.nodes) nodes_.push_back(box_of(tree_.items(node)));
    }

    Node box_of(std::span<const std::uint32_t> items) const {
        Node node{points_[items[0]], points_[items[0]], kMixed};
        for (const std::uint32_t i : items) {
            node.low = node.low.cwiseMin(points_[i]);
            node.high = node.high.cwiseMax(points_[i]);
        }
        return node;
    }

    /// The nearest pair of every part but the largest.
    std::vector<Nearest> round() {
        std::vector<std::vector<std::uint32_t>> members(points_.size());
        std::uint32_t largest = 0;
        for (std::uint32_t i = 0; i < points_.size(); ++i) {
            part_[i] = parts_.root(i);
            members[part_[i]].push_back(i);
        }
        for (std::uint32_t p = 0; p < members.size(); ++p)
            largest = members[p].size() > members[largest].size() ? p : largest;
        mark_nodes();
        std::vector<Nearest> found;
        for (std::uint32_t p = 0; p < members.size(); ++p) {
            if (p == largest || members[p].empty()) continue;
            Nearest best;
            for (const std::uint32_t from : members[p]) look(from, best);
            found.push_back(best);
        }
        return found;
    }

    void mark_nodes() {
        for (std::size_t n = nodes_.size(); n-- > 0;) {
            const MedianNode& place = tree_.nodes[n];
            Node& node = nodes_[n];
            if (!place.leaf()) {
                const std::uint32_t left = nodes_[n + 1].part;
                node.part = left == nodes_[place.right].part ? left : kMixed;
                continue;
            }
            node.part = part_[tree_.order[place.begin]];
            for (const std::uint32_t i : tree_.items(place))
                node.part = part_[i] == node.part ? node.part : kMixed;
        }
    }

    /// Improves `best` by the points of other parts near `from`.
    void look(std::uint32_t from, Nearest& best) const {
        const Vector3d& point = points_[from];
        std::array<std::uint32_t, 64> stack;
        std::size_t depth = 0;
        stack[depth++] = 0;
        while (depth > 0) {
            const std::uint32_t index = stack[--depth];
            const Node& node = nodes_[index];
            const MedianNode& place = tree_.nodes[index];
            if (node.part == part_[from] || away(node, point) > best.squared) continue;
            if (!place.leaf()) {
                const bool left_first = away(nodes_[index + 1], point) <= away(nodes_[place.right], point);
                stack[depth++] = left_first ? place.right : index + 1;
                stack[depth++] = left_first ? index + 1 : place.right;
                continue;
            }
            for (const std::uint32_t to : tree_.items(place))
                if (part_[to] != part_[from])
                    best = std::min(best, Nearest{(points_[to] - point).squaredNorm(), from, to});
        }
    }

    /// Squared distance of a node's box, rounded down.
    static double away(const Node& node, const Vector3d& point) {
        return (1.0 - 1e-14) *
               (node.low - point).cwiseMax(point - node.high).cwiseMax(Vector3d::Zero()).squaredNorm();
    }

    std::span<const Vector3d> points_;
    DisjointSets parts_;
    std::vector<std::uint32_t> part_;  ///< of each point, in this round
    MedianTree tree_;
    std::vector<Node> nodes_;  ///< of the tree
};

}  // namespace

std::vector<PointLink> links_between_parts(std::span<const Vector3d> points,
                                           std::span<const PointLink> links) {
    return PartJoiner(points, links).run();
}

}  // namespace espalier
