// SPDX-License-Identifier: GPL-3.0-or-later
// Meshes baked in memory and opened again, and poses that bring two of them together.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "builder/aabb/aabb_tree.h"
#include "builder/asset/aligned_bytes.h"
#include "builder/asset/write_asset.h"
#include "builder/box/options.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"
#include "espalier/pose.h"
#include "tests/support/draw.h"

namespace espalier::testing {

/// The bytes as readers are to be tested with: nothing beyond them may be touched.
using ExactBytes = AlignedBytes;

/// The bytes of an asset with one part: `mesh`, its aabb tree, its box tree if asked for, a made-up
/// provenance.
std::vector<std::uint8_t> bake_bytes(const TriangleMesh& mesh, const AabbTreeOptions& options = {},
                                     const Eigen::Vector3d& origin = Eigen::Vector3d::Zero(),
                                     const BoxTreeOptions* box = nullptr);

/// Makes the checksum of (possibly damaged) bytes right again, where a reader would look for it; does
/// nothing when no reader could find it.
void repair_checksum(std::span<std::uint8_t> bytes);

/// A baked mesh and the view of its only part, opened with full verification. Throws when that fails.
class BakedMesh {
  public:
    BakedMesh(std::string name, const TriangleMesh& mesh, const AabbTreeOptions& options = {},
              const Eigen::Vector3d& origin = Eigen::Vector3d::Zero(), const BoxTreeOptions* box = nullptr);
    const std::string& name() const { return name_; }
    const ShapeView& part() const { return part_; }
    std::span<const std::uint8_t> bytes() const { return bytes_.span(); }
    /// Diagonal of the bounding box.
    double diagonal() const;

  private:
    std::string name_;
    ExactBytes bytes_;
    ShapeView part_;
};

/// A pose with a uniform rotation whose box centres are `spread` times a uniform fraction of the summed half
/// diagonals apart, in a uniform direction. Scale 1.
Pose random_pose(Draw& draw, const ShapeView& a, const ShapeView& b, double spread = 0.8);

/// For messages: a pose that can be pasted into a test.
std::string text_of(const Pose& pose);

}  // namespace espalier::testing
