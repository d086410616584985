/* SPDX-License-Identifier: MIT */
/* The runtime for C (C99): everything that the C++ headers say, on plain structs and caller memory.
   Nothing allocates, throws or keeps state of its own; concurrent reads are safe. Numbers mean themselves, 0
   too: limits that are none and defaults come from functions. Pointers are not null unless it is said. */
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
#define ESPALIER_STATUS_NO_SHAPE 15u
#define ESPALIER_STATUS_CORRUPT_PARTS 16u

/* How much espalier_open checks; untrusted bytes need FULL. */
#define ESPALIER_VERIFY_NONE 0u
#define ESPALIER_VERIFY_CHECKSUM 1u
#define ESPALIER_VERIFY_FULL 2u

/* What a query knows. */
#define ESPALIER_UNRESOLVED 0u
#define ESPALIER_DISJOINT 1u
#define ESPALIER_COLLIDING 2u

/* Hierarchies, as bits of espalier_shape_info.trees. */
#define ESPALIER_TREE_AABB 1u
#define ESPALIER_TREE_BOX 2u
#define ESPALIER_TREE_CELL 4u
#define ESPALIER_TREE_SPHERE 8u

/* A short English text for a status, never null. */
const char* espalier_status_text(espalier_status status);

/* ---- Assets ---- */

/* An opened file; a view of the caller's bytes. */
typedef struct espalier_asset {
    /** For the runtime only. */
    uint64_t opaque[12];
} espalier_asset;

/* A shape of an asset: triangles and trees in a frame of their own, the source frame of what follows. Queries
   of two parts take each as the shape that it has. */
typedef struct espalier_shape {
    /** For the runtime only. */
    uint64_t opaque[64];
} espalier_shape;

/* A file mapped by espalier_map_file. */
typedef struct espalier_mapped_file {
    /** The bytes. */
    void* data;
    /** In bytes. */
    size_t size;
} espalier_mapped_file;

/** What an asset says of itself. */
typedef struct espalier_asset_info {
    uint32_t version_major; /* of the format */
    /** Of the format. */
    uint32_t version_minor;
    /** Of the builder that wrote it. */
    uint32_t builder_revision;
    /** Placed shapes and frames: at least 1. */
    uint32_t part_count;
    /** Triangles with their trees, each stored once: at least 1. */
    uint32_t shape_count;
    /** Names of parts and joints. */
    uint32_t name_count;
    /** Pairs of parts that need no test. */
    uint32_t pair_count;
    /** 0: every shape is a part at rest. */
    uint32_t has_parts;
    /** As stored. */
    uint64_t checksum;
    /** The bytes. */
    const void* data;
    /** In bytes. */
    size_t size;
} espalier_asset_info;

/** What a part holds. */
typedef struct espalier_shape_info {
    const char* name; /* in the file */
    /** Of the stored coordinates, in the source frame. */
    double origin[3];
    float lo[3]; /* bounds, without the origin */
    /** Upper corner. */
    float hi[3];
    uint32_t closed; /* nonzero: the mesh has an inside */
    uint32_t trees;  /* ESPALIER_TREE_* that the part has */
    /** Number of triangles. */
    uint32_t triangle_count;
    /** Number of vertices. */
    uint32_t vertex_count;
    /** 0: no aabb tree. */
    uint32_t aabb_node_count;
} espalier_shape_info;

/* Triangles of a part, in the file. One of the index arrays is null. */
typedef struct espalier_mesh {
    const float* positions; /* x y z of each vertex, without the origin */
    /** Number of vertices. */
    uint32_t vertex_count;
    /** Three a triangle, or null. */
    const uint16_t* indices16;
    /** Three a triangle, or null. */
    const uint32_t* indices32;
    /** Number of triangles. */
    uint32_t triangle_count;
    const uint32_t* source_triangles; /* triangle -> polygon of the source file, or null */
} espalier_mesh;

/* Maps a file read only (POSIX systems). INPUT_OUTPUT: errno tells why; TRUNCATED: an empty file. A file that
   is truncated while it is mapped kills the reader with SIGBUS: replace files, do not write into them. */
espalier_status espalier_map_file(const char* path, espalier_mapped_file* file);
void espalier_unmap_file(espalier_mapped_file* file);

/* Opens `size` bytes at `data` (16-byte aligned, the caller's, read only) where they are; `verify` is
   ESPALIER_VERIFY_*. */
