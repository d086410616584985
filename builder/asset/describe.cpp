// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's views give meshes and hierarchies; flatc's reader gives what the runtime has no use for.
#include "builder/asset/describe.h"

#include <algorithm>

#include "builder/asset/aligned_bytes.h"
#include "builder/cell/describe.h"
#include "builder/import/provenance.h"
#include "builder/medial/medial_ply.h"
#include "builder/sphere/read_back.h"
#include "espalier/asset.h"
#include "espalier_generated.h"
#include "runtime/src/box/codec.h"

namespace espalier {
namespace {

std::string text_of(const flatbuffers::String* string) {
    return string ? string->str() : std::string();
}

void describe_provenance(const schema::Provenance* provenance, AssetDescription& asset) {
    if (!provenance) return;
    asset.source_name = text_of(provenance->source_name());
    asset.unit = text_of(provenance->unit());
    asset.scale = provenance->scale();
    std::array<std::uint8_t, 32> digest;
    if (const auto* stored = provenance->source_sha256(); stored && stored->size() == digest.size()) {
        std::copy(stored->begin(), stored->end(), digest.begin());
        asset.source_sha256 = to_hex(digest);
    }
    if (const auto* options = provenance->options())
        for (const schema::Option* option : *options)
            asset.options.emplace_back(option->name()->str(), option->value()->str());
}

/// Adds a tree of nodes of a fixed size, and perhaps a leaf order, with its sections.
void add_tree(TreeDescription tree, std::uint64_t node_size, bool has_order, PartDescription& part) {
    const std::uint64_t node_bytes = tree.nodes * node_size;
    const std::uint64_t order_bytes = has_order ? part.triangles * 4 : 0;
    part.sections.push_back({tree.name + " nodes", node_bytes});
    if (order_bytes > 0) part.sections.push_back({tree.name + " order", order_bytes});
    tree.bytes = node_bytes + order_bytes;
    tree.bytes_per_triangle = static_cast<double>(tree.bytes) / static_cast<double>(part.triangles);
    part.trees.push_back(std::move(tree));
}

/// Counts the nodes below `index` into the levels from `level` on. Verified trees are at most kMaxAabbDepth deep.
void count_aabb_nodes(const AabbTreeView& view, std::uint32_t index, std::size_t level,
                      TreeDescription& tree) {
    if (tree.levels.size() <= level) tree.levels.resize(level + 1);
    ++tree.levels[level].nodes;
    const AabbNode& node = view.nodes[index];
    std::uint32_t next_child = node.first_child;
    for (const std::uint8_t kind : node.kind) {
        if (kind == kChildNone) continue;
        if (kind == kChildInner) {
            count_aabb_nodes(view, next_child++, level + 1, tree);
            continue;
        }
        ++tree.leaves;
        ++tree.levels[level].leaves;
        tree.levels[level].triangles += kind;
        ++tree.leaf_fill[kind];
    }
}

void describe_aabb(const PartView& view, PartDescription& part) {
    if (!view.aabb.nodes) return;
    TreeDescription tree;
    tree.name = "aabb";
    tree.depth = view.aabb.depth;
    tree.nodes = view.aabb.node_count;
    tree.leaf_fill.resize(kMaxLeafTriangles + 1);
    count_aabb_nodes(view.aabb, 0, 0, tree);
    add_tree(std::move(tree), sizeof(AabbNode), view.aabb.triangle_order != nullptr, part);
}

/// Counts the range of leaves below one node; at most kMaxBoxDepth deep.
void count_box_nodes(const PartView& part, const BoxRange& range, std::size_t level, TreeDescription& tree) {
    if (tree.levels.size() <= level) tree.levels.resize(level + 1);
    if (range.leaves == 1) {
        // A leaf hangs from the node above it; only a tree of one leaf has none.
        const std::uint32_t begin = range.first * part.box.leaf_triangles;
        const std::uint32_t triangles = std::min(part.box.leaf_triangles, part.mesh.triangle_count - begin);
        LevelDescription& above = tree.levels[level == 0 ? 0 : level - 1];
        ++tree.leaves;
        ++above.leaves;
        above.triangles += triangles;
        ++tree.leaf_fill[triangles];
        return;
    }
    ++tree.levels[level].nodes;
    const std::uint32_t left = left_leaves(part.box.nodes[range.node], range.leaves);
    count_box_nodes(part, left_child(range, left), level + 1, tree);
    count_box_nodes(part, right_child(range, left), level + 1, tree);
}

void describe_box(const PartView& view, PartDescription& part) {
    if (view.box.leaf_count == 0) return;
    TreeDescription tree;
    tree.name = "box";
    tree.depth = view.box.depth;
    tree.nodes = view.box.leaf_count - 1;
    tree.leaf_fill.resize(kMaxLeafTriangles + 1);
    count_box_nodes(view, BoxRange{0, view.box.leaf_count, 0}, 0, tree);
    if (tree.levels.size() > 1 && tree.levels.back().nodes == 0) tree.levels.pop_back();
    add_tree(std::move(tree), sizeof(BoxNode), view.box.triangle_order != nullptr, part);
}

SphereDescription describe_promise(const SphereTreeView& view) {
    constexpr const char* kMethods[] = {"best", "hubbard", "octree"};
    constexpr const char* kPolicies[] = {"full", "level", "sampled"};
    SphereDescription sphere;
    sphere.method = view.method < 3 ? kMethods[view.method] : "unknown";
    sphere.coverage = kPolicies[static_cast<std::size_t>(view.coverage)];
    sphere.proved = view.proved;
    sphere.volume_proved = view.volume_proved;
    sphere.closed = !view.open;
    sphere.solid_volume = view.solid_volume;
    sphere.limit = view.limit == 0 ? "count" : "error";
    sphere.branch = view.branch;
    sphere.dag = view.dag();
    sphere.shared = view.shared_list_count;
    for (std::uint32_t l = 0; l < view.level_count; ++l) {
        const SphereLevelNode& level = view.levels[l];
        sphere.levels.push_back(
            {double(level.error_mean), double(level.error_max), level.union_volume, level.outside_volume});
    }
    return sphere;
}

void describe_sphere(const PartView& view, PartDescription& part) {
    const SphereTreeView& stored = view.sphere;
    if (!stored.spheres) return;
    TreeDescription tree;
    tree.name = "sphere";
    tree.depth = stored.level_count;
    tree.nodes = stored.sphere_count;
    tree.leaves = stored.levels[stored.level_count - 1].count;
    for (std::uint32_t l = 0; l < stored.level_count; ++l) {
        const bool last = l + 1 == stored.level_count;
        tree.levels.push_back(
            {stored.levels[l].count, last ? tree.leaves : 0, last ? stored.leaf_triangle_count : 0});
    }
    tree.sphere = describe_promise(stored);
    const std::uint64_t ends = std::uint64_t{stored.inner_count()} * (stored.shared_ends ? 2 : 1);
    const std::uint64_t links = std::uint64_t{stored.child_list_count} + stored.shared_list_count;
    const std::vector<SectionDescription> sections = {
        {"sphere nodes", std::uint64_t{16} * stored.sphere_count},
        {"sphere errors", std::uint64_t{4} * stored.sphere_count},
        {"sphere levels", std::uint64_t{32} * stored.level_count},
        {"sphere children", 4 * (ends + links)},
        {"sphere leaf lists", std::uint64_t{4} * tree.leaves + std::uint64_t{4} * stored.leaf_triangle_count},
        {"sphere shells", std::uint64_t{24} * stored.shell_count}};
    for (const SectionDescription& section : sections) {
        tree.bytes += section.bytes;
        part.sections.push_back(section);
    }
    tree.bytes_per_triangle = static_cast<double>(tree.bytes) / static_cast<double>(part.triangles);
    part.trees.push_back(std::move(tree));
}

PartDescription describe_part(const PartView& view) {
    PartDescription part;
    part.name = view.name;
    std::copy_n(view.origin, 3, part.origin.begin());
    std::copy_n(view.lo, 3, part.lo.begin());
    std::copy_n(view.hi, 3, part.hi.begin());
    part.closed = view.closed;
    part.vertices = view.mesh.vertex_count;
    part.triangles = view.mesh.triangle_count;
    part.index_bits = view.mesh.indices16 ? 16 : 32;
    part.sections.push_back({"positions", part.vertices * 12});
    part.sections.push_back({"indices", part.triangles * 3 * (part.index_bits / 8)});
    if (view.mesh.source_triangles) part.sections.push_back({"source triangles", part.triangles * 4});
    // One line a hierarchy, in the order in which the command line names them.
    describe_sphere(view, part);
    describe_box(view, part);
    if (view.cell.unit_count > 0) describe_cell_tree(view, part);
    describe_aabb(view, part);
    return part;
}

/// Opens and verifies; what is wrong, or nothing.
std::optional<Error> open_error(const AlignedBytes& aligned, Asset* asset) {
    const Status status = open(aligned.data(), aligned.size(), Verify::kFull, asset);
    if (status == Status::kUnsupportedVersion) return Error{ErrorKind::kUnsupported, status_text(status)};
    if (status != Status::kOk) return Error{ErrorKind::kInvalidInput, status_text(status)};
    return std::nullopt;
}

}  // namespace

Result<std::vector<SphereLine>> list_spheres(std::span<const std::uint8_t> bytes) {
    const AlignedBytes aligned(bytes);
    Asset asset;
    if (const std::optional<Error> error = open_error(aligned, &asset)) return *error;
    std::vector<SphereLine> lines;
    for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
        PartView part;
        if (asset.part(i, &part) != Status::kOk)
            return Error{ErrorKind::kInternal, "a verified part cannot be read"};
        for (std::uint32_t s = 0; s < part.sphere.sphere_count; ++s) {
            const SphereNode& node = part.sphere.spheres[s];
            lines.push_back({part.sphere.level_of(s), part.origin[0] + double(node.center[0]),
                             part.origin[1] + double(node.center[1]), part.origin[2] + double(node.center[2]),
                             double(node.radius), double(part.sphere.errors[s])});
        }
    }
    return lines;
}

