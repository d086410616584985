// SPDX-License-Identifier: GPL-3.0-or-later
// A library with the bodies of a scene: sets the poses of their parts and answers.
#pragma once

#include <memory>

#include "bench/bodies/scene.h"

namespace espalier_bench {

class Player {
  public:
    Player() = default;
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;
    virtual ~Player() = default;
    /// @param side 0: a, 1: b
    virtual void set_poses(int side, const std::vector<espalier::Pose>& poses) = 0;
    virtual bool touch() = 0;
    virtual double distance() = 0;  ///< 0 when they touch
};

std::unique_ptr<Player> make_ours(const Scene& scene);
std::unique_ptr<Player> make_fcl(const Scene& scene);

}  // namespace espalier_bench
