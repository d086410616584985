// SPDX-License-Identifier: MIT
#include "pair_frame.h"

#include <cmath>

#include "../base/rotation.h"

namespace espalier {
namespace {

/// Far beyond any scene, and far enough below float's largest number that products with coordinates stay
/// finite.
constexpr double kLargestEntry = 1e18;

double largest(const float* lo, const float* hi) {
    float reach = 0;
    for (int k = 0; k < 3; ++k) {
        const float side = std::fabs(lo[k]) > std::fabs(hi[k]) ? std::fabs(lo[k]) : std::fabs(hi[k]);
        if (side > reach) reach = side;
    }
    return double(reach);
}

/// Rounding margins. Let u = 2^-24 and S bound the absolute value of every coordinate in A's frame: of A's
/// bounds, and |M| reach_B + |t| of B's. Float matrices carry one rounding, so a transformed coordinate is
/// off by at most (3 + 1 + 1 + 2) u S; decoded centres and half extents by 2 u S each; one axis test adds and
/// subtracts at most six such terms. Slab axes are unit to 3u and project differences below 2 sqrt(3) S. 48 u
/// S exceeds the sum of all of them; in B's frame the same terms pass through |inv|.
void set_margins(const ShapeView& a, const ShapeView& b, const double* inverse, PairFrame* f) {
    const double u = 1.0 / 16777216.0;
    const double reach_b = largest(b.lo, b.hi);
    double reach = largest(a.lo, a.hi);
    for (int row = 0; row < 3; ++row) {
        double placed = std::fabs(f->shift[row]);
        for (int k = 0; k < 3; ++k) placed += std::fabs(f->to_a[3 * row + k]) * reach_b;
        if (placed > reach) reach = placed;
    }
    f->margin = static_cast<float>(48 * u * reach);
    f->margin4 = splat(f->margin);
    for (int row = 0; row < 3; ++row) {
        double norm = 0;
        for (int k = 0; k < 3; ++k) norm += std::fabs(inverse[3 * row + k]);
        f->margin_b4[row] = splat(static_cast<float>(48 * u * (norm * reach + reach_b)));
    }
}

}  // namespace

Status make_pair_frame(const ShapeView& a, const ShapeView& b, const Pose& pose, PairFrame* frame) {
    const double* q = pose.rotation;
    double squared = 0, unit[4], r[9];
    for (int k = 0; k < 4; ++k) squared += q[k] * q[k];
    const double length = std::sqrt(squared);
    if (!(length > 0) || !(length < __builtin_huge_val())) return Status::kInvalidArgument;
    for (int k = 0; k < 4; ++k) unit[k] = q[k] / length;
    rotation_of(unit, r);

    bool sound = true;
    const auto note = [&sound](double x) { sound = sound & (std::fabs(x) < kLargestEntry); };
    frame->rigid = true;
    double max_scale = 0;
    double inverse[9];
    for (int k = 0; k < 3; ++k) {
        const double scale = pose.scale[k];
        if (scale == 0) return Status::kInvalidArgument;
        if (scale != 1) frame->rigid = false;
        frame->scale4[k] = splat(static_cast<float>(std::fabs(scale) * (1 - 1e-6)));
        if (std::fabs(scale) > max_scale) max_scale = std::fabs(scale);
        for (int row = 0; row < 3; ++row) {
            frame->to_a[3 * row + k] = r[3 * row + k] * scale;
            const double entry = r[3 * row + k] / scale;  // (R S)^-1 = S^-1 R^T
            inverse[3 * k + row] = entry;
            note(entry);
            const float rounded = static_cast<float>(entry);
            frame->inv4[3 * k + row] = splat(rounded);
            frame->abs_inv4[3 * k + row] = splat(std::fabs(rounded));
        }
    }
    frame->max_scale = static_cast<float>(max_scale * (1 + 1e-6));
    for (int row = 0; row < 3; ++row) {
        double shift = pose.translation[row] - a.origin[row];
        for (int k = 0; k < 3; ++k) {
            const double entry = frame->to_a[3 * row + k];
            shift += entry * b.origin[k];
            frame->m[3 * row + k] = static_cast<float>(entry);
            frame->abs_m[3 * row + k] = std::fabs(frame->m[3 * row + k]);
            frame->m4[3 * row + k] = splat(frame->m[3 * row + k]);
            frame->abs_m4[3 * row + k] = splat(frame->abs_m[3 * row + k]);
            note(entry);
        }
        note(shift);
        frame->shift[row] = shift;
        frame->t4[row] = splat(static_cast<float>(shift));
    }
    if (!sound) return Status::kInvalidArgument;
    set_margins(a, b, inverse, frame);
    return Status::kOk;
}

}  // namespace espalier
