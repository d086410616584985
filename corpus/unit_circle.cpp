// SPDX-License-Identifier: GPL-3.0-or-later
// Octant reduction in integers, then the Taylor series of sine and cosine on [0, pi/4].
#include "corpus/unit_circle.h"

#include <utility>

namespace espalier::corpus {
namespace {

constexpr double kEighthTurn = 0.78539816339744830962;  // pi / 4

// Horner form of the series up to x^18: the first term left out is below 2^-60 on [0, pi/4].
double small_cosine(double x) {
    const double y = x * x;
    double sum = 1.0;
    for (int k = 18; k > 0; k -= 2) sum = 1.0 - y / static_cast<double>(k * (k - 1)) * sum;
    return sum;
}

double small_sine(double x) {
    const double y = x * x;
    double sum = 1.0;
    for (int k = 19; k > 1; k -= 2) sum = 1.0 - y / static_cast<double>(k * (k - 1)) * sum;
    return x * sum;
}

}  // namespace

Eigen::Vector2d unit_circle(std::int64_t index, std::int64_t count) {
    index %= count;
    if (index < 0) index += count;
    const std::int64_t octant = 8 * index / count;
    std::int64_t rest = 8 * index % count;
    if (octant % 2 == 1) rest = count - rest;
    const double angle = kEighthTurn * (static_cast<double>(rest) / static_cast<double>(count));
    double x = small_cosine(angle);
    double y = small_sine(angle);
    if (rest == count) y = x;  // the diagonal itself
    if (octant == 1 || octant == 2 || octant == 5 || octant == 6) std::swap(x, y);
    if (octant >= 2 && octant <= 5) x = -x;
    if (octant >= 4) y = -y;
    return {x, y};
}

}  // namespace espalier::corpus
