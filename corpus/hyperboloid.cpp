// SPDX-License-Identifier: GPL-3.0-or-later
// Hyperboloid of one sheet, r^2 = waist^2 + (end^2 - waist^2) (2z / height)^2, with flat ends.
#include "corpus/hyperboloid.h"

#include <cmath>

#include "corpus/loft.h"

namespace espalier::corpus {

TriangleMesh make_hyperboloid(const HyperboloidOptions& options) {
    const double half = options.height / 2.0;
    const double waist = options.waist_radius * options.waist_radius;
    const double end = options.end_radius * options.end_radius;
    Profile profile;
    for (std::uint32_t i = 0; i < options.cap_bands; ++i)
        profile.emplace_back(-half, options.end_radius * (double(i) / double(options.cap_bands)));
    for (std::uint32_t i = 0; i <= options.height_bands; ++i) {
        const double t = 2.0 * double(i) / double(options.height_bands) - 1.0;
        profile.emplace_back(half * t, std::sqrt(waist + (end - waist) * t * t));
    }
    for (std::uint32_t i = options.cap_bands; i-- > 0;)
        profile.emplace_back(half, options.end_radius * (double(i) / double(options.cap_bands)));
    return rounded(revolve(profile, options.segments));
}

}  // namespace espalier::corpus
