// SPDX-License-Identifier: GPL-3.0-or-later
// A floating-point filter (Shewchuk 1997, section 2.2) before CGAL's exact predicate.
#include "builder/clean/degenerate.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <cmath>
#include <limits>

namespace espalier {
namespace {

// Whether u x v - w x z certainly differs from 0. Each difference of coordinates has a relative error of at
// most e (half an ulp of 1), each product of two at most 3e + o(e), their difference one more of the
// products' sum; 8e covers it. Products of float32 differences neither overflow nor underflow in double.
bool certainly_not_equal(double u, double v, double w, double z) {
    const double p = u * v, q = w * z;
    constexpr double kError = 8 * std::numeric_limits<double>::epsilon() / 2;
    return std::abs(p - q) > kError * (std::abs(p) + std::abs(q));
}

}  // namespace

bool is_degenerate(const Eigen::Vector3f& a, const Eigen::Vector3f& b, const Eigen::Vector3f& c) {
    const Eigen::Vector3d u = b.cast<double>() - a.cast<double>();
    const Eigen::Vector3d v = c.cast<double>() - a.cast<double>();
    for (int x = 0; x < 3; ++x) {
        const int y = (x + 1) % 3;
        if (certainly_not_equal(u[x], v[y], u[y], v[x])) return false;
    }
    using Point = CGAL::Exact_predicates_inexact_constructions_kernel::Point_3;
    const auto point = [](const Eigen::Vector3f& p) { return Point(p[0], p[1], p[2]); };
    return CGAL::collinear(point(a), point(b), point(c));
}

}  // namespace espalier
