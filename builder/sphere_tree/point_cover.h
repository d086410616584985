// SPDX-License-Identifier: GPL-3.0-or-later
// Points of a surface and the balls that cover them: who holds what, and the ball of least cost around some
// of them. The search for good sets of balls (sphere_fit.h) is made of these.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "builder/mesh/inside_test.h"
#include "builder/sphere_tree/ball_measure.h"
#include "builder/sphere_tree/sphere_fit.h"
#include "builder/sphere_tree/surface_pieces.h"

namespace espalier {

using Indices = std::vector<std::uint32_t>;

/// Steps of the search for a centre, in radii: from the first, until below the last.
struct Steps {
    double first;
    double last;
};
inline constexpr Steps kCoarse{0.25, 0.06};
inline constexpr Steps kMedium{0.12, 0.02};
inline constexpr Steps kFine{0.05, 0.005};

/// A ball and its cost.
struct Fitted {
    Ball ball;
    double cost = std::numeric_limits<double>::infinity();
    std::uint64_t name = 0;  ///< no other ball that was settled has it; 0: not settled
};

using Balls = std::vector<Fitted>;

/// The sum.
double cost_of(const Balls& balls);

/// Points of two balls that no third one holds, with their squared distances from both.
struct Seam {
    Indices points;
    std::vector<float> from_a, from_b;
};

/// All coordinates are relative to the centre of `FitOptions::reach`, which is the origin here. Functions
/// that are not const use common buffers: one thread at a time.
class PointCover {
  public:
    /// See fit_spheres. There are no points yet.
    PointCover(const std::vector<Piece>& context, const InsideTest& inside, const FitOptions& options);

    /// Makes the pieces' corners, cut off at the boundary of the chain's first ball, the points to cover;
    /// with a `spacing` above 0 only one for each cell of that width.
    void set_points(const std::vector<Piece>& pieces, double spacing = 0.0);

    /// The ball's volume outside the solid.
    double outside_of(const Ball& ball) { return surface_.outside(ball); }
    /// How far the ball sticks out, by the grid.
    double bulge_of(const Ball& ball) const {
        return distances_->bulge({ball.center + origin_, ball.radius});
    }
    /// What a ball costs for its volume.
    double volume_cost(const Ball& ball);
    /// The same, and for sticking out and for leaving too much to its children.
    double cost_of_ball(const Ball& ball);

    std::size_t size() const { return x_.size(); }
    Eigen::Vector3d at(std::size_t i) const { return {x_[i], y_[i], z_[i]}; }
    Eigen::Vector3d middle_of(const Indices& points) const;

    /// Squared distances of all points from a place; valid until the next call of any function.
    const std::vector<float>& distances(const Eigen::Vector3d& from);

    /// True where others answer for the place.
    bool is_taken(const Eigen::Vector3d& place) const;
    bool taken(std::size_t i) const { return taken_[i] != 0; }

    /// Counts for each point the balls that hold it, and one for all others who do.
    void count_all(const Balls& balls);
    /// Adds `change` to the count of every point that the ball holds.
    void count_held(const Ball& ball, std::int32_t change);
    std::int32_t held(std::size_t i) const { return held_[i]; }

    /// Each point with the ball whose centre is nearest in radii: a small ball keeps what lies near its
    /// centre even where a large one is around it. Not those that are taken.
    std::vector<Indices> owned_points(const Balls& balls);
    /// The points that only this one of the counted balls holds.
    Indices needed_points(const Ball& ball);
    /// The points that only these two of the counted balls hold.
    Seam seam_of(const Ball& a, const Ball& b);

    /// The ball around some points whose centre is a best one near `start`. Precondition: some points.
    Fitted settle(const Indices& points, const Eigen::Vector3d& start, const Steps& steps);

  private:
    static constexpr std::size_t kLanes = 8;
    using Lanes = Eigen::Array<float, kLanes, 1>;
    struct CornerBlock {
        Lanes x, y, z;
    };

    void gather(const Indices& points);
    double radius_around(const Eigen::Vector3d& center) const;

    Eigen::Vector3d origin_;
    double reach_;
    double usual_area_;
    const DistanceGrid* distances_;
    ErrorPrice price_;
    Chain chain_;  ///< from here on relative to the origin, too
    std::vector<Taken> takers_;
    SurfaceQuadrature surface_;
    std::vector<float> x_, y_, z_;
    std::vector<float> squared_;      ///< by point: last computed distances
    std::vector<std::int32_t> held_;  ///< by point: number of balls that hold it
    std::vector<std::uint8_t> taken_;
    std::vector<CornerBlock> corner_blocks_;
    std::uint64_t last_name_ = 0;
};

}  // namespace espalier
