// SPDX-License-Identifier: GPL-3.0-or-later
// Branch and bound for the one-sided Hausdorff distance from a sphere to a solid. The first step is Hubbard's
// (1996, section 6.2) with the icosahedron's faces in place of the dodecahedron's corners (they are dual);
// bisection tightens it.
#include "builder/sphere_tree/sphere_error.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <vector>

namespace espalier {
namespace {

using Eigen::Vector3d;

/// A spherical triangle, given by unit vectors.
struct Patch {
    std::array<Vector3d, 3> corner;
    double upper;
    std::uint32_t nearest;  ///< triangle nearest to the patch's middle
};

struct LessUpper {
    bool operator()(const Patch& a, const Patch& b) const { return a.upper < b.upper; }
};

std::array<std::array<Vector3d, 3>, 20> icosahedron() {
    const double g = (1.0 + std::sqrt(5.0)) / 2.0;
    const double s = 1.0 / std::sqrt(1.0 + g * g);
    const std::array<Vector3d, 12> v = {{{-s, g * s, 0},
                                         {s, g * s, 0},
                                         {-s, -g * s, 0},
                                         {s, -g * s, 0},
                                         {0, -s, g * s},
                                         {0, s, g * s},
                                         {0, -s, -g * s},
                                         {0, s, -g * s},
                                         {g * s, 0, -s},
                                         {g * s, 0, s},
                                         {-g * s, 0, -s},
                                         {-g * s, 0, s}}};
    constexpr int kFaces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                   {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                   {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                   {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    std::array<std::array<Vector3d, 3>, 20> faces;
    for (std::size_t f = 0; f < 20; ++f) {
        for (std::size_t i = 0; i < 3; ++i) {
            faces[f][i] = v[static_cast<std::size_t>(kFaces[f][i])];
        }
    }
    return faces;
}

class ErrorSearch {
  public:
    ErrorSearch(const ErrorContext& context, const Ball& ball)
        : context_(context), ball_(ball), solid_(context.inside.kind() == SolidKind::kClosed) {}

    ErrorBounds run(double tightness, double floor, int max_steps) {
        static const auto kFaces = icosahedron();
        for (const auto& face : kFaces) {
            add(face, last_);
        }
        for (int step = 0; step < max_steps && !queue_.empty(); ++step) {
            const Patch worst = queue_.top();
            if (worst.upper <= std::max((1.0 + tightness) * lower_, lower_ + floor)) {
                break;
            }
            queue_.pop();
            split(worst);
        }
        return {lower_, std::max(lower_, queue_.empty() ? 0.0 : queue_.top().upper)};
    }

    bool at_most(double error, int max_steps) {
        for (const auto& face : icosahedron()) {
            add(face, last_);
        }
        for (int step = 0; step < max_steps && !queue_.empty() && lower_ <= error; ++step) {
            const Patch worst = queue_.top();
            if (worst.upper <= error) {
                return true;
            }
            queue_.pop();
            split(worst);
        }
        return lower_ <= error && (queue_.empty() || queue_.top().upper <= error);
    }

  private:
    void split(const Patch& patch) {
        std::size_t longest = 0;
        double most = -1.0;
        for (std::size_t i = 0; i < 3; ++i) {
            const double squared = (patch.corner[(i + 1) % 3] - patch.corner[i]).squaredNorm();
            if (squared > most) {
                most = squared;
                longest = i;
            }
        }
        const std::size_t other = (longest + 1) % 3;
        const Vector3d middle = (patch.corner[longest] + patch.corner[other]).normalized();
        std::array<Vector3d, 3> half = patch.corner;
        half[other] = middle;
        add(half, patch.nearest);
        half = patch.corner;
        half[longest] = middle;
        add(half, patch.nearest);
    }

    void add(const std::array<Vector3d, 3>& corner, std::uint32_t hint) {
        const Vector3d middle = (corner[0] + corner[1] + corner[2]).normalized();
        double reach = 0.0;  // chord from the middle to the farthest point of the patch, a corner
        for (const Vector3d& c : corner) {
            reach = std::max(reach, (c - middle).norm());
        }
        const Vector3d point = ball_.center + ball_.radius * middle;
        // A patch whose middle is near enough to any triangle needs no exact nearest one.
        const double coarse = distance_to(hint, point);
        if (coarse + ball_.radius * reach <= lower_) {
            return;
        }
        const SurfaceQuery::Closest near = context_.query.closest(point, hint);
        last_ = near.triangle;
        double signed_distance = near.distance;
        if (solid_ && context_.inside.inside(point)) {
            signed_distance = -near.distance;
        }
        lower_ = std::max(lower_, signed_distance);
        // The signed distance changes by at most 1 per unit of length (chords are shorter than arcs, and a
        // segment between two points bounds the difference).
        double upper = signed_distance + ball_.radius * reach;
        if (upper > lower_) {
            upper = std::min(upper, convex_bound(corner, near.triangle));
        }
        if (upper > lower_ && upper > 0.0) {
            queue_.push({corner, upper, near.triangle});
        }
    }

    double distance_to(std::uint32_t t, const Vector3d& point) const {
        const TriangleMesh& m = context_.mesh;
        return (closest_point_on_triangle(point, m.corner(t, 0), m.corner(t, 1), m.corner(t, 2)) - point)
            .norm();
    }

    /// The distance from a convex set is convex: over the flat triangle of the patch's corners it is largest
    /// at a corner, and no point of the patch is farther from that flat triangle than the patch is high.
    double convex_bound(const std::array<Vector3d, 3>& corner, std::uint32_t t) const {
        const Vector3d normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]).normalized();
        const double height = 1.0 - std::fabs(normal.dot(corner[0]));
        double most = 0.0;
        for (const Vector3d& c : corner) {
            most = std::max(most, distance_to(t, ball_.center + ball_.radius * c));
        }
        return most + ball_.radius * height;
    }

    const ErrorContext& context_;
    const Ball& ball_;
    bool solid_;
    double lower_ = 0.0;
    std::uint32_t last_ = 0;
    std::priority_queue<Patch, std::vector<Patch>, LessUpper> queue_;
};

}  // namespace

ErrorBounds sphere_error(const ErrorContext& context, const Ball& ball, double tightness, double floor,
                         int max_steps) {
    return ErrorSearch(context, ball).run(tightness, floor, max_steps);
}

bool sphere_error_at_most(const ErrorContext& context, const Ball& ball, double error, int max_steps) {
    return ErrorSearch(context, ball).at_most(error, max_steps);
}

}  // namespace espalier
