// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol K: sphere trees of closed meshes by every method. One JSON file a mesh: coverage, errors, outside
// volumes and build times, level by level.
//
// usage: espalier-bench-spheres --meshes DIR --results DIR [--quick] [--models A,B,...] [--effort N]
#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "builder/mesh/import.h"
#include "builder/mesh/sanitize.h"
#include "builder/sphere_tree/sphere_tree.h"
#include "corpus/desk_lamp.h"
#include "corpus/torus.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Larger meshes take minutes and tell nothing new.
constexpr std::size_t kMostTriangles = 120000;

struct Model {
    std::string name;
    std::function<TriangleMesh()> load;  ///< an empty mesh: not usable
};

TriangleMesh load_file(const fs::path& path) {
    const Result<PolygonSoup> soup = import_mesh(path, {});
    if (!soup) return {};
    Result<SanitizedMesh> clean = sanitize(soup.value());
    return clean ? std::move(clean.value().mesh) : TriangleMesh{};
}

std::vector<Model> all_models(const fs::path& meshes) {
    std::vector<Model> models;
    models.push_back({"torus", [] {
                          corpus::TorusOptions options;
                          options.minor_radius = 0.35;
                          return corpus::make_torus(options);
                      }});
    models.push_back({"desk-lamp", [] { return corpus::make_desk_lamp(); }});
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(meshes))
        if (entry.path().extension() == ".off") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files)
        models.push_back({file.stem().string(), [file] { return load_file(file); }});
    return models;
}

const std::vector<std::pair<std::string, SphereMethod>>& methods() {
    static const std::vector<std::pair<std::string, SphereMethod>> kMethods = {
        {"best", SphereMethod::kBest},
        {"hubbard", SphereMethod::kHubbard},
        {"octree", SphereMethod::kOctree}};
    return kMethods;
}

Json measure(const TriangleMesh& mesh, SphereMethod method, std::uint32_t effort, CoveragePolicy coverage) {
    SphereTreeOptions options;
    options.method = method;
    options.effort = effort;
    options.coverage = coverage;
    Progress silent;
    const auto start = std::chrono::steady_clock::now();
    const Result<SphereTree> built = build_sphere_tree(mesh, options, silent);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!built) return {{"failed", built.error().message}};
    const SphereTree& tree = built.value();
    Json json = {{"seconds", seconds},
                 {"proved", tree.certificate.proved},
                 {"policy", tree.certificate.policy == CoveragePolicy::kFull ? "full" : "level"},
                 {"radius", tree.spheres.front().radius},
                 {"solid_volume", tree.solid_volume},
                 {"levels", Json::array()}};
    for (const SphereLevel& level : tree.levels)
        json["levels"].push_back({{"spheres", level.count},
                                  {"error_mean", level.error_mean},
                                  {"error_max", level.error_max},
                                  {"outside_volume", level.outside_volume}});
    return json;
}

void print_row(const std::string& model, const std::string& method, const Json& json) {
    std::cout << model << " " << method;
    if (json.contains("failed")) {
        std::cout << " failed: " << json["failed"].get<std::string>() << std::endl;
        return;
    }
    const double radius = json["radius"], volume = json["solid_volume"];
    for (const Json& level : json["levels"])
        std::cout << "  " << level["spheres"] << ": vol " << level["outside_volume"].get<double>() / volume
                  << " mean " << level["error_mean"].get<double>() / radius << " max "
                  << level["error_max"].get<double>() / radius;
    std::cout << "  " << json["seconds"].get<double>() << " s " << (json["proved"] ? "proved" : "NOT PROVED")
              << std::endl;
}

int run(const fs::path& meshes, const fs::path& results, const std::vector<std::string>& wanted,
        const std::vector<std::string>& wanted_methods, std::uint32_t effort, CoveragePolicy coverage) {
    fs::create_directories(results);
    for (const Model& model : all_models(meshes)) {
        if (!wanted.empty() && std::ranges::find(wanted, model.name) == wanted.end()) continue;
        const fs::path file = results / ("spheres-" + model.name + ".json");
        if (fs::exists(file)) continue;  // measured by an earlier run
        const TriangleMesh mesh = model.load();
        if (mesh.triangles.empty() || mesh.triangles.size() > kMostTriangles) continue;
        if (InsideTest(mesh).kind() != SolidKind::kClosed) continue;
        Json json = {
            {"model", model.name}, {"triangles", mesh.triangles.size()}, {"methods", Json::object()}};
        for (const auto& [name, method] : methods()) {
            if (!wanted_methods.empty() && std::ranges::find(wanted_methods, name) == wanted_methods.end())
                continue;
            json["methods"][name] = measure(mesh, method, effort, coverage);
            print_row(model.name, name, json["methods"][name]);
        }
        std::ofstream(file) << json.dump(1) << "\n";
    }
    return 0;
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

}  // namespace
}  // namespace espalier

int main(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description options("espalier-bench-spheres");
    options.add_options()("meshes", po::value<std::string>()->required(), "folder of .off meshes")(
        "results", po::value<std::string>()->required(), "folder for the figures")(
        "quick", "four models only")("models", po::value<std::string>()->default_value(""), "only these")(
        "methods", po::value<std::string>()->default_value(""), "only these")(
        "effort", po::value<std::uint32_t>()->default_value(espalier::SphereTreeOptions().effort),
        "of the default method")("level", "level-conservative coverage in place of full");
    try {
        po::variables_map map;
        po::store(po::parse_command_line(argc, argv, options), map);
        po::notify(map);
        std::string models = map["models"].as<std::string>();
        if (models.empty() && map.count("quick")) models = "torus,desk-lamp,cow,elephant";
        return espalier::run(
            map["meshes"].as<std::string>(), map["results"].as<std::string>(), espalier::split(models),
            espalier::split(map["methods"].as<std::string>()), map["effort"].as<std::uint32_t>(),
            map.count("level") ? espalier::CoveragePolicy::kLevel : espalier::CoveragePolicy::kFull);
    } catch (const std::exception& failure) {
        std::cerr << "espalier-bench-spheres: " << failure.what() << "\n" << options;
        return 1;
    }
}
