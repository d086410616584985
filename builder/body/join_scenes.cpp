// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "builder/body/scene_body.h"

namespace espalier {
namespace {

std::size_t placed_count(const Scene& scene) {
    return static_cast<std::size_t>(
        std::ranges::count_if(scene.nodes, [](const SceneNode& node) { return node.mesh != kNone; }));
}

/// Nodes and meshes of `scene` behind those of `all`.
void append(Scene scene, Scene& all) {
    const auto meshes = static_cast<std::uint32_t>(all.meshes.size());
    std::uint32_t root = kNone;
    if (placed_count(scene) == 1) {
        std::ranges::find_if(scene.nodes, [](const SceneNode& n) { return n.mesh != kNone; })->name =
            scene.name;
    } else {
        root = static_cast<std::uint32_t>(all.nodes.size());
        all.nodes.emplace_back().name = scene.name;
    }
    const auto nodes = static_cast<std::uint32_t>(all.nodes.size());
    for (SceneNode& node : scene.nodes) {
        node.parent = node.parent == kNone ? root : node.parent + nodes;
        if (node.mesh != kNone) node.mesh += meshes;
        all.nodes.push_back(std::move(node));
    }
    std::ranges::move(scene.meshes, std::back_inserter(all.meshes));
    for (Finding& finding : scene.findings) {
        finding.message.insert(0, scene.provenance.source_name + ": ");
        all.findings.push_back(std::move(finding));
    }
}

/// The sources' names, and the hash over their hashes.
Result<Provenance> joined(const std::vector<Scene>& scenes) {
    Provenance all;
    std::string digests;
    for (const Scene& scene : scenes) {
        all.source_name += (all.source_name.empty() ? "" : ", ") + scene.provenance.source_name;
        digests.append(scene.provenance.sha256.begin(), scene.provenance.sha256.end());
        all.size += scene.provenance.size;
    }
    const Result<std::array<std::uint8_t, 32>> digest = sha256(digests);
    if (!digest) return digest.error();
    all.sha256 = digest.value();
    return all;
}

}  // namespace

Result<Scene> join_scenes(std::vector<Scene> scenes) {
    if (scenes.size() == 1) return std::move(scenes.front());
    Result<Provenance> provenance = joined(scenes);
    if (!provenance) return provenance.error();
    Scene all;
    all.provenance = std::move(provenance).value();
    all.unit = scenes.front().unit;
    all.scale = scenes.front().scale;
    for (const Scene& scene : scenes) all.name += (all.name.empty() ? "" : "+") + scene.name;
    const auto differing = static_cast<std::uint64_t>(
        std::ranges::count_if(scenes, [&](const Scene& scene) { return scene.unit != all.unit; }));
    for (Scene& scene : scenes) append(std::move(scene), all);
    if (differing > 0) {
        all.unit.clear();
        all.findings.push_back(
            {"B06", Severity::kWarning, "units that differ", differing,
             std::to_string(differing) +
                 " files state another unit than the first, or none: coordinates were taken "
                 "as they are"});
    }
    return all;
}

}  // namespace espalier
