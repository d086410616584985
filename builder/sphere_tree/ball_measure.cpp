// SPDX-License-Identifier: GPL-3.0-or-later
// Ball measure in lanes of float32.
#include "builder/sphere_tree/ball_measure.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "builder/mesh/winding_number.h"
#include "builder/sphere_tree/morton.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

constexpr double kFourPi = 12.566370614359172;
/// The neighbourhood is looked up for a ball this much larger, so that it serves the next few as well.
constexpr double kReserve = 1.2;
/// Cells with more pieces are divided, so many times at most.
constexpr std::uint32_t kCrowd = 64;
constexpr std::uint32_t kDivisions = 4;
/// In cells with more pieces after that (slivers by the hundred) one blunted point must do.
constexpr std::uint32_t kMostPieces = 64;

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
    fill();
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

void SurfaceQuadrature::fill() {
    all_.resize((cells_.size() + kLanes - 1) / kLanes);
    for (std::size_t b = 0; b < all_.size(); ++b) {
        Block& block = all_[b];
        const std::size_t count = std::min(kLanes, cells_.size() - b * kLanes);
        Eigen::AlignedBox3f box;
        for (std::size_t l = 0; l < kLanes; ++l) {
            set_lane(block, l, static_cast<std::uint32_t>(b * kLanes + std::min(l, count - 1)));
            box.extend(Eigen::Vector3f(block.x[l], block.y[l], block.z[l]));
            widest_cell_ = std::max(widest_cell_, std::sqrt(static_cast<double>(block.near[l])));
            if (l >= count) {
                // A last block that is not full repeats its last point without area.
                block.nx[l] = block.ny[l] = block.nz[l] = block.bend[l] = 0.0F;
                block.near[l] = -1.0F;
            }
        }
        block.center = box.center();
        block.radius = 0.5F * box.diagonal().norm() * (1.0F + 1e-5F);
    }
}

void SurfaceQuadrature::set_lane(Block& block, std::size_t lane, std::uint32_t index) const {
    const Cell cell = cells_[index];
    const auto vector_of = [&](std::uint32_t k) -> Vector3d {
        return 0.5 * (corner_[k][1] - corner_[k][0]).cross(corner_[k][2] - corner_[k][0]);
    };
    Vector3d point = Vector3d::Zero();
    Vector3d plain = Vector3d::Zero();
    Vector3d vector = Vector3d::Zero();
    double area = 0.0;
    for (std::uint32_t k = cell.first; k < cell.first + cell.count; ++k) {
        const Vector3d middle = (corner_[k][0] + corner_[k][1] + corner_[k][2]) / 3.0;
        const Vector3d v = vector_of(k);
        point += v.norm() * middle;
        plain += middle / cell.count;
        vector += v;
        area += v.norm();
    }
    point = area > 0.0 ? Vector3d(point / area) : plain;
    double bend = 0.0;
    double farthest = 0.0;
    for (std::uint32_t k = cell.first; k < cell.first + cell.count; ++k) {
        bend += vector_of(k).dot(corner_[k][0] - point);
        for (const Vector3d& corner : corner_[k]) {
            farthest = std::max(farthest, (corner - point).squaredNorm());
        }
    }
    block.x[lane] = static_cast<float>(point.x());
    block.y[lane] = static_cast<float>(point.y());
    block.z[lane] = static_cast<float>(point.z());
    block.nx[lane] = static_cast<float>(vector.x());
    block.ny[lane] = static_cast<float>(vector.y());
    block.nz[lane] = static_cast<float>(vector.z());
    block.bend[lane] = static_cast<float>(bend);
    block.near[lane] = static_cast<float>(2.0 * farthest);
    block.cell[lane] = index;
}

