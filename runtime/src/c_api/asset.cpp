// SPDX-License-Identifier: MIT
// Opening assets and reading what is in them.
#include "espalier/asset.h"

#include "convert.h"

using namespace espalier::c_api;
using espalier::Asset;
using espalier::MeshView;
using espalier::ShapeView;
using espalier::SphereTreeView;
using espalier::Status;

namespace {

static_assert(sizeof(MeshView) == sizeof(espalier_mesh) &&
                  offsetof(MeshView, source_triangles) == offsetof(espalier_mesh, source_triangles),
              "the C mesh mirrors the C++ one");
static_assert(sizeof(espalier::SphereNode) == sizeof(espalier_sphere) &&
                  sizeof(espalier::SphereLevelNode) == sizeof(espalier_sphere_level) &&
                  sizeof(espalier::StoredBox) == sizeof(espalier_box),
              "the C arrays are those of the file");

SphereTreeView sphere_tree(const espalier_shape* part) {
    return from_c<ShapeView>(part).sphere;
}

}  // namespace

extern "C" {

const char* espalier_status_text(espalier_status status) {
    return espalier::status_text(static_cast<Status>(status));
}

espalier_status espalier_open(const void* data, size_t size, uint32_t verify, espalier_asset* asset) {
    if (!asset || verify > ESPALIER_VERIFY_FULL) return code(Status::kInvalidArgument);
    Asset view;
    const Status status = espalier::open(data, size, static_cast<espalier::Verify>(verify), &view);
    if (status == Status::kOk) std::memcpy(asset, static_cast<const void*>(&view), sizeof(view));
    return code(status);
}

espalier_asset_info espalier_get_asset_info(const espalier_asset* asset) {
    const Asset view = from_c<Asset>(asset);
    espalier_asset_info info;
    info.version_major = view.version_major();
    info.version_minor = view.version_minor();
    info.builder_revision = view.builder_revision();
    info.part_count = view.part_count();
    info.shape_count = view.shape_count();
    info.name_count = view.name_count();
    info.pair_count = view.pair_count();
    info.has_parts = view.has_parts() ? 1 : 0;
    info.checksum = view.checksum();
    info.data = view.data();
    info.size = view.size();
    return info;
}

espalier_status espalier_get_shape(const espalier_asset* asset, uint32_t index, espalier_shape* part) {
    if (!asset || !part) return code(Status::kInvalidArgument);
    ShapeView view;
    const Status status = from_c<Asset>(asset).shape(index, &view);
    if (status == Status::kOk) std::memcpy(part, static_cast<const void*>(&view), sizeof(view));
    return code(status);
}

espalier_status espalier_get_part(const espalier_asset* asset, uint32_t index, espalier_shape* part) {
    if (!asset || !part) return code(Status::kInvalidArgument);
    ShapeView view;
    const Status status = from_c<Asset>(asset).part(index, &view);
    if (status == Status::kOk) std::memcpy(part, static_cast<const void*>(&view), sizeof(view));
    return code(status);
}

espalier_shape_info espalier_get_shape_info(const espalier_shape* part) {
    const ShapeView view = from_c<ShapeView>(part);
    espalier_shape_info info;
    info.name = view.name;
    std::memcpy(info.origin, view.origin, sizeof(info.origin));
    std::memcpy(info.lo, view.lo, sizeof(info.lo));
    std::memcpy(info.hi, view.hi, sizeof(info.hi));
    info.closed = view.closed ? 1 : 0;
    info.trees =
        (view.aabb.present() ? ESPALIER_TREE_AABB : 0) | (view.box.present() ? ESPALIER_TREE_BOX : 0) |
        (view.cell.present() ? ESPALIER_TREE_CELL : 0) | (view.sphere.present() ? ESPALIER_TREE_SPHERE : 0);
    info.triangle_count = view.mesh.triangle_count;
    info.vertex_count = view.mesh.vertex_count;
    info.aabb_node_count = view.aabb.node_count;
    return info;
}

espalier_mesh espalier_get_mesh(const espalier_shape* part) {
    return to_c<espalier_mesh>(from_c<ShapeView>(part).mesh);
}

uint32_t espalier_mesh_index(const espalier_mesh* mesh, uint32_t triangle, uint32_t corner) {
    return from_c<MeshView>(mesh).index(triangle, corner);
}

const float* espalier_mesh_corner(const espalier_mesh* mesh, uint32_t triangle, uint32_t corner) {
    return from_c<MeshView>(mesh).corner(triangle, corner);
}

espalier_status espalier_get_sphere_tree(const espalier_shape* part, espalier_sphere_tree* tree) {
    if (!part || !tree) return code(Status::kInvalidArgument);
    const SphereTreeView view = sphere_tree(part);
    if (!view.present()) return code(Status::kNoTree);
    tree->spheres = reinterpret_cast<const espalier_sphere*>(view.spheres);
    tree->errors = view.errors;
    tree->levels = reinterpret_cast<const espalier_sphere_level*>(view.levels);
    tree->shells = reinterpret_cast<const espalier_box*>(view.shells);
    tree->leaf_triangles = view.leaf_triangles;
    tree->shared_children = view.shared_list;
    tree->sphere_count = view.sphere_count;
    tree->level_count = view.level_count;
    tree->inner_count = view.inner_count();
    tree->shell_count = view.shell_count;
    tree->dag = view.dag() ? 1 : 0;
    tree->coverage = static_cast<uint32_t>(view.coverage);
    tree->proved = view.proved ? 1 : 0;
    tree->volume_proved = view.volume_proved ? 1 : 0;
    tree->open = view.open ? 1 : 0;
    tree->capped = view.capped ? 1 : 0;
    tree->limit = view.limit;
    tree->method = view.method;
    tree->branch = view.branch;
    tree->solid_volume = view.solid_volume;
    tree->gap = view.gap;
    tree->filling = view.filling;
    return code(Status::kOk);
}

void espalier_sphere_children(const espalier_shape* part, uint32_t sphere, uint32_t* first, uint32_t* end) {
    sphere_tree(part).children(sphere, first, end);
}

uint32_t espalier_sphere_child_at(const espalier_shape* part, uint32_t position) {
    return sphere_tree(part).child_at(position);
}

void espalier_sphere_shared(const espalier_shape* part, uint32_t sphere, uint32_t* first, uint32_t* end) {
    sphere_tree(part).shared(sphere, first, end);
}

void espalier_sphere_leaf(const espalier_shape* part, uint32_t sphere, uint32_t* first, uint32_t* end) {
    sphere_tree(part).leaf(sphere, first, end);
}

uint32_t espalier_sphere_level_of(const espalier_shape* part, uint32_t sphere) {
    return sphere_tree(part).level_of(sphere);
}

}  // extern "C"
