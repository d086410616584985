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

#ifdef __cplusplus
}
#endif

#endif
