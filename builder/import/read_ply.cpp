// SPDX-License-Identifier: GPL-3.0-or-later
// PLY (Turk, "The PLY Polygon File Format", 1994), text and binary: positions and faces; other elements and
// properties are skipped.
#include <algorithm>
#include <array>
#include <bit>
#include <istream>
#include <optional>
#include <utility>

#include "builder/base/little_endian.h"
#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using namespace text_scan;

struct Type {
    std::string_view name, alias;
    std::size_t bytes;
    bool integer;
    std::int64_t least, most;
};

constexpr std::array<Type, 8> kTypes{{
    {"char", "int8", 1, true, -128, 127},
    {"uchar", "uint8", 1, true, 0, 255},
    {"short", "int16", 2, true, -32768, 32767},
    {"ushort", "uint16", 2, true, 0, 65535},
    {"int", "int32", 4, true, -2147483648LL, 2147483647},
    {"uint", "uint32", 4, true, 0, 4294967295LL},
    {"float", "float32", 4, false, 0, 0},
    {"double", "float64", 8, false, 0, 0},
}};

const Type* find_type(std::string_view name) {
    for (const Type& type : kTypes)
        if (name == type.name || name == type.alias) return &type;
    return nullptr;
}

struct Property {
    std::string name;
    const Type* type = nullptr;
    const Type* count = nullptr;  // set: the property is a list
    int axis = -1;                // of a vertex's coordinate
    bool corners = false;         // a face's list of vertices
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;

    Property* find(std::string_view property) {
        for (Property& candidate : properties)
            if (candidate.name == property) return &candidate;
        return nullptr;
    }
};

// A number, and the integer that it is where its type is one.
struct Value {
    double number = 0;
    std::int64_t integer = 0;
};

enum class Format { kAscii, kLittleEndian, kBigEndian };

class PlyReader {
  public:
    explicit PlyReader(std::string_view bytes) : rest_(bytes) {}
    Result<PolygonSoup> run();
    /// Whether the header, of which `rest_` is the start, promises more than is read.
    std::optional<Error> check_head(std::uint64_t size);

  private:
    // Header.
    std::optional<Error> header();
    std::optional<Error> header_line(std::string_view line);
    std::optional<Error> format(std::string_view line);
    std::optional<Error> element(std::string_view line);
    std::optional<Error> property(std::string_view line);
    std::optional<Error> check_vertex_element(Element& element);
    std::optional<Error> check_face_element(Element& element);
    std::optional<Error> check_elements();

    // Body.
    std::optional<Error> body();
    std::optional<Error> ascii_item(const Element& element, std::uint64_t index);
    std::optional<Error> binary_item(const Element& element, std::uint64_t index);
    template <class Where>
    std::optional<Error> ascii_value(const Type& type, const Where& where, Value& value);
    void reserve();
    void end_item(const Element& element);
    std::optional<Error> truncated(const Element& element, std::uint64_t index) const;
    std::optional<Error> check_index(std::int64_t vertex, const Element& element, std::uint64_t index) const;

    std::string_view rest_;
    std::size_t line_ = 0;
    bool has_format_ = false, done_ = false;
    Format format_ = Format::kAscii;
    std::vector<Element> elements_;
    std::uint64_t vertices_ = 0;
    std::uint64_t faces_ = 0;
    Eigen::Vector3d point_ = Eigen::Vector3d::Zero();  // the vertex that is being read
    PolygonSoup soup_;
};

std::string describe(const Element& element, std::uint64_t index) {
    return element.name + " " + std::to_string(index) + " of " + std::to_string(element.count);
}

bool is_vertex(const Element& element) {
    return element.name == "vertex" || element.name == "vertices";
}
bool is_face(const Element& element) {
    return element.name == "face" || element.name == "faces";
}
bool is_indices(const Property& property) {
    return property.name == "vertex_indices" || property.name == "vertex_index";
}

Error unsupported(const std::string& message) {
    return Error{ErrorKind::kUnsupported, message};
}

std::optional<Error> PlyReader::format(std::string_view line) {
    const std::string_view name = take_word(line);
    if (has_format_) return at_line(line_, "a second \"format\"");
    has_format_ = true;
    if (name == "ascii")
        format_ = Format::kAscii;
    else if (name == "binary_little_endian")
        format_ = Format::kLittleEndian;
    else if (name == "binary_big_endian")
        format_ = Format::kBigEndian;
    else
        return at_line(line_, "unknown PLY format " + quote(name));
    return std::nullopt;
}

