// SPDX-License-Identifier: GPL-3.0-or-later
// What triangle_kernel.cpp and triangle_kernel_avx2.cpp compile, each for its own processor. It calls nothing
// from any other header, see vector_floats.h. Neither has fused multiply-add, so both round alike.
#include "builder/surface/triangle_kernel.h"

namespace espalier {
namespace {

inline void squared_distances(const std::uint32_t* index, std::size_t count, const FlatTriangle* triangles,
                              const float* const points[3], float* squared) {
    const Floats zero = {};
    const Floats one = zero + 1.0F;
    for (std::size_t k = 0; k < count; ++k) {
        const FlatTriangle& t = triangles[index[k]];
        const Floats x = ESPALIER_FLOATS(points[0]) - t.a[0];
        const Floats y = ESPALIER_FLOATS(points[1]) - t.a[1];
        const Floats z = ESPALIER_FLOATS(points[2]) - t.a[2];
        const Floats u = x * t.axis[0][0] + y * t.axis[0][1] + z * t.axis[0][2];
        const Floats v = x * t.axis[1][0] + y * t.axis[1][1] + z * t.axis[1][2];
        const Floats height = x * t.axis[2][0] + y * t.axis[2][1] + z * t.axis[2][2];
        // From the side along the first axis.
        Floats on = u > zero ? u : zero;
        on = on < t.length ? on : zero + t.length;
        Floats least = (u - on) * (u - on) + v * v;
        // From the other two: from their starts, along them as far as they go.
        const float from[2] = {t.length, 0.0F};
        Ints within = v > zero;
        for (int side = 0; side < 2; ++side) {
            const float along_u = t.u - from[side];
            const Floats w = u - from[side];
            Floats share = (w * along_u + v * t.v) * t.per_square[side];
            share = share > zero ? share : zero;
            share = share < one ? share : one;
            const Floats left_u = w - share * along_u;
            const Floats left_v = v - share * t.v;
            const Floats away = left_u * left_u + left_v * left_v;
            least = least < away ? least : away;
            const Floats turn = along_u * v - t.v * w;
            within &= side == 0 ? turn > zero : turn < zero;
        }
        const Floats across = within ? zero : least;
        reinterpret_cast<FloatsAt*>(squared + k * kVectorLanes)->v = height * height + across;
    }
}

}  // namespace
}  // namespace espalier
