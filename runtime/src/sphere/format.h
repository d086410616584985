// SPDX-License-Identifier: MIT
// How a sphere tree is found in a file and proved safe to query.
#pragma once

#include "../format/flatbuffer_reader.h"
#include "espalier/asset.h"

namespace espalier {

/// A row of format/hierarchies.h.
struct SphereFormat {
    static constexpr SphereTreeView ShapeView::*kView = &ShapeView::sphere;
    /// Field ids of schema/espalier.fbs; tests compare them with flatc's generated offsets.
    static constexpr std::uint32_t kShapeField = 11;
    enum Field : std::uint32_t {
        kSpheres = 0,
        kErrors = 1,
        kLevels = 2,
        kChildEnds = 3,
        kChildList = 4,
        kLeafEnds = 5,
        kLeafTriangles = 6,
        kCoverage = 7,
        kProved = 8,
        kVolumeProved = 9,
        kSolid = 10,
        kSolidVolume = 11,
        kLimit = 12,
        kBranch = 13,
        kMethod = 14,
        kShells = 15,
        kSharedEnds = 16,
        kSharedList = 17,
        kGap = 18,
        kFilling = 19,
    };

    /// Fills the view, whose mesh was read.
    static Status read(const Table& table, const MeshView& mesh, SphereTreeView* tree);
    /// Checks what queries rely on; linear in the tree's size.
    static Status verify(const SphereTreeView& tree, const MeshView& mesh);
    /// Size of the tree in the file in words of four bytes, each vector counted once: its size is its own,
    /// not its mesh's.
    static std::uint32_t words(const SphereTreeView& tree);
};

}  // namespace espalier
