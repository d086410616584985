// SPDX-License-Identifier: GPL-3.0-or-later
// Surfaces spanned by a sequence of closed loops.
#include "corpus/loft.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "corpus/unit_circle.h"

namespace espalier::corpus {
namespace {

// Adds the vertices of all loops one after the other and returns the index of the first.
std::uint32_t add_loops(Shape& shape, const std::vector<Loop>& loops) {
    const auto first = static_cast<std::uint32_t>(shape.positions.size());
    for (const Loop& loop : loops)
        for (const Eigen::Vector3d& p : loop) shape.add_vertex(p);
    return first;
}

// The band between the loop whose vertices start at `lower` and the next one, at `upper`.
void add_band(Shape& shape, std::uint32_t lower, std::uint32_t upper, std::uint32_t segments) {
    for (std::uint32_t j = 0; j < segments; ++j) {
        const std::uint32_t k = (j + 1) % segments;
        shape.add_quad(lower + j, lower + k, upper + k, upper + j);
    }
}

Loop circle_about_z(double radius, double z, std::uint32_t segments) {
    return ellipse({0.0, 0.0, z}, {radius, 0.0, 0.0}, {0.0, radius, 0.0}, segments);
}

// The coordinate axis that is least aligned with `direction`, lowest index first.
Eigen::Vector3d least_aligned_axis(const Eigen::Vector3d& direction) {
    int best = 0;
    for (int i = 1; i < 3; ++i)
        if (std::fabs(direction[i]) < std::fabs(direction[best])) best = i;
    return Eigen::Vector3d::Unit(best);
}

}  // namespace

Loop ellipse(const Eigen::Vector3d& centre, const Eigen::Vector3d& u, const Eigen::Vector3d& v,
             std::uint32_t segments) {
    Loop loop;
    loop.reserve(segments);
    for (std::uint32_t j = 0; j < segments; ++j) {
        const Eigen::Vector2d c = unit_circle(j, segments);
        loop.push_back(centre + c.x() * u + c.y() * v);
    }
    return loop;
}

Shape loft_capped(const Eigen::Vector3d& start, const std::vector<Loop>& loops, const Eigen::Vector3d& end) {
    Shape shape;
    const auto segments = static_cast<std::uint32_t>(loops.front().size());
    const auto count = static_cast<std::uint32_t>(loops.size());
    const std::uint32_t start_pole = shape.add_vertex(start);
    const std::uint32_t first = add_loops(shape, loops);
    const std::uint32_t last = first + (count - 1) * segments;
    const std::uint32_t end_pole = shape.add_vertex(end);
    for (std::uint32_t j = 0; j < segments; ++j)
        shape.add_triangle(start_pole, first + (j + 1) % segments, first + j);
    for (std::uint32_t i = 0; i + 1 < count; ++i)
        add_band(shape, first + i * segments, first + (i + 1) * segments, segments);
    for (std::uint32_t j = 0; j < segments; ++j)
        shape.add_triangle(end_pole, last + j, last + (j + 1) % segments);
    return shape;
}

Shape loft_ring(const std::vector<Loop>& loops) {
    Shape shape;
    const auto segments = static_cast<std::uint32_t>(loops.front().size());
    const auto count = static_cast<std::uint32_t>(loops.size());
    add_loops(shape, loops);
    for (std::uint32_t i = 0; i < count; ++i)
        add_band(shape, i * segments, (i + 1) % count * segments, segments);
    return shape;
}

Shape revolve(const Profile& profile, std::uint32_t segments) {
    std::vector<Loop> loops;
    for (std::size_t i = 1; i + 1 < profile.size(); ++i)
        loops.push_back(circle_about_z(profile[i].y(), profile[i].x(), segments));
    return loft_capped({0.0, 0.0, profile.front().x()}, loops, {0.0, 0.0, profile.back().x()});
}

Shape revolve_ring(const Profile& profile, std::uint32_t segments) {
    std::vector<Loop> loops;
    for (const Eigen::Vector2d& p : profile) loops.push_back(circle_about_z(p.y(), p.x(), segments));
    return loft_ring(loops);
}

Profile subdivided(const Profile& profile, std::uint32_t count) {
    const std::size_t pieces = profile.size() - 1;
    std::vector<double> length(pieces);
    std::vector<std::uint32_t> cuts(pieces, 1);
    for (std::size_t i = 0; i < pieces; ++i) length[i] = (profile[i + 1] - profile[i]).norm();
    for (std::size_t n = profile.size(); n < count; ++n) {
        std::size_t longest = 0;
        for (std::size_t i = 1; i < pieces; ++i)
            if (length[i] * cuts[longest] > length[longest] * cuts[i]) longest = i;
        ++cuts[longest];
    }
    Profile fine;
    for (std::size_t i = 0; i < pieces; ++i)
        for (std::uint32_t k = 0; k < cuts[i]; ++k)
            fine.push_back(profile[i] + (profile[i + 1] - profile[i]) * (double(k) / double(cuts[i])));
    fine.push_back(profile.back());
    return fine;
}

Shape sweep(const std::vector<Eigen::Vector3d>& path, double radius, std::uint32_t segments) {
    std::vector<Loop> loops;
    Eigen::Vector3d u = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Eigen::Vector3d& before = path[i == 0 ? 0 : i - 1];
        const Eigen::Vector3d& after = path[std::min(i + 1, path.size() - 1)];
        const Eigen::Vector3d tangent = (after - before).normalized();
        if (i == 0) u = least_aligned_axis(tangent);
        u = (u - u.dot(tangent) * tangent).normalized().eval();
        loops.push_back(ellipse(path[i], radius * u, radius * tangent.cross(u), segments));
    }
    return loft_capped(path.front(), loops, path.back());
}

std::vector<Eigen::Vector3d> spline(const std::vector<Eigen::Vector3d>& controls, std::uint32_t count) {
    // Reflected phantom points make the curve begin and end at the outer control points.
    std::vector<Eigen::Vector3d> c = controls;
    c.insert(c.begin(), 2.0 * controls[0] - controls[1]);
    c.push_back(2.0 * controls.back() - controls[controls.size() - 2]);
    const std::size_t spans = c.size() - 3;
    std::vector<Eigen::Vector3d> points;
    for (std::uint32_t k = 0; k < count; ++k) {
        const double s = double(spans) * double(k) / double(count - 1);
        const std::size_t i = std::min(static_cast<std::size_t>(s), spans - 1);
        const double t = s - double(i);
        const double r = 1.0 - t;
        const double t2 = t * t;
        const double t3 = t2 * t;
        points.push_back((r * r * r * c[i] + (3.0 * t3 - 6.0 * t2 + 4.0) * c[i + 1] +
                          (-3.0 * t3 + 3.0 * t2 + 3.0 * t + 1.0) * c[i + 2] + t3 * c[i + 3]) /
                         6.0);
    }
    return points;
}

}  // namespace espalier::corpus
