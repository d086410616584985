// SPDX-License-Identifier: GPL-3.0-or-later
// Runs every protocol on every model with every library and leaves one JSON file a cell; cells that are there
// are not measured again. tools/bench calls it, bench/report/report.py reads the files.
#include <boost/program_options.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "bench/harness/cell.h"
#include "bench/harness/model.h"
#include "bench/harness/pose_cache.h"
#include "bench/protocols/box_tables.h"
#include "bench/protocols/single.h"

namespace espalier_bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct Run {
    bool quick = false;
    fs::path meshes, results;
    std::set<std::string> models, protocols;  ///< empty: all
    Sizes sizes;
    Effort effort;
    std::size_t done = 0, total = 0;  ///< models
};

void write_json(const fs::path& path, const json& value) {
    const fs::path partial = path.string() + ".partial";
    std::ofstream(partial) << value.dump(1) << "\n";
    fs::rename(partial, path);
}

bool wanted(const std::set<std::string>& names, const std::string& name) {
    return names.empty() || names.contains(name);
}

/// One line a cell on stderr: our time, then each library's as a multiple of it.
void show(const Run& run, const json& cell) {
    std::fprintf(stderr, "[%zu/%zu] %s %s:", run.done + 1, run.total,
                 cell["model"].get<std::string>().c_str(), cell["protocol"].get<std::string>().c_str());
    double ours = 0;
    for (const json& library : cell["libraries"]) {
        const std::string name = library["name"];
        if (library["status"] != "ok") {
            std::fprintf(stderr, "  %s %s;", name.c_str(), library["status"].get<std::string>().c_str());
            continue;
        }
        const double ns = library["min_ns"];
        if (ours == 0) ours = ns;
        if (ours == ns)
            std::fprintf(stderr, "  %s %.2f us;", name.c_str(), ns / 1000);
        else
            std::fprintf(stderr, "  %s x%.1f;", name.c_str(), ns / ours);
    }
    std::fputc('\n', stderr);
}

/// Protocols H and I and the memory, from what loading told and from our own builder.
json measure_single(const ModelData& model, const PoseSet& random,
                    const std::vector<std::unique_ptr<Worker>>& workers, const Effort& effort) {
    json facts = {{"model", model.name},
                  {"protocol", "H"},
                  {"triangles", model.triangle_count()},
                  {"vertices", model.positions.size() / 3},
                  {"source", model.source},
                  {"libraries", json::array()}};
    facts["build"] = measure_build(model, effort.load_seconds);
    facts["load"] = measure_load(model, random.placements.at(0));
    for (const auto& worker : workers) {
        const LoadFacts& f = worker->facts();
        if (worker->info().tumbling_only) continue;
        facts["libraries"].push_back({{"name", worker->info().name},
                                      {"family", worker->info().family},
                                      {"status", f.ok ? "ok" : "too slow"},
                                      {"load_ns", f.load_ns},
                                      {"first_query_ns", f.first_query_ns},
                                      {"allocated_bytes", f.allocated_bytes},
                                      {"hierarchy_bytes", f.hierarchy_bytes}});
    }
    return facts;
}

std::vector<std::string> cell_names(const ModelSource& source) {
    if (source.scaling) return {"A", "C", "H", "box"};
    // G comes after all that asks the undeformed model: it leaves the trees refitted.
    std::vector<std::string> names = {"A", "B", "C", "D", "E", "F", "A-misses", "B-misses", "G", "H", "box"};
    if (source.name == "torus-5000" || source.name == "slender-craft") names.push_back("paper");
    return names;
}

/// The scaling series needs one library of a kind, not all volumes of each.
bool in_scaling(const LibraryInfo& info) {
    return info.name == "FCL OBB" || info.name == "FCL OBBRSS" || info.name == "ODE" ||
           (info.family.starts_with("Espalier") && !info.tumbling_only);
}

class ModelRun {
  public:
    ModelRun(Run& run, const ModelSource& source) : run_(run), source_(source) {}

    void measure() {
        std::vector<std::string> missing;
        for (const std::string& name : cell_names(source_))
            if (wanted(run_.protocols, name) && !fs::exists(file(name))) missing.push_back(name);
        if (missing.empty()) return;
        std::fprintf(stderr, "[%zu/%zu] %s: prepare\n", run_.done + 1, run_.total, source_.name.c_str());
        const ModelData model = load_model(source_, run_.meshes, run_.results / "models");
        const std::vector<LibraryEntry> libraries = all_libraries();
        const std::unique_ptr<Library> reference = libraries.at(0).make();
        if (!reference->load(model)) throw std::runtime_error(model.asset_path + ": cannot be opened");
        const std::vector<PoseSet> sets = pose_sets(source_, model, *reference, run_.sizes,
                                                    run_.results / "models" / (source_.name + ".poses"));
        std::vector<std::unique_ptr<Worker>> workers;
        for (const LibraryEntry& entry : libraries)
            if (needed(entry.info, model)) {
                std::fprintf(stderr, "[%zu/%zu] %s: %s builds\n", run_.done + 1, run_.total,
                             source_.name.c_str(), entry.info.name.c_str());
                workers.push_back(std::make_unique<Worker>(entry, model, sets, run_.effort.load_seconds));
            }
        for (const std::string& name : missing) measure_one(name, model, sets, workers, *reference);
    }

