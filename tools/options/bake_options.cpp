// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/options/bake_options.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "tools/io/failure.h"
#include "tools/options/trees.h"

namespace espalier::tools {
namespace {

constexpr const char* kDefaultTrees = "aabb";
constexpr std::uint64_t kMostJobs = 1024;

/// Turns a hierarchy on and sets its options; null: this version cannot bake it.
using Enable = void (*)(const Parsed& parsed, BakeOptions& options);

void enable_aabb(const Parsed& parsed, BakeOptions& options) {
    AabbTreeOptions& aabb = options.aabb.emplace();
    if (const auto split = parsed.choice("aabb-split", {"binned", "median"}))
        aabb.split = *split == 1 ? AabbSplit::kMedian : AabbSplit::kBinned;
    if (const auto leaf = parsed.count("aabb-leaf", 1, kMaxLeafTriangles))
        aabb.leaf_triangles = static_cast<std::uint32_t>(*leaf);
}

void enable_box(const Parsed& parsed, BakeOptions& options) {
    constexpr BoxSplit kSplits[] = {BoxSplit::kBinned, BoxSplit::kVolume, BoxSplit::kLongest};
    BoxTreeOptions& box = options.box.emplace();
    if (const auto split = parsed.choice("box-split", {"binned", "volume", "longest"}))
        box.split = kSplits[*split];
    if (const auto leaf = parsed.count("box-leaf", 1, kMaxLeafTriangles))
        box.leaf_triangles = static_cast<std::uint32_t>(*leaf);
}

/// "0.1" as a length, "1%" as a share of the diagonal.
void set_max_error(const Parsed& parsed, SphereTreeOptions& sphere) {
    const std::optional<std::string> text = parsed.text("max-error");
    if (!text) return;
    const bool percent = !text->empty() && text->back() == '%';
    const std::optional<double> value = parse_number(text->substr(0, text->size() - (percent ? 1 : 0)));
    if (!value || !std::isfinite(*value) || *value <= 0)
        fail_usage("--max-error: '" + *text + "' is neither a positive length nor a percentage such as 1%");
    (percent ? sphere.max_error_share : sphere.max_error) = percent ? *value / 100.0 : *value;
}

void enable_sphere(const Parsed& parsed, BakeOptions& options) {
    constexpr SphereMethod kMethods[] = {SphereMethod::kBest, SphereMethod::kHubbard, SphereMethod::kOctree};
    constexpr CoveragePolicy kPolicies[] = {CoveragePolicy::kFull, CoveragePolicy::kLevel,
                                            CoveragePolicy::kSampled};
    SphereTreeOptions& sphere = options.sphere.emplace();
    if (const auto method = parsed.choice("sphere-method", {"best", "hubbard", "octree"}))
        sphere.method = kMethods[*method];
    if (const auto policy = parsed.choice("sphere-coverage", {"full", "level", "sampled"}))
        sphere.coverage = kPolicies[*policy];
    if (const auto branch = parsed.count("branch", 2, 65535))
        sphere.branch = static_cast<std::uint32_t>(*branch);
    if (const auto levels = parsed.count("levels", 1, kMaxSphereLevels))
        sphere.levels = static_cast<std::uint32_t>(*levels);
    if (const auto effort = parsed.count("sphere-effort", 0, 4))
        sphere.effort = static_cast<std::uint32_t>(*effort);
    set_max_error(parsed, sphere);
    sphere.dag = parsed.has("sphere-dag");
    sphere.cover_volume = parsed.has("sphere-volume");
}

void enable_cell(const Parsed& parsed, BakeOptions& options) {
    CellTreeOptions& cell = options.cell.emplace();
    if (const auto depth = parsed.count("cell-depth", 1, kMaxCellDepth))
        cell.depth = static_cast<std::uint32_t>(*depth);
    if (const auto least = parsed.count("cell-min", 1, 1'000'000))
        cell.min_triangles = static_cast<std::uint32_t>(*least);
    const auto number = [&](const std::string& name, double most, double& value) {
        const std::optional<double> given = parsed.number(name);
        if (!given) return;
        if (!(*given >= 0 && *given <= most)) fail_usage("--" + name + " is out of range; see bake --help");
        value = *given;
    };
    number("cell-gamma", 1e6, cell.gamma);
    number("cell-empty", 1, cell.empty_share);
    number("cell-lambda", 1, cell.lambda);
    number("cell-delta", 0.01, cell.delta);
}

struct TreeKind {
    std::string name;
    Enable enable;
    std::vector<std::string> options;  ///< that concern this hierarchy alone
};

const std::vector<TreeKind>& tree_kinds() {
    static const std::vector<TreeKind> kinds = {
        {"sphere",
         enable_sphere,
         {"branch", "levels", "max-error", "sphere-method", "sphere-coverage", "sphere-dag", "sphere-volume",
          "sphere-effort"}},
        {"box", enable_box, {"box-split", "box-leaf"}},
        {"cell",
         enable_cell,
         {"cell-depth", "cell-min", "cell-gamma", "cell-empty", "cell-lambda", "cell-delta"}},
        {"aabb", enable_aabb, {"aabb-split", "aabb-leaf"}},
    };
    return kinds;
}

/// "a,b" as its names; every one known, none twice.
std::vector<std::string> parse_trees(const std::string& list) {
    std::vector<std::string> names;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        const std::string name = list.substr(start, end - start);
        if (std::ranges::find(tree_names(), name) == tree_names().end())
            fail_usage("--trees: there is no tree called '" + name + "'; a list of " +
                       list_names(tree_names()) + " is needed");
        if (std::ranges::find(names, name) != names.end()) fail_usage("--trees names " + name + " twice");
        names.push_back(name);
        start = end + 1;
    }
    return names;
}

void set_trees(const Parsed& parsed, BakeOptions& options) {
    options.aabb.reset();
    options.box.reset();
    options.sphere.reset();
    options.cell.reset();
    const std::vector<std::string> wanted = parse_trees(parsed.text("trees").value_or(kDefaultTrees));
    for (const TreeKind& kind : tree_kinds()) {
        const bool is_wanted = std::ranges::find(wanted, kind.name) != wanted.end();
        if (is_wanted && !kind.enable)
            throw Failure("", {ErrorKind::kUnsupported, "this version cannot bake the " + kind.name +
                                                            " tree; leave it out of --trees"});
        if (is_wanted) kind.enable(parsed, options);
        for (const std::string& option : kind.options)
            if (!is_wanted && parsed.has(option))
                fail_usage("--" + option + " concerns the " + kind.name + " tree; add " + kind.name +
                           " to --trees");
    }
}

/// A folder that is not there would be ignored, and the mesh be blamed.
std::vector<std::filesystem::path> allowed_folders(const Parsed& parsed) {
    std::vector<std::filesystem::path> folders;
    for (const std::string& name : parsed.texts("allow-path")) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(name, ignored))
            fail_usage("--allow-path: '" + name + "' is not a folder");
        folders.emplace_back(name);
    }
    return folders;
}

}  // namespace

