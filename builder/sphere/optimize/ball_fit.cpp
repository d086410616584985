// SPDX-License-Identifier: GPL-3.0-or-later
// The surface is divided into parts, a different way each round, and the balls of each part are searched for
// on their own (ball_cover.h) while the others stay; between rounds and in the end, all move together
// (ball_descent.h). Errors have a price: what is held farther from the solid weighs more.
#include "builder/sphere/optimize/ball_fit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "builder/sphere/coverage/cover_level.h"
#include "builder/sphere/optimize/ball_cover.h"
#include "builder/sphere/optimize/ball_descent.h"
#include "builder/sphere/optimize/fit_patches.h"
#include "builder/sphere/optimize/fit_samples.h"
#include "builder/sphere/optimize/lane_frame.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3f;

/// From one stage to the next there are at most so many times as many balls.
constexpr std::size_t kStageGrowth = 8;
/// Balls of a part, at most: parts are searched side by side, but balls are not exchanged between them. After
/// the first rounds even so few are parted, so that no thread is idle.
constexpr double kPartBalls = 128.0;
constexpr double kLateBalls = 24.0;
constexpr std::size_t kWholeRounds = 3;
/// Patches of the surface and samples around it: so many, and so many more for each ball.
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
    double tries;  ///< share of all random changes
    double heat;   ///< share of the first heat
    bool finer;    ///< critical patches are split before it
    bool balance;  ///< balls go from part to part before it: not near the end, when too few changes follow
};
/// Each round is in other parts. Most changes are tried while patches are large and few.
constexpr Round kRounds[] = {{0.25, 1.0, false, false},
                             {0.3, 0.6, false, true},
                             {0.2, 0.3, false, true},
                             {0.12, 0.1, true, true},
                             {0.08, 0.03, true, true}};
/// Balls return to the best round's if the last one's volume is so much more; a little is due to finer
/// patches.
constexpr double kUphill = 1.02;
/// How much more than before a change may cost at first; see BallCover::search.
constexpr double kHeat = 0.25;
/// Critical patches are at most so many mean errors of balls large, or split so often: what is smooth needs
/// smaller ones.
constexpr double kFineEnough = 1.0;
constexpr int kMostSplits = 3;
/// One descent of all balls together; lengths are in mean errors of the balls.
struct Relaxing {
    int splits;  ///< of critical patches before it, after the rounds
    int steps;
    double step;  ///< the first
    double first_gap;
    double last_gap;
    double stiffness;  ///< of gaps, by what pushes at a usual ball
};
constexpr Relaxing kBetweenRounds{0, 30, 0.03, 0.15, 0.03, 4.0};
/// The last ones. Patches become as small as the gaps that may be left, or covering would undo much.
constexpr Relaxing kLastRelaxing[] = {{3, 80, 0.03, 0.15, 0.05, 2.0},
                                      {1, 30, 0.015, 0.06, 0.03, 3.0},
                                      {1, 30, 0.006, 0.03, 0.01, 3.0},
                                      {1, 30, 0.002, 0.01, 0.005, 3.0}};
/// Samples for these, for each ball: finer than those of the search, which were taken when errors were
/// larger.
constexpr double kLastSamplesPerBall = 200.0;
/// Most samples are up to this distance: as a share of the reach at first, in mean errors of the balls later.
constexpr double kNear = 0.2;
constexpr double kNearErrors = 2.0;
/// The error above which errors cost more than volume, in mean errors of the balls; and a first guess of it
/// as a share of the reach. In the last descents, where all can give way, a lower price does it.
constexpr double kUsualError = 1.2;
constexpr double kLastUsualError = 2.0;
constexpr double kFirstError = 0.3;
/// Share of a part's balls that at most come from other parts or go there, each round.
constexpr double kMostMoved = 0.2;
/// Balls do not come from farther away for a patch, in radii of its disc: it is on a seam between parents,
/// and for cover_level to split.
constexpr float kNearPatch = 24.0F;
/// Balls that grow past the part are not seen there: so much is around them, in radii of the largest.
constexpr float kPartMargin = 0.75F;

