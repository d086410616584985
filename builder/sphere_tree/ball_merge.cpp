// SPDX-License-Identifier: GPL-3.0-or-later
// Greedy merging of medial balls.
#include "builder/sphere_tree/ball_merge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "builder/sphere_tree/ball_split.h"

namespace espalier {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// How many neighbours a ball is compared with when pairs are merged.
constexpr std::size_t kMergeNeighbours = 6;

/// Points of the surface far from each other, each with its medial ball; the points themselves where the
/// medial axis is not known.
std::vector<FitSeed> spread_seeds(const PointCover& cover, std::vector<FitSeed> all, std::size_t most,
                                  std::size_t first) {
    if (all.size() < most) {
        for (std::size_t i = 0; i < cover.size(); ++i) {
            all.push_back({cover.at(i), {cover.at(i), 0.0}});
        }
    }
    std::vector<double> distance(all.size(), kInfinity);
    std::vector<FitSeed> chosen;
    std::size_t next = all.empty() ? 0 : first * (all.size() / 2 + 1) % all.size();
    double farthest = kInfinity;
    while (chosen.size() < most && farthest > 0.0) {
        chosen.push_back(all[next]);
        farthest = 0.0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            distance[i] = std::min(distance[i], (all[i].point - chosen.back().point).squaredNorm());
            if (distance[i] > farthest) {
                farthest = distance[i];
                next = i;
            }
        }
    }
    return chosen;
}

struct Cluster {
    Fitted fitted;
    Indices points;
    bool alive = true;
};

std::vector<Cluster> seed_clusters(PointCover& cover, const std::vector<FitSeed>& all, std::size_t most,
                                   std::size_t first_seed) {
    const std::vector<FitSeed> seeds = spread_seeds(cover, all, most, first_seed);
    // A point belongs to the ball whose surface it is nearest to.
    std::vector<float> least(cover.size(), std::numeric_limits<float>::infinity());
    Indices owner(cover.size(), 0);
    for (std::uint32_t s = 0; s < seeds.size(); ++s) {
        const auto radius = static_cast<float>(seeds[s].ball.radius);
        const std::vector<float>& squared = cover.distances(seeds[s].ball.center);
        for (std::size_t i = 0; i < squared.size(); ++i) {
            const float excess = std::sqrt(squared[i]) - radius;
            owner[i] = excess < least[i] ? s : owner[i];
            least[i] = excess < least[i] ? excess : least[i];
        }
    }
    std::vector<Cluster> clusters(seeds.size());
    for (std::uint32_t i = 0; i < owner.size(); ++i) {
        if (!cover.taken(i)) {
            clusters[owner[i]].points.push_back(i);
        }
    }
    std::erase_if(clusters, [](const Cluster& c) { return c.points.empty(); });
    for (Cluster& cluster : clusters) {
        cluster.fitted =
            cover.settle(cluster.points, seeds[owner[cluster.points.front()]].ball.center, kCoarse);
    }
    return clusters;
}

Cluster merged(PointCover& cover, const Cluster& a, const Cluster& b) {
    Cluster both;
    both.points = a.points;
    both.points.insert(both.points.end(), b.points.begin(), b.points.end());
    // From the larger ball: the smaller one often fits in with a small move.
    const double total = a.fitted.ball.radius + b.fitted.ball.radius;
    const double share = total > 0.0 ? a.fitted.ball.radius / total : 0.5;
    both.fitted = cover.settle(both.points,
                               share * a.fitted.ball.center + (1.0 - share) * b.fitted.ball.center, kCoarse);
    return both;
}

struct Merge {
    double loss;
    std::uint32_t a, b;
    Fitted fitted;
    bool operator<(const Merge& other) const {
        return std::tie(loss, a, b) < std::tie(other.loss, other.a, other.b);
    }
};

void add_merges(PointCover& cover, const std::vector<Cluster>& clusters, std::uint32_t a, bool all,
                std::vector<Merge>& merges) {
    std::vector<std::pair<double, std::uint32_t>> near;
    for (std::uint32_t b = 0; b < clusters.size(); ++b) {
        if (b != a && clusters[b].alive) {
            near.emplace_back((clusters[a].fitted.ball.center - clusters[b].fitted.ball.center).squaredNorm(),
                              b);
        }
    }
    const std::size_t count = std::min(kMergeNeighbours, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t b = near[k].second;
        if (all || a < b) {
            const Cluster both = merged(cover, clusters[a], clusters[b]);
            merges.push_back({both.fitted.cost - clusters[a].fitted.cost - clusters[b].fitted.cost,
                              std::min(a, b), std::max(a, b), both.fitted});
        }
    }
}

Balls alive(const std::vector<Cluster>& clusters) {
    Balls balls;
    for (const Cluster& cluster : clusters) {
        if (cluster.alive) {
            balls.push_back(cluster.fitted);
        }
    }
    return balls;
}

/// Merges pairs, cheapest first, until `count` clusters are left; `each` is told how many are, from the
/// first.
template <class Each>
void merge_down(PointCover& cover, std::vector<Cluster>& clusters, std::size_t count, Each each) {
    std::vector<Merge> merges;
    for (std::uint32_t a = 0; a < clusters.size(); ++a) {
        add_merges(cover, clusters, a, false, merges);
    }
    std::size_t left = clusters.size();
    each(left);
    while (left > count && !merges.empty()) {
        const Merge best = *std::min_element(merges.begin(), merges.end());
        clusters[best.a].points.insert(clusters[best.a].points.end(), clusters[best.b].points.begin(),
                                       clusters[best.b].points.end());
        clusters[best.a].fitted = best.fitted;
        clusters[best.b].alive = false;
        std::erase_if(merges, [&](const Merge& m) {
            return m.a == best.a || m.b == best.a || m.a == best.b || m.b == best.b;
        });
        add_merges(cover, clusters, best.a, true, merges);
        each(--left);
    }
}

}  // namespace

std::vector<Balls> merge_all(PointCover& cover, const std::vector<FitSeed>& seeds, std::size_t most,
                             std::size_t seeds_per_ball) {
    std::vector<Cluster> clusters = seed_clusters(cover, seeds, seeds_per_ball * most, 0);
    std::vector<Balls> sets(most);
    merge_down(cover, clusters, 1, [&](std::size_t left) {
        if (left <= most) {
            sets[left - 1] = alive(clusters);
        }
    });
    for (std::size_t n = 1; n < most; ++n) {
        if (sets[n].empty()) {
            sets[n] = sets[n - 1];
        }
    }
    return sets;
}

Balls merge_seeds(PointCover& cover, const std::vector<FitSeed>& seeds, std::size_t count,
                  std::size_t seeds_per_ball, std::size_t first_seed) {
    std::vector<Cluster> clusters = seed_clusters(cover, seeds, seeds_per_ball * count, first_seed);
    merge_down(cover, clusters, count, [](std::size_t) {});
    Balls balls = alive(clusters);
    refill(cover, seeds, balls, count);
    return balls;
}

}  // namespace espalier
