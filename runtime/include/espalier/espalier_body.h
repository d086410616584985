/* SPDX-License-Identifier: MIT */
/* Parts of an asset, and bodies whose parts move: the part of the C interface that espalier.h ends with. */
#ifndef ESPALIER_ESPALIER_BODY_H
#define ESPALIER_ESPALIER_BODY_H

#include "espalier/espalier.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Parts as they lie in the file ---- */

/* In fields that number parts, shapes or names: there is none. */
#define ESPALIER_NO_INDEX 0xFFFFFFFFu

#define ESPALIER_JOINT_FIXED 0u
#define ESPALIER_JOINT_REVOLUTE 1u
#define ESPALIER_JOINT_CONTINUOUS 2u
#define ESPALIER_JOINT_PRISMATIC 3u
#define ESPALIER_JOINT_FREE 4u

/* One part: its rest in the parent's frame and the joint that moves it. Pose = parent's pose * rest * motion
   of the joint. */
typedef struct espalier_part_node {
    double rotation[4]; /* unit quaternion w x y z */
    /** At rest, in the parent's frame. */
    double translation[3];
    double axis[3]; /* unit length, in the part's own frame; 0 if fixed or free */
    /** Least value of the joint, in radians or units of length; infinite: none. */
    double lower;
    /** And largest. */
    double upper;
    double multiplier;   /* of the value of the joint that is followed */
    double offset;       /* and what is added to it */
    uint32_t name;       /* espalier_get_name */
    uint32_t joint_name; /* likewise, or ESPALIER_NO_INDEX */
    uint32_t shape;      /* ESPALIER_NO_INDEX: a frame only */
    uint32_t parent;     /* an earlier part; ESPALIER_NO_INDEX: the body's own frame */
    uint32_t mimic;      /* part whose joint is followed, or ESPALIER_NO_INDEX */
    uint8_t joint;       /* ESPALIER_JOINT_* */
    /** 0. */
    uint8_t reserved[3];
} espalier_part_node;

#define ESPALIER_PAIR_ADJACENT 0u
#define ESPALIER_PAIR_DEFAULT 1u
#define ESPALIER_PAIR_ALWAYS 2u
#define ESPALIER_PAIR_NEVER 3u
#define ESPALIER_PAIR_USER 4u

/* Two parts that need no test against each other. */
typedef struct espalier_part_pair {
    /** The lower part. */
    uint32_t a;
    /** The higher one. */
    uint32_t b;
    uint32_t samples; /* states of the joints that were tried */
    float share;      /* of them in which they touched */
    uint8_t reason;   /* ESPALIER_PAIR_* */
    uint8_t proved;   /* 1: for every state within the limits */
    /** 0. */
    uint16_t reserved;
} espalier_part_pair;

/* Fills `node` with the placement of part `index`. */
espalier_status espalier_get_part_node(const espalier_asset* asset, uint32_t index, espalier_part_node* node);
/* Numbers in a configuration that are this part's own: 0 if it is fixed or follows another, 7 if it is free,
 * else 1. */
uint32_t espalier_part_value_count(const espalier_part_node* node);
/* A name, in the file; "" if there is none of this number, or no such part. */
const char* espalier_get_name(const espalier_asset* asset, uint32_t index);
const char* espalier_get_part_name(const espalier_asset* asset, uint32_t index);
/* pair_count of them, a < b, in rising order; may be null when there are none. */
const espalier_part_pair* espalier_get_part_pairs(const espalier_asset* asset);

/* ---- Forward kinematics: from joint values to the poses of parts ---- */

/* Sine and cosine of one angle. */
typedef struct espalier_sine_cosine {
    /** In [-1, 1]. */
    double sine;
    /** In [-1, 1]. */
    double cosine;
} espalier_sine_cosine;

/* Joint values that lie beyond what the file allows. They are computed all the same. */
typedef struct espalier_beyond_limits {
    uint32_t count; /* parts whose joint is beyond its limits, followers included */
    uint32_t first; /* the lowest of them, or ESPALIER_NO_INDEX */
    /** The largest distance from a limit, in radians or units of length. */
    double most;
} espalier_beyond_limits;

/* Of an angle in radians of any size: the same bits on every platform, each within 2^-53 of the true value.
   NaN for what is not finite. */
espalier_sine_cosine espalier_get_sine_cosine(double angle);
/* Numbers in a configuration: espalier_part_value_count of every part, one after another in their order. An
   angle in radians, a length, or for a free joint a rotation w x y z and a translation. */
