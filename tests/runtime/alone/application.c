/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same use through the C header: it must link the kind of query that it names and no other. */
#include <espalier/espalier.h>

static espalier_query query;

int application(const void* flash, size_t size);

int application(const void* flash, size_t size) {
    espalier_asset asset;
    espalier_shape part;
    espalier_pose pose = espalier_pose_identity();
    if (espalier_open(flash, size, ESPALIER_VERIFY_FULL, &asset) != ESPALIER_STATUS_OK) return 1;
    if (espalier_get_part(&asset, 0, &part) != ESPALIER_STATUS_OK) return 1;
    if (espalier_collide_begin(&query, sizeof(query), &espalier_collide_aabb_sat_lite, &part, &part, &pose,
                               NULL) != ESPALIER_STATUS_OK)
        return 1;
    return (int)espalier_step(&query, NULL);
}
