// SPDX-License-Identifier: GPL-3.0-or-later
// Bodies against FCL with its broad phase, over the same parts and poses: first contact and distance, the
// setting of the poses included. Runs are interleaved, the least of several counts, and ours is measured
// twice: the second is the measure of the noise. Leaves bodies.json.
//
// usage: espalier-bench-bodies --results DIR [--quick] [--robot LIST]... [--file SCENE]... [--meshes DIR]
//   --robot  what urdf_parts.py wrote; --file: a scene with several parts, for example glTF
#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "bench/bodies/player.h"
#include "espalier/body.h"

namespace espalier_bench {
namespace {

using Json = nlohmann::ordered_json;

/// Nanoseconds of processor time of this thread: what others do on the machine counts less.
double now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return 1e9 * double(time.tv_sec) + double(time.tv_nsec);
}

struct Effort {
    int frames, rounds;
};

/// Nanoseconds a frame, and the answers.
template <class Ask>
double measure(Player& player, const Scene& scene, Ask ask, std::vector<double>* answers) {
    if (!scene.frames[0].b.empty()) player.set_poses(1, scene.frames[0].b);
    answers->clear();
    const double start = now();
    for (const Scene::Frame& frame : scene.frames) {
        player.set_poses(0, frame.a);
        if (!frame.b.empty()) player.set_poses(1, frame.b);
        answers->push_back(ask(player));
    }
    return (now() - start) / double(scene.frames.size());
}

/// Frames whose answers differ by more than rounding.
std::size_t differing(const std::vector<double>& ours, const std::vector<double>& theirs) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (std::fabs(ours[i] - theirs[i]) > 1e-6 * (1 + std::fabs(theirs[i]))) ++count;
    return count;
}

template <class Ask>
Json cell(const Scene& scene, const char* question, int rounds, Ask ask) {
    const std::unique_ptr<Player> players[3] = {make_ours(scene), make_ours(scene), make_fcl(scene)};
    double least[3] = {INFINITY, INFINITY, INFINITY};
    std::vector<double> answers[3];
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < 3; ++i)
            least[i] = std::min(least[i], measure(*players[i], scene, ask, &answers[i]));
    std::size_t touching = 0;
    for (const double answer : answers[0]) touching += (question[0] == 'f') == (answer != 0) ? 1 : 0;
    Json result = {{"scene", scene.name},
                   {"question", question},
                   {"frames", answers[0].size()},
                   {"touching", touching},
                   {"ours", least[0]},
                   {"again", least[1]},
                   {"fcl", least[2]},
                   {"differing", differing(answers[0], answers[2])}};
    std::fprintf(stderr, "%-36s %-14s x%7.2f  ours %9.0f ns, again x%.3f, %zu of %zu touch, %zu differ\n",
                 scene.name.c_str(), question, least[2] / least[0], least[0], least[1] / least[0], touching,
                 answers[0].size(), result["differing"].get<std::size_t>());
    return result;
}

Json ask_all(const Scene& scene, int rounds) {
    return {cell(scene, "first contact", rounds, [](Player& p) { return p.touch() ? 1.0 : 0.0; }),
            cell(scene, "distance", rounds, [](Player& p) { return p.distance(); })};
}

/// What it costs to set the poses of as many parts, and the body's memory.
Json setting(std::uint32_t parts, int rounds) {
    Scene scene{"scattered", scattered(parts, 1), nullptr, {}};
    const std::vector<espalier::Pose> poses[2] = {scattered_poses(parts, 1), scattered_poses(parts, 2)};
    const std::unique_ptr<Player> players[2] = {make_ours(scene), make_fcl(scene)};
    double least[2] = {INFINITY, INFINITY};
    const int repeats = 20000 / static_cast<int>(parts);
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < 2; ++i) {
            const double start = now();
            for (int k = 0; k < repeats; ++k) players[i]->set_poses(0, poses[k % 2]);
            least[i] = std::min(least[i], (now() - start) / double(repeats));
        }
    return {{"parts", parts},
            {"ours", least[0]},
            {"fcl", least[1]},
            {"bytes", espalier::Body::memory_size(scene.a->asset)}};
}

void run(const std::string& results, const Effort& effort, const std::vector<std::string>& robots,
         const std::vector<std::string>& files) {
    Json cells = Json::array();
    const auto take = [&](const Scene& scene) {
        for (const Json& found : ask_all(scene, effort.rounds)) cells.push_back(found);
    };
    for (const std::uint32_t parts : {5u, 20u, 80u}) take(random_trees(parts, parts, effort.frames));
    for (const std::string& robot : robots)
        for (const Scene& scene : robot_scenes(robot, effort.frames)) take(scene);
    for (const std::string& file : files)
        for (const Scene& scene : file_scenes(file, effort.frames)) take(scene);
    Json settings = Json::array();
    for (const std::uint32_t parts : {10u, 100u, 1000u}) settings.push_back(setting(parts, effort.rounds));
    std::ofstream(results + "/bodies.json")
        << Json{{"cells", cells}, {"set_poses", settings}}.dump(1) << "\n";
}

}  // namespace
}  // namespace espalier_bench

int main(int argc, char** argv) {
    namespace po = boost::program_options;
    po::options_description options("espalier-bench-bodies");
    options.add_options()("results", po::value<std::string>()->required(), "folder for bodies.json")(
        "quick", "few frames")("robot", po::value<std::vector<std::string>>()->default_value({}, ""))(
        "file", po::value<std::vector<std::string>>()->default_value({}, ""))(
        "meshes", po::value<std::string>(), "not used");
    try {
        po::variables_map values;
        po::store(po::parse_command_line(argc, argv, options), values);
        po::notify(values);
        const bool quick = values.count("quick") > 0;
        espalier_bench::run(values["results"].as<std::string>(),
                            quick ? espalier_bench::Effort{40, 3} : espalier_bench::Effort{200, 5},
                            values["robot"].as<std::vector<std::string>>(),
                            values["file"].as<std::vector<std::string>>());
    } catch (const std::exception& error) {
        std::cerr << "espalier-bench-bodies: " << error.what() << "\n";
        return 1;
    }
}
