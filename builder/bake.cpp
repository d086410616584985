// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/bake.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

#include "builder/asset/write_asset.h"
#include "builder/base/number_text.h"

namespace espalier {
namespace {

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Error cancelled() {
    return Error{ErrorKind::kInternal, "cancelled"};
}

Error not_safe(const std::string& reason) {
    return Error{ErrorKind::kNotSafe, "not collision-safe: " + reason};
}

/// What strict mode objects to, or nothing.
std::string unsafe_reason(const SanitizeReport& report) {
    if (!report.topology.closed)
        return "the mesh is not closed (" + std::to_string(report.topology.boundary_edges) +
               " boundary edges), so inside and outside are not defined";
    if (report.degenerate_triangles + report.degenerate_polygons + report.duplicate_triangles > 0)
        return "degenerate or duplicate faces had to be removed; clean the source or bake without --strict";
    return {};
}

const TreeRequest* request_of(const BakeOptions& options, const Hierarchy& row) {
    const auto found = std::ranges::find(options.trees, &row, &TreeRequest::hierarchy);
    return found == options.trees.end() ? nullptr : &*found;
}

Result<Success> build_tree(const TreeRequest& request, const BakeOptions& options, BakedPart& part,
                           BakeReport& report, Progress& progress) {
    std::optional<Result<BuiltTreePtr>> built;
    const double seconds =
        seconds_of([&] { built = request.hierarchy->build(part.mesh, request.options, progress); });
    if (!*built) return built->error();
    const BuiltTreePtr tree = std::move(*built).value();
    if (options.strict)
        if (const std::string reason = tree->unsafe_reason(); !reason.empty()) return not_safe(reason);
    report.trees.push_back(tree->report());
    report.trees.back().seconds = seconds;
    part.trees.push_back(tree);
    return Success{};
}

Result<Success> build_trees(const BakeOptions& options, HierarchyRows list, BakedPart& part,
                            BakeReport& report, Progress& progress) {
    for (const Hierarchy* row : ranked(list, &HierarchyRanks::built)) {
        const TreeRequest* request = request_of(options, *row);
        if (!request) continue;
        const Result<Success> built = build_tree(*request, options, part, report, progress);
        if (!built) return built.error();
    }
    return Success{};
}

Result<Baked> bake_soup(const PolygonSoup& soup, const BakeOptions& options, HierarchyRows list,
                        Progress& progress) {
    progress.begin_stage("sanitize", 1);
    Result<SanitizedMesh> clean = sanitize(soup, options.sanitize);
    if (!clean) return clean.error();
    progress.advance();
    Baked baked;
    baked.report.sanitize = clean.value().report;
    if (options.strict) {
        const std::string reason = unsafe_reason(baked.report.sanitize);
        if (!reason.empty()) return not_safe(reason);
    }
    if (progress.cancelled()) return cancelled();
    AssetContents contents;
    contents.provenance = soup.provenance;
    contents.unit = soup.unit;
    contents.scale = soup.scale;
    contents.options = recorded_options(options, list);
    BakedPart& part = contents.parts.emplace_back();
    part.origin = clean.value().origin;
    part.closed = baked.report.sanitize.topology.closed;
    part.mesh = std::move(clean.value().mesh);
    const Result<Success> built = build_trees(options, list, part, baked.report, progress);
    if (progress.cancelled()) return cancelled();
    if (!built) return built.error();
    Result<std::vector<std::uint8_t>> bytes = write_asset(contents, list);
    if (!bytes) return bytes.error();
    baked.bytes = std::move(bytes).value();
    baked.report.file_bytes = baked.bytes.size();
    return baked;
}

/// Bakes what `read` gives.
template <class Read>
Result<Baked> bake_from(Read read, const BakeOptions& options, HierarchyRows list, Progress& progress) {
    std::optional<tbb::global_control> threads;
    if (options.jobs > 0) threads.emplace(tbb::global_control::max_allowed_parallelism, options.jobs);
    std::optional<Result<Baked>> baked;
    const double seconds = seconds_of([&] {
        progress.begin_stage("read", 1);
        const Result<PolygonSoup> soup = read();
        progress.advance();
        baked = soup ? bake_soup(soup.value(), options, list, progress) : Result<Baked>(soup.error());
    });
    if (*baked) baked->value().report.seconds = seconds;
    return *std::move(baked);
}

}  // namespace

std::vector<std::pair<std::string, std::string>> recorded_options(const BakeOptions& options,
                                                                  HierarchyRows list) {
    std::vector<std::pair<std::string, std::string>> recorded;
    std::string trees;
    for (const Hierarchy* row : list) {
        const TreeRequest* request = request_of(options, *row);
        if (!request) continue;
        if (!trees.empty()) trees += ',';
        trees += row->name;
        for (const TreeOption& option : row->options)
            recorded.emplace_back(option.name, option.get(request->options));
    }
    recorded.emplace_back("scale", number_text(options.import.scale));
    recorded.emplace_back("trees", trees);
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
