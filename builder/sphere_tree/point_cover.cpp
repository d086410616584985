// SPDX-License-Identifier: GPL-3.0-or-later
// Covering of points by balls, in lanes of float32.
#include "builder/sphere_tree/point_cover.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace espalier {
namespace {

using Eigen::Vector3d;

/// A point counts as held by a ball up to this factor of its radius: distances are float32.
constexpr float kHeld = 1.0F + 1e-6F;

float held_limit(const Ball& ball) {
    const float radius = static_cast<float>(ball.radius) * kHeld;
    return radius * radius;
}

/// Where the edge from a point inside the ball to one outside leaves it.
Vector3d leaving_point(const Vector3d& inner, const Vector3d& outer, const Ball& ball) {
    const Vector3d d = outer - inner;
    const Vector3d m = inner - ball.center;
    const double a = d.squaredNorm();
    const double b = m.dot(d);
    const double c = m.squaredNorm() - ball.radius * ball.radius;
    const double root = std::sqrt(std::max(0.0, b * b - a * c));
    return inner + d * std::clamp((root - b) / a, 0.0, 1.0);
}

/// The corners of what of the piece lies in the ball (radius 0: of the whole). A ball that only dents an edge
/// is left to the proof of coverage.
void append_corners(const Piece& piece, const Ball& ball, std::vector<Vector3d>& corners) {
    bool in[3];
    for (std::size_t i = 0; i < 3; ++i) {
        in[i] =
            ball.radius <= 0.0 || (piece.corner[i] - ball.center).squaredNorm() <= ball.radius * ball.radius;
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        if (in[i]) {
            corners.push_back(piece.corner[i]);
        }
        if (in[i] != in[j]) {
            corners.push_back(leaving_point(piece.corner[in[i] ? i : j], piece.corner[in[i] ? j : i], ball));
        }
    }
}

Chain moved(Chain chain, const Vector3d& origin) {
    for (Ball& ball : chain) {
        ball.center -= origin;
    }
    return chain;
}

bool nearer_in_radii(const Vector3d& place, const Ball& ball, const Ball& than) {
    return (place - ball.center).squaredNorm() * than.radius * than.radius <
           (place - than.center).squaredNorm() * ball.radius * ball.radius;
}

/// The cell of a point, as one number: 21 bits for each coordinate.
std::uint64_t cell_key(const Vector3d& point, double spacing) {
    std::uint64_t key = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double cell = std::clamp(std::floor(point[axis] / spacing), -1048576.0, 1048575.0);
        key = key << 21 | static_cast<std::uint64_t>(cell + 1048576.0);
    }
    return key;
}

/// Keeps the first point of each cell, in order.
std::vector<Vector3d> thinned(const std::vector<Vector3d>& points, double spacing) {
    constexpr std::uint64_t kNone = ~std::uint64_t(0);  // no cell's: keys have 63 bits
    std::vector<std::uint64_t> taken(std::bit_ceil(2 * points.size() + 2), kNone);
    const std::size_t mask = taken.size() - 1;
    std::vector<Vector3d> kept;
    for (const Vector3d& point : points) {
        const std::uint64_t key = cell_key(point, spacing);
        std::size_t slot = (key * 0x9e3779b97f4a7c15U >> 20) & mask;
        while (taken[slot] != kNone && taken[slot] != key) {
            slot = (slot + 1) & mask;
        }
        if (taken[slot] == kNone) {
            taken[slot] = key;
            kept.push_back(point);
        }
    }
    return kept;
}

}  // namespace

double cost_of(const Balls& balls) {
    double sum = 0.0;
    for (const Fitted& fitted : balls) {
        sum += fitted.cost;
    }
    return sum;
}

PointCover::PointCover(const std::vector<Piece>& context, const InsideTest& inside, const FitOptions& options)
    : origin_(options.reach.center),
      reach_(options.reach.radius),
      usual_area_(options.usual_area),
      distances_(options.distances),
      price_(options.price),
      chain_(moved(options.chain, options.reach.center)),
      takers_(options.taken),
      surface_(context, inside, options.reach.center, options.cell) {
    for (Taken& taker : takers_) {
        taker.chain = moved(taker.chain, origin_);
    }
}

bool PointCover::is_taken(const Vector3d& place) const {
    const auto outside = [&](const Ball& ball) {
        return (place - ball.center).squaredNorm() > ball.radius * ball.radius;
    };
    if (!chain_.empty() && std::any_of(chain_.begin() + 1, chain_.end(), outside)) {
        return true;
    }
    return std::any_of(takers_.begin(), takers_.end(), [&](const Taken& taker) {
        return std::none_of(taker.chain.begin(), taker.chain.end(), outside) &&
               (!taker.rival || nearer_in_radii(place, taker.chain.front(), chain_.front()));
    });
}

