// SPDX-License-Identifier: GPL-3.0-or-later
// Variational covering (after Wang et al. 2006, "Variational sphere set approximation for solid objects").
// Points of the surface are covered, and the pieces between them at the end. Medial balls with the points
// that they touch are merged, cheapest first, until as many as wanted are left; then balls move to where
// covering what no other ball covers costs least outside volume, neighbours trade points along their seam,
// and balls are exchanged (one pair merged, one ball split), each step only if the sum falls.
#include "builder/sphere_tree/sphere_fit.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "builder/sphere_tree/ball_merge.h"
#include "builder/sphere_tree/ball_split.h"
#include "builder/sphere_tree/point_cover.h"
#include "builder/sphere_tree/region.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// How often pieces along the seams between balls are split by half and the balls improved.
constexpr int kSeamRounds = 3;
/// Points nearer than this, in sizes of the smallest pieces, count as one.
constexpr double kSeamSpacing = 0.25;
/// Balls must stick out by less than this share of their parent's error to be worth more volume.
constexpr double kHardlyLess = 0.8;
/// Balls to begin with for each of the largest number whose cost is asked for.
constexpr std::size_t kSeedsPerCount = 3;

class Fitter {
  public:
    Fitter(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
           const std::vector<FitSeed>& seeds, const InsideTest& inside, const FitOptions& options)
        : pieces_(pieces),
          seeds_(seeds),
          options_(options),
          origin_(options.reach.center),
          cover_(context, inside, options) {
        for (FitSeed& seed : seeds_) {
            seed.point -= origin_;
            seed.ball.center -= origin_;
        }
        std::erase_if(seeds_, [&](const FitSeed& seed) { return cover_.is_taken(seed.point); });
        // Very fine meshes have more corners than a first set of balls has use for.
        cover_.set_points(pieces_, 2.0 * options_.smallest_piece);
    }

    FitResult run() {
        if (nothing_left()) {
            return {};
        }
        Balls balls = first_set();
        const bool fresh = !options_.settled;
        for (int round = fresh ? 1 : kSeamRounds; round <= kSeamRounds; ++round) {
            refine_seams(balls, round);
            restore(balls);
            if (round < kSeamRounds) {
                improve(balls, 2);
            }
        }
        keep_parent(balls);
        return result(balls);
    }

    std::vector<Sketch> sketches() {
        std::vector<Sketch> sketches;
        if (nothing_left()) {
            return std::vector<Sketch>(options_.count);
        }
        for (const Balls& balls : merge_all(cover_, seeds_, options_.count, kSeedsPerCount)) {
            sketches.push_back({absolute(balls), cost_of(balls)});
        }
        return sketches;
    }

  private:
    bool nothing_left() const {
        for (std::size_t i = 0; i < cover_.size(); ++i) {
            if (!cover_.taken(i)) {
                return false;
            }
        }
        return true;
    }

    // ---- start ----

    Balls first_set() {
        static constexpr std::size_t kSeedsPerBall[] = {6, 4, 9, 3, 13, 5, 19, 7};
        Balls balls = options_.start.empty()
                          ? merge_seeds(cover_, seeds_, options_.count,
                                        kSeedsPerBall[options_.start_kind % std::size(kSeedsPerBall)],
                                        options_.start_kind / std::size(kSeedsPerBall))
                          : given_start();
        improve(balls, 3);
        if (options_.exchange) {
            exchange(balls);
        }
        return balls;
    }

    Balls given_start() {
        Balls balls;
        for (const Ball& ball : options_.start) {
            const Ball here{ball.center - origin_, ball.radius};
            balls.push_back({here, cover_.cost_of_ball(here)});
        }
        if (options_.settled) {
            refine_seams(balls, kSeamRounds);
        }
        restore(balls);
        reduce(balls);
        refill(cover_, seeds_, balls, options_.count);
        return balls;
    }