espalier_status espalier_open(const void* data, size_t size, uint32_t verify, espalier_asset* asset);
espalier_asset_info espalier_get_asset_info(const espalier_asset* asset);

/* Fills `part` with views of shape `index` (0 .. shape_count - 1), */
espalier_status espalier_get_shape(const espalier_asset* asset, uint32_t index, espalier_shape* part);
/* or of the shape that part `index` (0 .. part_count - 1) has, under the part's name. NO_SHAPE: a frame only.
 */
espalier_status espalier_get_part(const espalier_asset* asset, uint32_t index, espalier_shape* part);
espalier_shape_info espalier_get_shape_info(const espalier_shape* part);

espalier_mesh espalier_get_mesh(const espalier_shape* part);
/* Vertex index, and the three floats, of corner 0 .. 2 of a triangle. */
uint32_t espalier_mesh_index(const espalier_mesh* mesh, uint32_t triangle, uint32_t corner);
const float* espalier_mesh_corner(const espalier_mesh* mesh, uint32_t triangle, uint32_t corner);

/* ---- Sphere trees, to read ---- */

typedef struct espalier_sphere {
    float center[3]; /* without the part's origin */
    /** Of the bounding sphere. */
    float radius;
} espalier_sphere;

/** A level of a sphere tree and its statistics. */
typedef struct espalier_sphere_level {
    uint32_t first; /* sphere */
    /** Number of them. */
    uint32_t count;
    /** Of the spheres. */
    float error_mean;
    /** Of the spheres. */
    float error_max;
    /** Of the spheres together. */
    double union_volume;
    /** Of their union outside the solid. */
    double outside_volume;
} espalier_sphere_level;

/** A box with sides along the axes. */
typedef struct espalier_box {
    /** Lower corner. */
    float lo[3];
    /** Upper corner. */
    float hi[3];
} espalier_box;

#define ESPALIER_COVERAGE_FULL 0u
#define ESPALIER_COVERAGE_LEVEL 1u
#define ESPALIER_COVERAGE_SAMPLED 2u

/* A sphere tree or DAG; arrays are in the file. */
typedef struct espalier_sphere_tree {
    const espalier_sphere* spheres; /* level by level, the root first */
    const float* errors;            /* one a sphere: its farthest point's distance from the solid */
    /** Root first. */
    const espalier_sphere_level* levels;
    const espalier_box* shells;      /* boxes of the surface's connected pieces, or null */
    const uint32_t* leaf_triangles;  /* see espalier_sphere_leaf */
    const uint32_t* shared_children; /* see espalier_sphere_shared; null: none */
    uint32_t sphere_count;           /* number of spheres */
    uint32_t level_count;            /* number of levels */
    uint32_t inner_count;            /* spheres above the last level: those with children */
    uint32_t shell_count;            /* number of `shells` */
    uint32_t dag;                    /* nonzero: spheres may have several parents */
    uint32_t coverage;               /* ESPALIER_COVERAGE_* */
    uint32_t proved;                 /* nonzero: the coverage holds */
    uint32_t volume_proved;          /* nonzero: the last level covers the inside too */
    uint32_t open;                   /* nonzero: errors count from the triangles, not from a solid */
    uint32_t capped;                 /* nonzero: errors count from a solid whose holes are filled */
    uint32_t limit;                  /* what ended the refinement: 0 count, 1 error */
    uint32_t method;                 /* 0 best, 1 hubbard, 2 octree */
    /** Children of a sphere that were asked for. */
    uint32_t branch;
    /** 0: there is no solid. */
    double solid_volume;
    float gap;     /* spheres cover with their radii larger by this */
    float filling; /* no point that fills a hole is farther than this from the triangles */
} espalier_sphere_tree;

/* NO_TREE: the part has none. */
espalier_status espalier_get_sphere_tree(const espalier_shape* part, espalier_sphere_tree* tree);
/* Children of an inner sphere: positions from `*first` to before `*end`, and the sphere at a position. */
void espalier_sphere_children(const espalier_shape* part, uint32_t sphere, uint32_t* first, uint32_t* end);
uint32_t espalier_sphere_child_at(const espalier_shape* part, uint32_t position);
/* Neighbours' children that an inner sphere shares: entries of shared_children. */
void espalier_sphere_shared(const espalier_shape* part, uint32_t sphere, uint32_t* first, uint32_t* end);
/* Triangles of a sphere of the last level: entries of leaf_triangles. */
void espalier_sphere_leaf(const espalier_shape* part, uint32_t sphere, uint32_t* first, uint32_t* end);
/* The root's is 0. */
uint32_t espalier_sphere_level_of(const espalier_shape* part, uint32_t sphere);

