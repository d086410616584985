// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of an asset (schema/espalier.fbs).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "builder/base/result.h"
#include "builder/base/revision.h"
#include "builder/body/stored_parts.h"
#include "builder/hierarchies.h"
#include "builder/import/provenance.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Triangles and their hierarchies.
struct BakedShape {
    std::string name;                                  ///< UTF-8
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< position + origin = source coordinates
    bool closed = false;                               ///< every edge has two triangles that agree
    TriangleMesh mesh;                                 ///< in the order of the input; the writer reorders it
    std::vector<BuiltTreePtr> trees;                   ///< at most one of each hierarchy, in any order
};

struct AssetContents {
    Provenance provenance;
    std::string unit;
    double scale = 1.0;
    std::vector<std::pair<std::string, std::string>> options;  ///< sorted by name
    std::vector<BakedShape> shapes;                            ///< at least one
    /// Parts, names and pairs as a reader wants them (builder/body/stored_parts.h); without parts every shape
    /// is one, at rest.
    StoredParts body = {};
};

/// Serializes an asset. Triangles are stored in the leaf order of the first tree that has one, vertices in
/// the order of their first use, so that a leaf's data lie together. Same contents, same bytes. Fails with
/// kUnsupported when the file would exceed 2 GiB (FlatBuffers' limit). Trees whose hierarchy is not in `list`
/// are left out.
Result<std::vector<std::uint8_t>> write_asset(const AssetContents& contents,
                                              HierarchyRows list = all_hierarchies());

}  // namespace espalier
