// SPDX-License-Identifier: GPL-3.0-or-later
// Check before assimp's COLLADA importer (5.2), which never returns from an index list that holds anything
// but digits, takes negative indices for 0, and recurses for ever where a node instances itself.
// (COLLADA 1.4.1 specification, chapter 5.)
#include <boost/property_tree/xml_parser.hpp>
#include <map>
#include <sstream>
#include <vector>

#include "builder/import/import_formats.h"
#include "builder/import/instance_graph.h"
#include "builder/import/text_scan.h"

namespace espalier::import_formats {
namespace {

using namespace text_scan;
using Tree = boost::property_tree::ptree;

// Levels of elements: more than any tool writes. Parsers recurse, so a larger number needs a larger stack.
constexpr std::size_t kMostNesting = 256;
// Inputs of a vertex: more than any tool writes. Their number multiplies sizes that must not overflow.
constexpr std::int64_t kMostInputs = 64;

// Carries an Error out of the recursive walk; never leaves this file.
struct Failure {
    Error error;
};

[[noreturn]] void fail(const std::string& message, ErrorKind kind = ErrorKind::kInvalidInput) {
    throw Failure{Error{kind, message}};
}

// Position of the '>' that ends the tag at the start of `tag`.
std::size_t tag_end(std::string_view tag) {
    if (tag.starts_with("<!--")) return tag.find("-->");
    if (tag.starts_with("<![CDATA[")) return tag.find("]]>");
    char quoted = 0;
    for (std::size_t i = 1; i < tag.size(); ++i) {
        if (quoted) {
            if (tag[i] == quoted) quoted = 0;
        } else if (tag[i] == '"' || tag[i] == '\'') {
            quoted = tag[i];
        } else if (tag[i] == '>') {
            return i;
        }
    }
    return std::string_view::npos;
}

// Walks the tags only as far as to know how deep they are nested, before a parser recurses over them. Answers
// with the bytes up to the end of the outermost element.
std::size_t check_nesting(std::string_view bytes) {
    std::size_t depth = 0;
    for (std::size_t at = bytes.find('<'); at != std::string_view::npos; at = bytes.find('<', at + 1)) {
        const std::string_view tag = bytes.substr(at);
        const std::size_t end = tag_end(tag);
        if (end == std::string_view::npos)
            fail("the COLLADA file ends inside of the tag at byte " + std::to_string(at) +
                 ": it is truncated");
        if (tag.starts_with("</")) {
            if (depth == 0) fail("a closing tag without an opening one at byte " + std::to_string(at));
            if (--depth == 0) return at + end + 1;
        } else if (!tag.starts_with("<!") && !tag.starts_with("<?") && tag[end - 1] != '/') {
            if (++depth > kMostNesting) fail("tags are nested too deeply at byte " + std::to_string(at));
        }
        at += end;
    }
    fail("the COLLADA file ends with " + std::to_string(depth) + " open tags: it is truncated");
}

// Bytes that follow the outermost element, less the blanks, comments and instructions that may.
std::size_t trailing_bytes(std::string_view rest) {
    for (;;) {
        const std::size_t begin = rest.find_first_not_of(" \t\r\n");
        if (begin == std::string_view::npos) return 0;
        rest.remove_prefix(begin);
        const std::string_view end = rest.starts_with("<!--") ? "-->" : rest.starts_with("<?") ? "?>" : "";
        const std::size_t at = end.empty() ? std::string_view::npos : rest.find(end);
        if (at == std::string_view::npos) return rest.size();
        rest.remove_prefix(at + end.size());
    }
}

std::string attribute(const Tree& element, const char* name) {
    const auto attributes = element.find("<xmlattr>");
    if (attributes == element.not_found()) return {};
    const auto found = attributes->second.find(name);
    return found == attributes->second.not_found() ? std::string() : found->second.data();
}

std::string describe(const std::string& tag, const Tree& element) {
    const std::string id = attribute(element, "id");
    std::string text = "<";
    text += tag;
    text += '>';
    if (!id.empty()) text += ' ' + quote(id);
    return text;
}

std::int64_t integer(const Tree& element, const char* name, std::int64_t otherwise,
                     const std::string& where) {
    const std::string text = attribute(element, name);
    if (text.empty()) return otherwise;
    const auto value = parse_integer(text);
    if (!value || *value < 0) fail(where + ": the attribute " + name + " is " + quote(text));
    return *value;
}

// Counts the values of a list, each of which must be an integer of at least `least`.
std::size_t count_integers(const std::string& tag, const Tree& element, std::int64_t least) {
    std::string_view rest = element.data();
    std::size_t count = 0;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest), ++count) {
        const auto value = parse_integer(word);
        if (!value || *value < least || *value > std::numeric_limits<std::int32_t>::max())
            fail("<" + tag + ">: value " + std::to_string(count) + " is " + quote(word) +
                 ", which is not an index");
    }
    return count;
}

