// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a sphere tree or DAG level by level, then links, measures and proves it (Hubbard 1996, sections 5
// and 6).
#include <tbb/parallel_for.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "builder/base/number_text.h"
#include "builder/medial/medial_set.h"
#include "builder/sphere/coverage/check_coverage.h"
#include "builder/sphere/coverage/gap.h"
#include "builder/sphere/coverage/region.h"
#include "builder/sphere/coverage/shared_children.h"
#include "builder/sphere/coverage/volume_coverage.h"
#include "builder/sphere/link.h"
#include "builder/sphere/measure.h"
#include "builder/sphere/optimize/tuning.h"
#include "builder/sphere/sphere_tree.h"
#include "builder/sphere/split/level_fit.h"
#include "builder/sphere/split/node_splitter.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

std::optional<Error> option_problem(const TriangleMesh& mesh, const SphereTreeOptions& options) {
    const auto usage = [](std::string message) { return Error{ErrorKind::kUsage, std::move(message)}; };
    if (options.branch < 2 || options.branch > 65535)
        return usage("sphere tree: branch must be 2 to 65535, not " + std::to_string(options.branch));
    if (options.levels < 1 || options.levels > 16)
        return usage("sphere tree: levels must be 1 to 16, not " + std::to_string(options.levels));
    if (!std::isfinite(options.max_error) || options.max_error < 0.0 ||
        !std::isfinite(options.max_error_share) || options.max_error_share < 0.0)
        return usage("sphere tree: max-error must be a number of at least 0");
    if (options.spheres != 0 && (options.spheres < 2 || options.spheres > 65535))
        return usage("sphere tree: spheres must be 2 to 65535, not " + std::to_string(options.spheres));
    if (options.spheres != 0 && options.method == SphereMethod::kOctree)
        return usage("sphere tree: the octree method has no flat set of " + std::to_string(options.spheres) +
                     " spheres");
    if (!std::isfinite(options.gap) || options.gap < 0.0 || !std::isfinite(options.gap_share) ||
        options.gap_share < 0.0)
        return usage("sphere tree: gap must be a number of at least 0");
    if (options.dag && options.method == SphereMethod::kOctree)
        return usage("sphere tree: the octree method makes a tree, not a DAG");
    double count = options.spheres;
    for (std::uint32_t l = 0; l < options.levels && options.spheres == 0; ++l)
        count += std::pow(options.method == SphereMethod::kOctree ? 8.0 : options.branch, l);
    if (count > double(options.max_spheres)) {
        return Error{ErrorKind::kUnsupported, "sphere tree: branch " + std::to_string(options.branch) +
                                                  " and " + std::to_string(options.levels) +
                                                  " levels may need more than the limit of " +
                                                  std::to_string(options.max_spheres) + " spheres"};
    }
    if (mesh.triangles.empty())
        return Error{ErrorKind::kInvalidInput, "sphere tree: the mesh has no triangle"};
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        if (!(mesh.positions[v].cwiseAbs().maxCoeff() < 1e18F)) {
            return Error{ErrorKind::kInvalidInput,
                         "sphere tree: vertex " + std::to_string(v) + " is not finite or beyond 1e18"};
        }
    }
    return std::nullopt;
}

/// The stored filling is larger by this factor, since the same holes filled again, from vertices in another
/// order, have a middle that may differ by a rounding.
constexpr double kFillingMargin = 1.0 + 1e-5;

/// More is no gap: radii in a file are no larger.
constexpr double kLargestGap = 1e18;

double round_down(double length) {
    auto rounded = static_cast<float>(length);
    if (double(rounded) > length) rounded = std::nextafter(rounded, 0.0F);
    return double(rounded);
}

class TreeBuilder {
  public:
    TreeBuilder(const TriangleMesh& mesh, Solid solid, const SphereTreeOptions& options, Progress& progress)
        : options_(effective(mesh, options)),
          progress_(progress),
          solid_(std::move(solid)),
          query_(solid_.boundary()),
          boxes_(boxes_of_surface()),
          context_{solid_.surface(), solid_, query_, boxes_, nullptr, options_, 0.0, 0.0, 0.0} {
        double magnitude = 0.0;
        Eigen::AlignedBox3d box;
        for (const auto& p : mesh.positions) {
            magnitude = std::max<double>(magnitude, p.cwiseAbs().maxCoeff());
            box.extend(p.cast<double>());
        }
        context_.extent = box.diagonal().norm();
        for (std::uint32_t t = 0; t < context_.mesh.triangles.size(); ++t) {
            const Vector3d a = context_.mesh.corner(t, 0);
            context_.area +=
                0.5 * (context_.mesh.corner(t, 1) - a).cross(context_.mesh.corner(t, 2) - a).norm();
        }
        // Spheres end outside the mesh, by less than a few diameters.
        context_.gap = options_.gap;
        context_.slack = coverage_slack(8.0 * magnitude + options_.gap);
    }

