// SPDX-License-Identifier: GPL-3.0-or-later
// Lists of poses: one "qw qx qy qz tx ty tz" a line (tools/io/number_lines.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "builder/base/result.h"
#include "espalier/pose.h"

namespace espalier::tools {

struct ListedPose {
    Pose pose;
    std::size_t line = 0;  ///< from 1
};

/// Parses the text of a list. Quaternions need not be of unit length. Fails with kInvalidInput, naming the
/// line: not seven finite numbers, a quaternion of zero length; or no pose at all.
Result<std::vector<ListedPose>> parse_poses(std::string_view text);

/// Reads the list in the file at `path`, or on standard input for "-". Throws Failure.
std::vector<ListedPose> read_poses(const std::string& path);

}  // namespace espalier::tools
