// SPDX-License-Identifier: GPL-3.0-or-later
// What was done to all shapes of a body together.
#pragma once

#include <vector>

#include "builder/bake.h"

namespace espalier {

/// Fills `sanitize` and `trees` of a report from its shapes; `noticed` are the findings of the body.
void add_totals(const std::vector<Finding>& noticed, BakeReport& report);

}  // namespace espalier
