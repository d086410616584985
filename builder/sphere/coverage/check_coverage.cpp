// SPDX-License-Identifier: GPL-3.0-or-later
// The independent coverage proof (Hubbard 1996, section 6.1, without his boundary lemma): triangles are
// bisected until each piece lies in one sphere, or, for the fully conservative policy, outside the parent.
// Trusts nothing but the stored spheres.
#include "builder/sphere/coverage/check_coverage.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <optional>
#include <string>

#include "builder/sphere/coverage/gap.h"
#include "builder/sphere/coverage/volume_coverage.h"
#include "builder/surface/surface_pieces.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// A sphere as the proof sees it.
struct SafeBall {
    Vector3d center;
    double safe_radius;  ///< the radius less the slack
};

/// Proves that pieces lie in a union of balls; a parent ball, if given, excuses what is outside it.
class PieceProver {
  public:
    PieceProver(double slack, const std::optional<Ball>& parent) : slack_(slack), parent_(parent) {}

    bool covered(const Piece& piece, const std::vector<SafeBall>& balls) { return prove(piece, balls, 0); }

    std::uint64_t pieces() const { return pieces_; }
    const Vector3d& witness() const { return witness_; }

  private:
    bool prove(const Piece& piece, const std::vector<SafeBall>& balls, int depth) {
        ++pieces_;
        for (const SafeBall& ball : balls)
            if (piece_in_ball(piece, ball.center, ball.safe_radius)) return true;
        if (parent_ && piece_outside_ball(piece, parent_->center, parent_->radius + slack_)) return true;
        if (balls.empty() || depth >= kMaxBisections || certainly_uncovered(piece, balls)) {
            witness_ = (piece.corner[0] + piece.corner[1] + piece.corner[2]) / 3.0;
            return false;
        }
        const std::array<Piece, 2> halves = bisect(piece);
        for (const Piece& half : halves)
            if (!prove(half, meeting(half, balls), depth + 1)) return false;
        return true;
    }

    /// A corner that is in no ball ends the search early.
    bool certainly_uncovered(const Piece& piece, const std::vector<SafeBall>& balls) const {
        for (const Vector3d& corner : piece.corner) {
            if (parent_ && (corner - parent_->center).norm() > parent_->radius - slack_) continue;
            const auto contains = [&](const SafeBall& ball) {
                return (corner - ball.center).squaredNorm() <= ball.safe_radius * ball.safe_radius;
            };
            if (std::none_of(balls.begin(), balls.end(), contains)) return true;
        }
        return false;
    }

    static std::vector<SafeBall> meeting(const Piece& piece, const std::vector<SafeBall>& balls) {
        const Vector3d middle = (piece.corner[0] + piece.corner[1] + piece.corner[2]) / 3.0;
        const double extent = farthest_corner(piece, middle);
        std::vector<SafeBall> result;
        for (const SafeBall& ball : balls) {
            const double near = ball.safe_radius + extent;
            if ((ball.center - middle).squaredNorm() <= near * near) result.push_back(ball);
        }
        return result;
    }

    double slack_;
    std::optional<Ball> parent_;
    std::uint64_t pieces_ = 0;
    Vector3d witness_ = Vector3d::Zero();
};

struct Gap {
    std::uint32_t triangle;
    Vector3d point;
};

class CoverageChecker {
  public:
    CoverageChecker(const CoveredSurface& surface, const SphereTreeSpans& tree)
        : mesh_(surface.mesh), boxes_(surface.boxes), volume_(surface.volume), tree_(tree) {
        assert(volume_ != nullptr || !tree.volume);
        slack_ = coverage_slack(coverage_magnitude(mesh_, tree.spheres) + tree.gap);
    }

