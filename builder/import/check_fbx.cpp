// SPDX-License-Identifier: GPL-3.0-or-later
// Check before assimp's FBX importer (5.2), which trusts the sizes of arrays, recurses as deep as records are
// nested and for ever where a model is its own ancestor. Walks the records, binary or ASCII, and the
// connections of models.
#include <map>
#include <vector>

#include "builder/base/little_endian.h"
#include "builder/import/import_formats.h"
#include "builder/import/instance_graph.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using namespace text_scan;

// Levels of records: more than any tool writes. The importer recurses, so a larger number needs a larger
// stack.
constexpr std::size_t kMostNesting = 256;

Error invalid(const std::string& message) {
    return Error{ErrorKind::kInvalidInput, message};
}

// Models and which of them is the child of which.
class Models {
  public:
    void add_model(std::int64_t id) { index(id); }
    void add_connection(std::int64_t child, std::int64_t parent) { connections_.emplace_back(child, parent); }

    std::optional<Error> check() {
        for (const auto& [child, parent] : connections_) {
            const auto from = index_.find(parent), to = index_.find(child);
            if (from != index_.end() && to != index_.end())
                graph_.children[from->second].push_back(to->second);
        }
        return check_instances(graph_);
    }

  private:
    void index(std::int64_t id) {
        if (!index_.emplace(id, graph_.names.size()).second) return;
        graph_.names.push_back(std::to_string(id));
        graph_.children.emplace_back();
    }

    std::map<std::int64_t, std::size_t> index_;
    std::vector<std::pair<std::int64_t, std::int64_t>> connections_;
    InstanceGraph graph_;
};

constexpr std::string_view kMagic("Kaydara FBX Binary  \0", 21);
constexpr std::size_t kHeaderBytes = 27;

// A binary file is a tree of records: end offset, number and size of properties, name, properties, then
// nested records up to an empty one. Offsets are 64 bits wide from version 7500 on.
class BinaryWalk {
  public:
    explicit BinaryWalk(std::string_view bytes) : bytes_(bytes) {}

    std::optional<Error> run() {
        if (bytes_.size() < kHeaderBytes) return invalid("the FBX header is truncated");
        width_ = read(23, 4) >= 7500 ? 8 : 4;
        at_ = kHeaderBytes;
        ends_.push_back(bytes_.size());
        while (!ends_.empty())
            if (auto error = step()) return error;
        return models_.check();
    }

  private:
    std::uint64_t read(std::size_t offset, std::size_t width) const {
        return read_little_endian(bytes_, offset, width);
    }

    // Reads one record's head and properties; enters it if it has nested records, else goes behind it.
    std::optional<Error> step() {
        const std::size_t head = 3 * width_ + 1;
        if (ends_.back() - at_ < head) return truncated();
        const std::uint64_t end = read(at_, width_);
        if (end == 0) {
            // The empty record ends the list. At the top level a footer follows, which nobody needs.
            at_ += head;
            const bool top = ends_.size() == 1;
            if (!top && at_ != ends_.back()) return broken();
            ends_.pop_back();
            return std::nullopt;
        }
        if (end > bytes_.size()) return truncated();
        if (end > ends_.back() || end < at_ + head) return broken();
        const std::uint64_t count = read(at_ + width_, width_), size = read(at_ + 2 * width_, width_);
        const std::uint64_t name_size = static_cast<unsigned char>(bytes_[at_ + 3 * width_]);
        if (size > end - at_ - head || name_size > end - at_ - head - size) return broken();
        const std::string_view name = bytes_.substr(at_ + head, name_size);
        const std::size_t first = at_ + head + name_size, nested = first + size;
        if (auto error = properties(name, count, first, nested)) return error;
        if (nested == end) {
            at_ = end;
            // Some writers leave out the empty record at the end of a nested list.
            while (ends_.size() > 1 && at_ == ends_.back()) ends_.pop_back();
            return std::nullopt;
        }
        if (ends_.size() > kMostNesting)
            return invalid("FBX records are nested too deeply at byte " + std::to_string(at_));
        at_ = nested;
        ends_.push_back(end);
        return std::nullopt;
    }

