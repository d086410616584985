// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/clusters.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "builder/sphere/optimize/tuning.h"

namespace espalier {
namespace {

using Eigen::Vector3f;

/// How many spheres each one is to become: costs fall about as counts grow.
std::vector<double> quotas_of(const ClusterScene& scene, std::size_t count) {
    std::vector<double> quotas;
    double sum = 0.0;
    for (const CandidateSphere& candidate : scene.candidates) {
        quotas.push_back(candidate.fixed ? 0.0 : std::sqrt(1e-3 + scene.samples.own_cost(candidate.sphere)));
        sum += quotas.back();
    }
    const double more = double(count) - double(scene.candidates.size());
    for (double& quota : quotas) quota = 1.0 + (sum > 0.0 ? more * quota / sum : 0.0);
    return quotas;
}

/// Cuts sets of spheres in two along the longest side of their box until they are small enough.
class Halving {
  public:
    Halving(const ClusterScene& scene, std::size_t round, std::size_t count)
        : scene_(scene),
          quota_(quotas_of(scene, count)),
          share_(tuning::kCutShares[round % std::size(tuning::kCutShares)]) {}

    /// `most`: the number of spheres of a cluster, for the first cut only.
    void halve(std::vector<std::size_t> candidates, double most, std::vector<Cluster>& clusters) const {
        double sum = 0.0;
        Eigen::AlignedBox3f box;
        for (const std::size_t i : candidates) {
            const SearchSphere& sphere = scene_.candidates[i].sphere;
            sum += quota_[i];
            box.extend(Vector3f(sphere.x, sphere.y, sphere.z));
        }
        if (sum <= most || candidates.size() < 2) {
            clusters.push_back({std::move(candidates), sum});
            return;
        }
        int axis = 0;
        box.sizes().maxCoeff(&axis);
        const auto along = [&](std::size_t i) {
            const SearchSphere& sphere = scene_.candidates[i].sphere;
            return axis == 0 ? sphere.x : axis == 1 ? sphere.y : sphere.z;
        };
        std::stable_sort(candidates.begin(), candidates.end(),
                         [&](std::size_t a, std::size_t b) { return along(a) < along(b); });
        const double share = share_ * sum;
        double before = 0.0;
        std::size_t cut = 0;
        while (cut + 1 < candidates.size() && (cut == 0 || before + 0.5 * quota_[candidates[cut]] < share))
            before += quota_[candidates[cut++]];
        const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(cut);
        halve({candidates.begin(), middle}, tuning::kClusterSpheres, clusters);
        halve({middle, candidates.end()}, tuning::kClusterSpheres, clusters);
    }

