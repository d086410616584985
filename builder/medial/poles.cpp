// SPDX-License-Identifier: GPL-3.0-or-later
// Poles and thickness.
#include "builder/medial/poles.h"

#include <tbb/parallel_for.h>

#include <limits>

namespace espalier {

using Eigen::Vector3d;

std::vector<std::uint32_t> poles_of(const MedialSet& set) {
    std::vector<std::uint32_t> poles(set.samples.size(), 0);
    std::vector<double> radius(set.samples.size(), -1.0);
    for (std::uint32_t b = 0; b < set.balls.size(); ++b) {
        for (const std::uint32_t s : set.balls[b].forming) {
            if (set.balls[b].radius > radius[s]) {
                radius[s] = set.balls[b].radius;
                poles[s] = b;
            }
        }
    }
    return poles;
}

std::vector<float> thickness_by_triangle(const TriangleMesh& mesh, const MedialSet& set,
                                         const std::vector<std::uint32_t>& poles) {
    std::vector<double> sum(mesh.triangles.size(), 0.0);
    std::vector<std::uint32_t> count(mesh.triangles.size(), 0);
    for (std::size_t s = 0; s < set.samples.size(); ++s) {
        sum[set.samples[s].triangle] += set.balls[poles[s]].radius;
        ++count[set.samples[s].triangle];
    }
    std::vector<float> thickness(mesh.triangles.size());
    tbb::parallel_for(std::uint32_t(0), static_cast<std::uint32_t>(thickness.size()), [&](std::uint32_t t) {
        if (count[t] > 0) {
            thickness[t] = static_cast<float>(sum[t] / count[t]);
            return;
        }
        const Vector3d middle = (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2)) / 3.0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t s = 0; s < set.samples.size(); ++s) {
            const double squared = (set.samples[s].point - middle).squaredNorm();
            if (squared < least) {
                least = squared;
                thickness[t] = static_cast<float>(set.balls[poles[s]].radius);
            }
        }
    });
    return thickness;
}

}  // namespace espalier
