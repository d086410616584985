// SPDX-License-Identifier: GPL-3.0-or-later
// Assets with parts made by hand: a new root in front of the bytes of an asset that has shapes only, so that
// the runtime is tested apart from the builder's reading of scenes and robots.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/part.h"

namespace espalier::testing {

/// What 2.0 puts beside the shapes, as it is to be stored, whether it is right or not.
struct HandParts {
    std::vector<PartNode> parts;
    std::vector<std::string> names;
    std::vector<PartPair> pairs;

    /// Adds a part with a name of its own and returns its number.
    std::uint32_t add(std::string name, const PartNode& part);
};

/// The shapes of `shapes` (the bytes of a whole asset) with these parts; empty vectors are left out. Size and
/// checksum are right.
std::vector<std::uint8_t> with_parts(std::span<const std::uint8_t> shapes, const HandParts& parts);

/// A part with a shape: at rest at a place in its parent's frame, with a joint about an axis (normalised
/// here).
PartNode hand_part(std::uint32_t shape, std::uint32_t parent, std::array<double, 3> at,
                   Joint joint = Joint::kFixed, std::array<double, 3> axis = {0, 0, 0});

}  // namespace espalier::testing
