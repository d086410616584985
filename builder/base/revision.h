// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace espalier {

/// Changes whenever the same input and options bake to other bytes.
constexpr std::uint32_t kBuilderRevision = 11;

}  // namespace espalier