  private:
    fs::path file(const std::string& protocol) const {
        return run_.results / (source_.name + "." + protocol + ".json");
    }
    bool needed(const LibraryInfo& info, const ModelData& model) const {
        if (run_.quick && !info.quick) return false;
        if (model.triangle_count() > info.most_triangles) return false;
        return !source_.scaling || in_scaling(info);
    }

    void measure_one(const std::string& name, const ModelData& model, const std::vector<PoseSet>& sets,
                     std::vector<std::unique_ptr<Worker>>& workers, Library& reference) {
        if (name == "H") {
            write_json(file(name), measure_single(model, sets.at(0), workers, run_.effort));
            return;
        }
        if (name == "box") {
            json tables =
                measure_box_tables(model, tumbling_turn(model, run_.sizes.steps), run_.effort.load_seconds);
            tables["model"] = model.name;
            tables["protocol"] = "box";
            write_json(file(name), tables);
            return;
        }
        if (name == "paper") {
            const PoseSet many = random_placements(model, reference, run_.sizes.paper, 5);
            json tables = measure_paper_tables(model, many);
            tables["model"] = model.name;
            tables["protocol"] = "paper";
            write_json(file(name), tables);
            return;
        }
        for (std::size_t i = 0; i < sets.size(); ++i) {
            if (sets[i].protocol != name || sets[i].placements.empty()) continue;
            json cell = measure_cell(model, sets, i, workers, run_.effort);
            cell["scaling"] = source_.scaling;
            show(run_, cell);
            write_json(file(name), cell);
        }
    }

    Run& run_;
    const ModelSource& source_;
};

std::set<std::string> split(const std::string& list) {
    std::set<std::string> names;
    std::istringstream in(list);
    for (std::string name; std::getline(in, name, ',');) names.insert(name);
    return names;
}

void write_libraries(const Run& run) {
    json list = json::array();
    for (const LibraryEntry& entry : all_libraries())
        list.push_back({{"name", entry.info.name},
                        {"family", entry.info.family},
                        {"limits", entry.info.limits},
                        {"quick", entry.info.quick}});
    write_json(run.results / "libraries.json", list);
}

int run_all(Run& run) {
    fs::create_directories(run.results);
    write_libraries(run);
    std::vector<ModelSource> sources;
    for (const ModelSource& source : model_sources(run.quick))
        if (wanted(run.models, source.name)) sources.push_back(source);
    run.total = sources.size();
    for (const ModelSource& source : sources) {
        ModelRun(run, source).measure();
        ++run.done;
    }
    return 0;
}

int parse_and_run(int argc, char** argv) {
    namespace po = boost::program_options;
    Run run;
    std::string meshes, results, models, protocols;
    po::options_description options("espalier-bench");
    options.add_options()("help,h", "this text")("quick", "few models, few placements")(
        "meshes", po::value(&meshes)->default_value("build/meshes"), "folder that corpus/fetch filled")(
        "results", po::value(&results)->default_value("build/bench/results"), "folder of the cells")(
        "models", po::value(&models), "only these, separated by commas")(
        "protocols", po::value(&protocols), "only these: A B C D E F G A-misses B-misses H box paper");
    po::variables_map values;
    po::store(po::parse_command_line(argc, argv, options), values);
    po::notify(values);
    if (values.count("help")) {
        std::cout << options;
        return 0;
    }
    run.quick = values.count("quick") > 0;
    run.meshes = meshes;
    run.results = results;
    run.models = split(models);
    run.protocols = split(protocols);
    run.sizes = run.quick ? quick_sizes() : full_sizes();
    if (run.quick) run.effort = {.repeats = 4, .pass_seconds = 1, .library_seconds = 0.5, .load_seconds = 20};
    return run_all(run);
}

}  // namespace
}  // namespace espalier_bench

int main(int argc, char** argv) {
    try {
        return espalier_bench::parse_and_run(argc, argv);
    } catch (const boost::program_options::error& error) {
        std::fprintf(stderr, "espalier-bench: %s\n", error.what());
        return 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "espalier-bench: %s\n", error.what());
        return 2;
    }
}
