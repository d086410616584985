// SPDX-License-Identifier: MIT
#include "examples/ships/world.h"

#include <algorithm>

namespace ships {
namespace {

/// Seconds between new controls.
constexpr double kShortest = 0.5, kLongest = 3;
constexpr double kFastestSpin = 1.5;  // radians a second

/// The user's flight: seconds and where to push. It crosses the crowd, turns and comes back, for ever.
struct Leg {
    double seconds;
    Vector push, spin;
};
constexpr Leg kScript[] = {
    {1.5, {1, 0.2, 0}, {0, 0.3, 0}},        {2.0, {-0.5, 0.8, 0.1}, {0.4, 0, 0.2}},
    {1.5, {-1, -0.4, 0.3}, {0, -0.5, 0}},   {2.0, {0.2, -0.9, -0.3}, {0, 0, 1}},
    {1.0, {0.3, 0.3, -0.8}, {0.2, 0.2, 0}}, {1.0, {0, 0, 1}, {0, 0.6, -0.3}},
};

Vector vector(const double* v) {
    return {v[0], v[1], v[2]};
}

/// Newton's iteration: the library's cbrt rounds differently from machine to machine.
double cube_root(double v) {
    double x = v > 1 ? v : 1;
    for (int i = 0; i < 200; ++i) x = (2 * x + v / (x * x)) / 3;
    return x;
}

Vector limited(const Vector& v, double limit) {
    const double size = length(v);
    return size > limit ? limit / size * v : v;
}

}  // namespace

Hull make_hull(const espalier::ShapeView& part) {
    Hull hull;
    hull.part = part;
    const Vector lo{part.lo[0], part.lo[1], part.lo[2]}, hi{part.hi[0], part.hi[1], part.hi[2]};
    const Vector middle = 0.5 * (lo + hi);
    double squared = 0;
    for (std::uint32_t i = 0; i < part.mesh.vertex_count; ++i) {
        const float* p = part.mesh.positions + std::size_t{3} * i;
        const Vector from = Vector{p[0], p[1], p[2]} - middle;
        squared = std::max(squared, dot(from, from));
    }
    hull.centre = middle + vector(part.origin);
    hull.radius = std::sqrt(squared) * (1 + 1e-9);  // the rounding of the line above
    return hull;
}

World::World(const std::vector<Hull>& hulls, const WorldOptions& options)
    : hulls_(hulls), options_(options), draw_(options.seed), ships_(options.ships) {
    const double ball = 4.18879 * kRadius * kRadius * kRadius;
    half_ = std::max(2 * kRadius, 0.5 * cube_root(options.ships * ball / options.crowding));
    for (std::uint32_t i = 0; i < options.ships; ++i) {
        Ship& ship = ships_[i];
        ship.hull = i % static_cast<std::uint32_t>(hulls_.size());
        ship.scale = kRadius / hulls_[ship.hull].radius;
        ship.position = half_ * draw_.in_cube();
        ship.velocity = kCruise * draw_.in_ball();
        ship.rotation = draw_.rotation();
    }
    ships_[0].position = {};
}

void World::steer_user() {
    double whole = 0;
    for (const Leg& leg : kScript) whole += leg.seconds;
    double at = time_ - whole * std::floor(time_ / whole);
    const Leg* now = kScript;
    while (at >= now->seconds) {
        at -= now->seconds;
        ++now;
        if (now == kScript + sizeof(kScript) / sizeof(*kScript)) now = kScript;
    }
    ships_[0].acceleration = limited(kMaxAcceleration * now->push, kMaxAcceleration);
    ships_[0].spin = now->spin;
}

void World::steer() {
    for (Ship& ship : ships_) {
        if (time_ < ship.control_end) continue;
        ship.acceleration = kMaxAcceleration * draw_.in_ball();
        ship.spin = kFastestSpin * draw_.in_ball();
        ship.control_end = time_ + draw_.between(kShortest, kLongest);
    }
    steer_user();
    for (Ship& ship : ships_) {
        // Too fast, or on the way out: the engines brake.
        const bool leaving = std::fabs(ship.position.x) > half_ || std::fabs(ship.position.y) > half_ ||
                             std::fabs(ship.position.z) > half_;
        if (length(ship.velocity) > kCruise)
            ship.acceleration = limited(-1 * ship.velocity, kMaxAcceleration);
        else if (leaving)
            ship.acceleration = limited(-1 * ship.position, kMaxAcceleration);
    }
}

void World::move() {
    const double dt = options_.frame_time;
    for (Ship& ship : ships_) {
        ship.position = ship.position + dt * ship.velocity + 0.5 * dt * dt * ship.acceleration;
        ship.velocity = ship.velocity + dt * ship.acceleration;
        ship.rotation = turned(ship.rotation, ship.spin, dt);
    }
    ++frame_;
    time_ = static_cast<double>(frame_) * dt;
}

void World::keep_inside() {
    for (Ship& ship : ships_) {
        double* p[3] = {&ship.position.x, &ship.position.y, &ship.position.z};
        double* v[3] = {&ship.velocity.x, &ship.velocity.y, &ship.velocity.z};
        for (int k = 0; k < 3; ++k)
            if (std::fabs(*p[k]) > half_ && *p[k] * *v[k] > 0) *v[k] = -*v[k];
    }
}

bool World::bounce(std::uint32_t a, std::uint32_t b, const Vector& normal) {
    Ship &first = ships_[a], &second = ships_[b];
    const double closing = dot(first.velocity - second.velocity, normal);
    if (!(closing > 0)) return false;
    // Equal masses exchange what they have along the normal; an infinite one gives the other twice as much.
    const bool user = a == 0 || b == 0;
    if (a != 0) first.velocity = first.velocity - (user ? 2 * closing : closing) * normal;
    if (b != 0) second.velocity = second.velocity + (user ? 2 * closing : closing) * normal;
    return true;
}

espalier::Pose World::relative_pose(std::uint32_t a, std::uint32_t b) const {
    const Ship &first = ships_[a], &second = ships_[b];
    const Rotation back = inverse(first.rotation), relative = back * second.rotation;
    const double scale = second.scale / first.scale;
    const Vector place = 1 / first.scale * rotate(back, second.position - first.position);
    const Vector shift = place + hull(a).centre - scale * rotate(relative, hull(b).centre);
    espalier::Pose pose;
    const double q[4] = {relative.w, relative.v.x, relative.v.y, relative.v.z},
                 t[3] = {shift.x, shift.y, shift.z};
    std::copy(q, q + 4, pose.rotation);
    std::copy(t, t + 3, pose.translation);
    std::fill(pose.scale, pose.scale + 3, scale);
    return pose;
}

espalier::Motion World::motion(std::uint32_t index) const {
    const Ship& ship = ships_[index];
    espalier::Motion m;
    const double p[3] = {ship.position.x, ship.position.y, ship.position.z};
    const double v[3] = {ship.velocity.x, ship.velocity.y, ship.velocity.z};
    std::copy(p, p + 3, m.position);
    std::copy(v, v + 3, m.velocity);
    m.radius = kRadius;
    m.max_acceleration = kMaxAcceleration;
    return m;
}

bool World::spheres_touch(std::uint32_t a, std::uint32_t b) const {
    const Vector d = ships_[a].position - ships_[b].position;
    return dot(d, d) <= 4 * kRadius * kRadius;
}

}  // namespace ships
