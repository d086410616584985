// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/report/parts_report.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <span>
#include <string_view>

#include "builder/base/number_text.h"
#include "builder/body/joint_names.h"
#include "builder/hierarchy/tree_option.h"
#include "tools/report/text.h"

namespace espalier::tools {
namespace {

/// Parts that the text shows: more are for a program.
constexpr std::size_t kMostParts = 100;
/// Deeper parts are not shifted farther.
constexpr std::uint32_t kMostIndent = 20;

std::string numbers_text(std::span<const double> numbers) {
    std::string text;
    for (const double number : numbers) {
        if (!text.empty()) text += ' ';
        text += number_text(number);
    }
    return text;
}

bool is_identity(const double (&rotation)[4]) {
    return rotation[0] == 1 && rotation[1] == 0 && rotation[2] == 0 && rotation[3] == 0;
}

std::string joined(std::initializer_list<std::string_view> pieces) {
    std::string text;
    for (const std::string_view piece : pieces) text += piece;
    return text;
}

std::string rest_text(const PartNode& node) {
    std::string text;
    if (std::ranges::any_of(node.translation, [](double x) { return x != 0; }))
        text += joined({", at ", numbers_text(node.translation)});
    if (!is_identity(node.rotation)) text += joined({", turned ", numbers_text(node.rotation)});
    return text;
}

std::string mimic_text(const PartNode& node, const AssetDescription& asset) {
    if (node.mimic == kNoIndex) return "";
    std::string text =
        joined({" = ", number_text(node.multiplier), " * that of ", asset.parts[node.mimic].name});
    if (node.offset != 0) text += joined({" + ", number_text(node.offset)});
    return text;
}

std::string joint_text(const PartDescription& part, const AssetDescription& asset) {
    const PartNode& node = part.node;
    if (node.joint == Joint::kFixed) return "";
    std::string text = joined({", ", name_of(node.joint), " joint"});
    if (!part.joint_name.empty()) text += joined({" '", part.joint_name, "'"});
    if (joint_value_count(node.joint) == 1)
        text += joined({node.joint == Joint::kPrismatic ? " along " : " about ", numbers_text(node.axis)});
    if (std::isfinite(node.lower) || std::isfinite(node.upper))
        text += joined({" from ", number_text(node.lower), " to ", number_text(node.upper)});
    return text + mimic_text(node, asset);
}

std::string part_line(std::size_t index, const AssetDescription& asset) {
    const PartDescription& part = asset.parts[index];
    const std::string indent(2 + 2 * std::size_t{std::min(part.depth, kMostIndent)}, ' ');
    const std::string shape =
        part.node.shape == kNoIndex ? "frame only" : joined({"shape ", std::to_string(part.node.shape)});
    return joined({indent, std::to_string(index), " ", part.name, ": ", shape, rest_text(part.node),
                   joint_text(part, asset), "\n"});
}

/// Parts as a tree: depth first, children in their order.
std::vector<std::size_t> tree_order(const AssetDescription& asset) {
    std::vector<std::vector<std::size_t>> children(asset.parts.size() + 1);
    const std::size_t root = asset.parts.size();
    for (std::size_t i = 0; i < asset.parts.size(); ++i) {
        const std::uint32_t parent = asset.parts[i].node.parent;
        children[parent == kNoIndex ? root : parent].push_back(i);
    }
    std::vector<std::size_t> order, open = {root};
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        if (at != root) order.push_back(at);
        open.insert(open.end(), children[at].rbegin(), children[at].rend());
    }
    return order;
}

std::string pairs_text(const PairDescription& pairs) {
    if (pairs.pairs.empty()) return "";
    std::string reasons;
    for (const auto& [reason, count] : pairs.counts) {
        if (!reasons.empty()) reasons += ", ";
        reasons += std::to_string(count) + ' ';
        reasons += name_of(reason);
    }
    return joined({"\npairs without a test: ", std::to_string(pairs.pairs.size()), " (", reasons, "; ",
                   std::to_string(pairs.proved), " proved for every state)\n"});
}

/// JSON has no infinity: no limit is null.
Json limit_json(double limit) {
    return std::isfinite(limit) ? Json(limit) : Json();
}

Json index_json(std::uint32_t index) {
    return index == kNoIndex ? Json() : Json(index);
}

Json joint_json(const PartDescription& part) {
    const PartNode& node = part.node;
    Json json = {
        {"type", name_of(node.joint)},     {"name", part.joint_name},         {"axis", node.axis},
        {"lower", limit_json(node.lower)}, {"upper", limit_json(node.upper)}, {"values", node.value_count()}};
    json["mimic"] =
        node.mimic == kNoIndex
            ? Json()
            : Json({{"part", node.mimic}, {"multiplier", node.multiplier}, {"offset", node.offset}});
    return json;
}

}  // namespace

std::string parts_text(const AssetDescription& asset) {
    if (!asset.has_parts) return "";
    std::uint64_t placed = 0;
    for (const ShapeDescription& shape : asset.shapes) placed += shape.triangles * shape.parts.size();
    std::string text =
        joined({"\n", counted(asset.parts.size(), "part"), " of ", counted(asset.shapes.size(), "shape"),
                ", ", counted(placed, "triangle"), " placed; a configuration of the joints has ",
                counted(asset.configuration.size(), "value"), "\n"});
    const std::vector<std::size_t> order = tree_order(asset);
    const std::size_t shown = std::min(order.size(), kMostParts);
    for (std::size_t i = 0; i < shown; ++i) text += part_line(order[i], asset);
    if (shown < order.size())
        text +=
            joined({"  ... and ", std::to_string(order.size() - shown), " more parts (--json has all)\n"});
    return text + pairs_text(asset.pairs);
}

Json parts_json(const AssetDescription& asset) {
    Json json = Json::array();
    for (const PartDescription& part : asset.parts)
        json.push_back({{"name", part.name},
                        {"parent", index_json(part.node.parent)},
                        {"shape", index_json(part.node.shape)},
                        {"rest", {{"rotation", part.node.rotation}, {"translation", part.node.translation}}},
                        {"joint", joint_json(part)}});
    return json;
}

Json pairs_json(const PairDescription& pairs) {
    Json reasons = Json::object();
    for (const std::string_view reason : kEnumNames<PairReason>) reasons[std::string(reason)] = 0;
    for (const auto& [reason, count] : pairs.counts) reasons[std::string(name_of(reason))] = count;
    Json json = {{"count", pairs.pairs.size()}, {"proved", pairs.proved}, {"by_reason", reasons}};
    json["list"] = Json::array();
    for (const PartPair& pair : pairs.pairs)
        json["list"].push_back({{"a", pair.a},
                                {"b", pair.b},
                                {"reason", name_of(pair.reason)},
                                {"samples", pair.samples},
                                {"share", pair.share},
                                {"proved", pair.proved != 0}});
    return json;
}

}  // namespace espalier::tools