std::optional<Error> PlyReader::element(std::string_view line) {
    const std::string_view name = take_word(line);
    const std::string_view word = take_word(line);
    const auto count = parse_integer(word);
    if (name.empty() || !count || *count < 0)
        return at_line(line_, "the number of elements " + quote(name) + " is " + quote(word));
    for (const Element& other : elements_)
        if (other.name == name) return at_line(line_, "a second element " + quote(name));
    elements_.push_back({std::string(name), static_cast<std::uint64_t>(*count), {}});
    return std::nullopt;
}

std::optional<Error> PlyReader::property(std::string_view line) {
    if (elements_.empty()) return at_line(line_, "a property before any element");
    Property result;
    std::string_view word = take_word(line);
    if (word == "list") {
        const std::string_view count = take_word(line);
        result.count = find_type(count);
        if (result.count == nullptr || !result.count->integer)
            return at_line(
                line_, "the list length has the type " + quote(count) + ", which is not a PLY integer type");
        word = take_word(line);
    }
    result.type = find_type(word);
    if (result.type == nullptr)
        return at_line(line_, "the property type " + quote(word) + " is not a PLY type");
    result.name = take_word(line);
    if (result.name.empty()) return at_line(line_, "the property has no name");
    elements_.back().properties.push_back(std::move(result));
    return std::nullopt;
}

std::optional<Error> PlyReader::header_line(std::string_view line) {
    const std::string_view keyword = take_word(line);
    if (line_ == 1)
        return keyword == "ply" ? std::nullopt
                                : std::optional(Error{ErrorKind::kInvalidInput,
                                                      "not a PLY file: it starts with " + quote(keyword) +
                                                          " instead of \"ply\""});
    if (keyword.empty() || keyword == "comment" || keyword == "obj_info") return std::nullopt;
    if (keyword == "format") return format(line);
    if (keyword == "element") return element(line);
    if (keyword == "property") return property(line);
    if (keyword == "end_header") {
        done_ = true;
        return std::nullopt;
    }
    return at_line(line_, quote(keyword) + " is not a PLY header keyword");
}

std::optional<Error> PlyReader::header() {
    // Lines end with "\n" or "\r\n": a lone "\r" cannot be told from the first byte of a binary body.
    while (!done_) {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos && line_ > 0)
            return at_line(line_, "the PLY header has no \"end_header\"; the file is truncated");
        ++line_;
        if (auto error = header_line(rest_.substr(0, end))) return error;
        rest_.remove_prefix(std::min(rest_.size(), end == std::string_view::npos ? end : end + 1));
    }
    if (!has_format_) return Error{ErrorKind::kInvalidInput, "the PLY header has no \"format\""};
    return std::nullopt;
}

std::optional<Error> PlyReader::check_vertex_element(Element& element) {
    for (int k = 0; k < 3; ++k) {
        const std::string axis = kAxes[k];
        Property* property = element.find(axis);
        if (property == nullptr)
            return Error{ErrorKind::kInvalidInput, "the PLY vertices have no property \"" + axis + "\""};
        if (property->count != nullptr || (property->type->integer && format_ != Format::kAscii))
            return unsupported("the PLY coordinate " + axis +
                               " is neither float nor double; convert the file");
        property->axis = k;
    }
    vertices_ = element.count;
    if (element.count > kMaxVertices)
        return unsupported(std::to_string(element.count) + " vertices are too many");
    return std::nullopt;
}

std::optional<Error> PlyReader::check_face_element(Element& element) {
    // Where there are both names, vertex_indices counts.
    Property* indices = element.find("vertex_indices");
    if (indices == nullptr) indices = element.find("vertex_index");
    if (indices == nullptr || indices->count == nullptr)
        return Error{ErrorKind::kInvalidInput, "the PLY faces have no list \"vertex_indices\""};
    if (!indices->type->integer || (indices->type->bytes != 4 && format_ != Format::kAscii))
        return unsupported("the PLY vertex indices have the type " + std::string(indices->type->name) +
                           "; only int and uint are supported: convert the file");
    indices->corners = true;
    faces_ = element.count;
    return std::nullopt;
}

