// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/harness/pose_cache.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace espalier_bench {
namespace {

using nlohmann::json;

json to_json(const PoseSet& set) {
    json groups = json::array(), placements = json::array();
    for (const Group& g : set.groups)
        groups.push_back({{"name", g.name}, {"value", g.value}, {"count", g.count}});
    for (const Placement& p : set.placements)
        placements.push_back({p.rotation[0], p.rotation[1], p.rotation[2], p.rotation[3], p.translation[0],
                              p.translation[1], p.translation[2]});
    return {{"protocol", set.protocol},
            {"title", set.title},
            {"job", static_cast<int>(set.job)},
            {"groups", groups},
            {"placements", placements}};
}

PoseSet from_json(const json& j) {
    PoseSet set{j.at("protocol"), j.at("title"), static_cast<Job>(j.at("job").get<int>()), {}, {}};
    for (const json& g : j.at("groups")) set.groups.push_back({g.at("name"), g.at("value"), g.at("count")});
    for (const json& line : j.at("placements")) {
        Placement p;
        for (int i = 0; i < 4; ++i) p.rotation[i] = line.at(i);
        for (int i = 0; i < 3; ++i) p.translation[i] = line.at(4 + i);
        set.placements.push_back(p);
    }
    return set;
}

std::vector<PoseSet> make_sets(const ModelSource& source, const ModelData& model, Library& reference,
                               const Sizes& sizes) {
    std::vector<PoseSet> sets;
    sets.push_back(random_placements(model, reference, sizes.random));
    const PoseSet random = sets[0];
    sets.push_back(near_misses(model, reference, sizes.per_gap));
    if (source.scaling) return sets;
    sets.push_back(tumbling_turn(model, sizes.steps));
    const PoseSet tumbling = sets.back();
    sets.push_back(deep_overlap(model, sizes.random));
    sets.push_back(all_contacts(random, reference, sizes.contacts));
    sets.push_back(distances(model, reference, sizes.distances));
    sets.push_back(deforming(random, sizes.frames));
    sets.push_back(misses_of(random, reference));
    sets.push_back(misses_of(tumbling, reference));
    return sets;
}

}  // namespace

std::vector<PoseSet> pose_sets(const ModelSource& source, const ModelData& model, Library& reference,
                               const Sizes& sizes, const std::filesystem::path& file) {
    std::vector<PoseSet> sets;
    if (std::filesystem::exists(file)) {
        std::ifstream in(file);
        for (const json& set : json::parse(in)) sets.push_back(from_json(set));
        return sets;
    }
    sets = make_sets(source, model, reference, sizes);
    json list = json::array();
    for (const PoseSet& set : sets) list.push_back(to_json(set));
    const std::filesystem::path partial = file.string() + ".partial";
    std::ofstream(partial) << list.dump();
    std::filesystem::rename(partial, file);
    return sets;
}

}  // namespace espalier_bench
