// SPDX-License-Identifier: GPL-3.0-or-later
// Check before CGAL's STL reader (5.5), which takes a short file for an empty mesh, tells ASCII from binary
// by the first word alone, loses corners that are not a number in an ordered map, and stops without saying
// where.
#include <algorithm>
#include <bit>
#include <cstring>

#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using namespace text_scan;

// Binary STL: 80 bytes of anything, a 32-bit count, then 50 bytes a triangle: normal, three corners, two
// spare bytes.
constexpr std::size_t kHeaderBytes = 80;
constexpr std::size_t kPrologueBytes = 84;
constexpr std::size_t kTriangleBytes = 50;
constexpr std::size_t kCornersOffset = 12;

std::uint32_t read_u32(std::string_view bytes, std::size_t offset) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[offset + i])) << (8 * i);
    return value;
}

bool starts_with_solid(std::string_view bytes) {
    std::string_view line = bytes.substr(0, 256);
    const std::string_view word = take_word(line);
    constexpr std::string_view kSolid = "solid";
    return word.size() == kSolid.size() &&
           std::ranges::equal(word, kSolid, [](char a, char b) { return (a | 0x20) == b; });
}

Result<CheckedInput> check_binary(std::string_view bytes) {
    if (bytes.size() < kPrologueBytes)
        return Error{ErrorKind::kInvalidInput,
                     "not an STL file: it neither starts with \"solid\" nor has the " +
                         std::to_string(kPrologueBytes) + " bytes of a binary header"};
    const std::uint64_t triangles = read_u32(bytes, kHeaderBytes);
    const std::uint64_t needed = kPrologueBytes + kTriangleBytes * triangles;
    if (needed > bytes.size())
        return Error{ErrorKind::kInvalidInput,
                     "the binary STL header promises " + std::to_string(triangles) + " triangles (" +
                         std::to_string(needed) + " bytes), but the file has " +
                         std::to_string(bytes.size()) + " bytes; it is truncated or not an STL file"};
    CheckedInput result;
    result.polygons = triangles;
    if (needed < bytes.size())
        result.findings.push_back(
            {"M01", Severity::kWarning, "trailing data", bytes.size() - needed,
             std::to_string(bytes.size() - needed) + " bytes follow the last triangle; ignored"});
    result.bytes = bytes.substr(0, needed);
    // Whatever the header says, it must not look like ASCII to the reader.
    std::fill_n(result.bytes.begin(), kHeaderBytes, 'b');
    for (std::size_t i = 0; i < triangles; ++i) {
        const std::size_t corners = kPrologueBytes + kTriangleBytes * i + kCornersOffset;
        for (std::size_t offset = corners; offset < corners + 36; offset += 4) {
            const std::uint32_t bits = read_u32(result.bytes, offset);
            constexpr std::uint32_t kInfinity = 0x7F80'0000;
            if ((bits & 0x7FFF'FFFF) <= kInfinity) continue;
            // Not a number: an infinity is as wrong to sanitize and has an order, as the reader's map needs.
            std::memcpy(result.bytes.data() + offset, "\x00\x00\x80\x7F", 4);
        }
    }
    return result;
}

class AsciiStlCheck {
  public:
    explicit AsciiStlCheck(std::string_view bytes) : lines_(bytes) {}
    Result<CheckedInput> run();

  private:
    std::optional<Error> word(std::string_view word, std::string_view& line);
    std::optional<Error> vertex(std::string_view& line);
    std::optional<Error> end_facet();

    // Takes the next word, from the next line if need be; coordinates may be on a line of their own.
    std::string_view next_word(std::string_view& line) {
        std::string_view taken = take_word(line);
        while (taken.empty() && lines_.next()) {
            line = lines_.line();
            taken = take_word(line);
        }
        return taken;
    }
    std::string facet() const { return "facet " + std::to_string(result_.polygons) + " "; }
    Error here(const std::string& message) const { return at_line(lines_.number(), message); }

    Lines lines_;
    CheckedInput result_;
    bool in_solid_ = false;
    bool in_facet_ = false;
    int corners_ = 0;
};

std::optional<Error> AsciiStlCheck::vertex(std::string_view& line) {
    if (!in_facet_) return here("a vertex outside of any facet");
    if (++corners_ > 3) return here(facet() + "has more than 3 vertices");
    result_.bytes += "vertex ";
    for (const char* axis : {"x", "y", "z"}) {
        const std::string_view word = next_word(line);
        const NumberClass number_class = classify_number(word);
        if (number_class == NumberClass::kNotANumber)
            return here(facet() + "vertex " + std::to_string(corners_ - 1) + ": the " + axis +
                        " coordinate is " + (word.empty() ? "missing" : quote(word) + ", not a number"));
        append_number(result_.bytes, word, number_class);
    }
    result_.bytes += '\n';
    return std::nullopt;
}

std::optional<Error> AsciiStlCheck::end_facet() {
    if (!in_facet_) return here("\"endfacet\" without \"facet\"");
    if (corners_ != 3) return here(facet() + "has " + std::to_string(corners_) + " vertices instead of 3");
    in_facet_ = false;
    result_.bytes += "endfacet\n";
    ++result_.polygons;
    return std::nullopt;
}

std::optional<Error> AsciiStlCheck::word(std::string_view word, std::string_view& line) {
    std::string lower(word.substr(0, 16));
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
    if (lower == "solid" || lower == "endsolid") {
        const bool begins = lower == "solid";
        if (in_facet_ || in_solid_ == begins) return here(quote(word) + " where it does not belong");
        in_solid_ = begins;
        result_.bytes += lower + '\n';
        line = {};  // the rest is a name, which may be anything
        return std::nullopt;
    }
    if (!in_solid_) return here(quote(word) + " outside of \"solid\" and \"endsolid\"");
    if (lower == "facet") {
        if (in_facet_) return here(facet() + "has no \"endfacet\"");
        in_facet_ = true;
        corners_ = 0;
        result_.bytes += "facet\n";
        return std::nullopt;
    }
    if (lower == "normal" && in_facet_) {
        // Recomputed from the corners by whoever needs it; exporters write all kinds of things here.
        for (int axis = 0; axis < 3; ++axis) next_word(line);
        return std::nullopt;
    }
    if (lower == "vertex") return vertex(line);
    if (lower == "endfacet") return end_facet();
    if (in_facet_ && (lower == "outer" || lower == "loop" || lower == "endloop")) return std::nullopt;
    return here(quote(word) + " is not an STL keyword");
}

Result<CheckedInput> AsciiStlCheck::run() {
    std::string_view line;
    for (std::string_view taken = next_word(line); !taken.empty(); taken = next_word(line))
        if (auto error = word(taken, line)) return *std::move(error);
    if (in_facet_) return here("the file ends inside of " + facet() + "and is truncated");
    if (in_solid_) return here("the file ends without \"endsolid\" and is truncated");
    return std::move(result_);
}

}  // namespace

Result<CheckedInput> check_stl(std::string_view bytes) {
    // Many binary files start with "solid": the size decides first.
    const bool size_fits =
        bytes.size() >= kPrologueBytes &&
        bytes.size() == kPrologueBytes + kTriangleBytes * std::uint64_t{read_u32(bytes, kHeaderBytes)};
    const std::string_view text = without_bom(bytes);
    if (!size_fits && starts_with_solid(text) && !why_not_text(text)) return AsciiStlCheck(text).run();
    return check_binary(bytes);
}

}  // namespace espalier::import_formats
