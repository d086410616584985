// SPDX-License-Identifier: MIT
// A sphere tree is in level order and each level's children are the next level, so rising ends prove its
// shape; a DAG's children, and those that a tree's spheres share, are checked one by one.
#include "verify.h"

#include "../format/verify.h"

namespace espalier {
namespace {

template <class T>
bool finite_and_not_negative(T value) {
    return value >= 0 && value - value == 0;
}

/// Largest radius and coordinate: its square, and sums of a few such squares, stay finite in float.
constexpr float kLargestCoordinate = 1e18f;

bool proper_spheres(const SphereTreeView& tree) {
    for (std::uint32_t i = 0; i < tree.sphere_count; ++i) {
        const SphereNode& s = tree.spheres[i];
        for (const float x : s.center)
            if (!(x <= kLargestCoordinate && x >= -kLargestCoordinate)) return false;
        if (!(s.radius >= 0 && s.radius <= kLargestCoordinate)) return false;
        if (!finite_and_not_negative(tree.errors[i])) return false;
    }
    return true;
}

bool proper_statistics(const SphereTreeView& tree) {
    for (std::uint32_t i = 0; i < tree.level_count; ++i) {
        const SphereLevelNode& level = tree.levels[i];
        if (!finite_and_not_negative(level.error_mean) || !finite_and_not_negative(level.error_max) ||
            !finite_and_not_negative(level.union_volume) || !finite_and_not_negative(level.outside_volume))
            return false;
    }
    return finite_and_not_negative(tree.solid_volume);
}

/// Ends that rise by at least `least` each, from `first` to exactly `last`.
bool ends_rise(const std::uint32_t* ends, std::uint32_t count, std::uint32_t first, std::uint32_t last,
               std::uint32_t least) {
    std::uint32_t before = first;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (ends[i] < before || ends[i] - before < least) return false;
        before = ends[i];
    }
    return before == last;
}

/// Lists of the spheres above the last level, one after the other: each entry is on the level below. The ends
/// have been seen to rise to the list's length.
bool entries_on_next_level(const SphereTreeView& tree, const std::uint32_t* ends, const std::uint32_t* list) {
    std::uint32_t position = 0;
    for (std::uint32_t i = 0; i + 1 < tree.level_count; ++i) {
        const SphereLevelNode &level = tree.levels[i], &next = tree.levels[i + 1];
        const std::uint32_t end = ends[level.first + level.count - 1];
        for (; position < end; ++position)
            if (list[position] < next.first || list[position] - next.first >= next.count) return false;
    }
    return true;
}

bool children_on_next_level(const SphereTreeView& tree) {
    if (!tree.dag()) {
        for (std::uint32_t i = 0; i + 1 < tree.level_count; ++i) {
            const SphereLevelNode &level = tree.levels[i], &next = tree.levels[i + 1];
            if (!ends_rise(tree.child_ends + level.first, level.count, next.first, next.first + next.count,
                           1))
                return false;
        }
        return true;
    }
    return ends_rise(tree.child_ends, tree.inner_count(), 0, tree.child_list_count, 1) &&
           entries_on_next_level(tree, tree.child_ends, tree.child_list);
}

/// A sphere may share nothing.
bool shared_on_next_level(const SphereTreeView& tree) {
    if (!tree.shared_ends) return true;
    return ends_rise(tree.shared_ends, tree.inner_count(), 0, tree.shared_list_count, 0) &&
           entries_on_next_level(tree, tree.shared_ends, tree.shared_list);
}

bool leaves_in_range(const SphereTreeView& tree, std::uint32_t triangle_count) {
    const std::uint32_t leaves = tree.levels[tree.level_count - 1].count;
    if (!ends_rise(tree.leaf_ends, leaves, 0, tree.leaf_triangle_count, 0)) return false;
    for (std::uint32_t i = 0; i < tree.leaf_triangle_count; ++i)
        if (tree.leaf_triangles[i] >= triangle_count) return false;
    return true;
}

bool proper_shells(const SphereTreeView& tree) {
    for (std::uint32_t i = 0; i < tree.shell_count; ++i)
        if (!proper_box(tree.shells[i].lo, tree.shells[i].hi)) return false;
    return true;
}

}  // namespace

Status verify_sphere_tree(const SphereTreeView& tree, std::uint32_t triangle_count) {
    if (!tree.spheres) return Status::kOk;
    const bool sound = proper_spheres(tree) && proper_statistics(tree) && children_on_next_level(tree) &&
                       shared_on_next_level(tree) && leaves_in_range(tree, triangle_count) &&
                       proper_shells(tree);
    return sound ? Status::kOk : Status::kCorruptTree;
}

std::uint64_t sphere_tree_bytes(const SphereTreeView& tree) {
    if (!tree.spheres) return 0;
    // In words of four bytes 32 bits suffice: each vector is shorter than 2^31 bytes, so 6 words for each of
    // at most 2^27 spheres, three lists and the shells of at most 2^29 words each and the ends come to below
    // 2^32.
    const std::uint32_t shared_ends = tree.shared_ends ? tree.inner_count() : 0;
    const std::uint32_t words = 6 * tree.sphere_count +  // node, error, child_ends or leaf_ends
                                8 * tree.level_count + tree.child_list_count + tree.leaf_triangle_count +
                                6 * tree.shell_count + shared_ends + tree.shared_list_count;
    return std::uint64_t{4} * words;
}

}  // namespace espalier
