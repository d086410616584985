// SPDX-License-Identifier: GPL-3.0-or-later
// Local search by random exchanges: a sphere is dropped and its neighbours take over, another one is divided;
// neighbours trade patches; spheres are nudged. After each change the spheres concerned move and shrink to
// what no other sphere holds, and what others hold already costs them nothing unless it is far out, so it is
// the volume of the union that falls. Compare the swaps of Wang et al. 2006, "Variational sphere set
// approximation for solid objects", which go by the sum of the spheres.
#include "builder/sphere/optimize/sphere_cover.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace espalier {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
/// Spheres that may take over from one that is dropped.
constexpr std::size_t kTakers = 8;
/// Ways to divide a sphere that are compared when there are spheres to add.
constexpr int kSplitsCompared = 4;
/// Spheres of which the one to drop, or to divide, is chosen.
constexpr int kDraws = 6;
/// An replace that costs more than this, in mean costs of a sphere, is not worth tightening its neighbours;
/// half of it after the first round.
constexpr double kRejectThreshold = 0.4;
/// Spheres are tightened all together after so many have been added, as a share of all; and
/// spheres are divided at most so many times as often as there are to be spheres.
constexpr double kGrowth = 0.25;
constexpr std::size_t kGrowthRounds = 4;

/// Steps for spheres in a new place, for those that have moved a little, and for the last word.
constexpr CenterSteps kLarge{0.25F, 0.03F};
constexpr CenterSteps kQuick{0.1F, 0.025F};
constexpr CenterSteps kSmall{0.06F, 0.02F};
constexpr CenterSteps kThorough{0.12F, 0.01F};

float squared_distance(const SearchSphere& a, const SearchSphere& b) {
    return squared_distance(Eigen::Vector3f(a.x, a.y, a.z), b);
}

}  // namespace

SphereCover::SphereCover(CoverScene scene, std::vector<CandidateSphere> candidates, std::uint64_t seed)
    : scene_(std::move(scene)),
      candidates_(std::move(candidates)),
      children_(scene_.allowed.size(), 0),
      draw_(seed) {
    times_.resize(candidates_.size());
    seen_.resize(candidates_.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (!candidates_[i].sphere.empty()) {
            ++children_[candidates_[i].parent];
            scene_.patches.add(candidates_[i].sphere, allowed(i));
            cost_ += scene_.samples.add(candidates_[i].sphere);
        }
    }
}

double SphereCover::own_cost(std::size_t sphere) const {
    PointBatch own;
    scene_.samples.find_uncovered(candidates_[sphere].sphere, candidates_[sphere].sphere, own);
    own.close();
    return static_cast<double>(own.weight_within(candidates_[sphere].sphere, scene_.sample_width, kInfinity));
}

// ---- changes ----

void SphereCover::begin() {
    before_.clear();
    cost_before_ = cost_;
}

void SphereCover::record(std::size_t i) {
    if (std::none_of(before_.begin(), before_.end(),
                     [&](const Change& change) { return change.sphere == i; })) {
        before_.push_back({i, candidates_[i], times_[i]});
    }
}

void SphereCover::replace(std::size_t i, const SearchSphere& sphere, std::uint32_t parent) {
    record(i);
    times_[i].changed = ++now_;
    const CandidateSphere old = candidates_[i];
    if (!old.sphere.empty()) {
        --children_[old.parent];
    }
    if (!sphere.empty()) {
        ++children_[parent];
    }
    if (parent == old.parent) {
        scene_.patches.replace(old.sphere, sphere, allowed(i));
        candidates_[i].sphere = sphere;
    } else {
        scene_.patches.replace(old.sphere, {}, allowed(i));
        candidates_[i] = {sphere, parent, old.fixed};
        scene_.patches.add(sphere, allowed(i));
    }
    cost_ += scene_.samples.replace(old.sphere, sphere);
}

void SphereCover::take_back() {
    const std::vector<Change> changes = std::move(before_);
    before_.clear();
    for (const Change& change : changes) {
        const CandidateSphere& now = candidates_[change.sphere];
        if (now.parent != change.candidate.parent || now.sphere.radius != change.candidate.sphere.radius ||
            squared_distance(now.sphere, change.candidate.sphere) > 0.0F) {
            replace(change.sphere, change.candidate.sphere, change.candidate.parent);
        }
        times_[change.sphere] = change.times;
    }
    before_.clear();
    cost_ = cost_before_;
}

