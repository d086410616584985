// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/bake.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "builder/bake_shape.h"
#include "builder/base/number_text.h"
#include "builder/body/utf8.h"

namespace espalier {
namespace {

/// A body of one part and one shape, both called as the soup's source without its extension.
BodyDescription body_of(PolygonSoup soup) {
    BodyDescription body;
    body.provenance = std::exchange(soup.provenance, {});
    body.unit = std::exchange(soup.unit, {});
    body.scale = soup.scale;
    body.findings = std::exchange(soup.findings, {});
    const std::string stem = as_utf8_name(std::filesystem::path(body.provenance.source_name).stem().string());
    body.shapes.push_back({stem.empty() ? "part0" : stem, std::move(soup)});
    body.parts.emplace_back().name = body.shapes[0].name;
    body.parts[0].shape = 0;
    return body;
}

/// Bakes what `read` gives.
template <class Read>
Result<Baked> bake_from(Read read, const BakeOptions& options, HierarchyRows list, Progress& progress) {
    std::optional<tbb::global_control> threads;
    if (options.jobs > 0) threads.emplace(tbb::global_control::max_allowed_parallelism, options.jobs);
    std::optional<Result<Baked>> baked;
    const double seconds = seconds_of([&] {
        progress.begin_stage("read", 1);
        Result<PolygonSoup> soup = read();
        progress.advance();
        baked = soup ? bake_body(body_of(std::move(soup).value()), options, progress, list)
                     : Result<Baked>(soup.error());
    });
    if (*baked) baked->value().report.seconds = seconds;
    return *std::move(baked);
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
    recorded.emplace_back("scale", number_text(options.import.scale));
    recorded.emplace_back("unit", options.import.unit);
    recorded.emplace_back("weld", number_text(options.sanitize.weld_tolerance));
    std::sort(recorded.begin(), recorded.end());
    return recorded;
}

Result<Baked> bake(const std::filesystem::path& input, const BakeOptions& options, Progress& progress,
                   HierarchyRows list) {
    return bake_from([&] { return import_mesh(input, options.import); }, options, list, progress);
}

Result<Baked> bake(const MemoryMesh& mesh, const BakeOptions& options, Progress& progress,
                   HierarchyRows list) {
    return bake_from([&] { return import_mesh(mesh, options.import); }, options, list, progress);
}

}  // namespace espalier
