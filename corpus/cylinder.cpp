// SPDX-License-Identifier: GPL-3.0-or-later
// Cylinder with flat ends: half a rectangle revolved about the z axis.
#include "corpus/cylinder.h"

#include "corpus/loft.h"

namespace espalier::corpus {

TriangleMesh make_cylinder(const CylinderOptions& options) {
    const double half = options.height / 2.0;
    Profile profile;
    for (std::uint32_t i = 0; i < options.cap_bands; ++i)
        profile.emplace_back(-half, options.radius * (double(i) / double(options.cap_bands)));
    for (std::uint32_t i = 0; i <= options.height_bands; ++i)
        profile.emplace_back(options.height * (double(i) / double(options.height_bands)) - half,
                             options.radius);
    for (std::uint32_t i = options.cap_bands; i-- > 0;)
        profile.emplace_back(half, options.radius * (double(i) / double(options.cap_bands)));
    return rounded(revolve(profile, options.segments));
}

}  // namespace espalier::corpus
