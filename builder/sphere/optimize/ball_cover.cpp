// SPDX-License-Identifier: GPL-3.0-or-later
// Local search by random exchanges: a ball is dropped and its neighbours take over, another one is divided;
// neighbours trade patches; balls are nudged. After each change the balls concerned move and shrink to what
// no other ball holds, and what others hold already costs them nothing unless it is far out, so it is the
// volume of the union that falls. Compare the swaps of Wang et al. 2006, "Variational sphere set
// approximation for solid objects", which go by the sum of the balls.
#include "builder/sphere/optimize/ball_cover.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace espalier {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
/// Balls that may take over from one that is dropped.
constexpr std::size_t kHeirs = 8;
/// Ways to divide a ball that are compared when there are balls to add.
constexpr int kDivisions = 4;
/// Balls of which the one to drop, or to divide, is chosen.
constexpr int kCandidates = 6;
/// An exchange that costs more than this, in mean costs of a ball, is not worth tightening its neighbours;
/// half of it after the first round.
constexpr double kHopeless = 0.4;
/// Balls are tightened all together after so many have been added, as a share of all; and
/// balls are divided at most so many times as often as there are to be balls.
constexpr double kGrowth = 0.25;
constexpr std::size_t kGrowthTries = 4;

/// Steps for balls in a new place, for those that have moved a little, and for the last word.
constexpr CenterSteps kLarge{0.25F, 0.03F};
constexpr CenterSteps kQuick{0.1F, 0.025F};
constexpr CenterSteps kSmall{0.06F, 0.02F};
constexpr CenterSteps kThorough{0.12F, 0.01F};

float squared_distance(const LaneBall& a, const LaneBall& b) {
    return squared_distance(Eigen::Vector3f(a.x, a.y, a.z), b);
}

}  // namespace

BallCover::BallCover(CoverScene scene, std::vector<Member> members, std::uint64_t seed)
    : scene_(std::move(scene)),
      members_(std::move(members)),
      children_(scene_.allowed.size(), 0),
      draw_(seed) {
    times_.resize(members_.size());
    seen_.resize(members_.size());
    for (std::size_t i = 0; i < members_.size(); ++i) {
        if (!members_[i].ball.empty()) {
            ++children_[members_[i].parent];
            scene_.patches.add(members_[i].ball, allowed(i));
            cost_ += scene_.samples.add(members_[i].ball);
        }
    }
}

double BallCover::own_cost(std::size_t ball) const {
    LanePoints own;
    scene_.samples.find_free(members_[ball].ball, members_[ball].ball, own);
    own.close();
    return static_cast<double>(own.weight_within(members_[ball].ball, scene_.sample_width, kInfinity));
}

// ---- changes ----

void BallCover::begin() {
    before_.clear();
    cost_before_ = cost_;
}

void BallCover::record(std::size_t i) {
    if (std::none_of(before_.begin(), before_.end(),
                     [&](const Change& change) { return change.ball == i; })) {
        before_.push_back({i, members_[i], times_[i]});
    }
}

void BallCover::replace(std::size_t i, const LaneBall& ball, std::uint32_t parent) {
    record(i);
    times_[i].changed = ++now_;
    const Member old = members_[i];
    if (!old.ball.empty()) {
        --children_[old.parent];
    }
    if (!ball.empty()) {
        ++children_[parent];
    }
    if (parent == old.parent) {
        scene_.patches.exchange(old.ball, ball, allowed(i));
        members_[i].ball = ball;
    } else {
        scene_.patches.exchange(old.ball, {}, allowed(i));
        members_[i] = {ball, parent, old.fixed};
        scene_.patches.add(ball, allowed(i));
    }
    cost_ += scene_.samples.exchange(old.ball, ball);
}