/// Nothing that it meets has changed since it was last found to be as good as it gets.
bool SphereCover::is_recentered(std::size_t i) const {
    const SearchSphere& sphere = candidates_[i].sphere;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (times_[k].changed > times_[i].recentered) {
            const float reach = 1.2F * sphere.radius + std::max(candidates_[k].sphere.radius, 0.0F);
            if (candidates_[k].sphere.empty() ||
                squared_distance(sphere, candidates_[k].sphere) < reach * reach) {
                return false;
            }
        }
    }
    return true;
}

// ---- single spheres ----

/// The radius that a sphere needs to hold a patch.
float SphereCover::radius_to_cover(const SearchSphere& sphere, std::uint32_t patch) const {
    return std::sqrt(squared_radius_to_cover(sphere, scene_.patches.surfel(patch)));
}

SphereCover::Indices SphereCover::needed_by(std::size_t i) const {
    Indices patches;
    scene_.patches.find(candidates_[i].sphere, 1, allowed(i), patches);
    return patches;
}

void SphereCover::shrink_to_fit(std::size_t i, const CenterSteps& steps) {
    if (is_recentered(i)) {
        return;
    }
    const SearchSphere old = candidates_[i].sphere;
    const Indices patches = needed_by(i);
    if (patches.empty()) {
        replace(i, {});
        return;
    }
    // It begins with a sphere no larger than the old one, so what is found costs no more.
    const SearchSphere moved = recenter(patches, old, old, steps);
    if (squared_distance(moved, old) > 0.0F || moved.radius < old.radius * (1.0F - 1e-5F)) {
        replace(i, moved);
    } else {
        record(i);
        times_[i].recentered = ++now_;
    }
}

void SphereCover::shrink_all_to_fit() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (movable(i)) {
            begin();
            shrink_to_fit(i, kThorough);
        }
    }
}

/// Spheres that meet sphere `i`, nearest centres first.
std::vector<std::size_t> SphereCover::neighbours(std::size_t i, std::size_t most) const {
    std::vector<std::pair<float, std::size_t>> near;
    const SearchSphere& sphere = candidates_[i].sphere;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        const float reach = sphere.radius + candidates_[k].sphere.radius;
        const float squared = squared_distance(sphere, candidates_[k].sphere);
        if (k != i && movable(k) && squared < reach * reach) {
            near.emplace_back(squared, k);
        }
    }
    std::sort(near.begin(), near.end());
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < std::min(most, near.size()); ++k) {
        found.push_back(near[k].second);
    }
    return found;
}

/// The spheres that could most easily take over from a sphere.
std::vector<std::size_t> SphereCover::takers_for(const SearchSphere& sphere) const {
    std::vector<std::pair<float, std::size_t>> near;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (movable(k)) {
            near.emplace_back(
                std::sqrt(squared_distance(sphere, candidates_[k].sphere)) - candidates_[k].sphere.radius, k);
        }
    }
    const std::size_t count = std::min(kTakers, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
    std::vector<std::size_t> takers;
    for (std::size_t k = 0; k < count; ++k) {
        takers.push_back(near[k].second);
    }
    return takers;
}

/// Each of some patches that nobody holds to the taker that would grow least in volume. False if none may, or
/// if the cost is beyond the limit before the end.
bool SphereCover::reassign(const Indices& patches, const std::vector<std::size_t>& takers, double limit) {
    std::vector<std::pair<std::size_t, Indices>> shares;
    for (const std::size_t taker : takers) {
        shares.emplace_back(taker, Indices{});
    }
    for (const std::uint32_t p : patches) {
        Indices* share = nullptr;
        float least = kInfinity;
        for (auto& [taker, of_taker] : shares) {
            if (may_cover(taker, p)) {
                const float radius = candidates_[taker].sphere.radius;
                const float needed = radius_to_cover(candidates_[taker].sphere, p);
                const float growth = needed * needed * needed - radius * radius * radius;
                if (growth < least) {
                    least = growth;
                    share = &of_taker;
                }
            }
        }
        if (share == nullptr) {
            return false;
        }
        share->push_back(p);
    }
    // The largest first: they tell most, and smaller ones may be held by then.
    std::stable_sort(shares.begin(), shares.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    for (const auto& [taker, share] : shares) {
        Indices lost;
        std::copy_if(share.begin(), share.end(), std::back_inserter(lost),
                     [&](std::uint32_t p) { return scene_.patches.count(p) == 0; });
        if (lost.empty()) {
            continue;
        }
        Indices wanted = needed_by(taker);
        wanted.insert(wanted.end(), lost.begin(), lost.end());
        const SearchSphere old = candidates_[taker].sphere;
        replace(taker, recenter(wanted, old, old, kLarge));
        if (cost_ > limit) {
            return false;
        }
    }
    return true;
}

bool SphereCover::cover_missing() {
    Indices lost;
    for (std::uint32_t p = 0; p < scene_.patches.real_size(); ++p) {
        if (scene_.patches.count(p) == 0) {
            lost.push_back(p);
        }
    }
    std::vector<std::size_t> takers;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (movable(k)) {
            takers.push_back(k);
        }
    }
    begin();
    return lost.empty() || reassign(lost, takers, std::numeric_limits<double>::infinity());
}