Result<std::string> medial_ply_of(std::span<const std::uint8_t> bytes, Progress& progress) {
    const AlignedBytes aligned(bytes);
    Asset asset;
    if (const std::optional<Error> error = open_error(aligned, &asset)) return *error;
    PartView part;
    if (asset.part(0, &part) != Status::kOk)
        return Error{ErrorKind::kInternal, "a verified part cannot be read"};
    Result<MedialSet> set = compute_medial_set(stored_mesh(part), {}, progress);
    if (!set) return set.error();
    for (MedialBall& ball : set.value().balls)
        ball.center += Eigen::Vector3d(part.origin[0], part.origin[1], part.origin[2]);
    return medial_ply(set.value());
}

Result<AssetDescription> describe_asset(std::span<const std::uint8_t> bytes) {
    const AlignedBytes aligned(bytes);
    Asset view;
    if (const std::optional<Error> error = open_error(aligned, &view)) return *error;
    // The runtime does not look at the provenance, so its verification does not either.
    flatbuffers::Verifier verifier(aligned.data(), aligned.size());
    if (!schema::VerifyAssetBuffer(verifier))
        return Error{ErrorKind::kInvalidInput, "corrupt file structure"};

    AssetDescription asset;
    asset.version_major = view.version_major();
    asset.version_minor = view.version_minor();
    asset.builder_revision = view.builder_revision();
    asset.checksum = view.checksum();
    asset.file_bytes = view.size();
    describe_provenance(schema::GetAsset(aligned.data())->provenance(), asset);
    asset.other_bytes = asset.file_bytes;
    for (std::uint32_t i = 0; i < view.part_count(); ++i) {
        PartView part;
        if (view.part(i, &part) != Status::kOk)
            return Error{ErrorKind::kInternal, "a verified part cannot be read"};
        asset.parts.push_back(describe_part(part));
        for (const SectionDescription& section : asset.parts.back().sections)
            asset.other_bytes -= section.bytes;
    }
    return asset;
}

}  // namespace espalier
