// SPDX-License-Identifier: GPL-3.0-or-later
// Check before CGAL's OBJ reader (5.5), which drops the corners after a tab and after a word that is not a
// number, refuses "l" statements, accepts indices one past the end, and knows neither "\" continuations nor
// line numbers. The reader is given the "v" and "f" statements alone, one a line; it still does the parsing.
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

class ObjCheck {
  public:
    Result<CheckedInput> run(std::string_view bytes);

  private:
    std::optional<Error> statement(std::string_view line, std::size_t number);
    std::optional<Error> vertex(std::string_view line, std::size_t number);
    std::optional<Error> face(std::string_view line, std::size_t number);
    void add_findings(bool terminated);

    CheckedInput result_;
    Reference largest_;
    std::size_t ignored_ = 0;
    std::size_t free_form_ = 0;
};

std::optional<Error> ObjCheck::vertex(std::string_view line, std::size_t number) {
    result_.bytes += "v ";
    for (const char* axis : {"x", "y", "z"}) {
        const std::string_view word = take_word(line);
        const std::string where = "vertex " + std::to_string(result_.vertices + 1) + ": ";
        if (word.empty()) return at_line(number, where + "the " + axis + " coordinate is missing");
        const NumberClass number_class = classify_number(word);
        if (number_class == NumberClass::kNotANumber)
            return at_line(number,
                           where + "the " + axis + " coordinate is " + quote(word) + ", not a number");
        append_number(result_.bytes, word, number_class);
    }
    result_.bytes += '\n';
    ++result_.vertices;
    return std::nullopt;
}

std::optional<Error> ObjCheck::face(std::string_view line, std::size_t number) {
    ++result_.polygons;
    const auto where = [this] { return "face " + std::to_string(result_.polygons) + " "; };
    std::size_t corners = 0;
    result_.bytes += 'f';
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
        const std::string_view digits = word.substr(0, word.find('/'));
        const auto index = parse_integer(digits);
        if (!index)
            return at_line(number, where() + "has the corner " + quote(word) + ", which has no vertex index");
        const auto vertices = static_cast<std::int64_t>(result_.vertices);
        if (*index == 0) return at_line(number, where() + "refers to vertex 0; OBJ counts from 1");
        if (*index < -vertices)
            return at_line(number, where() + "refers to vertex " + std::to_string(*index) + ", but only " +
                                       std::to_string(vertices) + " vertices precede it");
        if (*index > largest_.index) largest_ = {*index, number, result_.polygons};
        result_.bytes += ' ';
        result_.bytes += digits;
        if (++corners > kMaxPolygonCorners)
            return Error{ErrorKind::kUnsupported, "line " + std::to_string(number) + ": " + where() +
                                                      "has more than " + std::to_string(kMaxPolygonCorners) +
                                                      " corners"};
    }
    result_.bytes += '\n';
    if (corners < 3)
        return at_line(number, where() + "has " + std::to_string(corners) +
                                   " corners instead of at least 3; is the file truncated?");
    return std::nullopt;
}

std::optional<Error> ObjCheck::statement(std::string_view line, std::size_t number) {
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

void ObjCheck::add_findings(bool terminated) {
    if (!terminated)
        result_.findings.push_back({"M02", Severity::kInfo, "no final newline", 1,
                                    "the last line has no end; the file may have been cut off there"});
    if (ignored_ > 0)
        result_.findings.push_back({"M03", Severity::kInfo, "points and lines ignored", ignored_,
                                    "point and line elements have no surface and were left out"});
    if (free_form_ > 0)
        result_.findings.push_back(
            {"M05", Severity::kWarning, "free-form geometry ignored", free_form_,
             "curves and surfaces are not polygons and were left out; tessellate them first"});
}

Result<CheckedInput> ObjCheck::run(std::string_view bytes) {
    if (const auto reason = why_not_text(bytes))
        return Error{ErrorKind::kInvalidInput, "not an OBJ file: " + *reason};
    result_.bytes.reserve(bytes.size() + 16);
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
    if (largest_.index > static_cast<std::int64_t>(result_.vertices))
        return at_line(largest_.line, "face " + std::to_string(largest_.face) + " refers to vertex " +
                                          std::to_string(largest_.index) + ", but the file has " +
                                          std::to_string(result_.vertices) + " vertices");
    add_findings(lines.terminated());
    return std::move(result_);
}

}  // namespace

Result<CheckedInput> check_obj(std::string_view bytes) {
    return ObjCheck().run(bytes);
}

}  // namespace espalier::import_formats
