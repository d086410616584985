/* SPDX-License-Identifier: MIT */
/* The runtime for C (C99): the same functions as the C++ headers, on plain structs and caller memory.
   Nothing allocates, throws or keeps state of its own; concurrent reads are safe. */
#ifndef ESPALIER_ESPALIER_H
#define ESPALIER_ESPALIER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Outcomes; zero is success. */
typedef uint32_t espalier_status;
#define ESPALIER_STATUS_OK 0u
#define ESPALIER_STATUS_INVALID_ARGUMENT 1u
#define ESPALIER_STATUS_TRUNCATED 2u
#define ESPALIER_STATUS_WRONG_IDENTIFIER 3u
#define ESPALIER_STATUS_UNSUPPORTED_VERSION 4u
#define ESPALIER_STATUS_MISALIGNED 5u
#define ESPALIER_STATUS_CHECKSUM_MISMATCH 6u
#define ESPALIER_STATUS_CORRUPT 7u
#define ESPALIER_STATUS_CORRUPT_MESH 8u
#define ESPALIER_STATUS_CORRUPT_TREE 9u
#define ESPALIER_STATUS_TOO_DEEP 10u
#define ESPALIER_STATUS_NO_TREE 11u
#define ESPALIER_STATUS_BUFFER_FULL 12u
#define ESPALIER_STATUS_INPUT_OUTPUT 13u
#define ESPALIER_STATUS_NOT_CLOSED 14u

/* How much espalier_open checks; untrusted bytes need FULL. */
#define ESPALIER_VERIFY_NONE 0u
#define ESPALIER_VERIFY_CHECKSUM 1u
#define ESPALIER_VERIFY_FULL 2u

/* What a query knows. */
#define ESPALIER_UNRESOLVED 0u
#define ESPALIER_DISJOINT 1u
#define ESPALIER_COLLIDING 2u

/* Box test. */
#define ESPALIER_OVERLAP_SAT_LITE 0u
#define ESPALIER_OVERLAP_SAT 1u

/* Which pair of spheres is refined next. */
#define ESPALIER_ORDER_LEVEL 0u
#define ESPALIER_ORDER_BEST_FIRST 1u
#define ESPALIER_ORDER_WIDEST_FIRST 2u

/* An opened file; a view of the caller's bytes. */
typedef struct espalier_asset {
    uint64_t opaque[6];
} espalier_asset;

/* One rigid piece of an asset. */
typedef struct espalier_part {
    uint64_t opaque[64];
} espalier_part;

/* B in A's frame: p_A = rotation (scale p_B) + translation. */
typedef struct espalier_pose {
    double rotation[4]; /* quaternion w x y z, not zero */
    double translation[3];
    double scale[3]; /* none zero; 1 1 1 for a rigid motion */
} espalier_pose;

/* Two triangles that share a point, in A's frame. */
typedef struct espalier_contact {
    uint32_t triangle_a;
    uint32_t triangle_b;
    double point[3];
    double normal[3];
} espalier_contact;

/* Work limit of one step: node tests (0: unlimited) and an optional clock that returns nonzero to stop. */
typedef struct espalier_budget {
    uint64_t node_tests;
    int (*expired)(void* user);
    void* user;
} espalier_budget;

/* A running query: 16.5 KiB of the caller's memory for any kind of query; its begin function initialises it.
   Do not copy it while it runs. */
typedef struct espalier_query {
    uint64_t opaque[2064];
} espalier_query;

/* What a distance query is after; see espalier_any_distance. */
typedef struct espalier_distance_goal {
    double within;             /* only distances up to this matter */
    double relative_tolerance; /* the distance may be too large by this share of itself */
    double absolute_tolerance; /* and by this length */
} espalier_distance_goal;

/* What a distance query knows: lower <= distance <= upper, and the pair of points that attains upper. */
typedef struct espalier_distance {
    double lower;
    double upper;
    uint32_t triangle_a;
    uint32_t triangle_b;
    double point_a[3];
    double point_b[3];
    uint32_t done; /* nonzero: the goal is reached */
} espalier_distance;

/* Where spheres overlap, in A's frame. */
typedef struct espalier_sphere_contact {
    double point[3];
    double normal[3]; /* unit, from A to B */
    double depth;
    uint32_t sphere_a;
    uint32_t sphere_b;
} espalier_sphere_contact;

