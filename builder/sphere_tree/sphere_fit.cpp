// SPDX-License-Identifier: GPL-3.0-or-later
// Variational covering (after Wang et al. 2006, "Variational sphere set approximation for solid objects").
// Points of the surface are covered, and the pieces between them at the end. Medial balls with the points
// that they touch are merged, cheapest first, until as many as wanted are left; then balls move to where
// covering what no other ball covers costs least outside volume, neighbours trade points along their seam,
// and balls are exchanged (one pair merged, one ball split), each step only if the sum falls.
#include "builder/sphere_tree/sphere_fit.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "builder/sphere_tree/ball_measure.h"
#include "builder/sphere_tree/region.h"

namespace espalier {
namespace {

using Eigen::Vector3d;
using Indices = std::vector<std::uint32_t>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// A point counts as held by a ball up to this factor of its radius: distances are float32.
constexpr float kHeld = 1.0F + 1e-6F;
/// How often pieces along the seams between balls are split by half and the balls improved.
constexpr int kSeamRounds = 3;
/// How many neighbours a ball is compared with when pairs are merged.
constexpr std::size_t kMergeNeighbours = 6;
/// Steps of the search for a centre, in radii: from the first, until below the last.
struct Steps {
    double first;
    double last;
};
constexpr Steps kCoarse{0.25, 0.06};
constexpr Steps kMedium{0.12, 0.02};
constexpr Steps kFine{0.05, 0.005};

/// A ball and its cost.
struct Fitted {
    Ball ball;
    double cost = kInfinity;
};

using Balls = std::vector<Fitted>;

double cost_of(const Balls& balls) {
    double sum = 0.0;
    for (const Fitted& fitted : balls) {
        sum += fitted.cost;
    }
    return sum;
}

/// The points to cover, coordinate by coordinate in float32.
struct Points {
    std::vector<float> x, y, z;

    std::size_t size() const { return x.size(); }
    void add(const Vector3d& p) {
        x.push_back(static_cast<float>(p.x()));
        y.push_back(static_cast<float>(p.y()));
        z.push_back(static_cast<float>(p.z()));
    }
    Vector3d at(std::size_t i) const { return {x[i], y[i], z[i]}; }
};

class Fitter {
  public:
    Fitter(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
           const std::vector<FitSeed>& seeds, const InsideTest& inside, const FitOptions& options)
        : pieces_(pieces),
          seeds_(seeds),
          options_(options),
          origin_(options.reach.center),
          surface_(context, inside, origin_, options.cell) {
        for (FitSeed& seed : seeds_) {
            seed.point -= origin_;
            seed.ball.center -= origin_;
        }
        collect_points();
    }

    FitResult run() {
        Balls balls = best_start();
        for (int round = 1; round <= kSeamRounds; ++round) {
            refine_seams(balls, round);
            restore(balls);
            if (round < kSeamRounds) {
                improve(balls, 2);
            }
        }
        // From here on balls only grow, so that what one holds is not lost again.
        for (int round = 0; round < 6 && refine_seams(balls, kSeamRounds); ++round) {
            grow(balls);
        }
        return cover(balls);
    }

  private:
    // ---- points ----

    void collect_points() {
        std::vector<Vector3d> corners;
        corners.reserve(3 * pieces_.size());
        for (const Piece& piece : pieces_) {
            corners.insert(corners.end(), piece.corner.begin(), piece.corner.end());
        }
        std::sort(corners.begin(), corners.end(), [](const Vector3d& a, const Vector3d& b) {
            return std::tie(a[0], a[1], a[2]) < std::tie(b[0], b[1], b[2]);
        });
        corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
        points_ = {};
        for (const Vector3d& corner : corners) {
            points_.add(corner - origin_);
        }
        squared_.resize(points_.size());
    }

    /// Squared distances of all points from a place, in `squared_`.
    const std::vector<float>& distances(const Vector3d& from) {
        const auto cx = static_cast<float>(from.x());
        const auto cy = static_cast<float>(from.y());
        const auto cz = static_cast<float>(from.z());
        const float* x = points_.x.data();
        const float* y = points_.y.data();
        const float* z = points_.z.data();
        float* out = squared_.data();
        for (std::size_t i = 0; i < squared_.size(); ++i) {
            const float dx = x[i] - cx;
            const float dy = y[i] - cy;
            const float dz = z[i] - cz;
            out[i] = dx * dx + dy * dy + dz * dz;
        }
        return squared_;
    }

