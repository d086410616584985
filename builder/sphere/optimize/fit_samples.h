// SPDX-License-Identifier: GPL-3.0-or-later
// What spheres cost while they are fitted: the volume around the solid as samples, with a penalty where they
// are farther from it, so that one sum has volume and error.
#pragma once

#include <span>
#include <vector>

#include "builder/sphere/optimize/cover_counts.h"
#include "builder/sphere/optimize/outside_samples.h"
#include "builder/sphere/optimize/search_frame.h"

namespace espalier {

/// Lengths are in half diagonals.
class FitSamples {
  public:
    FitSamples(const SearchFrame& frame, const Solid& solid, const SurfaceQuery& query);

    /// From the next `take` and `weigh` on, spheres cost as if they were smaller by this.
    void set_gap(double gap) { gap_ = static_cast<float>(gap); }
    float gap() const { return gap_; }

    /// About `count` of them up to `max_distance`, most of them up to `near`; weigh them next.
    void take(double near, double max_distance, double count);
    /// The error above which errors cost more than volume.
    void weigh(float error_knee);

    double width() const { return samples_.width / frame_.scale; }
    /// All of them, uncovered.
    const CoverCounts& all() const { return all_; }
    /// By sample: 1 / the width of the layer at a sphere's surface in which it is covered in part; and
    /// the largest.
    std::span<const float> per_blur_width() const { return per_blur_width_; }
    float widest_blur() const;
    /// Those in a box.
    CoverCounts in_box(const Eigen::AlignedBox3f& box) const;

    /// The sum of the weights of those that spheres cover.
    double cost(std::span<const CandidateSphere> candidates) const;
    /// Of what they cover outside the solid, in cells, at no penalty.
    double volume(std::span<const CandidateSphere> candidates) const;
    /// What one sphere covers, by itself.
    double own_cost(const SearchSphere& sphere) const;
    /// Of spheres, as far as samples tell.
    double mean_error(std::span<const CandidateSphere> candidates) const;
    /// Of spheres, radius times error: what of their surface is outside goes with it.
    double mean_cap(std::span<const CandidateSphere> candidates) const;
    double largest_error(std::span<const CandidateSphere> candidates) const;

  private:
    float error_of(const SearchSphere& sphere) const;

    SearchFrame frame_;
    const Solid& solid_;
    const SurfaceQuery& query_;
    float gap_ = 0.0F;
    OutsideSamples samples_;
    std::vector<Eigen::Vector3f> places_;
    std::vector<float> weights_;  ///< below zero for what costs every sphere
    std::vector<float> per_blur_width_;
    CoverCounts all_;
};

}  // namespace espalier
