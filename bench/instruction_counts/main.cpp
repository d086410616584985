// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a small piece of every protocol once, and every build on one thread; under callgrind each leaves a
// profile of its own, named by it. usage: espalier-instruction-counts FOLDER      FOLDER: where the baked
// models may be put
#include <tbb/global_control.h>
#include <valgrind/callgrind.h>

#include <cstdio>
#include <fstream>
#include <memory>

#include "bench/harness/library.h"
#include "bench/protocols/protocols.h"
#include "builder/aabb/row.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "builder/cell/cell_tree.h"
#include "builder/sphere/sphere_tree.h"
#include "corpus/registry.h"

namespace espalier_bench {
namespace {

bool write_file(const espalier::AssetContents& contents, const std::string& path) {
    const auto bytes = espalier::write_asset(contents);
    if (!bytes) return false;
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.value().data()), std::streamsize(bytes.value().size()));
    return bool(file.flush());
}

/// Bakes one of the corpus's kinds into `folder`, once a tree; false when a file cannot be written.
bool bake_model(const std::string& kind, const std::string& folder, ModelData& model) {
    const espalier::TriangleMesh mesh = espalier::corpus::find_corpus_mesh(kind)->make();
    espalier::Progress silent;
    espalier::AssetContents contents;
    espalier::BakedShape& part = contents.shapes.emplace_back();
    part.mesh = mesh;
    part.trees = {espalier::built_tree(espalier::build_aabb_tree(mesh, {}, silent))};
    model.asset_path = folder + "/" + kind + ".espl";
    if (!write_file(contents, model.asset_path)) return false;
    part.trees = {espalier::built_tree(espalier::build_box_tree(mesh, {}, silent))};
    model.box_asset_path = folder + "/" + kind + ".box.espl";
    if (!write_file(contents, model.box_asset_path)) return false;
    Eigen::Vector3f lo = mesh.positions[0], hi = lo;
    for (const Eigen::Vector3f& p : mesh.positions) {
        lo = lo.cwiseMin(p);
        hi = hi.cwiseMax(p);
    }
    for (int i = 0; i < 3; ++i) model.centre[i] = (double(lo[i]) + hi[i]) / 2;
    model.extent = (hi - lo).maxCoeff();
    model.diagonal = (hi - lo).norm();
    return true;
}

/// The counted work; the sum of the answers keeps it from being left out.
double run(Library& library, const PoseSet& set) {
    double sum = 0;
    for (const Placement& p : set.placements)
        if (set.job == Job::kAll)
            sum += double(library.contacts(p));
        else if (set.job == Job::kDistance)
            sum += library.distance(p);
        else
            sum += library.collide(p);
    return sum;
}

double run_frames(Library& library, const PoseSet& set) {
    double sum = 0;
    for (std::size_t i = 0; i < set.placements.size(); ++i) {
        library.refit();
        sum += library.collide(set.placements[i]);
    }
    return sum;
}

void count(Library& library, const std::string& name, const PoseSet& set) {
    if (set.job == Job::kDeform) library.deform(1);
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    const double sum = set.job == Job::kDeform ? run_frames(library, set) : run(library, set);
    CALLGRIND_STOP_INSTRUMENTATION;
    const std::string label = name + " " + set.protocol;
    CALLGRIND_DUMP_STATS_AT(label.c_str());
    std::printf("%s: %zu placements, answers sum to %g\n", label.c_str(), set.placements.size(), sum);
}

/// All protocols of one model; the placements are found with the first library.
std::vector<PoseSet> small_sets(const ModelData& model, Library& reference) {
    const PoseSet random = random_placements(model, reference, 60);
    return {random,
            tumbling_turn(model, 8),
            near_misses(model, reference, 3),
            deep_overlap(model, 40),
            all_contacts(random, reference, 8),
            distances(model, reference, 3),
            deforming(random, 4)};
}

/// Counts `build()`, which returns a number of nodes.
template <class Build>
void count_build(const std::string& label, Build build) {
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    const std::size_t nodes = build();
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS_AT(label.c_str());
    std::printf("%s: %zu nodes\n", label.c_str(), nodes);
}

/// The four builds. Sphere trees by the default method alone: Hubbard's needs CGAL's rounding, which valgrind
/// does not follow.
void count_builds() {
    const espalier::TriangleMesh mesh = espalier::corpus::find_corpus_mesh("torus")->make_near(2000);
    const espalier::TriangleMesh small = espalier::corpus::find_corpus_mesh("torus")->make_near(200);
    espalier::Progress silent;
    count_build("build aabb", [&] { return espalier::build_aabb_tree(mesh, {}, silent).nodes.size(); });
    count_build("build box", [&] { return espalier::build_box_tree(mesh, {}, silent).nodes.size(); });
    count_build("build cell", [&] { return espalier::build_cell_tree(mesh, {}, silent).nodes.size(); });
    espalier::SphereTreeOptions options;
    options.levels = 2;
    options.effort = espalier::SphereEffort::kFast;
    count_build("build sphere", [&] {
        const auto tree = espalier::build_sphere_tree(small, options, silent);
        return tree ? tree.value().spheres.size() : 0;
    });
}

int run_all(const std::string& folder) {
    // One thread: waiting threads would count too.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
    count_builds();
    for (const std::string kind : {"torus", "slender-craft"}) {
        ModelData model;
        if (!bake_model(kind, folder, model)) return 2;
        std::vector<PoseSet> sets;
        for (const LibraryEntry& entry : all_libraries()) {
            if (entry.info.tumbling_only) continue;
            const std::unique_ptr<Library> library = entry.make();
            if (!library->load(model)) return 2;
            if (sets.empty()) sets = small_sets(model, *library);
            for (const PoseSet& set : sets)
                if (set.job != Job::kDeform || entry.info.refit)
                    count(*library, entry.info.name + " " + kind, set);
        }
    }
    return 0;
}

}  // namespace
}  // namespace espalier_bench

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: espalier-instruction-counts FOLDER\n");
        return 1;
    }
    return espalier_bench::run_all(argv[1]);
}
