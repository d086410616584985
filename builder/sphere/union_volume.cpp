// SPDX-License-Identifier: GPL-3.0-or-later
// Volumes by columns: spheres and triangles are rasterised on a grid in x and y, and each column holds the
// exact intervals in z where it is inside the union and inside the solid.
#include "builder/sphere/union_volume.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace espalier {
namespace {

using Eigen::Vector3d;

/// A change along a column: the union opens or closes, or the solid's winding number changes.
struct Event {
    double z;
    int ball;
    int winding;
};

UnionVolumes measured(const std::vector<Event>& events) {
    UnionVolumes sum;
    int balls = 0;
    int winding = 0;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (i > 0 && balls > 0) {
            const double length = events[i].z - events[i - 1].z;
            sum.total += length;
            sum.outside += winding == 0 ? length : 0.0;
        }
        balls += events[i].ball;
        winding += events[i].winding;
    }
    return sum;
}

class ColumnIntegrator {
  public:
    ColumnIntegrator(const Vector3d& low, const Vector3d& high, int resolution) : resolution_(resolution) {
        for (int axis = 0; axis < 2; ++axis) {
            low_[axis] = low[axis];
            step_[axis] = (high[axis] - low[axis]) / resolution;
        }
        rows_.resize(static_cast<std::size_t>(resolution));
    }

    void add_balls(std::span<const Ball> balls) {
        for (std::size_t i = 0; i < balls.size(); ++i) {
            const auto [first, last] =
                cells(balls[i].center.y() - balls[i].radius, balls[i].center.y() + balls[i].radius, 1);
            for (int row = first; row <= last; ++row)
                rows_[static_cast<std::size_t>(row)].balls.push_back(static_cast<std::uint32_t>(i));
        }
        balls_ = balls;
    }

