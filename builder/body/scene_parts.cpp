// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/body/scene_parts.h"

#include <algorithm>
#include <map>
#include <set>

#include "builder/body/body_description.h"
#include "builder/body/name_pattern.h"
#include "builder/body/utf8.h"

namespace espalier {
namespace {

/// Names that the message about a pattern that fits none lists.
constexpr std::size_t kNamesInMessage = 8;

/// Nodes that place something or have such a node below them.
std::vector<char> used_nodes(const Scene& scene) {
    std::vector<char> used(scene.nodes.size(), 0);
    for (std::size_t i = scene.nodes.size(); i-- > 0;) {
        const SceneNode& node = scene.nodes[i];
        if (node.mesh != kNone) used[i] = 1;
        if (used[i] && node.parent != kNone) used[node.parent] = 1;
    }
    return used;
}

/// One finding for all changes of a kind, with the first of them.
struct Change {
    const char* number;
    Severity severity;
    const char* name;
    const char* sentence;
    std::uint64_t count = 0;
    std::string first = {};

    void note(const std::string& from, const std::string& to) {
        if (count++ == 0) first = from.empty() ? "'" + to + "'" : "'" + from + "' is '" + to + "'";
    }
    void report(std::vector<Finding>& findings) const {
        if (count > 0)
            findings.push_back({number, severity, name, count,
                                std::to_string(count) + " " + sentence + ", the first: " + first});
    }
};

class Naming {
  public:
    Naming(const Scene& scene, std::vector<ScenePart>& parts) : scene_(scene), parts_(parts) {}

    void run(std::vector<Finding>& findings) {
        std::set<std::string> wanted;
        for (std::size_t i = 0; i < parts_.size(); ++i) {
            parts_[i].name = wanted_name(i);
            wanted.insert(parts_[i].name);
        }
        std::set<std::string> taken;
        for (ScenePart& part : parts_)
            if (!taken.insert(part.name).second) part.name = free_name(part.name, wanted, taken);
        for (const Change* change : {&unnamed_, &duplicate_, &no_text_}) change->report(findings);
    }

  private:
    std::string wanted_name(std::size_t i) {
        const SceneNode& node = scene_.nodes[parts_[i].node];
        std::string given = node.name;
        if (given.empty() && parts_[i].placed) given = scene_.meshes[node.mesh].name;
        if (given.empty()) given.append("part").append(std::to_string(i));
        std::string text = as_utf8_name(given);
        if (text != given) no_text_.note("", text);
        if (node.name.empty()) unnamed_.note("", text);
        return text;
    }

    std::string free_name(const std::string& name, const std::set<std::string>& wanted,
                          std::set<std::string>& taken) {
        std::uint64_t& number = next_.try_emplace(name, 2).first->second;
        std::string free;
        do {
            free = name + "#" + std::to_string(number++);
        } while (wanted.contains(free) || !taken.insert(free).second);
        duplicate_.note(name, free);
        return free;
    }

    const Scene& scene_;
    std::vector<ScenePart>& parts_;
    std::map<std::string, std::uint64_t> next_;  // number behind each name that is there twice
    Change unnamed_{"B01", Severity::kInfo, "unnamed parts",
                    "nodes have no name and are called as their mesh or by a number"};
    Change duplicate_{"B02", Severity::kInfo, "duplicate names", "parts are called as an earlier one"};
    Change no_text_{"B03", Severity::kInfo, "names that are no text",
                    "names have bytes that are no UTF-8, or control characters"};
};

Error no_name_fits(const std::vector<ScenePart>& parts, const std::string& patterns) {
    std::string names;
    for (std::size_t i = 0; i < std::min(parts.size(), kNamesInMessage); ++i)
        names += (i == 0 ? "" : ", ") + parts[i].name;
    if (parts.size() > kNamesInMessage)
        names += " and " + std::to_string(parts.size() - kNamesInMessage) + " more";
    return {ErrorKind::kInvalidInput, "no part's name fits '" + patterns + "'; there are " + names};
}

/// Sets the parents among what is left of the parts: the nearest node above that is one.
void link(const Scene& scene, std::vector<ScenePart>& parts) {
    std::vector<std::uint32_t> part_at(scene.nodes.size(), kNone);
    for (std::uint32_t i = 0; i < parts.size(); ++i) part_at[parts[i].node] = i;
    std::uint32_t next = 0;
    // Of every node: the part that it is, or else that which its parent has.
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        const std::uint32_t parent = scene.nodes[i].parent;
        const std::uint32_t above = parent == kNone ? kNone : part_at[parent];
        if (next < parts.size() && parts[next].node == i)
            parts[next++].parent = above;
        else
            part_at[i] = above;
    }
}

/// Keeps the placed parts whose names fit, and the frames above them.
Result<Success> keep_fitting(const Scene& scene, const std::string& patterns, std::vector<ScenePart>& parts) {
    std::vector<char> kept(parts.size(), 0);
    bool any = false;
    link(scene, parts);
    for (std::size_t i = parts.size(); i-- > 0;) {
        if (parts[i].placed && fits_patterns(parts[i].name, patterns)) kept[i] = any = true;
        const bool above = kept[i] && parts[i].parent != kNone;
        if (above && !parts[parts[i].parent].placed) kept[parts[i].parent] = 1;
    }
    if (!any) return no_name_fits(parts, patterns);
    std::size_t next = 0;
    std::erase_if(parts, [&](const ScenePart&) { return !kept[next++]; });
    return Success{};
}

}  // namespace

Result<std::vector<ScenePart>> scene_parts(const Scene& scene, const SceneChoice& choice,
                                           std::vector<Finding>& findings) {
    const std::vector<char> used = used_nodes(scene);
    std::vector<ScenePart> parts;
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i) {
        const bool placed = scene.nodes[i].mesh != kNone;
        if (placed || (choice.frames && used[i])) parts.push_back({i, {}, kNone, placed});
    }
    // Before names are made: a small file may have millions of nodes.
    if (parts.size() > kMostParts)
        return Error{ErrorKind::kUnsupported, std::to_string(parts.size()) + " parts are more than " +
                                                  std::to_string(kMostParts) +
                                                  "; bake it as one with --merge, or divide it"};
    Naming(scene, parts).run(findings);
    if (!choice.parts.empty()) {
        const Result<Success> kept = keep_fitting(scene, choice.parts, parts);
        if (!kept) return kept.error();
    }
    link(scene, parts);
    return parts;
}

}  // namespace espalier
