// SPDX-License-Identifier: GPL-3.0-or-later
// The surface is divided into clusters, a different way each round, and the spheres of each cluster are
// searched for on their own (sphere_cover.h) while the others stay; between rounds and in the end, all move
// together (gradient_descent.h). Errors have a penalty: what is held farther from the solid weighs more.
#include "builder/sphere/optimize/sphere_fit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "builder/sphere/coverage/cover_level.h"
#include "builder/sphere/optimize/fit_patches.h"
#include "builder/sphere/optimize/fit_samples.h"
#include "builder/sphere/optimize/gradient_descent.h"
#include "builder/sphere/optimize/search_frame.h"
#include "builder/sphere/optimize/sphere_cover.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

/// From one stage to the next there are at most so many times as many spheres.
constexpr std::size_t kStageGrowth = 8;
/// Spheres of a cluster, at most: clusters are searched side by side, but spheres are not exchanged between
/// them. After the first rounds even so few are parted, so that no thread is idle.
constexpr double kClusterSpheres = 128.0;
constexpr double kLateClusterSpheres = 24.0;
constexpr std::size_t kWholeRounds = 3;
/// Patches of the surface and samples around it: so many, and so many more for each sphere.
constexpr double kPatches = 4000.0;
constexpr double kPatchesPerBall = 70.0;
constexpr double kRoughSamples = 10000.0;
constexpr double kRoughSamplesPerBall = 80.0;
constexpr double kSamples = 7000.0;
constexpr double kSamplesPerBall = 130.0;
/// Radius of as many patches, in distances of evenly spread ones.
constexpr double kPatchRadius = 1.36;
/// And where the surface is hardly more than a line, in the line's length by their number.
constexpr double kLineRadius = 4.0;
/// One round of search.
struct Round {
    double proposals;    ///< share of all random changes
    double temperature;  ///< share of the first temperature
    bool finer;          ///< critical patches are split before it
    bool balance;  ///< spheres go from cluster to cluster before it: not near the end, when too few changes
                   ///< follow
};
/// Each round is in other clusters. Most changes are tried while patches are large and few.
constexpr Round kRounds[] = {{0.25, 1.0, false, false},
                             {0.3, 0.6, false, true},
                             {0.2, 0.3, false, true},
                             {0.12, 0.1, true, true},
                             {0.08, 0.03, true, true}};
/// Spheres return to the best round's if the last one's volume is so much more; a little is due to finer
/// patches.
constexpr double kUphill = 1.02;
/// How much more than before a change may cost at first; see SphereCover::search.
constexpr double kFirstTemperature = 0.25;
/// Critical patches are at most so many mean errors of spheres large, or split so often: what is smooth needs
/// smaller ones.
constexpr double kFineEnough = 1.0;
constexpr int kMostSplits = 3;
/// One descent of all spheres together; lengths are in mean errors of the spheres.
struct DescentSchedule {
    int splits;  ///< of critical patches before it, after the rounds
    int steps;
    double step;  ///< the first
    double first_margin;
    double last_margin;
    double penalty_weight;  ///< of gaps, by what pushes at a usual sphere
};
constexpr DescentSchedule kDescentBetweenRounds{0, 30, 0.03, 0.15, 0.03, 4.0};
/// The last ones. Patches become as small as the gaps that may be left, or covering would undo much.
constexpr DescentSchedule kLastDescents[] = {{3, 80, 0.03, 0.15, 0.05, 2.0},
                                             {1, 30, 0.015, 0.06, 0.03, 3.0},
                                             {1, 30, 0.006, 0.03, 0.01, 3.0},
                                             {1, 30, 0.002, 0.01, 0.005, 3.0}};
