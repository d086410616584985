// SPDX-License-Identifier: MIT
// Deformation.
#include "espalier/refit.h"

#include "convert.h"

using namespace espalier::c_api;
using espalier::PartView;
using espalier::Status;

extern "C" {

size_t espalier_refit_scratch_size(const espalier_part* part) {
    return espalier::refit_scratch_size(from_c<PartView>(part));
}

espalier_status espalier_refit(const espalier_part* part, const float* positions, void* nodes, void* scratch,
                               size_t scratch_size, espalier_part* refitted) {
    if (!part || !refitted) return code(Status::kInvalidArgument);
    PartView view;
    const Status status =
        espalier::refit(from_c<PartView>(part), positions, static_cast<espalier::AabbNode*>(nodes), scratch,
                        scratch_size, &view);
    if (status == Status::kOk) std::memcpy(refitted, static_cast<const void*>(&view), sizeof(view));
    return code(status);
}

}  // extern "C"
