// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where too few samples make the medial axis bridge a gap or fall apart (Hubbard 1996, "Building
// medial-axis surfaces").
#pragma once

#include <vector>

#include "builder/medial/voronoi.h"
#include "builder/surface/surface_samples.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

class SurfaceQuery;

/// The triangles across each triangle's corners: who may be next to whom.
class TriangleNeighbours {
  public:
    explicit TriangleNeighbours(const TriangleMesh& mesh);

    /// True if a chain of triangles that share corners and meet the ball leads from `from` to `to`.
    bool connected_in_ball(std::uint32_t from, std::uint32_t to, const Eigen::Vector3d& center,
                           double radius) const;

  private:
    const TriangleMesh& mesh_;
    std::vector<std::uint32_t> first_;   ///< by vertex, into `around_`
    std::vector<std::uint32_t> around_;  ///< triangles around each vertex
};

/// What a search for places where samples are missing found.
struct RepairRound {
    std::vector<SurfaceSample> missing;  ///< to be added
    /// Places where the surface is nearer to the samples of another part than the least distance of samples:
    /// overlapping or touching parts, which no sampling tells apart.
    std::uint32_t too_close = 0;
    bool complete = true;  ///< nothing was left out for being beyond `most`
};

/// The least distance of an added sample from all others, in spacings. Smaller, and overlapping parts take
/// samples without end; larger, and parts as thin as that stay bridged.
constexpr double kLeastSpacing = 0.1;

/// A point of the surface that has several nearest samples.
struct Crossing {
    Eigen::Vector3d point;
    std::uint32_t triangle;
    double distance;  ///< from those samples
};

/// Finds points where a face of a Voronoi cell meets a part of the surface that does not hang together, near
/// that point, with the surface around any of the samples that share the face: there a sample is missing.
class GapSearch {
  public:
    /// Borrows mesh and query. `spacing` is that of the samples.
    GapSearch(const TriangleMesh& mesh, const SurfaceQuery& query, double spacing);

    /// Those farthest from all samples come first; no two are nearer than half of that, or than
    /// kLeastSpacing; at most `most`. From one call to the next, samples may only be added at the end.
    RepairRound next(const std::vector<SurfaceSample>& samples, const std::vector<VoronoiVertex>& vertices,
                     std::size_t most);

  private:
    const TriangleMesh& mesh_;
    const SurfaceQuery& query_;
    TriangleNeighbours neighbours_;
    double spacing_;
    std::size_t known_ = 0;            ///< samples of the last call
    std::vector<Crossing> crossings_;  ///< found so far, still as far from the nearest samples
};

}  // namespace espalier
