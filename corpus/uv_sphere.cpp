// SPDX-License-Identifier: GPL-3.0-or-later
// Sphere of latitude and longitude: a half circle revolved about the z axis.
#include "corpus/uv_sphere.h"

#include "corpus/loft.h"
#include "corpus/unit_circle.h"

namespace espalier::corpus {

TriangleMesh make_uv_sphere(const UvSphereOptions& options) {
    Profile meridian;
    for (std::uint32_t i = 0; i <= options.latitudes; ++i) {
        const Eigen::Vector2d c = unit_circle(i, 2 * std::int64_t{options.latitudes});
        meridian.emplace_back(-options.radius * c.x(), options.radius * c.y());
    }
    return rounded(revolve(meridian, options.longitudes));
}

}  // namespace espalier::corpus
