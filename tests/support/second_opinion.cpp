// SPDX-License-Identifier: GPL-3.0-or-later
// CGAL's polygon-soup readers and assimp's importer.
#include "tests/support/second_opinion.h"

#include <CGAL/IO/OBJ.h>
#include <CGAL/IO/OFF.h>
#include <CGAL/IO/PLY.h>
#include <CGAL/IO/STL.h>
#include <CGAL/Simple_cartesian.h>
#include <assimp/scene.h>

#include <Eigen/LU>
#include <assimp/Importer.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

namespace espalier::testing {
namespace {

using Points = std::vector<CGAL::Simple_cartesian<double>::Point_3>;
using Polygons = std::vector<std::vector<std::uint32_t>>;

bool read(const std::string& extension, std::istream& stream, Points& points, Polygons& polygons) {
    if (extension == ".obj") return CGAL::IO::read_OBJ(stream, points, polygons);
    if (extension == ".off") return CGAL::IO::read_OFF(stream, points, polygons);
    if (extension == ".ply") return CGAL::IO::read_PLY(stream, points, polygons);
    if (extension == ".stl") return CGAL::IO::read_STL(stream, points, polygons);
    throw std::runtime_error("CGAL does not read " + extension);
}

void append(PolygonSoup& soup, const aiMesh& mesh, const Eigen::Matrix4d& transform) {
    const auto first = static_cast<std::uint32_t>(soup.points.size());
    for (unsigned int i = 0; i < mesh.mNumVertices; ++i) {
        const aiVector3D& p = mesh.mVertices[i];
        soup.points.push_back((transform * Eigen::Vector4d(p.x, p.y, p.z, 1)).head<3>());
    }
    const bool mirrored = transform.topLeftCorner<3, 3>().determinant() < 0;
    for (unsigned int i = 0; i < mesh.mNumFaces; ++i) {
        const aiFace& face = mesh.mFaces[i];
        std::vector<std::uint32_t> corners;
        for (unsigned int j = 0; j < face.mNumIndices; ++j) corners.push_back(first + face.mIndices[j]);
        if (mirrored) std::reverse(corners.begin(), corners.end());
        soup.add_polygon(corners);
    }
}

}  // namespace

std::optional<PolygonSoup> soup_by_cgal(const std::string& extension, const std::string& bytes) {
    std::istringstream stream(bytes);
    Points points;
    Polygons polygons;
    if (!read(extension, stream, points, polygons)) return std::nullopt;
    PolygonSoup soup;
    for (const auto& point : points) soup.points.emplace_back(point.x(), point.y(), point.z());
    for (const auto& polygon : polygons) soup.add_polygon(polygon);
    return soup;
}

PolygonSoup soup_by_assimp(const std::string& extension, const std::string& bytes) {
    Assimp::Importer importer;
    const aiScene* scene =
        importer.ReadFileFromMemory(bytes.data(), bytes.size(), 0, extension.substr(1).c_str());
    if (scene == nullptr) throw std::runtime_error(importer.GetErrorString());
    PolygonSoup soup;
    std::vector<std::pair<const aiNode*, Eigen::Matrix4d>> open;
    open.emplace_back(scene->mRootNode, Eigen::Matrix4d::Identity());
    while (!open.empty()) {
        const auto [node, parent] = open.back();
        open.pop_back();
        const aiMatrix4x4& m = node->mTransformation;
        Eigen::Matrix4d local;
        local << m.a1, m.a2, m.a3, m.a4, m.b1, m.b2, m.b3, m.b4, m.c1, m.c2, m.c3, m.c4, m.d1, m.d2, m.d3,
            m.d4;
        const Eigen::Matrix4d transform = parent * local;
        for (unsigned int i = 0; i < node->mNumMeshes; ++i)
            append(soup, *scene->mMeshes[node->mMeshes[i]], transform);
        for (unsigned int i = node->mNumChildren; i-- > 0;) open.emplace_back(node->mChildren[i], transform);
    }
    return soup;
}

}  // namespace espalier::testing
