// SPDX-License-Identifier: GPL-3.0-or-later
// OFF, the object file format of Geomview, as text: positions and faces; colours, normals and texture
// coordinates, which follow them on their lines, are skipped.
#include "builder/import/import_formats.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using namespace text_scan;

// Bytes: a vertex takes at least "0 0 0\n", a face at least "0\n". A bound on what a header may claim, and so
// on the memory that it makes us reserve; larger ones would refuse short files.
constexpr std::size_t kLeastVertexBytes = 6;
constexpr std::size_t kLeastFaceBytes = 2;

class OffReader {
  public:
    explicit OffReader(std::string_view bytes) : lines_(without_bom(bytes)), size_(bytes.size()) {}
    Result<PolygonSoup> run();

  private:
    std::optional<Error> header();
    std::optional<Error> keyword(std::string_view word);
    std::optional<Error> count(const char* what, std::size_t least_bytes, std::size_t& out);
    std::optional<Error> vertex(std::size_t index);
    std::optional<Error> face(std::size_t index);

    // Moves to the next line that holds something but a comment.
    bool next_line() {
        while (lines_.next()) {
            line_ = without_comment(lines_.line());
            if (line_.find_first_not_of(" \t\v\f") != std::string_view::npos) return true;
        }
        line_ = {};
        return false;
    }
    Error here(const std::string& message) const { return at_line(lines_.number(), message); }

    Lines lines_;
    std::size_t size_;
    std::string_view line_;  // what is left of the current line
    std::size_t vertices_ = 0;
    std::size_t faces_ = 0;
    PolygonSoup soup_;
};

std::optional<Error> OffReader::keyword(std::string_view word) {
    const std::size_t off = word.find("OFF");
    if (off > 5)  // npos, too
        return here("the header is " + quote(word) + " instead of OFF; is this an OFF file?");
    // Colours (C), normals (N) and texture coordinates (ST) are at the end of a line, where they do not
    // disturb.
    const std::string_view prefix = word.substr(0, off);
    for (const std::string_view known : {"", "C", "N", "CN", "NC", "ST", "STC", "STN", "STCN", "STNC"})
        if (prefix == known) return std::nullopt;
    if (prefix.ends_with('4') || prefix.ends_with('n') || prefix.ends_with("4n"))
        return Error{
            ErrorKind::kUnsupported,
            "the header is " + quote(word) + ": only 3D coordinates are supported; convert it to plain OFF"};
    return here("the header is " + quote(word) + " instead of OFF; is this an OFF file?");
}

std::optional<Error> OffReader::count(const char* what, std::size_t least_bytes, std::size_t& out) {
    std::string_view word = take_word(line_);
    while (word.empty()) {
        if (!next_line()) return here(std::string("the file ends before the number of ") + what);
        word = take_word(line_);
    }
    if (word == "BINARY")
        return Error{ErrorKind::kUnsupported,
                     "binary OFF is not supported; convert it to ASCII OFF, PLY or STL"};
    const auto number = parse_integer(word);
    if (!number || *number < 0) return here(std::string("the number of ") + what + " is " + quote(word));
    if (static_cast<std::uint64_t>(*number) > size_ / least_bytes)
        return here("the header promises " + std::to_string(*number) + " " + what + ", more than a file of " +
                    std::to_string(size_) + " bytes can hold; is it truncated?");
    out = static_cast<std::size_t>(*number);
    return std::nullopt;
}

std::optional<Error> OffReader::header() {
    if (!next_line()) return Error{ErrorKind::kInvalidInput, "the file has no OFF header"};
    std::string_view word = take_word(line_);
    // Some files lack the line break after the keyword: "OFF490 518 0".
    const std::size_t off = word.find("OFF");
    if (off != std::string_view::npos && off + 3 < word.size() && word[off + 3] >= '0' &&
        word[off + 3] <= '9') {
        line_ =
            std::string_view(word.data() + off + 3, line_.data() + line_.size() - (word.data() + off + 3));
        word = word.substr(0, off + 3);
    }
    if (off != std::string_view::npos && word.size() > off + 3)
        return here("the header is " + quote(word) + " instead of OFF; is this an OFF file?");
    if (auto error = keyword(word)) return error;
    if (auto error = count("vertices", kLeastVertexBytes, vertices_)) return error;
    if (auto error = count("faces", kLeastFaceBytes, faces_)) return error;
    // The number of edges means nothing. It is the rest of this line, or a line of its own, or left out.
    if (!take_word(line_).empty()) return std::nullopt;
    const Lines here = lines_;
    const bool alone = next_line() && !take_word(line_).empty() && take_word(line_).empty();
    if (!alone) lines_ = here;
    return std::nullopt;
}