    static float held_limit(const Ball& ball) {
        const float radius = static_cast<float>(ball.radius) * kHeld;
        return radius * radius;
    }

    /// Adds `change` to the count of every point that the ball holds.
    void count_held(const Ball& ball, std::int32_t change) {
        const float limit = held_limit(ball);
        distances(ball.center);
        for (std::size_t i = 0; i < squared_.size(); ++i) {
            held_[i] += squared_[i] <= limit ? change : 0;
        }
    }

    void count_all(const Balls& balls) {
        held_.assign(points_.size(), 0);
        for (const Fitted& fitted : balls) {
            count_held(fitted.ball, 1);
        }
    }

    /// Each point with the ball whose centre is nearest in radii: a small ball keeps what lies near its
    /// centre even where a large one is around it.
    std::vector<Indices> owned_points(const Balls& balls) {
        std::vector<float> least(points_.size(), std::numeric_limits<float>::infinity());
        Indices owner(points_.size(), 0);
        for (std::uint32_t b = 0; b < balls.size(); ++b) {
            const auto radius = static_cast<float>(balls[b].ball.radius);
            const float scale = radius > 0.0F ? 1.0F / (radius * radius) : 1e30F;
            distances(balls[b].ball.center);
            for (std::size_t i = 0; i < squared_.size(); ++i) {
                const float ratio = squared_[i] * scale;
                owner[i] = ratio < least[i] ? b : owner[i];
                least[i] = ratio < least[i] ? ratio : least[i];
            }
        }
        std::vector<Indices> owned(balls.size());
        for (std::uint32_t i = 0; i < owner.size(); ++i) {
            owned[owner[i]].push_back(i);
        }
        return owned;
    }

    Vector3d middle_of(const Indices& points) const {
        Vector3d sum = Vector3d::Zero();
        for (const std::uint32_t i : points) {
            sum += points_.at(i);
        }
        return sum / static_cast<double>(points.size());
    }

    // ---- one ball ----

    /// The ball's outside volume plus what the surface it covers will cost its children: `count` balls over
    /// an area bulge by about that area squared, divided by their radius and number.
    double cost_of_ball(const Ball& ball) {
        const double beyond = ball.center.norm() + ball.radius - options_.reach.radius;
        if (beyond > 0.0) {
            // Larger than any true cost, and still less for a ball that is less far out.
            return 5.0 * ball.radius * ball.radius * (ball.radius + beyond);
        }
        const BallMeasure measure = surface_.measure(ball);
        return measure.outside + options_.area_weight * measure.area * measure.area / ball.radius;
    }

    /// The points of one ball, padded to whole lanes.
    void gather(const Indices& points) {
        corner_blocks_.resize((points.size() + kLanes - 1) / kLanes);
        for (std::size_t k = 0; k < corner_blocks_.size() * kLanes; ++k) {
            const std::uint32_t i = points[std::min(k, points.size() - 1)];
            CornerBlock& block = corner_blocks_[k / kLanes];
            block.x[k % kLanes] = points_.x[i];
            block.y[k % kLanes] = points_.y[i];
            block.z[k % kLanes] = points_.z[i];
        }
    }

    double radius_around(const Vector3d& center) const {
        const auto cx = static_cast<float>(center.x());
        const auto cy = static_cast<float>(center.y());
        const auto cz = static_cast<float>(center.z());
        Lanes most = Lanes::Zero();
        for (const CornerBlock& block : corner_blocks_) {
            const Lanes dx = block.x - cx;
            const Lanes dy = block.y - cy;
            const Lanes dz = block.z - cz;
            most = most.max(dx * dx + dy * dy + dz * dz);
        }
        return std::sqrt(static_cast<double>(most.maxCoeff()));
    }

