// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/memory_mesh.h"

#include <bit>
#include <cmath>

#include "builder/import/finish_import.h"

namespace espalier {
namespace {

Error invalid(const std::string& message) {
    return {ErrorKind::kInvalidInput, message};
}

/// Points as they are, polygons as they are listed.
Result<PolygonSoup> copied(const MemoryMesh& mesh) {
    PolygonSoup soup;
    for (const std::array<double, 3>& p : mesh.points) soup.points.emplace_back(p[0], p[1], p[2]);
    const bool triangles = mesh.polygon_sizes.empty();
    if (triangles && mesh.corners.size() % 3 != 0)
        return invalid(std::to_string(mesh.corners.size()) + " corners are no whole number of triangles");
    const std::size_t count = triangles ? mesh.corners.size() / 3 : mesh.polygon_sizes.size();
    std::size_t first = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t size = triangles ? 3 : mesh.polygon_sizes[i];
        if (size > mesh.corners.size() - first)
            return invalid("face " + std::to_string(i) + " has " + std::to_string(size) +
                           " corners, but only " + std::to_string(mesh.corners.size() - first) + " are left");
        soup.add_polygon(mesh.corners.subspan(first, size));
        first += size;
    }
    if (first != mesh.corners.size())
        return invalid(std::to_string(mesh.corners.size() - first) + " corners belong to no face");
    return soup;
}

template <class Unsigned>
void append(std::string& bytes, Unsigned value) {
    for (std::size_t i = 0; i < sizeof(value); ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

std::string canonical_bytes(const PolygonSoup& soup) {
    std::string bytes;
    for (const Eigen::Vector3d& p : soup.points)
        for (int k = 0; k < 3; ++k) append(bytes, std::bit_cast<std::uint64_t>(p[k]));
    for (std::size_t i = 0; i < soup.polygon_count(); ++i) {
        append(bytes, static_cast<std::uint32_t>(soup.polygon(i).size()));
        for (const std::uint32_t corner : soup.polygon(i)) append(bytes, corner);
    }
    return bytes;
}

Result<Provenance> provenance_of(const MemoryMesh& mesh, const PolygonSoup& soup) {
    if (mesh.sha256) return Provenance{mesh.name, *mesh.sha256, 0};
    const std::string bytes = canonical_bytes(soup);
    const Result<std::array<std::uint8_t, 32>> digest = sha256(bytes);
    if (!digest) return digest.error();
    return Provenance{mesh.name, digest.value(), bytes.size()};
}

}  // namespace

Result<PolygonSoup> import_mesh(const MemoryMesh& mesh, const ImportOptions& options) {
    if (!std::isfinite(options.scale) || options.scale <= 0)
        return Error{ErrorKind::kUsage, "the scale must be a positive number"};
    Result<PolygonSoup> soup = copied(mesh);
    if (!soup) return soup;
    Result<Provenance> provenance = provenance_of(mesh, soup.value());
    if (!provenance) return provenance.error();
    soup.value().provenance = std::move(provenance).value();
    const Result<Scene> scene =
        import_formats::finish_import(scene_of(mesh.name, std::move(soup).value()), options);
    if (!scene) return scene.error();
    return merge_scene(scene.value());
}

}  // namespace espalier
