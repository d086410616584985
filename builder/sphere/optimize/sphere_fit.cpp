// SPDX-License-Identifier: GPL-3.0-or-later
// Spheres are annealed in clusters, cut differently each round (clusters.h); between rounds and in the end
// all move together (gradient_descent.h). Errors have a penalty: what is covered farther from the solid
// weighs more.
#include "builder/sphere/optimize/sphere_fit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "builder/sphere/coverage/cover_level.h"
#include "builder/sphere/optimize/clusters.h"
#include "builder/sphere/optimize/fit_patches.h"
#include "builder/sphere/optimize/fit_samples.h"
#include "builder/sphere/optimize/gradient_descent.h"
#include "builder/sphere/optimize/tuning.h"

namespace espalier {
namespace {

class SphereFit {
  public:
    SphereFit(const FitSurface& surface, std::vector<Ancestors>& parents, const FitOptions& options,
              Progress& progress)
        : surface_(surface),
          options_(options),
          progress_(progress),
          frame_(surface.frame),
          ancestors_(parents),
          patches_(frame_, parents),
          samples_(frame_, surface.solid, surface.query) {}

    std::vector<CandidateSphere> run(std::vector<CandidateSphere> start) {
        assert(!ancestors_.empty() && start.size() <= options_.count);
        candidates_ = std::move(start);
        double max_protrusion = options_.max_protrusion / frame_.scale;
        for (std::size_t count = std::max(candidates_.size(), options_.tried);
             count < options_.count && !progress_.cancelled();) {
            count *= options_.growth;
            count = 2 * count > options_.count ? options_.count : count;
            if (!stage(count, max_protrusion)) break;
            max_protrusion = std::min(max_protrusion, 1.1 * samples_.largest_error(candidates_));
        }
        if (options_.cover) {
            make_room();
            cover();
        }
        return std::move(candidates_);
    }

  private:
    // ---- stages ----

    /// To `count` spheres, none of which protrudes farther than `max_protrusion`, in half diagonals. False if
    /// more spheres are no better.
    bool stage(std::size_t count, double max_protrusion) {
        samples_.set_gap(tuning::kFirstGap * gap());
        max_protrusion += (1.0 - tuning::kFirstGap) * gap();
        const double patches =
            options_.detail * (tuning::kPatches + tuning::kPatchesPerSphere * double(count));
        patches_.cut(surface_.mesh, std::max(tuning::kPatchRadius * std::sqrt(surface_.area / patches),
                                             tuning::kLineRadius * surface_.extent / patches));
        const auto error_knee = static_cast<float>(tuning::kFirstErrorKnee * max_protrusion);
        samples_.take(
            tuning::kNear * max_protrusion, max_protrusion,
            options_.detail * (tuning::kRoughSamples + tuning::kRoughSamplesPerSphere * double(count)));
        samples_.weigh(error_knee);
        const std::vector<CandidateSphere> before = candidates_;
        const FitSamples rough = samples_;
        first_round(count);
        if (options_.rounds > 1) {
            // From here on, no sphere protrudes as far as those of the level above.
            samples_.take(tuning::kNearErrors * samples_.mean_error(candidates_),
                          std::min(max_protrusion, 1.05 * samples_.largest_error(candidates_)),
                          options_.detail * (tuning::kSamples + tuning::kSamplesPerSphere * double(count)));
            anneal_rounds(count, error_knee, rough);
        }
        fill_up(count);
        last_descents(max_protrusion);
        if (rough.volume(candidates_) >= rough.volume(before) &&
            rough.largest_error(candidates_) >= rough.largest_error(before)) {
            candidates_ = before;
            return false;
        }
        return true;
    }

    /// All rounds but the first. `rough` has samples that spheres have not been fitted to for long.
    void anneal_rounds(std::size_t count, float error_knee, const FitSamples& rough) {
        samples_.weigh(error_knee);
        std::vector<CandidateSphere> best;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t round = 1; round < options_.rounds && !progress_.cancelled(); ++round) {
            const double error = samples_.mean_error(candidates_);
            for (int k = 0; k < (tuning::kRounds[round].finer ? 1 : tuning::kMostSplits); ++k) {
                patches_.split_critical(candidates_, tuning::kRounds[round].finer
                                                         ? 0.0
                                                         : tuning::kFineEnough * reach(error) * frame_.scale);
            }
            error_knee = std::min(error_knee, static_cast<float>(tuning::kErrorKnee * error));
            samples_.weigh(error_knee);
            anneal_clusters(round, count);
            descend(tuning::kDescentBetweenRounds, candidates_);
            patches_.cover_by_growing(candidates_);
            if (const double volume = rough.volume(candidates_); volume < least) {
                least = volume;
                best = candidates_;
            }
        }
        // Annealing goes uphill, too, and with few spheres it may end there.
        if (!best.empty() && rough.volume(candidates_) > tuning::kUphill * least) candidates_ = best;
    }

    // ---- the gap ----

