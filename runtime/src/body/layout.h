// SPDX-License-Identifier: MIT
// What lies in a body's memory: the parts' poses, a tree over the boxes about them, and views of the shapes.
#pragma once

#include "../base/assert.h"
#include "espalier/body.h"
#include "placement.h"

namespace espalier {

/// Where a part is in the body's frame.
struct PlacedPart {
    Placement place;
    std::uint32_t shape;    ///< number of the view, or kNoIndex: a frame only
    std::uint32_t unmoved;  ///< 1: the part's frame is the body's
};
static_assert(sizeof(PlacedPart) == 64, "Body::memory_size promises bytes a part");

/// A box over a part or over neighbouring nodes, in the body's frame, rounded outward. Nodes lie level by
/// level: those of the parts first, in the tree's order, then one over every four of them, and so on to the
/// root, which is last. So a pass in their order meets children before their parent.
struct alignas(16) BodyNode {
    float lo[3];
    std::uint32_t first;  ///< of its children, or the part
    float hi[3];
    std::uint32_t count;  ///< of its children; 0: it is that of a part
};
static_assert(sizeof(BodyNode) == 32, "Body::memory_size promises bytes a part");

/// Children of a node.
constexpr std::uint32_t kBodyBranch = 4;
/// Levels above those of the parts: 4^8 parts.
constexpr std::uint32_t kMaxBodyLevels = 8;
static_assert(kMaxBodyParts == 1u << (2 * kMaxBodyLevels), "stacks of queries are bounded by it");

/// The way of the runtime's own sources into a body.
struct BodyAccess {
    /// Precondition of all: the numbers are in range.
    static const PlacedPart& part(const Body& body, std::uint32_t index) {
        ESPALIER_ASSERT(index < body.part_count_);
        return body.parts_[index];
    }
    static const BodyNode& node(const Body& body, std::uint32_t index) {
        ESPALIER_ASSERT(index < body.node_count_);
        return body.nodes_[index];
    }
    /// Precondition: the part has a shape.
    static const ShapeView& shape(const Body& body, std::uint32_t part) {
        ESPALIER_ASSERT(body.parts_[part].shape < body.shape_count_);
        return body.shapes_[body.parts_[part].shape];
    }
    /// Has one part, whose frame is the body's.
    static bool plain(const Body& body) { return body.part_count_ == 1 && body.parts_[0].unmoved != 0; }
    static std::uint32_t node_count(const Body& body) { return body.node_count_; }
    static bool begun(const Body& body) { return body.part_count_ > 0; }
    /// Bits of HierarchyList::present_bits that all shapes have.
    static std::uint32_t trees(const Body& body) { return body.trees_; }
};

}  // namespace espalier