// ---- fewer and more ----

/// False if its neighbours cannot take over within the limit of the cost.
bool SphereCover::drop(std::size_t i, double limit) {
    const Indices lost = needed_by(i);
    const SearchSphere old = candidates_[i].sphere;
    replace(i, {});
    return lost.empty() || reassign(lost, takers_for(old), limit);
}

/// Puts two spheres in place of one, by a random cut through the patches that it alone holds.
bool SphereCover::split(std::size_t i, std::size_t into) {
    const Indices patches = needed_by(i);
    if (patches.size() < 2 || !has_free_slot(candidates_[i].parent)) {
        return false;
    }
    const SearchSphere old = candidates_[i].sphere;
    const std::uint32_t parent = candidates_[i].parent;
    Eigen::Vector3f a = scene_.patches.at(patches[draw_.below(patches.size())]);
    Eigen::Vector3f b = scene_.patches.at(patches[draw_.below(patches.size())]);
    if (draw_.unit() < 0.5) {
        for (const std::uint32_t p : patches) {
            if ((scene_.patches.at(p) - a).squaredNorm() > (b - a).squaredNorm()) {
                b = scene_.patches.at(p);
            }
        }
    }
    // What is near an end, or halves, or halves about their middles.
    const std::size_t kind = draw_.below(3);
    const float reach = old.radius * static_cast<float>(0.3 + 0.6 * draw_.unit());
    Indices half[2];
    Eigen::Vector3f middle[2];
    for (int round = 0; round < (kind == 2 ? 4 : 1); ++round) {
        half[0].clear();
        half[1].clear();
        middle[0] = middle[1] = Eigen::Vector3f::Zero();
        for (const std::uint32_t p : patches) {
            const Eigen::Vector3f place = scene_.patches.at(p);
            const float from_a = (place - a).squaredNorm();
            const bool first = from_a <= (kind == 0 ? reach * reach : (place - b).squaredNorm());
            half[first ? 0 : 1].push_back(p);
            middle[first ? 0 : 1] += place;
        }
        if (half[0].empty() || half[1].empty()) {
            return false;
        }
        a = middle[0] /= static_cast<float>(half[0].size());
        b = middle[1] /= static_cast<float>(half[1].size());
    }
    const CenterSteps& steps = kLarge;
    replace(i, {});
    replace(i, recenter(half[0], {a.x(), a.y(), a.z(), 0.0F}, {}, steps));
    std::erase_if(half[1], [&](std::uint32_t p) { return scene_.patches.count(p) > 0; });
    if (!half[1].empty()) {
        replace(into, recenter(half[1], {b.x(), b.y(), b.z(), 0.0F}, {}, steps), parent);
    }
    return true;
}

void SphereCover::drop_to(std::size_t count) {
    constexpr double kUnknown = -std::numeric_limits<double>::infinity();
    constexpr double kNever = std::numeric_limits<double>::infinity();
    std::vector<double> losses(candidates_.size(), kUnknown);
    for (std::size_t spheres = this->spheres(); spheres > count; --spheres) {
        for (std::size_t i = 0; i < candidates_.size(); ++i) {
            if (losses[i] == kUnknown) {
                begin();
                losses[i] = movable(i) && drop(i, kNever) ? cost_ - cost_before_ : kNever;
                take_back();
            }
        }
        const auto least = std::min_element(losses.begin(), losses.end());
        if (*least == kNever) {
            break;
        }
        begin();
        drop(static_cast<std::size_t>(least - losses.begin()), kNever);
        for (const Change& change : before_) {
            losses[change.sphere] = kUnknown;
        }
    }
    // The search would fill the candidates that are empty now.
    std::erase_if(candidates_, [](const CandidateSphere& candidate) { return candidate.sphere.empty(); });
    times_.assign(candidates_.size(), {});
    seen_.assign(candidates_.size(), {});
}

std::size_t SphereCover::free_slot() const {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        if (candidates_[i].sphere.empty()) {
            return i;
        }
    }
    return kNone;
}

std::size_t SphereCover::spheres() const {
    return static_cast<std::size_t>(
        std::count_if(candidates_.begin(), candidates_.end(),
                      [](const CandidateSphere& candidate) { return !candidate.sphere.empty(); }));
}

