// SPDX-License-Identifier: MIT
// Bodies: from an asset to parts with poses, in memory of the caller's.
#include "espalier/body.h"

#include <new>

#include "../base/memory_layout.h"
#include "../format/hierarchies.h"
#include "part_tree.h"

namespace espalier {
namespace {

struct Arrays {
    PlacedPart* parts;
    BodyNode* nodes;
    ShapeView* shapes;

    std::size_t take(MemoryLayout layout, std::uint32_t part_count, std::uint32_t shape_count) {
        parts = layout.take<PlacedPart>(part_count);
        nodes = layout.take<BodyNode>(part_tree_nodes(part_count));
        shapes = layout.take<ShapeView>(shape_count);
        return layout.used();
    }
};

/// What rounding margins and matrices can hold: see kLargestPlace. Not a number is none of it.
bool placeable(const ShapeView& shape) {
    if (!in_reach(shape.origin)) return false;
    for (int k = 0; k < 3; ++k)
        if (!(double(shape.lo[k]) >= -kLargestPlace) || !(double(shape.hi[k]) <= kLargestPlace) ||
            !(shape.lo[k] <= shape.hi[k]))
            return false;
    return true;
}

Status read_shapes(const Asset& asset, ShapeView* shapes) {
    for (std::uint32_t i = 0; i < asset.shape_count(); ++i) {
        ShapeView* shape = new (shapes + i) ShapeView;
        const Status status = asset.shape(i, shape);
        if (status != Status::kOk) return status;
        if (!placeable(*shape)) return Status::kInvalidArgument;
    }
    return Status::kOk;
}

/// Places one part as the file has it, behind its parent.
Status read_part(const Asset& asset, std::uint32_t index, PlacedPart* parts) {
    PartNode node;
    const Status status = asset.part_node(index, &node);
    if (status != Status::kOk) return status;
    Pose rest;
    for (int k = 0; k < 4; ++k) rest.rotation[k] = node.rotation[k];
    for (int k = 0; k < 3; ++k) rest.translation[k] = node.translation[k];
    PlacedPart* part = new (parts + index) PlacedPart;
    if (!placement_of(rest, &part->place)) return Status::kInvalidArgument;
    if (node.parent != kNoIndex) part->place = compose(parts[node.parent].place, part->place);
    if (!in_reach(part->place.translation)) return Status::kInvalidArgument;
    part->shape = node.shape;
    part->unmoved = unmoved(part->place) ? 1 : 0;
    return Status::kOk;
}

/// The tree's nodes of all parts with a shape; returns how many there are.
std::uint32_t list_parts(const PlacedPart* parts, std::uint32_t part_count, BodyNode* nodes) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < part_count; ++i) {
        if (parts[i].shape == kNoIndex) continue;
        BodyNode* node = new (nodes + count++) BodyNode;
        node->first = i;
        node->count = 0;
    }
    return count;
}

std::uint32_t common_trees(const ShapeView* shapes, std::uint32_t count) {
    std::uint32_t common = ~0u;
    for (std::uint32_t i = 0; i < count; ++i) common &= HierarchiesToRead::present_bits(shapes[i]);
    return common;
}

void widen(const float* lo, const float* hi, BroadBox* box) {
    for (int k = 0; k < 3; ++k) {
        box->lo[k] = double(lo[k]);
        box->hi[k] = double(hi[k]);
    }
}

bool usable(const void* memory, std::size_t size, std::size_t needed) {
    return memory && is_aligned(memory) && needed > 0 && size >= needed;
}

}  // namespace

std::size_t Body::memory_size(const Asset& asset) {
    if (asset.part_count() == 0 || asset.part_count() > kMaxBodyParts) return 0;
    Arrays arrays;
    return arrays.take(MemoryLayout(nullptr), asset.part_count(), asset.shape_count());
}