void add_bake_options(CommandLine& line) {
    line.value("trees", "LIST", "hierarchies to build, by commas: sphere, box, cell, aabb (aabb)");
    line.value("scale", "S", "multiply every coordinate by this (1)");
    line.value("unit", "U", "unit of the scaled coordinates, recorded in the asset (what the file states)");
    line.values("allow-path", "DIR",
                "folder whose files a mesh may refer to, besides its own folder; may be given several times");
    line.value("weld", "T", "join vertices closer than this, in the scaled unit (0: at the same place)");
    line.value(
        "branch", "K",
        "sphere tree: children of a sphere on average; level l has at most K^l spheres, 2 to 65535 (8)");
    line.value("levels", "L",
               "sphere tree: levels, the root's included, 1 to 16 (4); 2 gives a flat set of K spheres");
    line.value("max-error", "E",
               "sphere tree: stop where no sphere sticks out farther than this length, or than this share of "
               "the bounding box's diagonal, such as 1%");
    line.value("sphere-method", "HOW",
               "sphere tree: best (the default), hubbard (merged medial spheres) or octree");
    line.value(
        "sphere-coverage", "WHAT",
        "sphere tree: full (the default: a sphere's children, its own and those it shares, cover what it "
        "covers), level (every level covers the surface) or sampled (no promise)");
    line.flag("sphere-dag", "sphere tree: build every level for itself and let parents share children");
    line.flag("sphere-volume", "sphere tree: the last level covers the inside of a closed mesh too");
    line.value("sphere-effort", "N", "sphere tree: 0 (quick) to 4 (slow and tight); 1 unless told");
    line.value("aabb-split", "HOW",
               "aabb tree: binned (surface area, the default) or median (van den Bergen's)");
    line.value("aabb-leaf", "N", "aabb tree: most triangles in a leaf, 1 to 8 (4)");
    line.value("box-split", "HOW",
               "box tree: binned (surface area, the default), volume or longest (Zachmann's)");
    line.value("box-leaf", "N", "box tree: triangles in a leaf, 1 to 8 (4)");
    line.value("cell-depth", "N",
               "cell tree: most cuts on a path beside empty cells', 1 to 28 (by the number of triangles)");
    line.value("cell-min", "N", "cell tree: cells with no more triangles are not cut (1)");
    line.value("cell-gamma", "G", "cell tree: penalty of a triangle that crosses a cut, from 0 (0)");
    line.value("cell-empty", "S",
               "cell tree: least share of an empty cell that is chipped off; 1: none (0.1)");
    line.value("cell-lambda", "S", "cell tree: no cut leaves a side more than this share (0.8)");
    line.value("cell-delta", "S", "cell tree: half thickness of a cut in the longest side, to 0.01 (1e-6)");
    line.flag("strict", "fail (exit code 6) if the mesh is not closed or had to be repaired");
    line.value("jobs", "N", "threads (one a core); the bytes are the same for any number");
}

BakeOptions bake_options(const Parsed& parsed) {
    BakeOptions options;
    set_trees(parsed, options);
    options.import.scale = parsed.number("scale").value_or(1.0);
    if (options.import.scale <= 0) fail_usage("--scale must be positive");
    options.import.unit = parsed.text("unit").value_or("");
    options.import.allowed_folders = allowed_folders(parsed);
    options.sanitize.weld_tolerance = parsed.number("weld").value_or(0.0);
    if (options.sanitize.weld_tolerance < 0) fail_usage("--weld must not be negative");
    options.strict = parsed.has("strict");
    options.jobs = static_cast<unsigned>(parsed.count("jobs", 1, kMostJobs).value_or(0));
    return options;
}

}  // namespace espalier::tools
