// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/import/gltf/accessors.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "builder/base/little_endian.h"

namespace espalier::import_formats::gltf {
namespace {

// Elements of an accessor without bytes of its own, which are zeros: no byte of the file bounds them. A
// larger number lets a small file ask for more memory.
constexpr std::uint64_t kMostZeros = 10'000'000;

// Components of an element; 0: there is no such type.
std::uint64_t width_of(const std::string& type) {
    constexpr std::pair<const char*, std::uint64_t> kTypes[] = {
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT2", 4}, {"MAT3", 9}, {"MAT4", 16}};
    for (const auto& [name, width] : kTypes)
        if (type == name) return width;
    return 0;
}

double component_at(const char* bytes, std::uint64_t component) {
    const auto as = [bytes](auto value) {
        std::memcpy(&value, bytes, sizeof value);
        return static_cast<double>(value);
    };
    switch (component) {
        case kByte:
            return as(std::int8_t{});
        case kUnsignedByte:
            return as(std::uint8_t{});
        case kShort:
            return as(std::int16_t{});
        case kUnsignedShort:
            return as(std::uint16_t{});
        case kUnsignedInt:
            return as(std::uint32_t{});
        default:
            return as(float{});
    }
}

// Refuses elements that lie beyond the view.
void check_range(const AccessorLayout& layout, std::uint64_t size, const ViewLayout& view) {
    if (layout.stride < size)
        fail(view.where + " has the byteStride " + std::to_string(layout.stride) + ", but " + layout.where +
             " has elements of " + std::to_string(size) + " bytes");
    if (layout.count > view.length || layout.offset > view.length ||
        (layout.count - 1) * layout.stride + size > view.length - layout.offset)
        fail(layout.where + " reaches beyond the end of " + view.where);
}

}  // namespace

std::uint64_t component_bytes(std::uint64_t component) {
    switch (component) {
        case kByte:
        case kUnsignedByte:
            return 1;
        case kShort:
        case kUnsignedShort:
            return 2;
        case kUnsignedInt:
        case kFloat:
            return 4;
        default:
            return 0;
    }
}

double normalized_value(double value, std::uint64_t component) {
    switch (component) {
        case kByte:
            return std::max(value / 127, -1.0);
        case kUnsignedByte:
            return value / 255;
        case kShort:
            return std::max(value / 32767, -1.0);
        case kUnsignedShort:
            return value / 65535;
        default:
            return value;
    }
}

AccessorLayout Accessors::layout(std::uint64_t index, const AccessorKind& kind,
                                 const std::string& user) const {
    const Json& json = element(root_, "accessors", index, user);
    AccessorLayout layout;
    layout.where = "accessor " + std::to_string(index);
    layout.count = integer(required(json, "count", layout.where), layout.where, "count");
    layout.component = integer(required(json, "componentType", layout.where), layout.where, "componentType");
    const Json& type = required(json, "type", layout.where);
    if (type != kind.type || std::ranges::count(kind.components, layout.component) == 0)
        fail(layout.where + " has the type " + type.dump() + " of component type " +
                 std::to_string(layout.component) + "; " + kind.name + " must be " + kind.type + " of " +
                 kind.allowed,
             ErrorKind::kUnsupported);
    layout.width = width_of(kind.type);
    const Json* normalized = member(json, "normalized");
    layout.normalized = normalized != nullptr && normalized->is_boolean() && normalized->get<bool>();
    layout.sparse = member(json, "sparse");
    if (layout.count == 0) fail(layout.where + " has no elements");

    const std::uint64_t size = layout.width * component_bytes(layout.component);
    layout.stride = size;
    const Json* view_index = member(json, "bufferView");
    if (view_index == nullptr) return layout;
    layout.view = integer(*view_index, layout.where, "bufferView");
    const ViewLayout view = views_.layout(*layout.view, layout.where);
    if (view.stride > 0) layout.stride = view.stride;
    layout.offset = integer_or(json, "byteOffset", 0, layout.where);
    check_range(layout, size, view);
    return layout;
}

// The elements close to each other, with what is sparse in its place.
std::string Accessors::packed(const AccessorLayout& layout) {
    const std::uint64_t size = layout.width * component_bytes(layout.component);
    if (!layout.view && layout.count > kMostZeros)
        fail(layout.where + " promises " + std::to_string(layout.count) +
                 " elements without bytes, which is too large",
             ErrorKind::kUnsupported);
    std::string bytes(layout.count * size, '\0');
    if (layout.view) {
        const std::string_view view = views_.bytes(*layout.view, layout.where).substr(layout.offset);
        for (std::uint64_t i = 0; i < layout.count; ++i)
            std::memcpy(bytes.data() + i * size, view.data() + i * layout.stride, size);
    }
    if (layout.sparse != nullptr) apply_sparse(layout, bytes);
    return bytes;
}

void Accessors::apply_sparse(const AccessorLayout& layout, std::string& bytes) {
    const std::string where = layout.where + ", sparse";
    AccessorLayout indices, values = layout;
    indices.where = where + " indices";
    indices.width = 1;
    values.where = where + " values";
    indices.count = values.count = integer(required(*layout.sparse, "count", where), where, "count");
    if (indices.count == 0 || indices.count > layout.count)
        fail(where + ": " + std::to_string(indices.count) + " values for " + std::to_string(layout.count) +
             " elements");
    const auto bytes_of = [&](const char* key, AccessorLayout& part) {
        const Json& json = required(*layout.sparse, key, where);
        if (&part == &indices)
            part.component =
                integer(required(json, "componentType", part.where), part.where, "componentType");
        if (&part == &indices && part.component != kUnsignedByte && part.component != kUnsignedShort &&
            part.component != kUnsignedInt)
            fail(part.where + " have the component type " + std::to_string(part.component) +
                 ", which no index has");
        part.stride = part.width * component_bytes(part.component);
        part.offset = integer_or(json, "byteOffset", 0, part.where);
        const std::uint64_t view =
            integer(required(json, "bufferView", part.where), part.where, "bufferView");
        check_range(part, part.stride, views_.layout(view, part.where));
        return views_.bytes(view, part.where).substr(part.offset);
    };
    const std::string_view at = bytes_of("indices", indices), what = bytes_of("values", values);
    for (std::uint64_t i = 0, next = 0; i < indices.count; ++i) {
        const std::uint64_t element = read_little_endian(at, i * indices.stride, indices.stride);
        if (element < next || element >= layout.count)
            fail(indices.where + ": index " + std::to_string(i) + " is " + std::to_string(element) +
                 "; they must grow and be less than " + std::to_string(layout.count));
        next = element + 1;
        std::memcpy(bytes.data() + element * values.stride, what.data() + i * values.stride, values.stride);
    }
}

Numbers Accessors::numbers(std::uint64_t index, const AccessorKind& kind, const std::string& user) {
    const AccessorLayout layout = this->layout(index, kind, user);
    const std::string bytes = packed(layout);
    const std::uint64_t size = component_bytes(layout.component);
    Numbers result{layout.count, layout.width, {}};
    result.values.reserve(layout.count * layout.width);
    for (std::uint64_t at = 0; at < bytes.size(); at += size) {
        const double value = component_at(bytes.data() + at, layout.component);
        result.values.push_back(layout.normalized ? normalized_value(value, layout.component) : value);
    }
    return result;
}

std::vector<std::uint32_t> Accessors::indices(std::uint64_t index, const AccessorKind& kind,
                                              const std::string& user) {
    const AccessorLayout layout = this->layout(index, kind, user);
    const std::string bytes = packed(layout);
    const std::uint64_t size = component_bytes(layout.component);
    std::vector<std::uint32_t> result;
    result.reserve(layout.count);
    for (std::uint64_t at = 0; at < bytes.size(); at += size)
        result.push_back(static_cast<std::uint32_t>(read_little_endian(bytes, at, size)));
    return result;
}

}  // namespace espalier::import_formats::gltf
