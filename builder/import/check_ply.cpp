// SPDX-License-Identifier: GPL-3.0-or-later
// Check before CGAL's PLY reader (5.5), which skips properties of unknown type (and then misreads everything
// behind them), dereferences null for integer coordinates, takes missing ones for 0, allocates what a list
// claims, and goes on reading after the end of the file. The reader is given a regular header and a body that
// is known to fit it.
#include <array>
#include <cstring>
#include <limits>

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
};

struct Element {
    std::string name;
    std::uint64_t count = 0;
    std::vector<Property> properties;

    const Property* find(std::string_view property) const {
        for (const Property& candidate : properties)
            if (candidate.name == property) return &candidate;
        return nullptr;
    }
};

enum class Format { kAscii, kLittleEndian, kBigEndian };

class PlyCheck {
  public:
    explicit PlyCheck(std::string_view bytes) : rest_(bytes) {}
    Result<CheckedInput> run();

  private:
    // Header.
    std::optional<Error> header();
    std::optional<Error> header_line(std::string_view line);
    std::optional<Error> format(std::string_view line);
    std::optional<Error> element(std::string_view line);
    std::optional<Error> property(std::string_view line);
    std::optional<Error> check_vertex_element(const Element& element);
    std::optional<Error> check_face_element(const Element& element);
    std::optional<Error> check_elements();
    std::string_view told_type(const Element& element, const Property& property) const;
    void write_header();

    // Body.
    std::optional<Error> body();
    std::optional<Error> ascii_item(const Element& element, std::uint64_t index);
    std::optional<Error> binary_item(const Element& element, std::uint64_t index);
    template <class Where>
    std::optional<Error> ascii_value(const Type& type, const Where& where, std::int64_t& integer);
    std::optional<Error> truncated(const Element& element, std::uint64_t index) const;
    std::optional<Error> check_index(std::int64_t vertex, const Element& element, std::uint64_t index) const;

