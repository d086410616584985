// SPDX-License-Identifier: GPL-3.0-or-later
// Points in arrays of float32, each with the number of spheres that cover it: what the kernels of the sphere
// search (kernels.h) run over.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/optimize/kernels.h"
#include "builder/sphere/optimize/point_batch.h"
#include "builder/sphere/optimize/search_sphere.h"

namespace espalier {

/// Points, or surfels, in groups of neighbours.
class CoverCounts {
  public:
    CoverCounts() = default;
    /// Points with weights, one each; those below zero count for every sphere that covers the point, not
    /// only for the first. Precondition: points that follow each other are near each other, or it is slow.
    /// Spheres count as smaller by `gap`.
    CoverCounts(std::span<const Eigen::Vector3f> points, std::span<const float> weights, float gap = 0.0F);
    /// Surfels; the same precondition.
    explicit CoverCounts(std::span<const Surfel> surfels);

    float gap() const { return gap_; }
    /// The sphere as it counts.
    SearchSphere without_gap(SearchSphere sphere) const {
        if (!sphere.empty()) sphere.radius -= gap_;
        return sphere;
    }

    /// Number of points without those that fill the last group.
    std::size_t real_size() const { return real_; }
    /// Number of points, with those that fill the last group: they are far away and weigh nothing.
    std::size_t size() const { return x_.size(); }
    Eigen::Vector3f at(std::size_t i) const { return {x_[i], y_[i], z_[i]}; }
    /// How many spheres cover a point.
    std::int32_t count(std::size_t i) const { return counts_[i]; }
    Surfel surfel(std::size_t i) const {
        return {at(i), {normal_x_[i], normal_y_[i], normal_z_[i]}, value_[i]};
    }

    /// Counts one less for every point in the sphere that leaves, one more for every point in the one that
    /// comes; either may be empty. `allowed`, unless it is empty, has a byte for each point, 0 where a sphere
    /// may not cover it. Returns by how much the weight of what is covered grows; it means nothing for
    /// surfels.
    double replace(const SearchSphere& leaves, const SearchSphere& comes,
                   std::span<const std::uint8_t> allowed = {});
    double add(const SearchSphere& sphere, std::span<const std::uint8_t> allowed = {}) {
        return replace({}, sphere, allowed);
    }

    /// Allowed points in the sphere that `count` spheres cover.
    void find(const SearchSphere& sphere, std::int32_t count, std::span<const std::uint8_t> allowed,
              std::vector<std::uint32_t>& found) const;

    /// Points in `around`, as it is, that no sphere but `own` covers, and those that count for every sphere.
    void find_uncovered(const SearchSphere& around, const SearchSphere& own, PointBatch& found) const;

    /// The groups that the sphere, as it is, may meet, by their numbers.
    void groups_near(const SearchSphere& sphere, std::vector<std::uint32_t>& found) const;

    /// For the kernels.
    kernels::Groups groups(std::span<const std::uint8_t> allowed = {}) const;

    /// Whether the sphere counts as covering point `i`, allowed or not.
    bool covers(const SearchSphere& sphere, std::size_t i) const;

  private:
    double replace_as_is(const SearchSphere& leaves, const SearchSphere& comes,
                         std::span<const std::uint8_t> allowed);

    /// Groups that the sphere may meet; valid until the thread asks again. Precondition: not an empty sphere.
    kernels::List groups_meeting(const SearchSphere& sphere) const;

    void place(std::span<const Eigen::Vector3f> points);

    std::size_t real_ = 0;
    float gap_ = 0.0F;
    std::vector<float> x_, y_, z_;
    std::vector<float> value_;                           ///< weights, or radii of surfels
    std::vector<float> normal_x_, normal_y_, normal_z_;  ///< of surfels; empty for points
    std::vector<std::int32_t> counts_;
    std::vector<float> group_x_, group_y_, group_z_, group_radius_;
};

}  // namespace espalier
