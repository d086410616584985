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

/// A winding number of a closed solid that is so near a whole number is that number.
constexpr double kSureWinding = 0.25;
/// How far from the middle winding numbers are compared, in radii of what is near. They are known to about a
/// hundredth: nearer, their noise would pass for a slope.
constexpr double kSlopeStep = 0.3;
/// Cells are looked up by so many at a time.
constexpr std::size_t kGroup = 16;
/// So many sums side by side, on every processor.
constexpr std::size_t kLanes = 8;
using Lanes = Eigen::Array<float, kLanes, 1>;

/// Precondition: whole lanes.
double sum_of(const std::vector<float>& values) {
    Lanes sums = Lanes::Zero();
    for (std::size_t i = 0; i < values.size(); i += kLanes) {
        sums += Eigen::Map<const Lanes>(values.data() + i);
    }
    double sum = 0.0;
    for (std::size_t l = 0; l < kLanes; ++l) {
        sum += static_cast<double>(sums[l]);
    }
    return sum;
}

/// Precondition: whole lanes.
float least_of(const std::vector<float>& values) {
    Lanes least = Lanes::Constant(std::numeric_limits<float>::max());
    for (std::size_t i = 0; i < values.size(); i += kLanes) {
        least = least.min(Eigen::Map<const Lanes>(values.data() + i));
    }
    return least.minCoeff();
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
    if (inside_.kind() != SolidKind::kClosed && !points_.empty()) {
        double reach = 0.0;
        for (const Point& point : points_) {
            reach = std::max(reach, Vector3d(point.x, point.y, point.z).norm());
        }
        all_.resize(points_.size());
        for (std::size_t i = 0; i < all_.x.size(); ++i) {
            all_.set(i, i < points_.size() ? points_[i]
                                           : Point{1e9F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, -1.0F});
        }
        for (auto& part : far_parts_) {
            part.resize(all_.x.size());
        }
        learn_beyond(reach);
    }
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

SurfaceQuadrature::Point SurfaceQuadrature::point_of(const Cell& cell) const {
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
    const Eigen::Vector3f p = middle.cast<float>();
    const Eigen::Vector3f n = vector.cast<float>();
    return {p.x(),
            p.y(),
            p.z(),
            n.x(),
            n.y(),
            n.z(),
            static_cast<float>(bend),
            static_cast<float>(area),
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
    for (std::vector<float>* values :
         {&x, &y, &z, &nx, &ny, &nz, &bend, &area, &near, &squared, &shell, &angle}) {
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
    area[i] = point.area;
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
    far_known_ = false;
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
        const Point far_away{1e9F * radius, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, 0.0F, -1.0F};
        near_.set(i, i < count ? points_[near_.cell[i]] : far_away);
        widest_near_ = std::max(widest_near_, near_.near[i]);
    }
}

/// The solid angles under which cells outside a ball are seen, and how they change along the axes.
ESPALIER_WIDE_LANES
void look_far(std::size_t count, const Vector3d& center, const Ball& near, const float* __restrict x,
              const float* __restrict y, const float* __restrict z, const float* __restrict nx,
              const float* __restrict ny, const float* __restrict nz, float* __restrict angle,
              float* __restrict along_x, float* __restrict along_y, float* __restrict along_z) {
    const auto cx = static_cast<float>(center.x());
    const auto cy = static_cast<float>(center.y());
    const auto cz = static_cast<float>(center.z());
    const auto bx = static_cast<float>(near.center.x());
    const auto by = static_cast<float>(near.center.y());
    const auto bz = static_cast<float>(near.center.z());
    const auto limit = static_cast<float>(near.radius * near.radius);
    for (std::size_t i = 0; i < count; ++i) {
        const float dx = x[i] - cx;
        const float dy = y[i] - cy;
        const float dz = z[i] - cz;
        const float squared = dx * dx + dy * dy + dz * dz + 1e-30F;
        const float from_near =
            (x[i] - bx) * (x[i] - bx) + (y[i] - by) * (y[i] - by) + (z[i] - bz) * (z[i] - bz);
        const float scale = from_near < limit ? 0.0F : 1.0F / (squared * std::sqrt(squared));
        const float cone = nx[i] * dx + ny[i] * dy + nz[i] * dz;
        const float pull = 3.0F * cone / squared;
        angle[i] = cone * scale;
        along_x[i] = (pull * dx - nx[i]) * scale;
        along_y[i] = (pull * dy - ny[i]) * scale;
        along_z[i] = (pull * dz - nz[i]) * scale;
    }
}

/// The winding number at a place from which the near cells are seen under so many windings: what is far adds
/// about the same, or a little more or less in proportion to the way, wherever one is among the near ones.
double SurfaceQuadrature::winding(const Vector3d& center, double seen) {
    const bool closed = inside_.kind() == SolidKind::kClosed;
    if (!far_known_) {
        learn_far(center, seen, closed);
    }
    const double guess = seen + far_ + far_slope_.dot(center - far_center_);
    if (!closed) {
        return guess;
    }
    const double whole = std::round(guess);
    return std::fabs(guess - whole) < kSureWinding ? whole : inside_.winding(center + origin_);
}

void SurfaceQuadrature::learn_far(const Vector3d& center, double seen, bool closed) {
    far_known_ = true;
    far_center_ = center;
    far_slope_.setZero();
    if (closed) {
        far_ = inside_.winding(center + origin_) - seen;  // whole numbers need no slope
        return;
    }
    const std::size_t count = all_.x.size();
    look_far(count, center, near_ball_, all_.x.data(), all_.y.data(), all_.z.data(), all_.nx.data(),
             all_.ny.data(), all_.nz.data(), far_parts_[0].data(), far_parts_[1].data(), far_parts_[2].data(),
             far_parts_[3].data());
    far_ = sum_of(far_parts_[0]) / kFourPi + beyond_ + beyond_slope_.dot(center);
    for (int axis = 0; axis < 3; ++axis) {
        far_slope_[axis] =
            sum_of(far_parts_[static_cast<std::size_t>(axis) + 1]) / kFourPi + beyond_slope_[axis];
    }
}

/// Windings of what lies beyond all cells, near the origin.
void SurfaceQuadrature::learn_beyond(double reach) {
    const auto beyond = [&](const Vector3d& place) {
        look_around({place, 1e3 * reach});
        return inside_.winding(place + origin_) - measure({place, reach}).seen;
    };
    // Beside the origin, which is the middle of something and may lie on a face.
    const Vector3d middle = reach * Vector3d(0.0113, 0.0071, 0.0159);
    const double step = kSlopeStep * reach;
    for (int axis = 0; axis < 3; ++axis) {
        const Vector3d side = step * Vector3d::Unit(axis);
        beyond_slope_[axis] = (beyond(middle + side) - beyond(middle - side)) / (2.0 * step);
    }
    beyond_ = beyond(middle) - beyond_slope_.dot(middle);
    near_ball_ = {};
}

SurfaceQuadrature::Sums SurfaceQuadrature::exact_sums(const Ball& ball) const {
    const auto squared_radius = static_cast<float>(ball.radius * ball.radius);
    const double cube = ball.radius * ball.radius * ball.radius;
    Sums sums;
    for (std::size_t i = 0; i < near_.squared.size(); ++i) {
        if (near_.squared[i] <= near_.near[i]) {
            const ConeAngle part = exact_part(near_.cell[i], ball.center);
            sums.shells += near_.squared[i] < squared_radius ? part.angle * cube - part.cone : 0.0;
            sums.seen += part.angle / kFourPi;
        }
    }
    return sums;
}

/// One point would misjudge a cell this near, and with it the side on which the centre is: its pieces speak
/// for themselves.
SurfaceQuadrature::ConeAngle SurfaceQuadrature::exact_part(std::uint32_t index,
                                                           const Vector3d& center) const {
    const Cell cell = cells_[index];
    if (cell.count > kMostPieces) {
        const Point& point = points_[index];
        const Vector3d d = Vector3d(point.x, point.y, point.z) - center;
        const double squared = d.squaredNorm() + point.near / 8.0;
        const double cone = Vector3d(point.nx, point.ny, point.nz).dot(d) + point.bend;
        return {cone, cone / (squared * std::sqrt(squared))};
    }
    ConeAngle sum{0.0, 0.0};
    for (std::uint32_t k = cell.first; k < cell.first + cell.count; ++k) {
        const Vector3d a = corner_[k][0] - center;
        const Vector3d b = corner_[k][1] - center;
        const Vector3d c = corner_[k][2] - center;
        const double cone = 0.5 * a.dot(b.cross(c));
        const double squared = ((a + b + c) / 3.0).squaredNorm();
        const double extent = std::max((b - a).squaredNorm(), (c - a).squaredNorm());
        sum.cone += cone;
        sum.angle += squared > 4.0 * extent ? cone / (squared * std::sqrt(squared))
                                            : kFourPi * solid_angle_fraction(a, b, c);
    }
    return sum;
}

/// What lies beyond each cell: along the rays to a piece at distance d, the shell from d to the radius is
/// outside where the piece looks outward, and was counted too much where it looks inward. Cells that are
/// looked at in detail count nothing here. A plain loop, which compilers turn into vector instructions;
/// square roots and quotients are IEEE's, so that every processor has the same values.
ESPALIER_WIDE_LANES
void measure_cells(std::size_t count, const Ball& ball, const float* __restrict x, const float* __restrict y,
                   const float* __restrict z, const float* __restrict nx, const float* __restrict ny,
                   const float* __restrict nz, const float* __restrict bend, const float* __restrict near,
                   float* __restrict squared_out, float* __restrict shell_out, float* __restrict angle_out) {
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
        const float angle = cone / (squared * std::sqrt(squared) + 1e-36F);
        // Nothing where the piece is beyond the radius, on the inner side or on the outer one.
        const float shell = angle * cubed_radius - cone;
        const float beyond = cone < 0.0F ? std::min(shell, 0.0F) : std::max(shell, 0.0F);
        squared_out[i] = squared;
        shell_out[i] = squared > near[i] ? beyond : 0.0F;
        angle_out[i] = squared > near[i] ? angle : 0.0F;
    }
}

SurfaceQuadrature::Sums SurfaceQuadrature::measure(const Ball& ball) {
    measure_cells(near_.x.size(), ball, near_.x.data(), near_.y.data(), near_.z.data(), near_.nx.data(),
                  near_.ny.data(), near_.nz.data(), near_.bend.data(), near_.near.data(),
                  near_.squared.data(), near_.shell.data(), near_.angle.data());
    const Sums exact = least_of(near_.squared) <= widest_near_ ? exact_sums(ball) : Sums{};
    return {sum_of(near_.shell) + exact.shells, sum_of(near_.angle) / kFourPi + exact.seen};
}

double SurfaceQuadrature::area(const Ball& ball) {
    expect(ball);
    const Eigen::Vector3f c = ball.center.cast<float>();
    const auto limit = static_cast<float>(ball.radius * ball.radius);
    double sum = 0.0;
    for (std::size_t i = 0; i < near_.x.size(); ++i) {
        const float dx = near_.x[i] - c.x();
        const float dy = near_.y[i] - c.y();
        const float dz = near_.z[i] - c.z();
        sum += dx * dx + dy * dy + dz * dz < limit ? static_cast<double>(near_.area[i]) : 0.0;
    }
    return sum;
}

double SurfaceQuadrature::outside(const Ball& asked) {
    // Seen from a point in its own plane, a face has either half of the sphere or none. A hair beside it, the
    // winding number and the solid angles agree about the side.
    const Ball ball{asked.center + asked.radius * Vector3d(5.9e-7, 6.7e-7, 4.3e-7), asked.radius};
    expect(ball);
    const Sums sums = measure(ball);
    const double cube = ball.radius * ball.radius * ball.radius;
    return (sums.shells + kFourPi * (1.0 - winding(ball.center, sums.seen)) * cube) / 3.0;
}

}  // namespace espalier
