// SPDX-License-Identifier: MIT
// A body: an asset and the poses of its parts, in memory of the caller's. Queries of bodies are in
// body_collide.h, body_contacts.h, body_distance.h, body_ray_cast.h, body_point.h and body_sphere_query.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "espalier/asset.h"
#include "espalier/broad_phase.h"
#include "espalier/pose.h"
#include "espalier/status.h"

namespace espalier {

/// Most parts of a body; an asset may have more. Queries keep stacks for the tree over the parts' boxes,
/// which is no deeper for it.
constexpr std::uint32_t kMaxBodyParts = 1u << 16;

/// Places beyond this are refused, in any coordinate: of poses of parts and of bodies, and of shapes'
/// origins.
constexpr double kLargestPlace = 1e15;

struct BodyNode;
struct PlacedPart;

/// An asset, where its parts are, and a small tree over the boxes about them. The object is a view of memory
/// that the caller gives once: a copy shares it, and both are valid as long as the memory and the asset's
/// bytes are. Concurrent queries are safe while nobody calls a function that is not const.
///
/// Poses of parts are where each part's source frame is in the frame of the body. What that frame is, is the
/// caller's choice: one that moves, with a pose of the body told to each query, or the world's, with the
/// body's motion in the poses of the parts.
class Body {
  public:
    /// Bytes that `begin` needs for this asset: below 128 a part, below 640 a shape, and below 1024 more; 0
    /// for one with more than kMaxBodyParts parts.
    static std::size_t memory_size(const Asset& asset);

    /// Bytes that `begin_part` needs.
    static constexpr std::size_t kPartMemory = 1024;

    /// Takes the memory and puts every part where the file has it at rest in its parent, without any motion
    /// of its joint. Fails with kInvalidArgument
    /// (null, memory that is not 16-byte aligned or too small, too many parts, a place beyond kLargestPlace)
    /// or as Asset::part does; the body then has no parts.
    /// @param memory the caller's, to be left alone as long as the body is used
    Status begin(const Asset& asset, void* memory, std::size_t size);

    /// A body of one part, number 0, whose source frame is the body's until `set_poses`. Fails with
    /// kInvalidArgument, as above.
    /// @param part as opened, or refitted; copied as a view
    Status begin_part(const ShapeView& part, void* memory, std::size_t size);

    /// Puts every part, also those that are frames only, to its pose in the body's frame, and refits the
    /// tree, in linear time. Fails with kInvalidArgument (not begun, null, a count that is not part_count(),
    /// a pose that is not finite, a rotation of zero, a place beyond kLargestPlace, a scale that is not 1):
    /// then all poses are those of before. Queries that are under way must begin anew, or advance.
    Status set_poses(const Pose* poses, std::size_t count);

    /// Makes the tree anew about the present poses: worth its time, n (log n)^2, when parts have moved so far
    /// past each other that neighbours in the old tree are far apart. Changes no answer. Fails with
    /// kInvalidArgument (not begun).
    Status rebuild();

    /// Parts, also those that are frames only; 0 before `begin`.
    std::uint32_t part_count() const { return part_count_; }
    /// Parts that have a shape.
    std::uint32_t shaped_count() const { return shaped_count_; }

    /// The pose of a part as it was set, its rotation of unit length. Fails with kInvalidArgument (no such
    /// part, null).
    Status pose(std::uint32_t part, Pose* pose) const;

    /// The shape of a part, in its source frame. Fails with kInvalidArgument (no such part, null) or
    /// kNoShape.
    Status shape(std::uint32_t part, ShapeView* view) const;

    /// A box about a part, in the body's frame, rounded outward. Fails as `shape` does.
    Status part_box(std::uint32_t part, BroadBox* box) const;

    /// A box about all parts, in the body's frame, rounded outward: what a broad phase asks for. Fails with
    /// kInvalidArgument (null) or kNoShape (no part has one).
    Status box(BroadBox* box) const;

    /// Whether the asset lists two of its parts as a pair that needs no test.
    bool pair_listed(std::uint32_t a, std::uint32_t b) const;

  private:
    friend struct BodyAccess;
    PlacedPart* parts_ = nullptr;
    BodyNode* nodes_ = nullptr;
    ShapeView* shapes_ = nullptr;
    const PartPair* pairs_ = nullptr;
    std::uint32_t pair_count_ = 0;
    std::uint32_t trees_ = 0;  // that every shape has
    std::uint32_t part_count_ = 0;
    std::uint32_t shaped_count_ = 0;
    std::uint32_t shape_count_ = 0;
    std::uint32_t node_count_ = 0;
};

/// What a query found, and of which parts.
template <class Found>
struct OfParts {
    std::uint32_t part_a = 0;  ///< of A
    std::uint32_t part_b = 0;  ///< of B
    Found found;               ///< triangles of these parts; points and normals in A's frame
};

/// Bytes of the state of a query of bodies, beside what it keeps of one pair of parts.
constexpr std::size_t kBodyWalkBytes = 3072;
/// The same of a query of one body and a ray or a point.
constexpr std::size_t kBodySearchBytes = 1024;

}  // namespace espalier
