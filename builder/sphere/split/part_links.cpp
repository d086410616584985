// SPDX-License-Identifier: GPL-3.0-or-later
// Boruvka's rounds over a k-d tree whose nodes know when all their points are of one part.
#include "builder/sphere/split/part_links.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>

namespace espalier {
namespace {

using Eigen::Vector3d;

constexpr std::uint32_t kLeafPoints = 8;
constexpr std::uint32_t kMixed = std::numeric_limits<std::uint32_t>::max();

class PartJoiner {
  public:
    PartJoiner(std::span<const Vector3d> points, std::span<const PointLink> links)
        : points_(points), part_(points.size()), order_(points.size()) {
        std::iota(part_.begin(), part_.end(), 0U);
        std::iota(order_.begin(), order_.end(), 0U);
        parts_ = points.size();
        for (const auto& [a, b] : links) {
            join(a, b);
        }
    }

    std::vector<PointLink> run() {
        std::vector<PointLink> found;
        if (parts_ > 1) {
            build(0, static_cast<std::uint32_t>(order_.size()));
        }
        std::size_t before = parts_ + 1;
        while (parts_ > 1 && parts_ < before) {
            before = parts_;
            for (const Nearest& nearest : round()) {
                if (join(nearest.from, nearest.to)) {
                    found.emplace_back(nearest.from, nearest.to);
                }
            }
        }
        return found;
    }

  private:
    struct Node {
        Vector3d low;
        Vector3d high;
        std::uint32_t begin;
        std::uint32_t end;
        std::uint32_t right;  ///< 0 for leaves; the left child follows the node
        std::uint32_t part;   ///< of all points below, or kMixed
    };
    struct Nearest {
        double squared = std::numeric_limits<double>::infinity();
        std::uint32_t from = 0;
        std::uint32_t to = 0;

        bool operator<(const Nearest& other) const {
            return std::tie(squared, from, to) < std::tie(other.squared, other.from, other.to);
        }
    };

    std::uint32_t find(std::uint32_t i) {
        while (part_[i] != i) {
            part_[i] = part_[part_[i]];
            i = part_[i];
        }
        return i;
    }

    bool join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        part_[std::max(a, b)] = std::min(a, b);
        parts_ -= a != b;
        return a != b;
    }

    void build(std::uint32_t begin, std::uint32_t end) {
        const std::size_t index = nodes_.size();
        Node node{points_[order_[begin]], points_[order_[begin]], begin, end, 0, kMixed};
        for (std::uint32_t i = begin; i < end; ++i) {
            node.low = node.low.cwiseMin(points_[order_[i]]);
            node.high = node.high.cwiseMax(points_[order_[i]]);
        }
        nodes_.push_back(node);
        if (end - begin <= kLeafPoints) {
            return;
        }
        int axis = 0;
        (node.high - node.low).maxCoeff(&axis);
        const std::uint32_t middle = begin + (end - begin) / 2;
        std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                         [&](std::uint32_t a, std::uint32_t b) {
                             return std::tie(points_[a][axis], a) < std::tie(points_[b][axis], b);
                         });
        build(begin, middle);
        nodes_[index].right = static_cast<std::uint32_t>(nodes_.size());
        build(middle, end);
    }

    /// The nearest pair of every part but the largest.
    std::vector<Nearest> round() {
        std::vector<std::vector<std::uint32_t>> members(points_.size());
        std::uint32_t largest = 0;
        for (std::uint32_t i = 0; i < points_.size(); ++i) {
            part_[i] = find(i);
            members[part_[i]].push_back(i);
        }
        for (std::uint32_t p = 0; p < members.size(); ++p) {
            largest = members[p].size() > members[largest].size() ? p : largest;
        }
        mark_nodes();
        std::vector<Nearest> found;
        for (std::uint32_t p = 0; p < members.size(); ++p) {
            if (p == largest || members[p].empty()) {
                continue;
            }
            Nearest best;
            for (const std::uint32_t from : members[p]) {
                look(from, best);
            }
            found.push_back(best);
        }
        return found;
    }

    void mark_nodes() {
        for (std::size_t n = nodes_.size(); n-- > 0;) {
            Node& node = nodes_[n];
            if (node.right != 0) {
                const std::uint32_t left = nodes_[n + 1].part;
                node.part = left == nodes_[node.right].part ? left : kMixed;
                continue;
            }
            node.part = part_[order_[node.begin]];
            for (std::uint32_t i = node.begin; i < node.end; ++i) {
                node.part = part_[order_[i]] == node.part ? node.part : kMixed;
            }
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
            if (node.part == part_[from] || away(node, point) > best.squared) {
                continue;
            }
            if (node.right != 0) {
                const bool left_first = away(nodes_[index + 1], point) <= away(nodes_[node.right], point);
                stack[depth++] = left_first ? node.right : index + 1;
                stack[depth++] = left_first ? index + 1 : node.right;
                continue;
            }
            for (std::uint32_t i = node.begin; i < node.end; ++i) {
                const std::uint32_t to = order_[i];
                if (part_[to] != part_[from]) {
                    best = std::min(best, Nearest{(points_[to] - point).squaredNorm(), from, to});
                }
            }
        }
    }

    /// Squared distance of a node's box, rounded down.
    static double away(const Node& node, const Vector3d& point) {
        return (1.0 - 1e-14) *
               (node.low - point).cwiseMax(point - node.high).cwiseMax(Vector3d::Zero()).squaredNorm();
    }

    std::span<const Vector3d> points_;
    std::vector<std::uint32_t> part_;  ///< union-find
    std::vector<std::uint32_t> order_;
    std::vector<Node> nodes_;
    std::size_t parts_ = 0;
};

}  // namespace

std::vector<PointLink> links_between_parts(std::span<const Vector3d> points,
                                           std::span<const PointLink> links) {
    return PartJoiner(points, links).run();
}

}  // namespace espalier