void BallCover::take_back() {
    const std::vector<Change> changes = std::move(before_);
    before_.clear();
    for (const Change& change : changes) {
        const Member& now = members_[change.ball];
        if (now.parent != change.member.parent || now.ball.radius != change.member.ball.radius ||
            squared_distance(now.ball, change.member.ball) > 0.0F) {
            replace(change.ball, change.member.ball, change.member.parent);
        }
        times_[change.ball] = change.times;
    }
    before_.clear();
    cost_ = cost_before_;
}

/// Nothing that it meets has changed since it was last found to be as good as it gets.
bool BallCover::is_settled(std::size_t i) const {
    const LaneBall& ball = members_[i].ball;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        if (times_[k].changed > times_[i].settled) {
            const float reach = 1.2F * ball.radius + std::max(members_[k].ball.radius, 0.0F);
            if (members_[k].ball.empty() || squared_distance(ball, members_[k].ball) < reach * reach) {
                return false;
            }
        }
    }
    return true;
}

// ---- single balls ----

/// The radius that a ball needs to hold a patch.
float BallCover::reach_from(const LaneBall& ball, std::uint32_t patch) const {
    return std::sqrt(squared_reach(ball, scene_.patches.disc(patch)));
}

BallCover::Indices BallCover::needed_by(std::size_t i) const {
    Indices patches;
    scene_.patches.find(members_[i].ball, 1, allowed(i), patches);
    return patches;
}

void BallCover::tighten(std::size_t i, const CenterSteps& steps) {
    if (is_settled(i)) {
        return;
    }
    const LaneBall old = members_[i].ball;
    const Indices patches = needed_by(i);
    if (patches.empty()) {
        replace(i, {});
        return;
    }
    // It begins with a ball no larger than the old one, so what is found costs no more.
    const LaneBall settled = settle(patches, old, old, steps);
    if (squared_distance(settled, old) > 0.0F || settled.radius < old.radius * (1.0F - 1e-5F)) {
        replace(i, settled);
    } else {
        record(i);
        times_[i].settled = ++now_;
    }
}

void BallCover::tighten_all() {
    for (std::size_t i = 0; i < members_.size(); ++i) {
        if (movable(i)) {
            begin();
            tighten(i, kThorough);
        }
    }
}

