// SPDX-License-Identifier: GPL-3.0-or-later
// Ball measure in lanes of float32.
#include "builder/sphere_tree/ball_measure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "builder/mesh/winding_number.h"
#include "builder/sphere_tree/morton.h"

// The widest vectors that the processor has; without fused multiply-add the results are the same on all.
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define ESPALIER_WIDE_LANES __attribute__((target_clones("avx2", "default")))
#else
#define ESPALIER_WIDE_LANES
#endif

namespace espalier {
namespace {

using Eigen::Vector3d;

constexpr double kFourPi = 12.566370614359172;
/// The neighbourhood is looked up for a ball this much larger, so that it serves the next few as well.
constexpr double kReserve = 1.1;
/// Cells with more pieces are divided, so many times at most.
constexpr std::uint32_t kCrowd = 64;
constexpr std::uint32_t kDivisions = 4;
/// In cells with more pieces after that (slivers by the hundred) one blunted point must do.
constexpr std::uint32_t kMostPieces = 64;

/// Cells are looked up by so many at a time.
constexpr std::size_t kGroup = 16;
/// So many sums side by side, on every processor.
constexpr std::size_t kLanes = 8;
using Lanes = Eigen::Array<float, kLanes, 1>;

struct LaneSums {
    double sum = 0.0;
    double least = 0.0;
};

/// The sum of some values and the least of others. Precondition: whole lanes.
LaneSums add_lanes(const std::vector<float>& values, const std::vector<float>& others) {
    Lanes sum = Lanes::Zero();
    Lanes least = Lanes::Constant(std::numeric_limits<float>::max());
    for (std::size_t i = 0; i < values.size(); i += kLanes) {
        sum += Eigen::Map<const Lanes>(values.data() + i);
        least = least.min(Eigen::Map<const Lanes>(others.data() + i));
    }
    LaneSums result;
    for (std::size_t l = 0; l < kLanes; ++l) {
        result.sum += static_cast<double>(sum[l]);
    }
    result.least = static_cast<double>(least.minCoeff());
    return result;
}

Vector3d middle_of(const Piece& piece) {
    return (piece.corner[0] + piece.corner[1] + piece.corner[2]) / 3.0;
}

/// The pieces by the cells of a grid, along a space-filling curve (Morton's), so that neighbours in order are
/// near each other.
std::vector<std::pair<std::uint32_t, std::uint32_t>> by_cell(const std::vector<Piece>& surface, double cell) {
    Eigen::AlignedBox3d box;
    for (const Piece& piece : surface) {
        box.extend(middle_of(piece));
    }
    const double side = surface.empty() ? 0.0 : box.sizes().maxCoeff();
    const double width = std::max({cell / (1 << kDivisions), side / 1023.0, 1e-300});
    std::vector<std::pair<std::uint32_t, std::uint32_t>> keys;
    keys.reserve(surface.size());
    for (std::uint32_t i = 0; i < surface.size(); ++i) {
        const Vector3d place = (middle_of(surface[i]) - box.min()) / width;
        keys.emplace_back(morton_key(place), i);
    }
    std::sort(keys.begin(), keys.end());
    return keys;
}

}  // namespace

SurfaceQuadrature::SurfaceQuadrature(const std::vector<Piece>& surface, const InsideTest& inside,
                                     const Vector3d& origin, double cell)
    : inside_(inside), origin_(origin) {
    const auto keys = by_cell(surface, cell);
    corner_.reserve(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) {
        const Piece& piece = surface[keys[k].second];
        corner_.push_back({piece.corner[0] - origin, piece.corner[1] - origin, piece.corner[2] - origin});
    }
    divide(keys, 0, static_cast<std::uint32_t>(keys.size()), kDivisions + 1);
    for (const Cell& cell : cells_) {
        points_.push_back(point_of(cell));
    }
    group();
}

/// Makes cells of a range of pieces whose keys differ in the lowest `bits` bits of each coordinate and above.
void SurfaceQuadrature::divide(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& keys,
                               std::uint32_t first, std::uint32_t last, std::uint32_t bits) {
    const bool one = bits <= kDivisions && (bits == 0 || last - first <= kCrowd);
    if (one) {
        cells_.push_back({first, last - first});
        return;
    }
    const std::uint32_t shift = 3 * (bits - 1);
    for (std::uint32_t begin = first; begin < last;) {
        std::uint32_t end = begin + 1;
        while (end < last && keys[end].first >> shift == keys[begin].first >> shift) {
            ++end;
        }
        divide(keys, begin, end, bits - 1);
        begin = end;
    }
}

SurfaceQuadrature::Point SurfaceQuadrature::point_of(const Cell& cell) {
    const auto vector_of = [&](std::uint32_t k) -> Vector3d {
        return 0.5 * (corner_[k][1] - corner_[k][0]).cross(corner_[k][2] - corner_[k][0]);
    };
    Vector3d middle = Vector3d::Zero();
    Vector3d plain = Vector3d::Zero();
    Vector3d vector = Vector3d::Zero();
    double area = 0.0;
    for (std::uint32_t k = cell.first; k < cell.first + cell.count; ++k) {
        const Vector3d third = (corner_[k][0] + corner_[k][1] + corner_[k][2]) / 3.0;
        const Vector3d v = vector_of(k);
        middle += v.norm() * third;
        plain += third / cell.count;
        vector += v;
        area += v.norm();
    }
    middle = area > 0.0 ? Vector3d(middle / area) : plain;
    double bend = 0.0;
    double farthest = 0.0;
    for (std::uint32_t k = cell.first; k < cell.first + cell.count; ++k) {
        bend += vector_of(k).dot(corner_[k][0] - middle);
        for (const Vector3d& corner : corner_[k]) {
            farthest = std::max(farthest, (corner - middle).squaredNorm());
        }
    }
    widest_cell_ = std::max(widest_cell_, std::sqrt(2.0 * farthest));
    const Eigen::Vector3f p = middle.cast<float>();
    const Eigen::Vector3f n = vector.cast<float>();
    return {p.x(),
            p.y(),
            p.z(),
            n.x(),
            n.y(),
            n.z(),
            static_cast<float>(bend),
            static_cast<float>(2.0 * farthest)};
}

void SurfaceQuadrature::group() {
    for (std::size_t first = 0; first < points_.size(); first += kGroup) {
        Eigen::AlignedBox3f box;
        for (std::size_t i = first; i < std::min(first + kGroup, points_.size()); ++i) {
            box.extend(Eigen::Vector3f(points_[i].x, points_[i].y, points_[i].z));
        }
        groups_.push_back({box.center(), 0.5F * box.diagonal().norm() * (1.0F + 1e-5F)});
    }
}

/// Makes room for so many cells, in whole lanes.
void SurfaceQuadrature::Near::resize(std::size_t count) {
    const std::size_t size = (count + kLanes - 1) / kLanes * kLanes;
    for (std::vector<float>* values : {&x, &y, &z, &nx, &ny, &nz, &bend, &near, &squared, &shell}) {
        values->resize(size);
    }
}

void SurfaceQuadrature::Near::set(std::size_t i, const Point& point) {
    x[i] = point.x;
    y[i] = point.y;
    z[i] = point.z;
    nx[i] = point.nx;
    ny[i] = point.ny;
    nz[i] = point.nz;
    bend[i] = point.bend;
    near[i] = point.near;
}

void SurfaceQuadrature::expect(const Ball& ball) {
    if ((ball.center - near_ball_.center).norm() + ball.radius > near_ball_.radius ||
        2.0 * ball.radius < near_ball_.radius) {
        look_around({ball.center, kReserve * ball.radius});
    }
}

void SurfaceQuadrature::look_around(const Ball& ball) {
    near_ball_ = ball;
    const Eigen::Vector3f center = ball.center.cast<float>();
    const auto radius = static_cast<float>(near_ball_.radius);
    const float limit = radius * radius;
    near_.cell.resize(points_.size());
    std::size_t count = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        const float reach = radius + groups_[g].radius;
        if ((groups_[g].center - center).squaredNorm() < reach * reach) {
            for (std::size_t i = g * kGroup; i < std::min((g + 1) * kGroup, points_.size()); ++i) {
                const float dx = points_[i].x - center.x();
                const float dy = points_[i].y - center.y();
                const float dz = points_[i].z - center.z();
                near_.cell[count] = static_cast<std::uint32_t>(i);
                count += dx * dx + dy * dy + dz * dz < limit ? 1 : 0;
            }
        }
    }
    near_.resize(count);
    widest_near_ = 0.0F;
    for (std::size_t i = 0; i < near_.x.size(); ++i) {
        // Lanes that are left over get a cell far away.
        const Point far_away{1e9F * radius, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, -1.0F};
        near_.set(i, i < count ? points_[near_.cell[i]] : far_away);
        widest_near_ = std::max(widest_near_, near_.near[i]);
    }
}

