// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/bake_shape.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <optional>

namespace espalier {
namespace {

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

Result<Success> build_tree(const TreeRequest& request, bool strict, BakedShapeReport& baked,
                           Progress& progress) {
    std::optional<Result<BuiltTreePtr>> built;
    const double seconds =
        seconds_of([&] { built = request.hierarchy->build(baked.shape.mesh, request.options, progress); });
    if (!*built) return built->error();
    const BuiltTreePtr tree = std::move(*built).value();
    if (strict)
        if (const std::string reason = tree->unsafe_reason(); !reason.empty()) return not_safe(reason);
    baked.report.trees.push_back(tree->report());
    std::ranges::copy(tree->findings(), std::back_inserter(baked.report.sanitize.findings));
    baked.report.trees.back().seconds = seconds;
    baked.shape.trees.push_back(tree);
    return Success{};
}

Result<Success> build_trees(std::span<const TreeRequest> trees, bool strict, HierarchyRows list,
                            BakedShapeReport& baked, Progress& progress) {
    for (const Hierarchy* row : ranked(list, &HierarchyRanks::built)) {
        const TreeRequest* request = request_of(trees, *row);
        if (!request) continue;
        const Result<Success> built = build_tree(*request, strict, baked, progress);
        if (!built) return built.error();
    }
    return Success{};
}

}  // namespace

Error cancelled_bake() {
    return Error{ErrorKind::kInternal, "cancelled"};
}

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

const TreeRequest* request_of(std::span<const TreeRequest> trees, const Hierarchy& row) {
    const auto found = std::ranges::find(trees, &row, &TreeRequest::hierarchy);
    return found == trees.end() ? nullptr : &*found;
}

Result<BakedShapeReport> bake_shape(const BodyShape& shape, const BakeOptions& options, HierarchyRows list,
                                    Progress& progress) {
    if (progress.cancelled()) return cancelled_bake();
    progress.begin_stage("sanitize", 1);
    bool nothing_left = false;
    Result<SanitizedMesh> clean = sanitize(shape.soup, options.sanitize, &nothing_left);
    BakedShapeReport baked;
    baked.report.name = baked.shape.name = shape.name;
    baked.report.vanished = !clean && nothing_left && shape.may_vanish;
    if (baked.report.vanished && !options.strict) return baked;
    if (!clean) return clean.error();
    progress.advance();
    baked.report.sanitize = clean.value().report;
    if (options.strict) {
        const std::string reason = unsafe_reason(baked.report.sanitize);
        if (!reason.empty()) return not_safe(reason);
    }
    if (progress.cancelled()) return cancelled_bake();
    baked.shape.origin = clean.value().origin;
    baked.shape.closed = baked.report.sanitize.topology.closed;
    baked.shape.mesh = std::move(clean.value().mesh);
    const std::vector<TreeRequest>& trees = shape.trees ? *shape.trees : options.trees;
    const Result<Success> built = build_trees(trees, options.strict, list, baked, progress);
    if (progress.cancelled()) return cancelled_bake();
    if (!built) return built.error();
    return baked;
}

}  // namespace espalier