    void add_triangles(const TriangleMesh& mesh) {
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            const double a = mesh.corner(t, 0).y();
            const double b = mesh.corner(t, 1).y();
            const double c = mesh.corner(t, 2).y();
            const auto [first, last] = cells(std::min({a, b, c}), std::max({a, b, c}), 1);
            for (int row = first; row <= last; ++row)
                rows_[static_cast<std::size_t>(row)].triangles.push_back(t);
        }
        mesh_ = &mesh;
    }

    UnionVolumes integrate() const {
        std::vector<UnionVolumes> sums(rows_.size());
        tbb::parallel_for(std::size_t(0), rows_.size(), [&](std::size_t row) {
            std::vector<std::vector<Event>> columns(static_cast<std::size_t>(resolution_));
            const double y = center(static_cast<int>(row), 1);
            for (const std::uint32_t b : rows_[row].balls) ball_events(balls_[b], y, columns);
            for (const std::uint32_t t : rows_[row].triangles) triangle_events(t, y, columns);
            for (int x = 0; x < resolution_; ++x) {
                auto& events = columns[static_cast<std::size_t>(x)];
                std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
                    return std::tie(a.z, a.ball, a.winding) < std::tie(b.z, b.ball, b.winding);
                });
                const UnionVolumes column = measured(events);
                sums[row].total += column.total;
                sums[row].outside += column.outside;
            }
        });
        UnionVolumes sum;
        for (const UnionVolumes& row : sums) {
            sum.total += row.total;
            sum.outside += row.outside;
        }
        const double area = step_[0] * step_[1];
        return {sum.total * area, sum.outside * area};
    }

  private:
    struct Row {
        std::vector<std::uint32_t> balls;
        std::vector<std::uint32_t> triangles;
    };

    double center(int cell, int axis) const { return low_[axis] + (cell + 0.5) * step_[axis]; }

    /// The cells whose centres may lie in [low, high].
    std::pair<int, int> cells(double low, double high, int axis) const {
        if (!(step_[axis] > 0.0)) return {0, -1};
        const double first = std::ceil((low - low_[axis]) / step_[axis] - 0.5);
        const double last = std::floor((high - low_[axis]) / step_[axis] - 0.5);
        return {static_cast<int>(std::clamp(first, 0.0, double(resolution_))),
                static_cast<int>(std::clamp(last, -1.0, double(resolution_ - 1)))};
    }

    void ball_events(const Ball& ball, double y, std::vector<std::vector<Event>>& columns) const {
        const double dy = y - ball.center.y();
        const double left = ball.radius * ball.radius - dy * dy;
        if (left <= 0.0) return;
        const double half = std::sqrt(left);
        const auto [first, last] = cells(ball.center.x() - half, ball.center.x() + half, 0);
        for (int x = first; x <= last; ++x) {
            const double dx = center(x, 0) - ball.center.x();
            const double squared = left - dx * dx;
            if (squared > 0.0) {
                const double h = std::sqrt(squared);
                columns[static_cast<std::size_t>(x)].push_back({ball.center.z() - h, 1, 0});
                columns[static_cast<std::size_t>(x)].push_back({ball.center.z() + h, -1, 0});
            }
        }
    }

    /// Crossings of the row's line with the triangle's projection, with half-open edges as in the inside
    /// test.
    void triangle_events(std::uint32_t t, double y, std::vector<std::vector<Event>>& columns) const {
        double x[2];
        double z[2];
        int found = 0;
        bool rising_first = false;
        for (std::size_t e = 0; e < 3 && found < 2; ++e) {
            const Vector3d a = mesh_->corner(t, e);
            const Vector3d b = mesh_->corner(t, (e + 1) % 3);
            if ((a.y() > y) == (b.y() > y)) continue;
            const bool rising = b.y() > y;
            // Computed from the lower end, so that both triangles of an edge get the same crossing.
            const Vector3d& low = rising ? a : b;
            const Vector3d& high = rising ? b : a;
            const double f = (y - low.y()) / (high.y() - low.y());
            x[found] = low.x() + f * (high.x() - low.x());
            z[found] = low.z() + f * (high.z() - low.z());
            if (found == 0) rising_first = rising;
            ++found;
        }
        if (found < 2 || x[0] == x[1]) return;
        const bool swap = x[0] > x[1];
        const int a = swap ? 1 : 0;
        const int b = swap ? 0 : 1;
        // The projection is counter-clockwise, its normal up, if its rising edge is on the right; going up
        // through it leaves the solid.
        const bool up = rising_first == swap;
        const double slope = (z[b] - z[a]) / (x[b] - x[a]);
        const int first = static_cast<int>(
            std::clamp(std::floor((x[a] - low_[0]) / step_[0] - 0.5) + 1.0, 0.0, double(resolution_)));
        const int last = static_cast<int>(
            std::clamp(std::floor((x[b] - low_[0]) / step_[0] - 0.5), -1.0, double(resolution_ - 1)));
        for (int i = first; i <= last; ++i) {
            columns[static_cast<std::size_t>(i)].push_back(
                {z[a] + slope * (center(i, 0) - x[a]), 0, up ? -1 : 1});
        }
    }

    int resolution_;
    double low_[2];
    double step_[2];
    std::vector<Row> rows_;
    std::span<const Ball> balls_;
    const TriangleMesh* mesh_ = nullptr;
};

}  // namespace

UnionVolumes union_volumes(std::span<const Ball> balls, const Solid& solid, int resolution) {
    Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
    Vector3d high = -low;
    for (const Ball& ball : balls) {
        low = low.cwiseMin(ball.center - Vector3d::Constant(ball.radius));
        high = high.cwiseMax(ball.center + Vector3d::Constant(ball.radius));
    }
    ColumnIntegrator integrator(low, high, resolution);
    integrator.add_balls(balls);
    if (solid.has_inside()) integrator.add_triangles(solid.boundary());
    return integrator.integrate();
}

double solid_volume(const Solid& solid, int resolution) {
    if (!solid.has_inside()) return 0.0;
    // One ball around everything: what is not outside is the solid.
    Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity());
    Vector3d high = -low;
    for (const auto& p : solid.boundary().positions) {
        low = low.cwiseMin(p.cast<double>());
        high = high.cwiseMax(p.cast<double>());
    }
    const Ball around{0.5 * (low + high), 0.51 * (high - low).norm()};
    ColumnIntegrator integrator(low, high, resolution);
    const Ball balls[1] = {around};
    integrator.add_balls(balls);
    integrator.add_triangles(solid.boundary());
    const UnionVolumes volumes = integrator.integrate();
    return volumes.total - volumes.outside;
}

}  // namespace espalier
