// SPDX-License-Identifier: GPL-3.0-or-later
// The paper's division (Zachmann 2002, section 4.2): for every axis three candidates - both subsets lower
// boxes, both upper, one each - each seeded with two triangles near the borders and grown by giving every
// triangle to the subset whose volume increases least. The candidate with the least sum of volumes wins
// (section 4.1).
#include <tbb/parallel_for.h>

#include <array>
#include <cmath>
#include <limits>

#include "builder/box/split.h"

namespace espalier {
namespace {

using Box = Eigen::AlignedBox3f;

/// Two volumes count as equal when they differ by less than this part of the parent's: the epsilon guard of
/// section 4.2, without which rounding decides on symmetric meshes.
constexpr float kVolumeGuard = 1e-5F;
/// Every side counts as at least this part of the diagonal, so that flat sets have volumes to compare.
constexpr float kFlatGuard = 1e-4F;
/// In triangles: below this the candidates are not worth tasks. Results do not depend on it.
constexpr std::size_t kCandidateTaskTriangles = 16384;

enum class Case { kLowerUpper, kLowerLower, kUpperUpper };

struct Candidate {
    int axis = 0;
    Case kind = Case::kLowerUpper;
};

/// Seeds of a candidate: triangles of the two subsets, by position in the range.
struct Seeds {
    std::uint32_t first = 0, second = 0;
};

class Divider {
  public:
    Divider(std::span<const TriangleBounds> range, const Box& box) : range_(range) {
        pad_ = box.sizes().norm() * kFlatGuard;
        guard_ = volume(box) * kVolumeGuard;
        find_seeds();
    }

    /// Assigns every triangle in turn; calls `assigned(index, to_first)`. Returns the sum of the volumes, or
    /// infinity when one subset took everything.
    template <class Assigned>
    float run(const Candidate& candidate, Assigned assigned) const {
        const Seeds seeds = seeds_of(candidate);
        if (seeds.first == seeds.second) return std::numeric_limits<float>::infinity();
        Box box[2] = {box_of(seeds.first), box_of(seeds.second)};
        float size[2] = {volume(box[0]), volume(box[1])};
        std::uint32_t count[2] = {1, 1};
        for (std::uint32_t i = 0; i < range_.size(); ++i) {
            if (i == seeds.first || i == seeds.second) {
                assigned(i, i == seeds.first);
                continue;
            }
            const Box grown[2] = {box[0].merged(box_of(i)), box[1].merged(box_of(i))};
            const float grown_size[2] = {volume(grown[0]), volume(grown[1])};
            const float growth[2] = {grown_size[0] - size[0], grown_size[1] - size[1]};
            const bool equal = std::abs(growth[0] - growth[1]) <= guard_;
            const std::size_t to = equal ? (count[0] <= count[1] ? 0 : 1) : (growth[0] < growth[1] ? 0 : 1);
            box[to] = grown[to];
            size[to] = grown_size[to];
            ++count[to];
            assigned(i, to == 0);
        }
        return size[0] + size[1];
    }

  private:
    Box box_of(std::uint32_t i) const { return Box(range_[i].lo, range_[i].hi); }

    float volume(const Box& box) const {
        const Eigen::Vector3f size = box.sizes().array() + pad_;
        return size.x() * size.y() * size.z();
    }

    /// Triangles nearest to the borders of each axis, the first in order where several are.
    void find_seeds() {
        for (std::uint32_t i = 0; i < range_.size(); ++i)
            for (int k = 0; k < 3; ++k) {
                const auto axis = static_cast<std::size_t>(k);
                const TriangleBounds& t = range_[i];
                if (t.lo[k] < range_[least_lo_[axis]].lo[k]) least_lo_[axis] = i;
                if (t.lo[k] > range_[most_lo_[axis]].lo[k]) most_lo_[axis] = i;
                if (t.hi[k] < range_[least_hi_[axis]].hi[k]) least_hi_[axis] = i;
                if (t.hi[k] > range_[most_hi_[axis]].hi[k]) most_hi_[axis] = i;
            }
    }

    /// A lower box is bounded by its upper side, so its seed is the triangle that bounds it best or must
    /// bound it; an upper box mirrors that.
    Seeds seeds_of(const Candidate& candidate) const {
        const auto axis = static_cast<std::size_t>(candidate.axis);
        switch (candidate.kind) {
            case Case::kLowerLower:
                return {least_hi_[axis], most_hi_[axis]};
            case Case::kUpperUpper:
                return {least_lo_[axis], most_lo_[axis]};
            case Case::kLowerUpper:
                break;
        }
        return {least_hi_[axis], most_lo_[axis]};
    }

    std::span<const TriangleBounds> range_;
    float pad_ = 0, guard_ = 0;
    std::array<std::uint32_t, 3> least_lo_{}, most_lo_{}, least_hi_{}, most_hi_{};
};

/// The axis of the widest spread of middles, for ranges that no candidate divides.
int widest_axis(std::span<const TriangleBounds> range) {
    Box middles;
    for (const TriangleBounds& box : range) middles.extend(box.doubled_middle());
    int axis = 0;
    middles.sizes().maxCoeff(&axis);
    return axis;
}

}  // namespace

std::uint32_t split_by_volume(std::span<TriangleBounds> range, const Box& box, bool longest_only,
                              const CutLimits& limits) {
    const Divider divider(range, box);
    std::array<Candidate, 9> candidates;
    std::size_t count = 0;
    int longest = 0;
    box.sizes().maxCoeff(&longest);
    for (int axis = 0; axis < 3; ++axis)
        if (!longest_only || axis == longest)
            for (const Case kind : {Case::kLowerUpper, Case::kLowerLower, Case::kUpperUpper})
                candidates[count++] = {axis, kind};
    std::array<float, 9> cost{};
    const auto evaluate = [&](std::size_t i) {
        cost[i] = divider.run(candidates[i], [](std::uint32_t, bool) {});
    };
    if (range.size() < kCandidateTaskTriangles)
        for (std::size_t i = 0; i < count; ++i) evaluate(i);
    else
        tbb::parallel_for(std::size_t{0}, count, evaluate);
    std::size_t best = 0;
    for (std::size_t i = 1; i < count; ++i)
        if (cost[i] < cost[best]) best = i;
    if (!std::isfinite(cost[best])) {
        const std::uint32_t half = limits.nearest(static_cast<std::uint32_t>(range.size() / 2));
        return balance_cut(range, 0, widest_axis(range), {half, half, limits.unit});
    }
    std::vector<std::uint8_t> first(range.size());
    divider.run(candidates[best], [&](std::uint32_t i, bool to_first) { first[i] = to_first; });
    const std::uint32_t left =
        stable_split(range, [&](std::uint32_t i, const TriangleBounds&) { return first[i] != 0; });
    return balance_cut(range, left, candidates[best].axis, limits);
}

}  // namespace espalier
