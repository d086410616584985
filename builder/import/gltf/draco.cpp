// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/draco.h"

#include <draco/compression/decode.h>

#include <exception>
#include <new>

#include "builder/import/gltf/document.h"
#include "builder/import/gltf/draco_header.h"

namespace espalier::import_formats::gltf {
namespace {

[[noreturn]] void damaged(const std::string& where, const std::string& reason) {
    fail(where + ": the Draco stream is damaged (" + reason + ")");
}

[[noreturn]] void differs(const std::string& where, const char* what, std::uint64_t stream,
                          std::uint64_t document) {
    fail(where + ": the Draco stream has " + std::to_string(stream) + " " + what +
         ", but its accessors promise " + std::to_string(document));
}

std::unique_ptr<draco::Mesh> decode(std::string_view bytes, const std::string& where) {
    draco::DecoderBuffer buffer;
    buffer.Init(bytes.data(), bytes.size());
    draco::Decoder decoder;
    try {
        auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
        if (!mesh.ok()) damaged(where, mesh.status().error_msg_string());
        return std::move(mesh).value();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& exception) {
        damaged(where, exception.what());
    }
}

}  // namespace

DracoMesh::DracoMesh(std::string_view bytes, const DracoPromise& promise, const std::string& where)
    : where_(where) {
    const DracoHeader header = read_draco_header(bytes, where);
    if (promise.faces && header.faces != *promise.faces)
        differs(where, "faces", header.faces, *promise.faces);
    if (header.vertices > promise.points) differs(where, "vertices", header.vertices, promise.points);
    mesh_ = decode(bytes, where);
    if (mesh_->num_points() != promise.points) differs(where, "points", mesh_->num_points(), promise.points);
    if (promise.faces && mesh_->num_faces() != *promise.faces)
        differs(where, "faces", mesh_->num_faces(), *promise.faces);
    // What integers stand for, the accessor says.
    for (int i = 0; i < mesh_->num_attributes(); ++i) mesh_->attribute(i)->set_normalized(false);
}

DracoMesh::~DracoMesh() = default;

std::vector<std::uint32_t> DracoMesh::corners() const {
    std::vector<std::uint32_t> corners;
    corners.reserve(3 * std::size_t{mesh_->num_faces()});
    for (std::uint32_t i = 0; i < mesh_->num_faces(); ++i) {
        for (const draco::PointIndex& corner : mesh_->face(draco::FaceIndex(i))) {
            if (corner.value() >= mesh_->num_points())
                damaged(where_, "face " + std::to_string(i) + " refers to point " +
                                    std::to_string(corner.value()) + " of " +
                                    std::to_string(mesh_->num_points()));
            corners.push_back(corner.value());
        }
    }
    return corners;
}

Numbers DracoMesh::attribute(std::uint64_t id, const AccessorLayout& layout) const {
    const draco::PointAttribute* attribute =
        id > UINT32_MAX ? nullptr : mesh_->GetAttributeByUniqueId(static_cast<std::uint32_t>(id));
    const std::string what = "attribute " + std::to_string(id);
    if (attribute == nullptr) damaged(where_, what + " is not there");
    if (attribute->num_components() != layout.width)
        damaged(where_, what + " has " + std::to_string(attribute->num_components()) + " components, not " +
                            std::to_string(layout.width));
    const std::uint64_t points = mesh_->num_points();
    if (!attribute->is_mapping_identity() && attribute->indices_map_size() < points)
        damaged(where_, what + " is not there for all points");
    Numbers result{points, layout.width, std::vector<double>(points * layout.width)};
    for (std::uint64_t i = 0; i < points; ++i) {
        const draco::AttributeValueIndex value =
            attribute->mapped_index(draco::PointIndex(static_cast<std::uint32_t>(i)));
        if (value.value() >= attribute->size() ||
            !attribute->ConvertValue(value, static_cast<std::int8_t>(layout.width), result.at(i)))
            damaged(where_, what + " has no value for point " + std::to_string(i));
    }
    if (layout.normalized)
        for (double& value : result.values) value = normalized_value(value, layout.component);
    return result;
}

}  // namespace espalier::import_formats::gltf
