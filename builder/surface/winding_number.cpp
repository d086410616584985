// SPDX-License-Identifier: GPL-3.0-or-later
// Generalized winding number: bounding hierarchy with a dipole and its first moment in every node (Barill et
// al. 2018, section 3); solid angles by Van Oosterom and Strackee 1983.
#include "builder/surface/winding_number.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "builder/surface/median_tree.h"

namespace espalier {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kPi = 3.14159265358979323846;

// Arc tangent for |x| <= tan(pi / 8), error below 1e-10: the Taylor series, in three parts so that not every
// product waits for the one before.
inline double arctan_small(double x) {
    const double s = x * x;
    const double s4 = (s * s) * (s * s);
    const double low = (1.0 - s * (1.0 / 3)) + s * s * (1.0 / 5 - s * (1.0 / 7));
    const double middle = (1.0 / 9 - s * (1.0 / 11)) + s * s * (1.0 / 13 - s * (1.0 / 15));
    const double high = (1.0 / 17 - s * (1.0 / 19)) + s * s * (1.0 / 21 - s * (1.0 / 23));
    return x * (low + s4 * (middle + s4 * high));
}

// The angle of (x, y), by one division and without branches: turned into the first octant, and back by an
// eighth where it is in the upper half of that.
inline double arctan2(double y, double x) {
    constexpr double kTanEighth = 0.41421356237309503;
    const double ay = std::fabs(y);
    const double ax = std::fabs(x);
    const double most = ax > ay ? ax : ay;
    const double least = ax > ay ? ay : ax;
    const bool upper = least > kTanEighth * most;
    const double over = upper ? least - most : least;
    const double under = upper ? least + most : most;
    const double small = arctan_small(over / (under > 0.0 ? under : 1.0)) + (upper ? kPi / 4 : 0.0);
    const double octant = ax < ay ? kPi / 2 - small : small;
    const double half = x < 0.0 ? kPi - octant : octant;
    return y < 0.0 ? -half : half;
}

/// One corner relative to the point it is seen from.
struct Arm {
    double x;
    double y;
    double z;
};

inline double dot(const Arm& a, const Arm& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

inline double fraction(const Arm& a, const Arm& b, const Arm& c) {
    const double la = std::sqrt(dot(a, a));
    const double lb = std::sqrt(dot(b, b));
    const double lc = std::sqrt(dot(c, c));
    const Arm cross = {b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x};
    const double denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return arctan2(dot(a, cross), denominator) * (1.0 / (2.0 * kPi));
}

}  // namespace

double solid_angle_fraction(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    return fraction({a.x(), a.y(), a.z()}, {b.x(), b.y(), b.z()}, {c.x(), c.y(), c.z()});
}

WindingNumber::WindingNumber(const TriangleMesh& mesh, double accuracy) : accuracy_(accuracy) {
    // Long slivers would be near every point.
    const std::vector<CornerPoints> triangles = compact_triangles(mesh);
    const auto centroid = [&](std::uint32_t t, int axis) {
        return triangles[t][0][axis] + triangles[t][1][axis] + triangles[t][2][axis];
    };
    const auto widest = [&](std::span<const std::uint32_t> items) {
        Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
        Vector3d high = -low;
        for (const std::uint32_t t : items) {
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], centroid(t, axis));
                high[axis] = std::max(high[axis], centroid(t, axis));
            }
        }
        int axis = 0;
        (high - low).maxCoeff(&axis);
        return axis;
    };
    const MedianTree tree = MedianTreeBuilder(kLanes, MedianOrder::kByNumber, centroid, widest)
                                .build(static_cast<std::uint32_t>(triangles.size()));
    std::vector<CornerPoints> sorted;
    sorted.reserve(triangles.size());
    for (const std::uint32_t t : tree.order) sorted.push_back(triangles[t]);
    nodes_.resize(tree.nodes.size());
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const MedianNode& node = tree.nodes[n];
        const std::span<const CornerPoints> below =
            std::span(sorted).subspan(node.begin, node.end - node.begin);
        nodes_[n].leaf = node.leaf();
        nodes_[n].first = node.leaf() ? static_cast<std::uint32_t>(leaves_.size()) : node.right;
        if (node.leaf()) leaves_.push_back(leaf_of(below));
        expand(nodes_[n], below);
    }
}

/// Lanes without a triangle get one whose corners coincide.
WindingNumber::Leaf WindingNumber::leaf_of(std::span<const CornerPoints> triangles) {
    Leaf leaf;
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3d& p = lane < triangles.size() ? triangles[lane][i] : triangles[0][0];
            leaf.x[i][lane] = p.x();
            leaf.y[i][lane] = p.y();
            leaf.z[i][lane] = p.z();
        }
    }
    return leaf;
}

double WindingNumber::fraction_of(const Leaf& leaf, const Vector3d& point) {
    const Arm p = {point.x(), point.y(), point.z()};
    double part[kLanes];
    for (std::size_t l = 0; l < kLanes; ++l) {
        part[l] = fraction({leaf.x[0][l] - p.x, leaf.y[0][l] - p.y, leaf.z[0][l] - p.z},
                           {leaf.x[1][l] - p.x, leaf.y[1][l] - p.y, leaf.z[1][l] - p.z},
                           {leaf.x[2][l] - p.x, leaf.y[2][l] - p.y, leaf.z[2][l] - p.z});
    }
    double sum = 0.0;
    for (std::size_t l = 0; l < kLanes; ++l) sum += part[l];
    return sum;
}

void WindingNumber::expand(Node& node, std::span<const CornerPoints> triangles) {
    node.centre.setZero();
    node.dipole.setZero();
    node.moment.setZero();
    double area = 0.0;
    for (const CornerPoints& t : triangles) {
        const Vector3d vector = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]);
        const double weight = vector.norm();
        area += weight;
        node.centre += weight * (t[0] + t[1] + t[2]) / 3.0;
        node.dipole += vector;
    }
    node.centre = area > 0.0 ? Vector3d(node.centre / area) : triangles[0][0];
    double radius_squared = 0.0;
    for (const CornerPoints& t : triangles) {
        const Vector3d vector = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]);
        node.moment += vector * ((t[0] + t[1] + t[2]) / 3.0 - node.centre).transpose();
        for (const Vector3d& corner : t)
            radius_squared = std::max(radius_squared, (corner - node.centre).squaredNorm());
    }
    node.radius = std::sqrt(radius_squared);
}

double WindingNumber::operator()(const Vector3d& point) const {
    std::array<std::uint32_t, 64> stack;
    std::size_t depth = 0;
    stack[depth++] = 0;
    double sum = 0.0;
    while (depth > 0) {
        const std::uint32_t index = stack[--depth];
        const Node& node = nodes_[index];
        const Vector3d d = node.centre - point;
        const double squared = d.squaredNorm();
        const double near = accuracy_ * node.radius;
        if (squared > near * near) {
            const double inverse = 1.0 / std::sqrt(squared);
            const double cubed = inverse * inverse * inverse;
            const double first = node.dipole.dot(d) * cubed;
            const double second =
                (node.moment.trace() - 3.0 * d.dot(node.moment * d) * inverse * inverse) * cubed;
            sum += (first + second) / (4.0 * kPi);
        } else if (node.leaf) {
            sum += fraction_of(leaves_[node.first], point);
        } else {
            stack[depth++] = node.first;
            stack[depth++] = index + 1;
        }
    }
    return sum;
}

}  // namespace espalier