/// Samples for these, for each sphere: finer than those of the search, which were taken when errors were
/// larger.
constexpr double kLastSamplesPerBall = 200.0;
/// Most samples are up to this distance: as a share of the max_protrusion at first, in mean errors of the
/// spheres later.
constexpr double kNear = 0.2;
constexpr double kNearErrors = 2.0;
/// The error above which errors cost more than volume, in mean errors of the spheres; and a first guess of it
/// as a share of the max_protrusion. In the last descents, where all can give way, a lower penalty does it.
constexpr double kErrorKnee = 1.2;
constexpr double kLastErrorKnee = 2.0;
constexpr double kFirstErrorKnee = 0.3;
/// Share of a cluster's spheres that at most come from other clusters or go there, each round.
constexpr double kMostMoved = 0.2;
/// Spheres do not come from farther away for a patch, in radii of its surfel: it is on a seam between
/// parents, and for cover_level to split.
constexpr float kNearPatch = 24.0F;
/// Spheres that grow past the cluster are not seen there: so much is around them, in radii of the largest.
constexpr float kClusterMargin = 0.75F;

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
          samples_(frame_, surface.inside, surface.query) {}

    std::vector<CandidateSphere> run(std::vector<CandidateSphere> start) {
        candidates_ = std::move(start);
        double max_protrusion = options_.max_protrusion / frame_.scale;
        for (std::size_t count = candidates_.size(); count < options_.count && !progress_.cancelled();) {
            count *= kStageGrowth;
            count = 2 * count > options_.count ? options_.count : count;
            if (!stage(count, max_protrusion)) {
                break;
            }
            max_protrusion = std::min(max_protrusion, 1.1 * samples_.largest_error(candidates_));
        }
        if (options_.cover) {
            cover();
        }
        return std::move(candidates_);
    }

  private:
    // ---- stages ----

    /// No sphere sticks out farther than `max_protrusion`, in half diagonals. False if more spheres are no
    /// better.
    bool stage(std::size_t count, double max_protrusion) {
        const double patches = kPatches + kPatchesPerBall * double(count);
        patches_.cut(surface_.mesh, std::max(kPatchRadius * std::sqrt(surface_.area / patches),
                                             kLineRadius * surface_.extent / patches));
        const auto error_knee = static_cast<float>(kFirstErrorKnee * max_protrusion);
        samples_.take(kNear * max_protrusion, max_protrusion,
                      kRoughSamples + kRoughSamplesPerBall * double(count));
        samples_.weigh(error_knee);
        const std::vector<CandidateSphere> before = candidates_;
        const FitSamples rough = samples_;
        grow(count);
        // From here on, no sphere sticks out as far as those of the level above.
        samples_.take(kNearErrors * samples_.mean_error(candidates_),
                      std::min(max_protrusion, 1.05 * samples_.largest_error(candidates_)),
                      kSamples + kSamplesPerBall * double(count));
        anneal_rounds(count, error_knee, rough);
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
        for (std::size_t round = 1; round < std::size(kRounds) && !progress_.cancelled(); ++round) {
            const double error = samples_.mean_error(candidates_);
            for (int k = 0; k < (kRounds[round].finer ? 1 : kMostSplits); ++k) {
                patches_.split_critical(candidates_,
                                        kRounds[round].finer ? 0.0 : kFineEnough * error * frame_.scale);
            }
            error_knee = std::min(error_knee, static_cast<float>(kErrorKnee * error));
            samples_.weigh(error_knee);
            anneal_clusters(round, count);
            descend(kDescentBetweenRounds, candidates_);
            cover_patches(candidates_);
            if (const double volume = rough.volume(candidates_); volume < least) {
                least = volume;
                best = candidates_;
            }
        }
        // The search goes uphill, too, and with few spheres it may end there.
        if (rough.volume(candidates_) > kUphill * least) {
            candidates_ = best;
        }
    }

    // ---- all spheres together ----

    void last_descents(double max_protrusion) {
        if (progress_.cancelled()) {
            return;
        }
        const double error = samples_.mean_error(candidates_);
        samples_.take(kNearErrors * error,
                      std::min(max_protrusion, 1.05 * samples_.largest_error(candidates_)),
                      kSamples + kLastSamplesPerBall * double(candidates_.size()));
        samples_.weigh(static_cast<float>(kLastErrorKnee * error));
        for (const DescentSchedule& schedule : kLastDescents) {
            for (int k = 0; k < schedule.splits; ++k) {
                patches_.split_critical(candidates_, 0.0);
            }
            descend(schedule, candidates_);
        }
        if (!options_.cover) {
            cover_patches(candidates_);
        }
    }

    /// What is left unheld is for cover_patches.
    void descend(const DescentSchedule& schedule, std::vector<CandidateSphere>& candidates) const {
        const double error = samples_.mean_error(candidates);
        const double cell = samples_.width() * samples_.width() * samples_.width();
        DescentOptions options;
        options.steps = schedule.steps;
        options.step = static_cast<float>(schedule.step * error);
        options.first_margin = static_cast<float>(schedule.first_margin * error);
        options.last_margin = static_cast<float>(schedule.last_margin * error);
        options.penalty_weight =
            static_cast<float>(schedule.penalty_weight * samples_.mean_cap(candidates) / cell);
        const CoverCounts patches(patches_.surfels());
        const std::vector<std::vector<std::uint8_t>> allowed = allowed_of(patches, candidates);
        gradient_descent(
            {patches, samples_.all(), allowed, samples_.per_blur_width(), samples_.widest_blur()}, candidates,
            options, progress_);
    }

    /// Spheres grow until every patch is held, each by the one that grows least.
    void cover_patches(std::vector<CandidateSphere>& candidates) const {
        CoverCounts patches(patches_.surfels());
        const std::vector<std::vector<std::uint8_t>> allowed = allowed_of(patches, candidates);
        for (const CandidateSphere& candidate : candidates) {
            patches.add(candidate.sphere, allowed[candidate.parent]);
        }
        for (std::size_t p = 0; p < patches.real_size(); ++p) {
            const Surfel& surfel = patches_.surfels()[p];
            const std::size_t i =
                patches.count(p) > 0 ? candidates.size() : nearest_taker(surfel, candidates);
            if (i < candidates.size()) {
                SearchSphere& sphere = candidates[i].sphere;
                sphere.radius =
                    std::max(sphere.radius, std::sqrt(squared_radius_to_cover(sphere, surfel)) * kSearchSafe);
            }
        }
    }

    /// By parent, what its children may hold.
    std::vector<std::vector<std::uint8_t>> allowed_of(const CoverCounts& patches,
                                                      std::span<const CandidateSphere> candidates) const {
        std::vector<std::vector<std::uint8_t>> allowed(ancestors_.size());
        for (const CandidateSphere& candidate : candidates) {
            if (allowed[candidate.parent].empty()) {
                allowed[candidate.parent] = patches_.allowed(candidate.parent, patches);
            }
        }
        return allowed;
    }

    /// The sphere that would grow least to hold a surfel; the number of spheres if that would be much.
    std::size_t nearest_taker(const Surfel& surfel, std::span<const CandidateSphere> candidates) const {
        std::size_t nearest = candidates.size();
        float least = kNearPatch * surfel.radius;
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const float growth = std::sqrt(squared_radius_to_cover(candidates[i].sphere, surfel)) -
                                 candidates[i].sphere.radius;
            if (growth < least && !candidates[i].fixed &&
                patches_.in_ancestors(candidates[i].parent, surfel)) {
                least = growth;
                nearest = i;
            }
        }
        return nearest;
    }

    /// Spheres grow until they cover, also where the search was stopped.
    void cover() {
        std::vector<Siblings> groups(ancestors_.size());
        for (std::size_t k = 0; k < groups.size(); ++k) {
            groups[k].ancestors = ancestors_[k];
            groups[k].smallest_piece = options_.smallest_piece;
        }
        for (const CandidateSphere& candidate : candidates_) {
            groups[candidate.parent].children.push_back(frame_.to_ball(candidate.sphere));
        }
        // A parent without a sphere may still be the only one that holds some pieces.
        for (std::uint32_t k = 0; k < groups.size(); ++k) {
            if (groups[k].children.empty()) {
                groups[k].children.push_back({groups[k].ancestors.front().center, 0.0});
                candidates_.push_back({{}, k, false});
            }
        }
        cover_level(surface_.mesh, surface_.boxes, groups, surface_.slack);
        for (std::size_t k = 0; k < groups.size(); ++k) {
            ancestors_[k] = std::move(groups[k].ancestors);
        }
        std::vector<std::size_t> next(groups.size(), 0);
        for (CandidateSphere& candidate : candidates_) {
            candidate.sphere = frame_.to_search(groups[candidate.parent].children[next[candidate.parent]++]);
            candidate.sphere.radius = candidate.sphere.radius * kSearchSafe + kSearchRounding;
        }
        std::erase_if(candidates_, [](const CandidateSphere& candidate) {
            return candidate.sphere.radius <= kSearchRounding;
        });
    }

    // ---- clusters ----

    /// Spheres that are searched for together, and how many there may be.
    struct Cluster {
        std::vector<std::size_t> candidates;
        double quota = 0.0;
    };

    void grow(std::size_t count) {
        if (options_.starts > 1 && double(count) <= kClusterSpheres && candidates_.size() == 1) {
            best_start(count);
        } else {
            anneal_clusters(0, count);
        }
    }

    /// Which start leads to the best set cannot be foreseen.
    void best_start(std::size_t count) {
        std::vector<std::vector<CandidateSphere>> sets(options_.starts, candidates_);
        std::vector<double> costs(options_.starts);
        tbb::parallel_for(std::size_t(0), sets.size(), [&](std::size_t k) {
            std::vector<std::size_t> all(candidates_.size());
            std::iota(all.begin(), all.end(), std::size_t(0));
            SphereCover cover = cover_of({all, double(count)}, patches_.surfels(), k);
            cover.cover_missing();
            cover.split_to(count);
            cover.shrink_all_to_fit();
            cover.anneal(static_cast<std::size_t>(options_.proposals * double(count)), kFirstTemperature, 0.0,
                         &progress_);
            sets[k] = own_candidates(cover);
            descend(kDescentBetweenRounds, sets[k]);
            cover_patches(sets[k]);
            costs[k] = samples_.cost(sets[k]);
        });
        candidates_ =
            sets[static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin())];
    }

    /// Searches in every cluster; `count` spheres in all.
    void anneal_clusters(std::size_t round, std::size_t count) {
        const std::vector<Cluster> clusters = clusters_of(round, count);
        const std::vector<std::uint32_t> owner = owners(clusters);
        std::vector<std::vector<CandidateSphere>> found(clusters.size());
        tbb::parallel_for(
            std::size_t(0), found.size(), std::size_t(1),
            [&](std::size_t k) {
                if (!progress_.cancelled()) {
                    found[k] = anneal_cluster(clusters[k], surfels_of(k, owner), round, k);
                }
            },
            tbb::simple_partitioner());
        candidates_.clear();
        for (const std::vector<CandidateSphere>& candidates : found) {
            candidates_.insert(candidates_.end(), candidates.begin(), candidates.end());
        }
    }

    std::vector<CandidateSphere> anneal_cluster(const Cluster& cluster, const std::vector<Surfel>& surfels,
                                                std::size_t round, std::size_t seed) const {
        const double temperature = kFirstTemperature * kRounds[round].temperature;
        const auto quota = static_cast<std::size_t>(cluster.quota);
        SphereCover cover = cover_of(cluster, surfels, 1000 * (round + 1) + seed);
        cover.cover_missing();
        cover.drop_to(quota);
        cover.split_to(quota);
        cover.shrink_all_to_fit();
        cover.anneal(static_cast<std::size_t>(kRounds[round].proposals * options_.proposals * double(quota)),
                     temperature, 0.5 * temperature, &progress_);
        return own_candidates(cover);
    }

    std::vector<Surfel> surfels_of(std::size_t cluster, const std::vector<std::uint32_t>& owner) const {
        std::vector<Surfel> surfels;
        for (std::size_t p = 0; p < owner.size(); ++p) {
            if (owner[p] == cluster) {
                surfels.push_back(patches_.surfels()[p]);
            }
        }
        return surfels;
    }

    /// By how many spheres each one is to become: costs fall about as counts grow.
    std::vector<double> quotas(std::size_t count) const {
        std::vector<double> quotas;
        double sum = 0.0;
        for (const CandidateSphere& candidate : candidates_) {
            quotas.push_back(candidate.fixed ? 0.0 : std::sqrt(1e-3 + samples_.own_cost(candidate.sphere)));
            sum += quotas.back();
        }
        const double more = double(count) - double(candidates_.size());
        for (double& quota : quotas) {
            quota = 1.0 + (sum > 0.0 ? more * quota / sum : 0.0);
        }
        return quotas;
    }

    std::vector<Cluster> clusters_of(std::size_t round, std::size_t count) const {
        const std::vector<double> quota = quotas(count);
        std::vector<std::size_t> all(candidates_.size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        std::vector<Cluster> clusters;
        halve(std::move(all), quota, round, round < kWholeRounds, clusters);
        if (kRounds[round].balance) {
            balance(clusters);
        }
        // Whole numbers, none lost.
        double due = 0.0;
        double given = 0.0;
        for (Cluster& cluster : clusters) {
            due += cluster.quota;
            cluster.quota = std::max(1.0, std::floor(due - given + 1e-6));
            given += cluster.quota;
        }
        return clusters;
    }

    /// Spheres go from clusters where they save little to clusters where they save much: costs fall about as
    /// counts grow, so what one more saves is about what one costs.
    void balance(std::vector<Cluster>& clusters) const {
        std::vector<double> wanted;
        double sum = 0.0;
        double count = 0.0;
        for (const Cluster& cluster : clusters) {
            CoverCounts samples = samples_.all();
            double cost = 0.0;
            for (const std::size_t i : cluster.candidates) {
                cost += samples.add(candidates_[i].sphere);
            }
            // With the square root all would cost the same if that were so: a quarter of the way, each round.
            wanted.push_back(cluster.quota * std::sqrt(std::sqrt(std::sqrt(cost / cluster.quota))));
            sum += wanted.back();
            count += cluster.quota;
        }
        double given = 0.0;
        for (std::size_t k = 0; k < clusters.size() && sum > 0.0; ++k) {
            const double share = wanted[k] / sum * count / clusters[k].quota;
            clusters[k].quota *= std::clamp(share, 1.0 - kMostMoved, 1.0 + kMostMoved);
            given += clusters[k].quota;
        }
        for (Cluster& cluster : clusters) {
            cluster.quota *= given > count ? count / given : 1.0;
        }
    }

    void halve(std::vector<std::size_t> candidates, const std::vector<double>& quota, std::size_t round,
               bool may_stay, std::vector<Cluster>& clusters) const {
        double sum = 0.0;
        Eigen::AlignedBox3f box;
        for (const std::size_t i : candidates) {
            sum += quota[i];
            box.extend(Vector3f(candidates_[i].sphere.x, candidates_[i].sphere.y, candidates_[i].sphere.z));
        }
        const bool whole = sum <= (may_stay ? kClusterSpheres : kLateClusterSpheres);
        if (whole || candidates.size() < 2) {
            clusters.push_back({std::move(candidates), sum});
            return;
        }
        int axis = 0;
        box.sizes().maxCoeff(&axis);
        const auto along = [&](std::size_t i) {
            const SearchSphere& sphere = candidates_[i].sphere;
            return axis == 0 ? sphere.x : axis == 1 ? sphere.y : sphere.z;
        };
        std::stable_sort(candidates.begin(), candidates.end(),
                         [&](std::size_t a, std::size_t b) { return along(a) < along(b); });
        // Elsewhere each round.
        static constexpr double kShares[] = {0.5, 0.4, 0.6, 0.45, 0.55};
        const double share = kShares[round % std::size(kShares)] * sum;
        double before = 0.0;
        std::size_t cut = 0;
        while (cut + 1 < candidates.size() && (cut == 0 || before + 0.5 * quota[candidates[cut]] < share)) {
            before += quota[candidates[cut++]];
        }
        const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(cut);
        halve({candidates.begin(), middle}, quota, round, true, clusters);
        halve({middle, candidates.end()}, quota, round, true, clusters);
    }

    static constexpr std::uint32_t kUncovered = std::numeric_limits<std::uint32_t>::max();

    /// The cluster that answers for each patch: the first that holds it, or else that of the sphere that
    /// would grow least; kUncovered if that would be much.
    std::vector<std::uint32_t> owners(const std::vector<Cluster>& clusters) const {
        const std::vector<Surfel>& surfels = patches_.surfels();
        const CoverCounts all(surfels);
        std::vector<std::uint32_t> owner(surfels.size(), kUncovered);
        std::vector<std::uint32_t> cluster_of(candidates_.size(), 0);
        for (std::uint32_t k = 0; k < clusters.size(); ++k) {
            for (const std::size_t i : clusters[k].candidates) {
                cluster_of[i] = k;
                std::vector<std::uint32_t> held;
                all.find(candidates_[i].sphere, 0, {}, held);
                for (const std::uint32_t p : held) {
                    if (k < owner[p] && patches_.in_ancestors(candidates_[i].parent, surfels[p])) {
                        owner[p] = k;
                    }
                }
            }
        }
        for (std::size_t p = 0; p < surfels.size(); ++p) {
            if (owner[p] != kUncovered) {
                continue;
            }
            const std::size_t nearest = nearest_taker(surfels[p], candidates_);
            owner[p] = nearest < candidates_.size() ? cluster_of[nearest] : kUncovered;
        }
        return owner;
    }

    /// Its candidates come first; then the others that it meets, which hold samples and no patches.
    SphereCover cover_of(const Cluster& cluster, const std::vector<Surfel>& surfels,
                         std::uint64_t seed) const {
        Eigen::AlignedBox3f box;
        float largest = 0.0F;
        for (const std::size_t i : cluster.candidates) {
            const SearchSphere& sphere = candidates_[i].sphere;
            const Vector3f center(sphere.x, sphere.y, sphere.z);
            box.extend(center - Vector3f::Constant(sphere.radius));
            box.extend(center + Vector3f::Constant(sphere.radius));
            largest = std::max(largest, sphere.radius);
        }
        box.min() -= Vector3f::Constant(kClusterMargin * largest);
        box.max() += Vector3f::Constant(kClusterMargin * largest);

        CoverScene scene{
            CoverCounts(surfels), samples_.in_box(box), {}, {}, static_cast<float>(samples_.width()), box};
        scene.allowed.resize(ancestors_.size());
        scene.max_children = max_children_in(cluster);
        std::vector<CandidateSphere> candidates;
        std::vector<std::uint8_t> own(candidates_.size(), 0);
        for (const std::size_t i : cluster.candidates) {
            own[i] = 1;
            candidates.push_back(candidates_[i]);
            const std::uint32_t parent = candidates_[i].parent;
            if (scene.allowed[parent].empty()) {
                scene.allowed[parent] = patches_.allowed(parent, scene.patches);
            }
        }
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            const SearchSphere& sphere = candidates_[i].sphere;
            const Vector3f center(sphere.x, sphere.y, sphere.z);
            if (own[i] == 0 && box.squaredExteriorDistance(center) <= sphere.radius * sphere.radius) {
                scene.samples.add(sphere);
            }
        }
        return SphereCover(std::move(scene), std::move(candidates), seed);
    }

    /// How many children each parent may have in a cluster, shared evenly by the clusters that it has
    /// children in.
    std::vector<std::uint32_t> max_children_in(const Cluster& cluster) const {
        std::vector<std::uint32_t> max_children(ancestors_.size(), 0);
        std::vector<std::uint32_t> children(ancestors_.size(), 0);
        for (const CandidateSphere& candidate : candidates_) {
            ++children[candidate.parent];
        }
        for (const std::size_t i : cluster.candidates) {
            ++max_children[candidates_[i].parent];
        }
        for (std::size_t k = 0; k < max_children.size(); ++k) {
            if (max_children[k] > 0) {
                const std::uint32_t free =
                    options_.most_children > children[k] ? options_.most_children - children[k] : 0;
                max_children[k] += free * max_children[k] / children[k];
            }
        }
        return max_children;
    }

    static std::vector<CandidateSphere> own_candidates(const SphereCover& cover) {
        std::vector<CandidateSphere> candidates;
        for (const CandidateSphere& candidate : cover.candidates()) {
            if (!candidate.sphere.empty()) {
                candidates.push_back(candidate);
            }
        }
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
