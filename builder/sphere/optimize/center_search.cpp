// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/optimize/center_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier {
namespace {

/// Samples are gathered in a ball this much larger than the one that moves, in first steps.
constexpr float kReserve = 2.5F;
/// Rounds of the search; it needs about ten.
constexpr int kMostRounds = 64;
/// Steps become so much smaller when none of them helps.
constexpr float kShrink = 0.6F;

/// One step: along the axes, forth and back in turn, or along the diagonals, the opposite of `d` being 7 -
/// `d`.
LaneBall stepped(LaneBall ball, bool diagonal, int d, float step) {
    constexpr float kThird = 0.57735027F;
    if (diagonal) {
        ball.x += (d & 1) != 0 ? step * kThird : -step * kThird;
        ball.y += (d & 2) != 0 ? step * kThird : -step * kThird;
        ball.z += (d & 4) != 0 ? step * kThird : -step * kThird;
    } else {
        (d / 2 == 0 ? ball.x : d / 2 == 1 ? ball.y : ball.z) += d % 2 == 0 ? step : -step;
    }
    return ball;
}

}  // namespace

float radius_needed(const CoverScene& scene, const LaneBall& center, std::span<const std::uint32_t> patches) {
    float most = 0.0F;
    for (const std::uint32_t p : patches) {
        most = std::max(most, squared_reach(center, scene.patches.disc(p)));
    }
    return std::sqrt(most);
}

bool beyond_reach(const CoverScene& scene, const LaneBall& ball) {
    const Eigen::Vector3f center(ball.x, ball.y, ball.z);
    return ((center - scene.reach.min()).array() < ball.radius).any() ||
           ((scene.reach.max() - center).array() < ball.radius).any();
}

/// How much wider a ball must be for a patch than for its middle hardly changes while the centre moves.
void CenterSearch::need(const CoverScene& scene, std::span<const std::uint32_t> patches,
                        const LaneBall& from) {
    needed_.clear();
    for (const std::uint32_t p : patches) {
        const Eigen::Vector3f place = scene.patches.at(p);
        const float more = squared_reach(from, scene.patches.disc(p)) - squared_distance(place, from);
        needed_.push_back(place.x(), place.y(), place.z(), more);
    }
    needed_.close();
}

void CenterSearch::gather(const CoverScene& scene, const LaneBall& ball, float radius, const LaneBall& own,
                          const CenterSteps& steps) {
    around_ = ball;
    around_.radius = (1.0F + kReserve * steps.first) * radius + scene.sample_width;
    free_.clear();
    scene.samples.find_free(around_, own, free_);
    free_.close();
}

bool CenterSearch::gathered(const CoverScene& scene, const LaneBall& ball) const {
    const float room = around_.radius - ball.radius - scene.sample_width;
    return room >= 0.0F && squared_distance({ball.x, ball.y, ball.z}, around_) <= room * room;
}

LaneBall CenterSearch::settle(const CoverScene& scene, std::span<const std::uint32_t> patches,
                              const LaneBall& start, const LaneBall& own, const CenterSteps& steps) {
    need(scene, patches, start);
    LaneBall best = start;
    best.radius = needed_.radius_around(start);
    gather(scene, best, best.radius, own, steps);
    float least = free_.weight_within(best, scene.sample_width, std::numeric_limits<float>::infinity());
    const float scale = best.radius;
    int failures = 0;
    int rounds = 0;
    for (float step = steps.first * scale; step > steps.last * scale && rounds < kMostRounds; ++rounds) {
        const bool diagonal = failures % 2 == 1;
        unsigned moves = 0;  // by direction
        for (int d = 0; d < (diagonal ? 8 : 6); ++d) {
            if ((moves >> (diagonal ? 7 - d : d ^ 1) & 1U) != 0) {
                continue;  // there it came from
            }
            LaneBall ball = stepped(best, diagonal, d, step);
            ball.radius = needed_.radius_around(ball);
            if (beyond_reach(scene, ball)) {
                continue;
            }
            if (!gathered(scene, ball)) {
                gather(scene, ball, std::max(ball.radius, best.radius), own, steps);
            }
            const float cost = free_.weight_within(ball, scene.sample_width, least);
            if (cost < least || (cost == least && ball.radius < best.radius)) {
                best = ball;
                least = cost;
                moves |= 1U << d;
            }
        }
        if (moves == 0) {
            step *= kShrink;
            ++failures;
        }
    }
    best.radius = radius_needed(scene, best, patches);
    return best;
}

}  // namespace espalier
