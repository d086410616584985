// SPDX-License-Identifier: GPL-3.0-or-later
// Torus: a circle revolved about the z axis.
#include "corpus/torus.h"

#include "corpus/loft.h"
#include "corpus/unit_circle.h"

namespace espalier::corpus {

TriangleMesh make_torus(const TorusOptions& options) {
    Profile tube;
    for (std::uint32_t i = 0; i < options.minor_segments; ++i) {
        const Eigen::Vector2d c = unit_circle(i, options.minor_segments);
        tube.emplace_back(options.minor_radius * c.y(), options.major_radius + options.minor_radius * c.x());
    }
    return rounded(revolve_ring(tube, options.major_segments));
}

}  // namespace espalier::corpus