/* ---- Queries ---- */

/* B in A's frame: p_A = rotation (scale p_B) + translation. */
typedef struct espalier_pose {
    double rotation[4]; /* quaternion w x y z, not zero */
    /** In A's frame. */
    double translation[3];
    double scale[3]; /* along B's axes, none zero; negative mirrors; 1 1 1 for a rigid motion */
} espalier_pose;

/* Node tests without a limit. */
#define ESPALIER_UNLIMITED UINT64_MAX

/* Work limit of one step: node tests, and an optional clock (may be null) that returns nonzero to stop. */
typedef struct espalier_budget {
    /** Number of node tests. */
    uint64_t node_tests;
    /** Nonzero stops the step; may be null. */
    int (*expired)(void* user);
    /** Handed to the callback. */
    void* user;
} espalier_budget;

/* Work done since a query began. */
typedef struct espalier_counters {
    /** Number of node tests. */
    uint64_t node_tests;
    /** Pairs of leaves looked at. */
    uint64_t leaf_pairs;
    /** Pairs of triangles tested. */
    uint64_t triangle_tests;
    /** Of those, decided exactly. */
    uint64_t exact_tests;
} espalier_counters;

/* Remembers the contact of a pair from one query to the next. Zero it once a pair; it never changes an
 * answer. */
typedef struct espalier_cue {
    /** Of A. */
    uint32_t triangle_a;
    /** Of B. */
    uint32_t triangle_b;
    /** False: nothing is known yet. */
    uint8_t valid;
} espalier_cue;

/* Two triangles that share a point, in A's frame. */
typedef struct espalier_contact {
    /** Of A. */
    uint32_t triangle_a;
    /** Of B. */
    uint32_t triangle_b;
    /** In the source frame. */
    double point[3];
    double normal[3]; /* unit, of A's triangle (of B's if A's is degenerate) */
} espalier_contact;

/* A running query: 17.3 KiB of the caller's memory. That is enough for every query but those whose kind has a
   size of its own (espalier_collide_size and so on): for these any memory of that size, aligned as uint64_t,
   will do. Its begin function initialises it. Do not copy or move it while it is used. */
typedef struct espalier_query {
    /** For the runtime only. */
    uint64_t opaque[2210];
} espalier_query;

/* The identity: no rotation, no translation, scale 1. */
espalier_pose espalier_pose_identity(void);
espalier_budget espalier_budget_unlimited(void);

/* After any begin: works until the verdict is known or the budget (null: unlimited) is spent, and returns
   ESPALIER_UNRESOLVED, _DISJOINT or _COLLIDING. Further steps go on, with the same outcome as one with the
   sum of the budgets. A query whose begin failed stays unresolved. */
uint32_t espalier_step(espalier_query* query, const espalier_budget* budget);
uint32_t espalier_verdict(const espalier_query* query);
espalier_counters espalier_get_counters(const espalier_query* query);

/* Questions about two parts come in kinds: a tree and a test of its volumes. The answers are the same; a
   program links only the kinds that it names. A begin fails with NO_TREE (a part lacks the tree) or
   INVALID_ARGUMENT (pose, too small a memory). `size` is the memory at `query`: sizeof(espalier_query) or
   more. */

/* Do two parts touch? Finds one contact. */
typedef struct espalier_collide_kind espalier_collide_kind;
extern const espalier_collide_kind espalier_collide_aabb_sat_lite, espalier_collide_aabb_sat,
    espalier_collide_box_sat_lite, espalier_collide_box_sat, espalier_collide_box_axis,
    espalier_collide_box_table, espalier_collide_cell_sat_lite, espalier_collide_cell_sat,
    espalier_collide_cell_axis, espalier_collide_cell_clip;
/* Memory that a query of this kind needs. */
size_t espalier_collide_size(const espalier_collide_kind* kind);
/* `cue` may be null; it must outlive the query. */
espalier_status espalier_collide_begin(espalier_query* query, size_t size, const espalier_collide_kind* kind,
                                       const espalier_shape* a, const espalier_shape* b,
                                       const espalier_pose* pose, espalier_cue* cue);
