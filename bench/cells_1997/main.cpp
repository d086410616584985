// SPDX-License-Identifier: GPL-3.0-or-later
// espalier-bench-cells-1997: the figures of Zachmann 1997 as data, on today's machine, and what decides our
// defaults. About five minutes, and half a minute when quick.
#include <boost/program_options.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <sstream>

#include "bench/cells_1997/figures.h"
#include "bench/cells_1997/measure.h"
#include "bench/harness/process.h"

namespace espalier::bench {
namespace {

struct Section {
    const char* name;
    Json (*measure)(const Effort&);
};

const Section kSections[] = {{"empty_volume", empty_volume},
                             {"build_times", build_times},
                             {"depths", depths},
                             {"parameters", parameters},
                             {"against_simple", against_simple},
                             {"cage", cage},
                             {"parallel", parallel},
                             {"peers", peers}};

/// What an interrupted run left, or nothing.
Json earlier(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return Json::object();
    std::stringstream text;
    text << in.rdbuf();
    Json json = Json::parse(text.str(), nullptr, false);
    return json.is_object() ? json : Json::object();
}

}  // namespace

int run(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description options("espalier-bench-cells-1997 --meshes DIR --results DIR [--quick]");
    options.add_options()("help", "this text")("meshes", po::value<std::string>()->default_value(""),
                                               "folder of the real meshes")(
        "results", po::value<std::string>(),
        "folder for cells_1997.json; what is in it is not measured again")("quick",
                                                                           "small meshes, few frames");
    po::variables_map given;
    po::store(po::parse_command_line(argc, argv, options), given);
    if (given.count("help") || !given.count("results")) {
        std::cerr << options;
        return given.count("help") ? 0 : 1;
    }
    espalier_bench::use_all_processors();  // queries divided among threads; TBB counts processors once
    const Effort effort{given.count("quick") > 0, given["meshes"].as<std::string>()};
    const std::filesystem::path folder = given["results"].as<std::string>();
    std::filesystem::create_directories(folder);
    Json results = earlier(folder / "cells_1997.json");
    for (const Section& section : kSections) {
        if (results.contains(section.name)) continue;
        const auto start = std::chrono::steady_clock::now();
        std::cerr << "espalier-bench-cells-1997: " << section.name << std::flush;
        results[section.name] = section.measure(effort);
        std::cerr << ", " << seconds_since(start) << " s\n";
        std::ofstream(folder / "cells_1997.json") << results.dump(1) << "\n";
    }
    return 0;
}

}  // namespace espalier::bench

int main(int argc, char** argv) {
    try {
        return espalier::bench::run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "espalier-bench-cells-1997: " << error.what() << "\n";
        return 4;
    }
}
