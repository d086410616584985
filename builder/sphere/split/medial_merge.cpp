// SPDX-License-Identifier: GPL-3.0-or-later
// Hubbard's merging of medial spheres (1996, section 5.2), with a priority queue of adjacent pairs. A sphere
// with very many neighbours has their costs brought up to date only as they come to the top, and one with
// very many forming points is judged by some of them: on a mesh like a ball, where all medial spheres end up
// next to one, this keeps the time near linear.
#include "builder/sphere/split/medial_merge.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <set>
#include <tuple>

#include "builder/sphere/split/part_links.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Most forming points that a cost looks at.
constexpr std::size_t kMostPoints = 128;

/// Most neighbours of a merged sphere whose costs are computed at once.
constexpr std::size_t kMostNeighbours = 48;

class Merger {
  public:
    Merger(const MedialSet& set, const std::vector<std::uint32_t>& subset) : set_(set) {
        std::vector<std::int64_t> local(set.balls.size(), -1);
        std::vector<Vector3d> centers;
        for (const std::uint32_t b : subset) {
            local[b] = static_cast<std::int64_t>(spheres_.size());
            centers.push_back(set.balls[b].center);
            spheres_.push_back({{b}, thinned(set.balls[b].forming), {}, 0, true});
        }
        alive_ = spheres_.size();
        joined_.resize(alive_);
        std::iota(joined_.begin(), joined_.end(), 0u);
        std::vector<PointLink> links;
        for (const auto& [a, b] : set.adjacent)
            if (local[a] >= 0 && local[b] >= 0 && a != b) links.emplace_back(local[a], local[b]);
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
        // A part that no adjacency joins to the rest could never be merged, and the rest would have to shrink
        // to one sphere in its place.
        const std::vector<PointLink> more = links_between_parts(centers, links);
        links.insert(links.end(), more.begin(), more.end());
        std::vector<Pair> pairs;
        for (const auto& [a, b] : links) {
            spheres_[a].adjacent.insert(b);
            spheres_[b].adjacent.insert(a);
            pairs.push_back(evaluated(a, b));
        }
        queue_ = std::priority_queue<Pair>({}, std::move(pairs));
    }

    std::vector<MergedSphere> run(std::uint32_t most) {
        while (alive_ > most && !queue_.empty()) {
            Pair top = queue_.top();
            queue_.pop();
            const std::uint32_t a = find(top.a);
            const std::uint32_t b = find(top.b);
            if (a == b) continue;
            const std::uint32_t changed = std::max(spheres_[a].changed, spheres_[b].changed);
            if (top.computed < changed) {
                const bool known = (spheres_[a].changed == changed ? spheres_[a] : spheres_[b]).announced;
                if (known) continue;  // a fresh cost is in the queue
                top = evaluated(a, b);
                if (!queue_.empty() && queue_.top().cost < top.cost) {
                    queue_.push(top);
                    continue;
                }
            }
            merge(a, b);
        }
        std::vector<MergedSphere> result;
        for (std::uint32_t i = 0; i < spheres_.size(); ++i)
            if (joined_[i] == i) result.push_back(finished(std::move(spheres_[i].members)));
        return result;
    }

  private:
    struct Node {
        std::vector<std::uint32_t> members;
        std::vector<std::uint32_t> forming;  ///< sorted; at most kMostPoints of them
        std::set<std::uint32_t> adjacent;
        std::uint32_t changed;  ///< number of the merge that made it
        bool announced;         ///< that merge computed the costs of all its pairs
    };
    struct Pair {
        double cost;
        std::uint32_t a;
        std::uint32_t b;
        std::uint32_t computed;  ///< after that many merges
        bool operator<(const Pair& other) const {
            // Least cost on top.
            return std::tie(cost, a, b, computed) > std::tie(other.cost, other.a, other.b, other.computed);
        }
    };

    std::uint32_t find(std::uint32_t i) {
        while (joined_[i] != i) {
            joined_[i] = joined_[joined_[i]];
            i = joined_[i];
        }
        return i;
    }

    Pair evaluated(std::uint32_t a, std::uint32_t b) const {
        const std::vector<std::uint32_t> forming = forming_of(a, b);
        return {cost(bound(forming), forming), std::min(a, b), std::max(a, b), merges_};
    }

    std::vector<std::uint32_t> forming_of(std::uint32_t a, std::uint32_t b) const {
        std::vector<std::uint32_t> both;
        both.reserve(spheres_[a].forming.size() + spheres_[b].forming.size());
        std::set_union(spheres_[a].forming.begin(), spheres_[a].forming.end(), spheres_[b].forming.begin(),
                       spheres_[b].forming.end(), std::back_inserter(both));
        return both;
    }

