// SPDX-License-Identifier: GPL-3.0-or-later
// FCL with its dynamic AABB tree over the parts and an OBBRSS tree in each.
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/bodies/player.h"

namespace espalier_bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;
using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

std::shared_ptr<Model> model_of(const espalier::ShapeView& view) {
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> triangles;
    for (std::uint32_t i = 0; i < view.mesh.vertex_count; ++i)
        points.emplace_back(view.origin[0] + double(view.mesh.positions[3 * i]),
                            view.origin[1] + double(view.mesh.positions[3 * i + 1]),
                            view.origin[2] + double(view.mesh.positions[3 * i + 2]));
    for (std::uint32_t i = 0; i < view.mesh.triangle_count; ++i) {
        const auto corner = [&](std::uint32_t c) { return std::size_t{view.mesh.index(i, c)}; };
        triangles.emplace_back(corner(0), corner(1), corner(2));
    }
    const auto model = std::make_shared<Model>();
    model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(points.size()));
    model->addSubModel(points, triangles);
    model->endModel();
    model->computeLocalAABB();
    return model;
}

/// A body's parts in a manager.
struct Side {
    void begin(const espalier::Asset& asset) {
        std::map<std::uint32_t, std::shared_ptr<Model>> models;
        numbers.resize(asset.part_count());
        objects.resize(asset.part_count());
        for (std::uint32_t i = 0; i < asset.part_count(); ++i) {
            espalier::PartNode node;
            espalier::ShapeView view;
            if (asset.part_node(i, &node) != espalier::Status::kOk) continue;
            if (asset.part(i, &view) != espalier::Status::kOk) continue;
            std::shared_ptr<Model>& model = models[node.shape];
            if (!model) model = model_of(view);
            objects[i] = std::make_unique<fcl::CollisionObjectd>(model);
            numbers[i] = i;
            objects[i]->setUserData(&numbers[i]);
            manager.registerObject(objects[i].get());
        }
        manager.setup();
        for (std::uint32_t i = 0; i < asset.pair_count(); ++i)
            spared.insert({asset.pairs()[i].a, asset.pairs()[i].b});
    }

    void set(const std::vector<espalier::Pose>& poses) {
        for (std::size_t i = 0; i < poses.size(); ++i) {
            if (!objects[i]) continue;
            const double* q = poses[i].rotation;
            objects[i]->setTransform(fcl::Quaterniond(q[0], q[1], q[2], q[3]),
                                     fcl::Vector3d(poses[i].translation));
            objects[i]->computeAABB();
        }
        manager.update();
    }

    std::vector<std::uint32_t> numbers;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
    fcl::DynamicAABBTreeCollisionManagerd manager;
    Pairs spared;
};

/// What the callbacks are told and tell.
struct Asked {
    const Pairs* spared = nullptr;  ///< of one body with itself
    fcl::CollisionRequestd collision{1, false};
    fcl::CollisionResultd touched;
    fcl::DistanceRequestd way{false};
    fcl::DistanceResultd apart;

    bool spares(const fcl::CollisionObjectd* a, const fcl::CollisionObjectd* b) const {
        if (!spared || spared->empty()) return false;
        const auto i = *static_cast<std::uint32_t*>(a->getUserData());
        const auto j = *static_cast<std::uint32_t*>(b->getUserData());
        return spared->count({std::min(i, j), std::max(i, j)}) > 0;
    }
};

bool touch_pair(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data) {
    Asked& asked = *static_cast<Asked*>(data);
    if (asked.spares(a, b)) return false;
    return fcl::collide(a, b, asked.collision, asked.touched) > 0;
}

bool measure_pair(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data, double& distance) {
    Asked& asked = *static_cast<Asked*>(data);
    if (!asked.spares(a, b)) fcl::distance(a, b, asked.way, asked.apart);
    distance = asked.apart.min_distance;
    return distance <= 0;
}

class Fcl final : public Player {
  public:
    explicit Fcl(const Scene& scene) : self_(!scene.b) {
        side_[0].begin(scene.a->asset);
        if (scene.b) side_[1].begin(scene.b->asset);
    }

    void set_poses(int side, const std::vector<espalier::Pose>& poses) override { side_[side].set(poses); }

    bool touch() override {
        Asked asked;
        if (self_) {
            asked.spared = &side_[0].spared;
            side_[0].manager.collide(&asked, touch_pair);
        } else {
            side_[0].manager.collide(&side_[1].manager, &asked, touch_pair);
        }
        return asked.touched.isCollision();
    }

    double distance() override {
        Asked asked;
        if (self_) {
            asked.spared = &side_[0].spared;
            side_[0].manager.distance(&asked, measure_pair);
        } else {
            side_[0].manager.distance(&side_[1].manager, &asked, measure_pair);
        }
        return std::max(asked.apart.min_distance, 0.0);
    }

  private:
    Side side_[2];
    bool self_;
};

}  // namespace

std::unique_ptr<Player> make_fcl(const Scene& scene) {
    return std::make_unique<Fcl>(scene);
}

}  // namespace espalier_bench
