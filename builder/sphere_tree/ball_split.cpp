// SPDX-License-Identifier: GPL-3.0-or-later
// Ways to put two balls in place of one.
#include "builder/sphere_tree/ball_split.h"

#include <algorithm>
#include <numeric>

namespace espalier {
namespace {

using Eigen::Vector3d;

Pair halves(PointCover& cover, const Indices& points, std::uint32_t extreme) {
    Vector3d center[2] = {cover.at(extreme), cover.at(extreme)};
    double most = -1.0;
    for (const std::uint32_t i : points) {
        const double d = (cover.at(i) - center[0]).squaredNorm();
        if (d > most) {
            most = d;
            center[1] = cover.at(i);
        }
    }
    Indices half[2];
    for (int round = 0; round < 4; ++round) {
        half[0].clear();
        half[1].clear();
        for (const std::uint32_t i : points) {
            const Vector3d p = cover.at(i);
            half[(p - center[0]).squaredNorm() <= (p - center[1]).squaredNorm() ? 0 : 1].push_back(i);
        }
        if (half[0].empty() || half[1].empty()) {
            return {};
        }
        center[0] = cover.middle_of(half[0]);
        center[1] = cover.middle_of(half[1]);
    }
    return {cover.settle(half[0], center[0], kCoarse), cover.settle(half[1], center[1], kCoarse)};
}

Pair medial_halves(PointCover& cover, const std::vector<FitSeed>& seeds, const Indices& points,
                   const Ball& ball) {
    Vector3d end[2] = {ball.center, ball.center};
    for (int e = 0; e < 2; ++e) {
        const Vector3d from = end[0];
        double most = 0.0;
        for (const FitSeed& seed : seeds) {
            const double d = (seed.ball.center - from).squaredNorm();
            if (d > most && (seed.point - ball.center).squaredNorm() <= ball.radius * ball.radius) {
                most = d;
                end[e] = seed.ball.center;
            }
        }
        if (e == 0) {
            end[1] = end[0];
        }
    }
    Indices half[2];
    for (const std::uint32_t i : points) {
        const Vector3d p = cover.at(i);
        half[(p - end[0]).squaredNorm() <= (p - end[1]).squaredNorm() ? 0 : 1].push_back(i);
    }
    if (half[0].empty() || half[1].empty()) {
        return {};
    }
    return {cover.settle(half[0], 0.5 * (ball.center + end[0]), kCoarse),
            cover.settle(half[1], 0.5 * (ball.center + end[1]), kCoarse)};
}

Pair peel(PointCover& cover, const Indices& points, const Ball& ball, const Vector3d& extreme, double reach) {
    Indices near;
    Indices rest;
    for (const std::uint32_t i : points) {
        ((cover.at(i) - extreme).squaredNorm() <= reach * reach ? near : rest).push_back(i);
    }
    if (near.empty() || rest.empty()) {
        return {};
    }
    return {cover.settle(near, cover.middle_of(near), kCoarse), cover.settle(rest, ball.center, kCoarse)};
}

}  // namespace

Pair split(PointCover& cover, const std::vector<FitSeed>& seeds, const Indices& points, const Ball& ball) {
    std::uint32_t extreme = points.front();
    double most = -1.0;
    for (const std::uint32_t i : points) {
        const double d = (cover.at(i) - ball.center).squaredNorm();
        if (d > most) {
            most = d;
            extreme = i;
        }
    }
    Pair best = halves(cover, points, extreme);
    const Pair rings = medial_halves(cover, seeds, points, ball);
    if (rings.first.cost + rings.second.cost < best.first.cost + best.second.cost) {
        best = rings;
    }
    for (const double share : {0.4, 0.8}) {
        const Pair pair = peel(cover, points, ball, cover.at(extreme), share * ball.radius);
        if (pair.first.cost + pair.second.cost < best.first.cost + best.second.cost) {
            best = pair;
        }
    }
    return best;
}

void refill(PointCover& cover, const std::vector<FitSeed>& seeds, Balls& balls, std::size_t count) {
    while (balls.size() < count) {
        const std::vector<Indices> owned = cover.owned_points(balls);
        double most = 0.0;
        std::size_t chosen = balls.size();
        Pair chosen_pair;
        std::vector<std::size_t> order(balls.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return balls[a].cost > balls[b].cost; });
        for (std::size_t k = 0; k < std::min<std::size_t>(4, order.size()); ++k) {
            const std::size_t b = order[k];
            if (owned[b].size() < 2) {
                continue;
            }
            const Pair pair = split(cover, seeds, owned[b], balls[b].ball);
            const double gain = balls[b].cost - pair.first.cost - pair.second.cost;
            if (gain > most) {
                most = gain;
                chosen = b;
                chosen_pair = pair;
            }
        }
        if (chosen == balls.size()) {
            return;
        }
        balls[chosen] = chosen_pair.first;
        balls.push_back(chosen_pair.second);
    }
}

}  // namespace espalier
