// SPDX-License-Identifier: MIT
// The governor.
#include "espalier/frame_governor.h"

#include "object.h"

using namespace espalier::c_api;
using espalier::Budget;
using espalier::FrameGovernor;
using espalier::GovernorOptions;
using espalier::Status;

namespace {

/// A governor with the budget that C sees.
struct CGovernor {
    FrameGovernor governor;
    Budget budget;
};

}  // namespace

extern "C" {

espalier_governor_options espalier_governor_options_default(uint64_t target) {
    GovernorOptions options;
    options.target = target;
    return to_c<espalier_governor_options>(options);
}

espalier_status espalier_governor_begin(espalier_governor* governor, const espalier_governor_options* options,
                                        uint64_t (*now)(void* user), void* user) {
    if (!governor || !options) return code(Status::kInvalidArgument);
    return code(made<CGovernor>(governor)->governor.begin(from_c<GovernorOptions>(options), now, user));
}

void espalier_governor_start_frame(espalier_governor* governor) {
    inside<CGovernor>(governor)->governor.start_frame();
}

espalier_budget espalier_governor_start_detection(espalier_governor* governor, uint64_t node_tests) {
    auto* own = inside<CGovernor>(governor);
    own->budget = own->governor.start_detection(node_tests);
    return budget_to_c(&own->budget);
}

void espalier_governor_end_detection(espalier_governor* governor) {
    inside<CGovernor>(governor)->governor.end_detection();
}

espalier_frame_report espalier_governor_end_frame(espalier_governor* governor) {
    return to_c<espalier_frame_report>(inside<CGovernor>(governor)->governor.end_frame());
}

uint64_t espalier_governor_predicted_rest(const espalier_governor* governor) {
    return inside<CGovernor>(governor)->governor.predicted_rest();
}

uint64_t espalier_governor_remaining(const espalier_governor* governor) {
    return inside<CGovernor>(governor)->governor.remaining();
}

}  // extern "C"
