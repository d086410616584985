// SPDX-License-Identifier: GPL-3.0-or-later
// Hubbard's ships (1996, section 8.2): the number of ships grows until exact detection takes eleven times the
// frame's target, to be above ten with a margin; then the same ships fly with time-critical detection on
// octree and on medial spheres, under the governor. Also with equal node-test budgets, where the answers do
// not depend on the machine. At most five minutes, quick 40 seconds; bakes are kept in the results' folder.
//
// usage: espalier-bench-ships --meshes DIR --results DIR [--quick] [--target-ms T]
//
// Leaves ships.json, and for each flight by the clock ships_MODE.csv and ships_MODE.svg.
#include <algorithm>
#include <boost/program_options.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/harness/process.h"
#include "builder/asset/atomic_file.h"
#include "builder/bake.h"
#include "builder/sphere/options.h"
#include "corpus/registry.h"
#include "corpus/write_mesh.h"
#include "examples/ships/fleet.h"
#include "examples/ships/records.h"
#include "examples/ships/simulation.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Options {
    fs::path results;
    bool quick = false;
    double target_ms = 5;
    std::uint32_t triangles = 60000;  ///< of a ship
    std::uint32_t levels = 4;         ///< of its spheres
    double crowding = 0.6;
};

/// How many targets exact detection must take: ten, and some more for what differs from flight to flight.
constexpr double kExactTargets = 11;

const std::vector<std::string> kShips = {"desk-lamp", "slender-craft", "torus"};

/// Bakes one kind of ship with one kind of spheres, unless a former run has.
bool bake_ship(const std::string& name, SphereMethod method, const fs::path& path, const Options& ship) {
    if (fs::exists(path)) return true;
    const fs::path mesh = fs::path(path).replace_extension(".off");
    fs::create_directories(path.parent_path());
    if (!corpus::write_bytes(mesh, corpus::to_off(corpus::find_corpus_mesh(name)->make_near(ship.triangles))))
        return false;
    BakeOptions options;
    SphereTreeOptions sphere;
    sphere.method = method;
    sphere.levels = ship.levels;
    sphere.effort = SphereEffort::kFast;
    options.trees.push_back(sphere_tree(sphere));
    Progress progress;
    const Result<Baked> baked = bake(mesh, options, progress);
    if (!baked) {
        std::cerr << "espalier-bench-ships: " << name << ": " << baked.error().message << "\n";
        return false;
    }
    return bool(write_file_atomically(path, baked.value().bytes));
}

bool load(const std::string& mode, SphereMethod method, const Options& options, ships::Fleet* fleet) {
    std::vector<std::string> paths;
    for (const std::string& name : kShips) {
        const fs::path path =
            options.results / "ships" / (mode + "-" + std::to_string(options.triangles)) / (name + ".espl");
        if (!bake_ship(name, method, path, options)) return false;
        paths.push_back(path.string());
    }
    return ships::load_fleet(paths, fleet) && ships::fits_mode(*fleet, mode);
}

Json to_json(const ships::Summary& s) {
    return Json{{"frames", s.frames},
                {"frame_ms",
                 {{"mean", s.frame_mean}, {"p50", s.frame_p50}, {"p99", s.frame_p99}, {"max", s.frame_max}}},
                {"detection_ms",
                 {{"mean", s.detection_mean},
                  {"p50", s.detection_p50},
                  {"p99", s.detection_p99},
                  {"max", s.detection_max}}},
                {"detection_cpu_ms", s.detection_cpu_mean},
                {"before_ms", s.before_p50},
                {"rest_ms", s.rest_p50},
                {"least_ms", {{"p50", s.least_p50}, {"p99", s.least_p99}}},
                {"late",
                 {{"frames", s.cpu_late},
                  {"before_ms", s.late_before},
                  {"least_ms", s.late_least},
                  {"rest_ms", s.late_rest}}},
                {"kept", s.kept},
                {"cpu", {{"kept", s.cpu_kept}, {"p99", s.cpu_p99}, {"max", s.cpu_max}}},
                {"preempted", s.preempted},
                {"preempted_late", s.preempted_late},
                {"pairs_mean", s.pairs_mean},
                {"node_tests_mean", s.node_tests_mean},
                {"responses", s.responses},
                {"measured", s.measured},
                {"exact_share", s.exact_share},
                {"level_mean", s.level_mean},
                {"bound", {{"mean", s.bound_mean}, {"max", s.bound_max}}},
                {"separation", {{"mean", s.separation_mean}, {"max", s.separation_max}}},
                {"pairs_missed", s.missed}};
}

