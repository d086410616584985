// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol L: bounds of the separation after a budget, medial spheres against octree spheres, level order
// against best first, aabb and box trees beside; and deadlines kept by the clock.
//
// usage: espalier-bench-budget --meshes DIR --results DIR [--quick] [--models A,B,...]
#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "bench/budget/protocols.h"

namespace espalier::bench {
namespace {

namespace fs = std::filesystem;

/// Levels of the sphere trees: 1, 8, 64, 512 spheres where the surface has room for as many.
constexpr std::uint32_t kLevels = 4;

void write_json(const fs::path& file, const Json& json) {
    std::ofstream(file) << json.dump(1) << "\n";
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> names;
    for (std::size_t start = 0; start < list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        names.push_back(list.substr(start, end - start));
        start = end + 1;
    }
    return names;
}

int run(const fs::path& meshes, const fs::path& results, bool quick, std::vector<std::string> names) {
    fs::create_directories(results);
    if (names.empty()) names = model_names(quick);
    std::vector<ModelPair> models;
    for (const std::string& name : names) {
        const TriangleMesh mesh = load_model(name, meshes);
        if (mesh.triangles.empty()) {
            std::cerr << name << ": not there or not usable, left out\n";
            continue;
        }
        ModelPair pair{bake_model(name, mesh, SphereMethod::kBest, kLevels),
                       bake_model(name, mesh, SphereMethod::kOctree, kLevels)};
        if (!pair.medial || !pair.octree) continue;
        const Json widths = measure_widths(pair, drawn_poses(pair.medial->part, quick ? 300 : 1000));
        write_json(results / ("budget-" + name + ".json"), widths);
        std::cout << name << ": mean width at 64 and 1024 node tests: medial "
                  << widths["widths"]["medial, best first"][1]["mean"] << " "
                  << widths["widths"]["medial, best first"][3]["mean"] << ", octree "
                  << widths["widths"]["octree, best first"][1]["mean"] << " "
                  << widths["widths"]["octree, best first"][3]["mean"] << std::endl;
        models.push_back(std::move(pair));
    }
    write_json(results / "budget-deadlines.json", measure_deadlines(models, quick ? 300 : 2000));
    return models.empty() ? 1 : 0;
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description options("espalier-bench-budget");
    options.add_options()("meshes", po::value<std::string>()->required(), "folder of .off meshes")(
        "results", po::value<std::string>()->required(), "folder for the figures")("quick", "three models")(
        "models", po::value<std::string>()->default_value(""), "only these");
    try {
        po::variables_map map;
        po::store(po::parse_command_line(argc, argv, options), map);
        po::notify(map);
        return espalier::bench::run(map["meshes"].as<std::string>(), map["results"].as<std::string>(),
                                    map.count("quick") > 0,
                                    espalier::bench::split(map["models"].as<std::string>()));
    } catch (const std::exception& failure) {
        std::cerr << "espalier-bench-budget: " << failure.what() << "\n" << options;
        return 1;
    }
}