    /// Compass search for the centre whose covering ball costs least: along the axes and the diagonals in
    /// turn, because the radius is not smooth and either set of directions alone gets caught on a ridge.
    Fitted settle(const Indices& points, const Vector3d& start, const Steps& steps) {
        static constexpr double kThird = 0.57735026918962576;
        gather(points);
        Fitted best{{start, radius_around(start)}, 0.0};
        if (best.ball.radius <= 0.0) {
            return best;
        }
        best.cost = cost_of_ball(best.ball);
        const double scale = best.ball.radius;
        int failures = 0;
        for (double step = steps.first * scale; step > steps.last * scale;) {
            const bool diagonal = failures % 2 == 1;
            bool moved = false;
            for (int d = 0; d < (diagonal ? 8 : 6); ++d) {
                Vector3d offset = Vector3d::Zero();
                if (diagonal) {
                    offset = Vector3d((d & 1) != 0 ? kThird : -kThird, (d & 2) != 0 ? kThird : -kThird,
                                      (d & 4) != 0 ? kThird : -kThird);
                } else {
                    offset[d / 2] = d % 2 == 0 ? 1.0 : -1.0;
                }
                const Vector3d center = best.ball.center + step * offset;
                const Ball ball{center, radius_around(center)};
                const double cost = cost_of_ball(ball);
                if (cost < best.cost) {
                    best = {ball, cost};
                    moved = true;
                }
            }
            if (!moved) {
                step *= 0.6;
                ++failures;
            }
        }
        return best;
    }

    // ---- start ----

    /// The best of several starts, each after improvement. Which one leads to the best set cannot be
    /// foreseen.
    Balls best_start() {
        static constexpr std::size_t kSeedsPerBall[] = {6, 4, 9, 3, 13, 5, 19, 7};
        Balls best;
        double least = kInfinity;
        for (std::size_t s = 0; s < std::clamp<std::size_t>(options_.starts, 1, std::size(kSeedsPerBall));
             ++s) {
            Balls balls = merge_seeds(kSeedsPerBall[s]);
            improve(balls, 3);
            exchange(balls);
            if (cost_of(balls) < least) {
                least = cost_of(balls);
                best = std::move(balls);
            }
        }
        return best;
    }

    /// Points of the surface far from each other, each with its medial ball; the points themselves where the
    /// medial axis is not known.
    std::vector<FitSeed> spread_seeds(std::size_t most) const {
        std::vector<FitSeed> all = seeds_;
        if (all.size() < most) {
            for (std::size_t i = 0; i < points_.size(); ++i) {
                all.push_back({points_.at(i), {points_.at(i), 0.0}});
            }
        }
        std::vector<double> distance(all.size(), kInfinity);
        std::vector<FitSeed> chosen;
        std::size_t next = 0;
        double farthest = kInfinity;
        while (chosen.size() < most && farthest > 0.0) {
            chosen.push_back(all[next]);
            farthest = 0.0;
            for (std::size_t i = 0; i < all.size(); ++i) {
                distance[i] = std::min(distance[i], (all[i].point - chosen.back().point).squaredNorm());
                if (distance[i] > farthest) {
                    farthest = distance[i];
                    next = i;
                }
            }
        }
        return chosen;
    }

    struct Cluster {
        Fitted fitted;
        Indices points;
        bool alive = true;
    };

    std::vector<Cluster> seed_clusters(std::size_t seeds_per_ball) {
        const std::vector<FitSeed> seeds = spread_seeds(seeds_per_ball * options_.count);
        // A point belongs to the ball whose surface it is nearest to.
        std::vector<float> least(points_.size(), std::numeric_limits<float>::infinity());
        Indices owner(points_.size(), 0);
        for (std::uint32_t s = 0; s < seeds.size(); ++s) {
            const auto radius = static_cast<float>(seeds[s].ball.radius);
            distances(seeds[s].ball.center);
            for (std::size_t i = 0; i < squared_.size(); ++i) {
                const float excess = std::sqrt(squared_[i]) - radius;
                owner[i] = excess < least[i] ? s : owner[i];
                least[i] = excess < least[i] ? excess : least[i];
            }
        }
        std::vector<Cluster> clusters(seeds.size());
        for (std::uint32_t i = 0; i < owner.size(); ++i) {
            clusters[owner[i]].points.push_back(i);
        }
        std::erase_if(clusters, [](const Cluster& c) { return c.points.empty(); });
        for (Cluster& cluster : clusters) {
            cluster.fitted =
                settle(cluster.points, seeds[owner[cluster.points.front()]].ball.center, kCoarse);
        }
        return clusters;
    }