void SurfaceQuadrature::look_around(const Ball& ball) {
    near_ball_ = {ball.center, kReserve * ball.radius};
    near_.clear();
    const Eigen::Vector3f center = ball.center.cast<float>();
    const auto radius = static_cast<float>(near_ball_.radius);
    float least = radius * radius;
    for (const Block& block : all_) {
        const float reach = radius + block.radius;
        if ((block.center - center).squaredNorm() < reach * reach) {
            near_.push_back(&block);
            const Lanes dx = block.x - center.x();
            const Lanes dy = block.y - center.y();
            const Lanes dz = block.z - center.z();
            least = std::min(least, (dx * dx + dy * dy + dz * dz).minCoeff());
        }
    }
    known_center_ = ball.center;
    known_winding_ = inside_.winding(ball.center + origin_);
    // Up to the nearest piece the winding number is the same.
    known_reach_ = std::sqrt(static_cast<double>(least)) - 1.01 * widest_cell_;
}

double SurfaceQuadrature::winding(const Vector3d& center) {
    const bool known = inside_.kind() == SolidKind::kClosed && (center - known_center_).norm() < known_reach_;
    return known || center == known_center_ ? known_winding_ : inside_.winding(center + origin_);
}

/// One point would misjudge a cell this near, and with it the side on which the centre is: its pieces speak
/// for themselves.
double SurfaceQuadrature::exact_term(const Block& block, std::size_t lane, const Ball& ball) const {
    const Cell cell = cells_[block.cell[lane]];
    const double cube = ball.radius * ball.radius * ball.radius;
    double cone = 0.0;
    double angle = 0.0;
    if (cell.count > kMostPieces) {
        const Vector3d d = Vector3d(block.x[lane], block.y[lane], block.z[lane]) - ball.center;
        const double squared = d.squaredNorm() + block.near[lane] / 8.0;
        cone = Vector3d(block.nx[lane], block.ny[lane], block.nz[lane]).dot(d) + block.bend[lane];
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

double SurfaceQuadrature::outside(const Ball& asked) {
    // Seen from a point in its own plane, a face has either half of the sphere or none. A hair beside it, the
    // winding number and the solid angles agree about the side.
    const Ball ball{asked.center + asked.radius * Vector3d(5.9e-7, 6.7e-7, 4.3e-7), asked.radius};
    if ((ball.center - near_ball_.center).norm() + ball.radius > near_ball_.radius ||
        2.0 * ball.radius < near_ball_.radius) {
        look_around(ball);
    }
    const auto cx = static_cast<float>(ball.center.x());
    const auto cy = static_cast<float>(ball.center.y());
    const auto cz = static_cast<float>(ball.center.z());
    const auto squared_radius = static_cast<float>(ball.radius * ball.radius);
    const auto cubed_radius = static_cast<float>(ball.radius * ball.radius * ball.radius);
    // Along the rays to a piece at distance d, the shell from d to the radius lies beyond the piece: outside
    // where the piece looks outward, and what was counted too much where it looks inward.
    Lanes shells = Lanes::Zero();
    double exact = 0.0;
    for (const Block* near : near_) {
        const Block& block = *near;
        const Lanes dx = block.x - cx;
        const Lanes dy = block.y - cy;
        const Lanes dz = block.z - cz;
        const Lanes squared = dx * dx + dy * dy + dz * dz;
        Lanes cone = block.nx * dx + block.ny * dy + block.nz * dz + block.bend;
        if ((squared - block.near).minCoeff() <= 0.0F) {
            for (std::size_t l = 0; l < kLanes; ++l) {
                if (squared[l] <= block.near[l]) {
                    exact += squared[l] < squared_radius ? exact_term(block, l, ball) : 0.0;
                    cone[l] = 0.0F;
                }
            }
        }
        // Nothing where the piece is beyond the radius.
        shells += cone * (cubed_radius / (squared * squared.sqrt() + 1e-36F) - 1.0F).max(0.0F);
    }
    double sum = exact;
    for (std::size_t l = 0; l < kLanes; ++l) {
        sum += static_cast<double>(shells[l]);
    }
    const double cube = ball.radius * ball.radius * ball.radius;
    return (sum + kFourPi * (1.0 - winding(ball.center)) * cube) / 3.0;
}

}  // namespace espalier
