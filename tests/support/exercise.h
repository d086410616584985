// SPDX-License-Identifier: GPL-3.0-or-later
// Every query of the runtime on an opened asset, whatever its bytes: to be run under AddressSanitizer. Needs
// the runtime only, so that fuzzers can use it too.
#pragma once

#include <cstdint>
#include <new>
#include <vector>

#include "espalier/asset.h"
#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/point.h"
#include "espalier/ray_cast.h"
#include "espalier/refit.h"
#include "espalier/sphere_query.h"
#include "tests/support/exercise_body.h"

namespace espalier::testing {

/// A few placements that reach deep into the trees; `choice` picks one.
inline Pose exercise_pose(const ShapeView& a, const ShapeView& b, unsigned choice) {
    static constexpr double kRotations[4][4] = {
        {1, 0, 0, 0}, {0.8, 0.3, -0.4, 0.2}, {0.1, 0.7, 0.7, -0.1}, {0, 0, 1, 0}};
    Pose pose;
    for (int i = 0; i < 4; ++i) pose.rotation[i] = kRotations[choice % 4][i];
    for (int k = 0; k < 3; ++k) {
        const double side = double(a.hi[k]) - double(a.lo[k]);
        pose.translation[k] = a.origin[k] - b.origin[k] + 0.3 * side * double(choice / 4 % 3);
        if (choice % 5 == 4) pose.scale[k] = k == 0 ? -1.5 : 0.75;
    }
    return pose;
}

/// Runs queries and remembers whether each ended within a bound that only an endless one exceeds.
class Exercise {
  public:
    /// All queries on all parts (and the first two parts against each other), and of the body. False: one did
    /// not end.
    bool run(const Asset& asset, unsigned choice) {
        // A hostile file may name one part any number of times; four are as good as a million.
        const std::uint32_t count = asset.part_count() < 4 ? asset.part_count() : 4;
        for (std::uint32_t i = 0; i < count; ++i) {
            ShapeView a, b;
            const Status found[] = {asset.part(i, &a), asset.part((i + 1) % count, &b)};
            if (found[0] == Status::kNoShape || found[1] == Status::kNoShape) continue;
            if (found[0] != Status::kOk || found[1] != Status::kOk) return false;
            const Pose pose = exercise_pose(a, b, choice);
            pair_queries(a, b, pose);
            box_queries(a, b, pose);
            cell_queries(a, b, pose);
            sphere_queries(a, b, pose, choice);
            shared_children(a.sphere);
            single_queries(a, choice);
            refit_queries(a, b, pose);
        }
        // A body of one part asks what was asked already.
        if (asset.part_count() == 1 && choice % 16 != 0) return ended_;
        return body_.run(asset, choice) && ended_;
    }

  private:
    /// Far more node tests than two trees have pairs of volumes.
    static Budget budget(const ShapeView& a, const ShapeView& b) {
        const auto volumes = [](const ShapeView& p) {
            return std::uint64_t{16} + 8 * std::uint64_t{p.aabb.node_count} +
                   8 * std::uint64_t{p.box.leaf_count} + 8 * std::uint64_t{p.cell.unit_count};
        };
        Budget limit;
        limit.node_tests = 64 * volumes(a) * volumes(b);
        return limit;
    }

    template <class Query>
    void finish(Status begun, Query& query, const Budget& limit) {
        if (begun == Status::kOk && query.step(limit) == Verdict::kUnresolved) ended_ = false;
    }

    template <Overlap kOverlap>
    void aabb_query(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        const Budget limit = budget(a, b);
        static Collide<AabbTreeView, kOverlap> collide;
        static Contacts<AabbTreeView, kOverlap> contacts;
        Cue cue;
        for (int repeat = 0; repeat < 2; ++repeat) finish(collide.begin(a, b, pose, &cue), collide, limit);
        finish(contacts.begin(a, b, pose, buffer_, 3), contacts, limit);
    }

    void pair_queries(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        const Budget limit = budget(a, b);
        aabb_query<Overlap::kSatLite>(a, b, pose);
        aabb_query<Overlap::kSat>(a, b, pose);
        if (distance_.begin(a, b, pose) == Status::kOk) {
            distance_.step(limit);
            if (!distance_.done()) ended_ = false;
        }
    }

    template <Overlap kOverlap>
    void box_query(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        const Budget limit = budget(a, b);
        static Collide<BoxTreeView, kOverlap> collide;
        static Contacts<BoxTreeView, kOverlap> contacts;
        finish(collide.begin(a, b, pose), collide, limit);
        finish(contacts.begin(a, b, pose, buffer_, 3), contacts, limit);
    }

    void box_queries(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        box_query<Overlap::kAxis>(a, b, pose);
        box_query<Overlap::kTable>(a, b, pose);
        box_query<Overlap::kSat>(a, b, pose);
        box_query<Overlap::kSatLite>(a, b, pose);
    }