/* The contact of a colliding pair; 0 while there is none, and for cell trees, which find a witness. */
int espalier_collide_contact(const espalier_query* query, espalier_contact* contact);

/* All pairs of triangles that touch, each once. */
typedef struct espalier_contacts_kind espalier_contacts_kind;
extern const espalier_contacts_kind espalier_contacts_aabb_sat_lite, espalier_contacts_aabb_sat,
    espalier_contacts_box_sat_lite, espalier_contacts_box_sat, espalier_contacts_box_axis,
    espalier_contacts_box_table, espalier_contacts_cell_sat_lite, espalier_contacts_cell_sat,
    espalier_contacts_cell_axis, espalier_contacts_cell_clip;
size_t espalier_contacts_size(const espalier_contacts_kind* kind);
/* At most `capacity` contacts are written to `buffer`, which may be null if it is 0. Steps end when all were
 * found. */
espalier_status espalier_contacts_begin(espalier_query* query, size_t size,
                                        const espalier_contacts_kind* kind, const espalier_shape* a,
                                        const espalier_shape* b, const espalier_pose* pose,
                                        espalier_contact* buffer, size_t capacity);
/* Contacts found so far, also those that did not fit; and BUFFER_FULL when some did not. */
uint64_t espalier_contacts_count(const espalier_query* query);
espalier_status espalier_contacts_status(const espalier_query* query);

/* What a distance query is after. */
typedef struct espalier_distance_goal {
    double within;             /* only distances up to this matter; 0: whether the parts touch */
    double relative_tolerance; /* the distance may be too large by this share of itself */
    double absolute_tolerance; /* and by this length */
} espalier_distance_goal;

/* What a distance or sphere query knows: lower <= distance <= upper. */
typedef struct espalier_distance {
    /** The separation is at least this. */
    double lower;
    /** The separation is at most this. */
    double upper;
    double point_a[3]; /* the points that attain `upper`, in A's frame, and their triangles */
    /** On B. */
    double point_b[3];
    /** Of A. */
    uint32_t triangle_a;
    /** Of B. */
    uint32_t triangle_b;
    uint32_t found; /* nonzero: triangles attain `upper`; else points and triangles are 0 */
    uint32_t done;  /* nonzero: the goal is reached, or there is no more to know */
} espalier_distance;

/* Any distance, exactly. */
espalier_distance_goal espalier_distance_goal_default(void);

/* How far apart are two parts? COLLIDING: 0, DISJOINT: above 0. */
typedef struct espalier_distance_kind espalier_distance_kind;
extern const espalier_distance_kind espalier_distance_aabb, espalier_distance_box, espalier_distance_cell;
espalier_status espalier_distance_begin(espalier_query* query, const espalier_distance_kind* kind,
                                        const espalier_shape* a, const espalier_shape* b,
                                        const espalier_pose* pose, const espalier_distance_goal* goal);
/* Takes in a distance measured elsewhere: only pairs that are nearer count from now on. */
void espalier_distance_tighten(espalier_query* query, double distance);
/* What is known now, of a distance or sphere query. */
espalier_distance espalier_distance_result(const espalier_query* query);

/* ---- Queries that only cell trees have ---- */

/* An edge of one part that meets a polygon of the other, in A's frame. */
typedef struct espalier_cell_witness {
    uint32_t edge_side;     /* 0: the edge is A's and the polygon B's; 1: the other way round */
    uint32_t edge_triangle; /* a triangle with the edge, */
    uint32_t edge_corner;   /* and its corner at which the edge begins; it ends at the next */
    uint32_t triangle;      /* the polygon */
    /** In the source frame. */
    double point[3];
    double normal[3]; /* of the polygon, unit */
} espalier_cell_witness;

/* The witness of a colliding pair; 0 while there is none, and for other trees. */
int espalier_collide_witness(const espalier_query* query, espalier_cell_witness* witness);

/* All witnesses, each once. */
typedef struct espalier_cell_witnesses_kind espalier_cell_witnesses_kind;
extern const espalier_cell_witnesses_kind espalier_cell_witnesses_sat_lite, espalier_cell_witnesses_sat,
    espalier_cell_witnesses_axis, espalier_cell_witnesses_clip;
