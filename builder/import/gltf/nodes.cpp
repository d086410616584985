// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/nodes.h"

#include <algorithm>

#include "builder/import/gltf/transforms.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats::gltf {
namespace {

// Levels of nodes: more than any tool writes. Transforms are multiplied along them; deeper ones mean a broken
// file.
constexpr std::size_t kMostNodeNesting = 256;
// Scenes that the message about one that is not there names.
constexpr std::size_t kScenesInMessage = 8;

std::string where_of(std::uint64_t node) {
    return "node " + std::to_string(node);
}

Node read_node(const Json& root, const Json& json, const std::string& where) {
    Node node;
    node.name = name_of(json);
    node.to_parent = node_transform(json, where);
    node.singular = is_singular(node.to_parent);
    node.weights = numbers(json, "weights", 0, where);
    const auto reference = [&](const char* key, const char* list) -> std::optional<std::uint64_t> {
        const Json* found = member(json, key);
        if (found == nullptr) return std::nullopt;
        const std::uint64_t index = integer(*found, where, key);
        element(root, list, index, where);
        return index;
    };
    node.mesh = reference("mesh", "meshes");
    node.skin = reference("skin", "skins");
    if (const Json* instancing = extension_of(json, "EXT_mesh_gpu_instancing"))
        node.instances = &required(*instancing, "attributes", where);
    for (const Json& child : array(json, "children", where)) {
        node.children.push_back(integer(child, where, "children"));
        element(root, "nodes", node.children.back(), where);
    }
    return node;
}

void link_parents(std::vector<Node>& nodes) {
    for (std::uint64_t i = 0; i < nodes.size(); ++i) {
        for (const std::uint64_t child : nodes[i].children) {
            if (nodes[child].parent != kNoNode) fail(where_of(child) + " has two parents");
            nodes[child].parent = i;
        }
    }
}

// From the roots down: every node has one parent at most, so whatever is not met is in a cycle or below one.
void place(std::vector<Node>& nodes) {
    std::vector<std::pair<std::uint64_t, std::size_t>> open;
    for (std::uint64_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].parent == kNoNode) open.emplace_back(i, 0);
    std::vector<char> met(nodes.size(), 0);
    while (!open.empty()) {
        const auto [index, depth] = open.back();
        open.pop_back();
        if (depth > kMostNodeNesting) fail(where_of(index) + " is nested too deeply");
        met[index] = 1;
        Node& node = nodes[index];
        node.to_world = node.to_parent;
        if (node.parent != kNoNode) {
            node.to_world = nodes[node.parent].to_world * node.to_parent;
            node.singular = node.singular || nodes[node.parent].singular;
        }
        for (const std::uint64_t child : node.children) open.emplace_back(child, depth + 1);
    }
    for (std::uint64_t i = 0; i < nodes.size(); ++i)
        if (!met[i]) fail(where_of(i) + " contains itself, or is below a node that does");
}

std::uint64_t scene_of_name(const Json& root, const std::string& wanted) {
    const std::vector<std::string> names = scene_names(root);
    if (const auto number = text_scan::parse_integer(wanted);
        number && *number >= 0 && *number < std::ssize(names))
        return static_cast<std::uint64_t>(*number);
    if (const auto found = std::ranges::find(names, wanted); found != names.end())
        return static_cast<std::uint64_t>(found - names.begin());
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), kScenesInMessage); ++i)
        list += (i == 0 ? ": " : ", ") + std::to_string(i) + " " + text_scan::quote(names[i]);
    fail("there is no scene " + text_scan::quote(wanted) + "; the file has " + std::to_string(names.size()) +
         " scenes" + list);
}

}  // namespace

std::vector<Node> read_nodes(const Json& root) {
    const Json& list = array(root, "nodes", "the file");
    if (list.size() > kMostNodes)
        fail("the file has " + std::to_string(list.size()) + " nodes, more than " +
                 std::to_string(kMostNodes) + "; divide it",
             ErrorKind::kUnsupported);
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < list.size(); ++i) nodes.push_back(read_node(root, list[i], where_of(i)));
    link_parents(nodes);
    place(nodes);
    return nodes;
}

std::vector<std::string> scene_names(const Json& root) {
    std::vector<std::string> names;
    for (const Json& scene : array(root, "scenes", "the file")) names.push_back(name_of(scene));
    return names;
}

ChosenScene choose_scene(const Json& root, const std::vector<Node>& nodes, const std::string& wanted) {
    ChosenScene chosen;
    if (wanted.empty() && array(root, "scenes", "the file").empty()) {
        chosen.where = "the file";
        for (std::uint64_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].parent == kNoNode) chosen.roots.push_back(i);
        return chosen;
    }
    const std::uint64_t scene =
        wanted.empty() ? integer_or(root, "scene", 0, "the file") : scene_of_name(root, wanted);
    chosen.where = "scene " + std::to_string(scene);
    std::vector<char> used(nodes.size(), 0);
    for (const Json& node : array(element(root, "scenes", scene, "the file"), "nodes", chosen.where)) {
        const std::uint64_t index = integer(node, chosen.where, "nodes");
        element(root, "nodes", index, chosen.where);
        if (nodes[index].parent != kNoNode) fail(chosen.where + ": " + where_of(index) + " is not a root");
        if (used[index]) fail(chosen.where + " has " + where_of(index) + " twice");
        used[index] = 1;
        chosen.roots.push_back(index);
    }
    return chosen;
}

}  // namespace espalier::import_formats::gltf
