// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/bake.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <new>
#include <optional>
#include <utility>

#include "builder/bake_shape.h"
#include "builder/base/number_text.h"
#include "builder/body/scene_body.h"
#include "builder/import/text_scan.h"

namespace espalier {
namespace {

/// All files as one scene; the message about one of several names it.
Result<Scene> read_scenes(std::span<const std::filesystem::path> inputs, const ImportOptions& options) {
    std::vector<Scene> scenes;
    for (const std::filesystem::path& input : inputs) {
        Result<Scene> scene = import_scene(input, options);
        if (scene) {
            scenes.push_back(std::move(scene).value());
            continue;
        }
        Error error = scene.error();
        if (inputs.size() > 1) error.message.insert(0, input.filename().string() + ": ");
        return error;
    }
    const bool choose = !options.scene.empty();
    if (choose && std::ranges::all_of(scenes, [](const Scene& scene) { return scene.scene_names.empty(); }))
        return Error{ErrorKind::kInvalidInput, "there are no scenes, as a glTF file has them, of which " +
                                                   text_scan::quote(options.scene) +
                                                   " could be one; bake without --scene"};
    return join_scenes(std::move(scenes));
}

Result<BodyDescription> read_body(std::span<const std::filesystem::path> inputs, const BakeOptions& options) {
    try {
        Result<Scene> scene = read_scenes(inputs, options.import);
        if (!scene) return scene.error();
        if (!options.merge) return body_of_scene(std::move(scene).value(), options.scene);
        const std::string name = scene.value().name;
        Result<PolygonSoup> soup = merge_chosen(std::move(scene).value(), options.scene);
        if (!soup) return soup.error();
        return single_part_body(name, std::move(soup).value());
    } catch (const std::bad_alloc&) {
        return Error{ErrorKind::kUnsupported, "not enough memory to read the file"};
    }
}

/// Bakes what `read` gives; the seconds are those of both.
template <class Read>
Result<Baked> bake_from(Read read, const BakeOptions& options, HierarchyRows list, Progress& progress) {
    std::optional<tbb::global_control> threads;
    if (options.jobs > 0) threads.emplace(tbb::global_control::max_allowed_parallelism, options.jobs);
    std::optional<Result<Baked>> baked;
    const double seconds = seconds_of([&] {
        progress.begin_stage("read", 1);
        const Result<BodyDescription> body = read();
        progress.advance();
        baked = body ? bake_body(body.value(), options, progress, list) : Result<Baked>(body.error());
    });
    if (*baked) baked->value().report.seconds = seconds;
    return *std::move(baked);
}

std::string yes_no(bool value) {
    return value ? "yes" : "no";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> recorded_trees(std::span<const TreeRequest> requests,
                                                                HierarchyRows list) {
    std::vector<std::pair<std::string, std::string>> recorded;
    std::string trees;
    for (const Hierarchy* row : list) {
        const TreeRequest* request = request_of(requests, *row);
        if (!request) continue;
        if (!trees.empty()) trees += ',';
        trees += row->name;
        for (const TreeOption& option : row->options)
            recorded.emplace_back(option.name, option.get(request->options));
    }
    recorded.emplace_back("trees", trees);
    return recorded;
}

std::vector<std::pair<std::string, std::string>> recorded_options(const BakeOptions& options,
                                                                  HierarchyRows list) {
    std::vector<std::pair<std::string, std::string>> recorded = recorded_trees(options.trees, list);
    recorded.emplace_back("frames", yes_no(options.scene.frames));
    recorded.emplace_back("merge", yes_no(options.merge));
    recorded.emplace_back("parts", options.scene.parts);
    recorded.emplace_back("scene", options.import.scene);
    recorded.emplace_back("scale", number_text(options.import.scale));
    recorded.emplace_back("unit", options.import.unit);
    recorded.emplace_back("weld", number_text(options.sanitize.weld_tolerance));
    std::sort(recorded.begin(), recorded.end());
    return recorded;
}

Result<Baked> bake(std::span<const std::filesystem::path> inputs, const BakeOptions& options,
                   Progress& progress, HierarchyRows list) {
    return bake_from([&] { return read_body(inputs, options); }, options, list, progress);
}

Result<Baked> bake(const std::filesystem::path& input, const BakeOptions& options, Progress& progress,
                   HierarchyRows list) {
    return bake(std::span(&input, 1), options, progress, list);
}

Result<Baked> bake(const MemoryMesh& mesh, const BakeOptions& options, Progress& progress,
                   HierarchyRows list) {
    const auto read = [&]() -> Result<BodyDescription> {
        Result<PolygonSoup> soup = import_mesh(mesh, options.import);
        if (!soup) return soup.error();
        return single_part_body(std::filesystem::path(mesh.name).stem().string(), std::move(soup).value());
    };
    return bake_from(read, options, list, progress);
}

}  // namespace espalier
