// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/cells_1997/cage.h"

#include <Eigen/Geometry>
#include <cmath>
#include <random>

namespace espalier::bench {
namespace {

/// Of the cage's half side and of a turn, at most, a frame.
constexpr double kSpeed = 0.05;

class Draws {
  public:
    explicit Draws(std::uint64_t seed) : engine_(seed) {}
    double between(double lo, double hi) {
        return lo + (hi - lo) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
    }
    Eigen::Vector3d in_cube(double half) {
        const double x = between(-half, half), y = between(-half, half), z = between(-half, half);
        return {x, y, z};
    }

  private:
    std::mt19937_64 engine_;
};

struct Body {
    Eigen::Vector3d position, velocity, spin;
    Eigen::Quaterniond turn;

    void draw(Draws& draws, double room) {
        position = draws.in_cube(room);
        turn = Eigen::Quaterniond(draws.between(-1, 1), draws.between(-1, 1), draws.between(-1, 1),
                                  draws.between(-1, 1))
                   .normalized();
        velocity = draws.in_cube(kSpeed * room);
        spin = draws.in_cube(kSpeed);
    }

    /// The middle may go as far as `room` from the cage's.
    void move(double room) {
        position += velocity;
        for (int k = 0; k < 3; ++k)
            if (std::fabs(position[k]) > room) velocity[k] = -std::copysign(velocity[k], position[k]);
        const Eigen::Quaterniond step(1, spin.x(), spin.y(), spin.z());
        turn = (step * turn).normalized();
    }
};

Pose relative(const Body& a, const Body& b) {
    const Eigen::Quaterniond q = a.turn.conjugate() * b.turn;
    const Eigen::Vector3d t = a.turn.conjugate() * (b.position - a.position);
    Pose pose;
    pose.rotation[0] = q.w();
    pose.rotation[1] = q.x();
    pose.rotation[2] = q.y();
    pose.rotation[3] = q.z();
    for (int k = 0; k < 3; ++k) pose.translation[k] = t[k];
    return pose;
}

}  // namespace

std::vector<Pose> cage_poses(const CageOptions& options, const std::function<bool(const Pose&)>& collide) {
    const double room = (options.size - 1) * options.radius;
    Draws draws(options.seed);
    std::vector<Pose> poses;
    for (std::uint32_t run = 0; run < options.runs; ++run) {
        Body a, b;
        do {
            a.draw(draws, room);
            b.draw(draws, room);
            // Two objects that fill the cage may have to begin outside of it.
            if (draws.between(0, 1) < 0.2) b.position *= 2;
        } while (collide(relative(a, b)));
        for (std::uint32_t frame = 0; frame < options.frames; ++frame) {
            const Body before[2] = {a, b};
            a.move(room);
            b.move(room);
            poses.push_back(relative(a, b));
            if (!collide(poses.back())) continue;
            a = before[0];
            b = before[1];
            std::swap(a.velocity, b.velocity);
            std::swap(a.spin, b.spin);
            // Along the line of centres they part, so that they do not get stuck.
            const Eigen::Vector3d apart = (b.position - a.position).normalized() * (0.3 * kSpeed * room);
            a.velocity -= apart;
            b.velocity += apart;
            const double most = 2 * kSpeed * room;
            for (Body* body : {&a, &b})
                if (body->velocity.norm() > most) body->velocity *= most / body->velocity.norm();
        }
    }
    return poses;
}

}  // namespace espalier::bench