uint32_t espalier_configuration_size(const espalier_asset* asset);
/* The configuration in which every joint is where the file has it. INVALID_ARGUMENT: null, or `count` is not
   espalier_configuration_size. */
espalier_status espalier_rest_configuration(const espalier_asset* asset, double* values, uint32_t count);
/* Fills `poses` with where the parts are, in the frame in which `base` places the body's own; what is beyond
   limits is computed and noted in `beyond`, which may be null. `value_count` must be
   espalier_configuration_size and `pose_count` the number of parts; rotations of free joints must have length
   1 within 1e-6, the scale of `base` must be 1. INVALID_ARGUMENT: a wrong count, null, a number that is not
   finite or whose result is not, a rotation that is none; `poses` hold nothing of use then. */
espalier_status espalier_forward_kinematics(const espalier_asset* asset, const espalier_pose* base,
                                            const double* values, uint32_t value_count, espalier_pose* poses,
                                            uint32_t pose_count, espalier_beyond_limits* beyond);

/* ---- Bodies: an asset and the poses of its parts ---- */

/* A view of memory that the caller gives once: a copy shares it. Concurrent queries are safe while nobody
   changes it. Poses of parts are where each part's source frame is in the frame of the body. */
typedef struct espalier_body {
    /** For the runtime only. */
    uint64_t opaque[10];
} espalier_body;

/* Bytes that espalier_body_begin_part needs. */
#define ESPALIER_BODY_PART_MEMORY 1024u

/* Bytes that espalier_body_begin needs: below 128 a part, below 640 a shape, and below 1024 more; 0 for an
   asset of more than 65536 parts. */
size_t espalier_body_memory_size(const espalier_asset* asset);
/* Takes the memory, 16-byte aligned, and puts every part where the file has it at rest. INVALID_ARGUMENT:
   null, memory that is misaligned or too small, too many parts, places beyond 1e15. */
espalier_status espalier_body_begin(espalier_body* body, const espalier_asset* asset, void* memory,
                                    size_t size);
/* A body of one part, number 0, whose source frame is the body's. */
espalier_status espalier_body_begin_part(espalier_body* body, const espalier_shape* part, void* memory,
                                         size_t size);
/* Puts every part, also those that are frames only, to its pose in the body's frame. INVALID_ARGUMENT: not
   begun, null, a count that is not the number of parts, a pose that is not finite, a rotation of zero, a
   scale that is not 1, a place beyond 1e15; then all poses are those of before. Queries that are under way
   must begin anew, or advance. */
espalier_status espalier_body_set_poses(espalier_body* body, const espalier_pose* poses, size_t count);
/* Makes the tree over the parts anew; changes no answer. */
espalier_status espalier_body_rebuild(espalier_body* body);
/* Parts, also those that are frames only; and those that have a shape. */
uint32_t espalier_body_part_count(const espalier_body* body);
uint32_t espalier_body_shaped_count(const espalier_body* body);
/* The pose of a part as it was set, its rotation of unit length; */
espalier_status espalier_body_pose(const espalier_body* body, uint32_t part, espalier_pose* pose);
/* its shape, in its source frame, or NO_SHAPE; */
espalier_status espalier_body_shape(const espalier_body* body, uint32_t part, espalier_shape* shape);
/* and a box about it, in the body's frame, rounded outward. */
espalier_status espalier_body_part_box(const espalier_body* body, uint32_t part, espalier_broad_box* box);
/* A box about all parts: what a broad phase asks for. NO_SHAPE: no part has one. */
espalier_status espalier_body_box(const espalier_body* body, espalier_broad_box* box);
/* Nonzero: the asset lists these two as a pair that needs no test. */
int espalier_body_pair_listed(const espalier_body* body, uint32_t a, uint32_t b);

/* ---- Queries of bodies ---- */

/* Memory for any query of bodies, 20.1 KiB: hand over `&object.query` and sizeof(object). Memory of the size
   that a kind asks for will do too, aligned as uint64_t. A query is worked by espalier_step and asked by
   espalier_verdict, espalier_get_counters and what follows; bodies must outlive it, and no poses be set until
   it ends. B's frame is at `pose` in A's, with scale 1. Queries of one body with itself (`_self`) pass over
   the pairs that its asset lists; in their answers part_a < part_b. Fails with NO_TREE (a shape has no such
   tree) or INVALID_ARGUMENT (a body not begun, pose, too small a memory). */
