// SPDX-License-Identifier: GPL-3.0-or-later
// The bouncing cage of the paper's timing section, and the version for hosts with many processors that its
// outlook asks for.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>

#include "bench/cells_1997/figures.h"
#include "bench/cells_1997/measure.h"
#include "builder/host_query/parallel_query.h"
#include "espalier/cell_walk.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"

namespace espalier::bench {
namespace {

/// Frames at which the two touch, or do not.
std::vector<Pose> chosen(const Model& model, const std::vector<Pose>& frames, bool touching,
                         std::size_t most) {
    std::vector<Pose> poses;
    const auto query = std::make_unique<Collide<CellTreeView>>();
    for (const Pose& pose : frames)
        if (poses.size() < most && touches(*query, model.part, pose) == touching) poses.push_back(pose);
    return poses;
}

/// Microseconds a pose of `alone()`, and of `shared()` on one thread and on all.
template <class Alone, class Shared>
Json speed_up(const char* name, const std::vector<Pose>& poses, Alone alone, Shared shared) {
    const auto least = [&](auto query) {
        return time_frames(poses, 5,
                           [&](const Pose& pose) {
                               query(pose);
                               return false;
                           })
            .microseconds;
    };
    double one = 0;
    {
        const tbb::global_control control(tbb::global_control::max_allowed_parallelism, 1);
        one = least(shared);
    }
    return {{"query", name},
            {"poses", poses.size()},
            {"alone", least(alone)},
            {"one_thread", one},
            {"all_threads", least(shared)}};
}

}  // namespace

Json cage(const Effort& effort) {
    Json rows = Json::array();
    for (const char* kind : {"torus", "uv-sphere", "tetra-flake", "gear"})
        for (const std::uint32_t triangles : {1000u, 10000u, 50000u}) {
            if (effort.quick && triangles > 10000) continue;
            const Model model = bake(make(kind, triangles), {}, true);
            for (const double size : {1.5, 2.0}) {
                const std::vector<Pose> poses =
                    thinned(frames_of(model, effort.quick, size), 100e-6, effort.quick ? 0.02 : 0.15);
                rows.push_back(compare_trees(model, poses));
                rows.back().update({{"kind", kind},
                                    {"triangles", model.part.mesh.triangle_count},
                                    {"cage", size},
                                    {"frames", poses.size()}});
            }
        }
    return rows;
}

Json parallel(const Effort& effort) {
    const Model model = bake(make("torus", effort.quick ? 10000 : 100000), {});
    const ShapeView& part = model.part;
    const std::vector<Pose> frames = frames_of(model, effort.quick, 1.5);
    const std::size_t most = effort.quick ? 10 : 60;
    const std::vector<Pose> hits = chosen(model, frames, true, most),
                            misses = chosen(model, frames, false, most);
    Json rows = Json::array();
    std::vector<Contact> room(1 << 20), contacts;
    std::vector<CellWitness> witness_room(1 << 20), witnesses;
    const auto all = std::make_unique<Contacts<CellTreeView>>();
    rows.push_back(speed_up(
        "all contacts", hits,
        [&](const Pose& pose) {
            all->begin(part, part, pose, room.data(), room.size());
            all->step();
        },
        [&](const Pose& pose) { parallel_cell_contacts(part, part, pose, &contacts); }));
    const auto each = std::make_unique<CellWitnesses<>>();
    rows.push_back(speed_up(
        "all witnesses", hits,
        [&](const Pose& pose) {
            each->begin(part, part, pose, witness_room.data(), witness_room.size());
            each->step();
        },
        [&](const Pose& pose) { parallel_cell_witnesses(part, part, pose, &witnesses); }));
    const auto distance = std::make_unique<Distance<CellTreeView>>();
    rows.push_back(speed_up(
        "distance", misses,
        [&](const Pose& pose) {
            distance->begin(part, part, pose);
            distance->step();
        },
        [&](const Pose& pose) {
            ClosestPair closest;
            parallel_cell_distance(part, part, pose, &closest);
        }));
    for (Json& row : rows) {
        row["triangles"] = part.mesh.triangle_count;
        row["threads"] = tbb::this_task_arena::max_concurrency();
    }
    return rows;
}

}  // namespace espalier::bench
