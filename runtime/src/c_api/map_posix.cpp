// SPDX-License-Identifier: MIT
// Mapping a file, for C.
#include "convert.h"
#include "espalier/map_file.h"

using namespace espalier::c_api;

extern "C" {

espalier_status espalier_map_file(const char* path, espalier_mapped_file* file) {
    if (!path || !file) return code(espalier::Status::kInvalidArgument);
    espalier::MappedFile mapped;
    const espalier::Status status = mapped.map(path);
    if (status != espalier::Status::kOk) return code(status);
    file->size = mapped.size();
    file->data = mapped.release();
    return code(status);
}

void espalier_unmap_file(espalier_mapped_file* file) {
    if (!file) return;
    espalier::MappedFile mapped(file->data, file->size);
    file->data = nullptr;
    file->size = 0;
}

}  // extern "C"
