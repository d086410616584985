// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of the sphere search, over points and surfels in arrays of float32. They are compiled
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
    float squared = -1.0F;  ///< negative: covers nothing
};

struct PointArrays {
    const float* x;
    const float* y;
    const float* z;
};

/// Points, or surfels, in groups.
struct Groups {
    PointArrays at;
    const float* value;           ///< weights of points, see replace; or radii of surfels
    PointArrays normal;           ///< of surfels; null for points
    const std::uint8_t* allowed;  ///< 0 where a sphere may not cover the point, else 1; null: all may be
};

struct List {
    const std::uint32_t* index;
    std::size_t count;
};

/// Arrays to write to, with space for kLanes more than are found.
struct Gathered {
    float* x;
    float* y;
    float* z;
    float* value;
};

/// A sphere that a gradient is asked for.
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

/// Floats of scratch memory that the gradients need for each sphere.
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

    /// Counts one less for what is in `leaving`, one more for what is in `coming`. Returns the weight of what
    /// is covered and was not, less that of what was and is not. Weights below zero count for each sphere.
    double (*replace)(const List& list, const Groups& groups, const Range& leaving, const Range& coming,
                      std::int32_t* counts);

    /// Writes the indices of what is in the range and has the count, and returns their number.
    std::size_t (*find)(const List& list, const Groups& groups, const Range& range, std::int32_t count,
                        const std::int32_t* counts, std::uint32_t* found);

    /// Writes the points in the range that no sphere but `own` covers, and those that count for each sphere,
    /// all with weights above zero. Returns their number.
    std::size_t (*gather)(const List& list, const Groups& groups, const Range& range, const Range& own,
                          const std::int32_t* counts, const Gathered& gathered);

    /// Adds the gradients of what the surfels of a group cost that are not covered well enough. With `s` by
    /// how much a sphere's radius exceeds what it needs to cover the surfel, in margins: how well it is
    /// covered is the 8-norm of max(0, 1 + (s - 1) / 8) over the spheres of the list, and half the square of
    /// what it lacks, in eighths, costs `penalty_weight` margins; less for surfels smaller than half a
    /// margin, by their area.
    void (*coverage_gradient)(const Groups& surfels, std::size_t first, const List& list,
                              const MovingSphere* moving, float margin, float penalty_weight, float* scratch,
                              Gradient* gradients);

    /// Adds the gradients of the weights of the points of a group, each blurred: once however many spheres
    /// cover it, or for each if the weight is below zero.
    void (*volume_gradient)(const Groups& points, std::size_t first, const List& list,
                            const MovingSphere* moving, const float* per_blur_width, float* scratch,
                            Gradient* gradients);
};

/// Those that this processor runs fastest.
const KernelTable& table();

/// Those for every processor of this kind.
const KernelTable& plain_table();

}  // namespace espalier::kernels