    Result<CoverageReport> run(std::span<const std::uint32_t> leaf_triangles) {
        if (auto problem = structure_problem(leaf_triangles))
            return Error{ErrorKind::kInvalidInput, *problem};
        CoverageReport report;
        report.proved = level_covers(0, report);
        if (tree_.policy == CoveragePolicy::kFull) {
            for (std::uint32_t level = 0; report.proved && level < tree_.levels.size(); ++level)
                report.proved = children_cover(level, report);
            // Where nothing is shared, that implies paths through own children.
            report.proved = report.proved && (tree_.shared_list.empty() || paths_cover(report));
        } else if (tree_.levels.size() == 2) {
            report.proved = report.proved && level_covers(1, report);  // every path goes through the root
        } else {
            report.proved = report.proved && paths_cover(report);
        }
        report.pieces = pieces_.load();
        report.leaves_complete = leaf_triangles.empty() || leaves_complete(leaf_triangles);
        if (tree_.volume)
            report.volume_proved = report.proved && volume_covered(*volume_, last_level_balls());
        return report;
    }

  private:
    std::uint32_t child(const Sphere& sphere, std::uint32_t i) const {
        return tree_.dag ? tree_.child_list[sphere.first_child + i] : sphere.first_child + i;
    }

    std::optional<std::string> structure_problem(std::span<const std::uint32_t> leaf_triangles) const {
        if (tree_.levels.empty()) return "the sphere tree has no level";
        std::size_t next = 0;
        for (std::size_t l = 0; l < tree_.levels.size(); ++l) {
            const SphereLevel& level = tree_.levels[l];
            if (level.first != next || level.count == 0 || level.count > tree_.spheres.size() - next)
                return "level " + std::to_string(l) + " of the sphere tree is out of range";
            next += level.count;
        }
        if (next != tree_.spheres.size()) return "the levels of the sphere tree do not hold all its spheres";
        for (std::size_t l = 0; l < tree_.levels.size(); ++l) {
            const SphereLevel& level = tree_.levels[l];
            for (std::size_t i = level.first; i < level.first + level.count; ++i)
                if (auto problem = sphere_problem(l, i, leaf_triangles))
                    return "sphere " + std::to_string(i) + *problem;
        }
        return std::nullopt;
    }

    /// What is wrong with sphere `i` of level `l`.
    std::optional<std::string> sphere_problem(std::size_t l, std::size_t i,
                                              std::span<const std::uint32_t> leaf_triangles) const {
        const Sphere& s = tree_.spheres[i];
        const bool last = l + 1 == tree_.levels.size();
        const std::size_t below_first = last ? 0 : tree_.levels[l + 1].first;
        const std::size_t below_count = last ? 0 : tree_.levels[l + 1].count;
        const auto below = [&](std::size_t k) { return k >= below_first && k - below_first < below_count; };
        if (!s.center.allFinite() || !std::isfinite(s.radius) || s.radius < 0.0F) return " is not finite";
        if (tree_.dag && (s.first_child > tree_.child_list.size() ||
                          s.child_count > tree_.child_list.size() - s.first_child))
            return " has a child list out of range";
        for (std::uint32_t c = 0; c < s.child_count; ++c)
            if (!below(child(s, c))) return " has a child that is not on the next level";
        if (s.first_shared > tree_.shared_list.size() ||
            s.shared_count > tree_.shared_list.size() - s.first_shared)
            return " has a list of shared children out of range";
        const auto shared = tree_.shared_list.subspan(s.first_shared, s.shared_count);
        if (!std::all_of(shared.begin(), shared.end(), below))
            return " shares a child that is not on the next level";
        if (!leaf_triangles.empty() && (s.first_triangle > leaf_triangles.size() ||
                                        s.triangle_count > leaf_triangles.size() - s.first_triangle))
            return " has a triangle list out of range";
        return std::nullopt;
    }

    Ball covering(const Sphere& s) const { return covering_ball(s, tree_.gap); }
    SafeBall safe_ball(const Sphere& s) const {
        const Ball ball = covering(s);
        return {ball.center, ball.radius - slack_};
    }

    /// Every triangle lies in the union of the level's spheres.
    bool level_covers(std::uint32_t l, CoverageReport& report) {
        const SphereLevel& level = tree_.levels[l];
        std::vector<std::vector<SafeBall>> near(mesh_.triangles.size());
        for (std::uint32_t i = level.first; i < level.first + level.count; ++i) {
            const Sphere& s = tree_.spheres[i];
            const Ball ball = covering(s);
            for (const std::uint32_t t : boxes_.near_ball(ball.center, ball.radius))
                near[t].push_back(safe_ball(s));
        }
        std::vector<std::optional<Gap>> gaps(mesh_.triangles.size());
        tbb::parallel_for(std::size_t(0), mesh_.triangles.size(), [&](std::size_t t) {
            PieceProver prover(slack_, std::nullopt);
            if (!prover.covered(whole_triangle(mesh_, static_cast<std::uint32_t>(t)), near[t]))
                gaps[t] = Gap{static_cast<std::uint32_t>(t), prover.witness()};
            pieces_ += prover.pieces();
        });
        for (const auto& gap : gaps) {
            if (gap) {
                describe(report, l, level.first, *gap);
                return false;
            }
        }
        return true;
    }

