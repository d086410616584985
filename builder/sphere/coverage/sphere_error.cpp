// SPDX-License-Identifier: GPL-3.0-or-later
// Branch and bound for the one-sided Hausdorff distance from a sphere to a solid. The first step is Hubbard's
// (1996, section 6.2) with the icosahedron's faces in place of the dodecahedron's corners (they are dual);
// bisection tightens it. Spheres that hug the surface are bounded by the shadows of its triangles instead.
#include "builder/sphere/coverage/sphere_error.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <queue>
#include <vector>

namespace espalier {
namespace {

using Eigen::Vector3d;

/// A spherical triangle, given by unit vectors. If it is the shadow of a piece of the mesh, seen from the
/// ball's centre, also by how far away the piece's corners are.
struct Patch {
    std::array<Vector3d, 3> corner;
    std::array<double, 3> length;  ///< shadows: distances of the piece's corners from the centre
    double upper;                  ///< no point of the patch is farther from the solid
    std::uint32_t nearest;         ///< triangle near the patch
    std::uint32_t order;           ///< of creation: breaks ties
    bool measured;                 ///< `upper` knows the distance at the patch's middle
};

struct LessUpper {
    bool operator()(const Patch& a, const Patch& b) const {
        return a.upper < b.upper || (a.upper == b.upper && a.order > b.order);
    }
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
    for (std::size_t f = 0; f < 20; ++f)
        for (std::size_t i = 0; i < 3; ++i) faces[f][i] = v[static_cast<std::size_t>(kFaces[f][i])];
    return faces;
}

/// When a search may end.
struct Goal {
    double tightness = 0.0;  ///< relative gap between the bounds that is small enough
    double floor = 0.0;      ///< and absolute
    double limit = -1.0;     ///< if not negative: only whether the error exceeds this matters

    bool reached(double lower, double upper) const {
        return limit >= 0.0 ? upper <= limit || lower > limit
                            : upper <= std::max((1.0 + tightness) * lower, lower + floor);
    }
};

class ErrorSearch {
  public:
    ErrorSearch(const ErrorContext& context, const Ball& ball, const Goal& goal)
        : context_(context), ball_(ball), goal_(goal) {}

    ErrorBounds run(int max_steps) {
        static const auto kFaces = icosahedron();
        for (const auto& face : kFaces)
            measure({face, {}, 2.0 * ball_.radius + distance_to(0, ball_.center), last_, 0, false});
        // A sphere that protrudes far is done after a few bisections. One that hugs the surface would need
        // very many, all of them in vain where its shadows recenter the matter.
        const int few = std::min(kFewSteps, max_steps);
        double upper = refine(few);
        if (!goal_.reached(lower_, upper) && context_.solid.inside(ball_.center)) cast_shadows();
        upper = std::min(upper, refine(max_steps - few));
        return {lower_, std::max(lower_, upper)};
    }

  private:
    static constexpr int kFewSteps = 48;

    struct Queue {
        std::vector<Patch> patches;

        void push(const Patch& patch) {
            patches.push_back(patch);
            std::push_heap(patches.begin(), patches.end(), LessUpper());
        }
        Patch pop() {
            std::pop_heap(patches.begin(), patches.end(), LessUpper());
            const Patch top = patches.back();
            patches.pop_back();
            return top;
        }
        double upper() const { return patches.empty() ? 0.0 : patches.front().upper; }
    };

    /// Works on the worst patch until the goal is reached or the steps are used up. Returns the upper bound.
    double refine(int steps) {
        for (; steps > 0 && !goal_.reached(lower_, queue_.upper()); --steps) {
            const Patch worst = queue_.pop();
            if (worst.measured) {
                split(worst);
                continue;
            }
            probe(worst);
            if (goal_.reached(lower_, worst.upper))
                queue_.push(worst);
            else
                measure(worst);
        }
        return queue_.upper();
    }

    /// Seen from a centre inside the solid, every point of the sphere that is outside lies in the shadow of a
    /// triangle, and no farther behind it than the triangle is from the sphere. Replaces the queue by these
    /// shadows, unless the centre touches a triangle.
    void cast_shadows() {
        std::vector<Patch> shadows;
        for (const std::uint32_t t : context_.query.triangles_near(ball_.center, ball_.radius)) {
            Patch shadow{{}, {}, 0.0, t, ++created_, false};
            for (std::size_t i = 0; i < 3; ++i) {
                const Vector3d arm = context_.solid.boundary().corner(t, i) - ball_.center;
                shadow.length[i] = arm.norm();
                if (!(shadow.length[i] > 1e-9 * ball_.radius)) return;
                shadow.corner[i] = arm / shadow.length[i];
            }
            shadow.upper = shadow_bound(shadow);
            if (shadow.upper > lower_ && shadow.upper > 0.0) shadows.push_back(shadow);
        }
        std::make_heap(shadows.begin(), shadows.end(), LessUpper());
        queue_.patches.swap(shadows);
    }

    /// Looks at the point of the sphere behind the piece's point nearest to the centre, where it protrudes
    /// most if the surface is smooth.
    void probe(const Patch& patch) {
        const Vector3d foot = foot_of(arms_of(patch));
        const double length = foot.norm();
        if (length > 0.0) {
            const Vector3d point = ball_.center + foot * (ball_.radius / length);
            if (!context_.solid.inside(point))
                lower_ = std::max(lower_, context_.query.closest(point, patch.nearest).distance);
        }
    }

