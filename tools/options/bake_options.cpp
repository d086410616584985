// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/options/bake_options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "builder/base/number_text.h"
#include "tools/io/failure.h"
#include "tools/options/tree_names.h"

namespace espalier::tools {
namespace {

constexpr std::uint64_t kMostJobs = 1024;

/// "sentence, 1 to 8 (4)": the range and the default behind what an option means.
std::string help_of(const TreeOption& option, const std::any& defaults) {
    std::string text = option.sentence;
    switch (option.kind) {
        case OptionKind::kCount:
            text += "; " + std::to_string(static_cast<std::uint64_t>(option.least)) + " to " +
                    std::to_string(static_cast<std::uint64_t>(option.most));
            break;
        case OptionKind::kNumber:
            text += "; " + number_text(option.least) + " to " + number_text(option.most);
            break;
        case OptionKind::kChoice:
            text += "; " + list_names(option.choices);
            break;
        case OptionKind::kFlag:
            return text;
        case OptionKind::kText:
            break;
    }
    return text + " (" + (*option.unset ? option.unset : option.get(defaults)) + ")";
}

/// "a,b" as its rows; every one known, none twice.
std::vector<const Hierarchy*> parse_trees(const std::string& list) {
    std::vector<const Hierarchy*> rows;
    for (std::size_t start = 0; start <= list.size();) {
        const std::size_t end = std::min(list.find(',', start), list.size());
        const std::string name = list.substr(start, end - start);
        const Hierarchy* const row = find_hierarchy(name);
        if (!row)
            fail_usage("--trees: there is no tree called '" + name + "'; a list of " +
                       list_names(tree_names()) + " is needed");
        if (std::ranges::find(rows, row) != rows.end()) fail_usage("--trees names " + name + " twice");
        rows.push_back(row);
        start = end + 1;
    }
    return rows;
}

std::string default_names() {
    std::string names;
    for (const TreeRequest& tree : default_trees()) {
        if (!names.empty()) names += ',';
        names += tree.hierarchy->name;
    }
    return names;
}

/// The hierarchy with the options that were given.
TreeRequest request_of(const Hierarchy& row, const Parsed& parsed) {
    TreeRequest request{&row, row.default_options()};
    for (const TreeOption& option : row.options)
        if (parsed.has(option.name))
            value_or_fail("", set_option(option, request.options,
                                         option.kind == OptionKind::kFlag ? "" : *parsed.text(option.name)));
    return request;
}

std::vector<TreeRequest> requested_trees(const Parsed& parsed) {
    const std::vector<const Hierarchy*> wanted = parse_trees(parsed.text("trees").value_or(default_names()));
    std::vector<TreeRequest> trees;
    for (const Hierarchy* row : shown_hierarchies()) {
        const bool is_wanted = std::ranges::find(wanted, row) != wanted.end();
        if (is_wanted) trees.push_back(request_of(*row, parsed));
        for (const TreeOption& option : row->options)
            if (!is_wanted && parsed.has(option.name))
                fail_usage(std::string("--") + option.name + " concerns the " + row->name + " tree; add " +
                           row->name + " to --trees");
    }
    return trees;
}

/// A folder that is not there would be ignored, and the mesh be blamed.
std::vector<std::filesystem::path> allowed_folders(const Parsed& parsed) {
    std::vector<std::filesystem::path> folders;
    for (const std::string& name : parsed.texts("allow-path")) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(name, ignored))
            fail_usage("--allow-path: '" + name + "' is not a folder");
        folders.emplace_back(name);
    }
    return folders;
}

/// A group a hierarchy.
void add_tree_options(CommandLine& line) {
    for (const Hierarchy* row : shown_hierarchies()) {
        line.group(std::string(row->name) + " tree: " + row->summary + " (" + row->paper + ")");
        const std::any defaults = row->default_options();
        for (const TreeOption& option : row->options) {
            const std::string help = help_of(option, defaults);
            if (option.kind == OptionKind::kFlag)
                line.flag(option.name, help);
            else
                line.value(option.name, option.placeholder, help);
        }
    }
}

}  // namespace

void add_bake_options(CommandLine& line) {
    line.value("trees", "LIST",
               "hierarchies to build, a list with commas of " + list_names(tree_names()) + " (" +
                   default_names() + ")");
    line.flag("merge", "one part of all that the scene places, in one shape, not a part a node");
    line.value("parts", "PATTERNS",
               "only parts whose names fit, a list with commas; * stands for any text (all)");
    line.flag("frames", "nodes without a mesh become parts too, frames that others hang on");
    line.value("scene", "N|NAME",
               "which scene of a glTF file, by number from 0 or name (the file's default)");
    line.value("scale", "S", "multiply every coordinate by this (1)");
    line.value("unit", "U", "unit of the scaled coordinates, recorded in the asset (what the file states)");
    line.values("allow-path", "DIR",
                "folder whose files a mesh may refer to, besides its own folder; may be given several times");
    line.value("weld", "T", "join vertices closer than this, in the scaled unit (0: at the same place)");
    line.flag("strict", "fail (exit code 6) if the mesh is not closed or had to be repaired");
    line.value("jobs", "N", "threads (one a core); the bytes are the same for any number");
    add_tree_options(line);
}

BakeOptions bake_options(const Parsed& parsed) {
    BakeOptions options;
    options.trees = requested_trees(parsed);
    options.import.scale = parsed.number("scale").value_or(1.0);
    if (options.import.scale <= 0) fail_usage("--scale must be positive");
    options.import.scene = parsed.text("scene").value_or("");
    options.scene.parts = parsed.text("parts").value_or("");
    options.scene.frames = parsed.has("frames");
    options.merge = parsed.has("merge");
    if (options.merge && options.scene.frames) fail_usage("--merge and --frames exclude each other");
    options.import.unit = parsed.text("unit").value_or("");
    options.import.allowed_folders = allowed_folders(parsed);
    options.sanitize.weld_tolerance = parsed.number("weld").value_or(0.0);
    if (options.sanitize.weld_tolerance < 0) fail_usage("--weld must not be negative");
    options.strict = parsed.has("strict");
    options.jobs = static_cast<unsigned>(parsed.count("jobs", 1, kMostJobs).value_or(0));
    return options;
}

}  // namespace espalier::tools