std::optional<Error> PlyReader::check_elements() {
    bool has_vertices = false;
    for (Element& element : elements_) {
        if (element.properties.empty() && element.count > 0)
            return Error{ErrorKind::kInvalidInput,
                         "the PLY element " + quote(element.name) + " has no properties"};
        if (is_vertex(element)) {
            if (has_vertices)
                return Error{ErrorKind::kInvalidInput, "the PLY header declares vertices twice"};
            has_vertices = true;
            if (auto error = check_vertex_element(element)) return error;
        } else if (is_face(element)) {
            if (faces_ > 0) return Error{ErrorKind::kInvalidInput, "the PLY header declares faces twice"};
            if (auto error = check_face_element(element)) return error;
        } else if (element.name == "tristrips" && element.count > 0) {
            return unsupported("PLY triangle strips are not supported; convert the file to faces");
        }
    }
    if (!has_vertices)
        return Error{ErrorKind::kInvalidInput, "the PLY header declares no element \"vertex\""};
    return std::nullopt;
}

std::optional<Error> PlyReader::truncated(const Element& element, std::uint64_t index) const {
    return Error{ErrorKind::kInvalidInput,
                 "the file ends at " + describe(element, index) + ": it is truncated"};
}

std::optional<Error> PlyReader::check_index(std::int64_t vertex, const Element& element,
                                            std::uint64_t index) const {
    if (vertex >= 0 && static_cast<std::uint64_t>(vertex) < vertices_) return std::nullopt;
    return Error{ErrorKind::kInvalidInput, describe(element, index) + " refers to vertex " +
                                               std::to_string(vertex) + ", but the file has " +
                                               std::to_string(vertices_) + " vertices (counted from 0)"};
}

template <class Where>
std::optional<Error> PlyReader::ascii_value(const Type& type, const Where& where, Value& value) {
    const std::string_view word = take_word(rest_);
    if (word.empty())
        return Error{ErrorKind::kInvalidInput, "the file ends at " + where() + ": it is truncated"};
    if (!type.integer) {
        // Text is read as it stands, also beyond the precision and range of the type in the header.
        const auto number = parse_coordinate(word);
        if (!number)
            return Error{ErrorKind::kInvalidInput, where() + ": " + quote(word) + " is not a number"};
        value.number = *number;
        return std::nullopt;
    }
    const auto integer = parse_integer(word);
    if (!integer || *integer < type.least || *integer > type.most)
        return Error{ErrorKind::kInvalidInput,
                     where() + ": " + quote(word) + " is not of type " + std::string(type.name)};
    value = {static_cast<double>(*integer), *integer};
    return std::nullopt;
}

std::optional<Error> PlyReader::ascii_item(const Element& element, std::uint64_t index) {
    for (const Property& property : element.properties) {
        const auto where = [&] { return describe(element, index) + ", " + property.name; };
        std::int64_t count = 1;
        if (property.count != nullptr) {
            Value length;
            if (auto error = ascii_value(*property.count, where, length)) return error;
            count = length.integer;
            if (count < 0) return Error{ErrorKind::kInvalidInput, where() + ": negative list length"};
            if (static_cast<std::uint64_t>(count) > kMaxPolygonCorners)
                return unsupported(where() + ": a list of " + std::to_string(count) + " values");
        }
        const bool indices = is_face(element) && is_indices(property);
        for (std::int64_t i = 0; i < count; ++i) {
            Value value;
            if (auto error = ascii_value(*property.type, where, value)) return error;
            if (property.axis >= 0) point_[property.axis] = value.number;
            if (!indices) continue;
            if (auto error = check_index(value.integer, element, index)) return error;
            if (property.corners) soup_.corners.push_back(static_cast<std::uint32_t>(value.integer));
        }
    }
    return std::nullopt;
}

// An integer of `type` at the start of `bytes`.
std::int64_t read_integer(const Type& type, std::string_view bytes, bool big_endian) {
    const std::uint64_t value =
        big_endian ? read_big_endian(bytes, 0, type.bytes) : read_little_endian(bytes, 0, type.bytes);
    const std::int64_t values = std::int64_t{1} << (8 * type.bytes);
    const bool negative = type.least < 0 && static_cast<std::int64_t>(value) >= values / 2;
    return static_cast<std::int64_t>(value) - (negative ? values : 0);
}