typedef struct espalier_ray {
    double origin[3];
    double direction[3]; /* not zero; t counts in it */
    double max_t;
} espalier_ray;

typedef struct espalier_ray_hit {
    uint32_t triangle;
    double t;
    double point[3];
    double normal[3];
} espalier_ray_hit;

typedef struct espalier_closest_point {
    uint32_t triangle;
    double distance;
    double point[3];
} espalier_closest_point;

/* An edge of one part that meets a polygon of the other, in A's frame. */
typedef struct espalier_cell_witness {
    uint32_t edge_side;     /* 0: the edge is A's and the polygon B's; 1: the other way round */
    uint32_t edge_triangle; /* a triangle with the edge, */
    uint32_t edge_corner;   /* and its corner at which the edge begins; it ends at the next */
    uint32_t triangle;      /* the polygon */
    double point[3];
    double normal[3]; /* of the polygon, unit */
} espalier_cell_witness;

/* A leaf of a cell tree: what it lists, and its cell in the part's stored coordinates. */
typedef struct espalier_cell_leaf {
    const uint32_t* triangles;
    uint32_t triangle_count;
    const uint32_t* edges; /* 3 * triangle + corner at which the edge begins */
    uint32_t edge_count;
    float lo[3];
    float hi[3];
} espalier_cell_leaf;

/* Two leaves that may meet, or be as near as the walk's reach. */
typedef struct espalier_cell_pair {
    espalier_cell_leaf a;
    espalier_cell_leaf b;
} espalier_cell_pair;

/* The caller's operation on a pair of leaves; nonzero ends the walk. */
typedef int (*espalier_cell_operation)(void* user, const espalier_cell_pair* pair);

/* A short English text for a status, never null. */
const char* espalier_status_text(espalier_status status);

/* Opens `size` bytes at `data` (16-byte aligned, the caller's, read only) where they are. */
espalier_status espalier_open(const void* data, size_t size, uint32_t verify, espalier_asset* asset);

uint32_t espalier_part_count(const espalier_asset* asset);

/* Fills `part` with views of part `index` (0 .. count - 1). */
espalier_status espalier_get_part(const espalier_asset* asset, uint32_t index, espalier_part* part);

uint32_t espalier_triangle_count(const espalier_part* part);

/* The identity: no rotation, no translation, scale 1. */
espalier_pose espalier_identity(void);

/* Pair queries. Each begin starts a query of two parts with aabb trees; step works until the verdict is known
   or the budget (null: unlimited) is spent, and may be called again to go on. */

/* First contact; `overlap` is ESPALIER_OVERLAP_*. */
espalier_status espalier_collide_begin(espalier_query* query, const espalier_part* a, const espalier_part* b,
                                       const espalier_pose* pose, uint32_t overlap);
uint32_t espalier_collide_step(espalier_query* query, const espalier_budget* budget);
/* The contact found; only after a step returned ESPALIER_COLLIDING. */
espalier_contact espalier_collide_contact(const espalier_query* query);

/* All contacts: `count` receives how many there are; at most `capacity` are written. Returns BUFFER_FULL when
   some did not fit. `query` is working memory. */
espalier_status espalier_contacts(espalier_query* query, const espalier_part* a, const espalier_part* b,
                                  const espalier_pose* pose, espalier_contact* buffer, size_t capacity,
                                  uint64_t* count);

/* The goal of an exact, unlimited distance. */
espalier_distance_goal espalier_any_distance(void);
/* Distance; COLLIDING: 0, DISJOINT: above 0. */
espalier_status espalier_distance_begin(espalier_query* query, const espalier_part* a, const espalier_part* b,
                                        const espalier_pose* pose, const espalier_distance_goal* goal);
uint32_t espalier_distance_step(espalier_query* query, const espalier_budget* budget);
/* What is known now; the points only when `upper` is finite. */
espalier_distance espalier_distance_result(const espalier_query* query);

/* Pair queries on cell trees. */

/* First contact, with a witness. */
espalier_status espalier_cell_collide_begin(espalier_query* query, const espalier_part* a,
                                            const espalier_part* b, const espalier_pose* pose);