    std::string_view rest_;
    std::size_t line_ = 0;
    bool has_format_ = false, done_ = false;
    Format format_ = Format::kAscii;
    std::vector<Element> elements_;
    CheckedInput result_;
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

std::optional<Error> PlyCheck::format(std::string_view line) {
    const std::string_view name = take_word(line);
    if (has_format_) return at_line(line_, "a second \"format\"");
    has_format_ = true;
    if (name == "ascii") {
        format_ = Format::kAscii;
    } else if (name == "binary_little_endian") {
        format_ = Format::kLittleEndian;
    } else if (name == "binary_big_endian") {
        format_ = Format::kBigEndian;
    } else {
        return at_line(line_, "unknown PLY format " + quote(name));
    }
    return std::nullopt;
}

std::optional<Error> PlyCheck::element(std::string_view line) {
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

std::optional<Error> PlyCheck::property(std::string_view line) {
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

std::optional<Error> PlyCheck::header_line(std::string_view line) {
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

std::optional<Error> PlyCheck::header() {
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

std::optional<Error> PlyCheck::check_vertex_element(const Element& element) {
    for (const char* axis : {"x", "y", "z"}) {
        const Property* property = element.find(axis);
        if (property == nullptr)
            return Error{ErrorKind::kInvalidInput,
                         "the PLY vertices have no property \"" + std::string(axis) + "\""};
        if (property->count != nullptr || (property->type->integer && format_ != Format::kAscii))
            return unsupported("the PLY coordinate " + std::string(axis) +
                               " is neither float nor double; convert the file");
    }
    result_.vertices = element.count;
    if (element.count > kMaxVertices)
        return unsupported(std::to_string(element.count) + " vertices are too many");
    return std::nullopt;
}

std::optional<Error> PlyCheck::check_face_element(const Element& element) {
    // The reader looks for vertex_indices first.
    const Property* indices = element.find("vertex_indices");
    if (indices == nullptr) indices = element.find("vertex_index");
    if (indices == nullptr || indices->count == nullptr)
        return Error{ErrorKind::kInvalidInput, "the PLY faces have no list \"vertex_indices\""};
    if (!indices->type->integer || (indices->type->bytes != 4 && format_ != Format::kAscii))
        return unsupported("the PLY vertex indices have the type " + std::string(indices->type->name) +
                           "; only int and uint are supported: convert the file");
    result_.polygons = element.count;
    return std::nullopt;
}

std::optional<Error> PlyCheck::check_elements() {
    bool has_vertices = false;
    for (const Element& element : elements_) {
        if (element.properties.empty() && element.count > 0)
            return Error{ErrorKind::kInvalidInput,
                         "the PLY element " + quote(element.name) + " has no properties"};
        if (is_vertex(element)) {
            if (has_vertices)
                return Error{ErrorKind::kInvalidInput, "the PLY header declares vertices twice"};
            has_vertices = true;
            if (auto error = check_vertex_element(element)) return error;
        } else if (is_face(element)) {
            if (result_.polygons > 0)
                return Error{ErrorKind::kInvalidInput, "the PLY header declares faces twice"};
            if (auto error = check_face_element(element)) return error;
        } else if (element.name == "tristrips" && element.count > 0) {
            return unsupported("PLY triangle strips are not supported; convert the file to faces");
        }
    }
    if (!has_vertices)
        return Error{ErrorKind::kInvalidInput, "the PLY header declares no element \"vertex\""};
    return std::nullopt;
}

// The type that the reader is told. In text a value may be declared wider than it is: the reader stops at a
// float that is beyond the range of one, and takes coordinates and indices of a few types only.
std::string_view PlyCheck::told_type(const Element& element, const Property& property) const {
    if (format_ != Format::kAscii) return property.type->name;
    const bool coordinate = property.name == "x" || property.name == "y" || property.name == "z";
    if (!property.type->integer || (is_vertex(element) && coordinate)) return "double";
    if (is_face(element) && is_indices(property) && property.type->bytes < 4) return "int";
    return property.type->name;
}

void PlyCheck::write_header() {
    constexpr std::array<const char*, 3> kFormats{"ascii", "binary_little_endian", "binary_big_endian"};
    std::string& out = result_.bytes;
    out = std::string("ply\nformat ") + kFormats[static_cast<std::size_t>(format_)] + " 1.0\n";
    for (const Element& element : elements_) {
        out += "element " + element.name + " " + std::to_string(element.count) + "\n";
        for (const Property& property : element.properties) {
            out += "property ";
            if (property.count != nullptr) out += "list " + std::string(property.count->name) + " ";
            out += told_type(element, property);
            out += " " + property.name + "\n";
        }
    }
    out += "end_header\n";
}

std::optional<Error> PlyCheck::truncated(const Element& element, std::uint64_t index) const {
    return Error{ErrorKind::kInvalidInput,
                 "the file ends at " + describe(element, index) + ": it is truncated"};
}

std::optional<Error> PlyCheck::check_index(std::int64_t vertex, const Element& element,
                                           std::uint64_t index) const {
    if (vertex >= 0 && static_cast<std::uint64_t>(vertex) < result_.vertices) return std::nullopt;
    return Error{ErrorKind::kInvalidInput,
                 describe(element, index) + " refers to vertex " + std::to_string(vertex) +
                     ", but the file has " + std::to_string(result_.vertices) + " vertices (counted from 0)"};
}

template <class Where>
std::optional<Error> PlyCheck::ascii_value(const Type& type, const Where& where, std::int64_t& integer) {
    const std::string_view word = take_word(rest_);
    if (word.empty())
        return Error{ErrorKind::kInvalidInput, "the file ends at " + where() + ": it is truncated"};
    if (!type.integer) {
        const NumberClass number_class = classify_number(word);
        if (number_class == NumberClass::kNotANumber)
            return Error{ErrorKind::kInvalidInput, where() + ": " + quote(word) + " is not a number"};
        append_number(result_.bytes, word, number_class);
        return std::nullopt;
    }
    const auto value = parse_integer(word);
    if (!value || *value < type.least || *value > type.most)
        return Error{ErrorKind::kInvalidInput,
                     where() + ": " + quote(word) + " is not of type " + std::string(type.name)};
    integer = *value;
    append_number(result_.bytes, word, NumberClass::kFinite);
    return std::nullopt;
}

std::optional<Error> PlyCheck::ascii_item(const Element& element, std::uint64_t index) {
    for (const Property& property : element.properties) {
        const auto where = [&] { return describe(element, index) + ", " + property.name; };
        std::int64_t count = 1;
        if (property.count != nullptr) {
            if (auto error = ascii_value(*property.count, where, count)) return error;
            if (count < 0) return Error{ErrorKind::kInvalidInput, where() + ": negative list length"};
            if (static_cast<std::uint64_t>(count) > kMaxPolygonCorners)
                return unsupported(where() + ": a list of " + std::to_string(count) + " values");
        }
        const bool indices = is_face(element) && is_indices(property);
        for (std::int64_t i = 0; i < count; ++i) {
            std::int64_t value = 0;
            if (auto error = ascii_value(*property.type, where, value)) return error;
            if (!indices) continue;
            if (auto error = check_index(value, element, index)) return error;
        }
    }
    result_.bytes += '\n';
    return std::nullopt;
}

// An integer of `type` at the start of `bytes`.
std::int64_t read_integer(const Type& type, std::string_view bytes, bool big_endian) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < type.bytes; ++i) {
        const std::size_t at = big_endian ? i : type.bytes - 1 - i;
        value = value << 8 | static_cast<unsigned char>(bytes[at]);
    }
    const bool negative = type.least < 0 && (value >> (8 * type.bytes - 1)) != 0;
    return static_cast<std::int64_t>(value) - (negative ? std::int64_t{1} << (8 * type.bytes) : 0);
}

std::optional<Error> PlyCheck::binary_item(const Element& element, std::uint64_t index) {
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
        if (is_face(element) && is_indices(property)) {
            for (std::uint64_t i = 0; i < count; ++i) {
                const auto value = read_integer(*property.type, rest_.substr(i * property.type->bytes), big);
                if (auto error = check_index(value, element, index)) return error;
            }
        }
        rest_.remove_prefix(count * property.type->bytes);
    }
    return std::nullopt;
}

std::optional<Error> PlyCheck::body() {
    const std::string_view whole = rest_;
    for (const Element& element : elements_) {
        for (std::uint64_t i = 0; i < element.count; ++i) {
            auto error = format_ == Format::kAscii ? ascii_item(element, i) : binary_item(element, i);
            if (error) return error;
        }
    }
    if (format_ != Format::kAscii) result_.bytes += whole.substr(0, whole.size() - rest_.size());
    std::string_view rest = rest_;
    if (format_ == Format::kAscii ? !take_word(rest).empty() : !rest.empty())
        result_.findings.push_back(
            {"M01", Severity::kWarning, "trailing data", rest_.size(),
             std::to_string(rest_.size()) + " bytes follow the last element; ignored"});
    return std::nullopt;
}

Result<CheckedInput> PlyCheck::run() {
    const bool terminated = rest_.ends_with('\n') || rest_.ends_with('\r');
    if (auto error = header()) return *std::move(error);
    if (auto error = check_elements()) return *std::move(error);
    result_.bytes.reserve(rest_.size() + 1024);
    write_header();
    if (auto error = body()) return *std::move(error);
    if (format_ == Format::kAscii && !terminated)
        result_.findings.push_back({"M02", Severity::kInfo, "no final newline", 1,
                                    "the last line has no end; the file may have been cut off there"});
    return std::move(result_);
}

}  // namespace

Result<CheckedInput> check_ply(std::string_view bytes) {
    return PlyCheck(bytes).run();
}

}  // namespace espalier::import_formats