  private:
    const ClusterScene& scene_;
    std::vector<double> quota_;  ///< by candidate
    double share_;
};

/// Spheres go from clusters where they save little to clusters where they save much: costs fall about as
/// counts grow, so what one more saves is about what one costs.
void balance(const ClusterScene& scene, std::vector<Cluster>& clusters) {
    std::vector<double> wanted;
    double sum = 0.0;
    double count = 0.0;
    for (const Cluster& cluster : clusters) {
        CoverCounts samples = scene.samples.all();
        double cost = 0.0;
        for (const std::size_t i : cluster.candidates) cost += samples.add(scene.candidates[i].sphere);
        // With the square root all would cost the same if that were so: a quarter of the way, each round.
        wanted.push_back(cluster.quota * std::sqrt(std::sqrt(std::sqrt(cost / cluster.quota))));
        sum += wanted.back();
        count += cluster.quota;
    }
    double given = 0.0;
    for (std::size_t k = 0; k < clusters.size() && sum > 0.0; ++k) {
        const double share = wanted[k] / sum * count / clusters[k].quota;
        clusters[k].quota *= std::clamp(share, 1.0 - tuning::kMostMoved, 1.0 + tuning::kMostMoved);
        given += clusters[k].quota;
    }
    for (Cluster& cluster : clusters) cluster.quota *= given > count ? count / given : 1.0;
}

/// Where a cluster's spheres may move, and where its samples are from.
Eigen::AlignedBox3f search_box_of(const ClusterScene& scene, const Cluster& cluster) {
    Eigen::AlignedBox3f box;
    float largest = 0.0F;
    for (const std::size_t i : cluster.candidates) {
        const SearchSphere& sphere = scene.candidates[i].sphere;
        const Vector3f center(sphere.x, sphere.y, sphere.z);
        box.extend(center - Vector3f::Constant(sphere.radius));
        box.extend(center + Vector3f::Constant(sphere.radius));
        largest = std::max(largest, sphere.radius);
    }
    box.min() -= Vector3f::Constant(tuning::kClusterMargin * largest);
    box.max() += Vector3f::Constant(tuning::kClusterMargin * largest);
    return box;
}

/// Children that each parent may have in a cluster: what is left is shared evenly by the clusters that it has
/// children in.
std::vector<std::uint32_t> max_children_in(const ClusterScene& scene, const Cluster& cluster) {
    std::vector<std::uint32_t> max_children(scene.patches.parents(), 0);
    std::vector<std::uint32_t> children(scene.patches.parents(), 0);
    for (const CandidateSphere& candidate : scene.candidates) ++children[candidate.parent];
    for (const std::size_t i : cluster.candidates) ++max_children[scene.candidates[i].parent];
    for (std::size_t k = 0; k < max_children.size(); ++k) {
        if (max_children[k] > 0) {
            const std::uint32_t free =
                scene.most_children > children[k] ? scene.most_children - children[k] : 0;
            max_children[k] += free * max_children[k] / children[k];
        }
    }
    return max_children;
}

}  // namespace

std::vector<Cluster> clusters_of(const ClusterScene& scene, std::size_t round, std::size_t count) {
    assert(!scene.candidates.empty());
    std::vector<std::size_t> all(scene.candidates.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    std::vector<Cluster> clusters;
    Halving(scene, round, count)
        .halve(std::move(all),
               round < tuning::kWholeRounds ? tuning::kClusterSpheres : tuning::kLateClusterSpheres,
               clusters);
    if (tuning::kRounds[round].balance) balance(scene, clusters);
    // Whole numbers, none lost.
    double due = 0.0;
    double given = 0.0;
    for (Cluster& cluster : clusters) {
        due += cluster.quota;
        cluster.quota = std::max(1.0, std::floor(due - given + 1e-6));
        given += cluster.quota;
    }
    return clusters;
}

std::vector<std::vector<Surfel>> surfels_by_cluster(const ClusterScene& scene,
                                                    std::span<const Cluster> clusters) {
    constexpr std::uint32_t kUncovered = std::numeric_limits<std::uint32_t>::max();
    const std::vector<Surfel>& surfels = scene.patches.surfels();
    const CoverCounts all(surfels);
    std::vector<std::uint32_t> owner(surfels.size(), kUncovered);
    std::vector<std::uint32_t> cluster_of(scene.candidates.size(), 0);
    for (std::uint32_t k = 0; k < clusters.size(); ++k) {
        for (const std::size_t i : clusters[k].candidates) {
            cluster_of[i] = k;
            std::vector<std::uint32_t> covered;
            all.find(scene.candidates[i].sphere, 0, {}, covered);
            for (const std::uint32_t p : covered)
                if (k < owner[p] && scene.patches.in_ancestors(scene.candidates[i].parent, surfels[p]))
                    owner[p] = k;
        }
    }
    std::vector<std::vector<Surfel>> by_cluster(clusters.size());
    for (std::size_t p = 0; p < surfels.size(); ++p) {
        if (owner[p] == kUncovered) {
            const std::size_t nearest = scene.patches.nearest_taker(surfels[p], scene.candidates);
            owner[p] = nearest < scene.candidates.size() ? cluster_of[nearest] : kUncovered;
        }
        if (owner[p] != kUncovered) by_cluster[owner[p]].push_back(surfels[p]);
    }
    return by_cluster;
}

SphereCover cover_of(const ClusterScene& scene, const Cluster& cluster, std::span<const Surfel> surfels,
                     std::uint64_t seed) {
    const Eigen::AlignedBox3f box = search_box_of(scene, cluster);
    CoverScene cover{CoverCounts(surfels),
                     scene.samples.in_box(box),
                     {},
                     max_children_in(scene, cluster),
                     static_cast<float>(scene.samples.width()),
                     box};
    std::vector<CandidateSphere> candidates;
    std::vector<std::uint8_t> own(scene.candidates.size(), 0);
    for (const std::size_t i : cluster.candidates) {
        own[i] = 1;
        candidates.push_back(scene.candidates[i]);
    }
    cover.allowed = scene.patches.allowed_by_parent(cover.patches, candidates);
    for (std::size_t i = 0; i < scene.candidates.size(); ++i) {
        const SearchSphere& sphere = scene.candidates[i].sphere;
        const Vector3f center(sphere.x, sphere.y, sphere.z);
        if (own[i] == 0 && box.squaredExteriorDistance(center) <= sphere.radius * sphere.radius)
            cover.samples.add(sphere);
    }
    return SphereCover(std::move(cover), std::move(candidates), seed);
}

}  // namespace espalier
