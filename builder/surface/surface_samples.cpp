// SPDX-License-Identifier: GPL-3.0-or-later
// Poisson-disk samples by dart throwing on a grid, sharp features first.
#include "builder/surface/surface_samples.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "builder/base/random.h"
#include "builder/surface/triangle_normal.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Darts thrown for each sample that is wanted. More fill the last gaps and take longer; fewer leave the
/// surface with fewer samples than were asked for.
constexpr double kDartsPerSample = 12.0;
/// Least distance of samples in spacings: between corners of sharp features, which lie closer together than
/// the spacing only on meshes finer than the samples, and along sharp edges. Smaller ones spend the samples
/// on features, larger ones blunt them.
constexpr double kCornerSpacing = 0.5;
constexpr double kEdgeSpacing = 0.7;

/// Accepts points that keep their distance from those accepted before. Cells are only looked up, never
/// walked, so the hash order does not matter.
class DartBoard {
  public:
    DartBoard(std::vector<SurfaceSample>& samples, double spacing) : samples_(samples), spacing_(spacing) {}

    bool accept(const SurfaceSample& sample, double distance) {
        const std::array<std::int64_t, 3> home = cell(sample.point);
        for (std::int64_t x = home[0] - 1; x <= home[0] + 1; ++x) {
            for (std::int64_t y = home[1] - 1; y <= home[1] + 1; ++y) {
                for (std::int64_t z = home[2] - 1; z <= home[2] + 1; ++z) {
                    const auto found = cells_.find(key({x, y, z}));
                    if (found != cells_.end() && crowded(found->second, sample, distance)) return false;
                }
            }
        }
        cells_[key(home)].push_back(static_cast<std::uint32_t>(samples_.size()));
        samples_.push_back(sample);
        return true;
    }

  private:
    std::array<std::int64_t, 3> cell(const Vector3d& p) const {
        return {static_cast<std::int64_t>(std::floor(p.x() / spacing_)),
                static_cast<std::int64_t>(std::floor(p.y() / spacing_)),
                static_cast<std::int64_t>(std::floor(p.z() / spacing_))};
    }
    static std::uint64_t key(const std::array<std::int64_t, 3>& c) {
        // Collisions only cost time: distances are compared anyway.
        return static_cast<std::uint64_t>(c[0]) * 0x9E3779B97F4A7C15U ^
               static_cast<std::uint64_t>(c[1]) * 0xC2B2AE3D27D4EB4FU ^
               static_cast<std::uint64_t>(c[2]) * 0x165667B19E3779F9U;
    }
    bool crowded(const std::vector<std::uint32_t>& others, const SurfaceSample& sample,
                 double distance) const {
        return std::any_of(others.begin(), others.end(), [&](std::uint32_t i) {
            const SurfaceSample& other = samples_[i];
            // The far side of a thin part is another surface.
            return (other.point - sample.point).squaredNorm() < distance * distance &&
                   other.normal.dot(sample.normal) > -0.3;
        });
    }

    std::vector<SurfaceSample>& samples_;
    double spacing_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cells_;
};

struct SharpEdge {
    std::uint32_t a;
    std::uint32_t b;
    std::uint32_t triangle;
};

std::vector<SharpEdge> sharp_edges(const TriangleMesh& mesh, const std::vector<Vector3d>& normals,
                                   double cosine) {
    struct Use {
        std::uint32_t a;
        std::uint32_t b;
        std::uint32_t triangle;
    };
    std::vector<Use> uses;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t e = 0; e < 3; ++e) {
            const std::uint32_t a = mesh.triangles[t][e];
            const std::uint32_t b = mesh.triangles[t][(e + 1) % 3];
            uses.push_back({std::min(a, b), std::max(a, b), t});
        }
    }
    std::sort(uses.begin(), uses.end(), [](const Use& x, const Use& y) {
        return std::tie(x.a, x.b, x.triangle) < std::tie(y.a, y.b, y.triangle);
    });
    std::vector<SharpEdge> sharp;
    for (std::size_t i = 0; i < uses.size();) {
        std::size_t end = i + 1;
        while (end < uses.size() && uses[end].a == uses[i].a && uses[end].b == uses[i].b) ++end;
        if (end - i != 2 || normals[uses[i].triangle].dot(normals[uses[i + 1].triangle]) < cosine)
            sharp.push_back({uses[i].a, uses[i].b, uses[i].triangle});
        i = end;
    }
    return sharp;
}

