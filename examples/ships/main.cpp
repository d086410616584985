// SPDX-License-Identifier: MIT
// Hubbard's ship simulator, headless (Hubbard 1996, section 8): ships fly at random and bounce, one follows a
// script, and collision detection gets what is left of each frame.
//
//   example_ships SHIP.espl... [--mode exact|octree|medial] [--ships N] [--frames N] [--seed N] [--crowding
//   SHARE]
//                 [--budget NODE_TESTS | --target-ms T] [--order level|best] [--fresh]
//                 [--exact first|distance|contacts] [--measure-every N] [--out PREFIX]
//
// --budget: the same frames on every machine. --target-ms: by the clock. --fresh: queries start at the roots
// in every frame. --measure-every: the exact separation at response is found in every Nth frame (1; 0:
// never), after the flight. --out: PREFIX.csv has a line a frame, PREFIX.svg the picture.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "examples/ships/fleet.h"
#include "examples/ships/records.h"
#include "examples/ships/simulation.h"

namespace {

struct Arguments {
    std::vector<std::string> files;
    std::string mode = "medial", out;
    ships::SimulationOptions options;
};

int usage() {
    std::fprintf(
        stderr,
        "usage: example_ships SHIP.espl... [--mode exact|octree|medial] [--ships N] [--frames N] [--seed N]\n"
        "                     [--crowding SHARE] [--budget NODE_TESTS | --target-ms T] [--order level|best]\n"
        "                     [--fresh] [--exact first|distance|contacts] [--measure-every N] [--out "
        "PREFIX]\n");
    return 1;
}

/// One option with its value; false if it is unknown or out of range.
bool take(const std::string& name, const char* value, Arguments* arguments) {
    ships::SimulationOptions& o = arguments->options;
    const double number = std::atof(value);
    if (name == "--mode") {
        arguments->mode = value;
        o.mode = arguments->mode == "exact" ? ships::Mode::kExact : ships::Mode::kTimeCritical;
        return arguments->mode == "exact" || arguments->mode == "octree" || arguments->mode == "medial";
    }
    if (name == "--order") {
        o.time_critical.order = std::strcmp(value, "best") == 0 ? espalier::SphereOrder::kBestFirst
                                                                : espalier::SphereOrder::kLevel;
        return std::strcmp(value, "best") == 0 || std::strcmp(value, "level") == 0;
    }
    if (name == "--exact") {
        const std::string work = value;
        o.exact = work == "first"      ? ships::ExactWork::kFirstContact
                  : work == "distance" ? ships::ExactWork::kSeparation
                                       : ships::ExactWork::kContacts;
        return work == "first" || work == "distance" || work == "contacts";
    }
    if (name == "--out") {
        arguments->out = value;
    } else if (name == "--ships") {
        o.world.ships = static_cast<std::uint32_t>(number);
        return number >= 2 && number <= 100000;
    } else if (name == "--frames") {
        o.frames = static_cast<std::uint32_t>(number);
        return number >= 1 && number <= 1e7;
    } else if (name == "--seed") {
        o.world.seed = static_cast<std::uint64_t>(std::atoll(value));
    } else if (name == "--crowding") {
        o.world.crowding = number;
        return number > 0 && number <= 1;
    } else if (name == "--budget") {
        o.node_tests = static_cast<std::uint64_t>(number);
        return number >= 0;
    } else if (name == "--measure-every") {
        o.measure_every = static_cast<std::uint32_t>(number);
        return number >= 0;
    } else if (name == "--target-ms") {
        o.target_ms = number;
        return number > 0;
    } else {
        return false;
    }
    return true;
}

bool parse(int argc, char** argv, Arguments* arguments) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word.rfind("--", 0) != 0)
            arguments->files.push_back(word);
        else if (word == "--fresh")
            arguments->options.time_critical.reuse_fronts = false;
        else if (i + 1 == argc || !take(word, argv[i + 1], arguments))
            return false;
        else
            ++i;
    }
    return !arguments->files.empty();
}

void print(const ships::Summary& s, const Arguments& arguments) {
    std::printf("%s: %u ships, %u frames, %.1f pairs and %.0f node tests a frame\n", arguments.mode.c_str(),
                arguments.options.world.ships, s.frames, s.pairs_mean, s.node_tests_mean);
    if (arguments.options.target_ms > 0)
        std::printf(
            "frame time: mean %.3f ms, 99 %% below %.3f, at most %.3f; %.1f %% of frames within 5 %% of the "
            "target (by processor time %.1f %%); %u preempted\n",
            s.frame_mean, s.frame_p99, s.frame_max, 100 * s.kept, 100 * s.cpu_kept, s.preempted);
    std::printf(
        "responses: %llu, of which %.1f %% on triangles; level %.2f; separation mean %.4f, at most %.4f "
        "radii\n",
        static_cast<unsigned long long>(s.responses), 100 * s.exact_share, s.level_mean, s.separation_mean,
        s.separation_max);
    if (s.missed) std::printf("the broad phase had no room for all pairs\n");
}

}  // namespace

int main(int argc, char** argv) {
    Arguments arguments;
    if (!parse(argc, argv, &arguments)) return usage();
    ships::Fleet fleet;
    if (!ships::load_fleet(arguments.files, &fleet)) return 2;
    if (!ships::fits_mode(fleet, arguments.mode)) return 3;
    ships::Simulation simulation(fleet.hulls, arguments.options);
    if (!simulation.run()) return 4;
    const double target = arguments.options.target_ms;
    print(ships::summarize(simulation, target), arguments);
    if (arguments.out.empty()) return 0;
    const std::string title =
        arguments.mode + " spheres, " + std::to_string(arguments.options.world.ships) + " ships";
    const bool written =
        ships::write_frames(arguments.out + ".csv", simulation) &&
        ships::write_picture(arguments.out + ".svg", arguments.mode == "exact" ? "exact" : title, simulation,
                             target);
    if (!written) std::fprintf(stderr, "ships: cannot write %s.csv and .svg\n", arguments.out.c_str());
    return written ? 0 : 2;
}
