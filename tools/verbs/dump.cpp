// SPDX-License-Identifier: GPL-3.0-or-later
// espalier dump: what is in an asset, as text or JSON.
#include <algorithm>

#include "builder/asset/atomic_file.h"
#include "builder/asset/describe.h"
#include "tools/io/asset_file.h"
#include "tools/io/failure.h"
#include "tools/io/standard_streams.h"
#include "tools/options/trees.h"
#include "tools/report/dump_report.h"
#include "tools/report/text.h"
#include "tools/verbs/verbs.h"

namespace espalier::tools {
namespace {

CommandLine syntax() {
    CommandLine line(
        "dump FILE [--json] [--tree NAME] [--spheres] [--medial OUT.ply]",
        "Prints what is in an asset: versions, where it came from, how it was baked, its parts and their\n"
        "hierarchies level by level. The file is verified first.\n",
        "  espalier dump torus.espl --tree aabb\n");
    add_json_option(line);
    line.value("tree", "NAME", "only this hierarchy: sphere, box, cell or aabb");
    line.flag("spheres", "print the sphere tree and nothing else, one line a sphere: level x y z r error");
    line.value("medial", "OUT.ply",
               "print nothing and write the medial spheres of the first part's mesh, to look at");
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
    for (PartDescription& part : asset.parts) {
        std::erase_if(part.trees, [&](const TreeDescription& tree) { return tree.name != name; });
        found = found || !part.trees.empty();
    }
    if (!found) fail_no_tree(file, name);
}

std::string spheres_text(const std::string& file, const std::vector<SphereLine>& spheres) {
    if (spheres.empty()) fail_no_tree(file, "sphere");
    std::string text;
    for (const SphereLine& s : spheres) {
        text += std::to_string(s.level);
        for (const double value : {s.x, s.y, s.z, s.radius, s.error}) {
            text += ' ';
            text += number_text(value);
        }
        text += "\n";
    }
    return text;
}

void write_medial(const std::string& file, std::span<const std::uint8_t> bytes, const std::string& output) {
    Progress silent;
    const std::string text = value_or_fail(file, medial_ply_of(bytes, silent));
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
    const MappedBytes mapped(file);
    AssetDescription asset = value_or_fail(file, describe_asset(mapped.bytes()));
    if (const std::optional<std::string> medial = parsed->text("medial")) {
        write_medial(file, mapped.bytes(), *medial);
        return 0;
    }
    if (parsed->has("spheres")) {
        print(spheres_text(file, value_or_fail(file, list_spheres(mapped.bytes()))));
        return 0;
    }
    if (tree) keep_tree(file, tree_names()[*tree], asset);
    print(parsed->has("json") ? json_text(dump_json(file, asset)) : dump_text(file, asset));
    return 0;
}

}  // namespace espalier::tools