    /// The children of each sphere of the level cover whatever of the surface the sphere covers.
    bool children_cover(std::uint32_t l, CoverageReport& report) {
        const SphereLevel& level = tree_.levels[l];
        if (l + 1 == tree_.levels.size()) return true;
        std::vector<std::optional<Gap>> gaps(level.count);
        tbb::parallel_for(std::uint32_t(0), level.count,
                          [&](std::uint32_t i) { gaps[i] = gap_below(tree_.spheres[level.first + i]); });
        for (std::uint32_t i = 0; i < level.count; ++i) {
            if (gaps[i]) {
                describe(report, l, level.first + i, *gaps[i]);
                return false;
            }
        }
        return true;
    }

    std::optional<Gap> gap_below(const Sphere& parent) {
        std::vector<SafeBall> balls;
        for (std::uint32_t c = 0; c < parent.child_count; ++c)
            balls.push_back(safe_ball(tree_.spheres[child(parent, c)]));
        for (const std::uint32_t s : tree_.shared_list.subspan(parent.first_shared, parent.shared_count))
            balls.push_back(safe_ball(tree_.spheres[s]));
        const Ball ball = covering(parent);
        // A child around its whole parent (a copy of it, where an error was small enough) needs no look at
        // the surface.
        for (std::uint32_t c = 0; c < parent.child_count; ++c) {
            const Sphere& s = tree_.spheres[child(parent, c)];
            if (s.center == parent.center && s.radius >= parent.radius) return std::nullopt;
        }
        PieceProver prover(slack_, ball);
        std::optional<Gap> gap;
        for (const std::uint32_t t : boxes_.near_ball(ball.center, ball.radius + slack_)) {
            if (!prover.covered(whole_triangle(mesh_, t), balls)) {
                gap = Gap{t, prover.witness()};
                break;
            }
        }
        pieces_ += prover.pieces();
        return gap;
    }

    /// Every triangle is a union of pieces, each with a path of spheres that cover it from the root to the
    /// last level; so a descent that follows whatever covers a contact point never loses it, and every level
    /// covers the surface.
    bool paths_cover(CoverageReport& report) {
        std::vector<std::optional<Gap>> gaps(mesh_.triangles.size());
        tbb::parallel_for(std::size_t(0), mesh_.triangles.size(), [&](std::size_t t) {
            std::uint64_t pieces = 0;
            Vector3d witness;
            if (!path_proof(whole_triangle(mesh_, static_cast<std::uint32_t>(t)), 0, pieces, witness))
                gaps[t] = Gap{static_cast<std::uint32_t>(t), witness};
            pieces_ += pieces;
        });
        for (const auto& gap : gaps) {
            if (gap) {
                describe(report, static_cast<std::uint32_t>(tree_.levels.size() - 1),
                         tree_.levels.back().first, *gap);
                return false;
            }
        }
        return true;
    }

    bool path_proof(const Piece& piece, int depth, std::uint64_t& pieces, Vector3d& witness) const {
        ++pieces;
        if (has_path(piece)) return true;
        for (const Vector3d& corner : piece.corner) {
            if (depth >= kMaxBisections || !has_path({{corner, corner, corner}, piece.triangle})) {
                witness = corner;
                return false;
            }
        }
        const std::array<Piece, 2> halves = bisect(piece);
        return path_proof(halves[0], depth + 1, pieces, witness) &&
               path_proof(halves[1], depth + 1, pieces, witness);
    }

