// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loops of the search for spheres, over points and discs in arrays of float32. They are compiled
// once for every processor and once for wider vectors (lanes_body.h), with the same results to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "builder/base/vector_floats.h"

namespace espalier::lanes {

/// Points that are looked at together; arrays are filled up to a whole number of them.
constexpr std::size_t kLanes = kVectorLanes;
/// Neighbours that share a bounding ball.
constexpr std::size_t kGroup = 32;

/// A ball about a point, by the square of its radius.
struct Range {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
    float squared = -1.0F;  ///< negative: holds nothing
};

struct Places {
    const float* x;
    const float* y;
    const float* z;
};

/// Points, or discs, in groups.
struct Groups {
    Places at;
    const float* value;           ///< weights of points, see exchange; or radii of discs
    Places normal;                ///< of discs; null for points
    const std::uint8_t* allowed;  ///< 0 where a ball may not hold the point, else 1; null: all may be held
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

/// A ball on its way.
struct Mover {
    float x, y, z, radius;
    const std::uint8_t* allowed;  ///< as in Groups
};

/// By how much a cost grows when a ball moves along an axis, or its radius grows.
struct Slope {
    float x = 0.0F;
    float y = 0.0F;
    float z = 0.0F;
    float radius = 0.0F;
};

/// Beyond so many gaps from a ball, it does not feel a patch; see Loops::pull.
constexpr float kGaps = 8.0F;
/// Numbers that `pull` and `push` need room for, for each ball.
constexpr std::size_t kScratch = 6 * kLanes;

struct Loops {
    /// The largest sum of a squared distance from `from` and a point's number; 0 for none.
    float (*farthest)(std::size_t count, const Places& points, const float* more, const Range& from);

    /// The weights of points, each by `middle - slope * squared distance` in [0, 1]; or a part of the sum, if
    /// that is already more than `limit`.
    float (*weigh)(std::size_t count, const Places& points, const float* weight, const Range& from,
                   float middle, float slope, float limit);

    /// Writes the groups whose balls a ball meets, and returns their number.
    std::size_t (*meet)(std::size_t count, const Places& groups, const float* radius, const Range& from,
                        float ball_radius, std::uint32_t* met);

    /// One holder less for what is in `leaving`, one more for what is in `coming`. Returns the weight of what
    /// is held and was not, less that of what was held and is not. Weights below zero count for each holder.
    double (*exchange)(const List& list, const Groups& groups, const Range& leaving, const Range& coming,
                       std::int32_t* held);

    /// Writes the indices of what the range holds and so many others do, and returns their number.
    std::size_t (*find)(const List& list, const Groups& groups, const Range& range, std::int32_t holders,
                        const std::int32_t* held, std::uint32_t* found);

    /// Writes the points that the range holds and nobody else, but `own`, and those that count for each
    /// holder, all with weights above zero. Returns their number.
    std::size_t (*gather)(const List& list, const Groups& groups, const Range& range, const Range& own,
                          const std::int32_t* held, const Gathered& gathered);

    /// Adds the slopes of what the discs of a group cost that are not held well enough. With `s` by how much
    /// a ball's radius exceeds what it needs to hold the disc, in gaps: how well it is held is the 8-norm of
    /// max(0, 1 + (s - 1) / 8) over the balls of the list, and half the square of what it lacks, in eighths,
    /// costs `stiffness` gaps; less for discs smaller than half a gap, by their area.
    void (*pull)(const Groups& discs, std::size_t first, const List& list, const Mover* movers, float gap,
                 float stiffness, float* scratch, Slope* slopes);

    /// Adds the slopes of the weights of the points of a group, each in a soft layer: once however many balls
    /// hold it, or for each if the weight is below zero.
    void (*push)(const Groups& points, std::size_t first, const List& list, const Mover* movers,
                 const float* per_softness, float* scratch, Slope* slopes);
};

/// Those that this processor runs fastest.
const Loops& loops();

/// Those for every processor of this kind.
const Loops& plain_loops();

}  // namespace espalier::lanes