class BallFit {
  public:
    BallFit(const FitSurface& surface, std::vector<Chain>& parents, const FitOptions& options,
            Progress& progress)
        : surface_(surface),
          options_(options),
          progress_(progress),
          frame_(frame_of(surface.mesh)),
          chains_(parents),
          patches_(frame_, parents),
          samples_(frame_, surface.inside, surface.query) {}

    std::vector<Seat> run(std::vector<Seat> start) {
        for (const Seat& seat : start) {
            members_.push_back({frame_.to_lanes(seat.ball), seat.parent, seat.fixed});
        }
        double reach = options_.reach / frame_.scale;
        for (std::size_t count = members_.size(); count < options_.count && !progress_.cancelled();) {
            count *= kStageGrowth;
            count = 2 * count > options_.count ? options_.count : count;
            if (!stage(count, reach)) {
                break;
            }
            reach = std::min(reach, 1.1 * samples_.largest_error(members_));
        }
        if (options_.cover) {
            cover();
        }
        std::vector<Seat> seats;
        for (const Member& member : members_) {
            // Those that are fixed are their parents' only children and as they are, to the last bit.
            const Ball ball = member.fixed ? chains_[member.parent].front() : frame_.to_ball(member.ball);
            seats.push_back({ball, member.parent, member.fixed});
        }
        return seats;
    }

  private:
    static LaneFrame frame_of(const TriangleMesh& mesh) {
        Eigen::AlignedBox3d box;
        for (const auto& p : mesh.positions) {
            box.extend(p.cast<double>());
        }
        return {box.center(), std::max(0.5 * box.diagonal().norm(), 1e-300)};
    }

    // ---- stages ----

    /// No ball sticks out farther than `reach`, in half diagonals. False if more balls are no better.
    bool stage(std::size_t count, double reach) {
        const double patches = kPatches + kPatchesPerBall * double(count);
        patches_.cut(surface_.mesh, std::max(kPatchRadius * std::sqrt(surface_.area / patches),
                                             kLineRadius * surface_.extent / patches));
        const auto usual_error = static_cast<float>(kFirstError * reach);
        samples_.take(kNear * reach, reach, kRoughSamples + kRoughSamplesPerBall * double(count));
        samples_.weigh(usual_error);
        const std::vector<Member> before = members_;
        const FitSamples rough = samples_;
        grow(count);
        // From here on, no ball sticks out as far as those of the level above.
        samples_.take(kNearErrors * samples_.mean_error(members_),
                      std::min(reach, 1.05 * samples_.largest_error(members_)),
                      kSamples + kSamplesPerBall * double(count));
        search_rounds(count, usual_error, rough);
        relax_last(reach);
        if (rough.volume(members_) >= rough.volume(before) &&
            rough.largest_error(members_) >= rough.largest_error(before)) {
            members_ = before;
            return false;
        }
        return true;
    }

