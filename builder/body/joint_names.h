// SPDX-License-Identifier: GPL-3.0-or-later
// The names of joints' types and of reasons of pairs, as reports have them (builder/base/names.h).
#pragma once

#include <array>
#include <string_view>

#include "builder/base/names.h"
#include "espalier/part.h"

namespace espalier {

/// As in robot descriptions.
constexpr std::array<std::string_view, 5> enum_names(Joint) {
    return {"fixed", "revolute", "continuous", "prismatic", "free"};
}

/// As in the schema.
constexpr std::array<std::string_view, 5> enum_names(PairReason) {
    return {"adjacent", "default", "always", "never", "user"};
}

}  // namespace espalier
