// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/bake_totals.h"

#include <algorithm>
#include <map>

namespace espalier {
namespace {

void add_topology(const Topology& shape, Topology& all) {
    for (const auto count : {&Topology::edges, &Topology::boundary_edges, &Topology::non_manifold_edges,
                             &Topology::inconsistent_edges, &Topology::components})
        all.*count += shape.*count;
    all.euler_characteristic += shape.euler_characteristic;
    all.signed_volume += shape.signed_volume;
    for (const auto holds :
         {&Topology::edge_manifold, &Topology::oriented, &Topology::closed, &Topology::balanced})
        all.*holds = all.*holds && shape.*holds;
    all.inside_out = all.inside_out || shape.inside_out;
}

void add_counts(const SanitizeReport& shape, SanitizeReport& all) {
    for (const auto count : {&SanitizeReport::input_vertices, &SanitizeReport::input_polygons,
                             &SanitizeReport::unreferenced_vertices, &SanitizeReport::degenerate_polygons,
                             &SanitizeReport::crossing_polygons, &SanitizeReport::input_triangles,
                             &SanitizeReport::flushed_coordinates, &SanitizeReport::welded_vertices,
                             &SanitizeReport::degenerate_triangles, &SanitizeReport::duplicate_triangles,
                             &SanitizeReport::opposite_duplicates, &SanitizeReport::orphaned_vertices,
                             &SanitizeReport::vertices, &SanitizeReport::triangles})
        all.*count += shape.*count;
    all.recentred = all.recentred || shape.recentred;
    all.largest_rounding = std::max(all.largest_rounding, shape.largest_rounding);
    add_topology(shape.topology, all.topology);
}

/// A finding of several shapes: that of the first one, with the sum of the counts.
struct SharedFinding {
    Finding finding;
    std::string shape;
    std::uint64_t shapes = 1;
};

/// By number: a body of thousands of shapes must not have thousands of lines.
std::vector<Finding> shared_findings(const std::vector<ShapeReport>& shapes) {
    std::map<std::string, SharedFinding> all;
    for (const ShapeReport& shape : shapes)
        for (const Finding& finding : shape.sanitize.findings) {
            const auto [entry, is_new] = all.try_emplace(finding.number, SharedFinding{finding, shape.name});
            if (is_new) continue;
            entry->second.finding.count += finding.count;
            ++entry->second.shapes;
        }
    std::vector<Finding> findings;
    for (auto& [number, shared] : all) {
        const std::uint64_t others = shared.shapes - 1;
        std::string where = "shape '" + shared.shape + "': ";
        shared.finding.message.insert(0, where);
        if (others > 0)
            shared.finding.message +=
                "; likewise in " + std::to_string(others) + (others == 1 ? " other shape" : " other shapes");
        findings.push_back(std::move(shared.finding));
    }
    return findings;
}

void add_trees(const std::vector<TreeReport>& shape, std::vector<TreeReport>& all) {
    for (const TreeReport& tree : shape) {
        const auto found = std::ranges::find(all, tree.name, &TreeReport::name);
        TreeReport& total = found == all.end() ? all.emplace_back() : *found;
        total.name = tree.name;
        total.nodes += tree.nodes;
        total.depth = std::max(total.depth, tree.depth);
        total.bytes += tree.bytes;
        total.seconds += tree.seconds;
    }
}

void add_vanished(const std::vector<ShapeReport>& shapes, std::vector<Finding>& findings) {
    const auto vanished = std::ranges::find(shapes, true, &ShapeReport::vanished);
    const auto count = static_cast<std::uint64_t>(std::ranges::count(shapes, true, &ShapeReport::vanished));
    if (count == 0) return;
    findings.push_back({"B05", Severity::kWarning, "shapes without triangles", count,
                        std::to_string(count) + " shapes, '" + vanished->name +
                            "' the first, have no triangle left and are not stored: their parts are frames"});
}

}  // namespace

void add_totals(const std::vector<Finding>& noticed, BakeReport& report) {
    SanitizeReport& all = report.sanitize;
    if (report.shapes.size() == 1) {
        all = report.shapes[0].sanitize;
        report.trees = report.shapes[0].trees;
    } else {
        all.topology.edge_manifold = all.topology.oriented = all.topology.closed = all.topology.balanced =
            true;
        for (const ShapeReport& shape : report.shapes) {
            if (shape.vanished) continue;
            add_counts(shape.sanitize, all);
            add_trees(shape.trees, report.trees);
        }
        all.findings = shared_findings(report.shapes);
        add_vanished(report.shapes, all.findings);
    }
    all.findings.insert(all.findings.begin(), noticed.begin(), noticed.end());
}

}  // namespace espalier
