// SPDX-License-Identifier: GPL-3.0-or-later
// What balls cost while they are searched for: the volume around the solid as samples, dearer where they are
// farther from it, so that one sum has volume and error.
#pragma once

#include <span>
#include <vector>

#include "builder/sphere/optimize/ball_cover.h"
#include "builder/sphere/optimize/lane_frame.h"
#include "builder/sphere/optimize/outside_samples.h"

namespace espalier {

/// Lengths are in half diagonals.
class FitSamples {
  public:
    FitSamples(const LaneFrame& frame, const InsideTest& inside, const SurfaceQuery& query);

    /// About `count` of them up to `reach`, most of them up to `near`; weigh them next.
    void take(double near, double reach, double count);
    /// The error above which errors cost more than volume.
    void weigh(float usual_error);

    double width() const { return samples_.width / frame_.scale; }
    /// All of them, held by nobody.
    const HeldPoints& all() const { return all_; }
    /// By sample: 1 / the width of the layer at a ball's surface in which it is held in part; and the
    /// largest.
    std::span<const float> per_softness() const { return per_softness_; }
    float softest() const;
    /// Those in a box.
    HeldPoints in_box(const Eigen::AlignedBox3f& box) const;

    /// The sum of the weights of those that balls hold.
    double cost(std::span<const Member> members) const;
    /// Of what they hold outside the solid, in cells, at no price.
    double volume(std::span<const Member> members) const;
    /// What one ball holds, by itself.
    double own_cost(const LaneBall& ball) const;
    /// Of balls, as far as samples tell.
    double mean_error(std::span<const Member> members) const;
    /// Of balls, radius times error: what of their surface is outside goes with it.
    double mean_cap(std::span<const Member> members) const;
    double largest_error(std::span<const Member> members) const;

  private:
    float error_of(const LaneBall& ball) const;

    LaneFrame frame_;
    const InsideTest& inside_;
    const SurfaceQuery& query_;
    OutsideSamples samples_;
    std::vector<Eigen::Vector3f> places_;
    std::vector<float> weights_;  ///< below zero for what costs every ball
    std::vector<float> per_softness_;
    HeldPoints all_;
};

}  // namespace espalier
