// SPDX-License-Identifier: GPL-3.0-or-later
// Error against budget: every query goes through all budgets in turn, stopping at each.
#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>

#include "bench/budget/protocols.h"
#include "espalier/distance.h"
#include "espalier/sphere_query.h"

namespace espalier::bench {
namespace {

constexpr std::uint64_t kBudgets[] = {16, 64, 256, 1024, 4096};
constexpr std::size_t kPairs = 4096;

double center_distance(const ShapeView& part, const Pose& pose) {
    // The poses turn about the centre, so that its image is the centre moved.
    const double* q = pose.rotation;
    double c[3], moved[3];
    for (int k = 0; k < 3; ++k) c[k] = (double(part.lo[k]) + double(part.hi[k])) / 2 + part.origin[k];
    const double u[3] = {q[2] * c[2] - q[3] * c[1] + q[0] * c[0], q[3] * c[0] - q[1] * c[2] + q[0] * c[1],
                         q[1] * c[1] - q[2] * c[0] + q[0] * c[2]};
    moved[0] = c[0] + 2 * (q[2] * u[2] - q[3] * u[1]);
    moved[1] = c[1] + 2 * (q[3] * u[0] - q[1] * u[2]);
    moved[2] = c[2] + 2 * (q[1] * u[1] - q[2] * u[0]);
    double squared = 0;
    for (int k = 0; k < 3; ++k) squared += std::pow(moved[k] + pose.translation[k] - c[k], 2);
    return std::sqrt(squared);
}

/// What every stop is compared with, and how often that went wrong.
struct Soundness {
    double separation = 0, slack = 0;
    std::uint64_t triples = 0, failures = 0;

    template <class Query>
    void check(const Query& query) {
        ++triples;
        const Verdict verdict = query.verdict();
        const bool holds = query.lower() <= separation + slack && query.upper() >= separation - slack &&
                           (verdict != Verdict::kColliding || separation == 0) &&
                           (verdict != Verdict::kDisjoint || separation > 0);
        if (!holds) ++failures;
    }
};

struct Samples {
    Soundness* soundness = nullptr;
    std::vector<double> width[std::size(kBudgets)];
    std::size_t resolved[std::size(kBudgets)] = {};
};

template <class Query>
void go_through_budgets(Query& query, double farthest, double radius, Samples* samples) {
    for (std::size_t i = 0; i < std::size(kBudgets); ++i) {
        const std::uint64_t spent = query.counters().node_tests;
        Budget budget;
        budget.node_tests = kBudgets[i] > spent ? kBudgets[i] - spent : 0;
        const Verdict verdict = query.step(budget);
        samples->width[i].push_back((std::min(query.upper(), farthest) - query.lower()) / radius);
        if (verdict != Verdict::kUnresolved) ++samples->resolved[i];
        samples->soundness->check(query);
    }
}

Json summary(Samples& samples) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < std::size(kBudgets); ++i) {
        std::vector<double>& w = samples.width[i];
        std::sort(w.begin(), w.end());
        double sum = 0;
        for (const double x : w) sum += x;
        rows.push_back({{"budget", kBudgets[i]},
                        {"mean", sum / static_cast<double>(w.size())},
                        {"p99", w[(w.size() - 1) * 99 / 100]},
                        {"resolved", double(samples.resolved[i]) / static_cast<double>(w.size())}});
    }
    return rows;
}

using Begin = std::function<void(const ShapeView&, const Pose&, double farthest, double radius, Samples*)>;

void require(Status status) {
    if (status != Status::kOk) throw std::runtime_error(status_text(status));
}

template <class Query>
void run_distance(const ShapeView& part, const Pose& pose, double farthest, double radius, Samples* samples) {
    Query query;
    require(query.begin(part, part, pose));
    go_through_budgets(query, farthest, radius, samples);
}

template <SphereOrder kOrder>
void run_sphere(const ShapeView& part, const Pose& pose, double farthest, double radius, Samples* samples) {
    SphereQueryOptions options;
    options.order = kOrder;
    SphereQuery<kPairs> query;
    require(query.begin(part, part, pose, options));
    go_through_budgets(query, farthest, radius, samples);
}

double exact_separation(const ShapeView& part, const Pose& pose) {
    static Distance<AabbTreeView> query;
    require(query.begin(part, part, pose));
    query.step();
    return query.upper();
}

Json measure(const ShapeView& part, const std::vector<Pose>& poses, const Begin& run, Soundness* soundness) {
    Samples samples;
    samples.soundness = soundness;
    const double radius = radius_of(part);
    soundness->slack = 1e-12 * radius;
    for (const Pose& pose : poses) {
        soundness->separation = exact_separation(part, pose);
        run(part, pose, center_distance(part, pose) + 2 * radius, radius, &samples);
    }
    return summary(samples);
}

}  // namespace

Json measure_widths(const ModelPair& model, const std::vector<Pose>& poses) {
    const ShapeView &medial = model.medial->part, &octree = model.octree->part;
    const auto counts = [](const ShapeView& part) {
        Json levels = Json::array();
        for (std::uint32_t i = 0; i < part.sphere.level_count; ++i)
            levels.push_back(part.sphere.levels[i].count);
        return levels;
    };
    Soundness soundness;
    const auto widths = [&](const ShapeView& part, const Begin& run) {
        return measure(part, poses, run, &soundness);
    };
    Json out{{"model", model.medial->name},
             {"triangles", medial.mesh.triangle_count},
             {"poses", poses.size()},
             {"medial_levels", counts(medial)},
             {"octree_levels", counts(octree)},
             {"widths",
              {{"medial, best first", widths(medial, run_sphere<SphereOrder::kBestFirst>)},
               {"medial, level order", widths(medial, run_sphere<SphereOrder::kLevel>)},
               {"medial, widest first", widths(medial, run_sphere<SphereOrder::kWidestFirst>)},
               {"octree, best first", widths(octree, run_sphere<SphereOrder::kBestFirst>)},
               {"octree, level order", widths(octree, run_sphere<SphereOrder::kLevel>)},
               {"aabb", widths(medial, run_distance<Distance<AabbTreeView>>)},
               {"box", widths(medial, run_distance<Distance<BoxTreeView>>)},
               {"cell", widths(medial, run_distance<Distance<CellTreeView>>)}}}};
    out["soundness"] = {{"triples", soundness.triples}, {"failures", soundness.failures}};
    return out;
}

}  // namespace espalier::bench