typedef union espalier_body_query {
    /** The query. */
    espalier_query query;
    /** For the runtime only. */
    uint64_t opaque[2568];
} espalier_body_query;

/* Remembers the contact of two bodies from one query to the next. Zero it once; it never changes an answer.
 */
typedef struct espalier_body_cue {
    /** Of A. */
    uint32_t part_a;
    /** Of B. */
    uint32_t part_b;
    /** Of these two parts. */
    espalier_cue cue;
} espalier_body_cue;

/* Two triangles of two parts that share a point, in A's frame. */
typedef struct espalier_body_contact {
    /** Of A. */
    uint32_t part_a;
    /** Of B. */
    uint32_t part_b;
    /** Triangles of these parts. */
    espalier_contact found;
} espalier_body_contact;

/* The same of cell trees, which find a witness. */
typedef struct espalier_body_cell_witness {
    /** Of A. */
    uint32_t part_a;
    /** Of B. */
    uint32_t part_b;
    /** Triangles of these parts. */
    espalier_cell_witness found;
} espalier_body_cell_witness;

/* Do two bodies touch, or parts of one? Finds one contact. `cue` may be null; it must outlive the query. */
typedef struct espalier_body_collide_kind espalier_body_collide_kind;
extern const espalier_body_collide_kind espalier_body_collide_aabb_sat_lite,
    espalier_body_collide_box_sat_lite, espalier_body_collide_cell_sat_lite;
size_t espalier_body_collide_size(const espalier_body_collide_kind* kind);
espalier_status espalier_body_collide_begin(espalier_query* query, size_t size,
                                            const espalier_body_collide_kind* kind, const espalier_body* a,
                                            const espalier_body* b, const espalier_pose* pose,
                                            espalier_body_cue* cue);
espalier_status espalier_body_collide_begin_self(espalier_query* query, size_t size,
                                                 const espalier_body_collide_kind* kind,
                                                 const espalier_body* body, espalier_body_cue* cue);
/* The contact of colliding bodies; 0 while there is none, and for cell trees, which find a witness. */
int espalier_body_collide_contact(const espalier_query* query, espalier_body_contact* contact);
/* The witness; 0 while there is none, and for other trees. */
int espalier_body_collide_witness(const espalier_query* query, espalier_body_cell_witness* witness);

/* All pairs of triangles that touch, each once, at most `capacity` into `buffer`, which may be null if it is
 * 0. */
typedef struct espalier_body_contacts_kind espalier_body_contacts_kind;
extern const espalier_body_contacts_kind espalier_body_contacts_aabb_sat_lite,
    espalier_body_contacts_box_sat_lite, espalier_body_contacts_cell_sat_lite;
size_t espalier_body_contacts_size(const espalier_body_contacts_kind* kind);
espalier_status espalier_body_contacts_begin(espalier_query* query, size_t size,
                                             const espalier_body_contacts_kind* kind, const espalier_body* a,
                                             const espalier_body* b, const espalier_pose* pose,
                                             espalier_body_contact* buffer, size_t capacity);
espalier_status espalier_body_contacts_begin_self(espalier_query* query, size_t size,
                                                  const espalier_body_contacts_kind* kind,
                                                  const espalier_body* body, espalier_body_contact* buffer,
                                                  size_t capacity);
/* Contacts found so far, also those that did not fit; and BUFFER_FULL when some did not. */
uint64_t espalier_body_contacts_count(const espalier_query* query);
espalier_status espalier_body_contacts_status(const espalier_query* query);

/* How far apart are two bodies, or the parts of one? What is known: espalier_distance_result, and of which
   parts: espalier_body_nearest. Without a pair to test the distance is infinite. */
typedef struct espalier_body_distance_kind espalier_body_distance_kind;
extern const espalier_body_distance_kind espalier_body_distance_aabb, espalier_body_distance_box,
    espalier_body_distance_cell;
size_t espalier_body_distance_size(const espalier_body_distance_kind* kind);
espalier_status espalier_body_distance_begin(espalier_query* query, size_t size,
                                             const espalier_body_distance_kind* kind, const espalier_body* a,
                                             const espalier_body* b, const espalier_pose* pose,
                                             const espalier_distance_goal* goal);
espalier_status espalier_body_distance_begin_self(espalier_query* query, size_t size,
                                                  const espalier_body_distance_kind* kind,
                                                  const espalier_body* body,
                                                  const espalier_distance_goal* goal);
