// SPDX-License-Identifier: MIT
// Do two bodies touch, or two parts of one body? First contact on aabb, box and cell trees.
// Each is an object in caller memory: `begin` or `begin_self`, then `step` until the verdict is no longer
// kUnresolved. No heap, no globals; one object serves any number of queries in turn, and a copy of it goes on
// by itself. The bodies, which `begin` copies as views, must outlive the query, and no poses be set until it
// ends.
#pragma once

#include <cstddef>

#include "espalier/body.h"
#include "espalier/query.h"

namespace espalier {

/// A contact of two bodies: triangles of the parts' meshes, point and normal in the frame of body A.
using BodyContact = OfParts<Contact>;

/// Remembers the witness of the last contact of two bodies, or of one with itself; the next query tests it
/// first. It never changes whether they touch.
struct BodyCue {
    std::uint32_t part_a = 0;  ///< of A
    std::uint32_t part_b = 0;  ///< of B
    Cue cue;                   ///< of these two parts
};

/// Do two bodies touch? Finds one contact. A step may exceed its budget by the tests of one visit: at most 16
/// pairs of boxes, or one pair of leaves. Pairs of parts' boxes count as node tests.
/// @tparam Tree     AabbTreeView, BoxTreeView or CellTreeView
/// @tparam kOverlap kSatLite
template <class Tree, Overlap kOverlap = Overlap::kSatLite>
class BodyCollide {
    static_assert(Tree::has(kOverlap), "this tree has no such overlap test");

  public:
    /// What it finds: a BodyContact, or on cell trees OfParts<CellWitness>.
    using Found = OfParts<typename Tree::Found>;

    /// Starts a query of all parts of A against all of B. Fails with kNoTree (a shape has no such tree) or
    /// kInvalidArgument (a body not begun, pose); the verdict is then kUnresolved and `step` does nothing.
    /// @param pose B's frame in A's; scale 1
    /// @param cue  null, or these bodies' memory; read here, written on a contact. Must outlive the query.
    Status begin(const Body& a, const Body& b, const Pose& pose = Pose(), BodyCue* cue = nullptr);

    /// Starts a query of all pairs of different parts of one body, except those that its asset lists
    /// (Body::pair_listed). Fails likewise. In the answer, part_a < part_b.
    Status begin_self(const Body& body, BodyCue* cue = nullptr);

    /// Works until the verdict is known or the budget is spent; returns the verdict.
    Verdict step(const Budget& budget = Budget());

    Verdict verdict() const;  ///< what is known by now
    /// The contact found. Precondition: verdict() == kColliding.
    const Found& contact() const;
    const Counters& counters() const;  ///< work done since `begin`

  private:
    alignas(16) unsigned char state_[kBodyWalkBytes + Tree::contact_bytes(kOverlap)];
};

}  // namespace espalier
