// SPDX-License-Identifier: GPL-3.0-or-later
// The harness's plain data as our own types.
#pragma once

#include <cstring>

#include "bench/harness/library.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/pose.h"

namespace espalier_bench {

inline espalier::TriangleMesh triangle_mesh_of(const ModelData& model) {
    espalier::TriangleMesh mesh;
    for (std::size_t i = 0; i < model.positions.size(); i += 3)
        mesh.positions.emplace_back(model.positions[i], model.positions[i + 1], model.positions[i + 2]);
    for (std::size_t i = 0; i < model.triangles.size(); i += 3)
        mesh.triangles.push_back({model.triangles[i], model.triangles[i + 1], model.triangles[i + 2]});
    return mesh;
}

inline espalier::Pose pose_of(const Placement& placement) {
    espalier::Pose pose;
    std::memcpy(pose.rotation, placement.rotation, sizeof pose.rotation);
    std::memcpy(pose.translation, placement.translation, sizeof pose.translation);
    return pose;
}

}  // namespace espalier_bench
