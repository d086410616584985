// SPDX-License-Identifier: GPL-3.0-or-later
// Protocols about our own library alone: build (H), load (I), and the counts of van den Bergen's tables.
#pragma once

#include <nlohmann/json.hpp>

#include "bench/harness/library.h"
#include "bench/protocols/protocols.h"

namespace espalier_bench {

/// H: seconds to build the tree on one thread and on all, with the default and with the paper's split, and to
/// write the asset; sizes of both.
nlohmann::json measure_build(const ModelData& model, double limit_seconds);

/// I: from the file to the first answer: map, verify (none, checksum, full), query; with the file's pages
/// dropped from the cache first, and with them there.
nlohmann::json measure_load(const ModelData& model, const Placement& placement);

/// Tables 1 and 2 of van den Bergen 1998: box tests, triangle tests and time for `placements`, by SAT and SAT
/// lite, of the default tree and of the paper's (median split, one triangle a leaf).
nlohmann::json measure_paper_tables(const ModelData& model, const PoseSet& placements);

}  // namespace espalier_bench