    bool has_path(const Piece& piece) const {
        std::vector<std::uint32_t> covering(1, 0);
        std::vector<std::uint32_t> next;
        for (std::size_t level = 1; level < tree_.levels.size() && !covering.empty(); ++level) {
            next.clear();
            for (const std::uint32_t h : covering) {
                for (std::uint32_t c = 0; c < tree_.spheres[h].child_count; ++c) {
                    const std::uint32_t k = child(tree_.spheres[h], c);
                    const SafeBall ball = safe_ball(tree_.spheres[k]);
                    if (piece_in_ball(piece, ball.center, ball.safe_radius)) next.push_back(k);
                }
            }
            if (tree_.dag) {
                std::sort(next.begin(), next.end());
                next.erase(std::unique(next.begin(), next.end()), next.end());
            }
            covering.swap(next);
        }
        return !covering.empty();
    }

    bool leaves_complete(std::span<const std::uint32_t> leaf_triangles) const {
        const SphereLevel& level = tree_.levels.back();
        std::atomic<bool> complete{true};
        tbb::parallel_for(level.first, level.first + level.count, [&](std::uint32_t i) {
            const Sphere& s = tree_.spheres[i];
            const auto listed = leaf_triangles.subspan(s.first_triangle, s.triangle_count);
            std::vector<std::uint32_t> list(listed.begin(), listed.end());
            std::sort(list.begin(), list.end());
            const Ball ball = covering(s);
            for (const std::uint32_t t : boxes_.near_ball(ball.center, ball.radius)) {
                // Touching by less than the slack is left to either side.
                if (!piece_outside_ball(whole_triangle(mesh_, t), ball.center, ball.radius - slack_) &&
                    !std::binary_search(list.begin(), list.end(), t))
                    complete = false;
            }
        });
        return complete;
    }

    std::vector<Ball> last_level_balls() const {
        std::vector<Ball> balls;
        const SphereLevel& level = tree_.levels.back();
        for (std::uint32_t i = level.first; i < level.first + level.count; ++i) {
            const SafeBall ball = safe_ball(tree_.spheres[i]);
            balls.push_back({ball.center, ball.safe_radius});
        }
        return balls;
    }

    static void describe(CoverageReport& report, std::uint32_t level, std::uint32_t sphere, const Gap& gap) {
        report.level = level;
        report.sphere = sphere;
        report.triangle = gap.triangle;
        report.point = gap.point;
    }

    const TriangleMesh& mesh_;
    const TriangleBoxes& boxes_;
    const SolidVolume* volume_;
    const SphereTreeSpans& tree_;
    double slack_ = 0.0;
    std::atomic<std::uint64_t> pieces_{0};
};

}  // namespace

double coverage_magnitude(const TriangleMesh& mesh, std::span<const Sphere> spheres) {
    double magnitude = 0.0;
    for (const auto& p : mesh.positions) magnitude = std::max<double>(magnitude, p.cwiseAbs().maxCoeff());
    for (const Sphere& s : spheres)
        magnitude = std::max<double>({magnitude, double(s.center.cwiseAbs().maxCoeff()), double(s.radius)});
    return magnitude;
}

SphereTreeSpans view_of(const SphereTree& tree) {
    return {tree.spheres,
            tree.levels,
            tree.child_list,
            tree.shared_list,
            tree.dag,
            tree.certificate.policy,
            tree.certificate.volume_proved,
            tree.solid,
            double(tree.certificate.gap)};
}

Result<CoverageReport> check_sphere_coverage(const TriangleMesh& mesh, const SphereTreeSpans& tree,
                                             std::span<const std::uint32_t> leaf_triangles) {
    const TriangleBoxes boxes(mesh);
    if (!tree.volume) return check_sphere_coverage({mesh, boxes}, tree, leaf_triangles);
    const Result<Solid> solid = Solid::of(mesh, choice_of(tree.solid));
    if (!solid) return solid.error();
    const TriangleBoxes boundary(solid.value().boundary());
    const SolidVolume volume{solid.value(), boundary};
    return check_sphere_coverage({mesh, boxes, &volume}, tree, leaf_triangles);
}

Result<CoverageReport> check_sphere_coverage(const CoveredSurface& surface, const SphereTreeSpans& tree,
                                             std::span<const std::uint32_t> leaf_triangles) {
    return CoverageChecker(surface, tree).run(leaf_triangles);
}

}  // namespace espalier
