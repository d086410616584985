// SPDX-License-Identifier: GPL-3.0-or-later
#include <new>
#include <stdexcept>

#include "bench/bodies/player.h"
#include "espalier/body_collide.h"
#include "espalier/body_distance.h"

namespace espalier_bench {
namespace {

using namespace espalier;

class Ours final : public Player {
  public:
    explicit Ours(const Scene& scene) : self_(!scene.b) {
        begin(0, *scene.a);
        if (scene.b) begin(1, *scene.b);
    }

    void set_poses(int side, const std::vector<Pose>& poses) override {
        if (body_[side].set_poses(poses.data(), poses.size()) != Status::kOk)
            throw std::runtime_error("poses were refused");
    }

    bool touch() override {
        const Status status = self_ ? collide_.begin_self(body_[0]) : collide_.begin(body_[0], body_[1]);
        if (status != Status::kOk) throw std::runtime_error(status_text(status));
        return collide_.step() == Verdict::kColliding;
    }

    double distance() override {
        const Status status = self_ ? distance_.begin_self(body_[0]) : distance_.begin(body_[0], body_[1]);
        if (status != Status::kOk) throw std::runtime_error(status_text(status));
        distance_.step();
        return distance_.upper();
    }

  private:
    void begin(int side, const BakedBody& baked) {
        memory_[side].resize(Body::memory_size(baked.asset) / sizeof(Chunk) + 1);
        const Status status =
            body_[side].begin(baked.asset, memory_[side].data(), memory_[side].size() * sizeof(Chunk));
        if (status != Status::kOk) throw std::runtime_error(status_text(status));
    }

    struct alignas(16) Chunk {
        unsigned char bytes[16];
    };
    std::vector<Chunk> memory_[2];
    Body body_[2];
    bool self_;
    BodyCollide<AabbTreeView> collide_;
    BodyDistance<AabbTreeView> distance_;
};

}  // namespace

std::unique_ptr<Player> make_ours(const Scene& scene) {
    return std::make_unique<Ours>(scene);
}

}  // namespace espalier_bench
