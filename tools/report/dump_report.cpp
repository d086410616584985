// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/report/dump_report.h"

#include <charconv>

#include "tools/report/text.h"

namespace espalier::tools {
namespace {

/// 16 hexadecimal digits: JSON's numbers do not hold 64 bits.
std::string hex_text(std::uint64_t value) {
    char digits[16];
    const auto end = std::to_chars(digits, digits + sizeof(digits), value, 16);
    const std::string text(digits, end.ptr);
    return std::string(16 - text.size(), '0') + text;
}

template <class Vector>
std::string vector_text(const Vector& v) {
    return number_text(v[0]) + " " + number_text(v[1]) + " " + number_text(v[2]);
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
    return fixed_text(whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole), 1) +
           " %";
}

std::string header_text(const std::string& file, const AssetDescription& asset) {
    std::vector<std::pair<std::string, std::string>> rows = {
        {"file", file},
        {"format", std::to_string(asset.version_major) + "." + std::to_string(asset.version_minor)},
        {"builder revision", std::to_string(asset.builder_revision)},
        {"size", bytes_text(asset.file_bytes)},
        {"checksum", hex_text(asset.checksum) + " (right)"},
        {"source", asset.source_name},
        {"source SHA-256", asset.source_sha256},
        {"unit", asset.unit.empty() ? "not stated" : asset.unit},
        {"scale", number_text(asset.scale)},
    };
    std::string options;
    for (const auto& [name, value] : asset.options)
        options += (options.empty() ? "" : " ") + name + "=" + value;
    rows.emplace_back("options", options);
    std::string text;
    for (const auto& [name, value] : rows) text += name + std::string(18 - name.size(), ' ') + value + "\n";
    return text;
}

std::string sections_text(const PartDescription& part, const AssetDescription& asset) {
    std::vector<std::vector<std::string>> rows = {{"section", "bytes", "of file"}};
    for (const SectionDescription& section : part.sections)
        rows.push_back(
            {section.name, std::to_string(section.bytes), percent_text(section.bytes, asset.file_bytes)});
    return table_text(rows, "  ");
}

std::string sphere_tree_text(const TreeDescription& tree) {
    const SphereDescription& sphere = *tree.sphere;
    std::string text =
        "\n  sphere " + std::string(sphere.dag ? "DAG" : "tree") + ": " + std::to_string(tree.nodes) +
        " spheres in " + std::to_string(tree.depth) + " levels, method " + sphere.method + ", up to " +
        std::to_string(sphere.branch) + " children a sphere on average, " + std::to_string(tree.bytes) +
        " bytes\n  " + sphere.coverage + " coverage " + (sphere.proved ? "proved" : "not proved") +
        (sphere.shared > 0 ? " with " + std::to_string(sphere.shared) + " shared children" : "") +
        (sphere.volume_proved ? ", volume coverage proved" : "") + "; errors from the " +
        (sphere.closed ? "solid of volume " + number_text(sphere.solid_volume)
                       : std::string("triangles (the mesh is not closed)")) +
        "; ended by the " + sphere.limit + "\n";
    std::vector<std::vector<std::string>> rows = {
        {"level", "spheres", "error mean", "error max", "union volume", "outside volume", "outside/solid"}};
    for (std::size_t i = 0; i < tree.levels.size(); ++i) {
        const SphereLevelDescription& level = sphere.levels[i];
        rows.push_back({std::to_string(i), std::to_string(tree.levels[i].nodes),
                        number_text(static_cast<float>(level.error_mean)),
                        number_text(static_cast<float>(level.error_max)),
                        number_text(static_cast<float>(level.union_volume)),
                        number_text(static_cast<float>(level.outside_volume)),
                        sphere.solid_volume > 0 ? fixed_text(level.outside_volume / sphere.solid_volume, 4)
                                                : std::string("-")});
    }
    return text + table_text(rows, "    ") +
           "    triangles in the leaves' lists: " + std::to_string(tree.levels.back().triangles) + "\n";
}

std::string tree_text(const TreeDescription& tree) {
    if (tree.sphere) return sphere_tree_text(tree);
    std::string text = "\n  " + tree.name + " tree: depth " + std::to_string(tree.depth) + ", " +
                       std::to_string(tree.nodes) + " nodes, " + std::to_string(tree.leaves) + " leaves, " +
                       std::to_string(tree.bytes) + " bytes, " + fixed_text(tree.bytes_per_triangle, 2) +
                       " bytes a triangle\n";
    if (tree.cells)
        text += "    " + std::to_string(tree.cells->empty_cells) + " empty cells, " +
                fixed_text(100 * tree.cells->empty_volume, 1) + " % of the volume; a triangle is in " +
                fixed_text(tree.cells->triangle_duplication, 2) + " leaves, one of " +
                std::to_string(tree.cells->edges) + " edges in " +
                fixed_text(tree.cells->edge_duplication, 2) + "\n";
    std::vector<std::vector<std::string>> levels = {{"level", "nodes", "leaves", "triangles"}};
    for (std::size_t i = 0; i < tree.levels.size(); ++i)
        levels.push_back({std::to_string(i), std::to_string(tree.levels[i].nodes),
                          std::to_string(tree.levels[i].leaves), std::to_string(tree.levels[i].triangles)});
    text += table_text(levels, "    ");
    std::vector<std::vector<std::string>> fill = {{"triangles in leaf", "leaves", "of leaves"}};
    for (std::size_t i = 0; i < tree.leaf_fill.size(); ++i)
        if (tree.leaf_fill[i] > 0)
            fill.push_back({std::to_string(i), std::to_string(tree.leaf_fill[i]),
                            percent_text(tree.leaf_fill[i], tree.leaves)});
    return fill.size() > 1 ? text + "\n" + table_text(fill, "    ") : text;
}

std::string part_text(std::size_t index, const PartDescription& part, const AssetDescription& asset) {
    std::string text = "\npart " + std::to_string(index) + (part.name.empty() ? "" : " (" + part.name + ")") +
                       ": " + std::to_string(part.triangles) + " triangles, " +
                       std::to_string(part.vertices) + " vertices, " + std::to_string(part.index_bits) +
                       "-bit indices, " + (part.closed ? "closed" : "not closed") + "\n";
    text += "  bounds " + vector_text(part.lo) + " to " + vector_text(part.hi) + ", origin " +
            vector_text(part.origin) + "\n\n";
    text += sections_text(part, asset);
    for (const TreeDescription& tree : part.trees) text += tree_text(tree);
    return text;
}

Json sphere_json(const SphereDescription& sphere) {
    Json json = {{"method", sphere.method},
                 {"branch", sphere.branch},
                 {"dag", sphere.dag},
                 {"shared", sphere.shared},
                 {"coverage", sphere.coverage},
                 {"proved", sphere.proved},
                 {"volume_proved", sphere.volume_proved},
                 {"closed", sphere.closed},
                 {"solid_volume", sphere.solid_volume},
                 {"limit", sphere.limit},
                 {"levels", Json::array()}};
    for (std::size_t i = 0; i < sphere.levels.size(); ++i)
        json["levels"].push_back({{"level", i},
                                  {"error_mean", sphere.levels[i].error_mean},
                                  {"error_max", sphere.levels[i].error_max},
                                  {"union_volume", sphere.levels[i].union_volume},
                                  {"outside_volume", sphere.levels[i].outside_volume}});
    return json;
}

Json tree_json(const TreeDescription& tree) {
    Json json = {{"name", tree.name},   {"depth", tree.depth},
                 {"nodes", tree.nodes}, {"leaves", tree.leaves},
                 {"bytes", tree.bytes}, {"bytes_per_triangle", tree.bytes_per_triangle}};
    if (tree.cells)
        json["cells"] = {{"empty", tree.cells->empty_cells},
                         {"empty_volume", tree.cells->empty_volume},
                         {"edges", tree.cells->edges},
                         {"triangle_duplication", tree.cells->triangle_duplication},
                         {"edge_duplication", tree.cells->edge_duplication}};
    json["levels"] = Json::array();
    for (std::size_t i = 0; i < tree.levels.size(); ++i)
        json["levels"].push_back({{"level", i},
                                  {"nodes", tree.levels[i].nodes},
                                  {"leaves", tree.levels[i].leaves},
                                  {"triangles", tree.levels[i].triangles}});
    json["leaf_fill"] = Json::array();
    for (std::size_t i = 0; i < tree.leaf_fill.size(); ++i)
        if (tree.leaf_fill[i] > 0)
            json["leaf_fill"].push_back({{"triangles", i}, {"leaves", tree.leaf_fill[i]}});
    if (tree.sphere) json["sphere"] = sphere_json(*tree.sphere);
    return json;
}

Json part_json(const PartDescription& part) {
    Json json = {{"name", part.name},
                 {"origin", part.origin},
                 {"bounds", {{"lo", part.lo}, {"hi", part.hi}}},
                 {"closed", part.closed},
                 {"vertices", part.vertices},
                 {"triangles", part.triangles},
                 {"index_bits", part.index_bits}};
    json["sections"] = Json::array();
    for (const SectionDescription& section : part.sections)
        json["sections"].push_back({{"name", section.name}, {"bytes", section.bytes}});
    json["trees"] = Json::array();
    for (const TreeDescription& tree : part.trees) json["trees"].push_back(tree_json(tree));
    return json;
}

}  // namespace

std::string dump_text(const std::string& file, const AssetDescription& asset) {
    std::string text = header_text(file, asset);
    for (std::size_t i = 0; i < asset.parts.size(); ++i) text += part_text(i, asset.parts[i], asset);
    return text + "\nheader, tables, provenance and padding: " + std::to_string(asset.other_bytes) +
           " bytes\n";
}

Json dump_json(const std::string& file, const AssetDescription& asset) {
    Json document = json_document("espalier-dump");
    document["file"] = file;
    document["format_version"] = {{"major", asset.version_major}, {"minor", asset.version_minor}};
    document["builder_revision"] = asset.builder_revision;
    document["file_bytes"] = asset.file_bytes;
    document["checksum"] = hex_text(asset.checksum);
    Json options = Json::object();
    for (const auto& [name, value] : asset.options) options[name] = value;
    document["provenance"] = {{"source_name", asset.source_name},
                              {"source_sha256", asset.source_sha256},
                              {"unit", asset.unit},
                              {"scale", asset.scale},
                              {"options", options}};
    document["parts"] = Json::array();
    for (const PartDescription& part : asset.parts) document["parts"].push_back(part_json(part));
    document["other_bytes"] = asset.other_bytes;
    return document;
}

}  // namespace espalier::tools
