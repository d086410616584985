// SPDX-License-Identifier: GPL-3.0-or-later
// The pose sets of a model, kept in a file: finding placements at prescribed gaps takes a while.
#pragma once

#include <filesystem>

#include "bench/harness/model.h"
#include "bench/protocols/protocols.h"

namespace espalier_bench {

/// The sets that a model is measured with, read from `file` or made and written there. The first is A.
/// Models of the scaling series get A and C only.
std::vector<PoseSet> pose_sets(const ModelSource& source, const ModelData& model, Library& reference,
                               const Sizes& sizes, const std::filesystem::path& file);

}  // namespace espalier_bench
