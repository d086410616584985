// SPDX-License-Identifier: MIT
// A sphere tree is in level order and each level's children are the next level, so rising ends prove its
// shape; a DAG's children, and those that a tree's spheres share, are checked one by one. Levels and lengths
// are checked when the part is read, since finding anything depends on them.
#include "format.h"

#include "../format/fields.h"

namespace espalier {
namespace {

/// Levels without gaps that use every sphere, and vectors of the lengths that follow from them. O(levels).
bool sphere_lengths_match(const SphereTreeView& tree, const VectorRange& child_ends,
                          const VectorRange& leaf_ends) {
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < tree.level_count; ++i) {
        const SphereLevelNode& level = tree.levels[i];
        if (level.first != next || level.count == 0 || level.count > tree.sphere_count - next) return false;
        next += level.count;
    }
    const SphereLevelNode& last = tree.levels[tree.level_count - 1];
    return next == tree.sphere_count && tree.levels[0].count == 1 && leaf_ends.count == last.count &&
           (child_ends.valid() ? child_ends.count : 0) == last.first;
}

/// Largest radius and coordinate: its square, and sums of a few such squares, stay finite in float.
constexpr float kLargestCoordinate = 1e18F;

/// Neither negative nor beyond what radii may be.
bool proper_length(float length) {
    return length >= 0 && length <= kLargestCoordinate;
}

/// Shared children are all there or all absent; a DAG's lists have them already.
Status read_shared_children(const Table& table, SphereTreeView* tree) {
    const VectorRange ends = table.words(SphereFormat::kSharedEnds);
    const VectorRange list = table.words(SphereFormat::kSharedList);
    if (ends.broken() || list.broken() || ends.valid() != list.valid()) return Status::kCorrupt;
    if (!ends.valid()) return Status::kOk;
    if (tree->dag() || ends.count != tree->inner_count()) return Status::kCorrupt;
    tree->shared_ends = elements_of<std::uint32_t>(ends);
    tree->shared_list = elements_of<std::uint32_t>(list);
    tree->shared_list_count = list.count;
    return Status::kOk;
}

template <class T>
bool finite_and_not_negative(T value) {
    return value >= 0 && value < static_cast<T>(__builtin_huge_val());
}

bool proper_spheres(const SphereTreeView& tree) {
    for (std::uint32_t i = 0; i < tree.sphere_count; ++i) {
        const SphereNode& s = tree.spheres[i];
        for (const float x : s.center)
            if (!(x <= kLargestCoordinate && x >= -kLargestCoordinate)) return false;
        if (!proper_length(s.radius)) return false;
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
    return entries_below(tree.leaf_triangles, tree.leaf_triangle_count, triangle_count);
}

bool proper_shells(const SphereTreeView& tree) {
    for (std::uint32_t i = 0; i < tree.shell_count; ++i)
        if (!proper_box(tree.shells[i].lo, tree.shells[i].hi)) return false;
    return true;
}

}  // namespace

Status SphereFormat::read(const Table& table, const MeshView&, SphereTreeView* tree) {
    const VectorRange spheres = table.vector(kSpheres, sizeof(SphereNode), alignof(SphereNode));
    const VectorRange errors = table.words(kErrors);
    const VectorRange levels = table.vector(kLevels, sizeof(SphereLevelNode), alignof(SphereLevelNode));
    const VectorRange child_ends = table.words(kChildEnds);
    const VectorRange child_list = table.words(kChildList);
    const VectorRange leaf_ends = table.words(kLeafEnds);
    const VectorRange triangles = table.words(kLeafTriangles);
    const VectorRange shells = table.vector(kShells, sizeof(StoredBox), 4);
    if (!spheres.valid() || !errors.valid() || !levels.valid() || !leaf_ends.valid() || !triangles.valid() ||
        child_ends.broken() || child_list.broken() || shells.broken())
        return Status::kCorrupt;
    if (spheres.count == 0 || errors.count != spheres.count || levels.count == 0) return Status::kCorrupt;
    if (levels.count > kMaxSphereLevels) return Status::kTooDeep;
    tree->sphere_count = spheres.count;
    tree->levels = elements_of<SphereLevelNode>(levels);
    tree->level_count = levels.count;
    if (!sphere_lengths_match(*tree, child_ends, leaf_ends)) return Status::kCorrupt;
    tree->spheres = elements_of<SphereNode>(spheres);
    tree->errors = elements_of<float>(errors);
    tree->child_ends = elements_of<std::uint32_t>(child_ends);
    tree->child_list = elements_of<std::uint32_t>(child_list);
    tree->child_list_count = child_list.count;
    tree->leaf_ends = elements_of<std::uint32_t>(leaf_ends);
    tree->leaf_triangles = elements_of<std::uint32_t>(triangles);
    tree->leaf_triangle_count = triangles.count;
    if (shells.count > 0) tree->shells = elements_of<StoredBox>(shells);
    tree->shell_count = shells.count;
    const std::uint8_t coverage = table.byte(kCoverage);
    const std::uint8_t solid = table.byte(kSolid);
    if (coverage > 2 || solid > 2) return Status::kCorrupt;
    tree->coverage = SphereCoverage(coverage);
    tree->open = solid == 1;
    tree->capped = solid == 2;
    tree->gap = table.scalar<float>(kGap, 0);
    tree->filling = table.scalar<float>(kFilling, 0);
    if (!proper_length(tree->gap) || !proper_length(tree->filling)) return Status::kCorrupt;
    tree->proved = table.byte(kProved) != 0;
    tree->volume_proved = table.byte(kVolumeProved) != 0;
    tree->solid_volume = table.scalar<double>(kSolidVolume, 0);
    tree->limit = table.byte(kLimit);
    tree->method = table.byte(kMethod);
    tree->branch = table.word(kBranch);
    return read_shared_children(table, tree);
}

Status SphereFormat::verify(const SphereTreeView& tree, const MeshView& mesh) {
    const bool sound = proper_spheres(tree) && proper_statistics(tree) && children_on_next_level(tree) &&
                       shared_on_next_level(tree) && leaves_in_range(tree, mesh.triangle_count) &&
                       proper_shells(tree);
    return sound ? Status::kOk : Status::kCorruptTree;
}

std::uint32_t SphereFormat::words(const SphereTreeView& tree) {
    // 32 bits suffice: each vector is shorter than 2^31 bytes, so 6 words for each of
    // at most 2^27 spheres, three lists and the shells of at most 2^29 words each and the ends come to below
    // 2^32.
    const std::uint32_t shared_ends = tree.shared_ends ? tree.inner_count() : 0;
    return 6 * tree.sphere_count +  // node, error, child_ends or leaf_ends
           8 * tree.level_count + tree.child_list_count + tree.leaf_triangle_count + 6 * tree.shell_count +
           shared_ends + tree.shared_list_count;
}

}  // namespace espalier
