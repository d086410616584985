// SPDX-License-Identifier: MIT
// What a sphere query tells about where it is: the colliding spheres, the level reached, the nearest
// triangles.
#include "state.h"

namespace espalier {
namespace {

/// Fills in where two spheres overlap; false when they do not.
bool contact_of(const SphereState& s, const SpherePair& pair, SphereContact* contact) {
    const PlacedSphere a = placed_sphere(s, 0, pair.a), b = placed_sphere(s, 1, pair.b);
    double d[3], squared = 0;
    for (int k = 0; k < 3; ++k) {
        d[k] = b.center[k] - a.center[k];
        squared += d[k] * d[k];
    }
    const double distance = std::sqrt(squared);
    contact->depth = a.outer + b.outer - distance;
    if (!(contact->depth >= 0)) return false;
    contact->sphere_a = pair.a;
    contact->sphere_b = pair.b;
    // The overlap reaches from B's near side to A's, each within the other sphere.
    const double from = distance - b.outer > -a.outer ? distance - b.outer : -a.outer;
    const double to = a.outer < distance + b.outer ? a.outer : distance + b.outer;
    for (int k = 0; k < 3; ++k) {
        contact->normal[k] = distance > 0 ? d[k] / distance : k == 0 ? 1 : 0;
        contact->point[k] = a.center[k] + contact->normal[k] * (from + to) / 2 + s.part[0].origin[k];
    }
    return true;
}

/// Calls `use(pair)` for every pair that is not refined to its end.
template <class Use>
void for_open_pairs(const SphereState& s, Use use) {
    for (std::uint32_t i = 0; i < s.front.count(); ++i)
        if (s.front[i].key != kMeasured) use(s.front[i]);
    for (std::uint32_t i = 0; i < s.depth; ++i) use(s.stack[i].pair);
}

/// A leaf is as fine as its tree gets: beside one, the other sphere's level counts.
std::uint32_t coarser_level(const SphereState& s, std::uint32_t a, std::uint32_t b) {
    const SphereTreeView &tree_a = s.part[0].sphere, &tree_b = s.part[1].sphere;
    const std::uint32_t level_a = tree_a.level_of(a), level_b = tree_b.level_of(b);
    if (is_leaf(tree_a, a)) return level_b;
    if (is_leaf(tree_b, b)) return level_a;
    return level_a < level_b ? level_a : level_b;
}

}  // namespace

std::uint32_t SphereQueryBase::level() const {
    const SphereState& s = *state<SphereState>(state_);
    if (!s.ready) return 0;
    const std::uint32_t levels_a = s.part[0].sphere.level_count, levels_b = s.part[1].sphere.level_count;
    const std::uint32_t deepest = levels_a > levels_b ? levels_a : levels_b;
    if (s.done) return deepest;
    if (s.options.order != SphereOrder::kLevel) {
        if (s.hit_by_triangles && s.best.distance == s.upper) return deepest;
        if (s.nearest[0] != kNoSphere) return coarser_level(s, s.nearest[0], s.nearest[1]);
    }
    std::uint32_t least = deepest;
    for_open_pairs(s, [&](const SpherePair& pair) {
        if (pair.key >= kParked) return;
        const std::uint32_t level = coarser_level(s, pair.a, pair.b);
        if (level < least) least = level;
    });
    return least;
}

std::size_t SphereQueryBase::open_pairs() const {
    const SphereState& s = *state<SphereState>(state_);
    std::size_t count = 0;
    for_open_pairs(s, [&](const SpherePair& pair) {
        if (pair.key < kParked || pair.key == kEndOfSpheres) ++count;
    });
    return count;
}

std::size_t SphereQueryBase::contacts(SphereContact* buffer, std::size_t capacity) const {
    const SphereState& s = *state<SphereState>(state_);
    std::size_t count = 0;
    for_open_pairs(s, [&](const SpherePair& pair) {
        SphereContact contact;
        if (!contact_of(s, pair, &contact)) return;
        ESPALIER_ASSERT(buffer || capacity == 0);
        if (count < capacity) buffer[count] = contact;
        ++count;
    });
    return count;
}

bool SphereQueryBase::mean_contact(SphereContact* mean) const {
    const SphereState& s = *state<SphereState>(state_);
    SphereContact sum, deepest;
    double weight = 0;
    const auto add = [&](const SpherePair& pair) {
        if (double(pair.gap) > s.drift) return;
        SphereContact contact;
        if (!contact_of(s, pair, &contact)) return;
        if (weight == 0 || contact.depth > deepest.depth) deepest = contact;
        const double w = contact.depth > 1e-300 ? contact.depth : 1e-300;
        for (int k = 0; k < 3; ++k) {
            sum.point[k] += w * contact.point[k];
            sum.normal[k] += w * contact.normal[k];
        }
        weight += w;
    };
    if (!s.ready) return false;
    if (s.upper == 0) add(s.hit);
    const bool exact_hit = s.upper == 0 && s.hit_by_triangles;
    if (!exact_hit || weight == 0) for_open_pairs(s, add);
    if (!(weight > 0)) return false;
    *mean = deepest;
    double squared = 0;
    for (int k = 0; k < 3; ++k) squared += sum.normal[k] * sum.normal[k];
    for (int k = 0; k < 3; ++k) {
        mean->point[k] = exact_hit ? s.best.point[0][k] + s.part[0].origin[k] : sum.point[k] / weight;
        // Normals that cancel out leave the deepest overlap's.
        if (squared > 1e-12 * weight * weight) mean->normal[k] = sum.normal[k] / std::sqrt(squared);
    }
    return true;
}

bool SphereQueryBase::closest(ClosestPair* pair) const {
    const SphereState& s = *state<SphereState>(state_);
    if (!s.hit_by_triangles || s.best.distance != s.upper) return false;
    pair->distance = s.best.distance;
    pair->triangle_a = s.best.triangle[0];
    pair->triangle_b = s.best.triangle[1];
    for (int k = 0; k < 3; ++k) {
        pair->point_a[k] = s.best.point[0][k] + s.meshes.origin_a[k];
        pair->point_b[k] = s.best.point[1][k] + s.meshes.origin_a[k];
    }
    return true;
}

}  // namespace espalier
