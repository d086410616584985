// SPDX-License-Identifier: GPL-3.0-or-later
// Generalized winding number of a triangle soup (Jacobson et al. 2013), evaluated hierarchically by the
// expansion of Barill et al. 2018, "Fast Winding Numbers for Soups and Clouds".
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "builder/surface/compact_triangles.h"
#include "builder/surface/triangle_mesh.h"

namespace espalier {

/// Signed solid angle of the triangle abc seen from the origin, divided by 4 pi. Positive when the origin
/// sees the back of a counter-clockwise triangle (is inside). Uses no library trigonometry, so that every
/// platform agrees.
double solid_angle_fraction(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c);

/// About 1 inside a closed surface with outward normals, about 0 outside, in between near holes.
/// Evaluation takes O(log n), does not allocate and may run on many threads at once.
class WindingNumber {
  public:
    /// Copies what it needs. `accuracy` is how many node radii away a node's expansion replaces its
    /// triangles: 2 gives errors of about 0.01, larger is slower and more exact.
    explicit WindingNumber(const TriangleMesh& mesh, double accuracy = 2.5);

    double operator()(const Eigen::Vector3d& point) const;

  private:
    struct Node {
        Eigen::Vector3d centre;  ///< area-weighted centroid
        Eigen::Vector3d dipole;  ///< sum of area vectors
        Eigen::Matrix3d moment;  ///< sum of area vector times offset from the centre
        double radius;           ///< of the ball around `centre` that holds every corner below the node
        std::uint32_t first;     ///< the leaf, or the right child (the left one follows the node)
        bool leaf;
    };
    /// Triangles in a leaf, which are evaluated together: one AVX-512 vector of each coordinate, two of AVX2.
    /// More waste work near a leaf, fewer make the tree larger; sums, and so the last bits of answers, depend
    /// on it.
    static constexpr std::size_t kLanes = 8;
    /// Up to eight triangles: coordinates by corner, side by side.
    struct Leaf {
        double x[3][kLanes];
        double y[3][kLanes];
        double z[3][kLanes];
    };

    static void expand(Node& node, std::span<const CornerPoints> triangles);
    static Leaf leaf_of(std::span<const CornerPoints> triangles);
    static double fraction_of(const Leaf& leaf, const Eigen::Vector3d& point);

    double accuracy_;
    std::vector<Node> nodes_;
    std::vector<Leaf> leaves_;
};

}  // namespace espalier
