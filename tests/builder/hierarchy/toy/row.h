// SPDX-License-Identifier: GPL-3.0-or-later
// A fifth hierarchy that only the tests know: a plain list of triangles, sorted along an axis. It shows what
// a hierarchy must give to be baked, dumped, checked, viewed and queried: a row, and a line in a list of
// rows.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "builder/hierarchies.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier::test {

enum class ToyAxis : std::uint8_t { kX, kY, kZ };

constexpr std::array<std::string_view, 3> enum_names(ToyAxis) {
    return {"x", "y", "z"};
}

struct ToyOptions {
    ToyAxis axis = ToyAxis::kY;
    std::uint32_t page = 16;  ///< triangles that a level of the description counts together
};

extern const Hierarchy kToyHierarchy;

TreeRequest toy_tree(const ToyOptions& options = {});

/// The field of a part that holds the list: one that no schema has, so every reader passes over it.
constexpr std::uint16_t kToyField = 4 + 2 * 60;

/// All hierarchies and the toy.
HierarchyRows with_toy();

}  // namespace espalier::test
