/* SPDX-License-Identifier: MIT */
/* An arm that bends, in static memory: joint values to poses of parts, collision with itself and with an
   obstacle, and a distance with a budget. arm.cpp is the same in C++.

     example_arm_c ARM.espl OBSTACLE.espl      made by example_bake_arm
 */
#include <stdio.h>

#include "espalier/espalier_body.h"

enum { kMostParts = 8, kBodyMemory = 4096, kQueryMemory = 40960, kFrameCount = 8 };

/* A body's file, its memory and its view; all that a body is. */
typedef struct model {
    espalier_mapped_file file; /* on a small machine the bytes would lie in flash */
    espalier_asset asset;
    uint64_t memory[kBodyMemory / 8 + 1];
    espalier_body body;
} model;

static model arm, obstacle;
static espalier_pose poses[kMostParts];
static espalier_body_query collide;
static espalier_query separation;
static uint64_t separation_memory[kQueryMemory / 8 + 1];
static char output[1 << 12]; /* so that printing asks for no memory either */

/* Shoulder, elbow and wrist. */
static const double frames[kFrameCount][3] = {{0, 0, 0},        {0.4, 0.4, 0.2}, {0.8, 0.8, 0.4},
                                              {1.2, 0.3, 0.2},  {0.2, 2.2, 0.6}, {0, 2.7, 0.3},
                                              {-0.3, 2.9, 0.9}, {-0.6, 1.0, 0}};

/* Where 16-byte aligned memory begins in an array that is 8 bytes too long. */
static void* aligned(uint64_t* memory) {
    return memory + ((uintptr_t)memory % 16 ? 1 : 0);
}

static uint32_t part_count(const model* m) {
    return espalier_get_asset_info(&m->asset).part_count;
}

static int load(model* m, const char* path) {
    espalier_status status = espalier_map_file(path, &m->file);
    if (status == ESPALIER_STATUS_OK)
        status = espalier_open(m->file.data, m->file.size, ESPALIER_VERIFY_FULL, &m->asset);
    if (status == ESPALIER_STATUS_OK)
        status = espalier_body_begin(&m->body, &m->asset, aligned(m->memory), kBodyMemory);
    if (status != ESPALIER_STATUS_OK)
        fprintf(stderr, "example_arm_c: %s: %s\n", path, espalier_status_text(status));
    return status == ESPALIER_STATUS_OK;
}

/* Moves the joints and the arm's parts with them. */
static int bend(const double* values) {
    const espalier_pose base = espalier_pose_identity();
    espalier_status status =
        espalier_forward_kinematics(&arm.asset, &base, values, 3, poses, part_count(&arm), NULL);
    if (status == ESPALIER_STATUS_OK) status = espalier_body_set_poses(&arm.body, poses, part_count(&arm));
    if (status != ESPALIER_STATUS_OK) fprintf(stderr, "example_arm_c: %s\n", espalier_status_text(status));
    return status == ESPALIER_STATUS_OK;
}

static void tell_contact(espalier_status begun, const model* other) {
    espalier_body_contact contact;
    if (begun != ESPALIER_STATUS_OK || espalier_step(&collide.query, NULL) != ESPALIER_COLLIDING ||
        !espalier_body_collide_contact(&collide.query, &contact)) {
        printf(" free;");
        return;
    }
    printf(" %s touches %s;", espalier_get_part_name(&arm.asset, contact.part_a),
           espalier_get_part_name(&other->asset, contact.part_b));
}

static espalier_status begin_separation(void) {
    const espalier_pose pose = espalier_pose_identity();
    const espalier_body_sphere_options options = espalier_body_sphere_options_default();
    espalier_body_sphere_capacity capacity;
    capacity.slots = 4; /* pairs of parts that are refined at a time */
    capacity.open_pairs = 256;
    capacity.part_pairs = 160;
    return espalier_body_sphere_begin(&separation, &arm.body, &obstacle.body, &pose, &options, &capacity,
                                      aligned(separation_memory), kQueryMemory);
}

static int show(int number) {
    const espalier_pose pose = espalier_pose_identity();
    espalier_budget budget = espalier_budget_unlimited();
    espalier_distance distance;
    espalier_status status;
    if (!bend(frames[number])) return 0;
    printf("frame %d: self:", number);
    tell_contact(espalier_body_collide_begin_self(&collide.query, sizeof(collide),
                                                  &espalier_body_collide_aabb_sat_lite, &arm.body, NULL),
                 &arm);
    printf(" obstacle:");
    tell_contact(
        espalier_body_collide_begin(&collide.query, sizeof(collide), &espalier_body_collide_aabb_sat_lite,
                                    &arm.body, &obstacle.body, &pose, NULL),
        &obstacle);
    /* From frame to frame the query goes on from where it was; 60 node tests a frame, and what it says is
       true. */
    status = number == 0 ? begin_separation() : espalier_body_sphere_advance(&separation, &pose);
    if (status != ESPALIER_STATUS_OK) return 0;
    budget.node_tests = 60;
    espalier_step(&separation, &budget);
    distance = espalier_distance_result(&separation);
    printf(" distance %.3f to %.3f\n", distance.lower, distance.upper);
    return 1;
}

int main(int argc, char** argv) {
    int number;
    setvbuf(stdout, output, _IOFBF, sizeof(output));
    if (argc != 3) {
        fprintf(stderr, "usage: example_arm_c ARM.espl OBSTACLE.espl\n");
        return 1;
    }
    if (!load(&arm, argv[1]) || !load(&obstacle, argv[2])) return 2;
    if (part_count(&arm) > kMostParts || espalier_configuration_size(&arm.asset) != 3) {
        fprintf(stderr, "example_arm_c: %s: not an arm of three joints\n", argv[1]);
        return 3;
    }
    for (number = 0; number < kFrameCount; ++number)
        if (!show(number)) return 4;
    espalier_unmap_file(&arm.file);
    espalier_unmap_file(&obstacle.file);
    return 0;
}