    // Checks that the properties fill [at, end) exactly, and that no array claims more than it can hold.
    std::optional<Error> properties(std::string_view record, std::uint64_t count, std::size_t at,
                                    std::size_t end) {
        std::vector<std::int64_t> integers;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (at >= end) return broken();
            const char type = bytes_[at++];
            std::size_t size = scalar_bytes(type);
            if (type == 'L' && end - at >= 8) integers.push_back(static_cast<std::int64_t>(read(at, 8)));
            if (type == 'S' || type == 'R') {
                if (end - at < 4) return broken();
                size = read(at, 4);
                at += 4;
            } else if (const std::size_t item = array_item_bytes(type); item > 0) {
                if (end - at < 12) return broken();
                const std::uint64_t length = read(at, 4), encoding = read(at + 4, 4);
                size = read(at + 8, 4);
                at += 12;
                // Deflate shrinks to a 1032th at most.
                const bool fits = encoding == 0 ? length * item == size : length * item <= 1032 * (size + 1);
                if (encoding > 1 || !fits) return broken();
            } else if (size == 0) {
                return broken();
            }
            if (size > end - at) return broken();
            at += size;
        }
        if (at != end) return broken();
        if (record == "Model" && !integers.empty()) models_.add_model(integers[0]);
        if (record == "C" && integers.size() >= 2) models_.add_connection(integers[0], integers[1]);
        return std::nullopt;
    }

    static std::size_t scalar_bytes(char type) {
        switch (type) {
            case 'C':
                return 1;
            case 'Y':
                return 2;
            case 'I':
            case 'F':
                return 4;
            case 'D':
            case 'L':
                return 8;
            default:
                return 0;
        }
    }
    static std::size_t array_item_bytes(char type) {
        switch (type) {
            case 'b':
            case 'c':
                return 1;
            case 'i':
            case 'f':
                return 4;
            case 'd':
            case 'l':
                return 8;
            default:
                return 0;
        }
    }

    Error truncated() const {
        return invalid("the FBX file ends inside of the record at byte " + std::to_string(at_) +
                       ": it is truncated");
    }
    Error broken() const {
        return invalid("the FBX record at byte " + std::to_string(at_) + " is inconsistent");
    }

    std::string_view bytes_;
    std::size_t width_ = 4;
    std::size_t at_ = 0;
    std::vector<std::size_t> ends_;  // where the lists that are being read end, outermost first
    Models models_;
};

// The integers among the comma-separated values of `text`.
std::vector<std::int64_t> integers_of(std::string_view text) {
    std::vector<std::int64_t> result;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        std::string_view value = text.substr(0, comma);
        if (const auto integer = parse_integer(take_word(value))) result.push_back(*integer);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return result;
}

std::optional<Error> check_ascii(std::string_view bytes) {
    Models models;
    std::size_t depth = 0;
    Lines lines(bytes);
    while (lines.next()) {
        bool quoted = false;
        for (const char c : lines.line()) {
            if (c == '"') quoted = !quoted;
            if (quoted) continue;
            if (c == ';') break;
            if (c == '{' && ++depth > kMostNesting)
                return at_line(lines.number(), "FBX records are nested too deeply");
            if (c == '}' && depth-- == 0) return at_line(lines.number(), "\"}\" without \"{\"");
        }
        std::string_view line = lines.line();
        const std::string_view key = take_word(line);
        if (key == "Model:" || key == "C:") {
            const auto integers = integers_of(line);
            if (key == "Model:" && !integers.empty()) models.add_model(integers[0]);
            if (key == "C:" && integers.size() >= 2) models.add_connection(integers[0], integers[1]);
        }
    }
    if (depth > 0)
        return at_line(lines.number(),
                       "the FBX file ends with " + std::to_string(depth) + " open \"{\": it is truncated");
    return models.check();
}

}  // namespace

std::optional<Error> check_fbx(std::string_view bytes) {
    if (bytes.starts_with(kMagic)) return BinaryWalk(bytes).run();
    if (const auto reason = why_not_text(bytes)) return invalid("not an FBX file: " + *reason);
    if (bytes.find("FBXHeaderExtension") == std::string_view::npos)
        return invalid("not an FBX file: it has neither the binary signature nor a FBXHeaderExtension");
    return check_ascii(bytes);
}

}  // namespace espalier::import_formats