/// `nearest` is the squared distance of the nearest cell, or less.
double SurfaceQuadrature::winding(const Vector3d& center, double nearest) {
    const bool closed = inside_.kind() == SolidKind::kClosed;
    for (const Known& known : known_) {
        const double squared = (center - known.center).squaredNorm();
        if (known.reach >= 0.0 && (squared == 0.0 || (closed && squared < known.reach * known.reach))) {
            return known.winding;
        }
    }
    Known& fresh = known_[oldest_known_++ % known_.size()];
    fresh.center = center;
    fresh.winding = inside_.winding(center + origin_);
    fresh.reach = std::max(0.0, std::sqrt(nearest) - 1.01 * widest_cell_);
    return fresh.winding;
}

double SurfaceQuadrature::exact_terms(const Ball& ball) const {
    const auto squared_radius = static_cast<float>(ball.radius * ball.radius);
    double sum = 0.0;
    for (std::size_t i = 0; i < near_.squared.size(); ++i) {
        if (near_.squared[i] <= near_.near[i] && near_.squared[i] < squared_radius) {
            sum += exact_term(near_.cell[i], ball);
        }
    }
    return sum;
}

/// One point would misjudge a cell this near, and with it the side on which the centre is: its pieces speak
/// for themselves.
double SurfaceQuadrature::exact_term(std::uint32_t index, const Ball& ball) const {
    const Cell cell = cells_[index];
    const double cube = ball.radius * ball.radius * ball.radius;
    double cone = 0.0;
    double angle = 0.0;
    if (cell.count > kMostPieces) {
        const Point& point = points_[index];
        const Vector3d d = Vector3d(point.x, point.y, point.z) - ball.center;
        const double squared = d.squaredNorm() + point.near / 8.0;
        cone = Vector3d(point.nx, point.ny, point.nz).dot(d) + point.bend;
        return cone * (cube / (squared * std::sqrt(squared)) - 1.0);
    }
    for (std::uint32_t k = cell.first; k < cell.first + cell.count; ++k) {
        const Vector3d a = corner_[k][0] - ball.center;
        const Vector3d b = corner_[k][1] - ball.center;
        const Vector3d c = corner_[k][2] - ball.center;
        const double piece_cone = 0.5 * a.dot(b.cross(c));
        const double squared = ((a + b + c) / 3.0).squaredNorm();
        const double extent = std::max((b - a).squaredNorm(), (c - a).squaredNorm());
        cone += piece_cone;
        angle += squared > 4.0 * extent ? piece_cone / (squared * std::sqrt(squared))
                                        : kFourPi * solid_angle_fraction(a, b, c);
    }
    return angle * cube - cone;
}