    double gap() const { return surface_.gap / frame_.scale; }
    /// How far what spheres cover reaches beyond the surface, where they protrude by `error`: what steps,
    /// margins and patches are measured by.
    double reach(double error) const { return error + tuning::kGapReach * double(samples_.gap()); }

    // ---- all spheres together ----

    void last_descents(double max_protrusion) {
        if (progress_.cancelled()) return;
        const double error = samples_.mean_error(candidates_);
        samples_.set_gap(gap());
        samples_.take(tuning::kNearErrors * error,
                      std::min(max_protrusion, 1.05 * samples_.largest_error(candidates_)),
                      options_.detail *
                          (tuning::kSamples + tuning::kLastSamplesPerSphere * double(candidates_.size())));
        samples_.weigh(static_cast<float>(tuning::kLastErrorKnee * error));
        for (const tuning::DescentSchedule& schedule : tuning::kLastDescents) {
            for (int k = 0; k < schedule.splits; ++k) patches_.split_critical(candidates_, 0.0);
            descend(schedule, candidates_);
        }
        if (!options_.cover) patches_.cover_by_growing(candidates_);
    }

    /// May leave patches uncovered by a little.
    void descend(const tuning::DescentSchedule& schedule, std::vector<CandidateSphere>& candidates) const {
        const double error = reach(samples_.mean_error(candidates));
        const double cell = samples_.width() * samples_.width() * samples_.width();
        DescentOptions options;
        options.steps = static_cast<int>(options_.steps * schedule.steps);
        options.step = static_cast<float>(schedule.step * error);
        options.first_margin = static_cast<float>(schedule.first_margin * error);
        options.last_margin = static_cast<float>(schedule.last_margin * error);
        options.penalty_weight =
            static_cast<float>(schedule.penalty_weight * samples_.mean_cap(candidates) / cell);
        const CoverCounts patches(patches_.surfels());
        const std::vector<std::vector<std::uint8_t>> allowed =
            patches_.allowed_by_parent(patches, candidates);
        gradient_descent(
            {patches, samples_.all(), allowed, samples_.per_blur_width(), samples_.widest_blur()}, candidates,
            options, progress_);
    }

    /// All spheres in one cluster.
    SphereCover whole_cover() const {
        Cluster all{{}, double(options_.count)};
        for (std::size_t i = 0; i < candidates_.size(); ++i) all.candidates.push_back(i);
        SphereCover cover = cover_of(clusters(), all, patches_.surfels(), 0);
        cover.cover_missing();
        return cover;
    }

    /// Some spheres turned out not to be needed in the last round: others are split in their place, unless
    /// one that takes over would protrude farther than all of them.
    void fill_up(std::size_t count) {
        if (candidates_.size() >= count || progress_.cancelled()) return;
        SphereCover cover = whole_cover();
        cover.split_to(count);
        std::vector<CandidateSphere> filled = without_free_slots(cover);
        if (samples_.largest_error(filled) <= samples_.largest_error(candidates_))
            candidates_ = std::move(filled);
    }

    /// Every parent will have a child, and there may not be more spheres than `count`: where parents are
    /// without one, the spheres that cost least to reassign are dropped.
    void make_room() {
        for (;;) {
            std::vector<std::uint8_t> has_child(ancestors_.size(), 0);
            for (const CandidateSphere& candidate : candidates_) has_child[candidate.parent] = 1;
            const auto idle =
                static_cast<std::size_t>(std::count(has_child.begin(), has_child.end(), std::uint8_t(0)));
            const std::size_t before = candidates_.size();
            if (before + idle <= options_.count) return;
            SphereCover cover = whole_cover();
            cover.drop_to(options_.count - std::min(options_.count, idle));
            candidates_ = without_free_slots(cover);
            if (candidates_.size() >= before) return;  // none can be spared
        }
    }

    /// Spheres grow until they cover the surface, also where the fit was stopped.
    void cover() {
        std::vector<Siblings> groups(ancestors_.size());
        for (std::size_t k = 0; k < groups.size(); ++k) {
            groups[k].ancestors = ancestors_[k];
            groups[k].smallest_piece = options_.smallest_piece;
        }
        for (const CandidateSphere& candidate : candidates_)
            groups[candidate.parent].children.push_back(frame_.to_ball(candidate.sphere));
        // A parent without a sphere may still be the only one that contains some pieces.
        for (std::uint32_t k = 0; k < groups.size(); ++k) {
            if (groups[k].children.empty()) {
                groups[k].children.push_back({groups[k].ancestors.front().center, 0.0});
                candidates_.push_back({{}, k, false});
            }
        }
        cover_level(surface_.mesh, surface_.boxes, groups, surface_.slack);
        for (std::size_t k = 0; k < groups.size(); ++k) ancestors_[k] = std::move(groups[k].ancestors);
        std::vector<std::size_t> next(groups.size(), 0);
        for (CandidateSphere& candidate : candidates_) {
            candidate.sphere = frame_.to_search(groups[candidate.parent].children[next[candidate.parent]++]);
            candidate.sphere.radius = candidate.sphere.radius * kSearchSafe + kSearchRounding;
        }
        std::erase_if(candidates_, [](const CandidateSphere& candidate) {
            return candidate.sphere.radius <= kSearchRounding;
        });
    }