/* Takes in a distance measured elsewhere: only pairs that are nearer count from now on. */
void espalier_body_distance_tighten(espalier_query* query, double distance);
/* The parts that `upper` of a distance or time-critical query of bodies comes from; 0: no single parts yet.
 */
int espalier_body_nearest(const espalier_query* query, uint32_t* part_a, uint32_t* part_b);

/* Where a ray meets a body, in the body's frame. */
typedef struct espalier_body_ray_hit {
    /** Of the body. */
    uint32_t part;
    /** Of the part. */
    espalier_ray_hit hit;
} espalier_body_ray_hit;

typedef struct espalier_body_ray_kind espalier_body_ray_kind;
extern const espalier_body_ray_kind espalier_body_ray_aabb, espalier_body_ray_box;
/* First hit of a ray in the body's frame, or with `any` nonzero some hit. Fits every espalier_query. */
espalier_status espalier_body_ray_begin(espalier_query* query, const espalier_body_ray_kind* kind,
                                        const espalier_body* body, const espalier_ray* ray, int any);
/* 0 while there is no hit. */
int espalier_body_ray_result(const espalier_query* query, espalier_body_ray_hit* hit);

/* The point of a body nearest to a given one, in the body's frame. */
typedef struct espalier_body_closest_point {
    /** Of the body. */
    uint32_t part;
    /** Of the part. */
    espalier_closest_point closest;
} espalier_body_closest_point;

/* Nearest point of the body, up to `limit` away (HUGE_VAL: any). On aabb trees; fits every espalier_query. */
espalier_status espalier_body_closest_begin(espalier_query* query, const espalier_body* body,
                                            const double point[3], double limit);
/* 0 while there is none. */
int espalier_body_closest_result(const espalier_query* query, espalier_body_closest_point* point);

/* Whether a point is inside a closed part; NOT_CLOSED: no part is. On aabb trees; fits every espalier_query.
 */
espalier_status espalier_body_inside_begin(espalier_query* query, const espalier_body* body,
                                           const double point[3]);
/* The part that it is inside of; ESPALIER_NO_INDEX while none is known. */
uint32_t espalier_body_inside_part(const espalier_query* query);

/* ---- Time-critical queries of bodies, on sphere trees ---- */

/** What a time-critical query of bodies is after. */
typedef struct espalier_body_sphere_options {
    /** Of every pair of parts; the goal is that of the bodies. */
    espalier_sphere_options pair;
    /** Node tests that a pair gets before the next turn is given. */
    uint32_t slice;
} espalier_body_sphere_options;

/** What a query may take of the caller's memory. */
typedef struct espalier_body_sphere_capacity {
    uint32_t slots;      /* pairs of parts that are refined at a time: 1 to 4096 */
    uint32_t open_pairs; /* of spheres, in each slot: at least 16 */
    uint32_t part_pairs; /* pairs of parts, or of groups of them, that are known apart: at least 160 */
} espalier_body_sphere_capacity;

/* The defaults. */
espalier_body_sphere_options espalier_body_sphere_options_default(void);
espalier_body_sphere_capacity espalier_body_sphere_capacity_default(void);
/* Bytes that begin needs in `memory`; 0 for a capacity out of range. */
size_t espalier_body_sphere_memory_size(const espalier_body_sphere_capacity* capacity);
/* The separation of two bodies, or of the parts of one, with bounds at any time: espalier_distance_result,
   espalier_body_nearest. Fits every espalier_query; `memory` is 16-byte aligned and the query's alone. */
espalier_status espalier_body_sphere_begin(espalier_query* query, const espalier_body* a,
                                           const espalier_body* b, const espalier_pose* pose,
                                           const espalier_body_sphere_options* options,
                                           const espalier_body_sphere_capacity* capacity, void* memory,
                                           size_t size);
espalier_status espalier_body_sphere_begin_self(espalier_query* query, const espalier_body* body,
                                                const espalier_body_sphere_options* options,
                                                const espalier_body_sphere_capacity* capacity, void* memory,
                                                size_t size);
/* The same bodies a frame later, after their poses were set. The identity for one body with itself. */
espalier_status espalier_body_sphere_advance(espalier_query* query, const espalier_pose* pose);
/* Pairs of parts or of groups of them that are known apart now and may still matter; and those in slots. */
uint32_t espalier_body_sphere_active_pairs(const espalier_query* query);
uint32_t espalier_body_sphere_started_pairs(const espalier_query* query);

#ifdef __cplusplus
}
#endif

#endif