    std::vector<Ball> absolute(const Balls& balls) const {
        std::vector<Ball> result;
        for (const Fitted& fitted : balls) {
            result.push_back({fitted.ball.center + origin_, fitted.ball.radius});
        }
        return result;
    }

    /// A ball that costs no more than those found for it and sticks out hardly more, or bulges less than one
    /// of them, needs no others.
    void keep_parent(Balls& balls) {
        const Ball parent{options_.parent.center - origin_, options_.parent.radius};
        const double cost = cover_.cost_of_ball(parent);
        const double outside = cover_.outside_of(parent);
        double most = 0.0;
        bool bulges_more = false;
        for (const Fitted& fitted : balls) {
            most = std::max(most, cover_.bulge_of(fitted.ball));
            bulges_more = bulges_more || cover_.outside_of(fitted.ball) >= outside;
        }
        if (bulges_more || (cost <= cost_of(balls) && most >= kHardlyLess * cover_.bulge_of(parent))) {
            balls = {{parent, cost, 0}};
        }
    }

    // ---- improvement ----

    void improve(Balls& balls, int rounds) {
        for (int round = 0; round < rounds; ++round) {
            const double before = cost_of(balls);
            reassign(balls);
            tighten(balls);
            trade(balls);
            refill(cover_, seeds_, balls, options_.count);
            if (cost_of(balls) > 0.998 * before) {
                break;
            }
        }
    }

    /// The ball that would grow least in volume to hold the point.
    static std::size_t cheapest_ball(const Balls& balls, const Vector3d& point) {
        std::size_t best = 0;
        double least = kInfinity;
        for (std::size_t b = 0; b < balls.size(); ++b) {
            const double distance = (point - balls[b].ball.center).norm();
            const double radius = balls[b].ball.radius;
            const double growth = distance * distance * distance - radius * radius * radius;
            if (growth < least) {
                least = growth;
                best = b;
            }
        }
        return best;
    }

    /// By ball: the points that no ball holds, for the one to which they cost least.
    std::vector<Indices> lost_points(const Balls& balls) {
        cover_.count_all(balls);
        std::vector<Indices> lost(balls.size());
        for (std::uint32_t i = 0; i < cover_.size(); ++i) {
            if (cover_.held(i) == 0) {
                lost[cheapest_ball(balls, cover_.at(i))].push_back(i);
            }
        }
        return lost;
    }

    /// Makes balls hold the points that were lost, or that they were never asked to hold.
    void restore(Balls& balls) {
        if (balls.empty()) {
            return;  // all was taken; what a finer look finds is left to cover_level
        }
        const std::vector<Indices> lost = lost_points(balls);
        for (std::size_t b = 0; b < balls.size(); ++b) {
            Indices wanted;
            std::copy_if(lost[b].begin(), lost[b].end(), std::back_inserter(wanted),
                         [&](std::uint32_t i) { return cover_.held(i) == 0; });
            if (!wanted.empty()) {
                const Indices needed = cover_.needed_points(balls[b].ball);
                wanted.insert(wanted.end(), needed.begin(), needed.end());
                cover_.count_held(balls[b].ball, -1);
                balls[b] = cover_.settle(wanted, balls[b].ball.center, kFine);
                cover_.count_held(balls[b].ball, 1);
            }
        }
    }

    /// Every point to the nearest ball in radii, every ball around its points; undone if that costs more.
    void reassign(Balls& balls) {
        for (int round = 0; round < 3; ++round) {
            const std::vector<Indices> owned = cover_.owned_points(balls);
            Balls moved;
            for (std::size_t b = 0; b < balls.size(); ++b) {
                if (!owned[b].empty()) {
                    moved.push_back(cover_.settle(owned[b], balls[b].ball.center, kMedium));
                }
            }
            if (cost_of(moved) >= cost_of(balls)) {
                return;
            }
            balls = std::move(moved);
        }
    }

