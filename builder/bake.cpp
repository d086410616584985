// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/bake.h"

#include <tbb/global_control.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>

#include "builder/sphere/write.h"

namespace espalier {
namespace {

double seconds_of(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Shortest text that reads back as the same number, on every platform.
std::string number_text(double value) {
    char text[64];
    const auto end = std::to_chars(text, text + sizeof(text), value);
    return std::string(text, end.ptr);
}

std::string split_name(AabbSplit split) {
    return split == AabbSplit::kMedian ? "median" : "binned";
}

std::string split_name(BoxSplit split) {
    switch (split) {
        case BoxSplit::kVolume:
            return "volume";
        case BoxSplit::kLongest:
            return "longest";
        case BoxSplit::kBinned:
            break;
    }
    return "binned";
}

std::string method_name(SphereMethod method) {
    switch (method) {
        case SphereMethod::kHubbard:
            return "hubbard";
        case SphereMethod::kOctree:
            return "octree";
        case SphereMethod::kBest:
            break;
    }
    return "best";
}

std::string policy_name(CoveragePolicy policy) {
    switch (policy) {
        case CoveragePolicy::kLevel:
            return "level";
        case CoveragePolicy::kSampled:
            return "sampled";
        case CoveragePolicy::kFull:
            break;
    }
    return "full";
}

void record_sphere(const SphereTreeOptions& sphere,
                   std::vector<std::pair<std::string, std::string>>& recorded) {
    recorded.emplace_back("branch", std::to_string(sphere.branch));
    recorded.emplace_back("levels", std::to_string(sphere.levels));
    recorded.emplace_back("max-error", sphere.max_error_share > 0.0
                                           ? number_text(100.0 * sphere.max_error_share) + "%"
                                           : number_text(sphere.max_error));
    recorded.emplace_back("sphere-coverage", policy_name(sphere.coverage));
    recorded.emplace_back("sphere-dag", sphere.dag ? "yes" : "no");
    recorded.emplace_back("sphere-effort", std::to_string(sphere.effort));
    recorded.emplace_back("sphere-method", method_name(sphere.method));
    recorded.emplace_back("sphere-volume", sphere.cover_volume ? "yes" : "no");
}

Error cancelled() {
    return Error{ErrorKind::kInternal, "cancelled"};
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

SphereTreeReport report_of(const SphereTree& tree) {
    SphereTreeReport report;
    const SphereLevel& last = tree.levels.back();
    report.certificate = tree.certificate;
    report.limit = tree.limit;
    report.last_level = last.count;
    report.error_max = last.error_max;
    report.outside_volume = last.outside_volume;
    report.solid_volume = tree.solid_volume;
    return report;
}

Result<Success> build_sphere(const BakeOptions& options, BakedPart& part, BakeReport& report,
                             Progress& progress) {
    std::optional<Result<SphereTree>> built;
    const double seconds =
        seconds_of([&] { built = build_sphere_tree(part.mesh, *options.sphere, progress); });
    if (!*built) return built->error();
    part.sphere = std::move(*built).value();
    if (options.strict && !part.sphere->certificate.proved)
        return Error{ErrorKind::kNotSafe,
                     "not collision-safe: sampled spheres may miss contacts; use --sphere-coverage full"};
    report.trees.push_back({"sphere", part.sphere->spheres.size(),
                            static_cast<std::uint32_t>(part.sphere->levels.size()),
                            sphere_tree_payload(*part.sphere), seconds, report_of(*part.sphere)});
    return Success{};
}

Result<Success> build_trees(const BakeOptions& options, BakedPart& part, BakeReport& report,
                            Progress& progress) {
    if (options.sphere) {
        const Result<Success> built = build_sphere(options, part, report, progress);
        if (!built) return built.error();
    }
    if (options.aabb) {
        const double seconds =
            seconds_of([&] { part.aabb = build_aabb_tree(part.mesh, *options.aabb, progress); });
        report.trees.push_back({"aabb", part.aabb->nodes.size(), part.aabb->depth,
                                part.aabb->nodes.size() * sizeof(AabbNode), seconds});
    }
    if (options.box) {
        const double seconds =
            seconds_of([&] { part.box = build_box_tree(part.mesh, *options.box, progress); });
        report.trees.push_back({"box", part.box->nodes.size(), part.box->depth,
                                part.box->nodes.size() * sizeof(BoxNode), seconds});
    }
    if (options.cell) {
        const double seconds =
            seconds_of([&] { part.cell = build_cell_tree(part.mesh, *options.cell, progress); });
        const std::uint64_t entries = part.cell->triangles.size() + part.cell->edges.size();
        report.trees.push_back({"cell", part.cell->nodes.size(), part.cell->depth,
                                part.cell->nodes.size() * sizeof(CellNode) + entries * 4, seconds});
    }
    return Success{};
}

Result<Baked> bake_soup(const PolygonSoup& soup, const BakeOptions& options, Progress& progress) {
    progress.begin_stage("sanitize", 1);
    Result<SanitizedMesh> clean = sanitize(soup, options.sanitize);
    if (!clean) return clean.error();
    progress.advance();
    Baked baked;
    baked.report.sanitize = clean.value().report;
    if (options.strict) {
        const std::string reason = unsafe_reason(baked.report.sanitize);
        if (!reason.empty()) return Error{ErrorKind::kNotSafe, "not collision-safe: " + reason};
    }
    if (progress.cancelled()) return cancelled();
    AssetContents contents;
    contents.provenance = soup.provenance;
    contents.unit = soup.unit;
    contents.scale = soup.scale;
    contents.options = recorded_options(options);
    BakedPart& part = contents.parts.emplace_back();
    part.origin = clean.value().origin;
    part.closed = baked.report.sanitize.topology.closed;
    part.mesh = std::move(clean.value().mesh);
    const Result<Success> built = build_trees(options, part, baked.report, progress);
    if (progress.cancelled()) return cancelled();
    if (!built) return built.error();
    Result<std::vector<std::uint8_t>> bytes = write_asset(contents);
    if (!bytes) return bytes.error();
    baked.bytes = std::move(bytes).value();
    baked.report.file_bytes = baked.bytes.size();
    return baked;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> recorded_options(const BakeOptions& options) {
    std::vector<std::pair<std::string, std::string>> recorded;
    std::string trees;
    if (options.aabb) {
        trees += "aabb";
        recorded.emplace_back("aabb-leaf", std::to_string(options.aabb->leaf_triangles));
        recorded.emplace_back("aabb-split", split_name(options.aabb->split));
    }
    if (options.box) {
        trees += trees.empty() ? "box" : ",box";
        recorded.emplace_back("box-leaf", std::to_string(options.box->leaf_triangles));
        recorded.emplace_back("box-split", split_name(options.box->split));
    }
    if (options.sphere) {
        trees += trees.empty() ? "sphere" : ",sphere";
        record_sphere(*options.sphere, recorded);
    }
    if (options.cell) {
        trees += trees.empty() ? "cell" : ",cell";
        recorded.emplace_back("cell-delta", number_text(options.cell->delta));
        recorded.emplace_back("cell-depth", std::to_string(options.cell->depth));
        recorded.emplace_back("cell-empty", number_text(options.cell->empty_share));
        recorded.emplace_back("cell-gamma", number_text(options.cell->gamma));
        recorded.emplace_back("cell-lambda", number_text(options.cell->lambda));
        recorded.emplace_back("cell-min", std::to_string(options.cell->min_triangles));
    }
    recorded.emplace_back("scale", number_text(options.import.scale));
    recorded.emplace_back("trees", trees);
    recorded.emplace_back("unit", options.import.unit);
    recorded.emplace_back("weld", number_text(options.sanitize.weld_tolerance));
    std::sort(recorded.begin(), recorded.end());
    return recorded;
}

Result<Baked> bake(const std::filesystem::path& input, const BakeOptions& options, Progress& progress) {
    std::optional<tbb::global_control> threads;
    if (options.jobs > 0) threads.emplace(tbb::global_control::max_allowed_parallelism, options.jobs);
    std::optional<Result<Baked>> baked;
    const double seconds = seconds_of([&] {
        progress.begin_stage("read", 1);
        const Result<PolygonSoup> soup = import_mesh(input, options.import);
        progress.advance();
        baked = soup ? bake_soup(soup.value(), options, progress) : Result<Baked>(soup.error());
    });
    if (*baked) baked->value().report.seconds = seconds;
    return *std::move(baked);
}

}  // namespace espalier
