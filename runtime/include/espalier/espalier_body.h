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

#ifdef __cplusplus
}
#endif

#endif
