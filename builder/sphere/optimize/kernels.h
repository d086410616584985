// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of the search for spheres, over points and surfels in arrays of float32. They are compiled
// once for every processor and once for wider vectors (kernels_body.h), with the same results to the last
// bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "builder/base/vector_floats.h"

namespace espalier::kernels {

/// Points that are looked at together; arrays are filled up to a whole number of them.
constexpr std::size_t kLanes = kVectorLanes;
/// Neighbours that share a bounding sphere.
constexpr std::size_t kGroup = 32;

/// A sphere about a point, by the square of its radius.
struct Range {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
    float squared = -1.0F;  ///< negative: holds nothing
};

struct PointArrays {
    const float* x;
    const float* y;
    const float* z;
};

/// Points, or surfels, in groups.
struct Groups {
    PointArrays at;
    const float* value;  ///< weights of points, see replace; or radii of surfels
    PointArrays normal;  ///< of surfels; null for points
    const std::uint8_t*
        allowed;  ///< 0 where a sphere may not cover_quality the point, else 1; null: all may be held
};

struct List {
    const std::uint32_t* index;
    std::size_t count;
};

/// Arrays to write to, with room for kLanes more than are found.
struct Gathered {
    float* x;
    float* y;
    float* z;
    float* value;
};

/// A sphere on its way.
struct MovingSphere {
    float x, y, z, radius;
    const std::uint8_t* allowed;  ///< as in Groups
};

/// By how much a cost grows when a sphere moves along an axis, or its radius grows.
struct Gradient {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
    float radius = 0.0F;
};

/// Beyond so many margins from a sphere, it does not feel a patch; see KernelTable::coverage_gradient.
constexpr float kMarginRange = 8.0F;
/// Numbers that `coverage_gradient` and `volume_gradient` need room for, for each sphere.
constexpr std::size_t kScratch = 6 * kLanes;

struct KernelTable {
    /// The largest sum of a squared distance from `from` and a point's number; 0 for none.
    float (*farthest)(std::size_t count, const PointArrays& points, const float* more, const Range& from);

    /// The weights of points, each by `middle - slope * squared distance` in [0, 1]; or a part of the sum, if
    /// that is already more than `limit`.
    float (*weigh)(std::size_t count, const PointArrays& points, const float* weight, const Range& from,
                   float middle, float slope, float limit);

    /// Writes the groups whose spheres a sphere meets, and returns their number.
    std::size_t (*meet)(std::size_t count, const PointArrays& groups, const float* radius, const Range& from,
                        float sphere_radius, std::uint32_t* met);

    /// One holder less for what is in `leaving`, one more for what is in `coming`. Returns the weight of what
    /// is held and was not, less that of what was held and is not. Weights below zero count for each holder.
    double (*replace)(const List& list, const Groups& groups, const Range& leaving, const Range& coming,
                      std::int32_t* held);

    /// Writes the indices of what the range holds and so many others do, and returns their number.
    std::size_t (*find)(const List& list, const Groups& groups, const Range& range, std::int32_t count,
                        const std::int32_t* held, std::uint32_t* found);

    /// Writes the points that the range holds and nobody else, but `own`, and those that count for each
    /// holder, all with weights above zero. Returns their number.
    std::size_t (*gather)(const List& list, const Groups& groups, const Range& range, const Range& own,
                          const std::int32_t* held, const Gathered& gathered);

    /// Adds the gradients of what the surfels of a group cost that are not held well enough. With `s` by how
    /// much a sphere's radius exceeds what it needs to cover_quality the surfel, in margins: how well it is
    /// held is the 8-norm of max(0, 1 + (s - 1) / 8) over the spheres of the list, and half the square of
    /// what it lacks, in eighths, costs `penalty_weight` margins; less for surfels smaller than half a
    /// margin, by their area.
    void (*coverage_gradient)(const Groups& surfels, std::size_t first, const List& list,
                              const MovingSphere* moving, float margin, float penalty_weight, float* scratch,
                              Gradient* gradients);

    /// Adds the gradients of the weights of the points of a group, each in a soft layer: once however many
    /// spheres cover_quality it, or for each if the weight is below zero.
    void (*volume_gradient)(const Groups& points, std::size_t first, const List& list,
                            const MovingSphere* moving, const float* per_blur_width, float* scratch,
                            Gradient* gradients);
};

/// Those that this processor runs fastest.
const KernelTable& table();

/// Those for every processor of this kind.
const KernelTable& plain_table();

}  // namespace espalier::kernels
