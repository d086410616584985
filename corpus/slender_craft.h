// SPDX-License-Identifier: GPL-3.0-or-later
// Slender craft with four wings: stands for the X-wing of van den Bergen 1998, section 5.
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// Sections and points around a section of each part. The defaults give exactly the paper's 6,084 triangles.
struct SlenderCraftOptions {
    std::uint32_t fuselage_segments = 26;
    std::uint32_t fuselage_sections = 39;  ///< at least 8
    std::uint32_t wing_segments = 14;
    std::uint32_t wing_sections = 15;
    std::uint32_t engine_segments = 12;
    std::uint32_t engine_sections = 15;  ///< at least 10
    std::uint32_t cannon_segments = 9;
    std::uint32_t cannon_sections = 13;  ///< at least 8
};

/// The 13 parts (a fuselage; four wings, engines and cannons), nose along +x, up along +z, 12.5 long. Each is
/// a closed manifold of genus 0 and does not meet itself; wings run into the fuselage, engines into the wings
/// and cannons into the wing tips.
std::vector<NamedMesh> make_slender_craft_parts(const SlenderCraftOptions& options = {});

/// All parts as one mesh of 2 * (fuselage + 4 * (wing + engine + cannon)) triangles, each term segments *
/// sections.
TriangleMesh make_slender_craft(const SlenderCraftOptions& options = {});

}  // namespace espalier::corpus
