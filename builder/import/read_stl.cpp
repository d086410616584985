// SPDX-License-Identifier: GPL-3.0-or-later
// STL, binary and ASCII (3D Systems, "StereoLithography Interface Specification", 1989). Every triangle has
// its own corners; equal ones become one point, the first.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <istream>
#include <limits>
#include <unordered_map>

#include "builder/base/little_endian.h"
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

std::uint64_t triangles_in_header(std::string_view bytes) {
    return read_little_endian(bytes, kHeaderBytes, 4);
}

// A soup in which equal points are one. Coordinates are numbers or infinite.
class WeldedSoup {
  public:
    void add_corner(const Eigen::Vector3d& point) {
        // Zero and minus zero are equal, and must be to the hash: the sum is zero for both.
        const std::array key{point.x() + 0.0, point.y() + 0.0, point.z() + 0.0};
        const auto [known, is_new] = index_.emplace(key, static_cast<std::uint32_t>(soup.points.size()));
        if (is_new)
            soup.points.emplace_back(coordinate_of(point.x()), coordinate_of(point.y()),
                                     coordinate_of(point.z()));
        soup.corners.push_back(known->second);
    }
    void end_triangle() { soup.first_corner.push_back(soup.corners.size()); }

    PolygonSoup soup;

  private:
    struct Hash {
        std::size_t operator()(const std::array<double, 3>& point) const {
            std::uint64_t hash = 0;
            for (const double coordinate : point) {
                hash = (hash ^ std::bit_cast<std::uint64_t>(coordinate)) * 0x9E37'79B9'7F4A'7C15;
                hash ^= hash >> 32;
            }
            return hash;
        }
    };
    std::unordered_map<std::array<double, 3>, std::uint32_t, Hash> index_;
};

// Not a number counts as infinite here too, since it would equal no other point, itself included.
double binary_coordinate(std::string_view bytes, std::size_t offset) {
    const auto bits = static_cast<std::uint32_t>(read_little_endian(bytes, offset, 4));
    const auto value = static_cast<double>(std::bit_cast<float>(bits));
    return std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
}

bool starts_with_solid(std::string_view bytes) {
    std::string_view line = bytes.substr(0, 256);
    const std::string_view word = take_word(line);
    constexpr std::string_view kSolid = "solid";
    return word.size() == kSolid.size() &&
           std::ranges::equal(word, kSolid, [](char a, char b) { return (a | 0x20) == b; });
}

Result<PolygonSoup> read_binary(std::string_view bytes) {
    if (bytes.size() < kPrologueBytes)
        return Error{ErrorKind::kInvalidInput,
                     "not an STL file: it neither starts with \"solid\" nor has the " +
                         std::to_string(kPrologueBytes) + " bytes of a binary header"};
    const std::uint64_t triangles = triangles_in_header(bytes);
    const std::uint64_t needed = kPrologueBytes + kTriangleBytes * triangles;
    if (needed > bytes.size())
        return Error{ErrorKind::kInvalidInput,
                     "the binary STL header promises " + std::to_string(triangles) + " triangles (" +
                         std::to_string(needed) + " bytes), but the file has " +
                         std::to_string(bytes.size()) + " bytes; it is truncated or not an STL file"};
    WeldedSoup welded;
    welded.soup.corners.reserve(3 * triangles);
    welded.soup.first_corner.reserve(triangles + 1);
    if (needed < bytes.size())
        welded.soup.findings.push_back(
            {"M01", Severity::kWarning, "trailing data", bytes.size() - needed,
             std::to_string(bytes.size() - needed) + " bytes follow the last triangle; ignored"});
    for (std::size_t i = 0; i < triangles; ++i) {
        const std::size_t corners = kPrologueBytes + kTriangleBytes * i + kCornersOffset;
        for (std::size_t corner = corners; corner < corners + 36; corner += 12)
            welded.add_corner({binary_coordinate(bytes, corner), binary_coordinate(bytes, corner + 4),
                               binary_coordinate(bytes, corner + 8)});
        welded.end_triangle();
    }
    return std::move(welded.soup);
}

