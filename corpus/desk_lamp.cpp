// SPDX-License-Identifier: GPL-3.0-or-later
// Desk lamp: circular sections strung on a plane path from under the foot, along the arm, over the shade's
// outside, its rim and its inside, to the tip of the bulb. One string of sections makes one closed surface.
#include "corpus/desk_lamp.h"

#include <algorithm>
#include <cmath>

#include "corpus/loft.h"
#include "corpus/unit_circle.h"

namespace espalier::corpus {
namespace {

constexpr double kArmRadius = 0.009;

// Walks in the plane y = 0 and leaves circular sections behind. Headings are whole degrees from +z towards
// +x.
class Walker {
  public:
    explicit Walker(std::uint32_t segments) : segments_(segments) {}

    // The sections of a profile of (distance ahead, radius) points, each piece cut to the fineness at its
    // radius. The walker itself stays where it is.
    void leave_profile(const Profile& profile) {
        for (std::size_t i = 0; i < profile.size(); ++i) {
            if (i > 0) {
                const Eigen::Vector2d step = profile[i] - profile[i - 1];
                const std::uint32_t cuts = cuts_for(step.norm());
                for (std::uint32_t k = 1; k < cuts; ++k) leave(profile[i - 1] + step * (double(k) / cuts));
            }
            leave(profile[i]);
        }
    }

    void go(double distance) { position_ += distance * heading(degrees_); }

    // A link of the arm: sections at both ends and between.
    void link(double length) {
        leave_profile({{0.0, kArmRadius}, {length, kArmRadius}});
        go(length);
    }

    // A bend of the arm; the sections at its two ends are left to the links that it joins.
    void bend(std::int64_t degrees, double bend_radius) {
        const double side = degrees > 0 ? bend_radius : -bend_radius;
        const Eigen::Vector3d pivot = position_ + side * across(degrees_, 1);
        const std::int64_t cuts = std::max<std::int64_t>(3, std::abs(degrees) * segments_ / 360);
        for (std::int64_t k = 1; k < cuts; ++k) {
            const Eigen::Vector3d u = across(degrees_ * cuts + degrees * k, cuts);
            loops_.push_back(
                ellipse(pivot - side * u, kArmRadius * u, kArmRadius * Eigen::Vector3d::UnitY(), segments_));
        }
        degrees_ += degrees;
        position_ = pivot - side * across(degrees_, 1);
    }

    Eigen::Vector3d ahead(double distance) const { return position_ + distance * heading(degrees_); }
    const std::vector<Loop>& loops() const { return loops_; }

  private:
    static Eigen::Vector3d heading(std::int64_t degrees) {
        const Eigen::Vector2d c = unit_circle_degrees(degrees);
        return {c.y(), 0.0, c.x()};
    }
    // The direction in the plane to the right of the heading degrees / parts.
    static Eigen::Vector3d across(std::int64_t degrees, std::int64_t parts) {
        const Eigen::Vector2d c = unit_circle(degrees, 360 * parts);
        return {c.x(), 0.0, -c.y()};
    }
    std::uint32_t cuts_for(double length) const {
        const double fineness = 0.48 / segments_;
        return std::max(1u, static_cast<std::uint32_t>(std::ceil(length / fineness)));
    }
    void leave(const Eigen::Vector2d& at) {
        const Eigen::Vector3d right = across(degrees_, 1);
        loops_.push_back(
            ellipse(ahead(at.x()), at.y() * right, at.y() * Eigen::Vector3d::UnitY(), segments_));
    }

    std::uint32_t segments_;
    Eigen::Vector3d position_ = Eigen::Vector3d::Zero();
    std::int64_t degrees_ = 0;
    std::vector<Loop> loops_;
};

// The shade's outside, rim and inside, then the socket and the bulb up to where its tip is.
Profile shade_and_bulb(std::uint32_t segments, double bulb_centre, double bulb_radius) {
    Profile p = {{0.000, 0.012}, {0.000, 0.030}, {0.045, 0.034}, {0.060, 0.050},
                 {0.150, 0.092}, {0.152, 0.090}, {0.064, 0.048}, {0.049, 0.031},
                 {0.006, 0.027}, {0.006, 0.013}, {0.045, 0.013}};
    // The bulb is a sphere cut by the socket: whole degrees from 155 (at the socket) to 0 (the tip).
    const std::int64_t cuts = std::max(4u, segments / 3);
    for (std::int64_t k = 0; k < cuts; ++k) {
        const Eigen::Vector2d c = unit_circle(155 * (cuts - k), 360 * cuts);
        p.emplace_back(bulb_centre + bulb_radius * c.x(), bulb_radius * c.y());
    }
    return p;
}

}  // namespace

TriangleMesh make_desk_lamp(const DeskLampOptions& options) {
    constexpr double kBulbCentre = 0.085;
    constexpr double kBulbRadius = 0.032;
    Walker walker(options.segments);
    walker.leave_profile({{0.000, 0.040},
                          {0.000, 0.095},
                          {0.004, 0.100},
                          {0.014, 0.100},
                          {0.020, 0.092},
                          {0.024, 0.030},
                          {0.030, 0.016}});
    walker.go(0.050);
    walker.link(0.020);
    walker.bend(-25, 0.030);
    walker.link(0.190);
    walker.bend(80, 0.030);
    walker.link(0.230);
    walker.bend(95, 0.030);
    walker.link(0.015);
    walker.go(0.010);
    walker.leave_profile(shade_and_bulb(options.segments, kBulbCentre, kBulbRadius));
    return rounded(
        loft_capped(Eigen::Vector3d::Zero(), walker.loops(), walker.ahead(kBulbCentre + kBulbRadius)));
}

}  // namespace espalier::corpus
