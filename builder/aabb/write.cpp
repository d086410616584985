// SPDX-License-Identifier: GPL-3.0-or-later
// The aabb tree's table of an asset.
#include "builder/aabb/row.h"
#include "builder/hierarchy/part_writer.h"

namespace espalier {
namespace {

static_assert(sizeof(schema::AabbNode) == sizeof(AabbNode), "runtime and schema must describe the same node");

class BuiltAabbTree final : public BuiltTree {
  public:
    explicit BuiltAabbTree(AabbTree tree) : tree_(std::move(tree)) {}

    const Hierarchy& hierarchy() const override { return kAabbHierarchy; }
    std::span<const std::uint32_t> leaf_order() const override { return tree_.order; }
    std::size_t payload_bytes() const override { return tree_.nodes.size() * sizeof(AabbNode); }
    TreeReport report() const override {
        return {kAabbHierarchy.name, tree_.nodes.size(), tree_.depth, payload_bytes()};
    }

    WrittenTree write(const PartWriter& part) const override {
        const auto nodes = struct_vector<schema::AabbNode>(part.builder, tree_.nodes, kNodeAlignment);
        const schema::Box bounds(stored_vector(tree_.lo), stored_vector(tree_.hi));
        schema::AabbTreeBuilder table(part.builder);
        table.add_bounds(&bounds);
        table.add_depth(tree_.depth);
        table.add_nodes(nodes);
        return {schema::Shape::VT_AABB_TREE, table.Finish().Union()};
    }

  private:
    AabbTree tree_;
};

}  // namespace

BuiltTreePtr built_tree(AabbTree tree) {
    return std::make_shared<BuiltAabbTree>(std::move(tree));
}

}  // namespace espalier
