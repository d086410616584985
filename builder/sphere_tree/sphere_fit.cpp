// SPDX-License-Identifier: GPL-3.0-or-later
// Variational covering (after Wang et al. 2006, "Variational sphere set approximation for solid objects"):
// pieces are assigned to balls by distance in radii, each ball moves to where covering its pieces costs least
// outside volume, and balls are exchanged (one pair merged, one ball split) while that lowers the sum. Unlike
// there, what is covered is pieces, not points, so the result covers the surface and not only samples of it.
#include "builder/sphere_tree/sphere_fit.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include "builder/sphere_tree/greedy_cover.h"
#include "builder/sphere_tree/outside_volume.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The greedy start looks at this many medial balls, spread out; more cost time and gain little.
constexpr std::size_t kMedialCandidates = 250;
/// Greedy selection of more balls than this would take too long.
constexpr std::uint32_t kGreedyCount = 64;

/// How much smaller a ball under high pressure seems in the first round, and how fast that fades.
constexpr double kFirstPush = 0.2;
constexpr double kPushDecay = 0.75;

/// A ball with the pieces that it must hold (indices) and its outside volume.
struct Cluster {
    Ball ball;
    std::vector<std::uint32_t> pieces;
    double cost = 0.0;
    double pressure = 0.0;  ///< how fast the outside volume grows with the radius
};

struct State {
    std::vector<Cluster> clusters;
    double cost = kInfinity;
};

/// A draw from 0..count-1 that every library makes alike (the bias of the remainder is of no account here).
std::size_t draw(std::mt19937_64& engine, std::size_t count) {
    return static_cast<std::size_t>(engine() % count);
}

class Fitter {
  public:
    Fitter(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
           const std::vector<Ball>& medial, const InsideTest& inside, const FitOptions& options)
        : pieces_(pieces), medial_(medial), inside_(inside), options_(options) {
        for (const Piece& piece : context) {
            surface_.add(piece);
        }
        measure_pieces();
    }

    FitResult run() {
        State best = best_start();
        if (options_.count > 1) {
            exchange(best);
            for (int round = 0; round < 3; ++round) {
                if (!refine_boundary(best)) {
                    break;
                }
                lloyd(best, 6);
            }
            shed(best);
            shed(best);
        }
        return result(best);
    }