void SphereCover::split_to(std::size_t count) {
    candidates_.resize(std::max(count, candidates_.size()));
    times_.resize(candidates_.size());
    seen_.resize(candidates_.size());
    std::vector<double> costs(candidates_.size(), -1.0);
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        costs[i] = movable(i) ? own_cost(i) : -1.0;
    }
    std::size_t spheres = this->spheres();
    std::size_t added = 0;
    // Some may turn out not to be needed, again and again.
    for (std::size_t proposals = 0; spheres < count && proposals < kGrowthRounds * count; ++proposals) {
        const auto most = std::max_element(costs.begin(), costs.end());
        if (*most < 0.0) {
            return;
        }
        const auto i = static_cast<std::size_t>(most - costs.begin());
        const std::size_t into = free_slot();
        std::vector<std::pair<std::size_t, CandidateSphere>> best;
        double least = std::numeric_limits<double>::infinity();
        for (int k = 0; k < kSplitsCompared; ++k) {
            begin();
            if (split(i, into) && !candidates_[into].sphere.empty() && cost_ < least) {
                least = cost_;
                best = {{i, candidates_[i]}, {into, candidates_[into]}};
            }
            take_back();
        }
        if (best.empty()) {
            costs[i] = -1.0;
            continue;
        }
        ++spheres;
        ++added;
        begin();
        for (const auto& [k, candidate] : best) {
            replace(k, candidate.sphere, candidate.parent);
        }
        costs[i] = own_cost(i);
        costs[into] = own_cost(into);
        if (double(added) > kGrowth * double(spheres)) {
            shrink_all_to_fit();
            for (std::size_t k = 0; k < candidates_.size(); ++k) {
                costs[k] = movable(k) && costs[k] >= 0.0 ? own_cost(k) : -1.0;
            }
            spheres = this->spheres();  // those that were not needed any more are gone
            added = 0;
        }
    }
}

// ---- search ----

std::size_t SphereCover::any_movable() {
    for (std::size_t proposals = 0; proposals < 8; ++proposals) {
        const std::size_t i = draw_.below(candidates_.size());
        if (movable(i)) {
            return i;
        }
    }
    return kNone;
}

std::size_t SphereCover::sphere_to_drop() {
    std::size_t best = kNone;
    for (int k = 0; k < kDraws; ++k) {
        const std::size_t i = any_movable();
        if (i != kNone && (best == kNone || seen_[i].loss < seen_[best].loss)) {
            best = i;
        }
    }
    return best;
}

std::size_t SphereCover::sphere_to_split(std::size_t dropped) {
    std::size_t best = kNone;
    double most = -1.0;
    for (int k = 0; k < kDraws; ++k) {
        const std::size_t i = any_movable();
        if (i != kNone && i != dropped && (has_free_slot(candidates_[i].parent) || frees_slot(dropped, i))) {
            const double gain = gain_of(i);
            if (gain > most) {
                most = gain;
                best = i;
            }
        }
    }
    return best;
}

/// One sphere less here, one more there.
void SphereCover::try_drop_and_split() {
    std::size_t dropped = free_slot();
    const bool any_free = dropped != kNone;
    if (!any_free) {
        dropped = sphere_to_drop();
    }
    const std::size_t divided = sphere_to_split(dropped);
    if (dropped == kNone || divided == kNone || seen_[dropped].loss > gain_of(divided) + mean_cost_) {
        return;
    }
    if (!any_free) {
        const double limit = cost_before_ + gain_of(divided) + kRejectThreshold * mean_cost_;
        const bool taken_over = drop(dropped, limit);
        seen_[dropped].loss =
            taken_over || cost_ > limit ? cost_ - cost_before_ : std::numeric_limits<double>::max();
        if (!taken_over) {
            cost_ = std::numeric_limits<double>::infinity();
            return;
        }
        if (!movable(divided) || cost_ > limit) {
            return;
        }
    }
    const double before = cost_;
    if (!split(divided, dropped)) {
        return;
    }
    seen_[divided].gain = std::max(0.0, before - cost_);
    if (beyond_threshold(kRejectThreshold)) {
        return;
    }
    std::vector<std::size_t> touched;
    for (const auto& entry : before_) {
        touched.push_back(entry.sphere);
    }
    for (int round = 0; round < 2; ++round) {
        for (const std::size_t i : touched) {
            if (movable(i)) {
                shrink_to_fit(i, kQuick);
            }
        }
        if (beyond_threshold(0.5 * kRejectThreshold)) {
            return;
        }
    }
    for (const std::size_t center : {dropped, divided}) {
        if (movable(center)) {
            for (const std::size_t i : neighbours(center, kTakers)) {
                shrink_to_fit(i, kQuick);
            }
        }
    }
}

