// SPDX-License-Identifier: GPL-3.0-or-later
// Pairs of triangles whose answer is plain to see.
#pragma once

#include <string>
#include <vector>

#include "runtime/src/triangle/triangle_pair.h"

namespace espalier::testing {

/// Coordinates are small dyadic numbers, so that scaling by powers of two, turning by quarters and moving by
/// integers is exact.
struct TriangleCase {
    std::string name;
    Triangle3 a, b;
    bool intersect;
    double squared_distance;
};

inline std::vector<TriangleCase> triangle_cases() {
    // The right triangle in the plane z = 0 with legs of 4.
    const Triangle3 flat = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
    const auto hit = [&](std::string name, Triangle3 b) {
        return TriangleCase{std::move(name), flat, b, true, 0};
    };
    const auto gap = [&](std::string name, Triangle3 b, double squared) {
        return TriangleCase{std::move(name), flat, b, false, squared};
    };
    const auto pair = [](std::string name, Triangle3 a, Triangle3 b, double squared) {
        return TriangleCase{std::move(name), a, b, squared == 0, squared};
    };
    return {
        hit("pierced in the middle", {{{1, 1, -1}, {1, 1, 3}, {2, 3, 5}}}),
        hit("crossing with two edges of each", {{{1, -1, -1}, {1, -1, 1}, {1, 8, 0.5}}}),
        hit("corner touches the interior", {{{1, 1, 0}, {1, 2, 3}, {2, 1, 3}}}),
        hit("corner touches an edge", {{{2, 0, 0}, {2, -3, 1}, {3, -3, 1}}}),
        hit("corner touches the sloping edge", {{{2, 2, 0}, {5, 5, 1}, {5, 6, 2}}}),
        hit("corner touches a corner", {{{4, 0, 0}, {6, 0, 1}, {6, 1, 1}}}),
        hit("corner touches a corner in the plane", {{{4, 0, 0}, {6, 0, 0}, {6, 1, 0}}}),
        hit("edge crosses an edge", {{{2, -1, -1}, {2, 1, 1}, {2, -4, 0}}}),
        hit("edge lies in the face", {{{1, 1, 0}, {2, 1, 0}, {1, 1, 4}}}),
        hit("edge lies in the plane and leaves the face", {{{1, 1, 0}, {9, 1, 0}, {1, 1, 4}}}),
        hit("edge lies in the plane across the whole face", {{{-1, 1, 0}, {9, 1, 0}, {1, 1, 4}}}),
        hit("edge along an edge", {{{1, 0, 0}, {3, 0, 0}, {2, -2, 2}}}),
        hit("edge overlaps an edge in part", {{{2, 0, 0}, {6, 0, 0}, {5, -2, 2}}}),
        hit("edges in line touch at an end", {{{4, 0, 0}, {8, 0, 0}, {6, -2, 2}}}),
        hit("shared edge, folded", {{{0, 0, 0}, {4, 0, 0}, {1, 1, 4}}}),
        hit("shared edge, coplanar, outside", {{{0, 0, 0}, {4, 0, 0}, {1, -3, 0}}}),
        hit("coplanar overlap", {{{1, 1, 0}, {8, 1, 0}, {1, 8, 0}}}),
        hit("coplanar, inside", {{{0.5, 0.5, 0}, {1, 0.5, 0}, {0.5, 1, 0}}}),
        hit("coplanar, around", {{{-8, -8, 0}, {32, -8, 0}, {-8, 32, 0}}}),
        hit("coplanar star", {{{3, 3, 0}, {-1, 2, 0}, {2, -1, 0}}}),
        hit("coplanar, touching along part of an edge", {{{1, 0, 0}, {2, 0, 0}, {2, -5, 0}}}),
        hit("coplanar, corner on the sloping edge", {{{2, 2, 0}, {5, 2, 0}, {5, 5, 0}}}),
        hit("equal", flat),
        hit("equal, turned over", {{{0, 0, 0}, {0, 4, 0}, {4, 0, 0}}}),
        gap("parallel above", {{{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}}, 1),
        gap("corner above the interior", {{{1, 1, 2}, {1, 2, 5}, {2, 1, 5}}}, 4),
        gap("corner beside an edge", {{{2, -1, 0}, {2, -3, 1}, {3, -3, 1}}}, 1),
        gap("corner beside a corner", {{{5, 0, 0}, {7, -1, 1}, {7, 1, 1}}}, 1),
        gap("corner off the sloping edge", {{{3, 3, 0}, {5, 5, 1}, {5, 6, 2}}}, 2),
        gap("edge over an edge", {{{2, -4, 1}, {2, 3, 8}, {2, -8, 6}}}, 12.5),
        gap("edge along an edge, apart", {{{0, -2, 0}, {4, -2, 0}, {2, -5, 3}}}, 4),
        gap("edges in line, apart", {{{5, 0, 0}, {8, 0, 0}, {6, -2, 2}}}, 1),
        gap("coplanar beside", {{{1, -1, 0}, {3, -1, 0}, {2, -3, 0}}}, 1),
        gap("coplanar off the sloping edge", {{{3, 3, 0}, {5, 3, 0}, {3, 5, 0}}}, 2),
        gap("boxes overlap, triangles do not", {{{4, 4, -1}, {4, 4, 1}, {3, 4, 0}}}, 4.5),
        gap("plane of each cuts the other's beside it", {{{2, -1, -1}, {2, -1, 1}, {2, -3, 0}}}, 1),
        hit("segment pierces", {{{1, 1, -1}, {1, 1, 1}, {1, 1, 0.5}}}),
        hit("segment touches with its end", {{{1, 1, 0}, {1, 1, 2}, {1, 1, 1}}}),
        hit("segment lies in the face", {{{1, 1, 0}, {2, 1, 0}, {1.5, 1, 0}}}),
        hit("segment crosses an edge in the plane", {{{1, -1, 0}, {1, 1, 0}, {1, -1, 0}}}),
        hit("segment touches a corner", {{{-1, 1, 0}, {1, -1, 0}, {0, 0, 0}}}),
        gap("segment above", {{{1, 1, 1}, {2, 1, 1}, {1, 1, 1}}}, 1),
        gap("segment beside, in the plane", {{{0, -2, 0}, {4, -2, 0}, {2, -2, 0}}}, 4),
        gap("segment in line with an edge", {{{6, 0, 0}, {8, 0, 0}, {7, 0, 0}}}, 4),
        gap("upright segment beside", {{{3, 3, -1}, {3, 3, 1}, {3, 3, 0}}}, 2),
        hit("point in the face", {{{1, 1, 0}, {1, 1, 0}, {1, 1, 0}}}),
        hit("point on an edge", {{{2, 2, 0}, {2, 2, 0}, {2, 2, 0}}}),
        hit("point on a corner", {{{0, 4, 0}, {0, 4, 0}, {0, 4, 0}}}),
        gap("point above", {{{1, 1, 3}, {1, 1, 3}, {1, 1, 3}}}, 9),
        gap("point in the plane, beside", {{{-2, 1, 0}, {-2, 1, 0}, {-2, 1, 0}}}, 4),
        pair("crossing segments", {{{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}},
             {{{0, -1, 0}, {0, 1, 0}, {0, 0.5, 0}}}, 0),
        pair("segments in line, overlapping", {{{0, 0, 0}, {4, 4, 4}, {2, 2, 2}}},
             {{{3, 3, 3}, {6, 6, 6}, {5, 5, 5}}}, 0),
        pair("segments in line, touching", {{{0, 0, 0}, {4, 4, 4}, {2, 2, 2}}},
             {{{4, 4, 4}, {6, 6, 6}, {5, 5, 5}}}, 0),
        pair("segments in line, apart", {{{0, 0, 0}, {4, 4, 4}, {2, 2, 2}}},
             {{{5, 5, 5}, {6, 6, 6}, {5.5, 5.5, 5.5}}}, 3),
        pair("parallel segments", {{{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}}, {{{0, 2, 0}, {4, 2, 0}, {1, 2, 0}}},
             4),
        pair("skew segments", {{{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}}, {{{0, -1, 1}, {0, 1, 1}, {0, 0, 1}}}, 1),
        pair("segments in one plane, apart", {{{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}},
             {{{0, 1, 0}, {0, 3, 0}, {0, 2, 0}}}, 1),
        pair("point and segment, touching", {{{2, 2, 2}, {2, 2, 2}, {2, 2, 2}}},
             {{{0, 0, 0}, {4, 4, 4}, {1, 1, 1}}}, 0),
        pair("point and segment, apart", {{{2, 0, 1}, {2, 0, 1}, {2, 0, 1}}},
             {{{0, 0, 0}, {4, 0, 0}, {1, 0, 0}}}, 1),
        pair("equal points", {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}, {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}, 0),
        pair("two points", {{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}}, {{{1, 2, 4}, {1, 2, 4}, {1, 2, 4}}}, 1),
    };
}

}  // namespace espalier::testing
