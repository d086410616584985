// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/report/dump_report.h"

#include <algorithm>
#include <charconv>

#include "builder/base/number_text.h"
#include "tools/report/parts_report.h"
#include "tools/report/text.h"

namespace espalier::tools {
namespace {

/// Shapes that the text shows: more are for a program.
constexpr std::size_t kMostShapes = 20;

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

std::string sections_text(const ShapeDescription& shape, const AssetDescription& asset) {
    std::vector<std::vector<std::string>> rows = {{"section", "bytes", "of file"}};
    for (const SectionDescription& section : shape.sections)
        rows.push_back(
            {section.name, std::to_string(section.bytes), percent_text(section.bytes, asset.file_bytes)});
    return table_text(rows, "  ");
}

std::string levels_text(const TreeDescription& tree) {
    std::vector<std::vector<std::string>> rows = {{"level", "nodes", "leaves", "triangles"}};
    for (const LevelColumn& column : tree.columns) rows[0].push_back(column.heading);
    for (std::size_t i = 0; i < tree.levels.size(); ++i) {
        rows.push_back({std::to_string(i), std::to_string(tree.levels[i].nodes),
                        std::to_string(tree.levels[i].leaves), std::to_string(tree.levels[i].triangles)});
        for (const LevelColumn& column : tree.columns) rows.back().push_back(column.entries[i]);
    }
    return table_text(rows, "    ");
}

std::string tree_text(const TreeDescription& tree) {
    std::string text = "\n  " + tree.name + " tree: depth " + std::to_string(tree.depth) + ", " +
                       std::to_string(tree.nodes) + " nodes, " + std::to_string(tree.leaves) + " leaves, " +
                       std::to_string(tree.bytes) + " bytes, " + fixed_text(tree.bytes_per_triangle, 2) +
                       " bytes a triangle\n";
    for (const std::string& sentence : tree.sentences) text += "    " + sentence + "\n";
    text += levels_text(tree);
    std::vector<std::vector<std::string>> fill = {{"triangles in leaf", "leaves", "of leaves"}};
    for (std::size_t i = 0; i < tree.leaf_fill.size(); ++i)
        if (tree.leaf_fill[i] > 0)
            fill.push_back({std::to_string(i), std::to_string(tree.leaf_fill[i]),
                            percent_text(tree.leaf_fill[i], tree.leaves)});
    return fill.size() > 1 ? text + "\n" + table_text(fill, "    ") : text;
}

/// Which parts have the shape, where a file lists parts.
std::string placed_text(const ShapeDescription& shape, const AssetDescription& asset) {
    if (!asset.has_parts) return "";
    return shape.parts.size() == 1 ? ", of part " + asset.parts[shape.parts[0]].name
                                   : ", of " + counted(shape.parts.size(), "part");
}

std::string shape_text(std::size_t index, const ShapeDescription& shape, const AssetDescription& asset) {
    std::string text = "\nshape " + std::to_string(index) +
                       (shape.name.empty() ? "" : " (" + shape.name + ")") + placed_text(shape, asset) +
                       ": " + counted(shape.triangles, "triangle") + ", " + std::to_string(shape.vertices) +
                       " vertices, " + std::to_string(shape.index_bits) + "-bit indices, " +
                       (shape.closed ? "closed" : "not closed") + "\n";
    text += "  bounds " + vector_text(shape.lo) + " to " + vector_text(shape.hi) + ", origin " +
            vector_text(shape.origin) + "\n\n";
    text += sections_text(shape, asset);
    for (const TreeDescription& tree : shape.trees) text += tree_text(tree);
    return text;
}

/// The facts of one hierarchy alone, and those of its levels.
Json fact_group_json(const FactGroup& group) {
    Json json = facts_json(group.facts);
    for (std::size_t i = 0; i < group.levels.size(); ++i) {
        Json level = {{"level", i}};
        level.update(facts_json(group.levels[i]));
        json["levels"].push_back(level);
    }
    return json;
}

/// Facts about levels stand behind the levels, others before them.
Json tree_json(const TreeDescription& tree) {
    Json json = {{"name", tree.name},   {"depth", tree.depth},
                 {"nodes", tree.nodes}, {"leaves", tree.leaves},
                 {"bytes", tree.bytes}, {"bytes_per_triangle", tree.bytes_per_triangle}};
    const bool has_facts = !tree.facts.name.empty();
    if (has_facts && tree.facts.levels.empty()) json[tree.facts.name] = fact_group_json(tree.facts);
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
    if (has_facts && !tree.facts.levels.empty()) json[tree.facts.name] = fact_group_json(tree.facts);
    return json;
}

Json shape_json(const ShapeDescription& shape) {
    Json json = {{"name", shape.name},           {"parts", shape.parts},
                 {"origin", shape.origin},       {"bounds", {{"lo", shape.lo}, {"hi", shape.hi}}},
                 {"closed", shape.closed},       {"vertices", shape.vertices},
                 {"triangles", shape.triangles}, {"index_bits", shape.index_bits}};
    json["sections"] = Json::array();
    for (const SectionDescription& section : shape.sections)
        json["sections"].push_back({{"name", section.name}, {"bytes", section.bytes}});
    json["trees"] = Json::array();
    for (const TreeDescription& tree : shape.trees) json["trees"].push_back(tree_json(tree));
    return json;
}

}  // namespace

std::string dump_text(const std::string& file, const AssetDescription& asset) {
    std::string text = header_text(file, asset);
    text += parts_text(asset);
    const std::size_t shown = std::min(asset.shapes.size(), kMostShapes);
    for (std::size_t i = 0; i < shown; ++i) text += shape_text(i, asset.shapes[i], asset);
    if (shown < asset.shapes.size())
        text +=
            "\n... and " + std::to_string(asset.shapes.size() - shown) + " more shapes (--json has all)\n";
    return text + "\nheader, tables, provenance and padding: " + std::to_string(asset.other_bytes) +
           " bytes\n";
}

Json dump_json(const std::string& file, const AssetDescription& asset) {
    Json document = json_document("espalier-dump", 2);
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
    document["parts"] = parts_json(asset);
    document["configuration"] = asset.configuration;
    document["pairs"] = pairs_json(asset.pairs);
    document["shapes"] = Json::array();
    for (const ShapeDescription& shape : asset.shapes) document["shapes"].push_back(shape_json(shape));
    document["other_bytes"] = asset.other_bytes;
    return document;
}

}  // namespace espalier::tools
