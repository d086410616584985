// SPDX-License-Identifier: GPL-3.0-or-later
// Patches of many pieces are divided at the median, single pieces by the same bisection as in the proof of
// coverage.
#include "builder/sphere/optimize/surface_patches.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <utility>

#include "builder/sphere/optimize/tuning.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

Vector3d middle_of(const Piece& piece) {
    return (piece.corner[0] + piece.corner[1] + piece.corner[2]) / 3.0;
}

/// The smallest ball around one piece: about its longest edge, or through all three corners.
Ball ball_of(const Piece& piece) {
    const std::size_t i = longest_edge(piece);
    const Vector3d& a = piece.corner[i];
    const Vector3d& b = piece.corner[(i + 1) % 3];
    const Vector3d& c = piece.corner[(i + 2) % 3];
    Vector3d center = 0.5 * (a + b);
    const Vector3d u = a - c;
    const Vector3d v = b - c;
    const Vector3d normal = u.cross(v);
    if (u.dot(v) > 0.0 && normal.squaredNorm() > 0.0)
        center = c + (u.squaredNorm() * v - v.squaredNorm() * u).cross(normal) / (2.0 * normal.squaredNorm());
    return {center, farthest_corner(piece, center)};
}

/// A ball around several.
Ball ball_of(const std::vector<Piece>& pieces) {
    if (pieces.size() == 1) return ball_of(pieces.front());
    Eigen::AlignedBox3d box;
    for (const Piece& piece : pieces)
        for (const Vector3d& corner : piece.corner) box.extend(corner);
    Ball ball{box.center(), 0.0};
    for (const Piece& piece : pieces)
        ball.radius = std::max(ball.radius, farthest_corner(piece, ball.center));
    return ball;
}

/// Bisects the pieces that are nearly as long as the patch, so that it can be divided: slivers by the hundred
/// may lie side by side.
void bisect_long(std::vector<Piece>& pieces, double size) {
    const std::size_t count = pieces.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (longest_edge_squared(pieces[i]) > tuning::kLongPiece * tuning::kLongPiece * size * size) {
            const std::array<Piece, 2> both = bisect(pieces[i]);
            pieces[i] = both[0];
            pieces.push_back(both[1]);
        }
    }
}

std::pair<std::vector<Piece>, std::vector<Piece>> halves(std::vector<Piece> pieces, double radius) {
    if (pieces.size() == 1) {
        const std::array<Piece, 2> both = bisect(pieces.front());
        return {{both[0]}, {both[1]}};
    }
    bisect_long(pieces, 2.0 * radius);
    Eigen::AlignedBox3d box;
    for (const Piece& piece : pieces) box.extend(middle_of(piece));
    int axis = 0;
    box.sizes().maxCoeff(&axis);
    const auto middle = pieces.begin() + static_cast<std::ptrdiff_t>(pieces.size() / 2);
    std::stable_sort(pieces.begin(), pieces.end(), [axis](const Piece& a, const Piece& b) {
        return middle_of(a)[axis] < middle_of(b)[axis];
    });
    return {{pieces.begin(), middle}, {middle, pieces.end()}};
}

}  // namespace

void append_split(Patch patch, double radius, std::vector<Patch>& patches) {
    if (patch.ball.radius <= radius) {
        patches.push_back(std::move(patch));
        return;
    }
    auto [first, second] = halves(std::move(patch.pieces), patch.ball.radius);
    for (std::vector<Piece>* half : {&first, &second}) {
        const Ball ball = ball_of(*half);
        append_split({ball, std::move(*half)}, radius, patches);
    }
}

Vector3d normal_of(const Patch& patch) {
    Vector3d sum = Vector3d::Zero();
    double area = 0.0;
    for (const Piece& piece : patch.pieces) {
        const Vector3d normal = (piece.corner[1] - piece.corner[0]).cross(piece.corner[2] - piece.corner[0]);
        sum += normal;
        area += normal.norm();
    }
    return sum.norm() > tuning::kFlatShare * area ? Vector3d(sum / sum.norm()) : Vector3d(Vector3d::Zero());
}

std::vector<Patch> surface_patches(const TriangleMesh& mesh, double radius) {
    std::vector<Piece> all;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) all.push_back(whole_triangle(mesh, t));
    std::vector<Patch> patches;
    const Ball ball = ball_of(all);
    append_split({ball, std::move(all)}, radius, patches);
    return patches;
}

}  // namespace espalier