void PointCover::set_points(const std::vector<Piece>& pieces, double spacing) {
    std::vector<Vector3d> corners;
    corners.reserve(3 * pieces.size());
    for (const Piece& piece : pieces) {
        append_corners(piece,
                       chain_.empty() ? Ball{} : Ball{chain_.front().center + origin_, chain_.front().radius},
                       corners);
    }
    for (Vector3d& corner : corners) {
        corner -= origin_;
    }
    corners = thinned(corners, std::max(spacing, 1e-9 * reach_));
    x_.clear();
    y_.clear();
    z_.clear();
    for (const Vector3d& corner : corners) {
        const Eigen::Vector3f point = corner.cast<float>();
        x_.push_back(point.x());
        y_.push_back(point.y());
        z_.push_back(point.z());
    }
    squared_.resize(size());
    taken_.resize(size());
    for (std::size_t i = 0; i < size(); ++i) {
        taken_[i] = is_taken(at(i)) ? 1 : 0;
    }
}

const std::vector<float>& PointCover::distances(const Vector3d& from) {
    const auto cx = static_cast<float>(from.x());
    const auto cy = static_cast<float>(from.y());
    const auto cz = static_cast<float>(from.z());
    const float* x = x_.data();
    const float* y = y_.data();
    const float* z = z_.data();
    float* out = squared_.data();
    for (std::size_t i = 0; i < squared_.size(); ++i) {
        const float dx = x[i] - cx;
        const float dy = y[i] - cy;
        const float dz = z[i] - cz;
        out[i] = dx * dx + dy * dy + dz * dz;
    }
    return squared_;
}

void PointCover::count_held(const Ball& ball, std::int32_t change) {
    const float limit = held_limit(ball);
    distances(ball.center);
    for (std::size_t i = 0; i < squared_.size(); ++i) {
        held_[i] += squared_[i] <= limit ? change : 0;
    }
}

void PointCover::count_all(const Balls& balls) {
    held_.assign(taken_.begin(), taken_.end());
    for (const Fitted& fitted : balls) {
        count_held(fitted.ball, 1);
    }
}

std::vector<Indices> PointCover::owned_points(const Balls& balls) {
    std::vector<float> least(size(), std::numeric_limits<float>::infinity());
    Indices owner(size(), 0);
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
        if (!taken(i)) {
            owned[owner[i]].push_back(i);
        }
    }
    return owned;
}

Vector3d PointCover::middle_of(const Indices& points) const {
    Vector3d sum = Vector3d::Zero();
    for (const std::uint32_t i : points) {
        sum += at(i);
    }
    return sum / static_cast<double>(points.size());
}

/// The ball's outside volume, a little more than in proportion (to the power of 9/8), so that no ball bulges
/// for all the others: errors shrink, and every ball that is allowed has a use.
double PointCover::volume_cost(const Ball& ball) {
    const double beyond = ball.center.norm() + ball.radius - reach_;
    // Beyond the reach larger than any true volume, and still less for a ball that is less far out.
    const double outside = beyond > 0.0 ? 5.0 * ball.radius * ball.radius * (ball.radius + beyond)
                                        : std::max(0.0, surface_.outside(ball));
    return outside * std::sqrt(std::sqrt(std::sqrt(outside)));
}

double PointCover::cost_of_ball(const Ball& ball) {
    double cost = volume_cost(ball);
    if (usual_area_ > 0.0) {
        const double ratio = surface_.area(ball) / usual_area_;
        const double fourth = ratio * ratio * ratio * ratio;
        cost *= 1.0 + fourth * fourth;
    }
    return price_.usual > 0.0 ? cost + price_.of(bulge_of(ball)) : cost;
}

/// The points of one ball, padded to whole lanes.
void PointCover::gather(const Indices& points) {
    corner_blocks_.resize((points.size() + kLanes - 1) / kLanes);
    for (std::size_t k = 0; k < corner_blocks_.size() * kLanes; ++k) {
        const std::uint32_t i = points[std::min(k, points.size() - 1)];
        CornerBlock& block = corner_blocks_[k / kLanes];
        block.x[k % kLanes] = x_[i];
        block.y[k % kLanes] = y_[i];
        block.z[k % kLanes] = z_[i];
    }
}

double PointCover::radius_around(const Vector3d& center) const {
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
Fitted PointCover::settle(const Indices& points, const Vector3d& start, const Steps& steps) {
    static constexpr double kThird = 0.57735026918962576;
    gather(points);
    Fitted best{{start, radius_around(start)}, 0.0, ++last_name_};
    if (best.ball.radius <= 0.0) {
        return best;
    }
    best.cost = volume_cost(best.ball);
    const double scale = best.ball.radius;
    int failures = 0;
    for (double step = steps.first * scale; step > steps.last * scale;) {
        // No candidate of this round reaches farther: none is larger than the best ball and its step.
        surface_.expect({best.ball.center, best.ball.radius + 2.0 * step});
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
            const double cost = volume_cost(ball);
            if (cost < best.cost) {
                best.ball = ball;
                best.cost = cost;
                moved = true;
            }
        }
        if (!moved) {
            step *= 0.6;
            ++failures;
        }
    }
    best.cost = cost_of_ball(best.ball);
    return best;
}

Indices PointCover::needed_points(const Ball& ball) {
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

Seam PointCover::seam_of(const Ball& a, const Ball& b) {
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

}  // namespace espalier
