// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere trees (Hubbard 1996): the result, the options and the entry points. Plain data; nothing of CGAL
// shows.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/base/finding.h"
#include "builder/base/progress.h"
#include "builder/base/result.h"
#include "builder/sphere/options.h"
#include "builder/surface/solid.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// One sphere of the tree. `center` and `radius` are final: the coverage proof holds for these float32
/// values.
struct Sphere {
    Eigen::Vector3f center = Eigen::Vector3f::Zero();
    float radius = 0.0F;
    /// Upper bound, at most 5 % (or 2e-7 of the root's radius) too large, of the distance from the solid of
    /// the sphere's farthest point (points inside the solid count as distance 0).
    float error = 0.0F;
    std::uint32_t first_child =
        0;  ///< trees: index of the first child in `spheres`; DAGs: position in `child_list`
    std::uint32_t child_count = 0;   ///< 0 on the last level only
    std::uint32_t first_shared = 0;  ///< trees: position in `shared_list`
    std::uint32_t shared_count = 0;
    std::uint32_t first_triangle = 0;  ///< last level: position in `leaf_triangles`
    std::uint32_t triangle_count = 0;
};

/// One level and its statistics. Every level covers the whole surface by itself.
struct SphereLevel {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    double error_mean = 0.0;
    double error_max = 0.0;
    double union_volume = 0.0;    ///< of the level's spheres together
    double outside_volume = 0.0;  ///< of their union outside the solid
    double volume_ratio = 0.0;    ///< outside volume by the solid's volume; 0 where there is no solid
};

/// What has been proved about the stored spheres.
struct CoverageCertificate {
    CoveragePolicy policy = CoveragePolicy::kFull;
    bool proved = false;         ///< the policy holds for every point of every triangle
    bool volume_proved = false;  ///< the last level also covers the inside of the solid
    float gap = 0.0F;            ///< spheres cover with their radii larger by this
};

/// Spheres in level order (root first); the own children of a tree node are contiguous.
struct SphereTree {
    std::vector<Sphere> spheres;
    std::vector<SphereLevel> levels;
    std::vector<std::uint32_t> child_list;  ///< DAGs only: indices into `spheres`
    /// Trees with full coverage: for each sphere above the last level, spheres of the next one that cover
    /// what it covers and its own children do not; sorted. Queries do not need them: own children suffice to
    /// lose no contact. They are for who refines one sphere alone.
    std::vector<std::uint32_t> shared_list;
    std::vector<std::uint32_t> leaf_triangles;  ///< the triangles that meet each sphere of the last level
    CoverageCertificate certificate;
    SolidKind solid = SolidKind::kClosed;  ///< what errors and volumes count from
    float filling = 0.0F;       ///< capped: no point of a cap is farther than this from the surface
    double solid_volume = 0.0;  ///< 0: a shell
    std::vector<Finding> findings;
    SphereLimit limit = SphereLimit::kCount;
    SphereMethod method = SphereMethod::kBest;
    std::uint32_t branch = 0;  ///< children of a sphere that were asked for
    bool dag = false;
};

/// Builds the sphere tree of a mesh as `sanitize` returns it.
/// Fails with kUsage (an option out of range), kUnsupported (more than `max_spheres`), kInvalidInput
/// (coordinates too large to square in float32) or kInternal (`progress` was cancelled, or the proof of
/// coverage failed).
Result<SphereTree> build_sphere_tree(const TriangleMesh& mesh, const SphereTreeOptions& options,
                                     Progress& progress);

/// What a coverage check looks at: borrowed from a SphereTree or rebuilt from a file.
struct SphereTreeSpans {
    std::span<const Sphere> spheres;
    std::span<const SphereLevel> levels;        ///< only `first` and `count` are read
    std::span<const std::uint32_t> child_list;  ///< empty unless a DAG
    std::span<const std::uint32_t> shared_list;
    bool dag = false;
    CoveragePolicy policy = CoveragePolicy::kFull;
    bool volume = false;  ///< also prove that the last level covers the solid's inside
    SolidKind solid = SolidKind::kClosed;
    double gap = 0.0;  ///< spheres cover with their radii larger by this
};

SphereTreeSpans view_of(const SphereTree& tree);

/// Outcome of a coverage check.
struct CoverageReport {
    bool proved = false;
    bool volume_proved = false;
    bool leaves_complete = false;  ///< every triangle that meets a last-level sphere is listed there
    std::uint64_t pieces = 0;      ///< pieces of triangles that the proof looked at
    // Where `proved` is false: the first failure in order of level, sphere and triangle.
    std::uint32_t level = 0;
    std::uint32_t sphere = 0;  ///< the parent whose children leave a gap; the level's first sphere for kLevel
    std::uint32_t triangle = 0;  ///< the triangle that is not covered
    Eigen::Vector3d point = Eigen::Vector3d::Zero();
};

/// The largest magnitude of a coordinate or radius: what coverage_slack asks for.
double coverage_magnitude(const TriangleMesh& mesh, std::span<const Sphere> spheres);

/// Proves coverage from the stored float32 spheres alone, by recursive bisection of the triangles: a ball is
/// convex, so it contains a piece if it contains its corners. Rounding is on the safe side. For kSampled the
/// report is that of kLevel. `leaf_triangles` may be empty, then leaf lists are not looked at. Fails with
/// kInvalidInput if levels, children or leaf lists are out of range.
Result<CoverageReport> check_sphere_coverage(const TriangleMesh& mesh, const SphereTreeSpans& tree,
                                             std::span<const std::uint32_t> leaf_triangles = {});

}  // namespace espalier