    Result<SphereTree> run() {
        if (options_.method == SphereMethod::kHubbard) {
            MedialOptions medial;
            medial.samples = options_.samples;
            Result<MedialSet> set = compute_medial_set(solid_, query_, medial, progress_);
            if (!set) return set.error();
            medial_ = std::move(set).value();
            context_.medial = &medial_;
        }
        build_levels();
        if (options_.cover_volume) fill_last_level();
        for (std::size_t l = 0; l < levels_.size(); ++l) {
            progress_.begin_stage("errors of level " + std::to_string(l), levels_[l].size());
            bound_level(levels_[l]);
        }
        if (progress_.cancelled()) return Error{ErrorKind::kInternal, "sphere tree: stopped"};
        SphereTree tree = assemble();
        measure_levels(solid_, levels_, tree, progress_);
        return prove(std::move(tree));
    }

  private:
    /// Those of the query, where the surface is the whole boundary. Precondition: `query_` is there.
    const TriangleBoxes& boxes_of_surface() {
        if (&solid_.surface() == &solid_.boundary()) return query_.boxes();
        return own_boxes_.emplace(solid_.surface());
    }

    /// The smaller of a length and a share of the diagonal, of those that are not 0.
    static double length_of(double length, double share, double diagonal) {
        if (!(share > 0.0)) return length;
        return length > 0.0 ? std::min(length, share * diagonal) : share * diagonal;
    }

    static SphereTreeOptions effective(const TriangleMesh& mesh, SphereTreeOptions options) {
        Eigen::AlignedBox3d box;
        for (const auto& p : mesh.positions) box.extend(p.cast<double>());
        const double diagonal = box.diagonal().norm();
        options.max_error = length_of(options.max_error, options.max_error_share, diagonal);
        // Stored as float32, and no larger than what was asked for.
        options.gap = round_down(std::min(length_of(options.gap, options.gap_share, diagonal), kLargestGap));
        if (options.method == SphereMethod::kOctree) options.branch = 8;
        if (options.spheres > 0) {
            options.branch = options.spheres;
            options.levels = 2;
        }
        if (options.samples == 0) {
            const double leaves = std::pow(double(options.branch), double(options.levels - 1));
            options.samples = static_cast<std::uint32_t>(std::clamp(10.0 * leaves, 3000.0, 200000.0));
        }
        return options;
    }

    // ---- levels ----

    void build_levels() {
        levels_.push_back({root_node(context_)});
        for (std::uint32_t l = 1; l < options_.levels && !progress_.cancelled(); ++l) {
            if (errors_small_enough(levels_.back())) break;
            progress_.begin_stage("spheres of level " + std::to_string(l), levels_.back().size());
            if (options_.dag)
                levels_.push_back(independent_level(l));
            else if (options_.levels == 2 && options_.max_error > 0.0 &&
                     options_.method != SphereMethod::kOctree)
                levels_.push_back(flat_level());
            else
                levels_.push_back(children_level(l));
        }
    }

    std::vector<TreeNode> children_level(std::uint32_t l) {
        std::vector<TreeNode>& above = levels_.back();
        std::vector<std::uint8_t> done(above.size());
        std::transform(above.begin(), above.end(), done.begin(),
                       [&](const TreeNode& node) { return small_enough(node) ? 1 : 0; });
        ChildLists children;
        if (options_.method != SphereMethod::kBest) {
            children = split_level(above, done);
        } else {
            bound_level(above);
            if (below_floor(above)) {
                for (const TreeNode& node : above) children.push_back({node});
            } else {
                children = fit_level(context_, above, done, {most_spheres(l), tried_}, progress_);
                keep_better_parents(l, children);
            }
            // What was no better is not tried again for the next level.
            tried_ = std::all_of(children.begin(), children.end(),
                                 [](const std::vector<TreeNode>& siblings) { return siblings.size() == 1; })
                         ? most_spheres(l)
                         : 0;
        }
        std::vector<TreeNode> level;
        child_counts_.emplace_back();
        for (auto& group : children) {
            child_counts_.back().push_back(static_cast<std::uint32_t>(group.size()));
            std::move(group.begin(), group.end(), std::back_inserter(level));
        }
        release(levels_.back());
        return level;
    }

