// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/brute_force.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "runtime/src/pair/pair_frame.h"

namespace espalier::testing {
namespace {

using Vector = Eigen::Vector3d;

Vector corner(const Triangle3& t, int i) {
    return Vector(t.p[i]);
}

/// Farthest corner of a triangle along a direction.
double extent_along(const Triangle3& t, const Vector& from, const Vector& direction) {
    return std::max({direction.dot(corner(t, 0) - from), direction.dot(corner(t, 1) - from),
                     direction.dot(corner(t, 2) - from)});
}

}  // namespace

double point_gap(const Triangle3& t, const double* point) {
    const Vector p(point), normal = (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0));
    double least = INFINITY;
    bool above = normal.squaredNorm() > 0;  // the foot of the perpendicular lies in the triangle
    for (int i = 0; i < 3; ++i) {
        const Vector start = corner(t, i), edge = corner(t, (i + 1) % 3) - start;
        const double length2 = edge.squaredNorm();
        const double at = length2 > 0 ? std::clamp(edge.dot(p - start) / length2, 0.0, 1.0) : 0.0;
        least = std::min(least, (start + at * edge - p).norm());
        if (normal.cross(edge).dot(p - start) < 0) above = false;
    }
    if (above) least = std::min(least, std::abs(normal.dot(p - corner(t, 0))) / normal.norm());
    return least;
}

bool slab_parts(const Triangle3& a, const Triangle3& b, const double* on_a, const double* on_b, double gap) {
    const Vector from(on_a), way = Vector(on_b) - from;
    const double length = way.norm();
    return length > 0 && -extent_along(b, from, -way / length) - extent_along(a, from, way / length) >= gap;
}

void BruteForce::Boxes::add(const Triangle3& t) {
    for (int k = 0; k < 3; ++k) {
        lo[k].push_back(std::min({t.p[0][k], t.p[1][k], t.p[2][k]}));
        hi[k].push_back(std::max({t.p[0][k], t.p[1][k], t.p[2][k]}));
    }
}

BruteForce::BruteForce(const ShapeView& a, const ShapeView& b, const Pose& pose) {
    PairFrame frame;
    if (make_pair_frame(a, b, pose, &frame) != Status::kOk) throw std::invalid_argument("pose");
    for (std::uint32_t i = 0; i < a.mesh.triangle_count; ++i) {
        Triangle3& t = a_.emplace_back();
        for (std::uint32_t c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) t.p[c][k] = double(a.mesh.corner(i, c)[k]);
        boxes_a_.add(t);
    }
    for (std::uint32_t i = 0; i < b.mesh.triangle_count; ++i) {
        Triangle3& t = b_.emplace_back();
        for (std::uint32_t c = 0; c < 3; ++c) frame.place(b.mesh.corner(i, c), t.p[c]);
        boxes_b_.add(t);
    }
    for (const std::vector<Triangle3>* side : {&a_, &b_})
        for (const Triangle3& t : *side)
            for (const auto& p : t.p)
                for (const double x : p) size_ = std::max(size_, std::fabs(x));
}

std::vector<TrianglePair> BruteForce::contacts() const {
    std::vector<TrianglePair> found;
    for (std::uint32_t i = 0; i < a_.size(); ++i)
        for (std::uint32_t j = 0; j < b_.size(); ++j)
            if (triangles_intersect(a_[i], b_[j])) found.emplace_back(i, j);
    return found;
}

template <class Visit>
void BruteForce::for_near_pairs(double margin, Visit visit) const {
    const std::size_t count = b_.size();
    std::vector<std::uint8_t> near(count);
    for (std::uint32_t i = 0; i < a_.size(); ++i) {
        std::fill(near.begin(), near.end(), std::uint8_t{1});
        for (int k = 0; k < 3; ++k) {
            const double lo = boxes_a_.lo[k][i] - margin, hi = boxes_a_.hi[k][i] + margin;
            const double* b_lo = boxes_b_.lo[k].data();
            const double* b_hi = boxes_b_.hi[k].data();
            for (std::size_t j = 0; j < count; ++j)
                near[j] = static_cast<std::uint8_t>(near[j] & (b_lo[j] <= hi) & (b_hi[j] >= lo));
        }
        for (std::uint32_t j = 0; j < count; ++j)
            if (near[j]) visit(i, j);
    }
}

