// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/scene.h"

#include <Eigen/LU>
#include <algorithm>
#include <utility>

#include "builder/import/import_formats.h"

namespace espalier {
namespace {

Result<Success> check_size(const Scene& scene) {
    std::uint64_t points = 0, corners = 0;
    for (const SceneNode& node : scene.nodes) {
        if (node.mesh == kNone) continue;
        points += scene.meshes[node.mesh].soup.points.size();
        corners += scene.meshes[node.mesh].soup.corners.size();
    }
    if (points > import_formats::kMaxVertices)
        return Error{ErrorKind::kUnsupported, std::to_string(points) + " vertices are too many"};
    if (corners > 3 * import_formats::kMostTriangles)
        return Error{ErrorKind::kUnsupported, "the scene has more than " +
                                                  std::to_string(import_formats::kMostTriangles) +
                                                  " triangles, each instance counted"};
    return Success{};
}

}  // namespace

Scene scene_of(std::string name, PolygonSoup soup) {
    Scene scene;
    scene.name = std::move(name);
    scene.scale = soup.scale;
    scene.unit = std::exchange(soup.unit, {});
    scene.provenance = std::exchange(soup.provenance, {});
    scene.findings = std::exchange(soup.findings, {});
    scene.nodes.emplace_back().name = scene.name;
    scene.nodes.back().mesh = 0;
    scene.meshes.push_back({scene.name, std::move(soup)});
    return scene;
}

std::vector<Eigen::Affine3d> world_transforms(const Scene& scene) {
    std::vector<Eigen::Affine3d> world;
    world.reserve(scene.nodes.size());
    for (const SceneNode& node : scene.nodes)
        world.push_back(node.parent == kNone ? node.to_parent : world[node.parent] * node.to_parent);
    return world;
}

void append_transformed(const PolygonSoup& soup, const Eigen::Affine3d& transform, PolygonSoup& all) {
    const auto first = static_cast<std::uint32_t>(all.points.size());
    // What is not moved keeps its bits, also those of what is no number.
    const bool moved = transform.matrix() != Eigen::Matrix4d::Identity();
    for (const Eigen::Vector3d& point : soup.points) all.points.push_back(moved ? transform * point : point);
    const bool mirrored = transform.linear().determinant() < 0;
    const std::size_t first_polygon = all.corners.size();
    for (const std::uint32_t corner : soup.corners) all.corners.push_back(first + corner);
    for (std::size_t i = 0; i < soup.polygon_count(); ++i) {
        const auto begin = all.corners.begin() + static_cast<std::ptrdiff_t>(all.first_corner.back());
        const auto end =
            all.corners.begin() + static_cast<std::ptrdiff_t>(first_polygon + soup.first_corner[i + 1]);
        if (mirrored) std::reverse(begin, end);
        all.first_corner.push_back(first_polygon + soup.first_corner[i + 1]);
    }
}

Result<PolygonSoup> merge_scene(const Scene& scene) {
    const Result<Success> size = check_size(scene);
    if (!size) return size.error();
    PolygonSoup all;
    const std::vector<Eigen::Affine3d> world = world_transforms(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        if (scene.nodes[i].mesh != kNone)
            append_transformed(scene.meshes[scene.nodes[i].mesh].soup, world[i], all);
    all.scale = scene.scale;
    all.unit = scene.unit;
    all.provenance = scene.provenance;
    all.findings = scene.findings;
    return all;
}

}  // namespace espalier
