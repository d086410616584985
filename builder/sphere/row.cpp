// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/row.h"

#include <cmath>
#include <optional>

#include "builder/base/number_text.h"

namespace espalier {
namespace {

/// "0.1" as a length, "1%" as a share of the diagonal.
template <auto kLength, auto kShare>
bool set_length(std::any& options, const OptionValue& value) {
    const bool percent = value.text.ends_with('%');
    const std::optional<double> number =
        parse_number(value.text.substr(0, value.text.size() - (percent ? 1 : 0)));
    if (!number || !std::isfinite(*number) || *number < 0) return false;
    member<kLength>(options) = percent ? 0.0 : *number;
    member<kShare>(options) = percent ? *number / 100.0 : 0.0;
    return true;
}

template <auto kLength, auto kShare>
std::string length_text(const std::any& options) {
    const double share = member<kShare>(options);
    return share > 0.0 ? number_text(100.0 * share) + "%" : number_text(member<kLength>(options));
}

template <auto kLength, auto kShare>
constexpr TreeOption length_option(const char* name, const char* placeholder, const char* sentence,
                                   const char* refusal, const char* unset) {
    TreeOption option{name, placeholder, sentence, OptionKind::kText};
    option.refusal = refusal;
    option.unset = unset;
    option.get = length_text<kLength, kShare>;
    option.set = set_length<kLength, kShare>;
    return option;
}

bool set_max_error(std::any& options, const OptionValue& value) {
    constexpr auto kLength = &SphereTreeOptions::max_error;
    constexpr auto kShare = &SphereTreeOptions::max_error_share;
    std::any changed = options;
    if (!set_length<kLength, kShare>(changed, value)) return false;
    if (!(member<kLength>(changed) > 0 || member<kShare>(changed) > 0)) return false;
    options = std::move(changed);
    return true;
}

constexpr TreeOption max_error_option() {
    TreeOption option = length_option<&SphereTreeOptions::max_error, &SphereTreeOptions::max_error_share>(
        "max-error", "E",
        "stop where no sphere protrudes farther than this length, or than this share of the "
        "bounding box's diagonal, such as 1%",
        "neither a positive length nor a percentage such as 1%", "use all levels");
    option.set = set_max_error;
    return option;
}

constexpr TreeOption kOptions[] = {
    count_option<&SphereTreeOptions::branch>(
        "branch", "K", "children of a sphere on average; level l has at most K^l spheres", 2, 65535),
    count_option<&SphereTreeOptions::levels>(
        "levels", "L", "levels, the root's included; 2 gives a flat set of K spheres", 1, kMaxSphereLevels),
    count_option<&SphereTreeOptions::spheres>(
        "spheres", "N", "a flat set of N spheres below the root, in place of --branch and --levels", 2, 65535,
        "make the levels"),
    max_error_option(),
    choice_option<&SphereTreeOptions::method>(
        "sphere-method", "HOW", "how spheres are found: tightly, by merging medial spheres, or octants'"),
    choice_option<&SphereTreeOptions::coverage>(
        "sphere-coverage", "WHAT",
        "full: a sphere's children, its own and those it shares, cover what it covers; level: every level "
        "covers the surface; sampled: no promise"),
    flag_option<&SphereTreeOptions::dag>("sphere-dag",
                                         "build every level for itself and let parents share children"),
    flag_option<&SphereTreeOptions::cover_volume>("sphere-volume",
                                                  "the last level covers the inside of the solid too"),
    length_option<&SphereTreeOptions::gap, &SphereTreeOptions::gap_share>(
        "sphere-gap", "G",
        "every point of the surface lies within this length, or this share of the bounding box's diagonal "
        "such "
        "as 0.5%, of each level's spheres: smaller ones, proved all the same",
        "neither a length of at least 0 nor a percentage such as 0.5%", "it lies in them"),
    choice_option<&SphereTreeOptions::solid>(
        "sphere-solid", "WHAT",
        "what spheres protrude from. closed: refuse a mesh with holes; capped: as if its holes were filled; "
        "shell: the surface itself, both sides of it are free; auto: the first of them that suits the mesh, "
        "where large holes are not filled"),
    choice_option<&SphereTreeOptions::effort>("effort", "HOW",
                                              "how long the default method looks for tight spheres"),
};

Result<BuiltTreePtr> build(const TriangleMesh& mesh, const std::any& options, Progress& progress) {
    Result<SphereTree> tree =
        build_sphere_tree(mesh, std::any_cast<const SphereTreeOptions&>(options), progress);
    if (!tree) return tree.error();
    return built_tree(std::move(tree).value());
}

std::vector<VolumeLevel> volumes(const ShapeView& part) {
    const SphereTreeView& tree = part.sphere;
    std::vector<VolumeLevel> levels(tree.level_count);
    for (std::uint32_t l = 0; l < tree.level_count; ++l) {
        VolumeList& list = l + 1 == tree.level_count ? levels[l].leaves : levels[l].inner;
        for (std::uint32_t i = tree.levels[l].first; i < tree.levels[l].first + tree.levels[l].count; ++i) {
            const SphereNode& s = tree.spheres[i];
            list.spheres.push_back({{s.center[0], s.center[1], s.center[2]}, s.radius, tree.errors[i]});
        }
    }
    return levels;
}

}  // namespace

const Hierarchy kSphereHierarchy = {
    .name = "sphere",
    .summary = "spheres that cover the surface level by level, with proof and errors",
    .paper = "Hubbard 1996",
    .ranks = {.shown = 1, .built = 1, .checked = 2},
    .by_default = true,
    .default_options = [] { return std::any(SphereTreeOptions()); },
    .options = kOptions,
    .build = build,
    .present = [](const ShapeView& part) { return part.sphere.spheres != nullptr; },
    .check = check_sphere_tree,
    .describe = describe_sphere_tree,
    .shape = VolumeShape::kSpheres,
    .volumes = volumes,
    .query_methods = sphere_query_methods,
};

TreeRequest sphere_tree(const SphereTreeOptions& options) {
    return {&kSphereHierarchy, options};
}

}  // namespace espalier
