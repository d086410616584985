// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/options/query_options.h"

#include <algorithm>
#include <span>

#include "tools/io/failure.h"
#include "tools/options/query_choices.h"
#include "tools/options/tree_names.h"

namespace espalier::tools {
namespace {

constexpr std::uint64_t kMostRepeats = 1'000'000;

/// The names in the options, resolved.
struct Choice {
    const Hierarchy& hierarchy;
    const QueryMethod& method;
    const QueryVariant& variant;
};

Choice choose_method(const Parsed& parsed) {
    parsed.required_text("tree");
    parsed.required_text("mode");
    const std::vector<std::string_view> trees = tree_names();
    const Hierarchy& row = *find_hierarchy(trees[*parsed.choice("tree", trees)]);
    const auto mode = static_cast<QueryMode>(*parsed.choice("mode", kEnumNames<QueryMode>));
    const std::string mode_name(name_of(mode));
    const std::span<const QueryMethod> methods = row.query_methods();
    const auto method = std::ranges::find(methods, mode, &QueryMethod::mode);
    if (method == methods.end())
        throw Failure("", {ErrorKind::kUnsupported, "this version has no query of mode " + mode_name +
                                                        " on the " + row.name + " tree"});
    std::vector<std::string_view> names;
    for (const QueryVariant& variant : method->variants)
        if (*variant.name) names.push_back(variant.name);
    for (const QueryChoice& choice : query_choices())
        if (parsed.has(choice.option) && (names.empty() || choice.option != method->option))
            fail_usage("--" + choice.option + " has no meaning for mode " + mode_name + " on the " +
                       row.name + " tree");
    return {row, *method, method->variants[parsed.choice(method->option, names).value_or(0)]};
}

QuerySideOptions side_options(const Parsed& parsed, std::size_t argument, const std::string& side) {
    return {parsed.arguments()[argument], parsed.text("joints-" + side), parsed.text("part-" + side)};
}

/// What is there for two assets only.
void expect_one_side(const Parsed& parsed) {
    if (parsed.arguments().size() != 1) fail_usage("mode self takes one asset, A.espl");
    for (const char* option : {"poses", "joints-b", "part-a", "part-b"})
        if (parsed.has(option)) fail_usage("--" + std::string(option) + " has no meaning for mode self");
}

void expect_two_sides(const Parsed& parsed) {
    if (parsed.arguments().size() != 2) fail_usage("B.espl is missing");
    if (!parsed.has("joints-a") && !parsed.has("joints-b")) parsed.required_text("poses");
}

void expect_one_standard_input(const Parsed& parsed) {
    int readers = 0;
    for (const char* option : {"poses", "joints-a", "joints-b"}) readers += parsed.text(option) == "-";
    if (readers > 1) fail_usage("only one list can be read from standard input");
}

double limit_of(const Parsed& parsed, QueryMode mode) {
    const std::optional<double> limit = parsed.number("limit");
    if (limit.has_value() != (mode == QueryMode::kWithin))
        fail_usage(limit ? "--limit is for mode within" : "mode within needs --limit D");
    if (!limit) return std::numeric_limits<double>::infinity();
    if (*limit < 0) fail_usage("--limit must not be negative");
    return *limit;
}

}  // namespace

CommandLine query_syntax() {
    CommandLine line(
        "query A.espl B.espl --poses FILE --tree NAME --mode MODE [options]",
        "Answers one query a pose, or a configuration of joints, of all parts of A against all of B. "
        "Results,\n"
        "one line each: first: 1 if they touch, else 0; all: the number of pairs of triangles that touch;\n"
        "distance: the least distance; within: 1 if the distance is at most --limit, else 0; self (A "
        "alone):\n"
        "1 if two parts of A touch that the asset does not list as a pair without a test, else 0. With "
        "--budget\n"
        "instead: verdict (disjoint, colliding or unresolved), lower and upper bound of the separation (0 "
        "and\n"
        "inf where a tree and mode know the verdict alone), node tests, level (of trees that are refined "
        "level\n"
        "by level). Results go to standard output unless there is --results, or --json, which prints times "
        "and\n"
        "counts.\n",
        "  espalier query a.espl b.espl --poses poses.txt --tree aabb --mode first --results hits.txt\n"
        "  echo 1 0 0 0  0.5 0 0 | espalier query a.espl a.espl --poses - --tree aabb --mode all\n"
        "  espalier query arm.espl --joints-a motion.txt --tree aabb --mode self --name-parts\n");
    line.value("poses", "FILE",
               "B in A's frame: qw qx qy qz tx ty tz a line, '#' starts a comment; -: standard input");
    line.value("joints-a", "FILE",
               "where A's joints are: a configuration a line, values in the order of the parts (dump has "
               "it); -: standard input. One line stands for all poses (at rest)");
    line.value("joints-b", "FILE", "the same for B");
    line.value("part-a", "NAME", "only this part of A, where the whole body has it");
    line.value("part-b", "NAME", "the same for B");
    line.value("tree", "NAME", "the hierarchy to use: " + list_names(tree_names()));
    line.value("mode", "MODE", list_names(kEnumNames<QueryMode>));
    line.value("limit", "D", "mode within: the distance, in the unit of the assets");
    for (const QueryChoice& choice : query_choices()) line.value(choice.option.c_str(), "NAME", choice.help);
    line.value("budget", "N", "stop each query after N node tests");
    line.flag("name-parts",
              "behind each result, after tabs, the names of the two parts that it is of; mode all: of every "
              "two that touch, with their number of pairs of triangles");
    line.value("results", "FILE", "write the results to this file; -: standard output");
    line.value("repeat", "K", "run all queries K times and report the least time (1)");
    line.flag("strict", "fail (exit code 6) if a joint is beyond its limits, which is a warning else");
    add_json_option(line);
    line.arguments(1, 2, "A.espl and B.espl");
    return line;
}

QueryOptions query_options(const Parsed& parsed) {
    const Choice choice = choose_method(parsed);
    const bool self = choice.method.mode == QueryMode::kSelf;
    self ? expect_one_side(parsed) : expect_two_sides(parsed);
    expect_one_standard_input(parsed);
    QueryOptions options{choice.hierarchy, choice.method, choice.variant, side_options(parsed, 0, "a")};
    if (!self) options.b = side_options(parsed, 1, "b");
    options.poses = parsed.text("poses");
    options.budget = parsed.count("budget", 0, std::numeric_limits<std::uint64_t>::max() - 1);
    options.limit = limit_of(parsed, choice.method.mode);
    options.repeats = parsed.count("repeat", 1, kMostRepeats).value_or(1);
    options.name_parts = parsed.has("name-parts");
    options.strict = parsed.has("strict");
    return options;
}

}  // namespace espalier::tools