size_t espalier_cell_witnesses_size(const espalier_cell_witnesses_kind* kind);
espalier_status espalier_cell_witnesses_begin(espalier_query* query, size_t size,
                                              const espalier_cell_witnesses_kind* kind,
                                              const espalier_shape* a, const espalier_shape* b,
                                              const espalier_pose* pose, espalier_cell_witness* buffer,
                                              size_t capacity);
uint64_t espalier_cell_witnesses_count(const espalier_query* query);
espalier_status espalier_cell_witnesses_status(const espalier_query* query);

/* A leaf of a cell tree: what it lists, and its cell in the part's stored coordinates. */
typedef struct espalier_cell_leaf {
    /** Of the leaf's list. */
    const uint32_t* triangles;
    /** Number of triangles. */
    uint32_t triangle_count;
    const uint32_t* edges; /* 3 * triangle + corner at which the edge begins */
    /** Length of that list. */
    uint32_t edge_count;
    /** Lower corner. */
    float lo[3];
    /** Upper corner. */
    float hi[3];
} espalier_cell_leaf;

/* Two leaves that may meet, or be as near as the walk's reach. */
typedef struct espalier_cell_pair {
    /** The first of the two. */
    espalier_cell_leaf a;
    /** The second. */
    espalier_cell_leaf b;
} espalier_cell_pair;

/* The caller's operation on a pair of leaves; nonzero ends the walk. */
typedef int (*espalier_cell_operation)(void* user, const espalier_cell_pair* pair);

/* The simultaneous traversal with an operation of the caller's on every pair of leaves that overlap or are up
   to `reach` apart. COLLIDING: the operation returned nonzero; DISJOINT: it never did and no pair is left. */
typedef struct espalier_cell_walk_kind espalier_cell_walk_kind;
extern const espalier_cell_walk_kind espalier_cell_walk_sat_lite, espalier_cell_walk_sat,
    espalier_cell_walk_axis, espalier_cell_walk_clip;
size_t espalier_cell_walk_size(const espalier_cell_walk_kind* kind);
espalier_status espalier_cell_walk_begin(espalier_query* query, size_t size,
                                         const espalier_cell_walk_kind* kind, const espalier_shape* a,
                                         const espalier_shape* b, const espalier_pose* pose, double reach);
/* In place of espalier_step. */
uint32_t espalier_cell_walk_step(espalier_query* query, const espalier_budget* budget,
                                 espalier_cell_operation operation, void* user);
/* From inside an operation, with the query that runs it: only pairs up to `reach` apart from now on; */
void espalier_cell_walk_set_reach(espalier_query* query, double reach);
/* and the distance of a triangle of A and one of B, 0 when they touch. The points that attain it, in A's
   frame, where not null. */
double espalier_cell_walk_triangle_distance(const espalier_query* query, uint32_t triangle_a,
                                            uint32_t triangle_b, double* point_a, double* point_b);

/* ---- Sphere trees: time-critical queries ---- */

/* Which pair of spheres is refined next. */
#define ESPALIER_ORDER_LEVEL 0u
#define ESPALIER_ORDER_BEST_FIRST 1u
#define ESPALIER_ORDER_WIDEST_FIRST 2u

/** What a query on sphere trees is after. */
typedef struct espalier_sphere_options {
    /** What is asked for. */
    espalier_distance_goal goal;
    uint32_t order; /* ESPALIER_ORDER_* */
    uint32_t exact; /* nonzero: go on to the triangles below the last spheres */
    double skin;    /* how far the parts may move before espalier_sphere_advance starts at the roots again */
} espalier_sphere_options;

/* One open pair of spheres; its meaning is the query's own. */
typedef struct espalier_sphere_pair {
    /** The query's own. */
    uint32_t key;
    /** Lower bound of the distance; below 0: overlap. */
    float gap;
    /** The first of the two. */
    uint32_t a;
    /** The second. */
    uint32_t b;
} espalier_sphere_pair;

/* Where spheres overlap, in A's frame. */
typedef struct espalier_sphere_contact {
    /** In the source frame. */
    double point[3];
    double normal[3]; /* unit, from A to B */
    /** Number of levels. */
    double depth;
    /** Of A. */
    uint32_t sphere_a;
    /** Of B. */
    uint32_t sphere_b;
} espalier_sphere_contact;

/* The separation, best first, exact, no skin. */
espalier_sphere_options espalier_sphere_options_default(void);

/* Time-critical separation of two parts: stop after any step, and espalier_distance_result is a true
 * statement. */