/// Two neighbours divide the patches that only they hold anew, as if one of them were larger or smaller.
void SphereCover::try_swap_patches() {
    const std::size_t i = any_movable();
    const std::vector<std::size_t> near = i == kNone ? std::vector<std::size_t>{} : neighbours(i, 6);
    if (near.empty()) {
        return;
    }
    const std::size_t k = near[draw_.below(near.size())];
    const SearchSphere a = candidates_[i].sphere;
    const SearchSphere b = candidates_[k].sphere;
    const auto grown = static_cast<float>(1.0 + 0.22 * draw_.unit());
    const float factor = draw_.unit() < 0.5 ? grown : 1.0F / grown;
    Indices patches = needed_by(i);
    const Indices of_b = needed_by(k);
    patches.insert(patches.end(), of_b.begin(), of_b.end());
    Indices common;
    scene_.patches.find(a, 2, allowed(i), common);
    std::copy_if(common.begin(), common.end(), std::back_inserter(patches),
                 [&](std::uint32_t p) { return may_cover(k, p) && scene_.patches.covers(b, p); });
    Indices half[2];
    for (const std::uint32_t p : patches) {
        const Eigen::Vector3f place = scene_.patches.at(p);
        const bool nearer_a = squared_distance(place, a) * b.radius * b.radius <=
                              squared_distance(place, b) * a.radius * a.radius * factor * factor;
        half[may_cover(i, p) && (nearer_a || !may_cover(k, p)) ? 0 : 1].push_back(p);
    }
    if (half[0].empty() || half[1].empty()) {
        return;
    }
    const CenterSteps& steps = kSmall;
    replace(i, {});
    replace(k, {});
    replace(i, recenter(half[0], a, {}, steps));
    std::erase_if(half[1], [&](std::uint32_t p) { return scene_.patches.count(p) > 0; });
    if (half[1].empty()) {
        return;
    }
    replace(k, recenter(half[1], b, {}, steps));
    shrink_to_fit(i, steps);
}

/// A sphere moves off and grows to keep its patches, and its neighbours make use of it.
void SphereCover::try_perturb() {
    const std::size_t i = any_movable();
    const Indices patches = i == kNone ? Indices{} : needed_by(i);
    if (patches.empty()) {
        return;
    }
    SearchSphere moved = candidates_[i].sphere;
    const float step = 0.3F * moved.radius;
    moved.x += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.y += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.z += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.radius = radius_needed(scene_, moved, patches);
    if (outside_search_box(scene_, moved)) {
        return;
    }
    replace(i, moved);
    for (const std::size_t k : neighbours(i, kTakers)) {
        shrink_to_fit(k, kQuick);
    }
    shrink_to_fit(i, kQuick);
}

void SphereCover::try_recenter() {
    const std::size_t i = any_movable();
    if (i == kNone) {
        return;
    }
    shrink_to_fit(i, kThorough);
    for (const std::size_t k : movable(i) ? neighbours(i, kTakers) : std::vector<std::size_t>{}) {
        shrink_to_fit(k, kQuick);
    }
}

/// With a chance that falls about as the exponential of what the change costs (Metropolis et al. 1953).
bool SphereCover::is_kept(double temperature) {
    const double more = cost_ - cost_before_;
    if (more <= 0.0) {
        return true;
    }
    const double left = 1.0 - 0.25 * more / (temperature * mean_cost_);
    return left > 0.0 && draw_.unit() < left * left * left * left;
}

void SphereCover::anneal(std::size_t proposals, double first_temperature, double last_temperature,
                         const Progress* progress) {
    mean_cost_ = cost_ / double(std::max<std::size_t>(1, candidates_.size()));
    for (std::size_t t = 0; t < proposals && (progress == nullptr || !progress->cancelled()); ++t) {
        begin();
        const double kind = draw_.unit();
        // Exchanges most of all: they do what descent (gradient_descent.h) cannot.
        if (kind < 0.85) {
            try_drop_and_split();
        } else if (kind < 0.93) {
            try_swap_patches();
        } else if (kind < 0.965) {
            try_perturb();
        } else {
            try_recenter();
        }
        const double left = 1.0 - double(t) / double(proposals);
        if (is_kept(last_temperature + (first_temperature - last_temperature) * left * left)) {
            for (const Change& change : before_) {
                seen_[change.sphere] = {};
            }
        } else {
            take_back();
        }
    }
}

}  // namespace espalier
