/* SPDX-License-Identifier: MIT */
/* The runtime for C: frames of many moving objects. A part of espalier.h. */
#ifndef ESPALIER_ESPALIER_FRAMES_H
#define ESPALIER_ESPALIER_FRAMES_H

#include "espalier/espalier.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Frames of many moving objects: broad phase, scheduler, governor. Each object below is the caller's memory;
   its begin function initialises it, and further memory it needs is given there once. Do not copy or move it
   while it is used. */

/* Two objects, a < b, that may touch; `time` is the earliest at which they can (space-time bounds only). */
typedef struct espalier_broad_pair {
    /** The first of the two. */
    uint32_t a;
    /** The second. */
    uint32_t b;
    /** When they may meet first. */
    double time;
} espalier_broad_pair;

/* A bounding sphere's motion; it accelerates by no more than max_acceleration from now on. */
typedef struct espalier_motion {
    /** Of the centre. */
    double position[3];
    /** Of the centre. */
    double velocity[3];
    /** Of the bounding sphere. */
    double radius;
    /** Limit of its length. */
    double max_acceleration;
} espalier_motion;

/** Sweep and prune; see broad_phase.h. */
typedef struct espalier_sweep {
    /** For the runtime only. */
    uint64_t opaque[16];
} espalier_sweep;

/** Space-time bounds; see broad_phase.h. */
typedef struct espalier_space_time {
    /** For the runtime only. */
    uint64_t opaque[24];
} espalier_space_time;

/* Sweep and prune. Memory is 16-byte aligned and of espalier_sweep_memory_size bytes (0: capacity out of
 * range). */
size_t espalier_sweep_memory_size(uint32_t max_objects, uint32_t max_pairs);
espalier_status espalier_sweep_begin(espalier_sweep* sweep, void* memory, size_t size, uint32_t max_objects,
                                     uint32_t max_pairs);
/* Adds or moves object `id` (0 .. max_objects - 1). */
espalier_status espalier_sweep_set(espalier_sweep* sweep, uint32_t id, const espalier_broad_box* box);
espalier_status espalier_sweep_remove(espalier_sweep* sweep, uint32_t id);
/* BUFFER_FULL: more pairs overlap than fit; espalier_sweep_pair_total tells how many. */
espalier_status espalier_sweep_update(espalier_sweep* sweep);
uint32_t espalier_sweep_pair_count(const espalier_sweep* sweep);
uint64_t espalier_sweep_pair_total(const espalier_sweep* sweep);
/* Pair `index` (0 .. count - 1). */
espalier_broad_pair espalier_sweep_pair(const espalier_sweep* sweep, uint32_t index);
/* Nonzero: object `id` is in; and its box. */
int espalier_sweep_contains(const espalier_sweep* sweep, uint32_t id);
espalier_broad_box espalier_sweep_box(const espalier_sweep* sweep, uint32_t id);
/* Work of the last update: places that box ends moved by, and nonzero if everything was sorted anew. */
uint64_t espalier_sweep_moves(const espalier_sweep* sweep);
int espalier_sweep_rebuilt(const espalier_sweep* sweep);

/* Time until which two spheres cannot touch whatever they do within their limits; rounded down. */
double espalier_earliest_contact(const espalier_motion* a, const espalier_motion* b, double limit);
/* The box that a sphere cannot leave during `duration`. */
espalier_broad_box espalier_reach_box(const espalier_motion* motion, double duration);

/* Space-time bounds: which pairs may touch during the next frame. */
size_t espalier_space_time_memory_size(uint32_t max_objects, uint32_t max_pairs);
espalier_status espalier_space_time_begin(espalier_space_time* bounds, void* memory, size_t size,
                                          uint32_t max_objects, uint32_t max_pairs, double horizon);
/* Reports where object `id` is at `time`, which never goes back. */
espalier_status espalier_space_time_set(espalier_space_time* bounds, uint32_t id, double time,
                                        const espalier_motion* motion);
espalier_status espalier_space_time_remove(espalier_space_time* bounds, uint32_t id);
/* Finds the pairs that may touch until `until`. BUFFER_FULL: some may be missing. */
espalier_status espalier_space_time_advance(espalier_space_time* bounds, double until);
uint32_t espalier_space_time_due_count(const espalier_space_time* bounds);
espalier_broad_pair espalier_space_time_due(const espalier_space_time* bounds, uint32_t index);
/* Before this time no two objects touch. */
double espalier_space_time_quiet_until(const espalier_space_time* bounds);
/* Pairs whose contact time the last advance computed, of pair_count near each other; objects predicted anew.
 */
uint32_t espalier_space_time_examined(const espalier_space_time* bounds);
uint32_t espalier_space_time_pair_count(const espalier_space_time* bounds);
uint32_t espalier_space_time_renewed(const espalier_space_time* bounds);

/* What a query knows of its pair after a step; see espalier/scheduler.h. */
typedef struct espalier_pair_progress {
    /** What is known. */
    uint32_t verdict;
    uint32_t done; /* nonzero: another step would change nothing */
    /** The separation is at least this. */
    double lower;
    /** The separation is at most this. */
    double upper;
    uint64_t node_tests; /* since its start in this frame */
} espalier_pair_progress;

/* How the scheduler works the caller's queries. */
typedef struct espalier_pair_ops {
    /* Starts the query of a pair, a < b; `again`: the same memory served the same pair in the last frame. */
    espalier_status (*start)(void* query, uint32_t a, uint32_t b, int again, void* user);
    /** Goes on. */
    espalier_pair_progress (*step)(void* query, const espalier_budget* budget, void* user);
    /** Level that was reached. */
    uint32_t (*level)(const void* query, void* user);
    /** Handed to the callback. */
    void* user;
} espalier_pair_ops;