    /// Costliest first, each ball shrinks to what no other ball holds.
    void tighten(Balls& balls) {
        cover_.count_all(balls);
        std::vector<std::size_t> order(balls.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return balls[a].cost > balls[b].cost; });
        std::vector<std::uint8_t> needless(balls.size(), 0);
        for (const std::size_t b : order) {
            const Indices points = cover_.needed_points(balls[b].ball);
            if (points.empty()) {
                needless[b] = 1;
                cover_.count_held(balls[b].ball, -1);
                continue;
            }
            const Fitted better = cover_.settle(points, balls[b].ball.center, kMedium);
            if (better.cost < balls[b].cost) {
                cover_.count_held(balls[b].ball, -1);
                cover_.count_held(better.ball, 1);
                balls[b] = better;
            }
        }
        std::size_t kept = 0;
        for (std::size_t b = 0; b < balls.size(); ++b) {
            if (!needless[b]) {
                balls[kept++] = balls[b];
            }
        }
        balls.resize(kept);
    }

    /// The points of two balls, as if the radius of `a` were `factor` times as large.
    std::pair<Indices, Indices> shifted_seam(const Ball& a, const Ball& b, double factor) {
        const Seam seam = cover_.seam_of(a, b);
        const auto scale_a = static_cast<float>(1.0 / (factor * factor * a.radius * a.radius));
        const auto scale_b = static_cast<float>(1.0 / (b.radius * b.radius));
        std::pair<Indices, Indices> points;
        for (std::size_t k = 0; k < seam.points.size(); ++k) {
            (seam.from_a[k] * scale_a <= seam.from_b[k] * scale_b ? points.first : points.second)
                .push_back(seam.points[k]);
        }
        return points;
    }

    /// Moves the seam between two balls if that helps.
    bool shift_seam(Fitted& a, Fitted& b, double factor) {
        const auto [of_a, of_b] = shifted_seam(a.ball, b.ball, factor);
        if (of_a.empty() || of_b.empty()) {
            return false;
        }
        const Fitted new_a = cover_.settle(of_a, a.ball.center, kMedium);
        if (new_a.cost >= a.cost + b.cost) {
            return false;
        }
        const Fitted new_b = cover_.settle(of_b, b.ball.center, kMedium);
        if (new_a.cost + new_b.cost >= (a.cost + b.cost) * 0.9995) {
            return false;
        }
        cover_.count_held(a.ball, -1);
        cover_.count_held(b.ball, -1);
        a = new_a;
        b = new_b;
        cover_.count_held(a.ball, 1);
        cover_.count_held(b.ball, 1);
        return true;
    }

    /// Neighbours trade the points along their seam while that helps.
    void trade(Balls& balls) {
        cover_.count_all(balls);
        for (std::size_t a = 0; a < balls.size(); ++a) {
            for (const std::size_t b : neighbours(balls, a, 8)) {
                if (a < b && !in_vain_.contains({balls[a].name, balls[b].name})) {
                    bool moved = false;
                    for (const double factor : {1.06, 1.0 / 1.06}) {
                        for (int k = 0; k < 4 && shift_seam(balls[a], balls[b], factor); ++k) {
                            moved = true;
                        }
                    }
                    if (!moved && balls[a].name > 0 && balls[b].name > 0) {
                        in_vain_.emplace(balls[a].name, balls[b].name);
                    }
                }
            }
        }
    }

    static std::vector<std::size_t> neighbours(const Balls& balls, std::size_t a, std::size_t most) {
        std::vector<std::pair<double, std::size_t>> near;
        for (std::size_t b = 0; b < balls.size(); ++b) {
            const double gap = (balls[a].ball.center - balls[b].ball.center).norm() - balls[a].ball.radius -
                               balls[b].ball.radius;
            if (b != a && gap < 0.0) {
                near.emplace_back((balls[a].ball.center - balls[b].ball.center).squaredNorm(), b);
            }
        }
        std::sort(near.begin(), near.end());
        std::vector<std::size_t> found;
        for (std::size_t k = 0; k < std::min(most, near.size()); ++k) {
            found.push_back(near[k].second);
        }
        return found;
    }

    // ---- exchange ----

    struct Plan {
        double change;
        std::size_t a, b, c;
        Fitted both;
        Pair halves;
    };

    /// Every merge of neighbours.
    std::vector<Plan> merges(const Balls& balls) {
        std::vector<Plan> found;
        for (std::size_t a = 0; a < balls.size(); ++a) {
            for (const std::size_t b : neighbours(balls, a, 4)) {
                const Indices points = cover_.seam_of(balls[a].ball, balls[b].ball).points;
                if (a < b && !points.empty()) {
                    const Fitted both =
                        cover_.settle(points, 0.5 * (balls[a].ball.center + balls[b].ball.center), kCoarse);
                    found.push_back({both.cost - balls[a].cost - balls[b].cost, a, b, 0, both, {}});
                }
            }
        }
        return found;
    }

    /// The split of every ball.
    std::vector<Plan> splits(const Balls& balls) {
        std::vector<Plan> found;
        for (std::size_t c = 0; c < balls.size(); ++c) {
            const Indices points = cover_.needed_points(balls[c].ball);
            if (points.size() > 1) {
                const Pair halves = split(cover_, seeds_, points, balls[c].ball);
                found.push_back(
                    {halves.first.cost + halves.second.cost - balls[c].cost, 0, 0, c, {}, halves});
            }
        }
        return found;
    }

    /// Every merge of neighbours joined with the split of a third ball, by what they change together.
    std::vector<Plan> plans(const Balls& balls) {
        cover_.count_all(balls);
        const std::vector<Plan> merging = merges(balls);
        const std::vector<Plan> splitting = splits(balls);
        std::vector<Plan> joined;
        for (const Plan& m : merging) {
            for (const Plan& s : splitting) {
                const double change = m.change + s.change;
                if (s.c != m.a && s.c != m.b && change < 0.1 * cost_of(balls)) {
                    joined.push_back({change, m.a, m.b, s.c, m.both, s.halves});
                }
            }
        }
        std::stable_sort(joined.begin(), joined.end(),
                         [](const Plan& x, const Plan& y) { return x.change < y.change; });
        return joined;
    }

    static bool less_change(const Plan& x, const Plan& y) { return x.change < y.change; }

    /// Merges pairs, cheapest first, while there are more balls than allowed.
    void reduce(Balls& balls) {
        while (balls.size() > options_.count) {
            cover_.count_all(balls);
            const std::vector<Plan> possible = merges(balls);
            if (possible.empty()) {
                return;
            }
            const Plan& best = *std::min_element(possible.begin(), possible.end(), less_change);
            balls[best.a] = best.both;
            balls.erase(balls.begin() + static_cast<std::ptrdiff_t>(best.b));
        }
    }

    FitResult result(const Balls& balls) {
        FitResult result{absolute(balls), cost_of(balls), 0.0, kInfinity};
        cover_.count_all(balls);
        for (const Plan& plan : merges(balls)) {
            result.loss = std::min(result.loss, plan.change);
        }
        for (const Plan& plan : splits(balls)) {
            result.gain = std::max(result.gain, -plan.change);
        }
        return result;
    }

    /// Carries out plans while the whole gets better.
    void exchange(Balls& balls) {
        if (balls.size() < 3) {
            return;
        }
        const std::uint32_t rounds = 1 + 3 * options_.effort;
        for (std::uint32_t round = 0; round < rounds; ++round) {
            bool better = false;
            const std::vector<Plan> possible = plans(balls);
            const std::size_t tries = std::min<std::size_t>(1 + options_.effort, possible.size());
            for (std::size_t p = 0; p < tries && !better; ++p) {
                Balls changed = carry_out(balls, possible, p);
                restore(changed);
                improve(changed, 2);
                if (cost_of(changed) < 0.999 * cost_of(balls)) {
                    balls = std::move(changed);
                    better = true;
                }
            }
            if (!better) {
                return;
            }
        }
    }

    /// Plan `first`, and, where there are many balls, others that promise a gain and touch none of the same.
    static Balls carry_out(const Balls& balls, const std::vector<Plan>& possible, std::size_t first) {
        const std::size_t most = 1 + balls.size() / 32;
        Balls changed = balls;
        std::vector<std::uint8_t> touched(balls.size(), 0);
        std::size_t done = 0;
        for (std::size_t p = first; p < possible.size() && done < most; ++p) {
            const Plan& plan = possible[p];
            if ((done > 0 && plan.change >= 0.0) || touched[plan.a] || touched[plan.b] || touched[plan.c]) {
                continue;
            }
            touched[plan.a] = touched[plan.b] = touched[plan.c] = 1;
            changed[plan.a] = plan.both;
            changed[plan.b] = plan.halves.first;
            changed[plan.c] = plan.halves.second;
            ++done;
        }
        return changed;
    }

    // ---- seams ----

    /// Splits the pieces that lie in no single ball, so that their points count too. False if there
    /// was none to split.
    bool refine_seams(const Balls& balls, int round) {
        const double size = options_.smallest_piece * static_cast<double>(1 << (kSeamRounds - round));
        std::vector<Piece> finer;
        std::vector<Piece> stack;
        bool any = false;
        for (const Piece& piece : pieces_) {
            stack.assign(1, piece);
            while (!stack.empty()) {
                const Piece top = stack.back();
                stack.pop_back();
                if (std::any_of(options_.chain.begin(), options_.chain.end(), [&](const Ball& ball) {
                        return piece_outside_ball(top, ball.center, ball.radius + options_.slack);
                    })) {
                    continue;
                }
                const bool held =
                    piece_taken(top) || std::any_of(balls.begin(), balls.end(), [&](const Fitted& fitted) {
                        return piece_in_ball(top, fitted.ball.center + origin_, fitted.ball.radius);
                    });
                if (held || longest_edge_squared(top) <= size * size) {
                    finer.push_back(top);
                    continue;
                }
                any = true;
                const auto halves = bisect(top);
                stack.push_back(halves[1]);
                stack.push_back(halves[0]);
            }
        }
        if (any || round == 1) {
            pieces_ = std::move(finer);
            cover_.set_points(pieces_, kSeamSpacing * options_.smallest_piece);
            in_vain_.clear();
        }
        return any;
    }

    /// One of the others holds the whole piece.
    bool piece_taken(const Piece& piece) const {
        return std::any_of(options_.taken.begin(), options_.taken.end(), [&](const Taken& taken) {
            return std::all_of(
                       taken.chain.begin(), taken.chain.end(),
                       [&](const Ball& ball) { return piece_in_ball(piece, ball.center, ball.radius); }) &&
                   (!taken.rival ||
                    std::all_of(piece.corner.begin(), piece.corner.end(),
                                [&](const Vector3d& corner) { return cover_.is_taken(corner - origin_); }));
        });
    }

    std::vector<Piece> pieces_;
    std::vector<FitSeed> seeds_;
    FitOptions options_;
    Vector3d origin_;  ///< balls and seeds are relative to this
    PointCover cover_;
    std::set<std::pair<std::uint64_t, std::uint64_t>>
        in_vain_;  ///< pairs of balls that have nothing to trade
};

}  // namespace

std::vector<Sketch> sketch_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                                   const std::vector<FitSeed>& seeds, const InsideTest& inside,
                                   const FitOptions& options) {
    return Fitter(pieces, context, seeds, inside, options).sketches();
}

FitResult fit_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                      const std::vector<FitSeed>& seeds, const InsideTest& inside,
                      const FitOptions& options) {
    return Fitter(pieces, context, seeds, inside, options).run();
}

}  // namespace espalier
