// SPDX-License-Identifier: MIT
// A sphere tree or DAG as it lies in the file: spheres level by level (Hubbard 1996).
#pragma once

#include <cstdint>

namespace espalier {

/// Most levels of a sphere tree; the same promise as kMaxAabbDepth.
constexpr std::uint32_t kMaxSphereLevels = 16;

/// One sphere, as stored (schema: SphereNode).
struct alignas(16) SphereNode {
    float center[3];  ///< byte 0: in the part's frame
    float radius;     ///< byte 12: not negative
};
static_assert(sizeof(SphereNode) == 16, "schema/espalier.fbs and FORMAT.md say the same");

/// One level of a sphere tree, as stored (schema: SphereLevel).
struct alignas(8) SphereLevelNode {
    std::uint32_t first;    ///< byte 0: index of its first sphere
    std::uint32_t count;    ///< byte 4: number of its spheres
    float error_mean;       ///< byte 8: of the spheres
    float error_max;        ///< byte 12: of the spheres
    double union_volume;    ///< byte 16: of the spheres together
    double outside_volume;  ///< byte 24: of their union outside the solid
};
static_assert(sizeof(SphereLevelNode) == 32, "schema/espalier.fbs and FORMAT.md say the same");

/// What the spheres of a tree cover (Hubbard 1996, section 6.1; FORMAT.md, "Coverage").
enum class SphereCoverage : std::uint8_t { kFull = 0, kLevel = 1, kSampled = 2 };

/// A box as stored (schema: Box).
struct StoredBox {
    float lo[3];  ///< lower corner
    float hi[3];  ///< upper corner
};
static_assert(sizeof(StoredBox) == 24, "schema/espalier.fbs and FORMAT.md say the same");

/// A sphere tree or DAG; `spheres` is null when the part has none.
struct SphereTreeView {
    const SphereNode* spheres = nullptr;      ///< level by level, the root first
    const float* errors = nullptr;            ///< one a sphere: its farthest point's distance from the solid
    const SphereLevelNode* levels = nullptr;  ///< root first
    const std::uint32_t* child_ends = nullptr;      ///< one a sphere above the last level
    const std::uint32_t* child_list = nullptr;      ///< DAGs only
    const std::uint32_t* leaf_ends = nullptr;       ///< one a sphere of the last level
    const std::uint32_t* leaf_triangles = nullptr;  ///< triangles that meet each sphere of the last level
    const StoredBox* shells = nullptr;              ///< boxes of the surface's connected pieces, or null
    const std::uint32_t* shared_ends = nullptr;  ///< one a sphere above the last level, or null: none shares
    const std::uint32_t* shared_list = nullptr;  ///< set where shared_ends is
    std::uint32_t sphere_count = 0;              ///< number of spheres
    std::uint32_t level_count = 0;               ///< number of levels
    std::uint32_t child_list_count = 0;          ///< length of `child_list`
    std::uint32_t leaf_triangle_count = 0;       ///< length of `leaf_triangles`
    std::uint32_t shell_count = 0;               ///< number of `shells`
    std::uint32_t shared_list_count = 0;         ///< length of `shared_list`
    SphereCoverage coverage = SphereCoverage::kFull;  ///< what was promised
    bool proved = false;                              ///< the coverage holds: lower bounds may be concluded
    bool volume_proved = false;                       ///< the last level covers the inside too
    bool open = false;                                ///< errors count from the triangles, not from a solid
    bool capped = false;                              ///< errors count from a solid whose holes are filled
    float gap = 0;                                    ///< spheres cover with their radii larger by this
    float filling = 0;         ///< no point that fills a hole is farther than this from the triangles
    double solid_volume = 0;   ///< 0: there is no solid
    std::uint8_t limit = 0;    ///< what ended the refinement: 0 count, 1 error
    std::uint8_t method = 0;   ///< 0 best, 1 hubbard, 2 octree
    std::uint32_t branch = 0;  ///< children of a sphere that were asked for

    /// Whether the part has this hierarchy.
    bool present() const { return spheres != nullptr; }
    /// Children may have several parents.
    bool dag() const { return child_list != nullptr; }
    /// Spheres above the last level: those with children.
    std::uint32_t inner_count() const { return levels[level_count - 1].first; }
    /// Children of an inner sphere: positions from `*first` to `*end`; see child_at.
    void children(std::uint32_t sphere, std::uint32_t* first, std::uint32_t* end) const {
        *first = sphere ? child_ends[sphere - 1] : dag() ? 0u : 1u;
        *end = child_ends[sphere];
    }
    /// Index of a child, by its position.
    std::uint32_t child_at(std::uint32_t position) const {
        return child_list ? child_list[position] : position;
    }
    /// Neighbours' children that an inner sphere shares: entries of shared_list from `*first` to `*end`, none
    /// where the file has no such list. Full coverage of one sphere alone needs them; a descent from the root
    /// does not, so no query looks at them.
    void shared(std::uint32_t sphere, std::uint32_t* first, std::uint32_t* end) const {
        *first = shared_ends && sphere ? shared_ends[sphere - 1] : 0u;
        *end = shared_ends ? shared_ends[sphere] : 0u;
    }
    /// Triangles of a sphere of the last level: entries of leaf_triangles from `*first` to `*end`.
    void leaf(std::uint32_t sphere, std::uint32_t* first, std::uint32_t* end) const {
        const std::uint32_t j = sphere - inner_count();
        *first = j ? leaf_ends[j - 1] : 0u;
        *end = leaf_ends[j];
    }
    /// Level of a sphere, the root's is 0.
    std::uint32_t level_of(std::uint32_t sphere) const {
        std::uint32_t level = level_count - 1;
        while (sphere < levels[level].first) --level;
        return level;
    }
};

}  // namespace espalier
