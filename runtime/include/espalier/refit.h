// SPDX-License-Identifier: MIT
// Deformation (van den Bergen 1998, section 4): new volumes for new vertex positions, the tree's shape kept.
#pragma once

#include <cstddef>

#include "espalier/asset.h"

namespace espalier {

/// Bytes of working memory that `refit` needs for this part.
std::size_t refit_scratch_size(const ShapeView& part);

/// Refits the part's aabb tree to new positions, in linear time and caller memory; the mapped file stays as
/// it is. Fails with kNoTree, kInvalidArgument (null, or a coordinate that is not finite or above 1e15) or
/// kBufferFull (scratch too small); nothing is written to `refitted` then.
/// @param part         the part as opened
/// @param positions    3 * mesh.vertex_count floats, in the part's vertex order, without its origin; must
/// live as
///                     long as `refitted` is used
/// @param nodes        receives aabb.node_count nodes, 16-byte aligned; must live as long too
/// @param scratch      working memory, 16-byte aligned, free again afterwards
/// @param scratch_size its bytes, at least refit_scratch_size(part)
/// @param refitted     the part with the new positions and tree: all aabb queries take it. Its other trees
/// are gone,
///                     since they describe the old shape.
Status refit(const ShapeView& part, const float* positions, AabbNode* nodes, void* scratch,
             std::size_t scratch_size, ShapeView* refitted);

}  // namespace espalier
