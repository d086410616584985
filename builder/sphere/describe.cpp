// SPDX-License-Identifier: GPL-3.0-or-later
// A stored sphere tree counted and measured, and what it promises.
#include "builder/base/number_text.h"
#include "builder/sphere/optimize/tuning.h"
#include "builder/sphere/read_back.h"
#include "builder/sphere/row.h"

namespace espalier {
namespace {

/// The first level that was not refined, because its error is below the floor; the last one if there is none.
std::uint32_t level_at_floor(const SphereTreeView& stored) {
    std::uint32_t l = 0;
    while (l + 1 < stored.level_count && !(stored.levels[l + 1].count == stored.levels[l].count &&
                                           double(stored.levels[l].error_max) * stored.levels[l].count <=
                                               tuning::kErrorFloor * double(stored.spheres[0].radius)))
        ++l;
    return l;
}

FactGroup facts_of(const SphereTreeView& stored) {
    FactGroup group{
        "sphere",
        {{"method", std::string(name_of(static_cast<SphereMethod>(stored.method)))},
         {"branch", std::uint64_t{stored.branch}},
         {"dag", stored.dag()},
         {"shared", std::uint64_t{stored.shared_list_count}},
         {"coverage", std::string(name_of(static_cast<CoveragePolicy>(stored.coverage)))},
         {"proved", stored.proved},
         {"volume_proved", stored.volume_proved},
         {"closed", stored_solid(stored) == SolidKind::kClosed},
         {"solid", std::string(name_of(stored_solid(stored)))},
         {"filling", double(stored.filling)},
         {"gap", double(stored.gap)},
         {"solid_volume", stored.solid_volume},
         {"error_floor", level_at_floor(stored) + 1 < stored.level_count},
         {"limit", std::string(name_of(stored.limit == 0 ? SphereLimit::kCount : SphereLimit::kError))}},
        {}};
    for (std::uint32_t l = 0; l < stored.level_count; ++l) {
        const SphereLevelNode& level = stored.levels[l];
        group.levels.push_back({{"error_mean", double(level.error_mean)},
                                {"error_max", double(level.error_max)},
                                {"union_volume", level.union_volume},
                                {"outside_volume", level.outside_volume}});
    }
    return group;
}

std::vector<std::string> sentences_of(const SphereTreeView& stored) {
    const std::string shared = stored.shared_list_count > 0
                                   ? " with " + std::to_string(stored.shared_list_count) + " shared children"
                                   : "";
    const std::string solid =
        stored.open ? "triangles (a shell)"
                    : "solid of volume " + number_text(stored.solid_volume) +
                          (stored.capped ? ", holes filled by up to " + number_text(stored.filling) : "");
    const std::string gap = stored.gap > 0 ? " within " + number_text(stored.gap) : "";
    return {std::string(stored.dag() ? "a DAG" : "a tree") + " by method " +
                std::string(name_of(static_cast<SphereMethod>(stored.method))) + ", up to " +
                std::to_string(stored.branch) + " children a sphere on average",
            std::string(name_of(static_cast<CoveragePolicy>(stored.coverage))) + " coverage" + gap + " " +
                (stored.proved ? "proved" : "not proved") + shared +
                (stored.volume_proved ? ", volume coverage proved" : "") + "; errors from the " + solid +
                "; ended by the " +
                std::string(name_of(stored.limit == 0 ? SphereLimit::kCount : SphereLimit::kError)) +
                (level_at_floor(stored) + 1 < stored.level_count
                     ? ", with level " + std::to_string(level_at_floor(stored)) + " below the error floor"
                     : "")};
}

std::vector<LevelColumn> columns_of(const SphereTreeView& stored) {
    std::vector<LevelColumn> columns = {{"error mean", {}},
                                        {"error max", {}},
                                        {"union volume", {}},
                                        {"outside volume", {}},
                                        {"outside/solid", {}}};
    for (std::uint32_t l = 0; l < stored.level_count; ++l) {
        const SphereLevelNode& level = stored.levels[l];
        columns[0].entries.push_back(number_text(level.error_mean));
        columns[1].entries.push_back(number_text(level.error_max));
        columns[2].entries.push_back(number_text(static_cast<float>(level.union_volume)));
        columns[3].entries.push_back(number_text(static_cast<float>(level.outside_volume)));
        columns[4].entries.push_back(
            stored.solid_volume > 0 ? fixed_text(level.outside_volume / stored.solid_volume, 4) : "-");
    }
    return columns;
}

}  // namespace

TreeDescription describe_sphere_tree(const ShapeView& part) {
    const SphereTreeView& stored = part.sphere;
    TreeDescription tree;
    tree.name = kSphereHierarchy.name;
    tree.depth = stored.level_count;
    tree.nodes = stored.sphere_count;
    tree.leaves = stored.levels[stored.level_count - 1].count;
    for (std::uint32_t l = 0; l < stored.level_count; ++l) {
        const bool last = l + 1 == stored.level_count;
        tree.levels.push_back(
            {stored.levels[l].count, last ? tree.leaves : 0, last ? stored.leaf_triangle_count : 0});
    }
    const std::uint64_t ends = std::uint64_t{stored.inner_count()} * (stored.shared_ends ? 2 : 1);
    const std::uint64_t links = std::uint64_t{stored.child_list_count} + stored.shared_list_count;
    tree.sections = {
        {"sphere nodes", std::uint64_t{16} * stored.sphere_count},
        {"sphere errors", std::uint64_t{4} * stored.sphere_count},
        {"sphere levels", std::uint64_t{32} * stored.level_count},
        {"sphere children", 4 * (ends + links)},
        {"sphere leaf lists", std::uint64_t{4} * tree.leaves + std::uint64_t{4} * stored.leaf_triangle_count},
        {"sphere shells", std::uint64_t{24} * stored.shell_count}};
    tree.facts = facts_of(stored);
    tree.sentences = sentences_of(stored);
    tree.columns = columns_of(stored);
    return tree;
}

}  // namespace espalier