/// Balls that meet ball `i`, nearest centres first.
std::vector<std::size_t> BallCover::neighbours(std::size_t i, std::size_t most) const {
    std::vector<std::pair<float, std::size_t>> near;
    const LaneBall& ball = members_[i].ball;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const float reach = ball.radius + members_[k].ball.radius;
        const float squared = squared_distance(ball, members_[k].ball);
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

/// The balls that could most easily take over from a ball.
std::vector<std::size_t> BallCover::heirs_of(const LaneBall& ball) const {
    std::vector<std::pair<float, std::size_t>> near;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        if (movable(k)) {
            near.emplace_back(std::sqrt(squared_distance(ball, members_[k].ball)) - members_[k].ball.radius,
                              k);
        }
    }
    const std::size_t count = std::min(kHeirs, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
    std::vector<std::size_t> heirs;
    for (std::size_t k = 0; k < count; ++k) {
        heirs.push_back(near[k].second);
    }
    return heirs;
}

/// Each of some patches that nobody holds to the heir that would grow least in volume. False if none may, or
/// if the cost is beyond the limit before the end.
bool BallCover::share_out(const Indices& patches, const std::vector<std::size_t>& heirs, double limit) {
    std::vector<std::pair<std::size_t, Indices>> shares;
    for (const std::size_t heir : heirs) {
        shares.emplace_back(heir, Indices{});
    }
    for (const std::uint32_t p : patches) {
        Indices* share = nullptr;
        float least = kInfinity;
        for (auto& [heir, of_heir] : shares) {
            if (may_hold(heir, p)) {
                const float radius = members_[heir].ball.radius;
                const float needed = reach_from(members_[heir].ball, p);
                const float growth = needed * needed * needed - radius * radius * radius;
                if (growth < least) {
                    least = growth;
                    share = &of_heir;
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
    for (const auto& [heir, share] : shares) {
        Indices lost;
        std::copy_if(share.begin(), share.end(), std::back_inserter(lost),
                     [&](std::uint32_t p) { return scene_.patches.held(p) == 0; });
        if (lost.empty()) {
            continue;
        }
        Indices wanted = needed_by(heir);
        wanted.insert(wanted.end(), lost.begin(), lost.end());
        const LaneBall old = members_[heir].ball;
        replace(heir, settle(wanted, old, old, kLarge));
        if (cost_ > limit) {
            return false;
        }
    }
    return true;
}

bool BallCover::mend() {
    Indices lost;
    for (std::uint32_t p = 0; p < scene_.patches.real_size(); ++p) {
        if (scene_.patches.held(p) == 0) {
            lost.push_back(p);
        }
    }
    std::vector<std::size_t> heirs;
    for (std::size_t k = 0; k < members_.size(); ++k) {
        if (movable(k)) {
            heirs.push_back(k);
        }
    }
    begin();
    return lost.empty() || share_out(lost, heirs, std::numeric_limits<double>::infinity());
}

// ---- fewer and more ----

/// False if its neighbours cannot take over within the limit of the cost.
bool BallCover::drop(std::size_t i, double limit) {
    const Indices lost = needed_by(i);
    const LaneBall old = members_[i].ball;
    replace(i, {});
    return lost.empty() || share_out(lost, heirs_of(old), limit);
}

/// Puts two balls in place of one, by a random cut through the patches that it alone holds.
bool BallCover::divide(std::size_t i, std::size_t into) {
    const Indices patches = needed_by(i);
    if (patches.size() < 2 || !has_room(members_[i].parent)) {
        return false;
    }
    const LaneBall old = members_[i].ball;
    const std::uint32_t parent = members_[i].parent;
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
    replace(i, settle(half[0], {a.x(), a.y(), a.z(), 0.0F}, {}, steps));
    std::erase_if(half[1], [&](std::uint32_t p) { return scene_.patches.held(p) > 0; });
    if (!half[1].empty()) {
        replace(into, settle(half[1], {b.x(), b.y(), b.z(), 0.0F}, {}, steps), parent);
    }
    return true;
}

void BallCover::shrink(std::size_t count) {
    constexpr double kUnknown = -std::numeric_limits<double>::infinity();
    constexpr double kNever = std::numeric_limits<double>::infinity();
    std::vector<double> losses(members_.size(), kUnknown);
    for (std::size_t balls = this->balls(); balls > count; --balls) {
        for (std::size_t i = 0; i < members_.size(); ++i) {
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
            losses[change.ball] = kUnknown;
        }
    }
    // The search would fill the seats that are empty now.
    std::erase_if(members_, [](const Member& member) { return member.ball.empty(); });
    times_.assign(members_.size(), {});
    seen_.assign(members_.size(), {});
}

std::size_t BallCover::empty_seat() const {
    for (std::size_t i = 0; i < members_.size(); ++i) {
        if (members_[i].ball.empty()) {
            return i;
        }
    }
    return kNone;
}

std::size_t BallCover::balls() const {
    return static_cast<std::size_t>(std::count_if(members_.begin(), members_.end(),
                                                  [](const Member& member) { return !member.ball.empty(); }));
}

void BallCover::grow(std::size_t count) {
    members_.resize(std::max(count, members_.size()));
    times_.resize(members_.size());
    seen_.resize(members_.size());
    std::vector<double> costs(members_.size(), -1.0);
    for (std::size_t i = 0; i < members_.size(); ++i) {
        costs[i] = movable(i) ? own_cost(i) : -1.0;
    }
    std::size_t balls = this->balls();
    std::size_t added = 0;
    // Some may turn out not to be needed, again and again.
    for (std::size_t tries = 0; balls < count && tries < kGrowthTries * count; ++tries) {
        const auto most = std::max_element(costs.begin(), costs.end());
        if (*most < 0.0) {
            return;
        }
        const auto i = static_cast<std::size_t>(most - costs.begin());
        const std::size_t into = empty_seat();
        std::vector<std::pair<std::size_t, Member>> best;
        double least = std::numeric_limits<double>::infinity();
        for (int k = 0; k < kDivisions; ++k) {
            begin();
            if (divide(i, into) && !members_[into].ball.empty() && cost_ < least) {
                least = cost_;
                best = {{i, members_[i]}, {into, members_[into]}};
            }
            take_back();
        }
        if (best.empty()) {
            costs[i] = -1.0;
            continue;
        }
        ++balls;
        ++added;
        begin();
        for (const auto& [k, member] : best) {
            replace(k, member.ball, member.parent);
        }
        costs[i] = own_cost(i);
        costs[into] = own_cost(into);
        if (double(added) > kGrowth * double(balls)) {
            tighten_all();
            for (std::size_t k = 0; k < members_.size(); ++k) {
                costs[k] = movable(k) && costs[k] >= 0.0 ? own_cost(k) : -1.0;
            }
            balls = this->balls();  // those that were not needed any more are gone
            added = 0;
        }
    }
}

// ---- search ----

std::size_t BallCover::any_movable() {
    for (std::size_t tries = 0; tries < 8; ++tries) {
        const std::size_t i = draw_.below(members_.size());
        if (movable(i)) {
            return i;
        }
    }
    return kNone;
}

std::size_t BallCover::ball_to_drop() {
    std::size_t best = kNone;
    for (int k = 0; k < kCandidates; ++k) {
        const std::size_t i = any_movable();
        if (i != kNone && (best == kNone || seen_[i].loss < seen_[best].loss)) {
            best = i;
        }
    }
    return best;
}

std::size_t BallCover::ball_to_divide(std::size_t dropped) {
    std::size_t best = kNone;
    double most = -1.0;
    for (int k = 0; k < kCandidates; ++k) {
        const std::size_t i = any_movable();
        if (i != kNone && i != dropped && (has_room(members_[i].parent) || makes_room(dropped, i))) {
            const double gain = gain_of(i);
            if (gain > most) {
                most = gain;
                best = i;
            }
        }
    }
    return best;
}

/// One ball less here, one more there.
void BallCover::try_exchange() {
    std::size_t dropped = empty_seat();
    const bool any_empty = dropped != kNone;
    if (!any_empty) {
        dropped = ball_to_drop();
    }
    const std::size_t divided = ball_to_divide(dropped);
    if (dropped == kNone || divided == kNone || seen_[dropped].loss > gain_of(divided) + mean_cost_) {
        return;
    }
    if (!any_empty) {
        const double limit = cost_before_ + gain_of(divided) + kHopeless * mean_cost_;
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
    if (!divide(divided, dropped)) {
        return;
    }
    seen_[divided].gain = std::max(0.0, before - cost_);
    if (hopeless(kHopeless)) {
        return;
    }
    std::vector<std::size_t> touched;
    for (const auto& entry : before_) {
        touched.push_back(entry.ball);
    }
    for (int round = 0; round < 2; ++round) {
        for (const std::size_t i : touched) {
            if (movable(i)) {
                tighten(i, kQuick);
            }
        }
        if (hopeless(0.5 * kHopeless)) {
            return;
        }
    }
    for (const std::size_t center : {dropped, divided}) {
        if (movable(center)) {
            for (const std::size_t i : neighbours(center, kHeirs)) {
                tighten(i, kQuick);
            }
        }
    }
}

/// Two neighbours divide the patches that only they hold anew, as if one of them were larger or smaller.
void BallCover::try_trade() {
    const std::size_t i = any_movable();
    const std::vector<std::size_t> near = i == kNone ? std::vector<std::size_t>{} : neighbours(i, 6);
    if (near.empty()) {
        return;
    }
    const std::size_t k = near[draw_.below(near.size())];
    const LaneBall a = members_[i].ball;
    const LaneBall b = members_[k].ball;
    const auto grown = static_cast<float>(1.0 + 0.22 * draw_.unit());
    const float factor = draw_.unit() < 0.5 ? grown : 1.0F / grown;
    Indices patches = needed_by(i);
    const Indices of_b = needed_by(k);
    patches.insert(patches.end(), of_b.begin(), of_b.end());
    Indices common;
    scene_.patches.find(a, 2, allowed(i), common);
    std::copy_if(common.begin(), common.end(), std::back_inserter(patches),
                 [&](std::uint32_t p) { return may_hold(k, p) && scene_.patches.holds(b, p); });
    Indices half[2];
    for (const std::uint32_t p : patches) {
        const Eigen::Vector3f place = scene_.patches.at(p);
        const bool nearer_a = squared_distance(place, a) * b.radius * b.radius <=
                              squared_distance(place, b) * a.radius * a.radius * factor * factor;
        half[may_hold(i, p) && (nearer_a || !may_hold(k, p)) ? 0 : 1].push_back(p);
    }
    if (half[0].empty() || half[1].empty()) {
        return;
    }
    const CenterSteps& steps = kSmall;
    replace(i, {});
    replace(k, {});
    replace(i, settle(half[0], a, {}, steps));
    std::erase_if(half[1], [&](std::uint32_t p) { return scene_.patches.held(p) > 0; });
    if (half[1].empty()) {
        return;
    }
    replace(k, settle(half[1], b, {}, steps));
    tighten(i, steps);
}

/// A ball moves off and grows to keep its patches, and its neighbours make use of it.
void BallCover::try_nudge() {
    const std::size_t i = any_movable();
    const Indices patches = i == kNone ? Indices{} : needed_by(i);
    if (patches.empty()) {
        return;
    }
    LaneBall moved = members_[i].ball;
    const float step = 0.3F * moved.radius;
    moved.x += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.y += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.z += step * static_cast<float>(2.0 * draw_.unit() - 1.0);
    moved.radius = radius_needed(scene_, moved, patches);
    if (beyond_reach(scene_, moved)) {
        return;
    }
    replace(i, moved);
    for (const std::size_t k : neighbours(i, kHeirs)) {
        tighten(k, kQuick);
    }
    tighten(i, kQuick);
}

void BallCover::try_settling() {
    const std::size_t i = any_movable();
    if (i == kNone) {
        return;
    }
    tighten(i, kThorough);
    for (const std::size_t k : movable(i) ? neighbours(i, kHeirs) : std::vector<std::size_t>{}) {
        tighten(k, kQuick);
    }
}

/// With a chance that falls about as the exponential of what the change costs (Metropolis et al. 1953).
bool BallCover::is_kept(double heat) {
    const double more = cost_ - cost_before_;
    if (more <= 0.0) {
        return true;
    }
    const double left = 1.0 - 0.25 * more / (heat * mean_cost_);
    return left > 0.0 && draw_.unit() < left * left * left * left;
}

void BallCover::search(std::size_t tries, double first_heat, double last_heat, const Progress* progress) {
    mean_cost_ = cost_ / double(std::max<std::size_t>(1, members_.size()));
    for (std::size_t t = 0; t < tries && (progress == nullptr || !progress->cancelled()); ++t) {
        begin();
        const double kind = draw_.unit();
        // Exchanges most of all: they do what descent (ball_descent.h) cannot.
        if (kind < 0.85) {
            try_exchange();
        } else if (kind < 0.93) {
            try_trade();
        } else if (kind < 0.965) {
            try_nudge();
        } else {
            try_settling();
        }
        const double left = 1.0 - double(t) / double(tries);
        if (is_kept(last_heat + (first_heat - last_heat) * left * left)) {
            for (const Change& change : before_) {
                seen_[change.ball] = {};
            }
        } else {
            take_back();
        }
    }
}

}  // namespace espalier
