// SPDX-License-Identifier: GPL-3.0-or-later
// The four hierarchies by their names on the command line.
#pragma once

#include <string>
#include <vector>

namespace espalier::tools {

/// All names, in the order of the help.
inline const std::vector<std::string>& tree_names() {
    static const std::vector<std::string> names = {"sphere", "box", "cell", "aabb"};
    return names;
}

}  // namespace espalier::tools
