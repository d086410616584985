// SPDX-License-Identifier: GPL-3.0-or-later
// What a mesh is taken for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace espalier {

/// What counts as inside.
enum class SolidKind : std::uint8_t {
    kClosed,  ///< the surface has no hole: it bounds the solid
    kShell,   ///< the solid is the surface itself: both sides are outside
    kCapped,  ///< holes are filled, for this only: surface and caps bound the solid
};

/// In the order of the file's numbers.
constexpr std::array<std::string_view, 3> enum_names(SolidKind) {
    return {"closed", "shell", "capped"};
}

/// What a mesh is asked to be taken for.
enum class SolidChoice : std::uint8_t {
    kAuto,    ///< closed if it has no hole, capped if its holes are small, else a shell
    kClosed,  ///< refused if it has a hole
    kCapped,  ///< all holes are filled; refused if a surface has one side only
    kShell,   ///< whatever the mesh is
};

constexpr std::array<std::string_view, 4> enum_names(SolidChoice) {
    return {"auto", "closed", "capped", "shell"};
}

/// What a mesh has to be asked for to be `kind`.
constexpr SolidChoice choice_of(SolidKind kind) {
    return kind == SolidKind::kClosed  ? SolidChoice::kClosed
           : kind == SolidKind::kShell ? SolidChoice::kShell
                                       : SolidChoice::kCapped;
}

}  // namespace espalier
