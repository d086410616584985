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
    Table(Buffer buffer, std::uint32_t position);

    bool valid() const { return valid_; }

    /// Position of an inline field of `bytes` bytes, or 0 when it is absent or does not fit.
    std::uint32_t field(std::uint32_t id, std::uint32_t bytes, std::uint32_t alignment) const;

    bool has(std::uint32_t id) const;

    /// A scalar field with its default.
    template <class T>
    T scalar(std::uint32_t id, T absent) const {
        const std::uint32_t position = field(id, sizeof(T), sizeof(T));
        return position ? buffer_.read<T>(position) : absent;
    }

    /// A byte or a 32-bit word; 0 when it is absent.
    std::uint8_t byte(std::uint32_t id) const;
    std::uint32_t word(std::uint32_t id) const;

    /// A box: its low corner and its high one. False: it is not there.
    bool box(std::uint32_t id, float* lo, float* hi) const;

    /// Where an offset field points, or 0 when it is absent or points outside.
    std::uint32_t target(std::uint32_t id) const;

    Table table(std::uint32_t id) const;

    VectorRange vector(std::uint32_t id, std::uint32_t element_bytes, std::uint32_t alignment) const;

    /// A vector of 32-bit words.
    VectorRange words(std::uint32_t id) const;

    /// A zero-terminated string, or "" when it is absent or broken.
    const char* string(std::uint32_t id) const;

  private:
    Buffer buffer_;
    std::uint32_t position_ = 0;
    std::uint32_t vtable_ = 0;
    std::uint32_t vtable_size_ = 0;
    std::uint32_t table_size_ = 0;
    bool valid_ = false;
};

/// Element `index` of a vector of strings, zero-terminated; null when it is broken.
const char* string_at(Buffer buffer, std::uint32_t vector_position, std::uint32_t index);

/// Element `index` of a vector of tables.
Table table_at(Buffer buffer, std::uint32_t vector_position, std::uint32_t index);

/// Field ids of schema/espalier.fbs but those of the trees, which their rooms have; tests compare them with
/// flatc's generated offsets.
namespace field {
enum Asset : std::uint32_t { kHeader = 0, kProvenance = 1, kShapes = 2, kParts = 3, kNames = 4, kPairs = 5 };
enum Shape : std::uint32_t {
    kName = 0,
    kOrigin = 1,
    kBounds = 2,
    kPositions = 3,
    kIndices16 = 4,
    kIndices32 = 5,
    kSourceTriangles = 6,
    kClosed = 7,
};
}  // namespace field

constexpr std::uint32_t kHeaderBytes = 24;
constexpr std::uint32_t kChecksumOffset = 16;  // of the checksum inside the header

}  // namespace espalier
