// SPDX-License-Identifier: GPL-3.0-or-later
// No piece of a corpus mesh meets itself, by CGAL's exact predicates; pieces meet each other only where the
// registry says so.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/connected_components.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "corpus/registry.h"

namespace espalier::corpus {
namespace {

using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Surface = CGAL::Surface_mesh<Kernel::Point_3>;

Surface surface_of(const TriangleMesh& mesh) {
    Surface surface;
    for (const Eigen::Vector3f& p : mesh.positions) surface.add_vertex({p.x(), p.y(), p.z()});
    for (const auto& [a, b, c] : mesh.triangles)
        surface.add_face(Surface::Vertex_index(a), Surface::Vertex_index(b), Surface::Vertex_index(c));
    return surface;
}

void expect_clean(const TriangleMesh& mesh, bool pieces_overlap) {
    namespace processing = CGAL::Polygon_mesh_processing;
    Surface surface = surface_of(mesh);
    ASSERT_EQ(surface.number_of_faces(), mesh.triangles.size());
    auto piece = surface.add_property_map<Surface::Face_index, std::size_t>("f:piece").first;
    processing::connected_components(surface, piece);
    std::vector<std::pair<Surface::Face_index, Surface::Face_index>> meetings;
    processing::self_intersections(surface, std::back_inserter(meetings));
    std::size_t inside_a_piece = 0;
    for (const auto& [a, b] : meetings) inside_a_piece += piece[a] == piece[b];
    EXPECT_EQ(inside_a_piece, 0u);
    EXPECT_EQ(!meetings.empty(), pieces_overlap);
}

TEST(SelfIntersection, NoPieceOfADefaultMeshMeetsItself) {
    for (const CorpusMesh& kind : corpus_meshes()) {
        SCOPED_TRACE(kind.name);
        expect_clean(kind.make(), kind.pieces_overlap);
    }
}

TEST(SelfIntersection, NoPieceOfAScaledMeshMeetsItself) {
    for (const CorpusMesh& kind : corpus_meshes())
        for (const std::uint32_t wanted : {300u, 20000u}) {
            SCOPED_TRACE(kind.name + " with " + std::to_string(wanted));
            expect_clean(kind.make_near(wanted), kind.pieces_overlap);
        }
}

}  // namespace
}  // namespace espalier::corpus
