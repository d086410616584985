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

struct DecodedSphere {
    std::array<float, 3> center;
    float radius;
    float error;  ///< its farthest point's distance from the solid
};

/// Volumes of one shape.
struct VolumeList {
    std::vector<DecodedBox> boxes;
    std::vector<DecodedSphere> spheres;

    std::size_t size() const { return boxes.size() + spheres.size(); }
};

/// The volumes at one depth; 0 is the root.
struct VolumeLevel {
    VolumeList inner;
    VolumeList leaves;  ///< end here: deeper levels do not show their triangles again
};

}  // namespace espalier
