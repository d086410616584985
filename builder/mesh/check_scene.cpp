// SPDX-License-Identifier: GPL-3.0-or-later
// Checks before assimp's COLLADA, FBX and 3DS importers: signature, completeness and nesting, so that a
// truncated or foreign file is refused with a reason, and a deeply nested one does not overflow a recursive
// importer's stack.
#include <vector>

#include "builder/mesh/import_formats.h"
#include "builder/mesh/text_scan.h"

namespace espalier::import_formats {
namespace {

using namespace text_scan;

// Deeper nesting than any tool writes; the importers recurse.
constexpr std::size_t kMostNesting = 256;

Error invalid(const std::string& message) {
    return Error{ErrorKind::kInvalidInput, message};
}

std::uint64_t read_little_endian(std::string_view bytes, std::size_t offset, std::size_t width) {
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
    return value;
}

constexpr std::string_view kFbxMagic("Kaydara FBX Binary  \0", 21);
constexpr std::size_t kFbxHeaderBytes = 27;

// A binary FBX file is a tree of records: end offset, number and size of properties, name, properties, then
// nested records up to an empty one. Offsets are 64 bits wide from version 7500 on.
class FbxWalk {
  public:
    explicit FbxWalk(std::string_view bytes) : bytes_(bytes) {}

    std::optional<Error> run() {
        if (bytes_.size() < kFbxHeaderBytes) return invalid("the FBX header is truncated");
        width_ = read_little_endian(bytes_, 23, 4) >= 7500 ? 8 : 4;
        at_ = kFbxHeaderBytes;
        ends_.push_back(bytes_.size());
        while (!ends_.empty())
            if (auto error = step()) return error;
        return std::nullopt;
    }

  private:
    // Reads one record's head; enters it if it has nested records, else goes behind it.
    std::optional<Error> step() {
        const std::size_t head = 3 * width_ + 1;
        if (ends_.back() - at_ < head) return truncated();
        const std::uint64_t end = read_little_endian(bytes_, at_, width_);
        const std::uint64_t properties = read_little_endian(bytes_, at_ + 2 * width_, width_);
        const std::uint64_t name = static_cast<unsigned char>(bytes_[at_ + 3 * width_]);
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
        if (properties > end - at_ - head || name > end - at_ - head - properties) return broken();
        const std::size_t nested = at_ + head + name + properties;
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
};

std::optional<Error> check_ascii_fbx(std::string_view bytes) {
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
    }
    if (depth > 0)
        return at_line(lines.number(),
                       "the FBX file ends with " + std::to_string(depth) + " open \"{\": it is truncated");
    return std::nullopt;
}

// Walks the tags only as far as to know how deep they are nested.
std::optional<Error> check_xml_nesting(std::string_view bytes) {
    std::size_t depth = 0;
    for (std::size_t at = bytes.find('<'); at != std::string_view::npos; at = bytes.find('<', at + 1)) {
        const std::string_view tag = bytes.substr(at);
        const std::string_view closer = tag.starts_with("<!--")        ? "-->"
                                        : tag.starts_with("<![CDATA[") ? "]]>"
                                                                       : ">";
        const std::size_t end = tag.find(closer);
        if (end == std::string_view::npos)
            return invalid("the COLLADA file ends inside of the tag at byte " + std::to_string(at) +
                           ": it is truncated");
        if (tag.starts_with("</")) {
            if (depth == 0)
                return invalid("a closing tag without an opening one at byte " + std::to_string(at));
            --depth;
        } else if (!tag.starts_with("<!") && !tag.starts_with("<?") && tag[end - 1] != '/') {
            if (++depth > kMostNesting)
                return invalid("tags are nested too deeply at byte " + std::to_string(at));
        }
        at += end;
    }
    if (depth > 0)
        return invalid("the COLLADA file ends with " + std::to_string(depth) + " open tags: it is truncated");
    return std::nullopt;
}

}  // namespace

std::optional<Error> check_dae(std::string_view bytes) {
    if (const auto reason = why_not_text(bytes)) return invalid("not a COLLADA file: " + *reason);
    if (bytes.find("<COLLADA") == std::string_view::npos)
        return invalid("not a COLLADA file: it has no <COLLADA> element");
    return check_xml_nesting(bytes);
}

std::optional<Error> check_fbx(std::string_view bytes) {
    if (bytes.starts_with(kFbxMagic)) return FbxWalk(bytes).run();
    if (const auto reason = why_not_text(bytes)) return invalid("not an FBX file: " + *reason);
    if (bytes.find("FBXHeaderExtension") == std::string_view::npos)
        return invalid("not an FBX file: it has neither the binary signature nor a FBXHeaderExtension");
    return check_ascii_fbx(bytes);
}

std::optional<Error> check_3ds(std::string_view bytes) {
    // Chunks: 16-bit type, 32-bit length including this head.
    constexpr std::size_t kHead = 6;
    constexpr std::uint64_t kMainChunk = 0x4D4D;
    if (bytes.size() < kHead || read_little_endian(bytes, 0, 2) != kMainChunk)
        return invalid("not a 3DS file: it does not start with the chunk 0x4D4D");
    const std::uint64_t length = read_little_endian(bytes, 2, 4);
    if (length > bytes.size())
        return invalid("the 3DS main chunk has " + std::to_string(length) + " bytes, but the file has " +
                       std::to_string(bytes.size()) + ": it is truncated");
    if (length < kHead)
        return invalid("the 3DS main chunk has a length of " + std::to_string(length) + " bytes");
    return std::nullopt;
}

}  // namespace espalier::import_formats
