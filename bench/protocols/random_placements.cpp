// SPDX-License-Identifier: GPL-3.0-or-later
// Protocols A, D, E and G, and the misses of a set.
#include <algorithm>

#include "bench/protocols/protocols.h"
#include "bench/protocols/random.h"

namespace espalier_bench {
namespace {

/// Two orientations and two origins in a cube of side 1; the side scales the origins.
struct UnitPlacement {
    double rotation_a[4], rotation_b[4], offset[3];
};

std::vector<UnitPlacement> draw_unit(std::size_t count, std::uint64_t seed) {
    Draw draw(seed);
    std::vector<UnitPlacement> list(count);
    for (UnitPlacement& p : list) {
        draw.rotation(p.rotation_a);
        draw.rotation(p.rotation_b);
        for (double& x : p.offset) {
            const double a = draw.unit();  // one origin, then the other: their difference counts
            x = draw.unit() - a;
        }
    }
    return list;
}

/// B in A's frame: rotation conj(qa) * qb, offset turned back by A's orientation.
Placement relative(const ModelData& model, const UnitPlacement& u, double side) {
    const double* a = u.rotation_a;
    const double* b = u.rotation_b;
    const double inverse[4] = {a[0], -a[1], -a[2], -a[3]};
    const double q[4] = {inverse[0] * b[0] - inverse[1] * b[1] - inverse[2] * b[2] - inverse[3] * b[3],
                         inverse[0] * b[1] + inverse[1] * b[0] + inverse[2] * b[3] - inverse[3] * b[2],
                         inverse[0] * b[2] - inverse[1] * b[3] + inverse[2] * b[0] + inverse[3] * b[1],
                         inverse[0] * b[3] + inverse[1] * b[2] - inverse[2] * b[1] + inverse[3] * b[0]};
    double scaled[3], offset[3];
    for (int i = 0; i < 3; ++i) scaled[i] = side * u.offset[i];
    rotate(inverse, scaled, offset);
    return place(model, q, offset);
}

double hit_rate(const ModelData& model, Library& reference, const std::vector<UnitPlacement>& list,
                std::size_t count, double side) {
    std::size_t hits = 0;
    for (std::size_t i = 0; i < count; ++i) hits += reference.collide(relative(model, list[i], side));
    return double(hits) / double(count);
}

}  // namespace

Sizes quick_sizes() {
    return {.random = 150,
            .steps = 20,
            .per_gap = 15,
            .contacts = 15,
            .distances = 8,
            .frames = 6,
            .paper = 5000};
}

Sizes full_sizes() {
    return {};
}

PoseSet random_placements(const ModelData& model, Library& reference, std::size_t count, std::uint64_t seed) {
    const std::vector<UnitPlacement> list = draw_unit(count, seed);
    const std::size_t tuned_on = std::min<std::size_t>(count, 2000);
    double lo = 0, hi = 4 * model.diagonal;
    for (int i = 0; i < 16; ++i) {
        const double middle = (lo + hi) / 2;
        (hit_rate(model, reference, list, tuned_on, middle) > 0.6 ? lo : hi) = middle;
    }
    PoseSet set{"A", "random placements, 60 % touch", Job::kFirst, {{"all", 0, count}}, {}};
    for (const UnitPlacement& u : list) set.placements.push_back(relative(model, u, (lo + hi) / 2));
    return set;
}

PoseSet deep_overlap(const ModelData& model, std::size_t count) {
    Draw draw(4);
    PoseSet set{"D", "deep overlap", Job::kFirst, {{"all", 0, count}}, {}};
    for (std::size_t i = 0; i < count; ++i) {
        double q[4], offset[3];
        draw.rotation(q);
        draw.direction(offset);
        const double length = 0.1 * model.diagonal * draw.unit();
        for (double& x : offset) x *= length;
        set.placements.push_back(place(model, q, offset));
    }
    return set;
}

PoseSet all_contacts(const PoseSet& random, Library& reference, std::size_t count) {
    PoseSet set{"E", "all contacts", Job::kAll, {}, {}};
    for (const Placement& p : random.placements)
        if (set.placements.size() < count && reference.collide(p)) set.placements.push_back(p);
    set.groups.push_back({"all", 0, set.placements.size()});
    return set;
}

PoseSet deforming(const PoseSet& random, std::size_t frames) {
    PoseSet set{"G", "deforming: refit and query a frame", Job::kDeform, {}, {}};
    set.placements.assign(
        random.placements.begin(),
        random.placements.begin() + std::ptrdiff_t(std::min(frames, random.placements.size())));
    set.groups.push_back({"refit", 0, set.placements.size()});
    set.groups.push_back({"query", 1, set.placements.size()});
    return set;
}

PoseSet misses_of(const PoseSet& set, Library& reference) {
    PoseSet misses{set.protocol + "-misses", set.title + ": the misses", Job::kMisses, {}, {}};
    for (const Placement& p : set.placements)
        if (!reference.collide(p)) misses.placements.push_back(p);
    misses.groups.push_back({"all", 0, misses.placements.size()});
    return misses;
}

}  // namespace espalier_bench
