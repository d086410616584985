// SPDX-License-Identifier: GPL-3.0-or-later
// Protocol K: sphere trees of closed meshes by every method. One JSON file a mesh: coverage, errors, outside
// volumes and build times, level by level.
//
// usage: espalier-bench-spheres --meshes DIR --results DIR [--quick] [--models A,B,...] [--effort N] [--limit
// S] [--total S]
//        espalier-bench-spheres --table FILE.md --old ESPALIER --new ESPALIER --meshes DIR --results DIR
//        [--models A,B,...]
//
// A build that takes longer than its limit is stopped and recorded as such: a row without figures, not a gap.
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <boost/program_options.hpp>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "bench/harness/process.h"
#include "bench/spheres/table.h"
#include "builder/clean/sanitize.h"
#include "builder/hierarchy/tree_option.h"
#include "builder/import/import.h"
#include "builder/sphere/sphere_tree.h"
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

/// Cancels some work when its time is over.
class TimeLimit {
  public:
    TimeLimit(Progress& progress, double seconds)
        : thread_([this, &progress, seconds] {
              std::unique_lock lock(mutex_);
              if (!done_cv_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return done_; }))
                  progress.cancel();
          }) {}
    ~TimeLimit() {
        {
            const std::lock_guard lock(mutex_);
            done_ = true;
        }
        done_cv_.notify_one();
        thread_.join();
    }

  private:
    std::mutex mutex_;
    std::condition_variable done_cv_;
    bool done_ = false;
    std::thread thread_;
};

/// How long a build may take, and all of them.
struct Limits {
    double build_seconds;
    double total_seconds;
    std::size_t workers;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

    double spent() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    /// For the next build when `left` are still to come: a fair share of the rest for slow ones, since most
    /// take far less.
    double next(std::size_t left) const {
        const double share = 4 * static_cast<double>(workers) * (total_seconds - spent()) /
                             static_cast<double>(std::max<std::size_t>(left, 1));
        return std::clamp(share, 0.2, build_seconds);
    }
};

