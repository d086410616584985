// SPDX-License-Identifier: GPL-3.0-or-later
// The spheres of a level in clusters that are annealed side by side, each on its own while the others stay.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/optimize/fit_patches.h"
#include "builder/sphere/optimize/fit_samples.h"
#include "builder/sphere/optimize/search_sphere.h"
#include "builder/sphere/optimize/sphere_cover.h"

namespace espalier {

/// Spheres that are annealed together, and how many there are to be.
struct Cluster {
    std::vector<std::size_t> candidates;
    double quota = 0.0;  ///< a whole number of at least 1 in the end
};

/// What clusters are made of; borrowed.
struct ClusterScene {
    std::span<const CandidateSphere> candidates;
    const FitPatches& patches;
    const FitSamples& samples;
    std::uint32_t most_children = 0;  ///< of one parent
};

/// Clusters for a round, cut elsewhere each round, with `count` spheres to be in all. Precondition: at least
/// one candidate.
std::vector<Cluster> clusters_of(const ClusterScene& scene, std::size_t round, std::size_t count);

/// The patches that each cluster answers for: a patch is the first cluster's that covers it, or else that of
/// the sphere that would grow least, unless that would be much.
std::vector<std::vector<Surfel>> surfels_by_cluster(const ClusterScene& scene,
                                                    std::span<const Cluster> clusters);

/// A cluster's spheres and the patches that it answers for. Other spheres that it meets cover samples there,
/// and no patches.
SphereCover cover_of(const ClusterScene& scene, const Cluster& cluster, std::span<const Surfel> surfels,
                     std::uint64_t seed);

}  // namespace espalier