Status Body::begin(const Asset& asset, void* memory, std::size_t size) {
    *this = Body();
    if (!usable(memory, size, memory_size(asset))) return Status::kInvalidArgument;
    Arrays arrays;
    arrays.take(MemoryLayout(memory), asset.part_count(), asset.shape_count());
    Status status = read_shapes(asset, arrays.shapes);
    for (std::uint32_t i = 0; status == Status::kOk && i < asset.part_count(); ++i)
        status = read_part(asset, i, arrays.parts);
    if (status != Status::kOk) return status;
    parts_ = arrays.parts;
    nodes_ = arrays.nodes;
    shapes_ = arrays.shapes;
    pairs_ = asset.pairs();
    pair_count_ = asset.pair_count();
    part_count_ = asset.part_count();
    shape_count_ = asset.shape_count();
    trees_ = common_trees(shapes_, shape_count_);
    shaped_count_ = list_parts(parts_, part_count_, nodes_);
    node_count_ = part_tree_nodes(shaped_count_);
    return rebuild();
}

Status Body::begin_part(const ShapeView& part, void* memory, std::size_t size) {
    *this = Body();
    Arrays arrays;
    const std::size_t needed = arrays.take(MemoryLayout(nullptr), 1, 1);
    ESPALIER_ASSERT(needed <= kPartMemory);
    if (!usable(memory, size, needed) || !placeable(part)) return Status::kInvalidArgument;
    arrays.take(MemoryLayout(memory), 1, 1);
    new (arrays.shapes) ShapeView(part);
    new (arrays.parts) PlacedPart{{{1, 0, 0, 0}, {0, 0, 0}}, 0, 1};
    parts_ = arrays.parts;
    nodes_ = arrays.nodes;
    shapes_ = arrays.shapes;
    part_count_ = shape_count_ = 1;
    trees_ = common_trees(shapes_, 1);
    shaped_count_ = node_count_ = list_parts(parts_, 1, nodes_);
    return rebuild();
}

Status Body::set_poses(const Pose* poses, std::size_t count) {
    if (!poses || part_count_ == 0 || count != part_count_) return Status::kInvalidArgument;
    for (std::uint32_t i = 0; i < part_count_; ++i)
        if (!is_place(poses[i])) return Status::kInvalidArgument;
    for (std::uint32_t i = 0; i < part_count_; ++i) {
        parts_[i].place = placed(poses[i]);
        parts_[i].unmoved = unmoved(parts_[i].place) ? 1 : 0;
    }
    refit_part_tree(parts_, shapes_, nodes_, shaped_count_, node_count_);
    return Status::kOk;
}

Status Body::rebuild() {
    if (part_count_ == 0) return Status::kInvalidArgument;
    refit_part_tree(parts_, shapes_, nodes_, shaped_count_, shaped_count_);
    for (std::uint32_t i = shaped_count_; i < node_count_; ++i) new (nodes_ + i) BodyNode;
    order_part_tree(nodes_, shaped_count_, node_count_);
    refit_part_tree(parts_, shapes_, nodes_, shaped_count_, node_count_);
    return Status::kOk;
}

Status Body::pose(std::uint32_t part, Pose* pose) const {
    if (part >= part_count_ || !pose) return Status::kInvalidArgument;
    *pose = pose_of(parts_[part].place);
    return Status::kOk;
}

Status Body::shape(std::uint32_t part, ShapeView* view) const {
    if (part >= part_count_ || !view) return Status::kInvalidArgument;
    if (parts_[part].shape == kNoIndex) return Status::kNoShape;
    *view = shapes_[parts_[part].shape];
    return Status::kOk;
}

Status Body::part_box(std::uint32_t part, BroadBox* box) const {
    if (part >= part_count_ || !box) return Status::kInvalidArgument;
    if (parts_[part].shape == kNoIndex) return Status::kNoShape;
    placed_box(shapes_[parts_[part].shape], parts_[part].place, box->lo, box->hi);
    return Status::kOk;
}

Status Body::box(BroadBox* box) const {
    if (!box) return Status::kInvalidArgument;
    if (node_count_ == 0) return Status::kNoShape;
    widen(nodes_[node_count_ - 1].lo, nodes_[node_count_ - 1].hi, box);
    return Status::kOk;
}

bool Body::pair_listed(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t low = a < b ? a : b, high = a < b ? b : a;
    std::uint32_t first = 0, end = pair_count_;
    while (first < end) {
        const std::uint32_t middle = first + (end - first) / 2;
        const PartPair& pair = pairs_[middle];
        if (pair.a == low && pair.b == high) return true;
        if (pair.a < low || (pair.a == low && pair.b < high))
            first = middle + 1;
        else
            end = middle;
    }
    return false;
}

}  // namespace espalier
