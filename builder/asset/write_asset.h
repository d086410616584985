// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of an asset (schema/espalier.fbs).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "builder/aabb/aabb_tree.h"
#include "builder/base/result.h"
#include "builder/box/box_tree.h"
#include "builder/cell/cell_tree.h"
#include "builder/import/provenance.h"
#include "builder/sphere/sphere_tree.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Changes whenever the same input and options bake to other bytes.
constexpr std::uint32_t kBuilderRevision = 10;

struct BakedPart {
    std::string name;
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    bool closed = false;
    TriangleMesh mesh;  ///< in the order of the input; the writer reorders it
    std::optional<AabbTree> aabb;
    std::optional<BoxTree> box;
    std::optional<SphereTree> sphere;
    std::optional<CellTree> cell;
};

struct AssetContents {
    Provenance provenance;
    std::string unit;
    double scale = 1.0;
    std::vector<std::pair<std::string, std::string>> options;  ///< sorted by name
    std::vector<BakedPart> parts;                              ///< at least one
};

/// Serializes an asset. Triangles are stored in the leaf order of the first tree that has one, vertices in
/// the order of their first use, so that a leaf's data lie together. Same contents, same bytes. Fails with
/// kUnsupported when the file would exceed 2 GiB (FlatBuffers' limit).
Result<std::vector<std::uint8_t>> write_asset(const AssetContents& contents);

}  // namespace espalier
