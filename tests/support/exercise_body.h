// SPDX-License-Identifier: GPL-3.0-or-later
// Every query of bodies on an opened asset, whatever its bytes: to be run under AddressSanitizer. Needs the
// runtime only, so that fuzzers can use it too.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/body_collide.h"
#include "espalier/body_contacts.h"
#include "espalier/body_distance.h"
#include "espalier/body_point.h"
#include "espalier/body_ray_cast.h"
#include "espalier/body_sphere_query.h"
#include "espalier/kinematics.h"

namespace espalier::testing {

/// Poses the parts of an asset and runs the queries of bodies on them.
class ExerciseBody {
  public:
    /// False: a query did not end within a bound that only an endless one exceeds. Of a file with many parts
    /// queries are only begun: its pairs are too many to wait for.
    bool run(const Asset& asset, unsigned choice) {
        ended_ = true;
        memory_.resize(Body::memory_size(asset) / sizeof(Chunk) + 1);
        Body body, other;
        if (body.begin(asset, memory_.data(), memory_.size() * sizeof(Chunk)) != Status::kOk) return true;
        limit_ = volumes(asset, body);
        bend(asset, choice, &body);
        ShapeView view;
        for (std::uint32_t i = 0; i < body.part_count(); ++i) {
            if (body.shape(i, &view) != Status::kOk) continue;
            // Aside: in the same place all its triangles would touch themselves.
            aside_.translation[0] = 0.9 * (double(view.hi[0]) - double(view.lo[0]));
            if (other.begin_part(view, part_memory_, sizeof(part_memory_)) == Status::kOk) break;
        }
        contact_queries<AabbTreeView>(body, other);
        contact_queries<BoxTreeView>(body, other);
        contact_queries<CellTreeView>(body, other);
        single_queries(body, choice);
        sphere_query(body, other, choice);
        return ended_;
    }

  private:
    static constexpr std::uint32_t kMostParts = 6;

    struct alignas(16) Chunk {
        unsigned char bytes[16];
    };

    /// More than the pairs of volumes and of triangles of all parts; few where there are many parts.
    static Budget volumes(const Asset& asset, const Body& body) {
        std::uint64_t sum = 64;
        ShapeView p;
        for (std::uint32_t i = 0; i < body.part_count() && i < kMostParts; ++i)
            if (asset.part(i, &p) == Status::kOk)
                sum += 16 + 8 * std::uint64_t{p.aabb.node_count} + 8 * std::uint64_t{p.box.leaf_count} +
                       8 * std::uint64_t{p.cell.unit_count} + p.sphere.sphere_count +
                       p.sphere.child_list_count + p.sphere.leaf_triangle_count;
        Budget budget;
        budget.node_tests = body.part_count() > kMostParts ? 3000 : 1024 * sum * sum;
        return budget;
    }

    /// To a configuration, and if that is refused to one with all joints at rest.
    void bend(const Asset& asset, unsigned choice, Body* body) {
        const std::uint32_t count = asset.part_count();
        values_.resize(configuration_size(asset) + 1);
        poses_.resize(count);
        const auto size = static_cast<std::uint32_t>(values_.size() - 1);
        if (rest_configuration(asset, values_.data(), size) != Status::kOk) return;
        BeyondLimits beyond;
        for (unsigned k = 0; k < size && choice % 2 == 1; ++k)
            if (values_[k] == 0) values_[k] = 0.1 * double(choice % 16);
        if (forward_kinematics(asset, Pose(), values_.data(), size, poses_.data(), count, &beyond) !=
            Status::kOk)
            return;
        if (body->set_poses(poses_.data(), count) == Status::kOk && choice % 4 == 3) body->rebuild();
        // A wrong count is a status.
        if (body->set_poses(poses_.data(), count + 1) == Status::kOk) ended_ = false;
    }

    bool many(const Body& body) const { return body.part_count() > kMostParts; }

    template <class Query>
    void finish(Status begun, Query& query, const Body& body) {
        if (begun != Status::kOk) return;
        if (query.step(limit_) == Verdict::kUnresolved && !many(body)) ended_ = false;
    }
    template <class Query>
    void finish_distance(Status begun, Query& query, const Body& body) {
        if (begun != Status::kOk) return;
        query.step(limit_);
        if (!query.done() && !many(body)) ended_ = false;
    }

    template <class Tree>
    void contact_queries(const Body& body, const Body& other) {
        static BodyCollide<Tree> collide;
        static BodyContacts<Tree> contacts;
        static BodyDistance<Tree> distance;
        BodyCue cue;
        for (int repeat = 0; repeat < 2; ++repeat) finish(collide.begin_self(body, &cue), collide, body);
        finish(collide.begin(body, other, aside_), collide, body);
        finish(contacts.begin_self(body, buffer_, 3), contacts, body);
        finish(contacts.begin(body, other, aside_, buffer_, 3), contacts, body);
        finish_distance(distance.begin_self(body), distance, body);
        finish_distance(distance.begin(other, body, aside_), distance, body);
    }

    void single_queries(const Body& body, unsigned choice) {
        BroadBox box;
        if (body.box(&box) != Status::kOk) return;
        static BodyRayCast<AabbTreeView> ray_query;
        static BodyRayCast<BoxTreeView> box_ray_query;
        static BodyClosestPointQuery closest;
        static BodyInsideQuery inside;
        Ray ray;
        double middle[3];
        for (int k = 0; k < 3; ++k) {
            ray.origin[k] = box.lo[k] - 0.125 * double(choice % 3);
            ray.direction[k] = box.hi[k] - box.lo[k] + 0.01 * k;
            middle[k] = 0.5 * (box.lo[k] + box.hi[k]);
        }
        finish(ray_query.begin(body, ray), ray_query, body);
        finish(box_ray_query.begin(body, ray, RayMode::kAny), box_ray_query, body);
        finish(closest.begin(body, ray.origin), closest, body);
        finish(inside.begin(body, middle), inside, body);
    }

    void sphere_query(const Body& body, const Body& other, unsigned choice) {
        static BodySphereQuery<2, 16, 160> query;
        BodySphereOptions options;
        options.pair.skin = choice % 3 == 2 ? 0.1 : 0;
        finish_distance(query.begin(body, other, aside_, options), query, body);
        const Status begun = query.begin_self(body, options);
        finish_distance(begun, query, body);
        if (begun == Status::kOk) finish_distance(query.advance(), query, body);
        std::uint32_t part_a, part_b;
        BodyClosestPair pair;
        query.nearest(&part_a, &part_b);
        query.closest(&pair);
    }

    bool ended_ = true;
    Budget limit_;
    Pose aside_;  // of the one part
    std::vector<Chunk> memory_;
    std::vector<double> values_;
    std::vector<Pose> poses_;
    BodyContact buffer_[3];
    alignas(16) unsigned char part_memory_[Body::kPartMemory];
};

}  // namespace espalier::testing