uint32_t espalier_cell_collide_step(espalier_query* query, const espalier_budget* budget);
/* The witness found; only after a step returned ESPALIER_COLLIDING. */
espalier_cell_witness espalier_cell_collide_witness(const espalier_query* query);

/* The simultaneous traversal with an operation of the caller's on every pair of leaves that overlap or are up
   to `reach` apart. COLLIDING: the operation returned nonzero; DISJOINT: it never did and no pair is left. */
espalier_status espalier_cell_walk_begin(espalier_query* query, const espalier_part* a,
                                         const espalier_part* b, const espalier_pose* pose, double reach);
uint32_t espalier_cell_walk_step(espalier_query* query, const espalier_budget* budget,
                                 espalier_cell_operation operation, void* user);
/* From inside an operation, with the query that runs it: only pairs up to `reach` apart from now on; */
void espalier_cell_walk_set_reach(espalier_query* query, double reach);
/* and the distance of a triangle of A and one of B, 0 when they touch. */
double espalier_cell_walk_triangle_distance(const espalier_query* query, uint32_t triangle_a,
                                            uint32_t triangle_b);

/* Time-critical separation of two parts with sphere trees: stop after any step, and `espalier_sphere_result`
   is a true statement. `order` is ESPALIER_ORDER_*; a goal with `within` 0 asks only whether they touch. */
espalier_status espalier_sphere_begin(espalier_query* query, const espalier_part* a, const espalier_part* b,
                                      const espalier_pose* pose, const espalier_distance_goal* goal,
                                      uint32_t order);
/* The same pair in another pose, a frame later: goes on from the last front. */
espalier_status espalier_sphere_advance(espalier_query* query, const espalier_pose* pose);
uint32_t espalier_sphere_step(espalier_query* query, const espalier_budget* budget);
/* Bounds; triangles and points are zero unless triangles attain `upper`. */
espalier_distance espalier_sphere_result(const espalier_query* query);
/* How fine the spheres are that speak for the parts: as SphereQueryBase::level. */
uint32_t espalier_sphere_level(const espalier_query* query);
/* Mean of the colliding spheres, for a response; 0 when none collide. */
int espalier_sphere_mean_contact(const espalier_query* query, espalier_sphere_contact* contact);

/* Queries of one part. COLLIDING: hit, found, inside; DISJOINT: not. */

/* First hit of a ray, or with `any` nonzero some hit. */
espalier_status espalier_ray_begin(espalier_query* query, const espalier_part* part, const espalier_ray* ray,
                                   int any);
uint32_t espalier_ray_step(espalier_query* query, const espalier_budget* budget);
espalier_ray_hit espalier_ray_result(const espalier_query* query);

/* Nearest point of the part, up to `limit` away. */
espalier_status espalier_closest_begin(espalier_query* query, const espalier_part* part,
                                       const double point[3], double limit);
uint32_t espalier_closest_step(espalier_query* query, const espalier_budget* budget);
espalier_closest_point espalier_closest_result(const espalier_query* query);

/* Whether a point is inside a closed part; NOT_CLOSED otherwise. */
espalier_status espalier_inside_begin(espalier_query* query, const espalier_part* part,
                                      const double point[3]);
uint32_t espalier_inside_step(espalier_query* query, const espalier_budget* budget);

/* Deformation: refits the aabb tree of `part` to 3 * espalier_vertex_count floats in `positions`. `nodes`
   receives espalier_node_count * 64 bytes, `scratch` has espalier_refit_scratch_size bytes; both 16-byte
   aligned. `positions` and `nodes` must live as long as `refitted` is used. */
uint32_t espalier_vertex_count(const espalier_part* part);
uint32_t espalier_node_count(const espalier_part* part);
size_t espalier_refit_scratch_size(const espalier_part* part);
espalier_status espalier_refit(const espalier_part* part, const float* positions, void* nodes, void* scratch,
                               size_t scratch_size, espalier_part* refitted);

/* Frames of many moving objects: broad phase, scheduler, governor. Each object below is the caller's memory;
   its begin function initialises it, and further memory it needs is given there once. Do not copy or move it
   while it is used. */

typedef struct espalier_broad_box {
    double lo[3];
    double hi[3];
} espalier_broad_box;