    /// The outermost points along 13 axes, and every n-th of the others: samples come in random order, so
    /// these are spread evenly.
    std::vector<std::uint32_t> thinned(std::vector<std::uint32_t> forming) const {
        if (forming.size() <= kMostPoints) return forming;
        std::vector<std::uint32_t> kept;
        for (int code = 14; code < 27; ++code) {  // half of the 26 neighbours of a cell
            const Vector3d axis(code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1);
            const auto before = [&](std::uint32_t x, std::uint32_t y) {
                return set_.samples[x].point.dot(axis) < set_.samples[y].point.dot(axis);
            };
            const auto [low, high] = std::minmax_element(forming.begin(), forming.end(), before);
            kept.push_back(*low);
            kept.push_back(*high);
        }
        const std::size_t spread = kMostPoints - kept.size();
        for (std::size_t i = 0; i < spread; ++i) kept.push_back(forming[i * forming.size() / spread]);
        std::sort(kept.begin(), kept.end());
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        return kept;
    }

    /// Ritter's nearly smallest ball of the forming points.
    Ball bound(const std::vector<std::uint32_t>& forming) const {
        const auto farthest = [&](const Vector3d& from) {
            std::uint32_t best = forming.front();
            double most = -1.0;
            for (const std::uint32_t s : forming) {
                const double d = (set_.samples[s].point - from).squaredNorm();
                if (d > most) {
                    most = d;
                    best = s;
                }
            }
            return set_.samples[best].point;
        };
        const Vector3d a = farthest(set_.samples[forming.front()].point);
        const Vector3d b = farthest(a);
        Ball ball{0.5 * (a + b), 0.5 * (b - a).norm()};
        for (const std::uint32_t s : forming) {
            const Vector3d d = set_.samples[s].point - ball.center;
            const double length = d.norm();
            if (length > ball.radius) {
                const double radius = 0.5 * (ball.radius + length);
                ball.center += d * ((length - radius) / length);
                ball.radius = radius;
            }
        }
        for (const std::uint32_t s : forming)
            ball.radius = std::max(ball.radius, (set_.samples[s].point - ball.center).norm());
        return ball;
    }

    /// How far the sphere protrudes beyond the faces of its forming points, along their normals.
    double cost(const Ball& ball, const std::vector<std::uint32_t>& forming) const {
        double most = 0.0;
        for (const std::uint32_t s : forming) {
            const SurfaceSample& sample = set_.samples[s];
            const Vector3d to_center = ball.center - sample.point;
            const double height = sample.normal.dot(to_center);
            const double along_squared = to_center.squaredNorm() - height * height;
            const double half = std::sqrt(std::max(0.0, ball.radius * ball.radius - along_squared));
            most = std::max(most, half + height);
        }
        return most;
    }

    /// Into the one with more neighbours.
    void merge(std::uint32_t a, std::uint32_t b) {
        if (spheres_[a].adjacent.size() < spheres_[b].adjacent.size()) std::swap(a, b);
        Node& kept = spheres_[a];
        Node& gone = spheres_[b];
        kept.forming = thinned(forming_of(a, b));
        if (kept.members.size() < gone.members.size()) kept.members.swap(gone.members);
        kept.members.insert(kept.members.end(), gone.members.begin(), gone.members.end());
        for (const std::uint32_t n : gone.adjacent) {
            spheres_[n].adjacent.erase(b);
            if (n != a) {
                spheres_[n].adjacent.insert(a);
                kept.adjacent.insert(n);
            }
        }
        gone = {};
        joined_[b] = a;
        --alive_;
        kept.changed = ++merges_;
        kept.announced = kept.adjacent.size() <= kMostNeighbours;
        if (kept.announced)
            for (const std::uint32_t n : kept.adjacent) queue_.push(evaluated(a, n));
    }

    MergedSphere finished(std::vector<std::uint32_t> members) const {
        std::sort(members.begin(), members.end());
        std::vector<std::uint32_t> forming;
        for (const std::uint32_t m : members)
            forming.insert(forming.end(), set_.balls[m].forming.begin(), set_.balls[m].forming.end());
        std::sort(forming.begin(), forming.end());
        forming.erase(std::unique(forming.begin(), forming.end()), forming.end());
        const Ball ball = members.size() == 1
                              ? Ball{set_.balls[members.front()].center, set_.balls[members.front()].radius}
                              : bound(forming);
        return {ball, std::move(members)};
    }

    const MedialSet& set_;
    std::vector<Node> spheres_;
    std::vector<std::uint32_t> joined_;  ///< union-find
    std::size_t alive_ = 0;
    std::uint32_t merges_ = 0;
    std::priority_queue<Pair> queue_;
};

}  // namespace

std::vector<MergedSphere> merge_medial(const MedialSet& set, const std::vector<std::uint32_t>& subset,
                                       std::uint32_t most) {
    return Merger(set, subset).run(most);
}

}  // namespace espalier
