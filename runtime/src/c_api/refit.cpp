// SPDX-License-Identifier: MIT
// Deformation.
#include "espalier/refit.h"

#include "convert.h"

using namespace espalier::c_api;
using espalier::ShapeView;
using espalier::Status;

extern "C" {

size_t espalier_refit_scratch_size(const espalier_shape* part) {
    return espalier::refit_scratch_size(from_c<ShapeView>(part));
}

espalier_status espalier_refit(const espalier_shape* part, const float* positions, void* nodes, void* scratch,
                               size_t scratch_size, espalier_shape* refitted) {
    if (!part || !refitted) return code(Status::kInvalidArgument);
    ShapeView view;
    const Status status =
        espalier::refit(from_c<ShapeView>(part), positions, static_cast<espalier::AabbNode*>(nodes), scratch,
                        scratch_size, &view);
    if (status == Status::kOk) std::memcpy(refitted, static_cast<const void*>(&view), sizeof(view));
    return code(status);
}

}  // extern "C"
