// SPDX-License-Identifier: GPL-3.0-or-later
// Engine bay of many parts: stands for the 40,000-polygon engine compartment of Zachmann 1997, section
// "Applications".
#pragma once

#include "corpus/shape.h"

namespace espalier::corpus {

/// The defaults give 189 parts and 45,596 triangles.
struct EngineBayOptions {
    std::uint32_t segments = 16;  ///< around pipes; every other count grows with it; at least 6
    std::uint64_t seed = 1;       ///< of the routes of hoses and wires
};

/// The parts in metres, forward along x, up along z: block, sump, pipes, radiator fins, fan, belt, spring,
/// brackets, bolts, hoses, wires and panels. Each is a closed
/// manifold that does not meet itself; parts touch and run into each other
/// as badly modelled assemblies do.
std::vector<NamedMesh> make_engine_bay_parts(const EngineBayOptions& options = {});

/// All parts as one mesh: a soup of closed pieces.
TriangleMesh make_engine_bay(const EngineBayOptions& options = {});

}  // namespace espalier::corpus
