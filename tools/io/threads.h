// SPDX-License-Identifier: GPL-3.0-or-later
// How many threads can be had.
#pragma once

#include <cstddef>

namespace espalier::tools {

/// Up to `wanted`, and as many as the system lets run at once, this one among them: at least 1. A limit of
/// processes or memory would otherwise end the work when it asks for a thread that it can do without.
std::size_t threads_to_be_had(std::size_t wanted);

}  // namespace espalier::tools
