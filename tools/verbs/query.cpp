// SPDX-License-Identifier: GPL-3.0-or-later
// espalier query: collisions or distances of two assets over a list of poses, with times and counts.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <span>

#include "builder/asset/atomic_file.h"
#include "tools/io/asset_file.h"
#include "tools/io/failure.h"
#include "tools/io/pose_list.h"
#include "tools/io/standard_streams.h"
#include "tools/options/query_choices.h"
#include "tools/options/tree_names.h"
#include "tools/report/query_report.h"
#include "tools/verbs/verbs.h"

namespace espalier::tools {
namespace {

constexpr std::uint64_t kMostRepeats = 1'000'000;

CommandLine syntax() {
    CommandLine line(
        "query A.espl B.espl --poses FILE --tree NAME --mode first|all|distance [options]",
        "Answers one query a pose. Results, one line a pose: first: 1 if they touch, else 0; all: the number "
        "of pairs\n"
        "of triangles that touch; distance: the least distance. With --budget instead: verdict (disjoint, "
        "colliding\n"
        "or unresolved), lower and upper bound of the separation (0 and inf where a tree and mode know the "
        "verdict\n"
        "alone), node tests, level (of trees that are refined level by level). Results go to standard "
        "output unless\n"
        "there is --results, or --json, which prints times and counts.\n",
        "  espalier query a.espl b.espl --poses poses.txt --tree aabb --mode first --results hits.txt\n"
        "  echo 1 0 0 0  0.5 0 0 | espalier query a.espl a.espl --poses - --tree aabb --mode all\n");
    line.value("poses", "FILE",
               "B in A's frame: qw qx qy qz tx ty tz a line, '#' starts a comment; -: standard input");
    line.value("tree", "NAME", "the hierarchy to use: " + list_names(tree_names()));
    line.value("mode", "MODE", list_names(kEnumNames<QueryMode>));
    for (const QueryChoice& choice : query_choices()) line.value(choice.option.c_str(), "NAME", choice.help);
    line.value("budget", "N", "stop each query after N node tests");
    line.value("results", "FILE", "write the results to this file; -: standard output");
    line.value("repeat", "K", "run all queries K times and report the least time (1)");
    add_json_option(line);
    line.arguments(2, 2, "A.espl and B.espl");
    return line;
}

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

void check_tree(const AssetFile& asset, const Hierarchy& row) {
    if (!std::ranges::all_of(asset.parts(), row.present))
        throw Failure(asset.path(),
                      {ErrorKind::kInvalidInput, std::string("the asset has no ") + row.name +
                                                     " tree; bake it with --trees " + row.name});
}

/// Runs every pose once and returns the nanoseconds that one took on average.
double run_once(QueryRun& run, const std::vector<ListedPose>& poses, const std::string& pose_file) {
    const std::uint64_t budget = run.budget.value_or(Budget::kUnlimited);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const Status status = query_parts(run.variant.run, run.method.mode, run.a.parts(), run.b.parts(),
                                          poses[i].pose, budget, run.outcomes[i]);
        if (status != Status::kOk)
            throw Failure(
                pose_list_name(pose_file),
                {ErrorKind::kInvalidInput, "line " + std::to_string(poses[i].line) +
                                               ": this pose cannot be used: " + status_text(status)});
    }
    const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    return spent.count() / static_cast<double>(poses.size());
}

/// Where the results go; checked before the work.
class ResultsTarget {
  public:
    explicit ResultsTarget(const Parsed& parsed)
        : path_(parsed.text("results").value_or(parsed.has("json") ? "" : "-")) {
        if (path_ == "-" && parsed.has("json"))
            fail_usage("--json and --results - both go to standard output");
        if (parsed.has("results") && path_.empty()) fail_usage("--results is an empty name");
        if (is_file()) value_or_fail(path_, check_writable(path_));
    }

    bool is_file() const { return !path_.empty() && path_ != "-"; }

    void write(const std::string& text) const {
        if (path_ == "-") print(text);
        if (!is_file()) return;
        const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
        value_or_fail(path_, write_file_atomically(path_, bytes));
    }

  private:
    std::string path_;
};

}  // namespace

int run_query(const Arguments& words) {
    const std::optional<Parsed> parsed = syntax().parse(words);
    if (!parsed) return 0;
    const Choice choice = choose_method(*parsed);
    const std::string pose_file = parsed->required_text("poses");
    const std::uint64_t repeats = parsed->count("repeat", 1, kMostRepeats).value_or(1);
    const auto budget = parsed->count("budget", 0, std::numeric_limits<std::uint64_t>::max() - 1);
    const ResultsTarget results(*parsed);
    const AssetFile a(parsed->arguments()[0]), b(parsed->arguments()[1]);
    check_tree(a, choice.hierarchy);
    check_tree(b, choice.hierarchy);
    const std::vector<ListedPose> poses = read_poses(pose_file);

    QueryRun run{a,
                 b,
                 choice.hierarchy,
                 choice.method,
                 choice.variant,
                 budget,
                 repeats,
                 0,
                 std::vector<QueryOutcome>(poses.size())};
    run.ns_per_query = std::numeric_limits<double>::infinity();
    for (std::uint64_t i = 0; i < repeats; ++i)
        run.ns_per_query = std::min(run.ns_per_query, run_once(run, poses, pose_file));
    results.write(query_results(run));
    if (parsed->has("json"))
        print(json_text(query_summary_json(run)));
    else if (results.is_file())
        print(query_summary_text(run));
    return 0;
}

}  // namespace espalier::tools
