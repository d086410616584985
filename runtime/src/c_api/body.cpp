// SPDX-License-Identifier: MIT
// Bodies: an asset and the poses of its parts.
#include "espalier/body.h"

#include "object.h"

using namespace espalier::c_api;
using espalier::Asset;
using espalier::Body;
using espalier::BroadBox;
using espalier::Pose;
using espalier::ShapeView;
using espalier::Status;

static_assert(Body::kPartMemory == ESPALIER_BODY_PART_MEMORY &&
                  sizeof(BroadBox) == sizeof(espalier_broad_box),
              "C says the same");

extern "C" {

size_t espalier_body_memory_size(const espalier_asset* asset) {
    return Body::memory_size(from_c<Asset>(asset));
}

espalier_status espalier_body_begin(espalier_body* body, const espalier_asset* asset, void* memory,
                                    size_t size) {
    if (!body || !asset) return code(Status::kInvalidArgument);
    return code(made<Body>(body)->begin(from_c<Asset>(asset), memory, size));
}

espalier_status espalier_body_begin_part(espalier_body* body, const espalier_shape* part, void* memory,
                                         size_t size) {
    if (!body || !part) return code(Status::kInvalidArgument);
    return code(made<Body>(body)->begin_part(from_c<ShapeView>(part), memory, size));
}

espalier_status espalier_body_set_poses(espalier_body* body, const espalier_pose* poses, size_t count) {
    if (!body) return code(Status::kInvalidArgument);
    // Poses are doubles alone and laid out alike, so that they are read where they are.
    return code(inside<Body>(body)->set_poses(reinterpret_cast<const Pose*>(poses), count));
}

espalier_status espalier_body_rebuild(espalier_body* body) {
    if (!body) return code(Status::kInvalidArgument);
    return code(inside<Body>(body)->rebuild());
}

uint32_t espalier_body_part_count(const espalier_body* body) {
    return inside<Body>(body)->part_count();
}

uint32_t espalier_body_shaped_count(const espalier_body* body) {
    return inside<Body>(body)->shaped_count();
}

espalier_status espalier_body_pose(const espalier_body* body, uint32_t part, espalier_pose* pose) {
    if (!body || !pose) return code(Status::kInvalidArgument);
    Pose found;
    const Status status = inside<Body>(body)->pose(part, &found);
    if (status == Status::kOk) *pose = to_c<espalier_pose>(found);
    return code(status);
}

espalier_status espalier_body_shape(const espalier_body* body, uint32_t part, espalier_shape* shape) {
    if (!body || !shape) return code(Status::kInvalidArgument);
    ShapeView view;
    const Status status = inside<Body>(body)->shape(part, &view);
    if (status == Status::kOk) std::memcpy(shape, &view, sizeof(view));
    return code(status);
}

espalier_status espalier_body_part_box(const espalier_body* body, uint32_t part, espalier_broad_box* box) {
    if (!body || !box) return code(Status::kInvalidArgument);
    BroadBox found;
    const Status status = inside<Body>(body)->part_box(part, &found);
    if (status == Status::kOk) *box = to_c<espalier_broad_box>(found);
    return code(status);
}

espalier_status espalier_body_box(const espalier_body* body, espalier_broad_box* box) {
    if (!body || !box) return code(Status::kInvalidArgument);
    BroadBox found;
    const Status status = inside<Body>(body)->box(&found);
    if (status == Status::kOk) *box = to_c<espalier_broad_box>(found);
    return code(status);
}

int espalier_body_pair_listed(const espalier_body* body, uint32_t a, uint32_t b) {
    return inside<Body>(body)->pair_listed(a, b) ? 1 : 0;
}

}  // extern "C"
