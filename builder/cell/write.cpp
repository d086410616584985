// SPDX-License-Identifier: GPL-3.0-or-later
// The cell tree's table of an asset.
#include "builder/cell/row.h"
#include "builder/hierarchy/part_writer.h"

namespace espalier {
namespace {

static_assert(sizeof(schema::CellNode) == sizeof(CellNode), "runtime and schema must describe the same node");

class BuiltCellTree final : public BuiltTree {
  public:
    explicit BuiltCellTree(CellTree tree) : tree_(std::move(tree)) {}

    const Hierarchy& hierarchy() const override { return kCellHierarchy; }
    std::span<const std::uint32_t> leaf_order() const override { return tree_.order; }
    std::size_t payload_bytes() const override {
        return tree_.nodes.size() * sizeof(CellNode) + (tree_.triangles.size() + tree_.edges.size()) * 4;
    }
    TreeReport report() const override {
        return {kCellHierarchy.name, tree_.nodes.size(), tree_.depth, payload_bytes()};
    }

    WrittenTree write(const PartWriter& part) const override {
        const auto nodes = struct_vector<schema::CellNode>(part.builder, tree_.nodes, kNodeAlignment);
        std::vector<std::uint32_t> triangles = tree_.triangles, edges = tree_.edges;
        for (std::uint32_t& triangle : triangles) triangle = part.stored[triangle];
        for (std::uint32_t& edge : edges) edge = 3 * part.stored[edge / 3] + edge % 3;
        const auto triangle_vector = part.builder.CreateVector(triangles);
        const auto edge_vector = part.builder.CreateVector(edges);
        const schema::Box bounds(stored_vector(tree_.lo), stored_vector(tree_.hi));
        schema::CellTreeBuilder table(part.builder);
        table.add_bounds(&bounds);
        table.add_depth(tree_.depth);
        table.add_delta(tree_.delta);
        table.add_nodes(nodes);
        table.add_triangles(triangle_vector);
        table.add_edges(edge_vector);
        return {schema::Shape::VT_CELL_TREE, table.Finish().Union()};
    }

  private:
    CellTree tree_;
};

}  // namespace

BuiltTreePtr built_tree(CellTree tree) {
    return std::make_shared<BuiltCellTree>(std::move(tree));
}

}  // namespace espalier
