// SPDX-License-Identifier: GPL-3.0-or-later
// What a hierarchy needs to write its table of an asset.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "builder/surface/triangle_mesh.h"
#include "espalier_generated.h"

namespace espalier {

/// The part that is being written. Tables come before the part's own.
struct PartWriter {
    flatbuffers::FlatBufferBuilder& builder;
    const TriangleMesh& mesh;                      ///< as it is stored
    const std::vector<std::uint32_t>& leaf_order;  ///< the input's triangle at each place of the file
    const std::vector<std::uint32_t>& stored;      ///< the place of each triangle of the input
};

/// A table and the field of the part that points at it.
struct WrittenTree {
    flatbuffers::voffset_t field = 0;
    flatbuffers::Offset<void> table;
};

/// Nodes begin on a cache line.
constexpr std::size_t kNodeAlignment = 64;

inline schema::Vec3 stored_vector(const Eigen::Vector3f& v) {
    return schema::Vec3(v.x(), v.y(), v.z());
}

/// A vector of fixed-size elements at a given alignment.
template <class Element, class Source>
flatbuffers::Offset<flatbuffers::Vector<const Element*>> struct_vector(
    flatbuffers::FlatBufferBuilder& builder, const std::vector<Source>& source, std::size_t alignment) {
    static_assert(sizeof(Element) == sizeof(Source) && sizeof(Source) % 4 == 0);
    // Counted in words: FlatBuffers aligns a vector to the size of its elements, which need not be a power of
    // two.
    const std::size_t bytes = source.size() * sizeof(Source);
    builder.ForceVectorAlignment(bytes, 1, alignment);
    if (bytes == 0) builder.Align(alignment);  // the line above leaves empty vectors where they fall
    builder.StartVector(bytes / 4, 4);
    builder.PushBytes(reinterpret_cast<const std::uint8_t*>(source.data()), bytes);
    return flatbuffers::Offset<flatbuffers::Vector<const Element*>>(builder.EndVector(source.size()));
}

}  // namespace espalier
