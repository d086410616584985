// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/harness/cell.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace espalier_bench {
namespace {

/// What is known of one library while a cell is measured.
struct Column {
    Worker* worker = nullptr;
    std::string status = "ok";
    std::size_t differences = 0;
    std::vector<std::vector<double>> passes;  ///< group times of every timed pass
    double spent_ns = 0;
    bool hopeless = false;  ///< the first pass stays the only one
};

double sum(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
}

bool agree(Job job, double ours, double theirs, double diagonal) {
    switch (job) {
        case Job::kAll:
            return std::fabs(ours - theirs) <= std::max(2.0, 0.01 * ours);
        case Job::kDistance:
            return std::fabs(ours - theirs) <= 1e-5 * ours + 1e-6 * diagonal;
        default:
            return ours == theirs;
    }
}

/// Peers round differently: one placement in a hundred may differ (grazing contacts); the report says how
/// many.
void compare(const PoseSet& set, double diagonal, const std::vector<double>& ours,
             const std::vector<double>& theirs, Column& column) {
    for (std::size_t i = 0; i < ours.size(); ++i)
        column.differences += !agree(set.job, ours[i], theirs[i], diagonal);
    if (column.differences * 100 > ours.size()) column.status = "answers differ";
}

/// A library that takes this many times as long as ours is timed by its first pass alone: more of them would
/// take hours and change nothing.
constexpr double kHopeless = 30;

void warm_up(const std::vector<PoseSet>& sets, std::size_t index, double diagonal, const Effort& effort,
             std::vector<double>& ours, double& our_ns, Column& column) {
    Pass pass = column.worker->run(index, true, effort.pass_seconds);
    if (pass.outcome == Pass::Outcome::kDone) {
        if (ours.empty()) {
            ours = pass.answers;
            our_ns = sum(pass.group_ns);
        }
        compare(sets[index], diagonal, ours, pass.answers, column);
        column.hopeless = sum(pass.group_ns) > kHopeless * our_ns;
        if (column.hopeless) column.passes.push_back(std::move(pass.group_ns));
        return;
    }
    column.status = pass.outcome == Pass::Outcome::kTooSlow ? "too slow" : "failed";
}

/// A library that takes part on misses alone must still be able to find a contact, or "no" says nothing: it
/// is asked the deep overlaps first.
void check_hits(const std::vector<PoseSet>& sets, const Effort& effort, Worker& reference, Column& column) {
    const LibraryInfo& info = column.worker->info();
    if (info.first) return;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        if (sets[i].protocol != "D") continue;
        const Pass ours = reference.run(i, true, effort.pass_seconds);
        const Pass theirs = column.worker->run(i, true, effort.pass_seconds);
        if (theirs.outcome != Pass::Outcome::kDone || ours.outcome != Pass::Outcome::kDone) return;
        std::size_t missed = 0;
        for (std::size_t k = 0; k < ours.answers.size(); ++k) missed += ours.answers[k] > theirs.answers[k];
        if (missed * 20 > ours.answers.size()) column.status = "misses contacts";
    }
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

nlohmann::json times_json(const PoseSet& set, const Column& column) {
    std::vector<double> totals;
    for (const std::vector<double>& pass : column.passes) totals.push_back(sum(pass));
    // Both groups of the deforming protocol cover every frame; everywhere else groups divide the placements.
    const double queries = double(set.placements.size());
    nlohmann::json json;
    json["min_ns"] = *std::min_element(totals.begin(), totals.end()) / queries;
    json["median_ns"] = median(totals) / queries;
    json["repeats"] = totals.size();
    for (std::size_t g = 0; g < set.groups.size(); ++g) {
        std::vector<double> times;
        for (const std::vector<double>& pass : column.passes) times.push_back(pass[g]);
        const double count = double(std::max<std::size_t>(1, set.groups[g].count));
        json["groups_min_ns"].push_back(*std::min_element(times.begin(), times.end()) / count);
    }
    return json;
}

}  // namespace

bool takes_part(const LibraryInfo& info, const PoseSet& set, const ModelData& model) {
    if (model.triangle_count() > info.most_triangles) return false;
    if (info.tumbling_only) return set.protocol == "B";
    const bool divided = set.protocol.find("-misses") != std::string::npos;
    switch (set.job) {
        case Job::kFirst:
            return info.first;
        case Job::kMisses:  // the misses of A and B are for those that cannot do the whole
            return info.misses && (!divided || !info.first || info.family.starts_with("Espalier"));
        case Job::kAll:
            return info.all;
        case Job::kDistance:
            return info.distance;
        case Job::kDeform:
            return info.refit;
    }
    return false;
}

nlohmann::json measure_cell(const ModelData& model, const std::vector<PoseSet>& sets, std::size_t index,
                            std::vector<std::unique_ptr<Worker>>& workers, const Effort& effort) {
    const PoseSet& set = sets[index];
    std::vector<Column> columns;
    for (const auto& worker : workers)
        if (takes_part(worker->info(), set, model)) columns.push_back({worker.get(), "ok", 0, {}, 0, false});
    std::vector<double> ours;
    double our_ns = 0;
    for (Column& column : columns) {
        warm_up(sets, index, model.diagonal, effort, ours, our_ns, column);
        if (set.job == Job::kMisses && column.status == "ok")
            check_hits(sets, effort, *columns.front().worker, column);
    }
    for (int repeat = 0; repeat < effort.repeats; ++repeat)
        for (Column& column : columns) {
            if (column.status != "ok" || column.hopeless ||
                (repeat >= 2 && column.spent_ns > effort.library_seconds * 1e9))
                continue;
            Pass pass = column.worker->run(index, false, 2 * effort.pass_seconds);
            if (pass.outcome != Pass::Outcome::kDone) continue;
            column.spent_ns += sum(pass.group_ns);
            column.passes.push_back(std::move(pass.group_ns));
        }

    nlohmann::json cell = {
        {"model", model.name}, {"triangles", model.triangle_count()}, {"protocol", set.protocol},
        {"title", set.title},  {"placements", set.placements.size()}, {"libraries", nlohmann::json::array()}};
    cell["answers_mean"] = ours.empty() ? 0 : sum(ours) / double(ours.size());
    for (const Group& group : set.groups)
        cell["groups"].push_back({{"name", group.name}, {"value", group.value}});
    for (const Column& column : columns) {
        nlohmann::json library = column.passes.empty() ? nlohmann::json::object() : times_json(set, column);
        library["name"] = column.worker->info().name;
        library["family"] = column.worker->info().family;
        library["status"] = column.passes.empty() && column.status == "ok" ? "too slow" : column.status;
        library["differences"] = column.differences;
        cell["libraries"].push_back(std::move(library));
    }
    return cell;
}

}  // namespace espalier_bench
