// SPDX-License-Identifier: GPL-3.0-or-later
// Hubbard's merging of medial spheres (1996, section 5.2), with a priority queue of adjacent pairs.
#include "builder/sphere_tree/medial_merge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <set>

namespace espalier {
namespace {

using Eigen::Vector3d;

class Merger {
  public:
    Merger(const MedialSet& set, const std::vector<std::uint32_t>& subset) : set_(set) {
        std::vector<std::int64_t> local(set.balls.size(), -1);
        for (const std::uint32_t b : subset) {
            local[b] = static_cast<std::int64_t>(spheres_.size());
            spheres_.push_back(
                {{set.balls[b].center, set.balls[b].radius}, {b}, set.balls[b].forming, {}, true});
        }
        alive_ = spheres_.size();
        for (const auto& [a, b] : set.adjacent) {
            if (local[a] >= 0 && local[b] >= 0) {
                connect(static_cast<std::uint32_t>(local[a]), static_cast<std::uint32_t>(local[b]));
            }
        }
        join_components();
    }

    std::vector<MergedSphere> run(std::uint32_t most) {
        while (alive_ > most) {
            if (queue_.empty()) {
                break;
            }
            const Pair top = queue_.top();
            queue_.pop();
            if (spheres_[top.a].alive && spheres_[top.b].alive) {
                merge(top.a, top.b);
            }
        }
        std::vector<MergedSphere> result;
        for (Node& node : spheres_) {
            if (node.alive) {
                result.push_back({node.ball, std::move(node.members)});
            }
        }
        return result;
    }

  private:
    struct Node {
        Ball ball;
        std::vector<std::uint32_t> members;
        std::vector<std::uint32_t> forming;
        std::set<std::uint32_t> adjacent;
        bool alive;
    };
    struct Pair {
        double cost;
        std::uint32_t a;
        std::uint32_t b;
        bool operator<(const Pair& other) const {
            return std::tie(cost, a, b) > std::tie(other.cost, other.a, other.b);  // least cost on top
        }
    };

    std::vector<std::uint32_t> forming_of(std::uint32_t a, std::uint32_t b) const {
        std::vector<std::uint32_t> both;
        std::set_union(spheres_[a].forming.begin(), spheres_[a].forming.end(), spheres_[b].forming.begin(),
                       spheres_[b].forming.end(), std::back_inserter(both));
        return both;
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
        for (const std::uint32_t s : forming) {
            ball.radius = std::max(ball.radius, (set_.samples[s].point - ball.center).norm());
        }
        return ball;
    }

    /// How far the sphere sticks out beyond the faces of its forming points, along their normals.
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

    void connect(std::uint32_t a, std::uint32_t b) {
        if (a == b || spheres_[a].adjacent.count(b) != 0) {
            return;
        }
        spheres_[a].adjacent.insert(b);
        spheres_[b].adjacent.insert(a);
        const std::vector<std::uint32_t> forming = forming_of(a, b);
        queue_.push({cost(bound(forming), forming), std::min(a, b), std::max(a, b)});
    }

    void merge(std::uint32_t a, std::uint32_t b) {
        Node node;
        node.forming = forming_of(a, b);
        node.ball = bound(node.forming);
        node.alive = true;
        node.members = std::move(spheres_[a].members);
        node.members.insert(node.members.end(), spheres_[b].members.begin(), spheres_[b].members.end());
        std::set<std::uint32_t> around = spheres_[a].adjacent;
        around.insert(spheres_[b].adjacent.begin(), spheres_[b].adjacent.end());
        for (const std::uint32_t old : {a, b}) {
            for (const std::uint32_t n : spheres_[old].adjacent) {
                spheres_[n].adjacent.erase(old);
            }
            spheres_[old] = {};
            spheres_[old].alive = false;
        }
        const auto index = static_cast<std::uint32_t>(spheres_.size());
        spheres_.push_back(std::move(node));
        --alive_;
        for (const std::uint32_t n : around) {
            if (n != a && n != b) {
                connect(index, n);
            }
        }
    }

    /// A part that no adjacency joins to the rest could never be merged, and the rest would have to shrink to
    /// one sphere in its place: joins every part but the largest to its nearest sphere elsewhere, until there
    /// is one part.
    void join_components() {
        std::vector<std::uint32_t> part(spheres_.size());
        for (;;) {
            const std::uint32_t parts = label_parts(part);
            if (parts <= 1) {
                return;
            }
            std::vector<std::vector<std::uint32_t>> members(parts);
            for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
                members[part[i]].push_back(i);
            }
            std::size_t largest = 0;
            for (std::size_t p = 1; p < parts; ++p) {
                largest = members[p].size() > members[largest].size() ? p : largest;
            }
            for (std::uint32_t p = 0; p < parts; ++p) {
                if (p != largest) {
                    join_nearest(members[p], part, p);
                }
            }
        }
    }

    std::uint32_t label_parts(std::vector<std::uint32_t>& part) const {
        constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
        std::fill(part.begin(), part.end(), kNone);
        std::uint32_t parts = 0;
        std::vector<std::uint32_t> stack;
        for (std::uint32_t i = 0; i < spheres_.size(); ++i) {
            if (part[i] != kNone) {
                continue;
            }
            part[i] = parts;
            stack.assign(1, i);
            while (!stack.empty()) {
                const std::uint32_t top = stack.back();
                stack.pop_back();
                for (const std::uint32_t n : spheres_[top].adjacent) {
                    if (part[n] == kNone) {
                        part[n] = parts;
                        stack.push_back(n);
                    }
                }
            }
            ++parts;
        }
        return parts;
    }

    void join_nearest(const std::vector<std::uint32_t>& members, const std::vector<std::uint32_t>& part,
                      std::uint32_t own) {
        double least = std::numeric_limits<double>::infinity();
        std::uint32_t from = 0;
        std::uint32_t to = 0;
        for (const std::uint32_t a : members) {
            for (std::uint32_t b = 0; b < spheres_.size(); ++b) {
                const double distance = (spheres_[a].ball.center - spheres_[b].ball.center).squaredNorm();
                if (part[b] != own && distance < least) {
                    least = distance;
                    from = a;
                    to = b;
                }
            }
        }
        connect(from, to);
    }

    const MedialSet& set_;
    std::vector<Node> spheres_;
    std::size_t alive_ = 0;
    std::priority_queue<Pair> queue_;
};

}  // namespace

std::vector<MergedSphere> merge_medial(const MedialSet& set, const std::vector<std::uint32_t>& subset,
                                       std::uint32_t most) {
    return Merger(set, subset).run(most);
}

}  // namespace espalier
