// SPDX-License-Identifier: GPL-3.0-or-later
// espalier dump: what is in an asset, as text or JSON.
#include <algorithm>
#include <limits>

#include "builder/asset/asset_body.h"
#include "builder/asset/atomic_file.h"
#include "builder/asset/describe.h"
#include "builder/asset/volumes.h"
#include "builder/base/number_text.h"
#include "tools/io/asset_file.h"
#include "tools/io/failure.h"
#include "tools/io/standard_streams.h"
#include "tools/options/tree_names.h"
#include "tools/report/dump_report.h"
#include "tools/verbs/verbs.h"

namespace espalier::tools {
namespace {

/// The hierarchies whose volumes are spheres, by name.
std::string sphere_trees() {
    std::vector<std::string_view> names;
    for (const Hierarchy* row : shown_hierarchies())
        if (row->shape == VolumeShape::kSpheres) names.push_back(row->name);
    return list_names(names);
}

CommandLine syntax() {
    CommandLine line(
        "dump FILE [--json] [--tree NAME] [--spheres] [--medial OUT.ply]",
        "Prints what is in an asset: versions, where it came from, how it was baked, its parts as a tree "
        "with\n"
        "joints and poses at rest, pairs of parts that need no test, and each shape with its hierarchies\n"
        "level by level. The file is verified first. The text is cut after 100 parts and 20 shapes; --json\n"
        "has all.\n",
        "  espalier dump torus.espl --tree aabb\n");
    add_json_option(line);
    line.value("tree", "NAME", "only this hierarchy: " + list_names(tree_names()));
    line.flag("spheres", "print the spheres of " + sphere_trees() +
                             " trees and nothing else, one a line: level x y z r error; of several parts "
                             "where they are at rest, behind a line '# part NAME'");
    line.value("medial", "OUT.ply",
               "print nothing and write the medial spheres of the first shape's mesh, to look at");
    line.arguments(1, 1, "one FILE");
    return line;
}

[[noreturn]] void fail_no_tree(const std::string& file, const std::string& tree) {
    throw Failure(
        file, {ErrorKind::kInvalidInput, "the asset has no " + tree + " tree; bake it with --trees " + tree});
}

/// Leaves nothing but the tree called `name`.
void keep_tree(const std::string& file, const std::string& name, AssetDescription& asset) {
    bool found = false;
    for (ShapeDescription& shape : asset.shapes) {
        std::erase_if(shape.trees, [&](const TreeDescription& tree) { return tree.name != name; });
        found = found || !shape.trees.empty();
    }
    if (!found) fail_no_tree(file, name);
}

/// Spheres of a shape where `place` puts it, in the body's frame.
void add_spheres(const ShapeView& shape, const Eigen::Isometry3d& place, std::size_t level,
                 const std::vector<DecodedSphere>& spheres, std::string& text) {
    for (const DecodedSphere& s : spheres) {
        Eigen::Vector3d center;
        for (int k = 0; k < 3; ++k)
            center[k] = shape.origin[k] + double(s.center[static_cast<std::size_t>(k)]);
        center = place * center;
        text += std::to_string(level);
        for (int k = 0; k < 3; ++k) text += ' ' + number_text(center[k]);
        text += ' ' + number_text(double(s.radius)) + ' ' + number_text(double(s.error)) + '\n';
    }
}

void add_part_spheres(const ShapeView& shape, const Eigen::Isometry3d& place, std::string& text) {
    for (const TreeVolumes& tree : decode_volumes(shape, std::numeric_limits<std::size_t>::max()))
        for (std::size_t level = 0; level < tree.levels.size(); ++level) {
            add_spheres(shape, place, level, tree.levels[level].inner.spheres, text);
            add_spheres(shape, place, level, tree.levels[level].leaves.spheres, text);
        }
}

/// All spheres in the coordinates of the source (scaled), part by part and level by level, at rest. A comment
/// names each part of a file that lists them.
std::string spheres_text(const AssetFile& file) {
    const Asset& asset = file.opened().asset;
    const std::vector<Eigen::Isometry3d> placements = rest_placements(asset);
    std::string text;
    bool any = false;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        ShapeView shape;
        if (asset.part(i, &shape) != Status::kOk) continue;  // a frame only
        std::string spheres;
        add_part_spheres(shape, placements[i], spheres);
        any = any || !spheres.empty();
        if (asset.has_parts()) text += "# part " + shown_part_name(asset, i) + '\n';
        text += spheres;
    }
    if (!any) fail_no_tree(file.path(), sphere_trees());
    return text;
}

void write_medial(const AssetFile& asset, const std::string& output) {
    Progress silent;
    const std::string text = value_or_fail(asset.path(), medial_ply_of(asset.opened().shapes[0], silent));
    const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
    const Result<Success> written = write_file_atomically(output, {data, text.size()});
    if (!written) throw Failure(output, written.error());
}

}  // namespace

int run_dump(const Arguments& words) {
    const std::optional<Parsed> parsed = syntax().parse(words);
    if (!parsed) return 0;
    const std::string file = parsed->arguments()[0];
    const std::optional<std::size_t> tree = parsed->choice("tree", tree_names());
    if (parsed->has("spheres") && (parsed->has("json") || tree))
        fail_usage("--spheres goes with neither --json nor --tree");
    if (parsed->has("medial") && (parsed->has("json") || parsed->has("spheres") || tree))
        fail_usage("--medial goes with no other option");
    const AssetFile opened(file, Refusal::kReason);
    value_or_fail(file, verify_provenance(opened.opened().asset));
    if (const std::optional<std::string> medial = parsed->text("medial")) {
        write_medial(opened, *medial);
        return 0;
    }
    if (parsed->has("spheres")) {
        print(spheres_text(opened));
        return 0;
    }
    AssetDescription asset = value_or_fail(file, describe_asset(opened.opened()));
    if (tree) keep_tree(file, std::string(tree_names()[*tree]), asset);
    print(parsed->has("json") ? json_text(dump_json(file, asset)) : dump_text(file, asset));
    return 0;
}

}  // namespace espalier::tools
