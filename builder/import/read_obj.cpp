// SPDX-License-Identifier: GPL-3.0-or-later
// Wavefront OBJ (specification, version 3.0): the "v" and "f" statements; whatever else the specification
// knows is skipped, and what it does not know is refused with its line.
#include <algorithm>
#include <array>

#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using namespace text_scan;

// Statements that carry no polygons (Wavefront OBJ specification, version 3.0, and its superseded
// statements).
constexpr std::array kOther = std::to_array<std::string_view>(
    {"bevel",  "bmat",      "bsp",      "bzp",    "c_interp", "cdc",  "cdp",        "con", "cstype", "ctech",
     "curv",   "curv2",     "d_interp", "deg",    "end",      "g",    "hole",       "lod", "maplib", "mg",
     "mtllib", "o",         "parm",     "res",    "s",        "scrv", "shadow_obj", "sp",  "stech",  "step",
     "surf",   "trace_obj", "trim",     "usemap", "usemtl",   "vn",   "vp",         "vt"});

bool is_free_form(std::string_view word) {
    return word == "curv" || word == "curv2" || word == "surf" || word == "bzp" || word == "bsp" ||
           word == "cdc" || word == "cdp";
}

// The largest and the smallest reference of the file, for the check that only the last line allows.
struct Reference {
    std::int64_t index = 0;
    std::size_t line = 0;
    std::size_t face = 0;
};

class ObjReader {
  public:
    Result<PolygonSoup> run(std::string_view bytes);

  private:
    std::optional<Error> statement(std::string_view line, std::size_t number);
    std::optional<Error> vertex(std::string_view line, std::size_t number);
    std::optional<Error> face(std::string_view line, std::size_t number);
    void add_findings(bool terminated);

    PolygonSoup soup_;
    Reference largest_;
    std::size_t ignored_ = 0;
    std::size_t free_form_ = 0;
};

std::optional<Error> ObjReader::vertex(std::string_view line, std::size_t number) {
    const auto where = [this] { return "vertex " + std::to_string(soup_.points.size() + 1) + ": "; };
    Eigen::Vector3d point;
    for (int k = 0; k < 3; ++k) {
        const std::string_view word = take_word(line);
        if (word.empty()) return at_line(number, where() + "the " + kAxes[k] + " coordinate is missing");
        const auto coordinate = parse_coordinate(word);
        if (!coordinate)
            return at_line(number,
                           where() + "the " + kAxes[k] + " coordinate is " + quote(word) + ", not a number");
        point[k] = *coordinate;
    }
    soup_.points.push_back(point);
    return std::nullopt;
}

std::optional<Error> ObjReader::face(std::string_view line, std::size_t number) {
    const std::size_t face = soup_.polygon_count() + 1;
    const auto where = [face] { return "face " + std::to_string(face) + " "; };
    const auto vertices = static_cast<std::int64_t>(soup_.points.size());
    std::size_t corners = 0;
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
        const auto index = parse_integer(word.substr(0, word.find('/')));
        if (!index)
            return at_line(number, where() + "has the corner " + quote(word) + ", which has no vertex index");
        if (*index == 0) return at_line(number, where() + "refers to vertex 0; OBJ counts from 1");
        if (*index < -vertices)
            return at_line(number, where() + "refers to vertex " + std::to_string(*index) + ", but only " +
                                       std::to_string(vertices) + " vertices precede it");
        // Vertices may follow the faces that use them: `run` looks at the largest index when it has read all.
        if (*index > largest_.index) largest_ = {*index, number, face};
        soup_.corners.push_back(static_cast<std::uint32_t>(*index > 0 ? *index - 1 : vertices + *index));
        if (++corners > kMaxPolygonCorners)
            return Error{ErrorKind::kUnsupported, "line " + std::to_string(number) + ": " + where() +
                                                      "has more than " + std::to_string(kMaxPolygonCorners) +
                                                      " corners"};
    }
    if (corners < 3)
        return at_line(number, where() + "has " + std::to_string(corners) +
                                   " corners instead of at least 3; is the file truncated?");
    soup_.first_corner.push_back(soup_.corners.size());
    return std::nullopt;
}

std::optional<Error> ObjReader::statement(std::string_view line, std::size_t number) {
    line = without_comment(line);
    const std::string_view keyword = take_word(line);
    if (keyword.empty()) return std::nullopt;
    if (keyword == "v") return vertex(line, number);
    if (keyword == "f" || keyword == "fo") return face(line, number);
    if (keyword == "l" || keyword == "p") {
        ++ignored_;
        return std::nullopt;
    }
    if (keyword == "call" || keyword == "csh")
        return Error{ErrorKind::kUnsupported, "line " + std::to_string(number) + ": the statement " +
                                                  quote(keyword) +
                                                  " runs other files or commands, which is not supported"};
    if (std::ranges::find(kOther, keyword) == kOther.end())
        return at_line(number, quote(keyword) + " is not an OBJ statement; is this an OBJ file?");
    if (is_free_form(keyword)) ++free_form_;
    return std::nullopt;
}

void ObjReader::add_findings(bool terminated) {
    if (!terminated)
        soup_.findings.push_back({"M02", Severity::kInfo, "no final newline", 1,
                                  "the last line has no end; the file may have been cut off there"});
    if (ignored_ > 0)
        soup_.findings.push_back({"M03", Severity::kInfo, "points and lines ignored", ignored_,
                                  "point and line elements have no surface and were left out"});
    if (free_form_ > 0)
        soup_.findings.push_back(
            {"M05", Severity::kWarning, "free-form geometry ignored", free_form_,
             "curves and surfaces are not polygons and were left out; tessellate them first"});
}

Result<PolygonSoup> ObjReader::run(std::string_view bytes) {
    if (const auto reason = why_not_text(bytes))
        return Error{ErrorKind::kInvalidInput, "not an OBJ file: " + *reason};
    Lines lines(without_bom(bytes));
    std::string joined;
    while (lines.next()) {
        const std::size_t number = lines.number();
        std::string_view line = lines.line();
        if (line.ends_with('\\')) {
            joined.clear();
            do {
                joined.append(lines.line(), 0, lines.line().size() - 1);
                joined += ' ';
            } while (lines.next() && lines.line().ends_with('\\'));
            if (!lines.line().ends_with('\\')) joined += lines.line();
            line = joined;
        }
        if (auto error = statement(line, number)) return *std::move(error);
    }
    if (largest_.index > static_cast<std::int64_t>(soup_.points.size()))
        return at_line(largest_.line, "face " + std::to_string(largest_.face) + " refers to vertex " +
                                          std::to_string(largest_.index) + ", but the file has " +
                                          std::to_string(soup_.points.size()) + " vertices");
    add_findings(lines.terminated());
    return std::move(soup_);
}

}  // namespace

Result<PolygonSoup> read_obj(std::string_view bytes) {
    return ObjReader().run(bytes);
}

}  // namespace espalier::import_formats
