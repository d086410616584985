// SPDX-License-Identifier: GPL-3.0-or-later
// Finds where too few samples make the medial axis bridge a gap or fall apart (Hubbard 1996, section 5.1),
// and where more samples would help most.
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

/// Points where a Voronoi edge crosses a part of the surface that is not connected, near the crossing, with
/// the points that form the edge: there a sample is missing. Sorted by Voronoi vertex; at most `most`.
std::vector<SurfaceSample> aliasing_samples(const TriangleMesh& mesh, const SurfaceQuery& query,
                                            const TriangleNeighbours& neighbours,
                                            const std::vector<SurfaceSample>& samples,
                                            const std::vector<VoronoiVertex>& vertices, std::size_t most);

/// The `count` crossings of Voronoi edges with the surface that are farthest from it in units of their
/// distance to the forming points, i.e. where medial spheres bulge most: adaptive refinement.
std::vector<SurfaceSample> bulge_samples(const TriangleMesh& mesh, const SurfaceQuery& query,
                                         const std::vector<VoronoiVertex>& vertices,
                                         const std::vector<std::uint8_t>& inside, std::size_t count);

}  // namespace espalier
