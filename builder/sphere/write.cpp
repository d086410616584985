// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere/write.h"

#include <algorithm>

#include "builder/surface/connected_pieces.h"
#include "espalier/asset.h"

namespace espalier {
namespace {

namespace fb = flatbuffers;

constexpr std::size_t kCacheLine = 64;

static_assert(sizeof(schema::SphereNode) == sizeof(SphereNode), "runtime and schema must agree");
static_assert(sizeof(schema::SphereLevel) == sizeof(SphereLevelNode), "runtime and schema must agree");
static_assert(sizeof(schema::Box) == sizeof(StoredBox), "runtime and schema must agree");

std::vector<schema::SphereNode> sphere_nodes(const SphereTree& tree) {
    std::vector<schema::SphereNode> nodes;
    nodes.reserve(tree.spheres.size());
    for (const Sphere& s : tree.spheres)
        nodes.emplace_back(schema::Vec3(s.center.x(), s.center.y(), s.center.z()), s.radius);
    return nodes;
}

/// Statistics follow from the stored errors, so that a reader can compute them again.
std::vector<schema::SphereLevel> sphere_levels(const SphereTree& tree) {
    std::vector<schema::SphereLevel> levels;
    for (const SphereLevel& level : tree.levels) {
        double sum = 0;
        float most = 0;
        for (std::uint32_t i = level.first; i < level.first + level.count; ++i) {
            sum += double(tree.spheres[i].error);
            most = std::max(most, tree.spheres[i].error);
        }
        levels.emplace_back(level.first, level.count, static_cast<float>(sum / level.count), most,
                            level.union_volume, level.outside_volume);
    }
    return levels;
}

struct Lists {
    std::vector<std::uint32_t> child_ends, shared_ends, leaf_ends, leaf_triangles;
};

Lists sphere_lists(const SphereTree& tree, const std::vector<std::uint32_t>& stored) {
    Lists lists;
    const std::uint32_t inner = tree.levels.back().first;
    for (std::uint32_t i = 0; i < inner; ++i) {
        lists.child_ends.push_back(tree.spheres[i].first_child + tree.spheres[i].child_count);
        lists.shared_ends.push_back(tree.spheres[i].first_shared + tree.spheres[i].shared_count);
    }
    for (std::size_t i = inner; i < tree.spheres.size(); ++i) {
        const Sphere& s = tree.spheres[i];
        const auto first = static_cast<std::ptrdiff_t>(lists.leaf_triangles.size());
        for (std::uint32_t k = 0; k < s.triangle_count; ++k)
            lists.leaf_triangles.push_back(stored[tree.leaf_triangles[s.first_triangle + k]]);
        std::sort(lists.leaf_triangles.begin() + first, lists.leaf_triangles.end());
        lists.leaf_ends.push_back(static_cast<std::uint32_t>(lists.leaf_triangles.size()));
    }
    return lists;
}

std::vector<schema::Box> stored_shells(const TriangleMesh& mesh) {
    std::vector<schema::Box> boxes;
    for (const StoredBox& b : connected_pieces(mesh))
        boxes.emplace_back(schema::Vec3(b.lo[0], b.lo[1], b.lo[2]), schema::Vec3(b.hi[0], b.hi[1], b.hi[2]));
    return boxes;
}

}  // namespace

std::size_t sphere_tree_payload(const SphereTree& tree) {
    return tree.spheres.size() * 24 + tree.levels.size() * 32 + tree.child_list.size() * 4 +
           tree.leaf_triangles.size() * 4 + kMaxPieces * sizeof(StoredBox) +
           (tree.shared_list.empty() ? 0 : tree.levels.back().first + tree.shared_list.size()) * 4;
}

fb::Offset<schema::SphereTree> write_sphere_tree(fb::FlatBufferBuilder& builder, const SphereTree& tree,
                                                 const std::vector<std::uint32_t>& stored,
                                                 const TriangleMesh& mesh) {
    const std::vector<schema::SphereNode> nodes = sphere_nodes(tree);
    builder.ForceVectorAlignment(nodes.size(), sizeof(schema::SphereNode), kCacheLine);
    const auto spheres = builder.CreateVectorOfStructs(nodes);
    std::vector<float> error_values;
    for (const Sphere& s : tree.spheres) error_values.push_back(s.error);
    const auto errors = builder.CreateVector(error_values);
    const auto levels = builder.CreateVectorOfStructs(sphere_levels(tree));
    const Lists lists = sphere_lists(tree, stored);
    const auto child_ends = builder.CreateVector(lists.child_ends);
    const bool shares = !tree.shared_list.empty();
    const fb::Offset<fb::Vector<std::uint32_t>> absent;
    const auto child_list = tree.dag ? builder.CreateVector(tree.child_list) : absent;
    const auto shared_ends = shares ? builder.CreateVector(lists.shared_ends) : absent;
    const auto shared_list = shares ? builder.CreateVector(tree.shared_list) : absent;
    const auto leaf_ends = builder.CreateVector(lists.leaf_ends);
    const auto leaf_triangles = builder.CreateVector(lists.leaf_triangles);
    const std::vector<schema::Box> boxes = stored_shells(mesh);
    const auto shells =
        boxes.empty() ? fb::Offset<fb::Vector<const schema::Box*>>() : builder.CreateVectorOfStructs(boxes);
    schema::SphereTreeBuilder table(builder);
    table.add_spheres(spheres);
    table.add_errors(errors);
    table.add_levels(levels);
    table.add_child_ends(child_ends);
    if (!child_list.IsNull()) table.add_child_list(child_list);
    if (shares) {
        table.add_shared_ends(shared_ends);
        table.add_shared_list(shared_list);
    }
    table.add_leaf_ends(leaf_ends);
    table.add_leaf_triangles(leaf_triangles);
    if (!shells.IsNull()) table.add_shells(shells);
    table.add_coverage(static_cast<std::uint8_t>(tree.certificate.policy));
    table.add_proved(tree.certificate.proved);
    table.add_volume_proved(tree.certificate.volume_proved);
    table.add_solid(static_cast<std::uint8_t>(tree.solid));
    table.add_solid_volume(tree.solid_volume);
    table.add_limit(static_cast<std::uint8_t>(tree.limit));
    table.add_branch(tree.branch);
    table.add_method(static_cast<std::uint8_t>(tree.method));
    return table.Finish();
}

}  // namespace espalier