ships::SimulationOptions flight(const Options& options, std::uint32_t ships, std::uint32_t frames) {
    ships::SimulationOptions o;
    o.world.ships = ships;
    o.world.crowding = options.crowding;
    o.frames = frames;
    o.time_critical.max_pairs = 4096;
    return o;
}

/// Leaves a flight's frames and its picture beside the figures.
bool write_flight(const std::string& mode, std::uint32_t count, const ships::Simulation& simulation,
                  const Options& options) {
    const std::string prefix = (options.results / ("ships_" + mode)).string();
    return ships::write_frames(prefix + ".csv", simulation) &&
           ships::write_picture(prefix + ".svg", mode + ", " + std::to_string(count) + " ships", simulation,
                                options.target_ms);
}

/// Adds ships until exact detection takes more than ten targets on average, with a margin that another flight
/// of as many ships does not use up. The last flight is the exact one of the report.
std::uint32_t grow(const ships::Fleet& fleet, const Options& options, Json* rows, Json* exact) {
    for (std::uint32_t count = options.quick ? 120 : 400;; count += count / 10) {
        ships::SimulationOptions o = flight(options, count, options.quick ? 40 : 100);
        o.mode = ships::Mode::kExact;
        o.target_ms = options.target_ms;
        o.measure_every = 0;
        ships::Simulation simulation(fleet.hulls, o);
        if (!simulation.run()) return 0;
        const ships::Summary summary = ships::summarize(simulation, options.target_ms);
        Json row = to_json(summary);
        row["ships"] = count;
        rows->push_back(row);
        std::cout << count << " ships: exact detection " << summary.detection_mean << " ms a frame ("
                  << summary.detection_cpu_mean << " by processor time), " << summary.pairs_mean
                  << " pairs\n";
        // By processor time where it is known: what others take of the processor must not count as our work.
        const double known = summary.detection_cpu_mean;
        const double took = known > 0 ? std::min(known, summary.detection_mean) : summary.detection_mean;
        if (took < kExactTargets * options.target_ms && count < 12800) continue;
        *exact = to_json(summary);
        return write_flight("exact", count, simulation, options) ? count : 0;
    }
}

/// What a frame takes at the least with as many ships: every pair to level 1 and no further.
bool least_frame(const ships::Fleet& fleet, std::uint32_t count, const Options& options, Json* out) {
    ships::SimulationOptions o = flight(options, count, options.quick ? 60 : 200);
    o.target_ms = options.target_ms;
    o.node_tests = 0;
    o.measure_every = 0;
    ships::Simulation simulation(fleet.hulls, o);
    if (!simulation.run()) return false;
    *out = to_json(ships::summarize(simulation, options.target_ms));
    return true;
}

/// What the other kinds of exact detection take, with as many ships.
bool exact_kinds(const ships::Fleet& fleet, std::uint32_t count, const Options& options, Json* out) {
    const std::pair<const char*, ships::ExactWork> kinds[] = {
        {"first contact", ships::ExactWork::kFirstContact},
        {"separation", ships::ExactWork::kSeparation},
        {"all contacts", ships::ExactWork::kContacts}};
    for (const auto& [name, work] : kinds) {
        ships::SimulationOptions o = flight(options, count, options.quick ? 20 : 40);
        if (work == ships::ExactWork::kSeparation) o.frames /= 4;  // by far the slowest
        o.mode = ships::Mode::kExact;
        o.exact = work;
        o.target_ms = options.target_ms;
        o.measure_every = 0;
        ships::Simulation simulation(fleet.hulls, o);
        if (!simulation.run()) return false;
        (*out)[name] = to_json(ships::summarize(simulation, options.target_ms));
    }
    return true;
}

