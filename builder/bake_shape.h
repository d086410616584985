// SPDX-License-Identifier: GPL-3.0-or-later
// One shape of a body: cleaned, and its hierarchies built.
#pragma once

#include <functional>

#include "builder/asset/write_asset.h"
#include "builder/bake.h"

namespace espalier {

/// A shape ready to be written, and what was done to it.
struct BakedShapeReport {
    BakedShape shape;    ///< nothing in it if the report says that it vanished
    ShapeReport report;  ///< for the user
};

/// Fails as bake_body does; messages do not name the shape.
Result<BakedShapeReport> bake_shape(const BodyShape& shape, const BakeOptions& options, HierarchyRows list,
                                    Progress& progress);

/// What every stage of a bake fails with when progress was cancelled.
Error cancelled_bake();

/// How long `work` takes.
double seconds_of(const std::function<void()>& work);

/// The request of a hierarchy, or null.
const TreeRequest* request_of(std::span<const TreeRequest> trees, const Hierarchy& row);

/// Which trees, and all their options, by their names on the command line, as the asset records them.
std::vector<std::pair<std::string, std::string>> recorded_trees(std::span<const TreeRequest> requests,
                                                                HierarchyRows list);

}  // namespace espalier
