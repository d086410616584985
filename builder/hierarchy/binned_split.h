// SPDX-License-Identifier: GPL-3.0-or-later
// The surface-area heuristic over bins: Wald 2007, "On fast Construction of SAH-based Bounding Volume
// Hierarchies", section 3.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "builder/hierarchy/triangle_bounds.h"

namespace espalier {

/// Half of a box's surface; 0 for an empty one.
inline float half_area(const Eigen::AlignedBox3f& box) {
    if (box.isEmpty()) return 0.0F;
    const Eigen::Vector3f d = box.sizes();
    return d.x() * d.y() + d.y() * d.z() + d.z() * d.x();
}

/// Triangles of a bin below `bin` along `axis` go left. No axis: all middles coincide.
struct BinnedCut {
    int axis = -1;
    std::size_t bin = 0;
};

/// A range of triangles, sorted along each axis into as many bins as `kBins` by the middles of their boxes.
template <std::size_t kBins>
class Binning {
  public:
    explicit Binning(std::span<const TriangleBounds> range) : range_(range) {
        for (const TriangleBounds& triangle : range) middles_.extend(triangle.doubled_middle());
        const Eigen::Vector3f size = middles_.sizes();
        for (int k = 0; k < 3; ++k) {
            // A little less than the last bin's end, so that rounding does not pass it.
            scale_[k] = size[k] > 0 ? (static_cast<float>(kBins) * 0.99999F) / size[k] : 0.0F;
            if (!std::isfinite(scale_[k])) scale_[k] = 0.0F;
        }
    }

    std::size_t bin(const TriangleBounds& triangle, int axis) const {
        const float at = (triangle.doubled_middle()[axis] - middles_.min()[axis]) * scale_[axis];
        return std::min(static_cast<std::size_t>(at), kBins - 1);
    }

    /// Where the cut's bin begins, for doubled middles.
    float position(const BinnedCut& cut) const {
        return middles_.min()[cut.axis] + static_cast<float>(cut.bin) / scale_[cut.axis];
    }

    /// The cut with the least sum of areas times counts; the first of several.
    BinnedCut best_cut() const {
        std::array<std::array<Bin, kBins>, 3> bins;
        for (const TriangleBounds& triangle : range_)
            for (int axis = 0; axis < 3; ++axis) {
                Bin& bin = bins[static_cast<std::size_t>(axis)][this->bin(triangle, axis)];
                extend(bin.box, triangle);
                ++bin.count;
            }
        BinnedCut best;
        float best_cost = std::numeric_limits<float>::infinity();
        for (int axis = 0; axis < 3; ++axis)
            if (scale_[axis] > 0) best_of_axis(bins[static_cast<std::size_t>(axis)], axis, &best, &best_cost);
        return best;
    }

  private:
    struct Bin {
        Eigen::AlignedBox3f box;
        std::uint32_t count = 0;
    };

    static void best_of_axis(const std::array<Bin, kBins>& bins, int axis, BinnedCut* best,
                             float* best_cost) {
        std::array<float, kBins> left_cost;
        Eigen::AlignedBox3f box;
        std::uint32_t count = 0;
        for (std::size_t i = 0; i + 1 < kBins; ++i) {
            box.extend(bins[i].box);
            count += bins[i].count;
            left_cost[i] = half_area(box) * static_cast<float>(count);
        }
        box.setEmpty();
        count = 0;
        for (std::size_t i = kBins - 1; i > 0; --i) {
            box.extend(bins[i].box);
            count += bins[i].count;
            const float cost = left_cost[i - 1] + half_area(box) * static_cast<float>(count);
            if (count > 0 && cost < *best_cost) {
                *best_cost = cost;
                *best = {axis, i};
            }
        }
    }

    std::span<const TriangleBounds> range_;
    Eigen::AlignedBox3f middles_;
    Eigen::Vector3f scale_;
};

}  // namespace espalier