std::vector<TrianglePair> BruteForce::near_contacts() const {
    std::vector<TrianglePair> found;
    for_near_pairs(1e-7 * size_, [&](std::uint32_t i, std::uint32_t j) {
        if (triangles_intersect(a_[i], b_[j])) found.emplace_back(i, j);
    });
    return found;
}

std::vector<TrianglePair> BruteForce::exact_contacts() const {
    std::vector<TrianglePair> found;
    for_near_pairs(0, [&](std::uint32_t i, std::uint32_t j) {
        if (!planes_part(a_[i], b_[j]) && !planes_part(b_[j], a_[i]) && exact_intersect(a_[i], b_[j]))
            found.emplace_back(i, j);
    });
    return found;
}

/// Whether all corners of `b` are surely on one side of the plane of `a`: twenty roundings of products of
/// three differences, each of at most twice the size, stay below the threshold.
bool BruteForce::planes_part(const Triangle3& a, const Triangle3& b) const {
    const double unsure = 1e-13 * size_ * size_ * size_;
    const Vector origin = corner(a, 0), normal = (corner(a, 1) - origin).cross(corner(a, 2) - origin);
    double least = INFINITY, most = -INFINITY;
    for (int c = 0; c < 3; ++c) {
        const double side = normal.dot(corner(b, c) - origin);
        least = std::min(least, side);
        most = std::max(most, side);
    }
    return least > unsure || most < -unsure;
}

std::string BruteForce::doubt_distance(const ClosestPair& claim) const {
    const Triangle3 &a = a_[claim.triangle_a], &b = b_[claim.triangle_b];
    if (claim.distance == 0) return exact_intersect(a, b) ? "" : "0, but the triangles do not touch";
    const double rounding = 1e-12 * size_, needed = claim.distance * (1 - kDistancePromise / 10) - rounding;
    const Vector from(claim.point_a), to(claim.point_b), way = (to - from) / claim.distance;
    if (std::abs((to - from).norm() - claim.distance) > rounding) return "the points are not that far apart";
    if (point_gap(a, claim.point_a) + point_gap(b, claim.point_b) > rounding)
        return "a point is off its triangle";
    // How far every triangle extends along the way: most pairs are parted by one slab.
    std::vector<double> extent_a(a_.size()), extent_b(b_.size());
    for (std::size_t i = 0; i < a_.size(); ++i) extent_a[i] = extent_along(a_[i], from, way);
    for (std::size_t j = 0; j < b_.size(); ++j) extent_b[j] = -extent_along(b_[j], from, -way);
    for (std::size_t i = 0; i < a_.size(); ++i)
        for (std::size_t j = 0; j < b_.size(); ++j) {
            if (extent_b[j] - extent_a[i] >= needed || box_gap(i, j) >= needed) continue;
            double on_a[3], on_b[3];
            triangle_distance(a_[i], b_[j], on_a, on_b);
            if (slab_parts(a_[i], b_[j], on_a, on_b, needed)) continue;
            if (exact_distance(a_[i], b_[j]) < claim.distance * (1 - kDistancePromise) - rounding)
                return "triangles " + std::to_string(i) + " and " + std::to_string(j) + " are nearer";
        }
    return "";
}

double BruteForce::distance() const {
    double least = INFINITY;
    for (std::size_t i = 0; i < a_.size(); ++i)
        for (std::size_t j = 0; j < b_.size(); ++j) {
            if (box_gap(i, j) > least * (1 + 1e-9)) continue;
            double on_a[3], on_b[3];
            if (triangles_intersect(a_[i], b_[j])) return 0;
            least = std::min(least, triangle_distance(a_[i], b_[j], on_a, on_b));
        }
    return least;
}

double BruteForce::box_gap(std::size_t i, std::size_t j) const {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
        const double gap =
            std::max({boxes_b_.lo[k][j] - boxes_a_.hi[k][i], boxes_a_.lo[k][i] - boxes_b_.hi[k][j], 0.0});
        squared += gap * gap;
    }
    return std::sqrt(squared);
}

}  // namespace espalier::testing
