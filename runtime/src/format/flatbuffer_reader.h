// SPDX-License-Identifier: MIT
// The few FlatBuffers reads that the format needs, each checked against the buffer's end and its alignment.
// Layout: a table starts with a signed offset back to its vtable; the vtable holds its own size, the table's
// size and one 16-bit offset a field (0: absent); vectors start with a 32-bit count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace espalier {

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Assets are little endian and mapped in place; this platform is not"
#endif

struct Buffer {
    const std::uint8_t* data = nullptr;
    std::uint32_t size = 0;

    bool holds(std::uint64_t position, std::uint64_t bytes, std::uint32_t alignment) const {
        return position % alignment == 0 && position + bytes <= size;
    }
    template <class T>
    T read(std::uint32_t position) const {
        T value;
        std::memcpy(&value, data + position, sizeof(T));
        return value;
    }
};

/// A vector found in a table: where its elements are and how many. Absent and invalid differ.
struct VectorRange {
    enum class State : std::uint8_t { kAbsent, kValid, kInvalid };
    State state = State::kAbsent;
    std::uint32_t position = 0;
    std::uint32_t count = 0;
    const std::uint8_t* data = nullptr;  ///< the elements; null unless valid

    bool valid() const { return state == State::kValid; }
    bool broken() const { return state == State::kInvalid; }
};

/// A table whose vtable was found in bounds.
class Table {
  public:
    Table() = default;

    /// The table at `position`; `valid()` tells whether it and its vtable lie inside the buffer.
    Table(Buffer buffer, std::uint32_t position) : buffer_(buffer), position_(position) {
        if (!buffer.holds(position, 4, 4)) return;
        const std::int64_t vtable = std::int64_t{position} - buffer.read<std::int32_t>(position);
        if (vtable < 0 || vtable > buffer.size || !buffer.holds(std::uint64_t(vtable), 4, 2)) return;
        vtable_ = std::uint32_t(vtable);
        vtable_size_ = buffer.read<std::uint16_t>(vtable_);
        table_size_ = buffer.read<std::uint16_t>(vtable_ + 2);
        valid_ = vtable_size_ >= 4 && vtable_size_ % 2 == 0 && buffer.holds(vtable_, vtable_size_, 2) &&
                 table_size_ >= 4 && buffer.holds(position, table_size_, 4);
    }

    bool valid() const { return valid_; }

    /// Position of an inline field of `bytes` bytes, or 0 when it is absent or does not fit.
    std::uint32_t field(std::uint32_t id, std::uint32_t bytes, std::uint32_t alignment) const {
        const std::uint32_t slot = 4 + 2 * id;
        if (!valid_ || slot + 2 > vtable_size_) return 0;
        const std::uint32_t offset = buffer_.read<std::uint16_t>(vtable_ + slot);
        if (offset < 4 || offset + bytes > table_size_ || (position_ + offset) % alignment != 0) return 0;
        return position_ + offset;
    }

    bool has(std::uint32_t id) const {
        const std::uint32_t slot = 4 + 2 * id;
        return valid_ && slot + 2 <= vtable_size_ && buffer_.read<std::uint16_t>(vtable_ + slot) != 0;
    }

    /// A scalar field with its default.
    template <class T>
    T scalar(std::uint32_t id, T absent) const {
        const std::uint32_t position = field(id, sizeof(T), sizeof(T));
        return position ? buffer_.read<T>(position) : absent;
    }

    /// Where an offset field points, or 0 when it is absent or points outside.
    std::uint32_t target(std::uint32_t id) const {
        const std::uint32_t position = field(id, 4, 4);
        if (!position) return 0;
        const std::uint64_t target = std::uint64_t{position} + buffer_.read<std::uint32_t>(position);
        return buffer_.holds(target, 4, 4) ? std::uint32_t(target) : 0;
    }

    Table table(std::uint32_t id) const {
        const std::uint32_t position = target(id);
        return position ? Table(buffer_, position) : Table();
    }

    VectorRange vector(std::uint32_t id, std::uint32_t element_bytes, std::uint32_t alignment) const {
        VectorRange range;
        if (!has(id)) return range;
        range.state = VectorRange::State::kInvalid;
        const std::uint32_t position = target(id);
        if (!position) return range;
        range.count = buffer_.read<std::uint32_t>(position);
        range.position = position + 4;
        if (buffer_.holds(range.position, std::uint64_t{range.count} * element_bytes, alignment)) {
            range.state = VectorRange::State::kValid;
            range.data = buffer_.data + range.position;
        }
        return range;
    }

    /// A zero-terminated string, or "" when it is absent or broken.
    const char* string(std::uint32_t id) const {
        const VectorRange range = vector(id, 1, 1);
        if (!range.valid() || !buffer_.holds(range.position, std::uint64_t{range.count} + 1, 1)) return "";
        const std::uint8_t* text = buffer_.data + range.position;
        return text[range.count] == 0 ? reinterpret_cast<const char*>(text) : "";
    }

  private:
    Buffer buffer_;
    std::uint32_t position_ = 0;
    std::uint32_t vtable_ = 0;
    std::uint32_t vtable_size_ = 0;
    std::uint32_t table_size_ = 0;
    bool valid_ = false;
};

/// Element `index` of a vector of tables.
inline Table table_at(Buffer buffer, std::uint32_t vector_position, std::uint32_t index) {
    const std::uint32_t slot = vector_position + 4 * index;
    const std::uint64_t target = std::uint64_t{slot} + buffer.read<std::uint32_t>(slot);
    return buffer.holds(target, 4, 4) ? Table(buffer, std::uint32_t(target)) : Table();
}

/// Field ids of schema/espalier.fbs; tests compare them with flatc's generated offsets.
namespace field {
enum Asset : std::uint32_t { kHeader = 0, kProvenance = 1, kParts = 2 };
enum Part : std::uint32_t {
    kName = 0,
    kOrigin = 1,
    kBounds = 2,
    kPositions = 3,
    kIndices16 = 4,
    kIndices32 = 5,
    kSourceTriangles = 6,
    kClosed = 7,
    kAabbTree = 8,
    kBoxTree = 9,
    kCellTree = 10,
    kSphereTree = 11,
};
enum AabbTree : std::uint32_t { kTreeBounds = 0, kDepth = 1, kNodes = 2, kTriangleOrder = 3 };
enum BoxTree : std::uint32_t {
    kBoxBounds = 0,
    kBoxDepth = 1,
    kBoxLeafTriangles = 2,
    kBoxNodes = 3,
    kBoxTriangleOrder = 4
};
enum CellTree : std::uint32_t {
    kCellBounds = 0,
    kCellDepth = 1,
    kCellDelta = 2,
    kCellNodes = 3,
    kCellTriangles = 4,
    kCellEdges = 5
};
enum SphereTree : std::uint32_t {
    kSpheres = 0,
    kSphereErrors = 1,
    kSphereLevels = 2,
    kSphereChildEnds = 3,
    kSphereChildList = 4,
    kSphereLeafEnds = 5,
    kSphereLeafTriangles = 6,
    kSphereCoverage = 7,
    kSphereProved = 8,
    kSphereVolumeProved = 9,
    kSphereSolid = 10,
    kSphereSolidVolume = 11,
    kSphereLimit = 12,
    kSphereBranch = 13,
    kSphereMethod = 14,
    kSphereShells = 15,
    kSphereSharedEnds = 16,
    kSphereSharedList = 17,
};
}  // namespace field

constexpr std::uint32_t kHeaderBytes = 24;
constexpr std::uint32_t kChecksumOffset = 16;  // of the checksum inside the header

}  // namespace espalier
