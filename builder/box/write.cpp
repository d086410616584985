// SPDX-License-Identifier: GPL-3.0-or-later
// The box tree's table of an asset.
#include <algorithm>

#include "builder/box/row.h"
#include "builder/hierarchy/part_writer.h"

namespace espalier {
namespace {

static_assert(sizeof(schema::BoxNode) == sizeof(BoxNode), "runtime and schema must describe the same node");

/// Leaf order of a tree as stored triangles; nothing when the mesh is stored in it.
flatbuffers::Offset<flatbuffers::Vector<std::uint32_t>> write_order(const PartWriter& part,
                                                                    const std::vector<std::uint32_t>& order) {
    if (order == part.leaf_order) return {};
    std::vector<std::uint32_t> entries(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) entries[i] = part.stored[order[i]];
    return part.builder.CreateVector(entries);
}

class BuiltBoxTree final : public BuiltTree {
  public:
    explicit BuiltBoxTree(BoxTree tree) : tree_(std::move(tree)) {}

    const Hierarchy& hierarchy() const override { return kBoxHierarchy; }
    std::span<const std::uint32_t> leaf_order() const override { return tree_.order; }
    std::size_t payload_bytes() const override { return node_bytes() + tree_.order.size() * 4; }
    TreeReport report() const override {
        return {kBoxHierarchy.name, tree_.nodes.size(), tree_.depth, node_bytes()};
    }

    WrittenTree write(const PartWriter& part) const override {
        const auto nodes = struct_vector<schema::BoxNode>(part.builder, tree_.nodes, kNodeAlignment);
        const auto order = write_order(part, tree_.order);
        const schema::Box bounds(stored_vector(tree_.lo), stored_vector(tree_.hi));
        schema::BoxTreeBuilder table(part.builder);
        table.add_bounds(&bounds);
        table.add_depth(tree_.depth);
        table.add_leaf_triangles(tree_.leaf_triangles);
        table.add_nodes(nodes);
        if (!order.IsNull()) table.add_triangle_order(order);
        return {schema::Shape::VT_BOX_TREE, table.Finish().Union()};
    }

  private:
    std::size_t node_bytes() const { return tree_.nodes.size() * sizeof(BoxNode); }

    BoxTree tree_;
};

}  // namespace

BuiltTreePtr built_tree(BoxTree tree) {
    return std::make_shared<BuiltBoxTree>(std::move(tree));
}

}  // namespace espalier