    /// Whether more spheres would gain nothing that is worth having.
    bool below_floor(const std::vector<TreeNode>& above) const {
        return largest_error(above) * double(above.size()) <=
               tuning::kErrorFloor * levels_.front().front().ball.radius;
    }

    /// No child protrudes farther than all the spheres above: there its parent stays in its place.
    void keep_better_parents(std::uint32_t l, ChildLists& children) {
        std::vector<TreeNode>& above = levels_.back();
        std::size_t spheres = above.size();
        for (const std::vector<TreeNode>& siblings : children) spheres += siblings.size();
        progress_.begin_stage("errors of level " + std::to_string(l), spheres);
        bound_level(above);
        const double most = largest_error(above);
        tbb::parallel_for(std::size_t(0), above.size(), [&](std::size_t i) {
            bound_level(children[i]);
            if (std::any_of(children[i].begin(), children[i].end(),
                            [&](const TreeNode& child) { return child.error > most; }))
                children[i] = {above[i]};
        });
    }

    /// Hubbard's merging and the octree: each sphere for itself.
    ChildLists split_level(std::vector<TreeNode>& above, const std::vector<std::uint8_t>& done) {
        ChildLists children(above.size());
        tbb::parallel_for(std::size_t(0), above.size(), [&](std::size_t i) {
            if (!progress_.cancelled())
                children[i] = done[i] ? std::vector<TreeNode>{above[i]}
                                      : split_node(context_, above[i], options_.branch);
            progress_.advance();
        });
        if (!progress_.cancelled()) cover_anywhere(context_, above, children);
        return children;
    }

    /// A sphere whose error needs no children.
    bool small_enough(const TreeNode& node) const {
        return options_.max_error > 0.0 && node.error >= 0.0 && node.error <= options_.max_error;
    }

    /// DAG: from the whole surface, whatever the levels above are.
    std::vector<TreeNode> independent_level(std::uint32_t l) { return whole_surface(most_spheres(l)); }

    std::size_t most_spheres(std::uint32_t l) const {
        std::size_t count = 1;
        for (std::uint32_t k = 0; k < l; ++k) count *= options_.branch;
        return count;
    }

    std::vector<TreeNode> whole_surface(std::size_t count) {
        if (options_.method != SphereMethod::kBest) {
            std::vector<TreeNode> root = {root_node(context_)};
            ChildLists level = {split_node(context_, root.front(), static_cast<std::uint32_t>(count))};
            cover_anywhere(context_, root, level);
            return std::move(level.front());
        }
        bound_level(levels_.front());
        return fit_level(context_, levels_.front(), {0}, {count, 0}, progress_).front();
    }

    /// A flat set of as many spheres as the error asks for. Errors shrink about as counts grow.
    std::vector<TreeNode> flat_level() {
        std::uint32_t count = std::min<std::uint32_t>(8, options_.branch);
        for (;;) {
            std::vector<TreeNode> level = whole_surface(count);
            if (errors_small_enough(level) || count >= options_.branch || progress_.cancelled()) {
                child_counts_.push_back({static_cast<std::uint32_t>(level.size())});
                return level;
            }
            double needed = 0.0;
            for (const TreeNode& node : level)
                needed += std::clamp(std::ceil(node.error / options_.max_error), 1.0, 8.0);
            count = static_cast<std::uint32_t>(std::clamp(needed, count + 1.0, double(options_.branch)));
        }
    }

    /// Also computes the errors of the level, if there is a largest one that is asked for.
    bool errors_small_enough(std::vector<TreeNode>& level) {
        if (!(options_.max_error > 0.0)) return false;
        bound_level(level);
        return std::all_of(level.begin(), level.end(),
                           [&](const TreeNode& node) { return node.error <= options_.max_error; });
    }

    static void release(std::vector<TreeNode>& level) {
        for (TreeNode& node : level) {
            node.pieces = {};
            node.medial = {};
            node.octant = {};
        }
    }

    /// Errors that are known stay as they are.
    void bound_level(std::vector<TreeNode>& level) {
        bound_errors({query_, solid_}, levels_.front().front().ball.radius, level, progress_);
    }

