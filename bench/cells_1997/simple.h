// SPDX-License-Identifier: GPL-3.0-or-later
// The "simple" algorithm of Zachmann 1997, "Motivation for BoxTrees": every edge against every polygon, after
// pre-checks by bounding boxes.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/asset.h"
#include "espalier/pose.h"

namespace espalier::bench {

class SimpleCollide {
  public:
    /// Lists the edges of both parts.
    SimpleCollide(const ShapeView& a, const ShapeView& b);

    /// Whether they touch when B is placed by `pose`. Polygons of one in the bounding box of the other are
    /// collected first; edges are tested against that box, and against the box of every polygon that is left.
    bool collide(const Pose& pose);

  private:
    struct Edge {
        std::uint32_t from, to;
    };
    struct Side {
        const ShapeView* part;
        std::vector<Edge> edges;
        std::vector<double> points;  ///< of the vertices in A's frame
        double lo[3], hi[3];
    };

    bool edges_meet(const Side& edges, const Side& polygons);

    Side sides_[2];
    std::vector<std::uint32_t> near_;
};

}  // namespace espalier::bench