espalier_status espalier_sphere_begin(espalier_query* query, const espalier_shape* a, const espalier_shape* b,
                                      const espalier_pose* pose, const espalier_sphere_options* options);
/* The same with the caller's memory for open pairs, 16 at least, which belongs to the query alone. */
espalier_status espalier_sphere_begin_in(espalier_query* query, const espalier_shape* a,
                                         const espalier_shape* b, const espalier_pose* pose,
                                         const espalier_sphere_options* options, espalier_sphere_pair* memory,
                                         size_t capacity);
/* The same pair in another pose, a frame later: goes on from the last front. */
espalier_status espalier_sphere_advance(espalier_query* query, const espalier_pose* pose);
/* How fine the spheres are that speak for the parts: as SphereQueryBase::level. */
uint32_t espalier_sphere_level_reached(const espalier_query* query);
/* Nonzero: coverage is proved, and the lower bound comes from spheres. */
int espalier_sphere_conservative(const espalier_query* query);
/* Nonzero: the upper bound may use the stored errors. */
int espalier_sphere_surface_errors(const espalier_query* query);
/* Overlapping open pairs: writes at most `capacity` and returns how many there are. */
size_t espalier_sphere_contacts(const espalier_query* query, espalier_sphere_contact* buffer,
                                size_t capacity);
/* Mean of the colliding spheres, for a response; 0 when none collide. */
int espalier_sphere_mean_contact(const espalier_query* query, espalier_sphere_contact* contact);
size_t espalier_sphere_open_pairs(const espalier_query* query);

/* ---- Queries of one part. COLLIDING: hit, found, inside; DISJOINT: not. ---- */

typedef struct espalier_ray {
    /** Where it begins. */
    double origin[3];
    double direction[3]; /* not zero; t counts in it */
    double max_t;        /* see espalier_ray_along */
} espalier_ray;

/** Where a ray meets a part. */
typedef struct espalier_ray_hit {
    /** In the mesh's order. */
    uint32_t triangle;
    /** Along the ray. */
    double t;
    /** In the source frame. */
    double point[3];
    /** Unit length. */
    double normal[3];
} espalier_ray_hit;

/** The point of a part nearest to a given one. */
typedef struct espalier_closest_point {
    /** In the mesh's order. */
    uint32_t triangle;
    /** Of the two points. */
    double distance;
    /** In the source frame. */
    double point[3];
} espalier_closest_point;

/* A ray without end. */
espalier_ray espalier_ray_along(const double origin[3], const double direction[3]);

typedef struct espalier_ray_kind espalier_ray_kind;
extern const espalier_ray_kind espalier_ray_aabb, espalier_ray_box;
/* First hit of a ray, or with `any` nonzero some hit. */
espalier_status espalier_ray_begin(espalier_query* query, const espalier_ray_kind* kind,
                                   const espalier_shape* part, const espalier_ray* ray, int any);
/* 0 while there is no hit. */
int espalier_ray_result(const espalier_query* query, espalier_ray_hit* hit);

/* Nearest point of the part, up to `limit` away (HUGE_VAL: any). On aabb trees. */
espalier_status espalier_closest_begin(espalier_query* query, const espalier_shape* part,
                                       const double point[3], double limit);
/* 0 while there is none. */
int espalier_closest_result(const espalier_query* query, espalier_closest_point* point);

/* Whether a point is inside a closed part; NOT_CLOSED otherwise. On aabb trees. */
espalier_status espalier_inside_begin(espalier_query* query, const espalier_shape* part,
                                      const double point[3]);

/* ---- Deformation ---- */

/* Refits the aabb tree of `part` to 3 * vertex_count floats in `positions`. `nodes` receives 64 *
   aabb_node_count bytes, `scratch` has espalier_refit_scratch_size bytes; both 16-byte aligned. `positions`
   and `nodes` must live as long as `refitted` is used. */
size_t espalier_refit_scratch_size(const espalier_shape* part);
espalier_status espalier_refit(const espalier_shape* part, const float* positions, void* nodes, void* scratch,
                               size_t scratch_size, espalier_shape* refitted);

/** A box about a moving object or a part of it, for broad phases. */
typedef struct espalier_broad_box {
    double lo[3]; /* lower corner */
    double hi[3]; /* upper corner */
} espalier_broad_box;

#ifdef __cplusplus
}
#endif

#include "espalier/espalier_body.h"
#include "espalier/espalier_frames.h"

#endif