class DaeCheck {
  public:
    std::optional<Error> run(const Tree& document) {
        const auto root = document.find("COLLADA");
        if (root == document.not_found()) fail("not a COLLADA file: the outermost element is not <COLLADA>");
        walk("COLLADA", root->second, kNoNode);
        check_accessors();
        return check_nodes();
    }

  private:
    static constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);
    struct Accessor {
        std::string where, source;
        std::int64_t count, stride, offset;
    };

    void walk(const std::string& tag, const Tree& element, std::size_t node);
    void float_array(const std::string& tag, const Tree& element);
    void accessor(const std::string& tag, const Tree& element);
    void primitives(const std::string& tag, const Tree& element);
    void check_accessors() const;
    std::optional<Error> check_nodes();

    std::map<std::string, std::int64_t> array_sizes_;  // by id
    std::vector<Accessor> accessors_;
    InstanceGraph graph_;
    std::map<std::string, std::size_t> node_by_id_, node_by_name_;
    std::vector<std::pair<std::size_t, std::string>> instances_;  // node, what it refers to
};

void DaeCheck::float_array(const std::string& tag, const Tree& element) {
    const std::string where = describe(tag, element);
    const std::int64_t expected = integer(element, "count", -1, where);
    std::string_view rest = element.data();
    std::int64_t count = 0;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest), ++count)
        if (!parse_coordinate(word))
            fail(where + ": value " + std::to_string(count) + " is " + quote(word) + ", not a number");
    if (count != expected)
        fail(where + " holds " + std::to_string(count) + " values, but its count is " +
             (expected < 0 ? "missing" : std::to_string(expected)));
    array_sizes_[attribute(element, "id")] = count;
}

void DaeCheck::accessor(const std::string& tag, const Tree& element) {
    const std::string where = describe(tag, element) + " of " + quote(attribute(element, "source"));
    accessors_.push_back({where, attribute(element, "source"), integer(element, "count", 0, where),
                          integer(element, "stride", 1, where), integer(element, "offset", 0, where)});
}

void DaeCheck::check_accessors() const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    for (const Accessor& accessor : accessors_) {
        const auto array = array_sizes_.find(accessor.source.empty() ? "" : accessor.source.substr(1));
        // Names and references are arrays too, of no interest here.
        if (array == array_sizes_.end()) continue;
        if (accessor.count > kMost || accessor.stride > kMost || accessor.offset > kMost ||
            accessor.offset + accessor.count * accessor.stride > array->second)
            fail(accessor.where + " needs " + std::to_string(accessor.count) + " x " +
                 std::to_string(accessor.stride) + " values, but there are " + std::to_string(array->second));
    }
}

