// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of configurations: the values of a body's joints, one configuration a line (tools/io/number_lines.h).
#pragma once

#include <string>
#include <vector>

#include "builder/asset/asset_body.h"
#include "tools/io/asset_file.h"
#include "tools/io/number_lines.h"

namespace espalier::tools {

/// What to do with a configuration beyond the limits of its joints.
enum class BeyondLimitsIs {
    kWarning,  ///< said on stderr; the parts are placed all the same
    kFailure,  ///< Failure (kNotSafe)
};

/// Reads the list in the file at `path`, or on standard input for "-", and tries every configuration on the
/// body. Throws Failure: what cannot be read, a wrong count, what is no number or no rotation, naming the
/// line; an asset without joints.
/// @param body of the asset; it is in the last configuration afterwards
std::vector<NumberLine> read_configurations(const std::string& path, const AssetFile& asset, AssetBody& body,
                                            BeyondLimitsIs beyond);

}  // namespace espalier::tools
