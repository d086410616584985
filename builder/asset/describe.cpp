// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's views give meshes and hierarchies; flatc's reader gives what the runtime has no use for.
#include "builder/asset/describe.h"

#include <algorithm>

#include "builder/hierarchy/stored_mesh.h"
#include "builder/import/provenance.h"
#include "builder/medial/medial_ply.h"
#include "espalier_generated.h"

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

void add_tree(TreeDescription tree, PartDescription& part) {
    for (const SectionDescription& section : tree.sections) {
        tree.bytes += section.bytes;
        part.sections.push_back(section);
    }
    tree.bytes_per_triangle = static_cast<double>(tree.bytes) / static_cast<double>(part.triangles);
    part.trees.push_back(std::move(tree));
}

PartDescription describe_part(const ShapeView& view, std::span<const Hierarchy* const> rows) {
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
    for (const Hierarchy* row : rows)
        if (row->present(view)) add_tree(row->describe(view), part);
    return part;
}

}  // namespace

Result<Success> verify_provenance(const Asset& asset) {
    flatbuffers::Verifier verifier(asset.data(), asset.size());
    if (!schema::VerifyAssetBuffer(verifier))
        return Error{ErrorKind::kInvalidInput, "corrupt file structure"};
    return Success{};
}

Result<AssetDescription> describe_asset(const OpenedAsset& opened, HierarchyRows list) {
    const Asset& view = opened.asset;
    if (const Result<Success> verified = verify_provenance(view); !verified) return verified.error();
    AssetDescription asset;
    asset.version_major = view.version_major();
    asset.version_minor = view.version_minor();
    asset.builder_revision = view.builder_revision();
    asset.checksum = view.checksum();
    asset.file_bytes = view.size();
    describe_provenance(schema::GetAsset(view.data())->provenance(), asset);
    asset.other_bytes = asset.file_bytes;
    const std::vector<const Hierarchy*> rows = ranked(list, &HierarchyRanks::shown);
    for (const ShapeView& part : opened.shapes) {
        asset.parts.push_back(describe_part(part, rows));
        for (const SectionDescription& section : asset.parts.back().sections)
            asset.other_bytes -= section.bytes;
    }
    return asset;
}

Result<std::string> medial_ply_of(const ShapeView& part, Progress& progress) {
    Result<MedialSet> set = compute_medial_set(stored_mesh(part), {}, progress);
    if (!set) return set.error();
    for (MedialBall& ball : set.value().balls)
        ball.center += Eigen::Vector3d(part.origin[0], part.origin[1], part.origin[2]);
    return medial_ply(set.value());
}

}  // namespace espalier
