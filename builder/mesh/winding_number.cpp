// SPDX-License-Identifier: GPL-3.0-or-later
// Generalized winding number: bounding hierarchy with a dipole and its first moment in every node (Barill et
// al. 2018, section 3); solid angles by Van Oosterom and Strackee 1983.
#include "builder/mesh/winding_number.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace espalier {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr std::uint32_t kLeafTriangles = 8;
constexpr double kPi = 3.14159265358979323846;

// Arc tangent on [0, 1], error below 2e-8: argument reduction by the half angle, then the Taylor series.
double arctan_unit(double x) {
    // atan x = 2 atan(x / (1 + sqrt(1 + x^2))), twice, leaves |x| < 0.2.
    for (int i = 0; i < 2; ++i) {
        x = x / (1.0 + std::sqrt(1.0 + x * x));
    }
    const double s = x * x;
    return 4.0 * x *
           (1.0 - s * (1.0 / 3 - s * (1.0 / 5 - s * (1.0 / 7 - s * (1.0 / 9 - s * (1.0 / 11 - s / 13))))));
}

double arctan2(double y, double x) {
    const double ay = std::fabs(y);
    const double ax = std::fabs(x);
    if (ax == 0.0 && ay == 0.0) {
        return 0.0;
    }
    double angle = ay <= ax ? arctan_unit(ay / ax) : kPi / 2 - arctan_unit(ax / ay);
    if (x < 0.0) {
        angle = kPi - angle;
    }
    return y < 0.0 ? -angle : angle;
}

}  // namespace

double solid_angle_fraction(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
    const double la = a.norm();
    const double lb = b.norm();
    const double lc = c.norm();
    const double volume = a.dot(b.cross(c));
    const double denominator = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    return arctan2(volume, denominator) / (2.0 * kPi);
}

WindingNumber::WindingNumber(const TriangleMesh& mesh, double accuracy) : accuracy_(accuracy) {
    // Long slivers would be near every point.
    const std::vector<CornerPoints> triangles = blunt_triangles(mesh);
    const auto count = static_cast<std::uint32_t>(triangles.size());
    std::vector<std::uint32_t> order(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        order[i] = i;
    }
    corners_.resize(count);
    nodes_.reserve(2 * (count / kLeafTriangles + 1));
    build(order, 0, count, triangles);
}

std::uint32_t WindingNumber::build(std::vector<std::uint32_t>& order, std::uint32_t begin, std::uint32_t end,
                                   const std::vector<CornerPoints>& triangles) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
    const auto centroid = [&](std::uint32_t t, int axis) {
        return triangles[t][0][axis] + triangles[t][1][axis] + triangles[t][2][axis];
    };
    if (end - begin <= kLeafTriangles) {
        for (std::uint32_t i = begin; i < end; ++i) {
            corners_[i] = triangles[order[i]];
        }
        nodes_[index].first = begin;
        nodes_[index].count = end - begin;
    } else {
        Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
        Vector3d high = -low;
        for (std::uint32_t i = begin; i < end; ++i) {
            for (int axis = 0; axis < 3; ++axis) {
                low[axis] = std::min(low[axis], centroid(order[i], axis));
                high[axis] = std::max(high[axis], centroid(order[i], axis));
            }
        }
        int axis = 0;
        (high - low).maxCoeff(&axis);
        const std::uint32_t middle = begin + (end - begin) / 2;
        std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end,
                         [&](std::uint32_t a, std::uint32_t b) {
                             const double ca = centroid(a, axis);
                             const double cb = centroid(b, axis);
                             return ca < cb || (ca == cb && a < b);
                         });
        // The order within a half depends on the library's nth_element; index order makes sums reproducible.
        std::sort(order.begin() + begin, order.begin() + middle);
        std::sort(order.begin() + middle, order.begin() + end);
        build(order, begin, middle, triangles);
        const std::uint32_t right = build(order, middle, end, triangles);
        nodes_[index].first = right;
        nodes_[index].count = 0;
    }
    expand(nodes_[index], begin, end);
    return index;
}

void WindingNumber::expand(Node& node, std::uint32_t begin, std::uint32_t end) const {
    node.centre.setZero();
    node.dipole.setZero();
    node.moment.setZero();
    double area = 0.0;
    for (std::uint32_t i = begin; i < end; ++i) {
        const auto& t = corners_[i];
        const Vector3d vector = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]);
        const double weight = vector.norm();
        area += weight;
        node.centre += weight * (t[0] + t[1] + t[2]) / 3.0;
        node.dipole += vector;
    }
    node.centre = area > 0.0 ? Vector3d(node.centre / area) : corners_[begin][0];
    double radius_squared = 0.0;
    for (std::uint32_t i = begin; i < end; ++i) {
        const auto& t = corners_[i];
        const Vector3d vector = 0.5 * (t[1] - t[0]).cross(t[2] - t[0]);
        node.moment += vector * ((t[0] + t[1] + t[2]) / 3.0 - node.centre).transpose();
        for (const Vector3d& corner : t) {
            radius_squared = std::max(radius_squared, (corner - node.centre).squaredNorm());
        }
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
        const double reach = accuracy_ * node.radius;
        if (squared > reach * reach) {
            const double inverse = 1.0 / std::sqrt(squared);
            const double cubed = inverse * inverse * inverse;
            const double first = node.dipole.dot(d) * cubed;
            const double second =
                (node.moment.trace() - 3.0 * d.dot(node.moment * d) * inverse * inverse) * cubed;
            sum += (first + second) / (4.0 * kPi);
        } else if (node.count > 0) {
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                const auto& t = corners_[i];
                sum += solid_angle_fraction(t[0] - point, t[1] - point, t[2] - point);
            }
        } else {
            stack[depth++] = node.first;
            stack[depth++] = index + 1;
        }
    }
    return sum;
}

}  // namespace espalier
