// SPDX-License-Identifier: GPL-3.0-or-later
// Compass search with steps that shrink (Kolda, Lewis and Torczon 2003).
#include "builder/sphere/optimize/center_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace espalier {
namespace {

/// One step: along the axes, forth and back in turn, or along the diagonals, the opposite of `d` being 7 -
/// `d`.
SearchSphere stepped(SearchSphere sphere, bool diagonal, int d, float step) {
    constexpr float kThird = 0.57735027F;
    if (diagonal) {
        sphere.x += (d & 1) != 0 ? step * kThird : -step * kThird;
        sphere.y += (d & 2) != 0 ? step * kThird : -step * kThird;
        sphere.z += (d & 4) != 0 ? step * kThird : -step * kThird;
    } else {
        (d / 2 == 0 ? sphere.x : d / 2 == 1 ? sphere.y : sphere.z) += d % 2 == 0 ? step : -step;
    }
    return sphere;
}

}  // namespace

float radius_needed(const CoverScene& scene, const SearchSphere& center,
                    std::span<const std::uint32_t> patches) {
    float most = 0.0F;
    for (const std::uint32_t p : patches)
        most = std::max(most, squared_radius_to_cover(center, scene.patches.surfel(p)));
    return std::sqrt(most);
}

bool outside_search_box(const CoverScene& scene, const SearchSphere& sphere) {
    const Eigen::Vector3f center(sphere.x, sphere.y, sphere.z);
    return ((center - scene.search_box.min()).array() < sphere.radius).any() ||
           ((scene.search_box.max() - center).array() < sphere.radius).any();
}

/// How much wider a sphere must be for a patch than for its middle hardly changes while the centre moves.
void CenterSearch::need(const CoverScene& scene, std::span<const std::uint32_t> patches,
                        const SearchSphere& from) {
    needed_.clear();
    for (const std::uint32_t p : patches) {
        const Eigen::Vector3f place = scene.patches.at(p);
        const float more =
            squared_radius_to_cover(from, scene.patches.surfel(p)) - squared_distance(place, from);
        needed_.push_back(place.x(), place.y(), place.z(), more);
    }
    needed_.close();
}

void CenterSearch::gather(const CoverScene& scene, const SearchSphere& sphere, float radius,
                          const SearchSphere& own, const tuning::CenterSteps& steps) {
    around_ = sphere;
    around_.radius = (1.0F + tuning::kGatherReserve * steps.first) * radius + scene.sample_width;
    free_.clear();
    scene.samples.find_uncovered(around_, own, free_);
    free_.close();
}

bool CenterSearch::gathered(const CoverScene& scene, const SearchSphere& sphere) const {
    const float left = around_.radius - sphere.radius - scene.sample_width;
    return left >= 0.0F && squared_distance(sphere, around_) <= left * left;
}

SearchSphere CenterSearch::recenter(const CoverScene& scene, std::span<const std::uint32_t> patches,
                                    const SearchSphere& start, const SearchSphere& own,
                                    const tuning::CenterSteps& steps) {
    assert(!patches.empty());
    need(scene, patches, start);
    SearchSphere best = start;
    best.radius = needed_.radius_around(start);
    gather(scene, best, best.radius, own, steps);
    float least = free_.weight_within(scene.samples.without_gap(best), scene.sample_width,
                                      std::numeric_limits<float>::infinity());
    const float scale = best.radius;
    int failures = 0;
    int rounds = 0;
    for (float step = steps.first * scale; step > steps.last * scale && rounds < tuning::kMostSteps;
         ++rounds) {
        const bool diagonal = failures % 2 == 1;
        unsigned moves = 0;  // by direction
        for (int d = 0; d < (diagonal ? 8 : 6); ++d) {
            if ((moves >> (diagonal ? 7 - d : d ^ 1) & 1u) != 0) continue;  // there it came from
            SearchSphere sphere = stepped(best, diagonal, d, step);
            sphere.radius = needed_.radius_around(sphere);
            if (outside_search_box(scene, sphere)) continue;
            if (!gathered(scene, sphere))
                gather(scene, sphere, std::max(sphere.radius, best.radius), own, steps);
            const float cost =
                free_.weight_within(scene.samples.without_gap(sphere), scene.sample_width, least);
            if (cost < least || (cost == least && sphere.radius < best.radius)) {
                best = sphere;
                least = cost;
                moves |= 1u << d;
            }
        }
        if (moves == 0) {
            step *= tuning::kStepShrink;
            ++failures;
        }
    }
    best.radius = radius_needed(scene, best, patches);
    return best;
}

}  // namespace espalier