/* Two objects, a < b, that may touch; `time` is the earliest at which they can (space-time bounds only). */
typedef struct espalier_broad_pair {
    uint32_t a;
    uint32_t b;
    double time;
} espalier_broad_pair;

/* A bounding sphere's motion; it accelerates by no more than max_acceleration from now on. */
typedef struct espalier_motion {
    double position[3];
    double velocity[3];
    double radius;
    double max_acceleration;
} espalier_motion;

typedef struct espalier_sweep {
    uint64_t opaque[16];
} espalier_sweep;

typedef struct espalier_space_time {
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

/* What a query knows of its pair after a step; see espalier/scheduler.h. */
typedef struct espalier_pair_progress {
    uint32_t verdict;
    uint32_t done; /* nonzero: another step would change nothing */
    double lower;
    double upper;
    uint64_t node_tests; /* since its start in this frame */
} espalier_pair_progress;

/* How the scheduler works the caller's queries. */
typedef struct espalier_pair_ops {
    /* Starts the query of a pair, a < b; `again`: the same memory served the same pair in the last frame. */
    espalier_status (*start)(void* query, uint32_t a, uint32_t b, int again, void* user);
    espalier_pair_progress (*step)(void* query, const espalier_budget* budget, void* user);
    uint32_t (*level)(const void* query, void* user);
    void* user;
} espalier_pair_ops;

/* How the scheduler shares; zeros mean slice 64, least level 0, 4 slices. */
typedef struct espalier_schedule_options {
    uint32_t slice;       /* node tests of one turn of a pair of weight 1 */
    uint32_t least_level; /* reached by every pair whatever the budget says; 1 is the paper's */
    uint32_t most_slices; /* after which a pair is left below the least level */
} espalier_schedule_options;

#define ESPALIER_SCHEDULE_ALL_DONE 0u
#define ESPALIER_SCHEDULE_NODE_TESTS 1u
#define ESPALIER_SCHEDULE_CLOCK 2u

typedef struct espalier_schedule_report {
    uint32_t end; /* ESPALIER_SCHEDULE_* */
    uint32_t done;
    uint64_t node_tests;
    uint64_t slices;
} espalier_schedule_report;

typedef struct espalier_scheduled_pair {
    uint32_t a;
    uint32_t b;
    espalier_status status; /* of its start */
    espalier_pair_progress progress;
    void* query;
} espalier_scheduled_pair;

typedef struct espalier_scheduler {
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
/* `budget` null: unlimited; `options` null: the paper's. */
espalier_schedule_report espalier_scheduler_run(espalier_scheduler* scheduler, const espalier_budget* budget,
                                                const espalier_schedule_options* options);
uint32_t espalier_scheduler_pair_count(const espalier_scheduler* scheduler);
espalier_scheduled_pair espalier_scheduler_pair(const espalier_scheduler* scheduler, uint32_t index);

/* Ticks of the caller's clock; see espalier/frame_governor.h. */
typedef struct espalier_governor_options {
    uint64_t target;
    uint32_t window;
    uint32_t deviations;
    uint64_t reserve;
    uint64_t first_rest;
} espalier_governor_options;

typedef struct espalier_frame_report {
    uint64_t frame;
    uint64_t before;
    uint64_t granted;
    uint64_t detection;
    uint64_t rest;
    uint64_t predicted_rest;
    int64_t slack;
    uint64_t least;
} espalier_frame_report;

typedef struct espalier_governor {
    uint64_t opaque[88];
} espalier_governor;

/* A window of 16 frames and 2 deviations. */
espalier_governor_options espalier_governor_defaults(uint64_t target);
espalier_status espalier_governor_begin(espalier_governor* governor, const espalier_governor_options* options,
                                        uint64_t (*now)(void* user), void* user);
void espalier_governor_start_frame(espalier_governor* governor);
/* The remainder of the frame as a budget; `node_tests` 0: the clock alone. */
espalier_budget espalier_governor_start_detection(espalier_governor* governor, uint64_t node_tests);
void espalier_governor_end_detection(espalier_governor* governor);
espalier_frame_report espalier_governor_end_frame(espalier_governor* governor);

#ifdef __cplusplus
}
#endif
#endif
