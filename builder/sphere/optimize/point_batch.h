// SPDX-License-Identifier: GPL-3.0-or-later
// Some points in arrays of float32 for the kernels, such as the samples around one sphere that moves.
#pragma once

#include <cstddef>
#include <vector>

#include "builder/sphere/optimize/kernels.h"
#include "builder/sphere/optimize/search_sphere.h"

namespace espalier {

/// The sphere as kernels see it.
inline kernels::Range range_of(const SearchSphere& sphere) {
    return {sphere.x, sphere.y, sphere.z, sphere.empty() ? -1.0F : cover_limit(sphere)};
}

/// Points in whole vectors, each with a number: its weight, or what a surfel adds to its squared distance.
/// Call close() after the last point and before the first question.
class PointBatch {
  public:
    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    void clear() { count_ = 0; }
    void push_back(float x, float y, float z, float weight);
    /// Fills the last vector: with the first point, at no weight.
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

}  // namespace espalier
