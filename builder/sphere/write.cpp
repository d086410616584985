// SPDX-License-Identifier: GPL-3.0-or-later
// The sphere tree's table of an asset.
#include <algorithm>

#include "builder/base/number_text.h"
#include "builder/hierarchy/part_writer.h"
#include "builder/sphere/row.h"
#include "builder/surface/connected_pieces.h"
#include "espalier/asset.h"

namespace espalier {
namespace {

namespace fb = flatbuffers;

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

std::vector<schema::SphereLevel> sphere_levels(const SphereTree& tree) {
    std::vector<schema::SphereLevel> levels;
    for (const SphereLevel& level : tree.levels)
        levels.emplace_back(level.first, level.count, static_cast<float>(level.error_mean),
                            static_cast<float>(level.error_max), level.union_volume, level.outside_volume);
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

/// Bytes of the tree's vectors.
std::size_t payload_of(const SphereTree& tree) {
    return tree.spheres.size() * 24 + tree.levels.size() * 32 + tree.child_list.size() * 4 +
           tree.leaf_triangles.size() * 4 + kMaxPieces * sizeof(StoredBox) +
           (tree.shared_list.empty() ? 0 : tree.levels.back().first + tree.shared_list.size()) * 4;
}

fb::Offset<schema::SphereTree> write_table(fb::FlatBufferBuilder& builder, const SphereTree& tree,
                                           const std::vector<std::uint32_t>& stored,
                                           const TriangleMesh& mesh) {
    const std::vector<schema::SphereNode> nodes = sphere_nodes(tree);
    builder.ForceVectorAlignment(nodes.size(), sizeof(schema::SphereNode), kNodeAlignment);
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
    table.add_gap(tree.certificate.gap);
    table.add_filling(tree.filling);
    table.add_limit(static_cast<std::uint8_t>(tree.limit));
    table.add_branch(tree.branch);
    table.add_method(static_cast<std::uint8_t>(tree.method));
    return table.Finish();
}

/// The figures of the last level.
FactGroup facts_of(const SphereTree& tree) {
    const SphereLevel& last = tree.levels.back();
    return {"sphere",
            {{"coverage", std::string(name_of(tree.certificate.policy))},
             {"proved", tree.certificate.proved},
             {"volume_proved", tree.certificate.volume_proved},
             {"gap", double(tree.certificate.gap)},
             {"limit", std::string(name_of(tree.limit))},
             {"last_level", std::uint64_t{last.count}},
             {"error_max", last.error_max},
             {"outside_volume", last.outside_volume},
             {"solid", std::string(name_of(tree.solid))},
             {"solid_volume", tree.solid_volume}},
            {}};
}

/// "full coverage proved, 512 spheres on the last level protrude at most 0.01, ended by the count"
std::string sentence_of(const SphereTree& tree) {
    const SphereLevel& last = tree.levels.back();
    std::string text = std::string(name_of(tree.certificate.policy)) + " coverage " +
                       (tree.certificate.proved ? "proved" : "not proved");
    if (tree.certificate.volume_proved) text += ", volume too";
    if (tree.certificate.gap > 0) text += ", within " + number_text(tree.certificate.gap);
    return text + ", " + std::to_string(last.count) + " spheres on the last level protrude at most " +
           number_text(static_cast<float>(last.error_max)) + ", ended by the " +
           std::string(name_of(tree.limit));
}

class BuiltSphereTree final : public BuiltTree {
  public:
    explicit BuiltSphereTree(SphereTree tree) : tree_(std::move(tree)) {}

    const Hierarchy& hierarchy() const override { return kSphereHierarchy; }
    std::size_t payload_bytes() const override { return payload_of(tree_); }
    TreeReport report() const override {
        TreeReport report{kSphereHierarchy.name, tree_.spheres.size(),
                          static_cast<std::uint32_t>(tree_.levels.size()), payload_bytes()};
        report.facts = facts_of(tree_);
        report.sentence = sentence_of(tree_);
        return report;
    }
    std::span<const Finding> findings() const override { return tree_.findings; }
    std::string unsafe_reason() const override {
        return tree_.certificate.proved ? ""
                                        : "sampled spheres may miss contacts; use --sphere-coverage full";
    }
    WrittenTree write(const PartWriter& part) const override {
        return {schema::Shape::VT_SPHERE_TREE,
                write_table(part.builder, tree_, part.stored, part.mesh).Union()};
    }

  private:
    SphereTree tree_;
};

}  // namespace

BuiltTreePtr built_tree(SphereTree tree) {
    return std::make_shared<BuiltSphereTree>(std::move(tree));
}

}  // namespace espalier