class AsciiStlReader {
  public:
    explicit AsciiStlReader(std::string_view bytes) : lines_(bytes) {}
    Result<PolygonSoup> run();

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
    std::string facet() const { return "facet " + std::to_string(welded_.soup.polygon_count()) + " "; }
    Error here(const std::string& message) const { return at_line(lines_.number(), message); }

    Lines lines_;
    WeldedSoup welded_;
    bool in_solid_ = false;
    bool in_facet_ = false;
    int corners_ = 0;
};

std::optional<Error> AsciiStlReader::vertex(std::string_view& line) {
    if (!in_facet_) return here("a vertex outside of any facet");
    if (++corners_ > 3) return here(facet() + "has more than 3 vertices");
    Eigen::Vector3d point;
    for (int k = 0; k < 3; ++k) {
        const std::string_view word = next_word(line);
        const auto coordinate = parse_coordinate(word);
        if (!coordinate)
            return here(facet() + "vertex " + std::to_string(corners_ - 1) + ": the " + kAxes[k] +
                        " coordinate is " + (word.empty() ? "missing" : quote(word) + ", not a number"));
        point[k] = *coordinate;
    }
    welded_.add_corner(point);
    return std::nullopt;
}

std::optional<Error> AsciiStlReader::end_facet() {
    if (!in_facet_) return here("\"endfacet\" without \"facet\"");
    if (corners_ != 3) return here(facet() + "has " + std::to_string(corners_) + " vertices instead of 3");
    in_facet_ = false;
    welded_.end_triangle();
    return std::nullopt;
}

std::optional<Error> AsciiStlReader::word(std::string_view word, std::string_view& line) {
    std::string lower(word.substr(0, 16));
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
    if (lower == "solid" || lower == "endsolid") {
        const bool begins = lower == "solid";
        if (in_facet_ || in_solid_ == begins) return here(quote(word) + " where it does not belong");
        in_solid_ = begins;
        line = {};  // the rest is a name, which may be anything
        return std::nullopt;
    }
    if (!in_solid_) return here(quote(word) + " outside of \"solid\" and \"endsolid\"");
    if (lower == "facet") {
        if (in_facet_) return here(facet() + "has no \"endfacet\"");
        in_facet_ = true;
        corners_ = 0;
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

Result<PolygonSoup> AsciiStlReader::run() {
    std::string_view line;
    for (std::string_view taken = next_word(line); !taken.empty(); taken = next_word(line))
        if (auto error = word(taken, line)) return *std::move(error);
    if (in_facet_) return here("the file ends inside of " + facet() + "and is truncated");
    if (in_solid_) return here("the file ends without \"endsolid\" and is truncated");
    return std::move(welded_.soup);
}

}  // namespace

Result<PolygonSoup> read_stl(std::string_view bytes) {
    // Many binary files start with "solid": the size decides first.
    const bool size_fits = bytes.size() >= kPrologueBytes &&
                           bytes.size() == kPrologueBytes + kTriangleBytes * triangles_in_header(bytes);
    const std::string_view text = without_bom(bytes);
    if (!size_fits && starts_with_solid(text) && !why_not_text(text)) return AsciiStlReader(text).run();
    return read_binary(bytes);
}

std::optional<Error> check_stl_head(std::istream& file, std::uint64_t size, const ImportOptions&) {
    const std::string head = read_some(file, kPrologueBytes);
    if (head.size() < kPrologueBytes) return std::nullopt;
    const std::uint64_t triangles = triangles_in_header(head);
    const bool binary = size == kPrologueBytes + kTriangleBytes * triangles || !starts_with_solid(head);
    if (!binary || triangles <= kMostTriangles || kTriangleBytes * triangles > size) return std::nullopt;
    return too_many(triangles, "triangles");
}

}  // namespace espalier::import_formats
