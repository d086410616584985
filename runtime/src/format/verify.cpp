// SPDX-License-Identifier: MIT
// Full verification: header and meshes here, each tree in its own room, parts in verify_parts.cpp.
#include "verify.h"

#include <cstring>

#include "fields.h"
#include "hierarchies.h"

namespace espalier {
namespace {

bool finite_positions(const MeshView& mesh) {
    // Infinities and NaN are the numbers with the largest exponent. As integers they vectorise; a sum of
    // floats, whose order counts, would not.
    constexpr std::int32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;
    const std::size_t count = std::size_t{3} * mesh.vertex_count;
    std::int32_t largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        std::int32_t magnitude;
        std::memcpy(&magnitude, mesh.positions + i, 4);
        magnitude &= kMagnitude;
        largest = magnitude > largest ? magnitude : largest;
    }
    return largest < kInfinity;
}

Status verify_mesh(const MeshView& mesh) {
    const std::size_t count = std::size_t{3} * mesh.triangle_count;
    const std::uint32_t largest =
        mesh.indices16 ? largest_index(mesh.indices16, count) : largest_index(mesh.indices32, count);
    if (largest >= mesh.vertex_count || !finite_positions(mesh)) return Status::kCorruptMesh;
    return Status::kOk;
}

Status verify_shape(const ShapeView& part) {
    for (double coordinate : part.origin)
        if (!(coordinate - coordinate == 0.0)) return Status::kCorrupt;
    if (!proper_box(part.lo, part.hi)) return Status::kCorrupt;
    const Status mesh = verify_mesh(part.mesh);
    if (mesh != Status::kOk) return mesh;
    return HierarchiesToVerify::verify(part);
}

}  // namespace

Status verify_asset(const Asset& asset) {
    // A hostile file may name one shape many times over. Honest shapes share nothing, so their meshes
    // together fit the file, and what a tree's work depends on beside its mesh counts too: the whole stays
    // linear.
    std::uint64_t named_bytes = 0;
    for (std::uint32_t i = 0; i < asset.shape_count(); ++i) {
        ShapeView shape;
        const Status found = asset.shape(i, &shape);
        if (found != Status::kOk) return found;
        named_bytes += std::uint64_t{12} * shape.mesh.vertex_count +
                       std::uint64_t{shape.mesh.indices16 ? 6u : 12u} * shape.mesh.triangle_count +
                       HierarchiesToVerify::bytes(shape);
        if (named_bytes > asset.size()) return Status::kCorrupt;
        const Status sound = verify_shape(shape);
        if (sound != Status::kOk) return sound;
    }
    return verify_parts(asset);
}

}  // namespace espalier
