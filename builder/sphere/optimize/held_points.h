// SPDX-License-Identifier: GPL-3.0-or-later
// Points in arrays of float32, each with the number of balls that hold it: what the inner loops of the search
// for spheres (lanes.h) run over.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/sphere/optimize/lanes.h"

namespace espalier {

/// A ball in the search's own coordinates; a negative radius holds nothing.
struct LaneBall {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
    float radius = -1.0F;

    bool empty() const { return radius < 0.0F; }
};

/// Squared distances up to this count as within the ball: they are float32.
inline float held_limit(const LaneBall& ball) {
    const float radius = ball.radius * (1.0F + 1e-6F);
    return radius * radius;
}

inline float squared_distance(const Eigen::Vector3f& p, const LaneBall& ball) {
    const float dx = p.x() - ball.x;
    const float dy = p.y() - ball.y;
    const float dz = p.z() - ball.z;
    return dx * dx + dy * dy + dz * dz;
}

/// A small disc; with no normal, a small ball.
struct LaneDisc {
    Eigen::Vector3f center = Eigen::Vector3f::Zero();
    Eigen::Vector3f normal = Eigen::Vector3f::Zero();
    float radius = 0.0F;
};

/// The square of the radius that a ball about `from` needs to hold the disc. One that is seen along its
/// normal needs hardly more than its centre does.
inline float squared_reach(const LaneBall& from, const LaneDisc& disc) {
    const float dx = disc.center.x() - from.x;
    const float dy = disc.center.y() - from.y;
    const float dz = disc.center.z() - from.z;
    const float squared = squared_distance(disc.center, from);
    const float height = disc.normal.x() * dx + disc.normal.y() * dy + disc.normal.z() * dz;
    const float across = std::sqrt(std::max(0.0F, squared - height * height));
    return squared + disc.radius * (disc.radius + 2.0F * across);
}

/// Some points in whole lanes, each with a number: its weight, or what a disc adds to its squared distance.
class LanePoints {
  public:
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    void clear() { count_ = 0; }
    void push_back(float x, float y, float z, float weight);
    /// Fills the last lanes: with the first point, at no weight. Call it after the last push_back.
    void close();

    /// The root of the largest sum of a squared distance and a point's number; 0 for none.
    float radius_around(const LaneBall& center) const;
    /// The weight of the points in the ball, or of some of them if that is already more than `limit`. A point
    /// less than half of `soft` from the ball's surface counts in part, as the cell that it stands for would.
    float weight_within(const LaneBall& ball, float soft, float limit) const;

  private:
    friend class HeldPoints;

    void make_room(std::size_t more);

    lanes::Places places() const { return {x_.data(), y_.data(), z_.data()}; }

    std::size_t count_ = 0;
    std::vector<float> x_, y_, z_, weight_;
};

/// Points, or small discs, in groups of neighbours.
class HeldPoints {
  public:
    HeldPoints() = default;
    /// Points with weights, one each; those below zero count for every ball that holds the point, not only
    /// for the first. Precondition: neighbours in order are near each other.
    HeldPoints(std::span<const Eigen::Vector3f> points, std::span<const float> weights);
    /// Discs; the same precondition.
    explicit HeldPoints(std::span<const LaneDisc> discs);

    /// Number of points without those that fill the last group.
    std::size_t real_size() const { return real_; }
    /// Number of points, with those that fill the last group: they are far away and weigh nothing.
    std::size_t size() const { return x_.size(); }
    Eigen::Vector3f at(std::size_t i) const { return {x_[i], y_[i], z_[i]}; }
    std::int32_t held(std::size_t i) const { return held_[i]; }
    LaneDisc disc(std::size_t i) const {
        return {at(i), {normal_x_[i], normal_y_[i], normal_z_[i]}, value_[i]};
    }

    /// One holder less for every point in the ball that leaves, one more for every point in the one that
    /// comes; either may be empty. `allowed`, unless it is empty, has a byte for each point, 0 where a ball
    /// may not hold it. Returns by how much the weight of what is held grows; it means nothing for discs.
    double exchange(const LaneBall& leaves, const LaneBall& comes,
                    std::span<const std::uint8_t> allowed = {});
    double add(const LaneBall& ball, std::span<const std::uint8_t> allowed = {}) {
        return exchange({}, ball, allowed);
    }

    /// Points in the ball with so many holders, and that are allowed.
    void find(const LaneBall& ball, std::int32_t holders, std::span<const std::uint8_t> allowed,
              std::vector<std::uint32_t>& found) const;

    /// Points in `around` that nobody but `own` holds, and those that count for every ball.
    void find_free(const LaneBall& around, const LaneBall& own, LanePoints& found) const;

    /// The groups that the ball may reach, by their numbers.
    void groups_near(const LaneBall& ball, std::vector<std::uint32_t>& found) const;

    /// For the loops over groups.
    lanes::Groups groups(std::span<const std::uint8_t> allowed = {}) const;

    /// Whether the ball counts as holding it.
    bool holds(const LaneBall& ball, std::size_t i) const;

  private:
    /// Groups that the ball may reach, until the thread asks again. Precondition: not an empty ball.
    lanes::List reached(const LaneBall& ball) const;

    void place(std::span<const Eigen::Vector3f> points);

    std::size_t real_ = 0;
    std::vector<float> x_, y_, z_;
    std::vector<float> value_;                           ///< weights, or radii of discs
    std::vector<float> normal_x_, normal_y_, normal_z_;  ///< of discs; empty for points
    std::vector<std::int32_t> held_;
    std::vector<float> group_x_, group_y_, group_z_, group_radius_;
};

}  // namespace espalier
