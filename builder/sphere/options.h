// SPDX-License-Identifier: GPL-3.0-or-later
// How a sphere tree is built.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "builder/surface/solid_kind.h"

namespace espalier {

struct TreeRequest;

/// How the spheres of a level are found.
enum class SphereMethod : std::uint8_t {
    kBest,     ///< spheres that cover the surface together with little outside volume and error
    kHubbard,  ///< merging of medial spheres, Hubbard 1996, section 5
    kOctree,   ///< circumscribed spheres of occupied octants, Hubbard 1996, section 4.1: the baseline
};

constexpr std::array<std::string_view, 3> enum_names(SphereMethod) {
    return {"best", "hubbard", "octree"};
}

/// What the spheres of a level promise to cover (Hubbard 1996, section 6.1).
enum class CoveragePolicy : std::uint8_t {
    kFull,     ///< children, own and shared ones, cover every part of the surface that their parent covers;
               ///< and what kLevel says
    kLevel,    ///< every level covers the whole surface, and each surface point has a covering path from the
               ///< root through own children
    kSampled,  ///< children cover sample points of what their parent covers; nothing is proved
};

constexpr std::array<std::string_view, 3> enum_names(CoveragePolicy) {
    return {"full", "level", "sampled"};
}

/// How long the default method looks for tight spheres. The promises are the same.
enum class SphereEffort : std::uint8_t {
    kFast,    ///< a fraction of a second for 64 spheres
    kNormal,  ///< seconds
    kBest,    ///< slow: more than that gains less than luck does
};

constexpr std::array<std::string_view, 3> enum_names(SphereEffort) {
    return {"fast", "normal", "best"};
}

/// Which limit ended the refinement.
enum class SphereLimit : std::uint8_t {
    kCount,  ///< all levels (or all spheres of a flat set) were used, and `max_error` was not reached
    kError,  ///< `max_error` was reached
};

constexpr std::array<std::string_view, 2> enum_names(SphereLimit) {
    return {"count", "error"};
}

/// How a sphere tree is built.
struct SphereTreeOptions {
    SphereMethod method = SphereMethod::kBest;        ///< how the spheres are found
    CoveragePolicy coverage = CoveragePolicy::kFull;  ///< what was promised
    /// Children of a sphere, 2..65535: level l has at most branch^l spheres. The default method gives some
    /// spheres up to six times as many and others as few as one, where that helps; the octree always uses 8.
    std::uint32_t branch = 8;
    std::uint32_t levels = 4;  ///< levels, the root's included, 1..16; 2 gives a flat set of `branch` spheres
    /// 0, or a flat set of this many spheres below the root, 2..65535, whatever `branch` and `levels` are.
    std::uint32_t spheres = 0;
    double max_error =
        0.0;  ///< stop where every error is at most this (units of the mesh); 0: use all levels
    double max_error_share = 0.0;  ///< the same as a share of the bounding box's diagonal; the smaller holds
    /// Every point of the surface lies within this of the spheres of each level (units of the mesh); 0: in
    /// them
    double gap = 0.0;
    double gap_share = 0.0;     ///< the same as a share of the bounding box's diagonal; the smaller holds
    bool dag = false;           ///< build each level for itself and let parents share children
    bool cover_volume = false;  ///< the leaves also cover the inside of the solid
    SolidChoice solid = SolidChoice::kAuto;  ///< what errors and volumes count from
    std::uint32_t samples = 0;  ///< Hubbard: surface samples of the medial set; 0: as the tree needs
    SphereEffort effort = SphereEffort::kNormal;     ///< of the default method
    std::size_t max_spheres = std::size_t(1) << 22;  ///< refuse to build more
};

/// A sphere tree for BakeOptions::trees (builder/bake.h).
TreeRequest sphere_tree(const SphereTreeOptions& options = {});

}  // namespace espalier