    template <Overlap kOverlap>
    void cell_query(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        const Budget limit = budget(a, b);
        static Collide<CellTreeView, kOverlap> collide;
        static CellWitnesses<kOverlap> witnesses;
        static Contacts<CellTreeView, kOverlap> contacts;
        CellWitness found[3];
        finish(collide.begin(a, b, pose), collide, limit);
        finish(witnesses.begin(a, b, pose, found, 3), witnesses, limit);
        finish(contacts.begin(a, b, pose, buffer_, 3), contacts, limit);
    }

    void cell_queries(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        cell_query<Overlap::kClip>(a, b, pose);
        cell_query<Overlap::kAxis>(a, b, pose);
        cell_query<Overlap::kSat>(a, b, pose);
        cell_query<Overlap::kSatLite>(a, b, pose);
        static Distance<CellTreeView> distance;
        if (distance.begin(a, b, pose) == Status::kOk) {
            distance.step(budget(a, b));
            if (!distance.done()) ended_ = false;
        }
    }

    void single_queries(const ShapeView& part, unsigned choice) {
        const Budget limit = budget(part, part);
        Ray ray;
        for (int k = 0; k < 3; ++k) {
            ray.origin[k] = part.origin[k] + double(part.lo[k]) - 0.125 * double(choice % 3);
            ray.direction[k] = double(part.hi[k]) - double(part.lo[k]) + 0.01 * k;
        }
        for (const RayMode mode : {RayMode::kFirst, RayMode::kAny})
            finish(ray_.begin(part, ray, mode), ray_, limit);
        finish(closest_.begin(part, ray.origin), closest_, limit);
        double middle[3];
        for (int k = 0; k < 3; ++k) middle[k] = ray.origin[k] + 0.5 * ray.direction[k];
        finish(inside_.begin(part, middle), inside_, limit);
    }

    /// More than the pairs of spheres and the pairs of listed triangles.
    static Budget sphere_budget(const ShapeView& a, const ShapeView& b) {
        const auto things = [](const ShapeView& p) {
            return std::uint64_t{64} + p.sphere.sphere_count + p.sphere.child_list_count +
                   p.sphere.leaf_triangle_count;
        };
        Budget limit;
        limit.node_tests = 1024 * things(a) * things(b);
        return limit;
    }

    void sphere_queries(const ShapeView& a, const ShapeView& b, const Pose& pose, unsigned choice) {
        SphereQueryOptions options;
        options.order = choice % 2 ? SphereOrder::kLevel : SphereOrder::kBestFirst;
        options.skin = choice % 3 == 2 ? 0.1 : 0;
        if (choice % 7 == 6) options.goal.within = 0;
        const std::size_t capacity = choice % 5 == 4 ? 16 : 256;
        if (sphere_.begin(a, b, pose, options, pairs_, capacity) != Status::kOk) return;
        const Budget limit = sphere_budget(a, b);
        sphere_.step(limit);
        if (!sphere_.done()) ended_ = false;
        SphereContact contacts[3];
        sphere_.contacts(contacts, 3);
        sphere_.mean_contact(contacts);
        sphere_.level();
        Pose moved = pose;
        moved.translation[0] += 0.01;
        if (sphere_.advance(moved) != Status::kOk) return;
        sphere_.step(limit);
        if (!sphere_.done()) ended_ = false;
    }

    /// No query follows them, but a caller may.
    void shared_children(const SphereTreeView& tree) {
        for (std::uint32_t i = 0; tree.spheres && i < tree.inner_count(); ++i) {
            std::uint32_t position = 0, end = 0;
            for (tree.shared(i, &position, &end); position < end; ++position)
                touched_ = tree.spheres[tree.shared_list[position]].radius;
        }
    }

    void refit_queries(const ShapeView& a, const ShapeView& b, const Pose& pose) {
        if (!a.aabb.nodes) return;
        nodes_.resize(a.aabb.node_count);
        scratch_.resize(refit_scratch_size(a) / sizeof(scratch_[0]) + 1);
        ShapeView moved;
        if (refit(a, a.mesh.positions, nodes_.data(), scratch_.data(), scratch_.size() * sizeof(scratch_[0]),
                  &moved) != Status::kOk)
            return;
        static Collide<AabbTreeView> collide;
        finish(collide.begin(moved, b, pose), collide, budget(a, b));
    }

    struct alignas(16) Chunk {
        unsigned char bytes[16];
    };

    bool ended_ = true;
    ExerciseBody body_;
    volatile float touched_ = 0;  ///< so that what is read only for the sanitizer is read
    Distance<AabbTreeView> distance_;
    SphereQueryBase sphere_;
    SpherePair pairs_[256];
    RayCast<AabbTreeView> ray_;
    ClosestPointQuery closest_;
    InsideQuery inside_;
    Contact buffer_[3];
    std::vector<AabbNode> nodes_;
    std::vector<Chunk> scratch_;
};

}  // namespace espalier::testing
