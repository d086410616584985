// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/budget/models.h"

#include <Eigen/Geometry>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "builder/aabb/row.h"
#include "builder/asset/atomic_file.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "builder/cell/row.h"
#include "builder/clean/sanitize.h"
#include "builder/import/import.h"
#include "builder/sphere/row.h"
#include "corpus/registry.h"

namespace espalier::bench {

namespace fs = std::filesystem;

namespace {

/// Uniform in [0, 1), the same on every platform.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : engine_(seed) {}
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
    double between(double lo, double hi) { return lo + (hi - lo) * unit(); }

    Eigen::Quaterniond rotation() {
        for (;;) {
            const double w = between(-1, 1), x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
            const Eigen::Quaterniond q(w, x, y, z);
            if (q.squaredNorm() > 1e-4 && q.squaredNorm() <= 1) return q.normalized();
        }
    }
    Eigen::Vector3d direction() { return rotation() * Eigen::Vector3d::UnitX(); }

  private:
    std::mt19937_64 engine_;
};

Eigen::Vector3d center_of(const ShapeView& part) {
    Eigen::Vector3d center;
    for (int k = 0; k < 3; ++k) center[k] = (double(part.lo[k]) + double(part.hi[k])) / 2 + part.origin[k];
    return center;
}

}  // namespace

BudgetModel::BudgetModel(std::string model_name, AlignedBytes model_bytes)
    : name(std::move(model_name)), bytes(std::move(model_bytes)) {
    Asset asset;
    Status status = open(bytes.data(), bytes.size(), Verify::kFull, &asset);
    if (status == Status::kOk) status = asset.part(0, &part);
    if (status != Status::kOk) throw std::runtime_error(name + ": " + status_text(status));
}

std::vector<std::string> model_names(bool quick) {
    if (quick) return {"torus", "cow"};
    return {"cow", "torus", "desk-lamp", "fandisk", "slender-craft", "knot1", "handle", "rotor", "anchor"};
}

TriangleMesh load_model(const std::string& name, const fs::path& meshes) {
    if (const corpus::CorpusMesh* own = corpus::find_corpus_mesh(name)) return own->make_near(4000);
    const Result<PolygonSoup> soup = import_mesh(meshes / (name + ".off"), {});
    if (!soup) return {};
    Result<SanitizedMesh> clean = sanitize(soup.value());
    return clean ? std::move(clean.value().mesh) : TriangleMesh{};
}

std::unique_ptr<BudgetModel> bake_model(const std::string& name, const TriangleMesh& mesh,
                                        const SphereTreeOptions& options, const fs::path& cache) {
    const char* methods[] = {"best", "hubbard", "octree"};
    const fs::path path = cache / (name + "-" + methods[static_cast<int>(options.method)] + "-" +
                                   std::to_string(options.levels) + ".espl");
    if (std::ifstream file(path, std::ios::binary); file) {
        const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
        return std::make_unique<BudgetModel>(
            name, AlignedBytes({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
    }
    Progress silent;
    Result<SphereTree> spheres = build_sphere_tree(mesh, options, silent);
    if (!spheres) {
        std::cerr << name << ": " << spheres.error().message << "\n";
        return nullptr;
    }
    AssetContents contents;
    BakedShape& part = contents.shapes.emplace_back();
    part.mesh = mesh;
    part.closed = spheres.value().solid == SolidKind::kClosed;
    part.trees.push_back(built_tree(build_aabb_tree(mesh, {}, silent)));
    part.trees.push_back(built_tree(build_box_tree(mesh, {}, silent)));
    part.trees.push_back(built_tree(build_cell_tree(mesh, {}, silent)));
    part.trees.push_back(built_tree(std::move(spheres).value()));
    const std::vector<std::uint8_t> bytes = write_asset(contents).value();
    if (!write_file_atomically(path, bytes)) std::cerr << path << ": cannot be kept\n";
    return std::make_unique<BudgetModel>(name, AlignedBytes(bytes));
}

double radius_of(const ShapeView& part) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double half = (double(part.hi[k]) - double(part.lo[k])) / 2;
        squared += half * half;
    }
    return std::sqrt(squared);
}

std::vector<Pose> drawn_poses(const ShapeView& part, std::size_t count) {
    Draws draws(1996);
    const Eigen::Vector3d center = center_of(part);
    std::vector<Pose> poses(count);
    for (Pose& pose : poses) {
        const Eigen::Quaterniond q = draws.rotation();
        const double distance = draws.between(0, 1.5) * radius_of(part);
        const Eigen::Vector3d t = center + draws.direction() * distance - q * center;
        pose.rotation[0] = q.w();
        pose.rotation[1] = q.x();
        pose.rotation[2] = q.y();
        pose.rotation[3] = q.z();
        for (int k = 0; k < 3; ++k) pose.translation[k] = t[k];
    }
    return poses;
}

}  // namespace espalier::bench