/// What lies beyond each cell: along the rays to a piece at distance d, the shell from d to the radius is
/// outside where the piece looks outward, and was counted too much where it looks inward. Cells that are
/// looked at in detail count nothing here. A plain loop, which compilers turn into vector instructions;
/// square roots and quotients are IEEE's, so that every processor has the same values.
ESPALIER_WIDE_LANES
void measure_shells(std::size_t count, const Ball& ball, const float* __restrict x, const float* __restrict y,
                    const float* __restrict z, const float* __restrict nx, const float* __restrict ny,
                    const float* __restrict nz, const float* __restrict bend, const float* __restrict near,
                    float* __restrict squared_out, float* __restrict shell_out) {
    const auto cx = static_cast<float>(ball.center.x());
    const auto cy = static_cast<float>(ball.center.y());
    const auto cz = static_cast<float>(ball.center.z());
    const auto cubed_radius = static_cast<float>(ball.radius * ball.radius * ball.radius);
    for (std::size_t i = 0; i < count; ++i) {
        const float dx = x[i] - cx;
        const float dy = y[i] - cy;
        const float dz = z[i] - cz;
        const float squared = dx * dx + dy * dy + dz * dz;
        const float cone = nx[i] * dx + ny[i] * dy + nz[i] * dz + bend[i];
        // Nothing where the piece is beyond the radius.
        const float shell = std::max(0.0F, cubed_radius / (squared * std::sqrt(squared) + 1e-36F) - 1.0F);
        squared_out[i] = squared;
        shell_out[i] = squared > near[i] ? cone * shell : 0.0F;
    }
}

double SurfaceQuadrature::outside(const Ball& asked) {
    // Seen from a point in its own plane, a face has either half of the sphere or none. A hair beside it, the
    // winding number and the solid angles agree about the side.
    const Ball ball{asked.center + asked.radius * Vector3d(5.9e-7, 6.7e-7, 4.3e-7), asked.radius};
    expect(ball);
    measure_shells(near_.x.size(), ball, near_.x.data(), near_.y.data(), near_.z.data(), near_.nx.data(),
                   near_.ny.data(), near_.nz.data(), near_.bend.data(), near_.near.data(),
                   near_.squared.data(), near_.shell.data());
    const LaneSums sums = add_lanes(near_.shell, near_.squared);
    const double nearest = std::min(sums.least, ball.radius * ball.radius);
    const double sum = sums.sum + (nearest <= widest_near_ ? exact_terms(ball) : 0.0);
    const double cube = ball.radius * ball.radius * ball.radius;
    return (sum + kFourPi * (1.0 - winding(ball.center, nearest)) * cube) / 3.0;
}

}  // namespace espalier