void DaeCheck::primitives(const std::string& tag, const Tree& element) {
    const std::string where = "<" + tag + ">";
    const std::int64_t count = integer(element, "count", 0, where);
    std::int64_t inputs = 1;
    std::size_t indices = 0, lengths = 0;
    for (const auto& [name, child] : element) {
        if (name == "input") inputs = std::max(inputs, integer(child, "offset", 0, where) + 1);
        if (name == "ph")
            fail(where + ": polygons with holes (<ph>) are not supported; triangulate them",
                 ErrorKind::kUnsupported);
        if (name == "p") indices += count_integers(name, child, 0);
        if (name == "vcount") lengths += count_integers(name, child, 0);
    }
    if (inputs > kMostInputs) fail(where + " has an input offset of " + std::to_string(inputs - 1));
    const auto expect = [&](const char* what, std::size_t found, std::int64_t wanted) {
        if (static_cast<std::int64_t>(found) != wanted)
            fail(where + " has " + std::to_string(found) + " " + what + ", but its count of " +
                 std::to_string(count) + " asks for " + std::to_string(wanted));
    };
    if (count > std::numeric_limits<std::int32_t>::max())
        fail(where + " has the count " + std::to_string(count));
    if (tag == "triangles") expect("indices", indices, 3 * count * inputs);
    if (tag == "polylist") expect("polygon lengths", lengths, count);
}

void DaeCheck::walk(const std::string& tag, const Tree& element, std::size_t node) {
    if (tag == "node") {
        const std::size_t index = graph_.names.size();
        const std::string id = attribute(element, "id"), name = attribute(element, "name");
        graph_.names.push_back(id.empty() ? name : id);
        graph_.children.emplace_back();
        node_by_id_.emplace(id, index);
        node_by_name_.emplace(name, index);
        if (node != kNoNode) graph_.children[node].push_back(index);
        node = index;
    } else if (tag == "instance_node" && node != kNoNode) {
        instances_.emplace_back(node, attribute(element, "url"));
    } else if (tag == "float_array") {
        float_array(tag, element);
    } else if (tag == "accessor") {
        accessor(tag, element);
    } else if (tag == "triangles" || tag == "polylist" || tag == "polygons" || tag == "trifans" ||
               tag == "tristrips" || tag == "lines" || tag == "linestrips") {
        primitives(tag, element);
    } else if (tag == "vertex_weights") {
        for (const auto& [name, child] : element)
            if (name == "v" || name == "vcount") count_integers(name, child, -1);
    }
    for (const auto& [name, child] : element)
        if (name != "<xmlattr>") walk(name, child, node);
}

std::optional<Error> DaeCheck::check_nodes() {
    for (const auto& [node, url] : instances_) {
        const std::string target = url.empty() ? url : url.substr(1);
        const auto by_id = node_by_id_.find(target);
        if (by_id != node_by_id_.end())
            graph_.children[node].push_back(by_id->second);
        else if (const auto by_name = node_by_name_.find(target); by_name != node_by_name_.end())
            graph_.children[node].push_back(by_name->second);
    }
    return check_instances(graph_);
}

}  // namespace

Result<CheckedDae> check_dae(std::string_view bytes) {
    const auto invalid = [](const std::string& message) { return Error{ErrorKind::kInvalidInput, message}; };
    if (const auto reason = why_not_text(bytes.substr(0, bytes.find("</COLLADA>"))))
        return invalid("not a COLLADA file: " + *reason);
    if (bytes.find("<COLLADA") == std::string_view::npos)
        return invalid("not a COLLADA file: it has no <COLLADA> element");
    try {
        const std::size_t end = check_nesting(bytes);
        const CheckedDae checked{bytes.substr(0, end), trailing_bytes(bytes.substr(end))};
        std::istringstream stream{std::string(checked.document)};
        Tree document;
        boost::property_tree::read_xml(stream, document, boost::property_tree::xml_parser::no_comments);
        if (auto wrong = DaeCheck().run(document)) return *std::move(wrong);
        return checked;
    } catch (const boost::property_tree::xml_parser_error& error) {
        return at_line(error.line(), "the COLLADA file is not XML: " + error.message());
    } catch (const Failure& failure) {
        return failure.error;
    }
}

}  // namespace espalier::import_formats
