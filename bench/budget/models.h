// SPDX-License-Identifier: GPL-3.0-or-later
// The models of protocol L, baked in memory, and the poses that bring two of them together.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "builder/asset/aligned_bytes.h"
#include "builder/sphere/sphere_tree.h"
#include "builder/surface/triangle_mesh.h"
#include "espalier/asset.h"
#include "espalier/pose.h"

namespace espalier::bench {

/// An asset with all trees but for the sphere tree's method. The view lives as long as it.
struct BudgetModel {
    std::string name;
    AlignedBytes bytes;
    ShapeView part;

    BudgetModel(std::string model_name, AlignedBytes model_bytes);
    BudgetModel(const BudgetModel&) = delete;
    BudgetModel& operator=(const BudgetModel&) = delete;
};

/// The corpus' torus and desk lamp, and closed meshes of `meshes`; `quick`: fewer.
std::vector<std::string> model_names(bool quick);
/// Empty where the file is missing or not usable.
TriangleMesh load_model(const std::string& name, const std::filesystem::path& meshes);
/// Takes the asset from `cache` if a former run has left it there, otherwise bakes and leaves it. Null with a
/// message on the error stream when it cannot be built.
std::unique_ptr<BudgetModel> bake_model(const std::string& name, const TriangleMesh& mesh,
                                        const SphereTreeOptions& options, const std::filesystem::path& cache);

/// Centre and radius of the part's bounds, in source coordinates.
double radius_of(const ShapeView& part);

/// Two copies: rotations at random, the distance of the centres uniform between none and one and a half
/// radii of both. About half of the poses of the models used collide.
std::vector<Pose> drawn_poses(const ShapeView& part, std::size_t count);

}  // namespace espalier::bench
