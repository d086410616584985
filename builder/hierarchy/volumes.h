// SPDX-License-Identifier: GPL-3.0-or-later
// The volumes of a hierarchy as a picture or a list needs them: decoded, level by level.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace espalier {

enum class VolumeShape : std::uint8_t { kBoxes, kSpheres };

/// Lower, then upper corner.
using DecodedBox = std::array<float, 6>;

/// A sphere as stored.
struct DecodedSphere {
    std::array<float, 3> center;  ///< in the part's frame
    float radius;                 ///< not negative
    float error;                  ///< its farthest point's distance from the solid
};

/// Volumes of one shape.
struct VolumeList {
    std::vector<DecodedBox> boxes;       ///< empty where the volumes are spheres
    std::vector<DecodedSphere> spheres;  ///< empty where they are boxes

    /// Number of volumes.
    std::size_t size() const { return boxes.size() + spheres.size(); }
};

/// The volumes at one depth; 0 is the root.
struct VolumeLevel {
    VolumeList inner;   ///< volumes with children
    VolumeList leaves;  ///< end here: deeper levels do not show their triangles again
};

}  // namespace espalier
