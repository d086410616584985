// SPDX-License-Identifier: MIT
// The ships and how they fly (Hubbard 1996, section 8): autonomous ones pick new controls at random every few
// seconds, the user's follows a script. All keep a limit of acceleration, which the broad phase builds on.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/asset.h"
#include "espalier/broad_phase.h"
#include "espalier/pose.h"
#include "examples/ships/vector.h"

namespace ships {

/// What ships of one kind are made of: a part, and the sphere about its bounds' centre that holds it in every
/// position.
struct Hull {
    espalier::ShapeView part;
    Vector centre;  ///< in the part's source frame
    double radius = 0;
};

/// Measures a part.
Hull make_hull(const espalier::ShapeView& part);

struct Ship {
    std::uint32_t hull = 0;
    double scale = 1;  ///< world units a unit of the hull's file, chosen so that all ships are of a size
    Vector position, velocity, acceleration;
    Rotation rotation;
    Vector spin;             ///< angular velocity
    double control_end = 0;  ///< when new controls are picked
};

struct WorldOptions {
    std::uint32_t ships = 20;  ///< the user's included, which is number 0
    std::uint64_t seed = 1;
    double crowding =
        0.05;  ///< share of the space that the bounding spheres fill: decides how often ships meet
    double frame_time = 1.0 / 30;  ///< simulated seconds
};

class World {
  public:
    /// Radius of every ship's bounding sphere.
    static constexpr double kRadius = 1;
    static constexpr double kMaxAcceleration = 4;
    static constexpr double kCruise = 3;  ///< ships slow down above this speed

    World(const std::vector<Hull>& hulls, const WorldOptions& options);

    /// Picks the controls of the coming frame.
    void steer();
    /// Flies on by a frame: position by v t + a t^2 / 2, as the limit of acceleration demands.
    void move();
    /// Turns back who has left the space; a bounce, so after `move` and before the next report.
    void keep_inside();

    /// Lets two ships bounce if they converge along `normal` (unit, from a to b); false if they do not.
    /// Masses are equal and energy is kept, save that the user's ship is too heavy to notice.
    bool bounce(std::uint32_t a, std::uint32_t b, const Vector& normal);

    /// B in A's frame, in units of A's file; its scale is B's relative to A's.
    espalier::Pose relative_pose(std::uint32_t a, std::uint32_t b) const;
    /// A direction of A's frame in the world's.
    Vector to_world(std::uint32_t a, const Vector& direction) const {
        return rotate(ships_[a].rotation, direction);
    }

    espalier::Motion motion(std::uint32_t ship) const;
    bool spheres_touch(std::uint32_t a, std::uint32_t b) const;

    double time() const { return time_; }
    double frame_time() const { return options_.frame_time; }
    const std::vector<Ship>& ships() const { return ships_; }
    const Hull& hull(std::uint32_t ship) const { return hulls_[ships_[ship].hull]; }

  private:
    void steer_user();

    std::vector<Hull> hulls_;
    WorldOptions options_;
    Draw draw_;
    double half_ = 0;  // half the side of the space
    double time_ = 0;
    std::uint64_t frame_ = 0;
    std::vector<Ship> ships_;
};

}  // namespace ships