std::optional<Error> OffReader::vertex(std::size_t index) {
    const auto where = [&] {
        return "vertex " + std::to_string(index) + " of " + std::to_string(vertices_) + ": ";
    };
    if (!next_line()) return here("the file ends before " + where() + "it is truncated");
    Eigen::Vector3d point;
    for (int k = 0; k < 3; ++k) {
        const std::string_view word = take_word(line_);
        if (word.empty()) return here(where() + "the " + kAxes[k] + " coordinate is missing");
        const auto coordinate = parse_coordinate(word);
        if (!coordinate)
            return here(where() + "the " + kAxes[k] + " coordinate is " + quote(word) + ", not a number");
        point[k] = *coordinate;
    }
    soup_.points.push_back(point);
    return std::nullopt;
}

std::optional<Error> OffReader::face(std::size_t index) {
    const auto where = [&] {
        return "face " + std::to_string(index) + " of " + std::to_string(faces_) + ": ";
    };
    if (!next_line()) return here("the file ends before " + where() + "it is truncated");
    const std::string_view word = take_word(line_);
    const auto corners = parse_integer(word);
    if (!corners || *corners < 0) return here(where() + "the number of corners is " + quote(word));
    if (static_cast<std::uint64_t>(*corners) > kMaxPolygonCorners)
        return Error{ErrorKind::kUnsupported, "line " + std::to_string(lines_.number()) + ": " + where() +
                                                  quote(word) + " corners are more than " +
                                                  std::to_string(kMaxPolygonCorners)};
    for (std::int64_t i = 0; i < *corners; ++i) {
        const std::string_view corner = take_word(line_);
        if (corner.empty())
            return here(where() + "only " + std::to_string(i) + " of " + std::to_string(*corners) +
                        " corners");
        const auto vertex = parse_integer(corner);
        if (!vertex) return here(where() + "the corner " + quote(corner) + " is not a vertex index");
        if (*vertex < 0 || static_cast<std::uint64_t>(*vertex) >= vertices_)
            return here(where() + "it refers to vertex " + std::to_string(*vertex) + ", but the file has " +
                        std::to_string(vertices_) + " vertices (counted from 0)");
        soup_.corners.push_back(static_cast<std::uint32_t>(*vertex));
    }
    soup_.first_corner.push_back(soup_.corners.size());
    return std::nullopt;
}

Result<PolygonSoup> OffReader::run() {
    if (auto error = header()) return *std::move(error);
    soup_.points.reserve(vertices_);
    soup_.first_corner.reserve(faces_ + 1);
    for (std::size_t i = 0; i < vertices_; ++i)
        if (auto error = vertex(i)) return *std::move(error);
    for (std::size_t i = 0; i < faces_; ++i)
        if (auto error = face(i)) return *std::move(error);
    if (!lines_.terminated())
        soup_.findings.push_back({"M02", Severity::kInfo, "no final newline", 1,
                                  "the last line has no end; the file may have been cut off there"});
    if (next_line())
        soup_.findings.push_back(
            {"M01", Severity::kWarning, "trailing data", 1,
             "line " + std::to_string(lines_.number()) + " follows the last face; ignored"});
    return std::move(soup_);
}

}  // namespace

Result<PolygonSoup> read_off(std::string_view bytes) {
    // A binary OFF file has a text header; everything else that is binary is junk.
    if (const auto reason = why_not_text(bytes);
        reason && bytes.substr(0, 64).find("BINARY") == std::string_view::npos)
        return Error{ErrorKind::kInvalidInput, "not an OFF file: " + *reason};
    return OffReader(bytes).run();
}

}  // namespace espalier::import_formats