/// Vertices where sharp edges end, branch or bend.
std::vector<std::uint8_t> corner_marks(const TriangleMesh& mesh, const std::vector<SharpEdge>& edges,
                                       double cosine) {
    std::vector<std::vector<std::uint32_t>> ends(mesh.positions.size());
    for (const SharpEdge& e : edges) {
        ends[e.a].push_back(e.b);
        ends[e.b].push_back(e.a);
    }
    std::vector<std::uint8_t> corner(mesh.positions.size(), 0);
    for (std::size_t v = 0; v < ends.size(); ++v) {
        if (ends[v].size() == 2) {
            const Vector3d p = mesh.positions[v].cast<double>();
            const Vector3d x = (mesh.positions[ends[v][0]].cast<double>() - p).normalized();
            const Vector3d y = (mesh.positions[ends[v][1]].cast<double>() - p).normalized();
            corner[v] = -x.dot(y) < cosine;
        } else {
            corner[v] = !ends[v].empty();
        }
    }
    return corner;
}

void sample_features(const TriangleMesh& mesh, const std::vector<Vector3d>& normals, double cosine,
                     double spacing, DartBoard& board) {
    const std::vector<SharpEdge> edges = sharp_edges(mesh, normals, cosine);
    const std::vector<std::uint8_t> corner = corner_marks(mesh, edges, cosine);
    const auto at = [&](const Vector3d& p, std::uint32_t t) { return SurfaceSample{p, normals[t], t}; };
    for (const SharpEdge& e : edges) {
        for (const std::uint32_t v : {e.a, e.b})
            if (corner[v])
                board.accept(at(mesh.positions[v].cast<double>(), e.triangle), kCornerSpacing * spacing);
    }
    for (const SharpEdge& e : edges) {
        const Vector3d a = mesh.positions[e.a].cast<double>();
        const Vector3d b = mesh.positions[e.b].cast<double>();
        const auto steps = static_cast<int>(std::max(1.0, std::ceil((b - a).norm() / spacing)));
        for (int i = 0; i <= steps; ++i)
            board.accept(at(a + (b - a) * (double(i) / steps), e.triangle), kEdgeSpacing * spacing);
    }
}

}  // namespace

double surface_area(const TriangleMesh& mesh) {
    double area = 0.0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) area += area_of(mesh, t);
    return area;
}

double sample_spacing(double area, std::uint32_t count) {
    // kDartsPerSample fill about 0.52 of the densest packing, which has one point per 0.866 spacing^2. A
    // larger share makes the samples too coarse for their number, a smaller one leaves some of them out.
    return std::sqrt(0.52 * area / (0.866 * std::max<std::uint32_t>(1, count)));
}

std::vector<SurfaceSample> sample_surface(const TriangleMesh& mesh, const SampleOptions& options) {
    const std::size_t triangles = mesh.triangles.size();
    std::vector<Vector3d> normals(triangles);
    std::vector<double> sums(triangles);
    double area = 0.0;
    for (std::uint32_t t = 0; t < triangles; ++t) {
        normals[t] = normal_of(mesh, t);
        area += area_of(mesh, t);
        sums[t] = area;
    }
    const double spacing = sample_spacing(area, options.count);
    std::vector<SurfaceSample> samples;
    if (!(spacing > 0.0)) return samples;
    DartBoard board(samples, spacing);
    constexpr double kDegree = 3.14159265358979323846 / 180.0;
    sample_features(mesh, normals, std::cos(options.sharp_degrees * kDegree), spacing, board);
    Draw draw(options.seed);
    const auto darts = static_cast<std::size_t>(kDartsPerSample * options.count);
    for (std::size_t i = 0; i < darts && samples.size() < options.count; ++i) {
        const double where = draw.unit() * area;
        const auto t = static_cast<std::uint32_t>(
            std::min<std::ptrdiff_t>(std::lower_bound(sums.begin(), sums.end(), where) - sums.begin(),
                                     static_cast<std::ptrdiff_t>(triangles) - 1));
        double u = draw.unit();
        double v = draw.unit();
        if (u + v > 1.0) {
            u = 1.0 - u;
            v = 1.0 - v;
        }
        const Vector3d p = mesh.corner(t, 0) + u * (mesh.corner(t, 1) - mesh.corner(t, 0)) +
                           v * (mesh.corner(t, 2) - mesh.corner(t, 0));
        board.accept({p, normals[t], t}, spacing);
    }
    return samples;
}

}  // namespace espalier
