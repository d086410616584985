// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/point_batch.h"

#include <algorithm>
#include <cmath>

namespace espalier {

using kernels::kLanes;

void PointBatch::make_room(std::size_t more) {
    const std::size_t needed = count_ + more + kLanes;
    if (needed > x_.size())
        for (std::vector<float>* values : {&x_, &y_, &z_, &weight_}) values->resize(2 * needed);
}

void PointBatch::push_back(float x, float y, float z, float weight) {
    make_room(1);
    x_[count_] = x;
    y_[count_] = y;
    z_[count_] = z;
    weight_[count_++] = weight;
}

void PointBatch::close() {
    for (std::size_t i = count_; count_ > 0 && i % kLanes != 0; ++i) {
        x_[i] = x_[0];
        y_[i] = y_[0];
        z_[i] = z_[0];
        weight_[i] = 0.0F;
    }
}

float PointBatch::radius_around(const SearchSphere& center) const {
    return std::sqrt(kernels::table().farthest(count_, places(), weight_.data(), range_of(center)));
}

float PointBatch::weight_within(const SearchSphere& sphere, float blur_width, float limit) const {
    if (sphere.empty()) return 0.0F;
    // A half at the sphere's surface, and from 1 to 0 over the blur width: straight in squared
    // distances, which is near enough.
    const float slope = 1.0F / (2.0F * std::max(sphere.radius, blur_width) * blur_width);
    const float middle = 0.5F + slope * sphere.radius * sphere.radius;
    return kernels::table().weigh(count_, places(), weight_.data(), range_of(sphere), middle, slope, limit);
}

}  // namespace espalier
