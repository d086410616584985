// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/primitives.h"

#include <utility>

#include "builder/import/gltf/extensions.h"
#include "builder/import/gltf/morph.h"

namespace espalier::import_formats::gltf {
namespace {

enum Mode : std::uint64_t { kTriangles = 4, kStrip = 5, kFan = 6 };

const char* const kDraco = "KHR_draco_mesh_compression";

const AccessorKind kIndices{
    "indices", "SCALAR", {kUnsignedByte, kUnsignedShort, kUnsignedInt}, "5121, 5123 or 5125"};

const Json& attributes_of(const Primitive& primitive) {
    return required(*primitive.json, "attributes", primitive.where);
}

std::uint64_t accessor_of(const Primitive& primitive, const std::string& name) {
    return integer(required(attributes_of(primitive), name.c_str(), primitive.where), primitive.where,
                   name.c_str());
}

// Sizes, or nothing where the primitive has no surface.
std::optional<Primitive> surface_primitive(const Source& source, const Json& json, const std::string& where) {
    Primitive result{.json = &json, .where = where};
    result.mode = integer_or(json, "mode", kTriangles, where);
    if (result.mode > kFan) fail(where + " has the mode " + std::to_string(result.mode));
    if (result.mode < kTriangles) return std::nullopt;
    result.points = source.accessors.layout(accessor_of(result, "POSITION"), source.positions, where).count;
    result.corners = result.points;
    if (const Json* index = member(json, "indices"))
        result.corners = source.accessors.layout(integer(*index, where, "indices"), kIndices, where).count;
    if (result.corners < 3 || (result.mode == kTriangles && result.corners % 3 != 0))
        fail(where + " has " + std::to_string(result.corners) + " corners, which make no triangles");
    result.triangles = result.mode == kTriangles ? result.corners / 3 : result.corners - 2;
    return result;
}

void check_indices(const std::vector<std::uint32_t>& indices, const Primitive& primitive) {
    for (std::size_t i = 0; i < indices.size(); ++i)
        if (indices[i] >= primitive.points)
            fail(primitive.where + ": index " + std::to_string(i) + " refers to vertex " +
                 std::to_string(indices[i]) + ", but there are " + std::to_string(primitive.points) +
                 " (counted from 0)");
}

// Triangles of a strip or fan of `corners`.
std::vector<std::uint32_t> divided(const std::vector<std::uint32_t>& corners, bool fan) {
    std::vector<std::uint32_t> triangles;
    for (std::size_t t = 0; t + 2 < corners.size(); ++t) {
        std::size_t triangle[] = {fan ? 0 : t, t + 1, t + 2};
        // Of a strip, every second triangle runs the other way round.
        if (!fan && t % 2 == 1) std::swap(triangle[0], triangle[1]);
        for (const std::size_t corner : triangle) triangles.push_back(corners[corner]);
    }
    return triangles;
}

}  // namespace

AccessorKind position_kind(const Json& root) {
    if (!uses_extension(root, "KHR_mesh_quantization"))
        return {"positions", "VEC3", {kFloat}, "5126 (float)"};
    return {
        "positions", "VEC3", {kByte, kUnsignedByte, kShort, kUnsignedShort, kFloat}, "5120 to 5123 or 5126"};
}

std::vector<Primitive> surface_primitives(const Source& source, std::uint64_t mesh, std::uint64_t& ignored) {
    const std::string where = "mesh " + std::to_string(mesh);
    std::vector<Primitive> result;
    const Json& list = array(element(source.root, "meshes", mesh, "the file"), "primitives", where);
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto primitive = surface_primitive(source, list[i], where + ", primitive " + std::to_string(i));
        if (primitive)
            result.push_back(*std::move(primitive));
        else
            ++ignored;
    }
    return result;
}

PrimitiveReader::PrimitiveReader(const Source& source, const Primitive& primitive)
    : source_(source), primitive_(primitive) {
    const Json* draco = extension_of(*primitive.json, kDraco);
    if (draco == nullptr) return;
    const std::uint64_t view =
        integer(required(*draco, "bufferView", primitive.where), primitive.where, "bufferView");
    DracoPromise promise{primitive.points, std::nullopt};
    // The indices of a strip are gone: the stream has its triangles.
    if (primitive.mode == kTriangles && member(*primitive.json, "indices") != nullptr)
        promise.faces = primitive.triangles;
    draco_.emplace(source.views.bytes(view, primitive.where), promise, primitive.where);
}

std::vector<std::uint32_t> PrimitiveReader::triangles() const {
    if (draco_) return draco_->corners();
    std::vector<std::uint32_t> corners;
    if (const Json* index = member(*primitive_.json, "indices")) {
        corners = source_.accessors.indices(integer(*index, primitive_.where, "indices"), kIndices,
                                            primitive_.where);
        check_indices(corners, primitive_);
    } else {
        for (std::uint64_t i = 0; i < primitive_.points; ++i)
            corners.push_back(static_cast<std::uint32_t>(i));
    }
    return primitive_.mode == kTriangles ? corners : divided(corners, primitive_.mode == kFan);
}

bool PrimitiveReader::has(const std::string& attribute) const {
    return member(attributes_of(primitive_), attribute.c_str()) != nullptr;
}

Numbers PrimitiveReader::attribute(const std::string& name, const AccessorKind& kind) const {
    const std::uint64_t index = accessor_of(primitive_, name);
    const AccessorLayout layout = source_.accessors.layout(index, kind, primitive_.where);
    if (layout.count != primitive_.points)
        fail(primitive_.where + " has " + std::to_string(layout.count) + " " + kind.name + " for " +
             std::to_string(primitive_.points) + " points");
    if (draco_) {
        const Json& listed =
            required(*extension_of(*primitive_.json, kDraco), "attributes", primitive_.where);
        if (const Json* id = member(listed, name.c_str()))
            return draco_->attribute(integer(*id, primitive_.where, name.c_str()), layout);
    }
    return source_.accessors.numbers(index, kind, primitive_.where);
}

Numbers PrimitiveReader::positions(const std::vector<double>& weights) const {
    Numbers points = attribute("POSITION", source_.positions);
    morph(*primitive_.json, weights, source_.accessors, source_.positions, primitive_.where, points);
    return points;
}

}  // namespace espalier::import_formats::gltf
