// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/report/bake_report.h"

#include <algorithm>

#include "builder/base/number_text.h"
#include "builder/base/revision.h"
#include "tools/io/failure.h"
#include "tools/report/text.h"

namespace espalier::tools {
namespace {

Json mesh_json(const SanitizeReport& mesh) {
    const Topology& topology = mesh.topology;
    return {{"input_vertices", mesh.input_vertices},
            {"input_polygons", mesh.input_polygons},
            {"input_triangles", mesh.input_triangles},
            {"vertices", mesh.vertices},
            {"triangles", mesh.triangles},
            {"removed",
             {{"unreferenced_vertices", mesh.unreferenced_vertices},
              {"welded_vertices", mesh.welded_vertices},
              {"orphaned_vertices", mesh.orphaned_vertices},
              {"degenerate_polygons", mesh.degenerate_polygons},
              {"degenerate_triangles", mesh.degenerate_triangles},
              {"duplicate_triangles", mesh.duplicate_triangles}}},
            {"recentred", mesh.recentred},
            {"largest_rounding", mesh.largest_rounding},
            {"topology",
             {{"closed", topology.closed},
              {"edge_manifold", topology.edge_manifold},
              {"oriented", topology.oriented},
              {"boundary_edges", topology.boundary_edges},
              {"non_manifold_edges", topology.non_manifold_edges},
              {"inconsistent_edges", topology.inconsistent_edges},
              {"components", topology.components},
              {"euler_characteristic", topology.euler_characteristic},
              {"signed_volume", topology.signed_volume}}}};
}

Json findings_json(const std::vector<Finding>& findings) {
    Json json = Json::array();
    for (const Finding& finding : findings)
        json.push_back({{"number", finding.number},
                        {"severity", to_string(finding.severity)},
                        {"name", finding.name},
                        {"count", finding.count},
                        {"message", finding.message}});
    return json;
}

Json trees_json(const std::vector<TreeReport>& trees) {
    Json json = Json::array();
    for (const TreeReport& tree : trees) {
        json.push_back({{"name", tree.name},
                        {"nodes", tree.nodes},
                        {"depth", tree.depth},
                        {"bytes", tree.bytes},
                        {"seconds", tree.seconds}});
        if (!tree.facts.name.empty()) json.back()[tree.facts.name] = facts_json(tree.facts.facts);
    }
    return json;
}

Json shapes_json(const std::vector<ShapeReport>& shapes) {
    Json json = Json::array();
    for (const ShapeReport& shape : shapes) {
        json.push_back({{"name", shape.name}, {"stored", !shape.vanished}});
        if (shape.vanished) continue;
        json.back()["mesh"] = mesh_json(shape.sanitize);
        json.back()["findings"] = findings_json(shape.sanitize.findings);
        json.back()["trees"] = trees_json(shape.trees);
    }
    return json;
}

Json outcome_json(const BakeTask& task, const BakeOutcome& outcome) {
    Json json = {{"input", task.name()},
                 {"inputs", Json::array()},
                 {"output", task.output.string()},
                 {"ok", !outcome.error && !outcome.cancelled}};
    for (const std::filesystem::path& input : task.inputs) json["inputs"].push_back(input.string());
    if (outcome.cancelled) {
        json["cancelled"] = true;
        return json;
    }
    if (outcome.error) {
        json["error"] = {{"file", outcome.blamed},
                         {"exit_code", static_cast<int>(outcome.error->kind)},
                         {"kind", kind_name(outcome.error->kind)},
                         {"message", outcome.error->message}};
        return json;
    }
    json["mesh"] = mesh_json(outcome.report.sanitize);
    json["findings"] = findings_json(outcome.report.sanitize.findings);
    json["trees"] = trees_json(outcome.report.trees);
    json["parts"] = outcome.report.parts;
    json["placed_triangles"] = outcome.report.placed_triangles;
    json["shapes"] = shapes_json(outcome.report.shapes);
    json["file_bytes"] = outcome.report.file_bytes;
    json["seconds"] = outcome.report.seconds;
    return json;
}

/// "3 parts of 2 shapes, "; nothing where there is one of each.
std::string parts_text(const BakeReport& report) {
    if (report.parts == 1) return "";
    const auto stored = std::ranges::count(report.shapes, false, &ShapeReport::vanished);
    return counted(report.parts, "part") + " of " + counted(static_cast<std::uint64_t>(stored), "shape") +
           ", ";
}

}  // namespace

std::string bake_text(const BakeTask& task, const BakeReport& report) {
    std::string text = task.name() + " -> " + task.output.string() + ": " + parts_text(report) +
                       std::to_string(report.sanitize.triangles) + " triangles";
    if (report.placed_triangles != report.sanitize.triangles)
        text += " placed as " + std::to_string(report.placed_triangles);
    for (const TreeReport& tree : report.trees) {
        text += ", " + tree.name + " tree of " + std::to_string(tree.nodes) + " nodes and depth " +
                std::to_string(tree.depth);
        if (!tree.sentence.empty()) text += " (" + tree.sentence + ")";
    }
    text += ", " + bytes_text(report.file_bytes) + ", " + fixed_text(report.seconds, 2) + " s\n";
    for (const Finding& finding : report.sanitize.findings)
        text += "  " + finding.number + " " + to_string(finding.severity) + ": " + finding.message + "\n";
    return text;
}

Json bake_json(const std::vector<BakeTask>& tasks, const std::vector<BakeOutcome>& outcomes, int exit_code) {
    Json document = json_document("espalier-bake");
    document["builder_revision"] = kBuilderRevision;
    document["exit_code"] = exit_code;
    document["results"] = Json::array();
    for (std::size_t i = 0; i < tasks.size(); ++i)
        document["results"].push_back(outcome_json(tasks[i], outcomes[i]));
    return document;
}

}  // namespace espalier::tools