    static std::array<Vector3d, 3> arms_of(const Patch& patch) {
        return {patch.length[0] * patch.corner[0], patch.length[1] * patch.corner[1],
                patch.length[2] * patch.corner[2]};
    }
    static Vector3d foot_of(const std::array<Vector3d, 3>& arm) {
        return closest_point_on_triangle(Vector3d::Zero(), arm[0], arm[1], arm[2]);
    }
    double shadow_bound(const Patch& patch) const {
        const std::array<Vector3d, 3> arm = arms_of(patch);
        return ball_.radius - distance_below(arm, foot_of(arm));
    }

    /// A lower bound of the distance of the triangle `arm` from the origin: that of a plane in front of it,
    /// so that a wrong foot on a sliver makes no false claim.
    static double distance_below(const std::array<Vector3d, 3>& arm, const Vector3d& foot) {
        const double length = foot.norm();
        if (!(length > 0.0)) return 0.0;
        const double least = std::min({foot.dot(arm[0]), foot.dot(arm[1]), foot.dot(arm[2])});
        return std::max(0.0, least / length * (1.0 - 1e-14));
    }

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
        // Where that direction meets the piece's edge (it bisects the angle).
        const double a = patch.length[longest];
        const double b = patch.length[other];
        const double length =
            a > 0.0 ? (patch.corner[longest] + patch.corner[other]).norm() * a * b / (a + b) : 0.0;
        for (const std::size_t moved : {other, longest}) {
            Patch half = patch;
            half.corner[moved] = middle;
            half.length[moved] = length;
            half.measured = false;
            if (a > 0.0) half.upper = std::min(half.upper, shadow_bound(half));
            measure(half);
        }
    }

    /// Bounds the distances of a patch's points by that of its middle, and queues what may still matter.
    void measure(Patch patch) {
        if (patch.upper <= lower_) return;
        const std::array<Vector3d, 3>& corner = patch.corner;
        const Vector3d middle = (corner[0] + corner[1] + corner[2]).normalized();
        const double spread = ball_.radius * farthest_chord(middle, corner);
        const Vector3d point = ball_.center + ball_.radius * middle;
        // A patch whose middle is near enough to any triangle needs no exact nearest one.
        const double coarse = distance_to(patch.nearest, point);
        if (coarse + spread <= lower_) return;
        const SurfaceQuery::Closest near = context_.query.closest(point, patch.nearest);
        last_ = near.triangle;
        double signed_distance = near.distance;
        if (context_.solid.inside(point)) signed_distance = -near.distance;
        lower_ = std::max(lower_, signed_distance);
        // The signed distance changes by at most 1 per unit of length (chords are shorter than arcs, and a
        // segment between two points bounds the difference).
        patch.upper = std::min(patch.upper, signed_distance + spread);
        if (patch.upper > lower_) patch.upper = std::min(patch.upper, convex_bound(corner, near.triangle));
        if (patch.upper > lower_ && patch.upper > 0.0) {
            patch.nearest = near.triangle;
            patch.order = ++created_;
            patch.measured = true;
            queue_.push(patch);
        }
    }

    /// The chord from `middle` to the farthest point of the patch: a corner, if the corners lie in the
    /// hemisphere around the middle.
    static double farthest_chord(const Vector3d& middle, const std::array<Vector3d, 3>& corner) {
        double squared = 0.0;
        for (const Vector3d& c : corner) {
            if (!(c.dot(middle) >= 0.0)) return 2.0;
            squared = std::max(squared, (c - middle).squaredNorm());
        }
        return std::sqrt(squared);
    }

    double distance_to(std::uint32_t t, const Vector3d& point) const {
        const TriangleMesh& m = context_.solid.boundary();
        return (closest_point_on_triangle(point, m.corner(t, 0), m.corner(t, 1), m.corner(t, 2)) - point)
            .norm();
    }

    /// The distance from a convex set is convex: over the flat triangle of the patch's corners it is largest
    /// at a corner, and no point of the patch is farther from that flat triangle than the patch is high.
    double convex_bound(const std::array<Vector3d, 3>& corner, std::uint32_t t) const {
        const double edge[3] = {(corner[1] - corner[0]).squaredNorm(), (corner[2] - corner[1]).squaredNorm(),
                                (corner[0] - corner[2]).squaredNorm()};
        const double longest = std::max({edge[0], edge[1], edge[2]});
        // The flat triangle lies in a ball of this radius squared around its corners: half the longest edge
        // if the angle across is not acute (Jung's theorem otherwise). All of it is that near the sphere.
        const bool acute = edge[0] + edge[1] + edge[2] > 2.0 * longest;
        const double within = longest * (acute ? 1.0 / 3.0 : 0.25) * (1.0 + 1e-12);
        const double height = within < 1.0 ? within / (1.0 + std::sqrt(1.0 - within)) : 1.0;
        double most = 0.0;
        for (const Vector3d& c : corner)
            most = std::max(most, distance_to(t, ball_.center + ball_.radius * c));
        return most + ball_.radius * height;
    }

    const ErrorContext& context_;
    const Ball& ball_;
    Goal goal_;
    double lower_ = 0.0;
    std::uint32_t last_ = 0;
    std::uint32_t created_ = 0;
    Queue queue_;
};

}  // namespace

ErrorBounds sphere_error(const ErrorContext& context, const Ball& ball, double tightness, double floor,
                         int max_steps) {
    return ErrorSearch(context, ball, {tightness, floor, -1.0}).run(max_steps);
}

bool sphere_error_at_most(const ErrorContext& context, const Ball& ball, double error, int max_steps) {
    return error >= 0.0 && ErrorSearch(context, ball, {0.0, 0.0, error}).run(max_steps).upper <= error;
}

}  // namespace espalier