Json measure(const TriangleMesh& mesh, SphereMethod method, SphereEffort effort, CoveragePolicy coverage,
             double limit) {
    SphereTreeOptions options;
    options.method = method;
    options.effort = effort;
    options.coverage = coverage;
    Progress progress;
    const auto start = std::chrono::steady_clock::now();
    const Result<SphereTree> built = [&] {
        const TimeLimit watch(progress, limit);
        return build_sphere_tree(mesh, options, progress);
    }();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (progress.cancelled()) return {{"failed", "took longer than its limit"}, {"limit_seconds", limit}};
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

/// In one piece: other threads print too.
void print_row(const std::string& model, const std::string& method, const Json& json) {
    std::ostringstream row;
    row << model << " " << method;
    if (json.contains("failed")) {
        row << " failed: " << json["failed"].get<std::string>() << "\n";
        std::cout << row.str() << std::flush;
        return;
    }
    const double radius = json["radius"], volume = json["solid_volume"];
    for (const Json& level : json["levels"])
        row << "  " << level["spheres"] << ": vol " << level["outside_volume"].get<double>() / volume
            << " mean " << level["error_mean"].get<double>() / radius << " max "
            << level["error_max"].get<double>() / radius;
    row << "  " << json["seconds"].get<double>() << " s " << (json["proved"] ? "proved" : "NOT PROVED")
        << "\n";
    std::cout << row.str() << std::flush;
}

/// A mesh that is to be measured.
struct Usable {
    std::string name;
    TriangleMesh mesh;
};

/// The closed ones that no earlier run has measured; large ones first: should the time not suffice, it is the
/// many cubes that go without.
std::vector<Usable> usable_meshes(const fs::path& meshes, const fs::path& results,
                                  const std::vector<std::string>& wanted) {
    std::vector<Usable> found;
    for (const Model& model : all_models(meshes)) {
        if (!wanted.empty() && std::ranges::find(wanted, model.name) == wanted.end()) continue;
        if (fs::exists(results / ("spheres-" + model.name + ".json"))) continue;
        TriangleMesh mesh = model.load();
        if (mesh.triangles.empty() || mesh.triangles.size() > kMostTriangles) continue;
        if (Solid(mesh).kind() == SolidKind::kClosed) found.push_back({model.name, std::move(mesh)});
    }
    std::ranges::stable_sort(found, std::greater<>(),
                             [](const Usable& u) { return u.mesh.triangles.size(); });
    return found;
}

/// What is asked of every mesh.
struct Work {
    fs::path results;
    std::vector<std::string> methods;  ///< only these; empty: all
    SphereEffort effort;
    CoveragePolicy coverage;
    Limits limits;
};

/// All methods on one mesh, on the calling thread alone. `builds_left` are those of all meshes.
void measure_mesh(const Usable& usable, const Work& work, std::atomic<std::size_t>* builds_left) {
    Json json = {{"model", usable.name},
                 {"triangles", usable.mesh.triangles.size()},
                 {"threads", 1},
                 {"methods", Json::object()}};
    for (const auto& [name, method] : methods()) {
        const double limit = work.limits.next((*builds_left)--);
        if (!work.methods.empty() && std::ranges::find(work.methods, name) == work.methods.end()) continue;
        json["methods"][name] = measure(usable.mesh, method, work.effort, work.coverage, limit);
        print_row(usable.name, name, json["methods"][name]);
    }
    std::ofstream(work.results / ("spheres-" + usable.name + ".json")) << json.dump(1) << "\n";
}

/// A mesh on each processor at a time; each build has one thread, so that its time says something.
void measure_all(const std::vector<Usable>& usable, const Work& work) {
    std::atomic<std::size_t> next = 0, builds_left = usable.size() * methods().size();
    const auto serve = [&] {
        tbb::task_arena alone(1);
        for (std::size_t i = next++; i < usable.size(); i = next++) {
            std::ostringstream line;  // in one piece: others write too
            line << "espalier-bench-spheres: " << usable[i].name << ", " << i + 1 << " of " << usable.size()
                 << ", " << static_cast<int>(work.limits.spent()) << " s\n";
            std::cerr << line.str();
            alone.execute([&] { measure_mesh(usable[i], work, &builds_left); });
        }
    };
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < work.limits.workers; ++i) threads.emplace_back(serve);
    for (std::thread& thread : threads) thread.join();
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
        "results", po::value<std::string>()->required(), "folder for the figures")("quick", "one model only")(
        "models", po::value<std::string>()->default_value(""), "only these")(
        "methods", po::value<std::string>()->default_value(""), "only these")(
        "effort", po::value<std::string>()->default_value("normal"),
        "of the default method: fast, normal or best")("level",
                                                       "level-conservative coverage in place of full")(
        "table", po::value<std::string>(), "compare two commands: write a table to this file")(
        "old", po::value<std::string>()->default_value(""), "the command to compare with")(
        "new", po::value<std::string>()->default_value(""), "the command that is compared")(
        "limit", po::value<double>()->default_value(0), "seconds of one build; 0: 60, or 20 when quick")(
        "total", po::value<double>()->default_value(0), "seconds of all builds; 0: 800, or 30 when quick");
    try {
        po::variables_map map;
        po::store(po::parse_command_line(argc, argv, options), map);
        po::notify(map);
        std::string models = map["models"].as<std::string>();
        if (models.empty() && map.count("quick")) models = "cow";
        const bool quick = map.count("quick") > 0;
        const auto seconds = [&](const char* name, double few, double many) {
            const double given = map[name].as<double>();
            return given > 0 ? given : quick ? few : many;
        };
        const std::string results = map["results"].as<std::string>();
        std::filesystem::create_directories(results);
        if (map.count("table")) {
            std::ofstream(map["table"].as<std::string>()) << espalier::compare_commands(
                {map["old"].as<std::string>(), map["new"].as<std::string>(), map["meshes"].as<std::string>(),
                 espalier::split(models), results});
            return 0;
        }
        const auto effort = espalier::read_choice("effort", map["effort"].as<std::string>(),
                                                  espalier::kEnumNames<espalier::SphereEffort>);
        if (!effort) throw std::runtime_error(effort.error().message);
        const auto usable =
            espalier::usable_meshes(map["meshes"].as<std::string>(), results, espalier::split(models));
        espalier_bench::use_all_processors();
        const std::size_t workers =
            std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), usable.size());
        espalier::measure_all(
            usable, {results,
                     espalier::split(map["methods"].as<std::string>()),
                     static_cast<espalier::SphereEffort>(effort.value()),
                     map.count("level") ? espalier::CoveragePolicy::kLevel : espalier::CoveragePolicy::kFull,
                     {seconds("limit", 20, 60), seconds("total", 30, 800), workers}});
        return 0;
    } catch (const std::exception& failure) {
        std::cerr << "espalier-bench-spheres: " << failure.what() << "\n" << options;
        return 1;
    }
}