    /// Only the leaves promise volume: growing them breaks no promise of the levels above.
    void fill_last_level() {
        std::vector<Ball> balls;
        for (const TreeNode& node : levels_.back()) balls.push_back(covering_ball(node.ball, context_.gap));
        cover_volume({solid_, query_.boxes()}, balls);
        for (std::size_t i = 0; i < balls.size(); ++i) {
            TreeNode& node = levels_.back()[i];
            if (balls[i].radius > covering_ball(node.ball, context_.gap).radius) {
                node.ball = round_outward(sphere_to_cover(balls[i], context_.gap), context_.slack);
                node.error = -1.0;
            }
        }
    }

    // ---- result ----

    std::vector<Finding> findings() const {
        std::vector<Finding> found;
        if (solid_.kind() == SolidKind::kCapped)
            found.push_back({"T01", Severity::kInfo, "holes filled", solid_.holes(),
                             std::to_string(solid_.holes()) +
                                 " holes count as filled for what spheres are measured from, the longest "
                                 "with a boundary of " +
                                 number_text(static_cast<float>(solid_.longest_hole())) +
                                 "; the triangles are as they were (see --sphere-solid)"});
        if (options_.method == SphereMethod::kHubbard && medial_.inner_vertices == 0)
            found.push_back({"T02", Severity::kInfo, "no medial axis", medial_.samples.size(),
                             "no Voronoi vertex of " + std::to_string(medial_.samples.size()) +
                                 " samples lies inside the solid: spheres are merged from those at samples"});
        return found;
    }

    SphereTree assemble() {
        SphereTree tree;
        tree.dag = options_.dag;
        tree.method = options_.method;
        tree.branch = options_.branch;
        tree.certificate.gap = static_cast<float>(options_.gap);
        tree.solid = solid_.kind();
        if (solid_.kind() == SolidKind::kCapped) tree.filling = round_up(solid_.filling() * kFillingMargin);
        tree.findings = findings();
        append_spheres(levels_, tree);
        // By what is there in the end: the last level that is allowed may reach the error, too.
        tree.limit = errors_small_enough(levels_.back()) ? SphereLimit::kError : SphereLimit::kCount;
        if (options_.dag)
            link_dag(context_, levels_, tree);
        else
            link_tree(child_counts_, tree);
        list_leaf_triangles(context_, levels_, tree);
        if (options_.coverage == CoveragePolicy::kFull && !options_.dag)
            share_children(context_.mesh, boxes_, tree);
        return tree;
    }

    Result<SphereTree> prove(SphereTree tree) {
        progress_.begin_stage("coverage proof", 1);
        tree.certificate.policy = options_.coverage;
        if (options_.coverage != CoveragePolicy::kSampled) {
            SphereTreeSpans view = view_of(tree);
            view.volume = options_.cover_volume && solid_.has_inside();
            const SolidVolume volume{solid_, query_.boxes()};
            const Result<CoverageReport> report =
                check_sphere_coverage({solid_.surface(), boxes_, &volume}, view, tree.leaf_triangles);
            if (!report) return report.error();
            if (!report.value().proved) {
                return Error{ErrorKind::kInternal,
                             "sphere tree: level " + std::to_string(report.value().level) +
                                 " leaves triangle " + std::to_string(report.value().triangle) +
                                 " uncovered below sphere " + std::to_string(report.value().sphere)};
            }
            tree.certificate.proved = true;
            tree.certificate.volume_proved = report.value().volume_proved;
        }
        progress_.advance();
        return tree;
    }

    SphereTreeOptions options_;
    Progress& progress_;
    Solid solid_;
    SurfaceQuery query_;
    std::optional<TriangleBoxes> own_boxes_;
    const TriangleBoxes& boxes_;
    SplitContext context_;
    MedialSet medial_;
    NodeLevels levels_;
    std::size_t tried_ = 0;  ///< a set of this number was no better than the last level
    std::vector<std::vector<std::uint32_t>> child_counts_;
};

}  // namespace

Result<SphereTree> build_sphere_tree(const TriangleMesh& mesh, const SphereTreeOptions& options,
                                     Progress& progress) {
    if (auto problem = option_problem(mesh, options)) return *problem;
    Result<Solid> solid = Solid::of(mesh, options.solid);
    if (!solid) return Error{solid.error().kind, "sphere tree: " + solid.error().message};
    return TreeBuilder(mesh, std::move(solid).value(), options, progress).run();
}

}  // namespace espalier
