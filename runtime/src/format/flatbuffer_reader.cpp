// SPDX-License-Identifier: MIT
// The checked reads. Out of line, since every room's format code calls them and none is in a hurry.
#include "flatbuffer_reader.h"

namespace espalier {

Table::Table(Buffer buffer, std::uint32_t position) : buffer_(buffer), position_(position) {
    if (!buffer.holds(position, 4, 4)) return;
    const std::int64_t vtable = std::int64_t{position} - buffer.read<std::int32_t>(position);
    if (vtable < 0 || vtable > buffer.size || !buffer.holds(std::uint64_t(vtable), 4, 2)) return;
    vtable_ = std::uint32_t(vtable);
    vtable_size_ = buffer.read<std::uint16_t>(vtable_);
    table_size_ = buffer.read<std::uint16_t>(vtable_ + 2);
    valid_ = vtable_size_ >= 4 && vtable_size_ % 2 == 0 && buffer.holds(vtable_, vtable_size_, 2) &&
             table_size_ >= 4 && buffer.holds(position, table_size_, 4);
}

std::uint32_t Table::field(std::uint32_t id, std::uint32_t bytes, std::uint32_t alignment) const {
    const std::uint32_t slot = 4 + 2 * id;
    if (!valid_ || slot + 2 > vtable_size_) return 0;
    const std::uint32_t offset = buffer_.read<std::uint16_t>(vtable_ + slot);
    if (offset < 4 || offset + bytes > table_size_ || (position_ + offset) % alignment != 0) return 0;
    return position_ + offset;
}

bool Table::has(std::uint32_t id) const {
    const std::uint32_t slot = 4 + 2 * id;
    return valid_ && slot + 2 <= vtable_size_ && buffer_.read<std::uint16_t>(vtable_ + slot) != 0;
}

std::uint8_t Table::byte(std::uint32_t id) const {
    return scalar<std::uint8_t>(id, 0);
}

std::uint32_t Table::word(std::uint32_t id) const {
    return scalar<std::uint32_t>(id, 0);
}

bool Table::box(std::uint32_t id, float* lo, float* hi) const {
    const std::uint32_t position = field(id, 24, 4);
    if (!position) return false;
    std::memcpy(lo, buffer_.data + position, 12);
    std::memcpy(hi, buffer_.data + position + 12, 12);
    return true;
}

std::uint32_t Table::target(std::uint32_t id) const {
    const std::uint32_t position = field(id, 4, 4);
    if (!position) return 0;
    const std::uint64_t target = std::uint64_t{position} + buffer_.read<std::uint32_t>(position);
    return buffer_.holds(target, 4, 4) ? std::uint32_t(target) : 0;
}

Table Table::table(std::uint32_t id) const {
    const std::uint32_t position = target(id);
    return position ? Table(buffer_, position) : Table();
}

VectorRange Table::vector(std::uint32_t id, std::uint32_t element_bytes, std::uint32_t alignment) const {
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

VectorRange Table::words(std::uint32_t id) const {
    return vector(id, 4, 4);
}

const char* Table::string(std::uint32_t id) const {
    const VectorRange range = vector(id, 1, 1);
    if (!range.valid() || !buffer_.holds(range.position, std::uint64_t{range.count} + 1, 1)) return "";
    const std::uint8_t* text = buffer_.data + range.position;
    return text[range.count] == 0 ? reinterpret_cast<const char*>(text) : "";
}

const char* string_at(Buffer buffer, std::uint32_t vector_position, std::uint32_t index) {
    const std::uint32_t slot = vector_position + 4 * index;
    const std::uint64_t target = std::uint64_t{slot} + buffer.read<std::uint32_t>(slot);
    if (!buffer.holds(target, 4, 4)) return nullptr;
    const std::uint64_t end = target + 4 + buffer.read<std::uint32_t>(std::uint32_t(target));
    if (!buffer.holds(end, 1, 1) || buffer.data[end] != 0) return nullptr;
    return reinterpret_cast<const char*>(buffer.data + target + 4);
}

Table table_at(Buffer buffer, std::uint32_t vector_position, std::uint32_t index) {
    const std::uint32_t slot = vector_position + 4 * index;
    const std::uint64_t target = std::uint64_t{slot} + buffer.read<std::uint32_t>(slot);
    return buffer.holds(target, 4, 4) ? Table(buffer, std::uint32_t(target)) : Table();
}

}  // namespace espalier
