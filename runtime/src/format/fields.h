// SPDX-License-Identifier: MIT
// What the mesh and every hierarchy read and check alike: boxes, vectors, orders of triangles.
#pragma once

#include "../base/rounding.h"
#include "espalier/asset.h"
#include "flatbuffer_reader.h"

namespace espalier {

template <class T>
const T* elements_of(const VectorRange& range) {
    return reinterpret_cast<const T*>(range.data);
}

/// An optional vector of one entry a triangle. False: it is there, and wrong.
bool read_per_triangle(const Table& table, std::uint32_t id, std::uint32_t triangle_count,
                       const std::uint32_t** entries);

/// A box's sides are finite and in order.
bool proper_box(const float* lo, const float* hi);

template <class Index>
Index largest_index(const Index* indices, std::size_t count) {
    Index largest = 0;
    for (std::size_t i = 0; i < count; ++i) largest = indices[i] > largest ? indices[i] : largest;
    return largest;
}

/// Every entry of a list is below `limit`, which is not 0.
bool entries_below(const std::uint32_t* list, std::uint32_t count, std::uint32_t limit);

/// A permutation check without memory is quadratic, so only the range is checked: a repeated entry can make a
/// query see a triangle twice or never, but never read out of bounds.
inline bool order_in_range(const std::uint32_t* order, std::uint32_t count) {
    return !order || entries_below(order, count, count);
}

}  // namespace espalier