    /// All rounds but the first. `rough` has samples that balls have not been fitted to for long.
    void search_rounds(std::size_t count, float usual_error, const FitSamples& rough) {
        samples_.weigh(usual_error);
        std::vector<Member> best;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t round = 1; round < std::size(kRounds) && !progress_.cancelled(); ++round) {
            const double error = samples_.mean_error(members_);
            for (int k = 0; k < (kRounds[round].finer ? 1 : kMostSplits); ++k) {
                patches_.split_critical(members_,
                                        kRounds[round].finer ? 0.0 : kFineEnough * error * frame_.scale);
            }
            usual_error = std::min(usual_error, static_cast<float>(kUsualError * error));
            samples_.weigh(usual_error);
            search_parts(round, count);
            relax(kBetweenRounds, members_);
            hold_patches(members_);
            if (const double volume = rough.volume(members_); volume < least) {
                least = volume;
                best = members_;
            }
        }
        // The search goes uphill, too, and with few balls it may end there.
        if (rough.volume(members_) > kUphill * least) {
            members_ = best;
        }
    }

    // ---- all balls together ----

    void relax_last(double reach) {
        if (progress_.cancelled()) {
            return;
        }
        const double error = samples_.mean_error(members_);
        samples_.take(kNearErrors * error, std::min(reach, 1.05 * samples_.largest_error(members_)),
                      kSamples + kLastSamplesPerBall * double(members_.size()));
        samples_.weigh(static_cast<float>(kLastUsualError * error));
        for (const Relaxing& relaxing : kLastRelaxing) {
            for (int k = 0; k < relaxing.splits; ++k) {
                patches_.split_critical(members_, 0.0);
            }
            relax(relaxing, members_);
        }
        if (!options_.cover) {
            hold_patches(members_);
        }
    }

    /// What is left unheld is for hold_patches.
    void relax(const Relaxing& relaxing, std::vector<Member>& members) const {
        const double error = samples_.mean_error(members);
        const double cell = samples_.width() * samples_.width() * samples_.width();
        DescentOptions options;
        options.steps = relaxing.steps;
        options.step = static_cast<float>(relaxing.step * error);
        options.first_gap = static_cast<float>(relaxing.first_gap * error);
        options.last_gap = static_cast<float>(relaxing.last_gap * error);
        options.stiffness = static_cast<float>(relaxing.stiffness * samples_.mean_cap(members) / cell);
        const HeldPoints patches(patches_.discs());
        const std::vector<std::vector<std::uint8_t>> allowed = allowed_of(patches, members);
        descend({patches, samples_.all(), allowed, samples_.per_softness(), samples_.softest()}, members,
                options, progress_);
    }

    /// Balls grow until every patch is held, each by the one that grows least.
    void hold_patches(std::vector<Member>& members) const {
        HeldPoints patches(patches_.discs());
        const std::vector<std::vector<std::uint8_t>> allowed = allowed_of(patches, members);
        for (const Member& member : members) {
            patches.add(member.ball, allowed[member.parent]);
        }
        for (std::size_t p = 0; p < patches.real_size(); ++p) {
            const LaneDisc& disc = patches_.discs()[p];
            const std::size_t i = patches.held(p) > 0 ? members.size() : nearest_holder(disc, members);
            if (i < members.size()) {
                LaneBall& ball = members[i].ball;
                ball.radius = std::max(ball.radius, std::sqrt(squared_reach(ball, disc)) * kLaneSafe);
            }
        }
    }

    /// By parent, what its children may hold.
    std::vector<std::vector<std::uint8_t>> allowed_of(const HeldPoints& patches,
                                                      std::span<const Member> members) const {
        std::vector<std::vector<std::uint8_t>> allowed(chains_.size());
        for (const Member& member : members) {
            if (allowed[member.parent].empty()) {
                allowed[member.parent] = patches_.allowed(member.parent, patches);
            }
        }
        return allowed;
    }

    /// The ball that would grow least to hold a disc; the number of balls if that would be much.
    std::size_t nearest_holder(const LaneDisc& disc, std::span<const Member> members) const {
        std::size_t nearest = members.size();
        float least = kNearPatch * disc.radius;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const float growth = std::sqrt(squared_reach(members[i].ball, disc)) - members[i].ball.radius;
            if (growth < least && !members[i].fixed && patches_.in_chain(members[i].parent, disc)) {
                least = growth;
                nearest = i;
            }
        }
        return nearest;
    }

    /// Balls grow until they cover, also where the search was stopped.
    void cover() {
        std::vector<Family> families(chains_.size());
        for (std::size_t k = 0; k < families.size(); ++k) {
            families[k].chain = chains_[k];
            families[k].smallest_piece = options_.smallest_piece;
        }
        for (const Member& member : members_) {
            families[member.parent].children.push_back(frame_.to_ball(member.ball));
        }
        // A parent without a ball may still be the only one that holds some pieces.
        for (std::uint32_t k = 0; k < families.size(); ++k) {
            if (families[k].children.empty()) {
                families[k].children.push_back({families[k].chain.front().center, 0.0});
                members_.push_back({{}, k, false});
            }
        }
        cover_level(surface_.mesh, surface_.boxes, families, surface_.slack);
        for (std::size_t k = 0; k < families.size(); ++k) {
            chains_[k] = std::move(families[k].chain);
        }
        std::vector<std::size_t> next(families.size(), 0);
        for (Member& member : members_) {
            member.ball = frame_.to_lanes(families[member.parent].children[next[member.parent]++]);
            member.ball.radius = member.ball.radius * kLaneSafe + kLaneRounding;
        }
        std::erase_if(members_, [](const Member& member) { return member.ball.radius <= kLaneRounding; });
    }

    // ---- parts ----

    /// Balls that are searched for together, and how many there may be.
    struct Part {
        std::vector<std::size_t> members;
        double quota = 0.0;
    };

    void grow(std::size_t count) {
        if (options_.starts > 1 && double(count) <= kPartBalls && members_.size() == 1) {
            best_start(count);
        } else {
            search_parts(0, count);
        }
    }

    /// Which start leads to the best set cannot be foreseen.
    void best_start(std::size_t count) {
        std::vector<std::vector<Member>> sets(options_.starts, members_);
        std::vector<double> costs(options_.starts);
        tbb::parallel_for(std::size_t(0), sets.size(), [&](std::size_t k) {
            std::vector<std::size_t> all(members_.size());
            std::iota(all.begin(), all.end(), std::size_t(0));
            BallCover cover = cover_of({all, double(count)}, patches_.discs(), k);
            cover.mend();
            cover.grow(count);
            cover.tighten_all();
            cover.search(static_cast<std::size_t>(options_.tries * double(count)), kHeat, 0.0, &progress_);
            sets[k] = own_members(cover);
            relax(kBetweenRounds, sets[k]);
            hold_patches(sets[k]);
            costs[k] = samples_.cost(sets[k]);
        });
        members_ =
            sets[static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin())];
    }

    /// Searches in every part; `count` balls in all.
    void search_parts(std::size_t round, std::size_t count) {
        const std::vector<Part> parts = parts_of(round, count);
        const std::vector<std::uint32_t> owner = owners(parts);
        std::vector<std::vector<Member>> found(parts.size());
        tbb::parallel_for(
            std::size_t(0), found.size(), std::size_t(1),
            [&](std::size_t k) {
                if (!progress_.cancelled()) {
                    found[k] = search_part(parts[k], discs_of(k, owner), round, k);
                }
            },
            tbb::simple_partitioner());
        members_.clear();
        for (const std::vector<Member>& members : found) {
            members_.insert(members_.end(), members.begin(), members.end());
        }
    }

    std::vector<Member> search_part(const Part& part, const std::vector<LaneDisc>& discs, std::size_t round,
                                    std::size_t seed) const {
        const double heat = kHeat * kRounds[round].heat;
        const auto quota = static_cast<std::size_t>(part.quota);
        BallCover cover = cover_of(part, discs, 1000 * (round + 1) + seed);
        cover.mend();
        cover.shrink(quota);
        cover.grow(quota);
        cover.tighten_all();
        cover.search(static_cast<std::size_t>(kRounds[round].tries * options_.tries * double(quota)), heat,
                     0.5 * heat, &progress_);
        return own_members(cover);
    }

    std::vector<LaneDisc> discs_of(std::size_t part, const std::vector<std::uint32_t>& owner) const {
        std::vector<LaneDisc> discs;
        for (std::size_t p = 0; p < owner.size(); ++p) {
            if (owner[p] == part) {
                discs.push_back(patches_.discs()[p]);
            }
        }
        return discs;
    }

    /// By how many balls each one is to become: costs fall about as counts grow.
    std::vector<double> quotas(std::size_t count) const {
        std::vector<double> quotas;
        double sum = 0.0;
        for (const Member& member : members_) {
            quotas.push_back(member.fixed ? 0.0 : std::sqrt(1e-3 + samples_.own_cost(member.ball)));
            sum += quotas.back();
        }
        const double more = double(count) - double(members_.size());
        for (double& quota : quotas) {
            quota = 1.0 + (sum > 0.0 ? more * quota / sum : 0.0);
        }
        return quotas;
    }

    std::vector<Part> parts_of(std::size_t round, std::size_t count) const {
        const std::vector<double> quota = quotas(count);
        std::vector<std::size_t> all(members_.size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        std::vector<Part> parts;
        halve(std::move(all), quota, round, round < kWholeRounds, parts);
        if (kRounds[round].balance) {
            balance(parts);
        }
        // Whole numbers, none lost.
        double due = 0.0;
        double given = 0.0;
        for (Part& part : parts) {
            due += part.quota;
            part.quota = std::max(1.0, std::floor(due - given + 1e-6));
            given += part.quota;
        }
        return parts;
    }

    /// Balls go from parts where they save little to parts where they save much: costs fall about as counts
    /// grow, so what one more saves is about what one costs.
    void balance(std::vector<Part>& parts) const {
        std::vector<double> wanted;
        double sum = 0.0;
        double count = 0.0;
        for (const Part& part : parts) {
            HeldPoints samples = samples_.all();
            double cost = 0.0;
            for (const std::size_t i : part.members) {
                cost += samples.add(members_[i].ball);
            }
            // With the square root all would cost the same if that were so: a quarter of the way, each round.
            wanted.push_back(part.quota * std::sqrt(std::sqrt(std::sqrt(cost / part.quota))));
            sum += wanted.back();
            count += part.quota;
        }
        double given = 0.0;
        for (std::size_t k = 0; k < parts.size() && sum > 0.0; ++k) {
            const double share = wanted[k] / sum * count / parts[k].quota;
            parts[k].quota *= std::clamp(share, 1.0 - kMostMoved, 1.0 + kMostMoved);
            given += parts[k].quota;
        }
        for (Part& part : parts) {
            part.quota *= given > count ? count / given : 1.0;
        }
    }

    void halve(std::vector<std::size_t> members, const std::vector<double>& quota, std::size_t round,
               bool may_stay, std::vector<Part>& parts) const {
        double sum = 0.0;
        Eigen::AlignedBox3f box;
        for (const std::size_t i : members) {
            sum += quota[i];
            box.extend(Vector3f(members_[i].ball.x, members_[i].ball.y, members_[i].ball.z));
        }
        const bool whole = sum <= (may_stay ? kPartBalls : kLateBalls);
        if (whole || members.size() < 2) {
            parts.push_back({std::move(members), sum});
            return;
        }
        int axis = 0;
        box.sizes().maxCoeff(&axis);
        const auto along = [&](std::size_t i) {
            const LaneBall& ball = members_[i].ball;
            return axis == 0 ? ball.x : axis == 1 ? ball.y : ball.z;
        };
        std::stable_sort(members.begin(), members.end(),
                         [&](std::size_t a, std::size_t b) { return along(a) < along(b); });
        // Elsewhere each round.
        static constexpr double kShares[] = {0.5, 0.4, 0.6, 0.45, 0.55};
        const double share = kShares[round % std::size(kShares)] * sum;
        double before = 0.0;
        std::size_t cut = 0;
        while (cut + 1 < members.size() && (cut == 0 || before + 0.5 * quota[members[cut]] < share)) {
            before += quota[members[cut++]];
        }
        const auto middle = members.begin() + static_cast<std::ptrdiff_t>(cut);
        halve({members.begin(), middle}, quota, round, true, parts);
        halve({middle, members.end()}, quota, round, true, parts);
    }

    static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

    /// The part that answers for each patch: the first that holds it, or else that of the ball that would
    /// grow least; kNobody if that would be much.
    std::vector<std::uint32_t> owners(const std::vector<Part>& parts) const {
        const std::vector<LaneDisc>& discs = patches_.discs();
        const HeldPoints all(discs);
        std::vector<std::uint32_t> owner(discs.size(), kNobody);
        std::vector<std::uint32_t> part_of(members_.size(), 0);
        for (std::uint32_t k = 0; k < parts.size(); ++k) {
            for (const std::size_t i : parts[k].members) {
                part_of[i] = k;
                std::vector<std::uint32_t> held;
                all.find(members_[i].ball, 0, {}, held);
                for (const std::uint32_t p : held) {
                    if (k < owner[p] && patches_.in_chain(members_[i].parent, discs[p])) {
                        owner[p] = k;
                    }
                }
            }
        }
        for (std::size_t p = 0; p < discs.size(); ++p) {
            if (owner[p] != kNobody) {
                continue;
            }
            const std::size_t nearest = nearest_holder(discs[p], members_);
            owner[p] = nearest < members_.size() ? part_of[nearest] : kNobody;
        }
        return owner;
    }

    /// Its members come first; then the others that it meets, which hold samples and no patches.
    BallCover cover_of(const Part& part, const std::vector<LaneDisc>& discs, std::uint64_t seed) const {
        Eigen::AlignedBox3f box;
        float largest = 0.0F;
        for (const std::size_t i : part.members) {
            const LaneBall& ball = members_[i].ball;
            const Vector3f center(ball.x, ball.y, ball.z);
            box.extend(center - Vector3f::Constant(ball.radius));
            box.extend(center + Vector3f::Constant(ball.radius));
            largest = std::max(largest, ball.radius);
        }
        box.min() -= Vector3f::Constant(kPartMargin * largest);
        box.max() += Vector3f::Constant(kPartMargin * largest);

        CoverScene scene{
            HeldPoints(discs), samples_.in_box(box), {}, {}, static_cast<float>(samples_.width()), box};
        scene.allowed.resize(chains_.size());
        scene.room = rooms(part);
        std::vector<Member> members;
        std::vector<std::uint8_t> own(members_.size(), 0);
        for (const std::size_t i : part.members) {
            own[i] = 1;
            members.push_back(members_[i]);
            const std::uint32_t parent = members_[i].parent;
            if (scene.allowed[parent].empty()) {
                scene.allowed[parent] = patches_.allowed(parent, scene.patches);
            }
        }
        for (std::size_t i = 0; i < members_.size(); ++i) {
            const LaneBall& ball = members_[i].ball;
            const Vector3f center(ball.x, ball.y, ball.z);
            if (own[i] == 0 && box.squaredExteriorDistance(center) <= ball.radius * ball.radius) {
                scene.samples.add(ball);
            }
        }
        return BallCover(std::move(scene), std::move(members), seed);
    }

    /// How many children each parent may have in a part, shared evenly by the parts that it has children in.
    std::vector<std::uint32_t> rooms(const Part& part) const {
        std::vector<std::uint32_t> room(chains_.size(), 0);
        std::vector<std::uint32_t> children(chains_.size(), 0);
        for (const Member& member : members_) {
            ++children[member.parent];
        }
        for (const std::size_t i : part.members) {
            ++room[members_[i].parent];
        }
        for (std::size_t k = 0; k < room.size(); ++k) {
            if (room[k] > 0) {
                const std::uint32_t free =
                    options_.most_children > children[k] ? options_.most_children - children[k] : 0;
                room[k] += free * room[k] / children[k];
            }
        }
        return room;
    }

    static std::vector<Member> own_members(const BallCover& cover) {
        std::vector<Member> members;
        for (const Member& member : cover.members()) {
            if (!member.ball.empty()) {
                members.push_back(member);
            }
        }
        return members;
    }

    const FitSurface& surface_;
    const FitOptions& options_;
    Progress& progress_;
    LaneFrame frame_;
    std::vector<Chain>& chains_;
    FitPatches patches_;
    FitSamples samples_;
    std::vector<Member> members_;
};

}  // namespace

std::vector<Seat> fit_balls(const FitSurface& surface, std::vector<Chain>& parents, std::vector<Seat> start,
                            const FitOptions& options, Progress& progress) {
    return BallFit(surface, parents, options, progress).run(std::move(start));
}

}  // namespace espalier
