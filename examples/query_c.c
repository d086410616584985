/* SPDX-License-Identifier: MIT */
/* Ship, from C: reads a baked file into aligned memory (on a microcontroller it would lie in flash) and
   counts the contacts of the part with itself, turned by a quarter and moved aside.

     example_query_c FILE.espl
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "espalier/espalier.h"

enum { kAlignment = 64, kContacts = 16 };

/* The whole file at an address that espalier_open accepts, or null. `*memory` is what to free. */
static const void* read_file(const char* path, void** memory, size_t* size) {
    FILE* file = fopen(path, "rb");
    unsigned char* start = NULL;
    long length = -1;
    *memory = NULL;
    if (!file) return NULL;
    if (fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (length > 0) *memory = malloc((size_t)length + kAlignment);
    if (*memory) {
        const uintptr_t address = (uintptr_t)*memory;
        start = (unsigned char*)*memory + (kAlignment - address % kAlignment);
        *size = (size_t)length;
        rewind(file);
        if (fread(start, 1, *size, file) != *size) start = NULL;
    }
    fclose(file);
    return start;
}

static int print_contacts(const espalier_shape* part) {
    static espalier_query query; /* working memory of a query; nothing is allocated */
    espalier_contact contacts[kContacts];
    espalier_pose pose = espalier_pose_identity();
    espalier_status status;
    uint64_t count = 0, i;
    pose.rotation[0] = 1; /* a quarter turn about z; need not be normalised */
    pose.rotation[3] = 1;
    pose.translation[0] = 0.1;
    status = espalier_contacts_begin(&query, sizeof(query), &espalier_contacts_aabb_sat_lite, part, part,
                                     &pose, contacts, kContacts);
    if (status != ESPALIER_STATUS_OK) {
        fprintf(stderr, "example_query_c: %s\n", espalier_status_text(status));
        return 3;
    }
    espalier_step(&query, NULL); /* no budget: all of them */
    count = espalier_contacts_count(&query);
    printf("%lu triangles, %lu contacts with itself\n",
           (unsigned long)espalier_get_shape_info(part).triangle_count, (unsigned long)count);
    for (i = 0; i < count && i < 3; ++i)
        printf("  triangles %lu and %lu at (%.3f %.3f %.3f)\n", (unsigned long)contacts[i].triangle_a,
               (unsigned long)contacts[i].triangle_b, contacts[i].point[0], contacts[i].point[1],
               contacts[i].point[2]);
    return 0;
}

int main(int argc, char** argv) {
    espalier_asset asset;
    espalier_shape part;
    espalier_status status;
    void* memory = NULL;
    size_t size = 0;
    const void* data;
    int code;
    if (argc != 2) {
        fprintf(stderr, "usage: example_query_c FILE.espl\n");
        return 1;
    }
    data = read_file(argv[1], &memory, &size);
    if (!data) {
        perror(argv[1]);
        free(memory);
        return 2;
    }
    status = espalier_open(data, size, ESPALIER_VERIFY_FULL, &asset);
    if (status == ESPALIER_STATUS_OK) status = espalier_get_part(&asset, 0, &part);
    if (status == ESPALIER_STATUS_OK) {
        code = print_contacts(&part);
    } else {
        fprintf(stderr, "example_query_c: %s: %s\n", argv[1], espalier_status_text(status));
        code = 3;
    }
    free(memory);
    return code;
}