/* How the scheduler shares; see espalier_schedule_options_default. */
typedef struct espalier_schedule_options {
    uint32_t slice;       /* node tests of one turn of a pair of weight 1 */
    uint32_t least_level; /* reached by every pair whatever the budget says; 0: the budget is strict */
    uint32_t most_slices; /* after which a pair is left below the least level */
} espalier_schedule_options;

#define ESPALIER_SCHEDULE_ALL_DONE 0u
#define ESPALIER_SCHEDULE_NODE_TESTS 1u
#define ESPALIER_SCHEDULE_CLOCK 2u

/** What a run of the scheduler did. */
typedef struct espalier_schedule_report {
    uint32_t end; /* ESPALIER_SCHEDULE_* */
    /** Pairs that are done. */
    uint32_t done;
    /** Number of node tests. */
    uint64_t node_tests;
    /** Turns that pairs had. */
    uint64_t slices;
} espalier_schedule_report;

/** A pair that the scheduler works. */
typedef struct espalier_scheduled_pair {
    /** The first of the two. */
    uint32_t a;
    /** The second. */
    uint32_t b;
    /** Turns in a round. */
    uint32_t weight;
    uint32_t slot;          /* which query */
    uint32_t started;       /* nonzero: in this frame */
    uint32_t again;         /* nonzero: its query went on from the last frame */
    espalier_status status; /* of its start */
    /** As far as it was refined. */
    espalier_pair_progress progress;
    /** Its query. */
    void* query;
} espalier_scheduled_pair;

/** Refines many pairs in turn within a budget. */
typedef struct espalier_scheduler {
    /** For the runtime only. */
    uint64_t opaque[28];
} espalier_scheduler;

/* Round robin refinement of many pairs under one budget. `queries` are max_pairs objects of the caller's,
   `stride` bytes from one to the next. */
size_t espalier_scheduler_memory_size(uint32_t max_pairs);
espalier_status espalier_scheduler_begin(espalier_scheduler* scheduler, void* memory, size_t size,
                                         uint32_t max_pairs, void* queries, size_t stride,
                                         const espalier_pair_ops* ops);
void espalier_scheduler_start_frame(espalier_scheduler* scheduler);
/* BUFFER_FULL: max_pairs are wanted already; the pair is unknown, and a hit for the cautious. */
espalier_status espalier_scheduler_want(espalier_scheduler* scheduler, uint32_t a, uint32_t b,
                                        uint32_t weight);
/* Slices of 64 node tests, level 1 at least, 4 slices at most for it. */
espalier_schedule_options espalier_schedule_options_default(void);
/* `budget` null: unlimited; `options` null: the defaults. */
espalier_schedule_report espalier_scheduler_run(espalier_scheduler* scheduler, const espalier_budget* budget,
                                                const espalier_schedule_options* options);
uint32_t espalier_scheduler_pair_count(const espalier_scheduler* scheduler);
espalier_scheduled_pair espalier_scheduler_pair(const espalier_scheduler* scheduler, uint32_t index);
/* Index of a pair of this frame; 0 if it was not wanted. */
int espalier_scheduler_find(const espalier_scheduler* scheduler, uint32_t a, uint32_t b, uint32_t* index);
/* Operations for an array of espalier_query that `start` begins as distance or sphere queries. */
espalier_pair_ops espalier_query_pair_ops(espalier_status (*start)(void* query, uint32_t a, uint32_t b,
                                                                   int again, void* user),
                                          void* user);

/* Ticks of the caller's clock; see espalier/frame_governor.h. */
typedef struct espalier_governor_options {
    /** Seconds of a frame. */
    uint64_t target;
    /** Frames that averages span. */
    uint32_t window;
    /** How many of them are added to the prediction. */
    uint32_t deviations;
    /** Seconds kept back. */
    uint64_t reserve;
    /** Prediction for the first frame. */
    uint64_t first_rest;
} espalier_governor_options;

/** Where the time of a frame went, in seconds. */
typedef struct espalier_frame_report {
    /** Seconds of the frame. */
    uint64_t frame;
    /** Seconds before detection. */
    uint64_t before;
    /** Seconds given to detection. */
    uint64_t granted;
    /** Seconds that it took. */
    uint64_t detection;
    /** Seconds after it. */
    uint64_t rest;
    /** What was expected of it. */
    uint64_t predicted_rest;
    /** Seconds left over. */
    int64_t slack;
    /** Whether only the least was granted. */
    uint64_t least;
} espalier_frame_report;

/** Keeps frames to their target. */
typedef struct espalier_governor {
    /** For the runtime only. */
    uint64_t opaque[88];
} espalier_governor;

/* A window of 16 frames and 2 deviations. */
espalier_governor_options espalier_governor_options_default(uint64_t target);
espalier_status espalier_governor_begin(espalier_governor* governor, const espalier_governor_options* options,
                                        uint64_t (*now)(void* user), void* user);
void espalier_governor_start_frame(espalier_governor* governor);
/* The remainder of the frame as a budget; `node_tests` ESPALIER_UNLIMITED: the clock alone. */
espalier_budget espalier_governor_start_detection(espalier_governor* governor, uint64_t node_tests);
void espalier_governor_end_detection(espalier_governor* governor);
espalier_frame_report espalier_governor_end_frame(espalier_governor* governor);
/* Ticks that the rest of a frame is expected to take, and those left of its target now. */
uint64_t espalier_governor_predicted_rest(const espalier_governor* governor);
uint64_t espalier_governor_remaining(const espalier_governor* governor);

#ifdef __cplusplus
}
#endif
#endif
