// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere trees made by hand, so that the runtime is tested apart from the sphere builder: circumscribed
// spheres of occupied octants (Hubbard 1996, section 4.1), as a tree, a DAG or a flat set.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"

namespace espalier::testing {

/// The vectors of schema::SphereTree.
struct HandSphereTree {
    std::vector<SphereNode> spheres;
    std::vector<float> errors;
    std::vector<SphereLevelNode> levels;
    std::vector<std::uint32_t> child_ends, child_list, leaf_ends, leaf_triangles;
    std::optional<std::vector<std::uint32_t>> shared_ends, shared_list;
    std::vector<StoredBox> shells;
    std::uint8_t coverage = 1;  // level: every point has a path, and neighbours' spheres overlap
    bool proved = true;
    std::uint8_t solid = 0;  // 0 closed, 1 shell, 2 capped
    float gap = 0, filling = 0;
    bool dag = false;
};

struct HandSphereOptions {
    std::uint32_t levels = 4;
    bool dag = false;    ///< the children of a sphere are all spheres of the next level that meet it
    bool share = false;  ///< a tree's spheres share the children of others that meet them
    bool closed = true;  ///< errors count from the solid (by winding number), else from the triangles
    bool shells = true;  ///< record them
    float gap = 0;       ///< spheres are smaller by this than octants ask for
    /// Capped: what closes the mesh; errors count from the solid that both bound.
    std::vector<Triangle> caps = {};
    float filling = 0;      ///< how far they are from the mesh
    bool proved = true;     ///< say so
    bool aabb = false;      ///< an aabb tree and a box tree too
    bool sphere = true;     ///< the sphere tree itself
    std::size_t named = 1;  ///< how many times over the file names its part
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    std::function<void(HandSphereTree&)> change;  ///< a last hand at the tree
};

/// Octants by the triangles' exact overlap with them, grown a little; spheres and errors rounded up.
HandSphereTree octree_spheres(const TriangleMesh& mesh, const HandSphereOptions& options);

/// The bytes of an asset with one part. Triangles are stored in the order of the mesh unless there is an
/// aabb tree.
std::vector<std::uint8_t> sphere_asset(const TriangleMesh& mesh, const HandSphereOptions& options = {});

}  // namespace espalier::testing
