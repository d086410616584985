// SPDX-License-Identifier: GPL-3.0-or-later
// Gathering pieces of the surface.
#include "builder/sphere/coverage/region.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier {

using Eigen::Vector3d;

std::vector<Piece> refine_pieces(const std::vector<Piece>& pieces, double size, std::size_t most) {
    std::vector<Piece> result;
    result.reserve(pieces.size());
    std::vector<Piece> stack;
    std::size_t left = pieces.size();
    for (const Piece& piece : pieces) {
        --left;
        stack.assign(1, piece);
        while (!stack.empty()) {
            const Piece top = stack.back();
            stack.pop_back();
            if (longest_edge_squared(top) <= size * size || result.size() + stack.size() + left >= most) {
                result.push_back(top);
                continue;
            }
            const auto halves = bisect(top);
            stack.push_back(halves[1]);
            stack.push_back(halves[0]);
        }
    }
    return result;
}

std::vector<Piece> pieces_in_ball(const TriangleMesh& mesh, const TriangleBoxes& boxes, const Ball& ball,
                                  double size, double boundary_size, double slack) {
    std::vector<Piece> result;
    std::vector<Piece> stack;
    for (const std::uint32_t t : boxes.near_ball(ball.center, ball.radius + slack)) {
        stack.assign(1, whole_triangle(mesh, t));
        while (!stack.empty()) {
            const Piece top = stack.back();
            stack.pop_back();
            if (piece_outside_ball(top, ball.center, ball.radius + slack)) continue;
            const bool within = piece_in_ball(top, ball.center, ball.radius);
            const double limit = within ? size : boundary_size;
            if (longest_edge_squared(top) <= limit * limit) {
                result.push_back(top);
                continue;
            }
            const auto halves = bisect(top);
            stack.push_back(halves[1]);
            stack.push_back(halves[0]);
        }
    }
    return result;
}

namespace {

/// The nearest float32, as a double. Through volatile memory, because g++ 12 at -O2 drops both conversions
/// where it vectorises them (two coordinates at a time), which would leave the centre unrounded.
double through_float32(double value) {
    volatile float rounded = static_cast<float>(value);
    return rounded;
}

}  // namespace

float round_up(double value) {
    auto rounded = static_cast<float>(value);
    if (static_cast<double>(rounded) < value)
        rounded = std::nextafter(rounded, std::numeric_limits<float>::infinity());
    return rounded;
}

Ball round_outward(const Ball& ball, double slack) {
    Ball result;
    for (int axis = 0; axis < 3; ++axis) result.center[axis] = through_float32(ball.center[axis]);
    const double needed = (ball.radius + (result.center - ball.center).norm()) * (1.0 + 1e-12) + 2.0 * slack;
    result.radius = double(round_up(needed));
    return result;
}

}  // namespace espalier