  private:
    void measure_pieces() {
        centroid_.resize(pieces_.size());
        weight_.resize(pieces_.size());
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            const auto& c = pieces_[i].corner;
            centroid_[i] = (c[0] + c[1] + c[2]) / 3.0;
            weight_[i] = 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm();
        }
        number_vertices();
    }

    /// Pieces share corners, six to one: distances are computed once for each.
    void number_vertices() {
        const auto corner = [&](std::uint32_t k) -> const Vector3d& { return pieces_[k / 3].corner[k % 3]; };
        std::vector<std::uint32_t> order(pieces_.size() * 3);
        for (std::uint32_t k = 0; k < order.size(); ++k) {
            order[k] = k;
        }
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const Vector3d& x = corner(a);
            const Vector3d& y = corner(b);
            return std::tie(x[0], x[1], x[2], a) < std::tie(y[0], y[1], y[2], b);
        });
        vertices_.clear();
        vertex_of_.resize(order.size());
        for (const std::uint32_t k : order) {
            if (vertices_.empty() || vertices_.back() != corner(k)) {
                vertices_.push_back(corner(k));
            }
            vertex_of_[k] = static_cast<std::uint32_t>(vertices_.size() - 1);
        }
        seen_.assign(vertices_.size(), 0);
        seen_mark_ = 0;
    }

    // ---- one ball ----

    double radius_around(const Vector3d& center, const std::vector<Vector3d>& corners) const {
        double most = 0.0;
        for (const Vector3d& corner : corners) {
            most = std::max(most, (corner - center).squaredNorm());
        }
        return std::sqrt(most) * (1.0 + 1e-12);
    }

    std::vector<Vector3d> corners_of(const std::vector<std::uint32_t>& pieces) {
        ++seen_mark_;
        std::vector<Vector3d> corners;
        for (const std::uint32_t i : pieces) {
            for (std::uint32_t k = 3 * i; k < 3 * i + 3; ++k) {
                if (seen_[vertex_of_[k]] != seen_mark_) {
                    seen_[vertex_of_[k]] = seen_mark_;
                    corners.push_back(vertices_[vertex_of_[k]]);
                }
            }
        }
        return corners;
    }

    Vector3d middle_of(const std::vector<std::uint32_t>& pieces) const {
        Vector3d sum = Vector3d::Zero();
        double total = 0.0;
        for (const std::uint32_t i : pieces) {
            sum += weight_[i] * centroid_[i];
            total += weight_[i];
        }
        return total > 0.0 ? Vector3d(sum / total) : centroid_[pieces.front()];
    }

    /// The ball's outside volume plus what the surface it covers will cost its children: `count` balls over
    /// an area bulge by about that area squared, divided by their radius and number.
    double cost_of(const Ball& ball, double* pressure) {
        const double beyond =
            (ball.center - options_.reach.center).norm() + ball.radius - options_.reach.radius;
        if (beyond > 0.0) {
            // Larger than any true cost, and still less for a ball that is less far out.
            *pressure = 12.6 * ball.radius * ball.radius;
            return 5.0 * ball.radius * ball.radius * (ball.radius + beyond);
        }
        if ((ball.center - near_ball_.center).norm() + ball.radius > near_ball_.radius) {
            near_ball_ = {ball.center, 1.2 * ball.radius};
            near_.select(surface_, near_ball_);
        }
        const BallMeasure measure = measure_ball(near_, ball, inside_.winding(ball.center));
        *pressure = measure.pressure;
        return measure.outside + options_.area_weight * measure.area * measure.area / ball.radius;
    }

    /// Compass search for the centre whose covering ball has least outside volume. Steps are in radii.
    void settle(Cluster& cluster, double first_step, double last_step) {
        const std::vector<Vector3d> corners = corners_of(cluster.pieces);
        Ball best{cluster.ball.center, radius_around(cluster.ball.center, corners)};
        near_ball_.radius = 0.0;
        double pressure = 0.0;
        double least = cost_of(best, &cluster.pressure);
        const double scale = best.radius;
        for (double step = first_step * scale; step > last_step * scale;) {
            bool moved = false;
            for (int direction = 0; direction < 6; ++direction) {
                Vector3d center = best.center;
                center[direction / 2] += direction % 2 == 0 ? step : -step;
                const Ball ball{center, radius_around(center, corners)};
                const double cost = cost_of(ball, &pressure);
                if (cost < least) {
                    cluster.pressure = pressure;
                    least = cost;
                    best = ball;
                    moved = true;
                }
            }
            if (!moved) {
                step *= 0.5;
            }
        }
        cluster.ball = best;
        cluster.cost = least;
    }

    // ---- all balls ----

    /// Each piece goes to the ball whose centre is nearest in radii: a small ball keeps what lies near its
    /// centre even where a large one is around it, and a piece that some ball holds stays with one that does.
    /// Balls that meet exactly would never change: `push` above 0 makes balls under high pressure seem
    /// smaller, so that what lies at their rim goes to neighbours to whom it costs less.
    void assign(State& state, double push = 0.0) {
        double mean = 0.0;
        for (const Cluster& cluster : state.clusters) {
            mean += std::max(cluster.pressure, 0.0) / static_cast<double>(state.clusters.size());
        }
        std::vector<double> least(pieces_.size(), kInfinity);
        std::vector<std::uint32_t> owner(pieces_.size(), 0);
        std::vector<double> squared(vertices_.size());
        for (std::uint32_t b = 0; b < state.clusters.size(); ++b) {
            const Ball& ball = state.clusters[b].ball;
            double seeming = ball.radius;
            if (push > 0.0 && mean > 0.0) {
                const double relative = std::max(state.clusters[b].pressure, 0.0) / mean;
                seeming *= 1.0 - push * (relative - 1.0) / (relative + 1.0);
            }
            const double scale = ball.radius > 0.0 ? 1.0 / (seeming * seeming) : 1.0;
            for (std::size_t v = 0; v < vertices_.size(); ++v) {
                squared[v] = (vertices_[v] - ball.center).squaredNorm() * scale;
            }
            for (std::size_t i = 0; i < pieces_.size(); ++i) {
                const double ratio = std::max({squared[vertex_of_[3 * i]], squared[vertex_of_[3 * i + 1]],
                                               squared[vertex_of_[3 * i + 2]]});
                if (ratio < least[i]) {
                    least[i] = ratio;
                    owner[i] = b;
                }
            }
            state.clusters[b].pieces.clear();
        }
        for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
            state.clusters[owner[i]].pieces.push_back(i);
        }
        std::erase_if(state.clusters, [](const Cluster& c) { return c.pieces.empty(); });
    }

    void settle_all(State& state, double first_step, double last_step) {
        state.cost = 0.0;
        for (Cluster& cluster : state.clusters) {
            settle(cluster, first_step, last_step);
            state.cost += cluster.cost;
        }
    }

    /// Balls that lost all their pieces come back as halves of the costliest ones.
    void refill(State& state) {
        while (state.clusters.size() < options_.count) {
            std::size_t worst = state.clusters.size();
            for (std::size_t c = 0; c < state.clusters.size(); ++c) {
                const bool divisible = state.clusters[c].pieces.size() > 1;
                if (divisible &&
                    (worst == state.clusters.size() || state.clusters[c].cost > state.clusters[worst].cost)) {
                    worst = c;
                }
            }
            if (worst == state.clusters.size()) {
                return;
            }
            auto [first, second] = split(state.clusters[worst]);
            if (!std::isfinite(first.cost)) {
                return;
            }
            state.cost += first.cost + second.cost - state.clusters[worst].cost;
            state.clusters[worst] = std::move(first);
            state.clusters.push_back(std::move(second));
        }
    }

    /// Alternates assignment and settling; keeps the best state seen.
    void lloyd(State& state, int rounds) {
        State current = state;
        int without_gain = 0;
        double push = kFirstPush;
        for (int round = 0; round < rounds && without_gain < 2; ++round) {
            assign(current, push);
            push *= kPushDecay;
            settle_all(current, 0.12, 0.02);
            refill(current);
            if (current.cost < state.cost * 0.999) {
                without_gain = 0;
            } else {
                ++without_gain;
            }
            if (current.cost < state.cost) {
                state = current;
            }
        }
    }

    /// Costliest first, each ball gives away every piece that another one holds, and settles on what is left.
    void shed(State& state) {
        std::vector<std::size_t> order(state.clusters.size());
        for (std::size_t c = 0; c < order.size(); ++c) {
            order[c] = c;
        }
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return state.clusters[a].cost > state.clusters[b].cost;
        });
        for (const std::size_t c : order) {
            std::vector<std::uint32_t> kept;
            for (const std::uint32_t i : state.clusters[c].pieces) {
                std::size_t taker = c;
                double least = 1.0;
                for (std::size_t b = 0; b < state.clusters.size(); ++b) {
                    const Ball& ball = state.clusters[b].ball;
                    const double ratio = farthest_corner(pieces_[i], ball.center) / ball.radius;
                    if (b != c && ratio <= least && !state.clusters[b].pieces.empty()) {
                        least = ratio;
                        taker = b;
                    }
                }
                if (taker == c) {
                    kept.push_back(i);
                } else {
                    state.clusters[taker].pieces.push_back(i);
                }
            }
            state.clusters[c].pieces = std::move(kept);
            if (!state.clusters[c].pieces.empty()) {
                settle(state.clusters[c], 0.12, 0.01);
            }
        }
        std::erase_if(state.clusters, [](const Cluster& c) { return c.pieces.empty(); });
        state.cost = 0.0;
        for (const Cluster& c : state.clusters) {
            state.cost += c.cost;
        }
        refill(state);
    }

    // ---- starts ----

    State start(std::uint64_t seed) {
        std::mt19937_64 engine(seed);
        std::vector<double> distance(pieces_.size(), kInfinity);
        State state;
        std::size_t next = draw(engine, pieces_.size());
        if (seed % 2 == 0) {
            // Begin at an extremity: the piece farthest from the middle.
            std::vector<std::uint32_t> all(pieces_.size());
            for (std::uint32_t i = 0; i < all.size(); ++i) {
                all[i] = i;
            }
            const Vector3d middle = middle_of(all);
            double most = -1.0;
            for (std::size_t i = 0; i < pieces_.size(); ++i) {
                const double d = (centroid_[i] - middle).squaredNorm();
                if (d > most) {
                    most = d;
                    next = i;
                }
            }
        }
        while (state.clusters.size() < options_.count) {
            state.clusters.push_back({Ball{centroid_[next], 0.0}, {}, 0.0});
            double most = 0.0;
            std::size_t farthest = next;
            for (std::size_t i = 0; i < pieces_.size(); ++i) {
                distance[i] = std::min(distance[i], (centroid_[i] - centroid_[next]).squaredNorm());
                if (distance[i] > most) {
                    most = distance[i];
                    farthest = i;
                }
            }
            if (most <= 0.0) {
                break;
            }
            next = farthest;
        }
        // A few rounds of plain k-means spread the seeds.
        for (int round = 0; round < 5; ++round) {
            assign(state);
            for (Cluster& cluster : state.clusters) {
                cluster.ball = {middle_of(cluster.pieces), 0.0};
            }
        }
        assign(state);
        settle_all(state, 0.3, 0.05);
        return state;
    }

    /// Inflated medial balls, chosen greedily, or, where many are wanted, medial balls far from each other.
    State medial_start() {
        State state;
        const bool few = options_.count <= kGreedyCount;
        const std::vector<Ball> candidates = spread_subset(medial_, few ? kMedialCandidates : options_.count);
        for (const Ball& ball : few ? greedy_cover(candidates, pieces_, options_.count) : candidates) {
            state.clusters.push_back({ball, {}, 0.0});
        }
        if (!state.clusters.empty()) {
            assign(state);
            settle_all(state, 0.12, 0.02);
            refill(state);
        }
        return state;
    }

    State best_start() {
        State best;
        if (!medial_.empty() && options_.count > 1) {
            best = medial_start();
            if (!best.clusters.empty()) {
                lloyd(best, 10);
            }
        }
        const std::uint32_t starts = options_.effort + (best.clusters.empty() ? 1 : 0);
        for (std::uint32_t s = 0; s < starts; ++s) {
            State state = start(options_.seed * 16 + s);
            lloyd(state, 10);
            if (state.cost < best.cost) {
                best = std::move(state);
            }
        }
        return best;
    }

    // ---- exchange ----

    /// The two halves of a cluster, each settled: cut across the direction of its largest extent.
    std::pair<Cluster, Cluster> split(const Cluster& cluster) {
        const Vector3d middle = middle_of(cluster.pieces);
        std::uint32_t ends[2] = {cluster.pieces.front(), cluster.pieces.front()};
        Vector3d from = middle;
        for (std::uint32_t& end : ends) {
            double most = -1.0;
            for (const std::uint32_t i : cluster.pieces) {
                const double d = (centroid_[i] - from).squaredNorm();
                if (d > most) {
                    most = d;
                    end = i;
                }
            }
            from = centroid_[end];
        }
        Vector3d center[2] = {centroid_[ends[0]], centroid_[ends[1]]};
        std::pair<Cluster, Cluster> halves;
        for (int round = 0; round < 4; ++round) {
            halves.first.pieces.clear();
            halves.second.pieces.clear();
            for (const std::uint32_t i : cluster.pieces) {
                const bool first =
                    (centroid_[i] - center[0]).squaredNorm() <= (centroid_[i] - center[1]).squaredNorm();
                (first ? halves.first : halves.second).pieces.push_back(i);
            }
            if (halves.first.pieces.empty() || halves.second.pieces.empty()) {
                halves.first.cost = kInfinity;
                return halves;
            }
            center[0] = middle_of(halves.first.pieces);
            center[1] = middle_of(halves.second.pieces);
        }
        halves.first.ball.center = center[0];
        halves.second.ball.center = center[1];
        settle(halves.first, 0.25, 0.05);
        settle(halves.second, 0.25, 0.05);
        return halves;
    }

    Cluster merged(const Cluster& a, const Cluster& b) {
        Cluster both;
        both.pieces = a.pieces;
        both.pieces.insert(both.pieces.end(), b.pieces.begin(), b.pieces.end());
        both.ball.center = 0.5 * (a.ball.center + b.ball.center);
        settle(both, 0.25, 0.05);
        return both;
    }

    struct MergeChoice {
        std::size_t a;
        std::size_t b;
        double loss;
    };

    std::vector<MergeChoice> merge_choices(const State& state) {
        std::vector<MergeChoice> choices;
        const std::size_t count = state.clusters.size();
        for (std::size_t a = 0; a < count; ++a) {
            // Only the nearest few are worth a look.
            std::vector<std::pair<double, std::size_t>> near;
            for (std::size_t b = 0; b < count; ++b) {
                if (b != a) {
                    near.emplace_back((state.clusters[a].ball.center - state.clusters[b].ball.center).norm(),
                                      b);
                }
            }
            std::sort(near.begin(), near.end());
            for (std::size_t k = 0; k < std::min<std::size_t>(3, near.size()); ++k) {
                const std::size_t b = near[k].second;
                const bool twice = std::any_of(choices.begin(), choices.end(),
                                               [&](const MergeChoice& c) { return c.a == b && c.b == a; });
                if (!twice) {
                    const double cost = merged(state.clusters[a], state.clusters[b]).cost;
                    choices.push_back({a, b, cost - state.clusters[a].cost - state.clusters[b].cost});
                }
            }
        }
        std::stable_sort(choices.begin(), choices.end(),
                         [](const MergeChoice& x, const MergeChoice& y) { return x.loss < y.loss; });
        return choices;
    }

    /// Merges the cheapest pair and splits the ball that gains most, while the whole gets better.
    void exchange(State& best) {
        const int rounds = static_cast<int>(2 + 4 * options_.effort);
        for (int round = 0; round < rounds; ++round) {
            if (best.clusters.size() < 3 || best.clusters.size() > 64) {
                return;
            }
            const std::vector<MergeChoice> merges = merge_choices(best);
            std::vector<std::pair<double, std::size_t>> gains;
            for (std::size_t c = 0; c < best.clusters.size(); ++c) {
                const auto [first, second] = split(best.clusters[c]);
                gains.emplace_back(first.cost + second.cost - best.clusters[c].cost, c);
            }
            std::sort(gains.begin(), gains.end());
            if (!try_exchanges(best, merges, gains)) {
                return;
            }
        }
    }

    bool try_exchanges(State& best, const std::vector<MergeChoice>& merges,
                       const std::vector<std::pair<double, std::size_t>>& gains) {
        struct Plan {
            double change;
            std::size_t merge;
            std::size_t split;
        };
        std::vector<Plan> plans;
        for (std::size_t m = 0; m < merges.size(); ++m) {
            for (std::size_t g = 0; g < gains.size(); ++g) {
                const std::size_t c = gains[g].second;
                if (c != merges[m].a && c != merges[m].b && std::isfinite(gains[g].first)) {
                    plans.push_back({merges[m].loss + gains[g].first, m, c});
                }
            }
        }
        std::stable_sort(plans.begin(), plans.end(),
                         [](const Plan& x, const Plan& y) { return x.change < y.change; });
        const std::size_t tries = std::min<std::size_t>(plans.size(), 1 + options_.effort);
        for (std::size_t p = 0; p < tries; ++p) {
            State state;
            const MergeChoice& merge = merges[plans[p].merge];
            for (std::size_t c = 0; c < best.clusters.size(); ++c) {
                if (c == plans[p].split) {
                    auto halves = split(best.clusters[c]);
                    state.clusters.push_back(std::move(halves.first));
                    state.clusters.push_back(std::move(halves.second));
                } else if (c == merge.a) {
                    state.clusters.push_back(merged(best.clusters[merge.a], best.clusters[merge.b]));
                } else if (c != merge.b) {
                    state.clusters.push_back(best.clusters[c]);
                }
            }
            state.cost = 0.0;
            for (const Cluster& c : state.clusters) {
                state.cost += c.cost;
            }
            lloyd(state, 8);
            if (state.cost < best.cost * 0.998) {
                best = std::move(state);
                return true;
            }
        }
        return false;
    }

    // ---- boundaries ----

    /// Splits the pieces that keep a ball large, so that a neighbour may take a half. False if nothing was
    /// split.
    bool refine_boundary(State& state) {
        std::vector<std::uint8_t> cut(pieces_.size(), 0);
        bool any = false;
        for (const Cluster& cluster : state.clusters) {
            for (const std::uint32_t i : cluster.pieces) {
                const bool outer =
                    farthest_corner(pieces_[i], cluster.ball.center) > 0.95 * cluster.ball.radius;
                if (outer &&
                    longest_edge_squared(pieces_[i]) > options_.smallest_piece * options_.smallest_piece) {
                    cut[i] = 1;
                    any = true;
                }
            }
        }
        if (!any) {
            return false;
        }
        std::vector<Piece> finer;
        std::vector<std::vector<std::uint32_t>> parts(pieces_.size());
        for (std::uint32_t i = 0; i < pieces_.size(); ++i) {
            if (cut[i]) {
                for (const Piece& half : bisect(pieces_[i])) {
                    parts[i].push_back(static_cast<std::uint32_t>(finer.size()));
                    finer.push_back(half);
                }
            } else {
                parts[i].push_back(static_cast<std::uint32_t>(finer.size()));
                finer.push_back(pieces_[i]);
            }
        }
        pieces_ = std::move(finer);
        measure_pieces();
        for (Cluster& cluster : state.clusters) {
            std::vector<std::uint32_t> renamed;
            for (const std::uint32_t i : cluster.pieces) {
                renamed.insert(renamed.end(), parts[i].begin(), parts[i].end());
            }
            cluster.pieces = std::move(renamed);
        }
        return true;
    }

    FitResult result(const State& state) const {
        FitResult result;
        result.outside = state.cost;
        for (const Cluster& cluster : state.clusters) {
            result.balls.push_back(cluster.ball);
            result.owned.emplace_back();
            for (const std::uint32_t i : cluster.pieces) {
                result.owned.back().push_back(pieces_[i]);
            }
        }
        return result;
    }

    std::vector<Piece> pieces_;
    const std::vector<Ball>& medial_;
    const InsideTest& inside_;
    FitOptions options_;
    SurfaceQuadrature surface_;
    std::vector<Vector3d> centroid_;
    std::vector<double> weight_;
    std::vector<Vector3d> vertices_;        ///< the pieces' corners, each once
    std::vector<std::uint32_t> vertex_of_;  ///< by piece and corner
    std::vector<std::uint32_t> seen_;       ///< by vertex: `seen_mark_` if met in the current walk
    std::uint32_t seen_mark_ = 0;
    SurfaceQuadrature near_;
    Ball near_ball_;  ///< what `near_` was selected for
};

}  // namespace

FitResult fit_spheres(const std::vector<Piece>& pieces, const std::vector<Piece>& context,
                      const std::vector<Ball>& medial, const InsideTest& inside, const FitOptions& options) {
    return Fitter(pieces, context, medial, inside, options).run();
}

}  // namespace espalier