    // ---- annealing ----

    ClusterScene clusters() const { return {candidates_, patches_, samples_, options_.most_children}; }

    void first_round(std::size_t count) {
        if (options_.starts > 1 && double(count) <= tuning::kClusterSpheres && candidates_.size() == 1)
            best_start(count);
        else
            anneal_clusters(0, count);
    }

    /// Which start leads to the best set cannot be foreseen, but which do not shows early.
    void best_start(std::size_t count) {
        const double proposals = options_.proposals * double(count);
        std::vector<std::unique_ptr<SphereCover>> trials(options_.starts);
        tbb::parallel_for(std::size_t(0), trials.size(), [&](std::size_t k) {
            trials[k] = std::make_unique<SphereCover>(
                cover_of(clusters(), {{0}, double(count)}, patches_.surfels(), k));
            SphereCover& cover = *trials[k];
            cover.cover_missing();
            cover.split_to(count);
            cover.shrink_all_to_fit();
            cover.anneal(static_cast<std::size_t>(tuning::kTrialShare * proposals), tuning::kFirstTemperature,
                         0.5 * tuning::kFirstTemperature, &progress_);
        });
        std::stable_sort(trials.begin(), trials.end(),
                         [](const auto& a, const auto& b) { return a->cost() < b->cost(); });
        trials.resize(std::min(trials.size(), tuning::kKeptStarts));
        std::vector<std::vector<CandidateSphere>> sets(trials.size());
        std::vector<double> costs(trials.size());
        tbb::parallel_for(std::size_t(0), sets.size(), [&](std::size_t k) {
            trials[k]->anneal(static_cast<std::size_t>((1.0 - tuning::kTrialShare) * proposals),
                              0.5 * tuning::kFirstTemperature, 0.0, &progress_);
            sets[k] = without_free_slots(*trials[k]);
            descend(tuning::kDescentBetweenRounds, sets[k]);
            patches_.cover_by_growing(sets[k]);
            costs[k] = samples_.cost(sets[k]);
        });
        candidates_ =
            sets[static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin())];
    }

    /// Anneals every cluster; `count` spheres in all.
    void anneal_clusters(std::size_t round, std::size_t count) {
        const ClusterScene scene = clusters();
        const std::vector<Cluster> clusters = clusters_of(scene, round, count);
        const std::vector<std::vector<Surfel>> surfels = surfels_by_cluster(scene, clusters);
        std::vector<std::vector<CandidateSphere>> found(clusters.size());
        tbb::parallel_for(
            std::size_t(0), found.size(), std::size_t(1),
            [&](std::size_t k) {
                if (!progress_.cancelled()) {
                    const std::uint64_t seed = 1000 * (round + 1) + k;
                    found[k] = annealed(cover_of(scene, clusters[k], surfels[k], seed), clusters[k], round);
                }
            },
            tbb::simple_partitioner());
        candidates_.clear();
        for (const std::vector<CandidateSphere>& candidates : found)
            candidates_.insert(candidates_.end(), candidates.begin(), candidates.end());
    }

    std::vector<CandidateSphere> annealed(SphereCover cover, const Cluster& cluster,
                                          std::size_t round) const {
        const double temperature = tuning::kFirstTemperature * tuning::kRounds[round].temperature;
        const auto quota = static_cast<std::size_t>(cluster.quota);
        cover.cover_missing();
        cover.drop_to(quota);
        cover.split_to(quota);
        cover.shrink_all_to_fit();
        cover.anneal(
            static_cast<std::size_t>(tuning::kRounds[round].proposals * options_.proposals * double(quota)),
            temperature, 0.5 * temperature, &progress_);
        return without_free_slots(cover);
    }

    static std::vector<CandidateSphere> without_free_slots(const SphereCover& cover) {
        std::vector<CandidateSphere> candidates;
        for (const CandidateSphere& candidate : cover.candidates())
            if (!candidate.sphere.empty()) candidates.push_back(candidate);
        return candidates;
    }

    const FitSurface& surface_;
    const FitOptions& options_;
    Progress& progress_;
    SearchFrame frame_;
    std::vector<Ancestors>& ancestors_;
    FitPatches patches_;
    FitSamples samples_;
    std::vector<CandidateSphere> candidates_;
};

}  // namespace

std::vector<CandidateSphere> fit_spheres(const FitSurface& surface, std::vector<Ancestors>& parents,
                                         std::vector<CandidateSphere> start, const FitOptions& options,
                                         Progress& progress) {
    return SphereFit(surface, parents, options, progress).run(std::move(start));
}

}  // namespace espalier
