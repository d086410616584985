// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/part_asset.h"

#include <cmath>
#include <cstring>

#include "espalier_generated.h"
#include "tests/support/baked_mesh.h"

namespace espalier::testing {
namespace {

/// Where the fields of the new root lie: vtable at 8, table at 24, the header at a multiple of 8.
constexpr std::uint32_t kVtable = 8, kTable = 24, kTableBytes = 48;
constexpr std::uint32_t kShapes = 4, kHeader = 8, kParts = 32, kNames = 36, kPairs = 40;

class Bytes {
  public:
    std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }
    void pad(std::size_t alignment) {
        bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
    }
    void append(const void* data, std::size_t count) {
        const std::size_t at = bytes_.size();
        bytes_.resize(at + count);
        if (count > 0) std::memcpy(bytes_.data() + at, data, count);
    }
    template <class T>
    void put(T value) {
        append(&value, sizeof(value));
    }
    /// An offset field that is to lead to where the bytes end now.
    void point_here(std::uint32_t field) {
        const std::uint32_t offset = size() - field;
        std::memcpy(bytes_.data() + field, &offset, sizeof(offset));
    }
    std::uint8_t* at(std::uint32_t position) { return bytes_.data() + position; }
    std::vector<std::uint8_t> take() { return std::move(bytes_); }

  private:
    std::vector<std::uint8_t> bytes_;
};

void put_root(Bytes& out, const HandParts& parts) {
    out.put(kTable);
    out.append("ESPL", 4);
    const auto slot = [](bool there, std::uint32_t offset) {
        return static_cast<std::uint16_t>(there ? offset : 0);
    };
    for (const std::uint16_t entry : {slot(true, 16), slot(true, kTableBytes), slot(true, kHeader),
                                      slot(false, 0), slot(true, kShapes), slot(!parts.parts.empty(), kParts),
                                      slot(!parts.names.empty(), kNames), slot(!parts.pairs.empty(), kPairs)})
        out.put(entry);
    out.put(std::int32_t{kTable - kVtable});
    while (out.size() < kTable + kTableBytes) out.put(std::uint8_t{0});
}

template <class Node>
void put_structs(Bytes& out, std::uint32_t field, const std::vector<Node>& nodes) {
    if (nodes.empty()) return;
    // The elements lie at a multiple of 8, behind their count.
    out.pad(8);
    out.put(std::uint32_t{0});
    out.point_here(kTable + field);
    out.put(static_cast<std::uint32_t>(nodes.size()));
    out.append(nodes.data(), nodes.size() * sizeof(Node));
}

void put_names(Bytes& out, const std::vector<std::string>& names) {
    if (names.empty()) return;
    out.pad(4);
    out.point_here(kTable + kNames);
    out.put(static_cast<std::uint32_t>(names.size()));
    const std::uint32_t first = out.size();
    for (std::size_t i = 0; i < names.size(); ++i) out.put(std::uint32_t{0});
    for (std::size_t i = 0; i < names.size(); ++i) {
        out.pad(4);
        out.point_here(first + 4 * static_cast<std::uint32_t>(i));
        out.put(static_cast<std::uint32_t>(names[i].size()));
        out.append(names[i].c_str(), names[i].size() + 1);
    }
}

}  // namespace

std::uint32_t HandParts::add(std::string name, const PartNode& part) {
    parts.push_back(part);
    parts.back().name = static_cast<std::uint32_t>(names.size());
    names.push_back(std::move(name));
    return static_cast<std::uint32_t>(parts.size() - 1);
}

std::vector<std::uint8_t> with_parts(std::span<const std::uint8_t> shapes, const HandParts& parts) {
    Bytes out;
    put_root(out, parts);
    put_structs(out, kParts, parts.parts);
    put_names(out, parts.names);
    put_structs(out, kPairs, parts.pairs);
    out.pad(64);
    // The old file as a whole: its offsets count from where they stand, so they stay right.
    const auto* vector = reinterpret_cast<const std::uint8_t*>(schema::GetAsset(shapes.data())->shapes());
    const std::uint32_t target = out.size() + static_cast<std::uint32_t>(vector - shapes.data());
    const std::uint32_t offset = target - (kTable + kShapes);
    std::memcpy(out.at(kTable + kShapes), &offset, sizeof(offset));
    out.append(shapes.data(), shapes.size());
    schema::Header header(kFormatMajor, kFormatMinor, 77, out.size(), 0);
    std::memcpy(out.at(kTable + kHeader), &header, sizeof(header));
    std::vector<std::uint8_t> bytes = out.take();
    repair_checksum(bytes);
    return bytes;
}

PartNode hand_part(std::uint32_t shape, std::uint32_t parent, std::array<double, 3> at, Joint joint,
                   std::array<double, 3> axis) {
    PartNode part;
    part.shape = shape;
    part.parent = parent;
    part.joint = joint;
    const double length = std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (std::size_t k = 0; k < 3; ++k) {
        part.translation[k] = at[k];
        part.axis[k] = length > 0 ? axis[k] / length : 0;
    }
    return part;
}

}  // namespace espalier::testing
