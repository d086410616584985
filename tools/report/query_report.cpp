// SPDX-License-Identifier: GPL-3.0-or-later
#include "tools/report/query_report.h"

#include <algorithm>

#include "builder/base/number_text.h"
#include "tools/options/query_choices.h"
#include "tools/report/text.h"

namespace espalier::tools {
namespace {

const char* verdict_name(Verdict verdict) {
    switch (verdict) {
        case Verdict::kDisjoint:
            return "disjoint";
        case Verdict::kColliding:
            return "colliding";
        case Verdict::kUnresolved:
            return "unresolved";
    }
    return "unresolved";
}

bool is_within(const QueryRun& run, const QueryOutcome& outcome) {
    return outcome.upper <= run.options.limit;
}

std::string result_text(const QueryRun& run, const QueryOutcome& outcome) {
    if (run.options.budget)
        return std::string(verdict_name(outcome.verdict)) + " " + number_text(outcome.lower) + " " +
               number_text(outcome.upper) + " " + std::to_string(outcome.counters.node_tests) + " " +
               std::to_string(outcome.level);
    switch (run.options.method.mode) {
        case QueryMode::kFirst:
        case QueryMode::kSelf:
            return outcome.verdict == Verdict::kColliding ? "1" : "0";
        case QueryMode::kAll:
            return std::to_string(outcome.contacts);
        case QueryMode::kDistance:
            return number_text(outcome.upper);
        case QueryMode::kWithin:
            return is_within(run, outcome) ? "1" : "0";
    }
    return "";
}

/// Whether the answer is of two parts: one that says no is of all.
bool is_of_parts(const QueryRun& run, const QueryOutcome& outcome) {
    if (outcome.part_a == kNoIndex) return false;
    const QueryMode mode = run.options.method.mode;
    if (run.options.budget || mode == QueryMode::kDistance) return true;
    return mode == QueryMode::kWithin ? is_within(run, outcome) : outcome.verdict == Verdict::kColliding;
}

/// Behind tabs, which no name holds.
std::string names_text(const QueryRun& run, const QueryOutcome& outcome) {
    std::string text;
    const auto add = [&](const std::string& field) {
        text += '\t';
        text += field;
    };
    for (const TouchingParts& pair : outcome.touching) {
        add(run.name_a(pair.part_a));
        add(run.name_b(pair.part_b));
        add(std::to_string(pair.contacts));
    }
    if (is_of_parts(run, outcome)) {
        add(run.name_a(outcome.part_a));
        add(run.name_b(outcome.part_b));
    }
    return text;
}

Counters total_counters(const QueryRun& run) {
    Counters total;
    for (const QueryOutcome& outcome : run.outcomes) {
        total.node_tests += outcome.counters.node_tests;
        total.leaf_pairs += outcome.counters.leaf_pairs;
        total.triangle_tests += outcome.counters.triangle_tests;
        total.exact_tests += outcome.counters.exact_tests;
    }
    return total;
}

std::uint64_t count_verdicts(const QueryRun& run, Verdict verdict) {
    return static_cast<std::uint64_t>(std::ranges::count(run.outcomes, verdict, &QueryOutcome::verdict));
}

std::uint64_t count_within(const QueryRun& run) {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(run.outcomes, [&](const QueryOutcome& o) { return is_within(run, o); }));
}

Json asset_json(const AssetFile& asset) {
    return {{"file", asset.path()}, {"parts", asset.parts().size()}, {"triangles", asset.triangle_count()}};
}

}  // namespace

std::string query_results(const QueryRun& run) {
    std::string text;
    for (const QueryOutcome& outcome : run.outcomes)
        text += result_text(run, outcome) + (run.options.name_parts ? names_text(run, outcome) : "") + "\n";
    return text;
}

std::string query_summary_text(const QueryRun& run) {
    const Counters total = total_counters(run);
    const auto mean = [&](std::uint64_t count) {
        return fixed_text(static_cast<double>(count) / static_cast<double>(run.outcomes.size()), 1);
    };
    const bool within = run.options.method.mode == QueryMode::kWithin;
    return std::to_string(run.outcomes.size()) + " poses, " + run.options.hierarchy.name +
           " tree: " + std::to_string(count_verdicts(run, Verdict::kColliding)) + " colliding, " +
           std::to_string(count_verdicts(run, Verdict::kDisjoint)) + " disjoint, " +
           std::to_string(count_verdicts(run, Verdict::kUnresolved)) + " unresolved" +
           (within ? ", " + std::to_string(count_within(run)) + " within " + number_text(run.options.limit)
                   : "") +
           "; a query takes " + fixed_text(run.ns_per_query, 0) + " ns, " + mean(total.node_tests) +
           " node tests and " + mean(total.triangle_tests) + " triangle tests\n";
}

Json query_summary_json(const QueryRun& run) {
    const Counters total = total_counters(run);
    Json document = json_document("espalier-query");
    document["a"] = asset_json(run.a);
    document["b"] = run.b ? asset_json(*run.b) : Json();
    document["bodies"] = run.as_bodies;
    document["tree"] = run.options.hierarchy.name;
    document["mode"] = name_of(run.options.method.mode);
    for (const QueryChoice& choice : query_choices())
        document[choice.option] = !*run.options.variant.name || choice.option != run.options.method.option
                                      ? Json()
                                      : Json(run.options.variant.name);
    document["budget"] = run.options.budget ? Json(*run.options.budget) : Json();
    document["limit"] = run.options.method.mode == QueryMode::kWithin ? Json(run.options.limit) : Json();
    document["poses"] = run.outcomes.size();
    document["repeats"] = run.options.repeats;
    document["ns_per_query"] = run.ns_per_query;
    document["totals"] = {{"node_tests", total.node_tests},
                          {"leaf_pairs", total.leaf_pairs},
                          {"triangle_tests", total.triangle_tests},
                          {"exact_tests", total.exact_tests}};
    document["verdicts"] = {{"disjoint", count_verdicts(run, Verdict::kDisjoint)},
                            {"colliding", count_verdicts(run, Verdict::kColliding)},
                            {"unresolved", count_verdicts(run, Verdict::kUnresolved)}};
    document["within"] = run.options.method.mode == QueryMode::kWithin ? Json(count_within(run)) : Json();
    return document;
}

}  // namespace espalier::tools