    Cluster merged(const Cluster& a, const Cluster& b) {
        Cluster both;
        both.points = a.points;
        both.points.insert(both.points.end(), b.points.begin(), b.points.end());
        // From the larger ball: the smaller one often fits in with a small move.
        const double total = a.fitted.ball.radius + b.fitted.ball.radius;
        const double share = total > 0.0 ? a.fitted.ball.radius / total : 0.5;
        both.fitted =
            settle(both.points, share * a.fitted.ball.center + (1.0 - share) * b.fitted.ball.center, kCoarse);
        return both;
    }

    struct Merge {
        double loss;
        std::uint32_t a, b;
        Fitted fitted;
        bool operator<(const Merge& other) const {
            return std::tie(loss, a, b) < std::tie(other.loss, other.a, other.b);
        }
    };

    void add_merges(const std::vector<Cluster>& clusters, std::uint32_t a, bool all,
                    std::vector<Merge>& merges) {
        std::vector<std::pair<double, std::uint32_t>> near;
        for (std::uint32_t b = 0; b < clusters.size(); ++b) {
            if (b != a && clusters[b].alive) {
                near.emplace_back(
                    (clusters[a].fitted.ball.center - clusters[b].fitted.ball.center).squaredNorm(), b);
            }
        }
        const std::size_t count = std::min(kMergeNeighbours, near.size());
        std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint32_t b = near[k].second;
            if (all || a < b) {
                const Cluster both = merged(clusters[a], clusters[b]);
                merges.push_back({both.fitted.cost - clusters[a].fitted.cost - clusters[b].fitted.cost,
                                  std::min(a, b), std::max(a, b), both.fitted});
            }
        }
    }

    /// Merges the pair that costs least, again and again (compare Hubbard 1996, section 5.2).
    Balls merge_seeds(std::size_t seeds_per_ball) {
        std::vector<Cluster> clusters = seed_clusters(seeds_per_ball);
        std::vector<Merge> merges;
        for (std::uint32_t a = 0; a < clusters.size(); ++a) {
            add_merges(clusters, a, false, merges);
        }
        for (std::size_t left = clusters.size(); left > options_.count && !merges.empty(); --left) {
            const Merge best = *std::min_element(merges.begin(), merges.end());
            clusters[best.a].points.insert(clusters[best.a].points.end(), clusters[best.b].points.begin(),
                                           clusters[best.b].points.end());
            clusters[best.a].fitted = best.fitted;
            clusters[best.b].alive = false;
            std::erase_if(merges, [&](const Merge& m) {
                return m.a == best.a || m.b == best.a || m.a == best.b || m.b == best.b;
            });
            add_merges(clusters, best.a, true, merges);
        }
        Balls balls;
        for (const Cluster& cluster : clusters) {
            if (cluster.alive) {
                balls.push_back(cluster.fitted);
            }
        }
        refill(balls);
        return balls;
    }

    // ---- improvement ----

    void improve(Balls& balls, int rounds) {
        for (int round = 0; round < rounds; ++round) {
            const double before = cost_of(balls);
            reassign(balls);
            tighten(balls);
            trade(balls);
            refill(balls);
            if (cost_of(balls) > 0.998 * before) {
                break;
            }
        }
    }

    /// Makes balls that lost points, or were never asked to hold them, hold them: the nearest one in radii.
    void restore(Balls& balls) {
        count_all(balls);
        const std::vector<Indices> owned = owned_points(balls);
        std::vector<Indices> wanted(balls.size());
        for (std::size_t b = 0; b < balls.size(); ++b) {
            const bool complete =
                std::all_of(owned[b].begin(), owned[b].end(), [&](std::uint32_t i) { return held_[i] > 0; });
            if (!complete) {
                wanted[b] = needed_points(balls[b].ball);
                std::copy_if(owned[b].begin(), owned[b].end(), std::back_inserter(wanted[b]),
                             [&](std::uint32_t i) { return held_[i] == 0; });
            }
        }
        // What two growing balls hold both is needed by neither alone, but both could let it go.
        for (std::size_t b = 0; b < balls.size(); ++b) {
            if (!wanted[b].empty()) {
                std::copy_if(owned[b].begin(), owned[b].end(), std::back_inserter(wanted[b]),
                             [&](std::uint32_t i) { return held_[i] > 1; });
                balls[b] = settle(wanted[b], balls[b].ball.center, kFine);
            }
        }
    }

