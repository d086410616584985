// SPDX-License-Identifier: GPL-3.0-or-later
// The cell tree in the protocols of the comparison with other libraries: A (random placements), B (tumbling),
// C (near misses). The placements are found with our aabb tree.
#include <algorithm>
#include <limits>

#include "bench/cells_1997/figures.h"
#include "bench/cells_1997/measure.h"
#include "bench/protocols/protocols.h"
#include "bench/protocols/triangle_mesh_of.h"
#include "builder/clean/sanitize.h"
#include "builder/import/import.h"
#include "espalier/collide.h"
#include "espalier/distance.h"

namespace espalier::bench {
namespace {

using espalier_bench::Library;
using espalier_bench::ModelData;
using espalier_bench::Placement;
using espalier_bench::pose_of;
using espalier_bench::PoseSet;

/// Answers what the protocols need to know to find their placements.
class Reference final : public Library {
  public:
    explicit Reference(const ShapeView& part) : part_(part) {}
    bool load(const ModelData&) override { return true; }
    bool collide(const Placement& placement) override { return touches(collide_, part_, pose_of(placement)); }
    double distance(const Placement& placement) override {
        distance_.begin(part_, part_, pose_of(placement));
        distance_.step();
        return distance_.upper();
    }

  private:
    const ShapeView& part_;
    Collide<AabbTreeView> collide_;
    Distance<AabbTreeView> distance_;
};

/// Empty when the file is missing or broken.
TriangleMesh load_mesh(const std::filesystem::path& path) {
    const Result<PolygonSoup> soup = import_mesh(path);
    if (!soup) return {};
    Result<SanitizedMesh> clean = sanitize(soup.value());
    return clean ? std::move(clean.value().mesh) : TriangleMesh{};
}

ModelData data_of(const std::string& name, const TriangleMesh& mesh) {
    ModelData data;
    data.name = name;
    Eigen::Vector3f lo = mesh.positions.front(), hi = lo;
    for (const Eigen::Vector3f& p : mesh.positions) {
        data.positions.insert(data.positions.end(), {p.x(), p.y(), p.z()});
        lo = lo.cwiseMin(p);
        hi = hi.cwiseMax(p);
    }
    for (const Triangle& t : mesh.triangles) data.triangles.insert(data.triangles.end(), t.begin(), t.end());
    for (int k = 0; k < 3; ++k) data.centre[k] = 0.5 * (double(lo[k]) + double(hi[k]));
    data.extent = double((hi - lo).maxCoeff());
    data.diagonal = double((hi - lo).norm());
    return data;
}

/// FCL with those of its volumes that take part in the quick comparison.
std::vector<std::unique_ptr<Library>> make_fcl(const ModelData& data) {
    std::vector<std::unique_ptr<Library>> trees;
    for (const espalier_bench::LibraryEntry& entry : espalier_bench::all_libraries())
        if (entry.info.family == "FCL" && entry.info.quick) {
            trees.push_back(entry.make());
            if (!trees.back()->load(data)) trees.pop_back();
        }
    return trees;
}

double best_fcl(const std::vector<std::unique_ptr<Library>>& trees, const PoseSet& set) {
    double best = std::numeric_limits<double>::infinity();
    for (const std::unique_ptr<Library>& tree : trees)
        for (int repeat = 0; repeat < 2; ++repeat) {
            const auto start = std::chrono::steady_clock::now();
            for (const Placement& placement : set.placements) tree->collide(placement);
            best = std::min(best, 1e6 * seconds_since(start) / static_cast<double>(set.placements.size()));
        }
    return best;
}

Json row_of(const std::string& name, const Model& model, const PoseSet& set,
            const std::vector<std::unique_ptr<Library>>& fcl) {
    std::vector<Pose> poses;
    for (const Placement& placement : set.placements) poses.push_back(pose_of(placement));
    Json row = compare_trees(model, poses);
    row.update({{"model", name},
                {"triangles", model.part.mesh.triangle_count},
                {"protocol", set.protocol},
                {"placements", poses.size()},
                {"fcl", best_fcl(fcl, set)}});
    return row;
}

}  // namespace

Json peers(const Effort& effort) {
    Json rows = Json::array();
    const espalier_bench::Sizes sizes =
        effort.quick ? espalier_bench::quick_sizes() : espalier_bench::full_sizes();
    for (const char* name : {"torus-5000", "anchor", "elephant", "armadillo"}) {
        const bool real = std::string(name) != "torus-5000";
        if (effort.quick && std::string(name) == "armadillo") continue;
        const TriangleMesh mesh =
            real ? load_mesh(effort.meshes / (std::string(name) + ".off")) : make("torus", 5000);
        if (mesh.triangles.empty()) continue;
        const Model model = bake(mesh, {}, true);
        const ModelData data = data_of(name, mesh);
        Reference reference(model.part);
        const std::vector<std::unique_ptr<Library>> fcl = make_fcl(data);
        for (const PoseSet& set : {espalier_bench::random_placements(data, reference, sizes.random),
                                   espalier_bench::tumbling_turn(data, sizes.steps),
                                   espalier_bench::near_misses(data, reference, sizes.per_gap)})
            rows.push_back(row_of(name, model, set, fcl));
    }
    return rows;
}

}  // namespace espalier::bench
