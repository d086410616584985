// SPDX-License-Identifier: MIT
// An arm that bends, in static memory: joint values to poses of parts, collision with itself and with an
// obstacle, and a distance with a budget. arm.c is the same in C.
//
//   example_arm ARM.espl OBSTACLE.espl      made by example_bake_arm
#include <cstdio>

#include "espalier/body_collide.h"
#include "espalier/body_sphere_query.h"
#include "espalier/kinematics.h"
#include "espalier/map_file.h"

namespace {

using namespace espalier;

constexpr std::uint32_t kMostParts = 8;

/// A body's file, its memory and its view; all that a body is.
struct Model {
    MappedFile file;  // on a small machine the bytes would lie in flash
    Asset asset;
    alignas(16) unsigned char memory[4096];
    Body body;

    bool load(const char* path) {
        Status status = file.map(path);
        if (status == Status::kOk) status = open(file.data(), file.size(), Verify::kFull, &asset);
        if (status == Status::kOk) status = body.begin(asset, memory, sizeof(memory));
        if (status != Status::kOk) std::fprintf(stderr, "example_arm: %s: %s\n", path, status_text(status));
        return status == Status::kOk;
    }
};

Model arm, obstacle;
Pose poses[kMostParts];
BodyCollide<AabbTreeView> collide;
BodySphereQuery<4, 256, 160> separation;  // four pairs of parts are refined at a time
char output[1 << 12];                     // so that printing asks for no memory either

/// Shoulder, elbow and wrist.
constexpr double kFrames[][3] = {{0, 0, 0},       {0.4, 0.4, 0.2}, {0.8, 0.8, 0.4},  {1.2, 0.3, 0.2},
                                 {0.2, 2.2, 0.6}, {0, 2.7, 0.3},   {-0.3, 2.9, 0.9}, {-0.6, 1.0, 0}};

/// Moves the joints and the arm's parts with them.
bool bend(const double (&values)[3]) {
    const Status status =
        forward_kinematics(arm.asset, Pose(), values, 3, poses, arm.asset.part_count(), nullptr);
    if (status == Status::kOk) return arm.body.set_poses(poses, arm.asset.part_count()) == Status::kOk;
    std::fprintf(stderr, "example_arm: %s\n", status_text(status));
    return false;
}

const char* part_name(const Model& model, std::uint32_t part) {
    return model.asset.part_name(part);
}

void tell_contact(Status begun, const Model& other) {
    if (begun != Status::kOk || collide.step() != Verdict::kColliding) {
        std::printf(" free;");
        return;
    }
    const BodyContact& contact = collide.contact();
    std::printf(" %s touches %s;", part_name(arm, contact.part_a), part_name(other, contact.part_b));
}

bool show(int number, const double (&values)[3]) {
    if (!bend(values)) return false;
    std::printf("frame %d: self:", number);
    tell_contact(collide.begin_self(arm.body), arm);
    std::printf(" obstacle:");
    tell_contact(collide.begin(arm.body, obstacle.body), obstacle);
    // From frame to frame the query goes on from where it was; 60 node tests a frame, and what it says is
    // true.
    const Status status = number == 0 ? separation.begin(arm.body, obstacle.body) : separation.advance();
    if (status != Status::kOk) return false;
    Budget budget;
    budget.node_tests = 60;
    separation.step(budget);
    std::printf(" distance %.3f to %.3f\n", separation.lower(), separation.upper());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, output, _IOFBF, sizeof(output));
    if (argc != 3) {
        std::fprintf(stderr, "usage: example_arm ARM.espl OBSTACLE.espl\n");
        return 1;
    }
    if (!arm.load(argv[1]) || !obstacle.load(argv[2])) return 2;
    if (arm.asset.part_count() > kMostParts || configuration_size(arm.asset) != 3) {
        std::fprintf(stderr, "example_arm: %s: not an arm of three joints\n", argv[1]);
        return 3;
    }
    int number = 0;
    for (const double(&values)[3] : kFrames)
        if (!show(number++, values)) return 4;
    return 0;
}