// A float or double at the start of `bytes`.
double read_coordinate(const Type& type, std::string_view bytes, bool big_endian) {
    const std::uint64_t bits =
        big_endian ? read_big_endian(bytes, 0, type.bytes) : read_little_endian(bytes, 0, type.bytes);
    if (type.bytes == 8) return coordinate_of(std::bit_cast<double>(bits));
    return coordinate_of(static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
}

std::optional<Error> PlyReader::binary_item(const Element& element, std::uint64_t index) {
    const bool big = format_ == Format::kBigEndian;
    for (const Property& property : element.properties) {
        std::uint64_t count = 1;
        if (property.count != nullptr) {
            if (rest_.size() < property.count->bytes) return truncated(element, index);
            const std::int64_t length = read_integer(*property.count, rest_, big);
            if (length < 0)
                return Error{ErrorKind::kInvalidInput, describe(element, index) + ": negative list length"};
            count = static_cast<std::uint64_t>(length);
            rest_.remove_prefix(property.count->bytes);
        }
        if (rest_.size() / property.type->bytes < count) return truncated(element, index);
        if (property.count != nullptr && count > kMaxPolygonCorners)
            return unsupported(describe(element, index) + ": a list of " + std::to_string(count) + " values");
        if (property.axis >= 0) point_[property.axis] = read_coordinate(*property.type, rest_, big);
        if (is_face(element) && is_indices(property)) {
            for (std::uint64_t i = 0; i < count; ++i) {
                const auto value = read_integer(*property.type, rest_.substr(i * property.type->bytes), big);
                if (auto error = check_index(value, element, index)) return error;
                if (property.corners) soup_.corners.push_back(static_cast<std::uint32_t>(value));
            }
        }
        rest_.remove_prefix(count * property.type->bytes);
    }
    return std::nullopt;
}

// Room for what the header promises, as far as the file can hold it: at least a byte a property.
void PlyReader::reserve() {
    soup_.points.reserve(std::min<std::uint64_t>(vertices_, rest_.size() / 3));
    soup_.first_corner.reserve(std::min<std::uint64_t>(faces_, rest_.size()) + 1);
}

void PlyReader::end_item(const Element& element) {
    if (is_vertex(element)) soup_.points.push_back(point_);
    if (is_face(element)) soup_.first_corner.push_back(soup_.corners.size());
}

std::optional<Error> PlyReader::body() {
    reserve();
    for (const Element& element : elements_) {
        for (std::uint64_t i = 0; i < element.count; ++i) {
            auto error = format_ == Format::kAscii ? ascii_item(element, i) : binary_item(element, i);
            if (error) return error;
            end_item(element);
        }
    }
    std::string_view rest = rest_;
    if (format_ == Format::kAscii ? !take_word(rest).empty() : !rest.empty())
        soup_.findings.push_back({"M01", Severity::kWarning, "trailing data", rest_.size(),
                                  std::to_string(rest_.size()) + " bytes follow the last element; ignored"});
    return std::nullopt;
}

Result<PolygonSoup> PlyReader::run() {
    const bool terminated = rest_.ends_with('\n') || rest_.ends_with('\r');
    if (auto error = header()) return *std::move(error);
    if (auto error = check_elements()) return *std::move(error);
    if (auto error = body()) return *std::move(error);
    if (format_ == Format::kAscii && !terminated)
        soup_.findings.push_back({"M02", Severity::kInfo, "no final newline", 1,
                                  "the last line has no end; the file may have been cut off there"});
    return std::move(soup_);
}

std::optional<Error> PlyReader::check_head(std::uint64_t size) {
    if (header() || check_elements()) return std::nullopt;
    // What the file cannot hold, at a byte each, is truncated.
    if (faces_ > kMostTriangles && faces_ < size) return too_many(faces_, "faces");
    if (vertices_ > 3 * kMostTriangles && vertices_ < size) return too_many(vertices_, "vertices");
    return std::nullopt;
}

}  // namespace

Result<PolygonSoup> read_ply(std::string_view bytes) {
    return PlyReader(bytes).run();
}

std::optional<Error> check_ply_head(std::istream& file, std::uint64_t size, const ImportOptions&) {
    // Longer than any header.
    constexpr std::uint64_t kHeadBytes = 64'000;
    const std::string head = read_some(file, kHeadBytes);
    return PlyReader(head).check_head(size);
}

}  // namespace espalier::import_formats
