// SPDX-License-Identifier: GPL-3.0-or-later
// Points in arrays of float32, each with the number of spheres that hold it: what the inner loops of the
// search for spheres (kernels.h) run over.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/optimize/kernels.h"
#include "builder/sphere/optimize/search_sphere.h"

namespace espalier {

/// Some points in whole lanes, each with a number: its weight, or what a surfel adds to its squared distance.
class PointBatch {
  public:
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    void clear() { count_ = 0; }
    void push_back(float x, float y, float z, float weight);
    /// Fills the last lanes: with the first point, at no weight. Call it after the last push_back.
    void close();

    /// The root of the largest sum of a squared distance and a point's number; 0 for none.
    float radius_around(const SearchSphere& center) const;
    /// The weight of the points in the sphere, or of some of them if that is already more than `limit`. A
    /// point less than half of `blur_width` from the sphere's surface counts in part, as the cell that it
    /// stands for would.
    float weight_within(const SearchSphere& sphere, float blur_width, float limit) const;

  private:
    friend class CoverCounts;

    void make_room(std::size_t more);

    kernels::PointArrays places() const { return {x_.data(), y_.data(), z_.data()}; }

    std::size_t count_ = 0;
    std::vector<float> x_, y_, z_, weight_;
};

/// Points, or small surfels, in groups of neighbours.
class CoverCounts {
  public:
    CoverCounts() = default;
    /// Points with weights, one each; those below zero count for every sphere that holds the point, not only
    /// for the first. Precondition: neighbours in order are near each other.
    CoverCounts(std::span<const Eigen::Vector3f> points, std::span<const float> weights);
    /// Discs; the same precondition.
    explicit CoverCounts(std::span<const Surfel> surfels);

    /// Number of points without those that fill the last group.
    std::size_t real_size() const { return real_; }
    /// Number of points, with those that fill the last group: they are far away and weigh nothing.
    std::size_t size() const { return x_.size(); }
    Eigen::Vector3f at(std::size_t i) const { return {x_[i], y_[i], z_[i]}; }
    std::int32_t count(std::size_t i) const { return counts_[i]; }
    Surfel surfel(std::size_t i) const {
        return {at(i), {normal_x_[i], normal_y_[i], normal_z_[i]}, value_[i]};
    }

    /// One holder less for every point in the sphere that leaves, one more for every point in the one that
    /// comes; either may be empty. `allowed`, unless it is empty, has a byte for each point, 0 where a sphere
    /// may not hold it. Returns by how much the weight of what is held grows; it means nothing for surfels.
    double replace(const SearchSphere& leaves, const SearchSphere& comes,
                   std::span<const std::uint8_t> allowed = {});
    double add(const SearchSphere& sphere, std::span<const std::uint8_t> allowed = {}) {
        return replace({}, sphere, allowed);
    }

    /// Points in the sphere with so many count, and that are allowed.
    void find(const SearchSphere& sphere, std::int32_t count, std::span<const std::uint8_t> allowed,
              std::vector<std::uint32_t>& found) const;

    /// Points in `around` that nobody but `own` holds, and those that count for every sphere.
    void find_uncovered(const SearchSphere& around, const SearchSphere& own, PointBatch& found) const;

    /// The groups that the sphere may reach, by their numbers.
    void groups_near(const SearchSphere& sphere, std::vector<std::uint32_t>& found) const;

    /// For the loops over groups.
    kernels::Groups groups(std::span<const std::uint8_t> allowed = {}) const;

    /// Whether the sphere counts as holding it.
    bool covers(const SearchSphere& sphere, std::size_t i) const;

  private:
    /// Groups that the sphere may reach, until the thread asks again. Precondition: not an empty sphere.
    kernels::List groups_meeting(const SearchSphere& sphere) const;

    void place(std::span<const Eigen::Vector3f> points);

    std::size_t real_ = 0;
    std::vector<float> x_, y_, z_;
    std::vector<float> value_;                           ///< weights, or radii of surfels
    std::vector<float> normal_x_, normal_y_, normal_z_;  ///< of surfels; empty for points
    std::vector<std::int32_t> counts_;
    std::vector<float> group_x_, group_y_, group_z_, group_radius_;
};

}  // namespace espalier
