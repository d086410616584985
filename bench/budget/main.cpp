// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol L: bounds of the separation after a budget, medial spheres against octree spheres, level order
// against best first, the other trees beside; and deadlines kept by the clock. At most five minutes, quick 40
// seconds: bakes are kept in the results' folder, and models for which there is no time are left out and
// named.
//
// usage: espalier-bench-budget --meshes DIR --results DIR [--quick] [--models A,B,...]
#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "bench/budget/protocols.h"
#include "bench/harness/process.h"

namespace espalier::bench {
namespace {

namespace fs = std::filesystem;

/// What a run may take. Sphere trees take most of it: no model is begun after `last_start`.
struct Bounds {
    std::uint32_t levels;  ///< of the sphere trees: 4 are 1, 8, 64, 512 spheres where there is room
    SphereEffort effort;   ///< of the bakes
    double last_start;     ///< seconds
    std::size_t width_poses, deadline_poses;
};
constexpr Bounds kFull{4, SphereEffort::kNormal, 170, 400, 500}, kQuick{3, SphereEffort::kFast, 12, 200, 300};

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

std::unique_ptr<BudgetModel> bake(const std::string& name, const TriangleMesh& mesh, SphereMethod method,
                                  const Bounds& bounds, const fs::path& results) {
    SphereTreeOptions options;
    options.method = method;
    options.levels = bounds.levels;
    options.effort = bounds.effort;
    return bake_model(name, mesh, options, results / "budget-models");
}

void tell(const Json& widths) {
    const auto mean = [&](const char* kind, std::size_t i) { return widths["widths"][kind][i]["mean"]; };
    std::cout << widths["model"] << ": mean width at 64 and 1024 node tests: medial "
              << mean("medial, best first", 1) << " " << mean("medial, best first", 3) << ", octree "
              << mean("octree, best first", 1) << " " << mean("octree, best first", 3) << std::endl;
}

int run(const fs::path& meshes, const fs::path& results, bool quick, std::vector<std::string> names) {
    const Bounds& bounds = quick ? kQuick : kFull;
    const auto start = std::chrono::steady_clock::now();
    fs::create_directories(results / "budget-models");
    if (names.empty()) names = model_names(quick);
    std::vector<ModelPair> models;
    Json left_out = Json::array();
    for (const std::string& name : names) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        const TriangleMesh mesh = load_model(name, meshes);
        if (mesh.triangles.empty() || passed.count() > bounds.last_start) {
            std::cerr << name << ": " << (mesh.triangles.empty() ? "not there" : "no time") << ", left out\n";
            left_out.push_back(name);
            continue;
        }
        ModelPair pair{bake(name, mesh, SphereMethod::kBest, bounds, results),
                       bake(name, mesh, SphereMethod::kOctree, bounds, results)};
        if (!pair.medial || !pair.octree) continue;
        const Json widths = measure_widths(pair, drawn_poses(pair.medial->part, bounds.width_poses));
        write_json(results / ("budget-" + name + ".json"), widths);
        tell(widths);
        models.push_back(std::move(pair));
    }
    if (models.empty()) return 1;
    espalier_bench::pin_to_one_processor();  // bakes are done
    Json deadlines = measure_deadlines(models, bounds.deadline_poses);
    deadlines["levels"] = bounds.levels;
    deadlines["effort"] = name_of(bounds.effort);
    deadlines["left_out"] = left_out;
    write_json(results / "budget-deadlines.json", deadlines);
    return 0;
}

}  // namespace
}  // namespace espalier::bench

int main(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description options("espalier-bench-budget");
    options.add_options()("meshes", po::value<std::string>()->required(), "folder of .off meshes")(
        "results", po::value<std::string>()->required(), "folder for the figures")(
        "quick", "two models, smaller trees")("models", po::value<std::string>()->default_value(""),
                                              "only these");
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
