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

#ifdef __cplusplus
}
#endif
#endif
