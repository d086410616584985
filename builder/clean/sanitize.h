// SPDX-License-Identifier: GPL-3.0-or-later
// From what a file holds to a mesh that hierarchies can be built from, with a report of every change.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "builder/base/finding.h"
#include "builder/base/result.h"
#include "builder/clean/topology.h"
#include "builder/import/polygon_soup.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// How a mesh is cleaned.
struct SanitizeOptions {
    /// Vertices closer than this (in the soup's unit, after scaling) become one; 0: only those at the same
    /// place. Finite, not negative.
    double weld_tolerance = 0;
};

/// What was changed, and what the result is like. Steps in the order in which they are taken.
struct SanitizeReport {
    std::uint64_t input_vertices = 0;         ///< as imported
    std::uint64_t input_polygons = 0;         ///< as imported
    std::uint64_t unreferenced_vertices = 0;  ///< removed: no polygon uses them
    std::uint64_t degenerate_polygons = 0;    ///< removed: fewer than three distinct corners
    std::uint64_t crossing_polygons = 0;      ///< cross themselves: split as fans
    std::uint64_t input_triangles = 0;        ///< after triangulation, before anything is removed
    bool recentred = false;                   ///< an origin was subtracted
    std::uint64_t flushed_coordinates = 0;    ///< too small for a normal float32: set to 0
    std::uint64_t welded_vertices = 0;        ///< joined to another one at the same place
    std::uint64_t degenerate_triangles = 0;   ///< removed: no area once the corners are float32
    std::uint64_t duplicate_triangles = 0;    ///< removed: same three corners as an earlier one
    std::uint64_t opposite_duplicates = 0;    ///< of these, facing the other way
    std::uint64_t orphaned_vertices = 0;      ///< removed: only degenerate or duplicate triangles used them
    std::uint64_t vertices = 0;               ///< that are left
    std::uint64_t triangles = 0;              ///< that are left
    double largest_rounding = 0;              ///< distance that float32 moved a coordinate at most
    Topology topology;                        ///< of what is left
    /// The import's findings, then S01 .. in ascending order; those that did not occur are absent. A bake
    /// adds those of the trees, T01 .. (builder/hierarchy/hierarchy.h).
    std::vector<Finding> findings;
};

/// A clean mesh, and what was done to it.
struct SanitizedMesh {
    TriangleMesh mesh;  ///< its triangles
    /// What was subtracted from the (scaled) input coordinates, so that float32 keeps the shape of a mesh
    /// that is small against its distance from the origin; zero otherwise.
    Eigen::Vector3d origin = Eigen::Vector3d::Zero();
    SanitizeReport report;  ///< what was changed
};

/// Triangulates, recentres, rounds to float32, welds and removes what cannot collide. Deterministic for any
/// number of threads; sanitizing a result again changes nothing. Fails with
///  - kUsage: the tolerance is negative or not finite;
///  - kInvalidInput: a polygon has a corner that is not finite (named by vertex and face, counted from 0);
///  the mesh is
///    too small or too large for float32 arithmetic (diagonal below 1e-15 or above 1e15: use a scale);
///    nothing is left;
///  - kUnsupported: more than 100 million triangles.
///
/// Findings: S01 unreferenced vertices, S02 degenerate triangles, S03 duplicate triangles, S04 welded
/// vertices, S05 recentred, S06 degenerate polygons, S07 crossing polygons, S08 flushed coordinates, S10
/// boundary edges, S11 non-manifold edges, S12 inconsistent orientation, S13 inside out, S14 several
/// components.
/// @param nothing_left if not null: receives whether it failed only because no triangle is left, or because
/// the
///                     whole mesh is smaller than 1e-15: one shape of many may be left out for that
Result<SanitizedMesh> sanitize(const PolygonSoup& soup, const SanitizeOptions& options = {},
                               bool* nothing_left = nullptr);

}  // namespace espalier
