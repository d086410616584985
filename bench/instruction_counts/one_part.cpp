// SPDX-License-Identifier: GPL-3.0-or-later
// Queries of two parts, plainly and as two bodies of one part each, at the same placements: under callgrind
// each leaves a profile of its own, "plain NAME" or "body NAME". usage: espalier-one-part-counts
#include <tbb/global_control.h>
#include <valgrind/callgrind.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "bench/protocols/random.h"
#include "builder/aabb/row.h"
#include "builder/asset/aligned_bytes.h"
#include "builder/asset/write_asset.h"
#include "builder/box/row.h"
#include "builder/cell/row.h"
#include "builder/sphere/row.h"
#include "corpus/registry.h"
#include "espalier/body_collide.h"
#include "espalier/body_contacts.h"
#include "espalier/body_distance.h"
#include "espalier/body_sphere_query.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "espalier/distance.h"
#include "espalier/sphere_query.h"

namespace espalier_bench {
namespace {

using namespace espalier;

/// A baked mesh, and it again as a body.
struct Model {
    explicit Model(const std::string& kind) : bytes(bake(kind)) {
        Asset asset;
        if (open(bytes.data(), bytes.size(), Verify::kFull, &asset) != Status::kOk ||
            asset.shape(0, &view) != Status::kOk ||
            body.begin_part(view, memory, sizeof(memory)) != Status::kOk)
            std::abort();
    }

    static std::vector<std::uint8_t> bake(const std::string& kind) {
        const TriangleMesh mesh = corpus::find_corpus_mesh(kind)->make_near(2000);
        Progress silent;
        SphereTreeOptions spheres;
        spheres.method = SphereMethod::kOctree;
        spheres.levels = 3;
        AssetContents contents;
        BakedShape& shape = contents.shapes.emplace_back();
        shape.mesh = mesh;
        shape.trees = {built_tree(build_aabb_tree(mesh, {}, silent)),
                       built_tree(build_box_tree(mesh, {}, silent)),
                       built_tree(build_cell_tree(mesh, {}, silent)),
                       built_tree(build_sphere_tree(mesh, spheres, silent).value())};
        return write_asset(contents).value();
    }

    std::vector<Pose> placements(std::uint64_t seed, int count) const {
        double middle[3], diagonal = 0;
        for (int k = 0; k < 3; ++k) {
            const double side = double(view.hi[k]) - double(view.lo[k]);
            middle[k] = view.origin[k] + (double(view.hi[k]) + double(view.lo[k])) / 2;
            diagonal += side * side;
        }
        std::vector<Pose> poses(static_cast<std::size_t>(count));
        espalier_bench::Draw draw(seed);
        for (Pose& pose : poses) {
            double way[3], turned[3];
            draw.rotation(pose.rotation);
            draw.direction(way);
            rotate(pose.rotation, middle, turned);
            const double apart = std::sqrt(diagonal) * draw.between(0.2, 1.1);
            for (int k = 0; k < 3; ++k) pose.translation[k] = middle[k] + apart * way[k] - turned[k];
        }
        return poses;
    }

    AlignedBytes bytes;
    ShapeView view;
    alignas(16) unsigned char memory[Body::kPartMemory];
    Body body;
};

/// Counts `ask(pose)`, which returns a number, at all placements.
template <class Ask>
void count(const std::string& label, const std::vector<Pose>& poses, Ask ask) {
    double sum = 0;
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    for (const Pose& pose : poses) sum += ask(pose);
    CALLGRIND_STOP_INSTRUMENTATION;
    CALLGRIND_DUMP_STATS_AT(label.c_str());
    std::printf("%s: %zu placements, answers sum to %g\n", label.c_str(), poses.size(), sum);
}

template <class Plain, class Whole>
void first(const std::string& name, const Model& model, const std::vector<Pose>& poses) {
    const auto plain = std::make_unique<Plain>();
    const auto whole = std::make_unique<Whole>();
    const auto touch = [](auto& query, Status status) {
        return status == Status::kOk && query.step() == Verdict::kColliding ? 1 : 0;
    };
    count("plain " + name, poses,
          [&](const Pose& pose) { return touch(*plain, plain->begin(model.view, model.view, pose)); });
    count("body " + name, poses,
          [&](const Pose& pose) { return touch(*whole, whole->begin(model.body, model.body, pose)); });
}

template <class Plain, class Whole>
void all(const std::string& name, const Model& model, const std::vector<Pose>& poses) {
    const auto plain = std::make_unique<Plain>();
    const auto whole = std::make_unique<Whole>();
    std::vector<Contact> contacts(1000);
    std::vector<BodyContact> body_contacts(1000);
    const auto touches = [](auto& query, Status status) {
        if (status == Status::kOk) query.step();
        return double(query.count());
    };
    count("plain " + name, poses, [&](const Pose& pose) {
        return touches(*plain, plain->begin(model.view, model.view, pose, contacts.data(), contacts.size()));
    });
    count("body " + name, poses, [&](const Pose& pose) {
        return touches(
            *whole, whole->begin(model.body, model.body, pose, body_contacts.data(), body_contacts.size()));
    });
}

template <class Plain, class Whole>
void distance(const std::string& name, const Model& model, const std::vector<Pose>& poses) {
    const auto plain = std::make_unique<Plain>();
    const auto whole = std::make_unique<Whole>();
    const auto upper = [](auto& query, Status status) {
        if (status == Status::kOk) query.step();
        return query.upper();
    };
    count("plain " + name, poses,
          [&](const Pose& pose) { return upper(*plain, plain->begin(model.view, model.view, pose)); });
    count("body " + name, poses,
          [&](const Pose& pose) { return upper(*whole, whole->begin(model.body, model.body, pose)); });
}

template <class Tree>
void all_of(const std::string& name, const Model& model) {
    const std::vector<Pose> poses = model.placements(1, 60), few = model.placements(2, 10);
    first<Collide<Tree>, BodyCollide<Tree>>(name + " first", model, poses);
    all<Contacts<Tree>, BodyContacts<Tree>>(name + " all", model, few);
    distance<Distance<Tree>, BodyDistance<Tree>>(name + " distance", model, few);
}

void run_all() {
    // One thread: waiting threads would count too.
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
    for (const std::string kind : {"torus", "slender-craft"}) {
        const auto model = std::make_unique<Model>(kind);
        all_of<AabbTreeView>(kind + " aabb", *model);
        all_of<BoxTreeView>(kind + " box", *model);
        all_of<CellTreeView>(kind + " cell", *model);
        distance<SphereQuery<512>, BodySphereQuery<1, 512, 160>>(kind + " sphere distance", *model,
                                                                 model->placements(3, 6));
    }
}

}  // namespace
}  // namespace espalier_bench

int main() {
    espalier_bench::run_all();
}