bool fly_by_clock(const std::string& mode, const ships::Fleet& fleet, std::uint32_t count,
                  const Options& options, Json* out) {
    ships::SimulationOptions o = flight(options, count, options.quick ? 200 : 1000);
    o.measure_every = 10;
    o.target_ms = options.target_ms;
    ships::Simulation simulation(fleet.hulls, o);
    if (!simulation.run()) return false;
    const ships::Summary summary = ships::summarize(simulation, options.target_ms);
    (*out)[mode] = to_json(summary);
    std::cout << mode << ": " << 100 * summary.kept << " % of frames kept (by processor time "
              << 100 * summary.cpu_kept << "), " << summary.preempted << " preempted, separation mean "
              << summary.separation_mean << " max " << summary.separation_max << " radii, level "
              << summary.level_mean << "\n";
    return write_flight(mode, count, simulation, options);
}

/// The same budgets of node tests for both kinds of spheres.
bool fly_by_budget(const std::string& mode, const ships::Fleet& fleet, std::uint32_t count,
                   const Options& options, Json* rows) {
    for (const std::uint64_t a_pair : {64, 256, 1024, 4096}) {
        for (const auto order : {SphereOrder::kLevel, SphereOrder::kBestFirst}) {
            ships::SimulationOptions o = flight(options, count, options.quick ? 40 : 120);
            o.time_critical.order = order;
            o.node_tests = a_pair * count;
            ships::Simulation simulation(fleet.hulls, o);
            if (!simulation.run()) return false;
            Json row = to_json(ships::summarize(simulation, 0));
            row["mode"] = mode;
            row["order"] = order == SphereOrder::kLevel ? "level" : "best first";
            row["node_tests_a_ship"] = a_pair;
            rows->push_back(row);
        }
    }
    return true;
}

int run(const Options& options) {
    ships::Fleet octree, medial;
    if (!load("octree", SphereMethod::kOctree, options, &octree)) return 2;
    if (!load("medial", SphereMethod::kBest, options, &medial)) return 2;
    espalier_bench::pin_to_one_processor();  // bakes are done
    Json out;
    out["target_ms"] = options.target_ms;
    out["crowding"] = options.crowding;
    out["ships_of"] = kShips;
    out["triangles"] = options.triangles;
    out["levels"] = options.levels;
    out["growth"] = Json::array();
    const std::uint32_t count = grow(medial, options, &out["growth"], &out["clock"]["exact"]);
    if (count == 0) return 4;
    out["ships"] = count;
    if (!least_frame(medial, count, options, &out["least"])) return 4;
    for (const auto& [mode, fleet] : {std::pair{"octree", &octree}, std::pair{"medial", &medial}})
        if (!fly_by_clock(mode, *fleet, count, options, &out["clock"])) return 4;
    if (!exact_kinds(medial, count, options, &out["exact_kinds"])) return 4;
    const std::uint32_t few = options.quick ? 50 : 100;
    out["budget_ships"] = few;
    out["budget"] = Json::array();
    if (!fly_by_budget("octree", octree, few, options, &out["budget"])) return 4;
    if (!fly_by_budget("medial", medial, few, options, &out["budget"])) return 4;
    std::ofstream file(options.results / "ships.json");
    file << out.dump(1) << "\n";
    return file ? 0 : 2;
}

}  // namespace
}  // namespace espalier

int main(int argc, char** argv) {
    namespace po = boost::program_options;
    espalier::Options options;
    std::string results, meshes;
    po::options_description description("Ships under a frame target");
    description.add_options()("help", "this text")("results", po::value(&results)->required(),
                                                   "folder for the data")(
        "meshes", po::value(&meshes), "accepted like the other benchmarks'; ships are of the corpus")(
        "quick", po::bool_switch(&options.quick), "short flights")("target-ms", po::value(&options.target_ms),
                                                                   "milliseconds of a frame (5, quick 2)")(
        "crowding", po::value(&options.crowding),
        "share of the space that bounding spheres would fill (0.6)");
    try {
        po::variables_map values;
        po::store(po::parse_command_line(argc, argv, description), values);
        if (values.count("help")) {
            std::cout << description;
            return 0;
        }
        po::notify(values);
        if (options.quick) {
            options.triangles = 20000;
            options.levels = 3;
            options.target_ms = values.count("target-ms") ? options.target_ms : 2;
        }
    } catch (const po::error& error) {
        std::cerr << "espalier-bench-ships: " << error.what() << "\n";
        return 1;
    }
    options.results = results;
    std::filesystem::create_directories(options.results);
    return espalier::run(options);
}