    /// The same without moving a centre.
    void grow(Balls& balls) {
        count_all(balls);
        const std::vector<Indices> owned = owned_points(balls);
        for (std::size_t b = 0; b < balls.size(); ++b) {
            Ball& ball = balls[b].ball;
            for (const std::uint32_t i : owned[b]) {
                if (held_[i] == 0) {
                    ball.radius = std::max(ball.radius, (points_.at(i) - ball.center).norm());
                }
            }
        }
    }

    /// Every point to the nearest ball in radii, every ball around its points; undone if that costs more.
    void reassign(Balls& balls) {
        for (int round = 0; round < 3; ++round) {
            const std::vector<Indices> owned = owned_points(balls);
            Balls moved;
            for (std::size_t b = 0; b < balls.size(); ++b) {
                if (!owned[b].empty()) {
                    moved.push_back(settle(owned[b], balls[b].ball.center, kMedium));
                }
            }
            if (cost_of(moved) >= cost_of(balls)) {
                return;
            }
            balls = std::move(moved);
        }
    }

    /// The points that only this ball holds.
    Indices needed_points(const Ball& ball) {
        const float limit = held_limit(ball);
        distances(ball.center);
        Indices points;
        for (std::uint32_t i = 0; i < squared_.size(); ++i) {
            if (held_[i] == 1 && squared_[i] <= limit) {
                points.push_back(i);
            }
        }
        return points;
    }

