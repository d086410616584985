// SPDX-License-Identifier: MIT
// Forward kinematics.
#include "espalier/kinematics.h"

#include "convert.h"
#include "espalier/espalier_body.h"

using namespace espalier::c_api;
using espalier::Asset;
using espalier::BeyondLimits;
using espalier::Pose;
using espalier::Status;

namespace {

static_assert(sizeof(BeyondLimits) == sizeof(espalier_beyond_limits) &&
                  offsetof(BeyondLimits, most) == offsetof(espalier_beyond_limits, most) &&
                  offsetof(Pose, scale) == offsetof(espalier_pose, scale),
              "the C structs mirror the C++ ones");

}  // namespace

extern "C" {

espalier_sine_cosine espalier_get_sine_cosine(double angle) {
    return to_c<espalier_sine_cosine>(espalier::sine_cosine(angle));
}

uint32_t espalier_configuration_size(const espalier_asset* asset) {
    return espalier::configuration_size(from_c<Asset>(asset));
}

espalier_status espalier_rest_configuration(const espalier_asset* asset, double* values, uint32_t count) {
    return code(espalier::rest_configuration(from_c<Asset>(asset), values, count));
}

espalier_status espalier_forward_kinematics(const espalier_asset* asset, const espalier_pose* base,
                                            const double* values, uint32_t value_count, espalier_pose* poses,
                                            uint32_t pose_count, espalier_beyond_limits* beyond) {
    if (!asset || !base) return code(Status::kInvalidArgument);
    BeyondLimits found;
    // Poses are doubles alone and laid out alike, so that they are written where they are.
    const Status status =
        espalier::forward_kinematics(from_c<Asset>(asset), from_c<Pose>(base), values, value_count,
                                     reinterpret_cast<Pose*>(poses), pose_count, &found);
    if (status == Status::kOk && beyond) *beyond = to_c<espalier_beyond_limits>(found);
    return code(status);
}

}  // extern "C"