    /// Costliest first, each ball shrinks to what no other ball holds.
    void tighten(Balls& balls) {
        count_all(balls);
        std::vector<std::size_t> order(balls.size());
        std::iota(order.begin(), order.end(), std::size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return balls[a].cost > balls[b].cost; });
        std::vector<std::uint8_t> needless(balls.size(), 0);
        for (const std::size_t b : order) {
            const Indices points = needed_points(balls[b].ball);
            if (points.empty()) {
                needless[b] = 1;
                count_held(balls[b].ball, -1);
                continue;
            }
            const Fitted better = settle(points, balls[b].ball.center, kMedium);
            if (better.cost < balls[b].cost) {
                count_held(balls[b].ball, -1);
                count_held(better.ball, 1);
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

    /// Points of two balls that no third one holds, with their squared distances from both.
    struct Seam {
        Indices points;
        std::vector<float> from_a, from_b;
    };

    Seam seam_of(const Ball& a, const Ball& b) {
        const float limit_a = held_limit(a);
        const float limit_b = held_limit(b);
        const std::vector<float> from_a = distances(a.center);
        distances(b.center);
        Seam seam;
        for (std::uint32_t i = 0; i < squared_.size(); ++i) {
            const int mine = (from_a[i] <= limit_a ? 1 : 0) + (squared_[i] <= limit_b ? 1 : 0);
            if (mine > 0 && held_[i] == mine) {
                seam.points.push_back(i);
                seam.from_a.push_back(from_a[i]);
                seam.from_b.push_back(squared_[i]);
            }
        }
        return seam;
    }

    /// Moves the seam between two balls: `a` takes points as if its radius were `factor` times as large.
    bool shift_seam(Fitted& a, Fitted& b, double factor) {
        const Seam seam = seam_of(a.ball, b.ball);
        const auto scale_a = static_cast<float>(1.0 / (factor * factor * a.ball.radius * a.ball.radius));
        const auto scale_b = static_cast<float>(1.0 / (b.ball.radius * b.ball.radius));
        Indices of_a;
        Indices of_b;
        for (std::size_t k = 0; k < seam.points.size(); ++k) {
            (seam.from_a[k] * scale_a <= seam.from_b[k] * scale_b ? of_a : of_b).push_back(seam.points[k]);
        }
        if (of_a.empty() || of_b.empty()) {
            return false;
        }
        const Fitted new_a = settle(of_a, a.ball.center, kMedium);
        if (new_a.cost >= a.cost + b.cost) {
            return false;
        }
        const Fitted new_b = settle(of_b, b.ball.center, kMedium);
        if (new_a.cost + new_b.cost >= (a.cost + b.cost) * 0.9995) {
            return false;
        }
        count_held(a.ball, -1);
        count_held(b.ball, -1);
        a = new_a;
        b = new_b;
        count_held(a.ball, 1);
        count_held(b.ball, 1);
        return true;
    }

    /// Neighbours trade the points along their seam while that helps.
    void trade(Balls& balls) {
        count_all(balls);
        for (std::size_t a = 0; a < balls.size(); ++a) {
            for (const std::size_t b : neighbours(balls, a, 8)) {
                if (a < b) {
                    for (const double factor : {1.06, 1.0 / 1.06}) {
                        for (int k = 0; k < 4 && shift_seam(balls[a], balls[b], factor); ++k) {
                        }
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

    using Pair = std::pair<Fitted, Fitted>;

    /// Two balls in place of one, the cheapest of: halves across the largest extent of the surface, halves
    /// across the largest extent of the medial axis, and an extremity of small or medium size with the rest.
    Pair split(const Indices& points, const Ball& ball) {
        std::uint32_t extreme = points.front();
        double most = -1.0;
        for (const std::uint32_t i : points) {
            const double d = (points_.at(i) - ball.center).squaredNorm();
            if (d > most) {
                most = d;
                extreme = i;
            }
        }
        Pair best = halves(points, extreme);
        const Pair rings = medial_halves(points, ball);
        if (rings.first.cost + rings.second.cost < best.first.cost + best.second.cost) {
            best = rings;
        }
        for (const double share : {0.4, 0.8}) {
            const Pair pair = peel(points, ball, points_.at(extreme), share * ball.radius);
            if (pair.first.cost + pair.second.cost < best.first.cost + best.second.cost) {
                best = pair;
            }
        }
        return best;
    }

    Pair halves(const Indices& points, std::uint32_t extreme) {
        Vector3d center[2] = {points_.at(extreme), points_.at(extreme)};
        double most = -1.0;
        for (const std::uint32_t i : points) {
            const double d = (points_.at(i) - center[0]).squaredNorm();
            if (d > most) {
                most = d;
                center[1] = points_.at(i);
            }
        }
        Indices half[2];
        for (int round = 0; round < 4; ++round) {
            half[0].clear();
            half[1].clear();
            for (const std::uint32_t i : points) {
                const Vector3d p = points_.at(i);
                half[(p - center[0]).squaredNorm() <= (p - center[1]).squaredNorm() ? 0 : 1].push_back(i);
            }
            if (half[0].empty() || half[1].empty()) {
                return {};
            }
            center[0] = middle_of(half[0]);
            center[1] = middle_of(half[1]);
        }
        return {settle(half[0], center[0], kCoarse), settle(half[1], center[1], kCoarse)};
    }

    Pair medial_halves(const Indices& points, const Ball& ball) {
        Vector3d end[2] = {ball.center, ball.center};
        for (int e = 0; e < 2; ++e) {
            const Vector3d from = end[0];
            double most = 0.0;
            for (const FitSeed& seed : seeds_) {
                const double d = (seed.ball.center - from).squaredNorm();
                if (d > most && (seed.point - ball.center).squaredNorm() <= ball.radius * ball.radius) {
                    most = d;
                    end[e] = seed.ball.center;
                }
            }
            if (e == 0) {
                end[1] = end[0];
            }
        }
        Indices half[2];
        for (const std::uint32_t i : points) {
            const Vector3d p = points_.at(i);
            half[(p - end[0]).squaredNorm() <= (p - end[1]).squaredNorm() ? 0 : 1].push_back(i);
        }
        if (half[0].empty() || half[1].empty()) {
            return {};
        }
        return {settle(half[0], 0.5 * (ball.center + end[0]), kCoarse),
                settle(half[1], 0.5 * (ball.center + end[1]), kCoarse)};
    }

    Pair peel(const Indices& points, const Ball& ball, const Vector3d& extreme, double reach) {
        Indices near;
        Indices rest;
        for (const std::uint32_t i : points) {
            ((points_.at(i) - extreme).squaredNorm() <= reach * reach ? near : rest).push_back(i);
        }
        if (near.empty() || rest.empty()) {
            return {};
        }
        return {settle(near, middle_of(near), kCoarse), settle(rest, ball.center, kCoarse)};
    }

    /// While there are fewer balls than wanted, splits the one that gains most by it.
    void refill(Balls& balls) {
        while (balls.size() < options_.count) {
            const std::vector<Indices> owned = owned_points(balls);
            double most = 0.0;
            std::size_t chosen = balls.size();
            Pair chosen_pair;
            std::vector<std::size_t> order(balls.size());
            std::iota(order.begin(), order.end(), std::size_t(0));
            std::stable_sort(order.begin(), order.end(),
                             [&](std::size_t a, std::size_t b) { return balls[a].cost > balls[b].cost; });
            for (std::size_t k = 0; k < std::min<std::size_t>(4, order.size()); ++k) {
                const std::size_t b = order[k];
                if (owned[b].size() < 2) {
                    continue;
                }
                const Pair pair = split(owned[b], balls[b].ball);
                const double gain = balls[b].cost - pair.first.cost - pair.second.cost;
                if (gain > most) {
                    most = gain;
                    chosen = b;
                    chosen_pair = pair;
                }
            }
            if (chosen == balls.size()) {
                return;
            }
            balls[chosen] = chosen_pair.first;
            balls.push_back(chosen_pair.second);
        }
    }

    struct Plan {
        double change;
        std::size_t a, b, c;
        Fitted both;
        Pair halves;
    };

    /// Every merge of neighbours joined with the split of a third ball, by what they change together.
    std::vector<Plan> plans(const Balls& balls) {
        count_all(balls);
        std::vector<Plan> merges;
        std::vector<Plan> splits;
        for (std::size_t a = 0; a < balls.size(); ++a) {
            for (const std::size_t b : neighbours(balls, a, 4)) {
                const Indices points = seam_of(balls[a].ball, balls[b].ball).points;
                if (a < b && !points.empty()) {
                    const Fitted both =
                        settle(points, 0.5 * (balls[a].ball.center + balls[b].ball.center), kCoarse);
                    merges.push_back({both.cost - balls[a].cost - balls[b].cost, a, b, 0, both, {}});
                }
            }
            const Indices points = needed_points(balls[a].ball);
            if (points.size() > 1) {
                const Pair halves = split(points, balls[a].ball);
                splits.push_back(
                    {halves.first.cost + halves.second.cost - balls[a].cost, 0, 0, a, {}, halves});
            }
        }
        std::vector<Plan> joined;
        for (const Plan& m : merges) {
            for (const Plan& s : splits) {
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
                const bool held = std::any_of(balls.begin(), balls.end(), [&](const Fitted& fitted) {
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
        if (any) {
            pieces_ = std::move(finer);
            collect_points();
        }
        return any;
    }

    FitResult cover(const Balls& balls) const {
        FitResult result;
        for (const Fitted& fitted : balls) {
            result.balls.push_back({fitted.ball.center + origin_, fitted.ball.radius});
        }
        auto owned = cover_pieces(result.balls, pieces_, options_.smallest_piece / 4.0, options_.slack);
        std::size_t kept = 0;
        for (std::size_t b = 0; b < owned.size(); ++b) {
            if (!owned[b].empty()) {
                result.balls[kept++] = result.balls[b];
                result.owned.push_back(std::move(owned[b]));
            }
        }
        result.balls.resize(kept);
        return result;
    }

    struct CornerBlock {
        Lanes x, y, z;
    };

    std::vector<Piece> pieces_;
    std::vector<FitSeed> seeds_;
    FitOptions options_;
    Vector3d origin_;  ///< balls and points are stored relative to this
    SurfaceQuadrature surface_;
    Points points_;
    std::vector<float> squared_;      ///< by point: last computed distances
    std::vector<std::int32_t> held_;  ///< by point: number of balls that hold it
    std::vector<CornerBlock> corner_blocks_;
};

}  // namespace

FitResult fit_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                      const std::vector<FitSeed>& seeds, const InsideTest& inside,
                      const FitOptions& options) {
    return Fitter(pieces, context, seeds, inside, options).run();
}

}  // namespace espalier
