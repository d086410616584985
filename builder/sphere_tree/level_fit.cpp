// SPDX-License-Identifier: GPL-3.0-or-later
// First each sphere's children cover what is nearest to it. Then sphere by sphere, those that are far from
// each other at a time, children let go what neighbours' children hold anyway and use their freedom to fit
// better.
#include "builder/sphere_tree/level_fit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "builder/sphere_tree/level_statistics.h"
#include "builder/sphere_tree/region.h"
#include "builder/sphere_tree/share_out.h"

namespace espalier {
namespace {

using Eigen::Vector3d;

/// Where a level has more spheres than this by the square of their children, sketches would take too much
/// memory.
constexpr std::size_t kMostSketched = std::size_t(1) << 20;

/// A sphere gets up to so many times the mean number of children in the end.
constexpr std::uint32_t kMostChildren = 4;
/// The error that costs as much as a ball's volume, in mean errors: what is above must pay.
constexpr double kUsualError = 1.8;
/// Ways to begin with the root's children, where there are 8 of them and the surface has few pieces.
constexpr std::uint32_t kStarts = 16;
constexpr double kUsualPieces = 8000.0;
/// What the largest error counts against the volume outside, when sets are compared: as a power.
constexpr double kErrorWeight = 0.7;
/// Columns along one side for the volume of a set that is compared with others.
constexpr int kScoreColumns = 96;

bool in_chain(const Piece& piece, const Chain& chain, double slack) {
    return std::all_of(chain.begin(), chain.end(), [&](const Ball& ball) {
        return piece_in_ball(piece, ball.center, ball.radius - slack);
    });
}

class LevelFit {
  public:
    LevelFit(const SplitContext& context, const std::vector<TreeNode>& above,
             const std::vector<std::uint8_t>& small_enough, std::uint32_t level, Progress& progress,
             std::uint32_t branch)
        : context_(context),
          above_(above),
          small_enough_(small_enough),
          level_(level),
          progress_(progress),
          branch_(branch),
          children_(above.size()),
          near_(above.size()) {
        for (std::size_t i = 0; i < above_.size(); ++i) {
            for (std::size_t k = 0; k < above_.size(); ++k) {
                const double reach = above_[i].ball.radius + above_[k].ball.radius;
                if (k != i && (above_[i].ball.center - above_[k].ball.center).norm() < reach) {
                    near_[i].push_back(k);
                }
            }
        }
    }

    std::vector<std::vector<TreeNode>> run() {
        if (above_.size() == 1) {
            fit_alone();
        } else {
            share_out_children();
            tbb::parallel_for(std::size_t(0), above_.size(), [&](std::size_t i) {
                fit(i, {rivals_of(i), sketch_[i], 0, price_, false, thorough()});
                progress_.advance();
            });
            groups_ = far_apart();
            lower_price();
            for (std::uint32_t round = 0; round < 1 + 3 * context_.options.effort; ++round) {
                refit(rebalance());
            }
            if (thorough()) {
                refit(std::vector<std::uint8_t>(above_.size(), 1));
                for (int round = 0; round < 2; ++round) {
                    refit(rebalance());
                }
            }
        }
        return nodes();
    }

  private:
    /// There are few spheres on the upper levels, and all that is below depends on them.
    bool thorough() const { return context_.options.effort > (level_ <= 2 ? 0U : 1U); }

    /// Some spheres' children once more, against what the others have.
    void refit(const std::vector<std::uint8_t>& which) {
        for (const std::vector<std::size_t>& group : groups_) {
            tbb::parallel_for(std::size_t(0), group.size(), [&](std::size_t k) {
                const std::size_t i = group[k];
                if (which[i] != 0) {
                    fit(i, {others_of(i), children_[i].balls, 0, price_, true, true});
                }
            });
        }
    }

    /// Children go from where they are missed least to where they are needed most.
    std::vector<std::uint8_t> rebalance() {
        std::vector<std::uint8_t> changed(above_.size(), 0);
        std::size_t used = 0;
        std::vector<std::size_t> takers, givers;
        for (std::size_t i = 0; i < above_.size(); ++i) {
            used += std::max<std::size_t>(1, children_[i].balls.size());
            allowed_[i] = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(children_[i].balls.size()));
            if (!idle(i)) {
                if (allowed_[i] < kMostChildren * branch_) {
                    takers.push_back(i);
                }
                if (allowed_[i] > 1) {
                    givers.push_back(i);
                }
            }
        }
        std::stable_sort(takers.begin(), takers.end(),
                         [&](std::size_t a, std::size_t b) { return children_[a].gain > children_[b].gain; });
        std::stable_sort(givers.begin(), givers.end(),
                         [&](std::size_t a, std::size_t b) { return children_[a].loss < children_[b].loss; });
        auto free = static_cast<std::size_t>(std::pow(double(branch_), double(level_)));
        free = free > used ? free - used : 0;
        std::size_t giver = 0;
        for (const std::size_t i : takers) {
            if (free > 0) {
                --free;
            } else if (giver < givers.size() && children_[givers[giver]].loss < 0.9 * children_[i].gain) {
                changed[givers[giver]] = 1;
                --allowed_[givers[giver++]];
            } else {
                break;
            }
            changed[i] = 1;
            ++allowed_[i];
        }
        return changed;
    }

    bool idle(std::size_t i) const { return small_enough_[i] != 0 || progress_.cancelled(); }

    /// Before there are children, a sphere answers for what is nearer to it, in radii, than to any other.
    std::vector<Taken> rivals_of(std::size_t i) const {
        std::vector<Taken> rivals;
        for (const std::size_t k : near_[i]) {
            rivals.push_back({above_[k].chain, true});
        }
        return rivals;
    }

    /// What the children of neighbours hold.
    std::vector<Taken> others_of(std::size_t i) const {
        std::vector<Taken> others;
        const Ball& ball = above_[i].ball;
        for (const std::size_t k : near_[i]) {
            for (const Ball& child : children_[k].balls) {
                if ((child.center - ball.center).norm() < child.radius + ball.radius) {
                    Taken taken{{child}, false};
                    taken.chain.insert(taken.chain.end(), above_[k].chain.begin(), above_[k].chain.end());
                    others.push_back(std::move(taken));
                }
            }
        }
        return others;
    }

    /// As many as K for each, together, to where they help most, and K / 2 to 2 K for one. Fewer would leave
    /// errors as they are.
    void share_out_children() {
        allowed_.assign(above_.size(), branch_);
        sketch_.resize(above_.size());
        if (above_.size() * branch_ * branch_ > kMostSketched) {
            return;
        }
        const std::uint32_t most = kMostShare * branch_;
        std::vector<std::vector<Sketch>> possible(above_.size(), std::vector<Sketch>(most));
        tbb::parallel_for(std::size_t(0), above_.size(), [&](std::size_t i) {
            if (!idle(i)) {
                possible[i] = sketch_children(context_, above_[i], most, level_, rivals_of(i));
            }
        });
        // What errors cost follows from how large they are when they cost nothing.
        const auto total = static_cast<std::size_t>(std::pow(double(branch_), double(level_)));
        for (int round = 0; round < 2; ++round) {
            std::vector<std::vector<double>> costs(above_.size());
            for (std::size_t i = 0; i < above_.size(); ++i) {
                for (const Sketch& sketch : possible[i]) {
                    costs[i].push_back(sketch.cost + price_of(sketch.balls));
                }
            }
            allowed_ = share_out(costs, std::max(1U, branch_ / 4), total);
            double cost = 0.0;
            for (std::size_t i = 0; i < above_.size(); ++i) {
                sketch_[i] = possible[i][allowed_[i] - 1].balls;
                cost += possible[i][allowed_[i] - 1].cost;
            }
            if (round == 0) {
                set_price(sketch_, cost);
            }
        }
    }

    double price_of(const std::vector<Ball>& balls) const {
        double sum = 0.0;
        for (const Ball& ball : balls) {
            sum += price_.usual > 0.0 ? price_.of(context_.distances->bulge(ball)) : 0.0;
        }
        return sum;
    }

    double mean_bulge(const std::vector<std::vector<Ball>>& sets) const {
        double sum = 0.0;
        double count = 0.0;
        for (const std::vector<Ball>& balls : sets) {
            for (const Ball& ball : balls) {
                sum += context_.distances->bulge(ball);
                count += 1.0;
            }
        }
        return count > 0.0 ? sum / count : 0.0;
    }

    /// A ball's cost is what `cost`, that of all balls in the sets, is on average.
    void set_price(const std::vector<std::vector<Ball>>& sets, double cost) {
        double count = 0.0;
        for (const std::vector<Ball>& balls : sets) {
            count += double(balls.size());
        }
        if (count > 0.0) {
            price_ = {std::max(kUsualError * mean_bulge(sets), context_.distances->width()), cost / count};
        }
    }

    /// Fits stick out less than sketches.
    void lower_price() {
        std::vector<std::vector<Ball>> sets;
        for (const FitResult& result : children_) {
            sets.push_back(result.balls);
        }
        price_.usual = std::clamp(kUsualError * mean_bulge(sets), context_.distances->width(),
                                  std::max(price_.usual, context_.distances->width()));
    }

    /// The root's children: the best of several starts, each with errors free and with their price. All that
    /// is below depends on them, and which start leads to the best set cannot be foreseen.
    void fit_alone() {
        allowed_.assign(1, branch_);
        sketch_.resize(1);
        if (idle(0)) {
            fit(0, {});
            return;
        }
        const double usual = 8.0 * kUsualPieces / (double(branch_) * double(root_pieces(context_)));
        const auto starts = static_cast<std::uint32_t>(
            std::clamp(context_.options.effort * kStarts * usual, 1.0, double(kStarts)));
        std::vector<FitResult> found(starts);
        std::vector<std::pair<double, std::uint32_t>> order(starts);
        tbb::parallel_for(std::uint32_t(0), starts, [&](std::uint32_t k) {
            found[k] = fit_children(context_, above_[0], branch_, level_, {{}, {}, k, {}, false, true});
            order[k] = {score(found[k].balls), k};
        });
        std::sort(order.begin(), order.end());
        const FitResult& best = found[order.front().second];
        set_price({best.balls}, best.cost);
        const std::size_t priced = (starts + 1) / 2;
        tbb::parallel_for(std::size_t(0), priced, [&](std::size_t k) {
            FitResult& result = found[order[k].second];
            const FitResult other =
                fit_children(context_, above_[0], branch_, level_, {{}, result.balls, 0, price_, true, true});
            const double score_here = score(other.balls);
            if (score_here < order[k].first) {
                order[k].first = score_here;
                result = other;
            }
        });
        children_[0] = found[std::min_element(order.begin(), order.end())->second];
        progress_.advance();
    }

    /// Volume outside and largest error count alike.
    double score(const std::vector<Ball>& balls) const {
        double most = 0.0;
        for (const Ball& ball : balls) {
            most = std::max(most, context_.distances->bulge(ball));
        }
        return union_volumes(balls, context_.inside, kScoreColumns).outside * std::pow(most, kErrorWeight);
    }

    void fit(std::size_t i, ChildSearch search) {
        if (idle(i)) {
            children_[i] = {{above_[i].ball}, 0.0, 0.0, std::numeric_limits<double>::infinity()};
            return;
        }
        children_[i] = fit_children(context_, above_[i], allowed_[i], level_, std::move(search));
    }

    /// Groups of spheres that do not meet: what one does is nothing to the others.
    std::vector<std::vector<std::size_t>> far_apart() const {
        std::vector<std::size_t> color(above_.size(), 0);
        std::vector<std::vector<std::size_t>> groups;
        for (std::size_t i = 0; i < above_.size(); ++i) {
            std::vector<std::uint8_t> used(groups.size() + 1, 0);
            for (const std::size_t k : near_[i]) {
                if (k < i) {
                    used[color[k]] = 1;
                }
            }
            color[i] = static_cast<std::size_t>(std::find(used.begin(), used.end(), 0) - used.begin());
            groups.resize(std::max(groups.size(), color[i] + 1));
            groups[color[i]].push_back(i);
        }
        return groups;
    }

    std::vector<std::vector<TreeNode>> nodes() {
        std::vector<Family> families(above_.size());
        for (std::size_t i = 0; i < above_.size(); ++i) {
            families[i] = {above_[i].chain, std::move(children_[i].balls),
                           smallest_piece(context_, above_[i].ball, allowed_[i])};
            if (families[i].children.empty()) {
                families[i].children = {idle_child(context_, above_[i].ball)};
            }
        }
        if (context_.options.coverage != CoveragePolicy::kSampled) {
            cover_level(context_.mesh, context_.boxes, families, context_.slack);
        }
        std::vector<std::vector<TreeNode>> nodes(above_.size());
        for (std::size_t i = 0; i < above_.size(); ++i) {
            for (const Ball& ball : families[i].children) {
                TreeNode node;
                node.ball = round_outward(ball, context_.slack);
                node.chain = {node.ball};
                node.chain.insert(node.chain.end(), above_[i].chain.begin(), above_[i].chain.end());
                nodes[i].push_back(std::move(node));
            }
        }
        return nodes;
    }

    const SplitContext& context_;
    const std::vector<TreeNode>& above_;
    const std::vector<std::uint8_t>& small_enough_;
    std::uint32_t level_;
    Progress& progress_;
    std::uint32_t branch_;
    std::vector<FitResult> children_;
    std::vector<std::vector<std::size_t>> near_;  ///< spheres of the level above that meet each one
    std::vector<std::uint32_t> allowed_;
    std::vector<std::vector<Ball>> sketch_;
    ErrorPrice price_;
    std::vector<std::vector<std::size_t>> groups_;  ///< of spheres that do not meet
};

/// One triangle's part in cover_level.
class TriangleCover {
  public:
    TriangleCover(std::vector<Family>& families, double slack) : families_(families), slack_(slack) {}

    void cover(const Piece& triangle, const std::vector<std::uint32_t>& near) { visit(triangle, near, 0); }

  private:
    void visit(const Piece& piece, const std::vector<std::uint32_t>& near, int depth) {
        std::vector<std::uint32_t> holders;
        std::vector<std::uint32_t> reached;
        double smallest = std::numeric_limits<double>::infinity();
        for (const std::uint32_t f : near) {
            const Family& family = families_[f];
            if (in_chain(piece, family.chain, slack_)) {
                if (std::any_of(family.children.begin(), family.children.end(), [&](const Ball& ball) {
                        return piece_in_ball(piece, ball.center, ball.radius - slack_);
                    })) {
                    return;
                }
                holders.push_back(f);
                smallest = std::min(smallest, family.smallest_piece);
            }
            if (std::none_of(family.chain.begin(), family.chain.end(), [&](const Ball& ball) {
                    return piece_outside_ball(piece, ball.center, ball.radius + slack_);
                })) {
                reached.push_back(f);
            }
        }
        if (!holders.empty() && longest_edge_squared(piece) <= smallest * smallest) {
            grow(piece, holders);
            return;
        }
        if (depth >= kMaxBisections) {
            return;  // the proof will say so
        }
        for (const Piece& half : bisect(piece)) {
            visit(half, reached, depth + 1);
        }
    }

    void grow(const Piece& piece, const std::vector<std::uint32_t>& holders) {
        Ball* best = nullptr;
        double least = std::numeric_limits<double>::infinity();
        for (const std::uint32_t f : holders) {
            for (Ball& ball : families_[f].children) {
                const double needed = farthest_corner(piece, ball.center);
                const double growth = needed * needed * needed - ball.radius * ball.radius * ball.radius;
                if (growth < least) {
                    least = growth;
                    best = &ball;
                }
            }
        }
        best->radius =
            std::max(best->radius, farthest_corner(piece, best->center) * (1.0 + 1e-12) + 2.0 * slack_);
    }

    std::vector<Family>& families_;
    double slack_;
};

}  // namespace

void cover_level(const TriangleMesh& mesh, const TriangleBoxes& boxes, std::vector<Family>& families,
                 double slack) {
    std::vector<std::vector<std::uint32_t>> near(mesh.triangles.size());
    for (std::uint32_t f = 0; f < families.size(); ++f) {
        if (families[f].chain.empty()) {
            for (auto& list : near) {
                list.push_back(f);
            }
            continue;
        }
        const Ball& ball = families[f].chain.front();
        for (const std::uint32_t t : boxes.near_ball(ball.center, ball.radius + slack)) {
            near[t].push_back(f);
        }
    }
    TriangleCover cover(families, slack);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        cover.cover(whole_triangle(mesh, t), near[t]);
    }
}

std::vector<std::vector<TreeNode>> fit_level(const SplitContext& context, const std::vector<TreeNode>& above,
                                             const std::vector<std::uint8_t>& small_enough,
                                             std::uint32_t level, Progress& progress, std::uint32_t branch) {
    return LevelFit(context, above, small_enough, level, progress, branch).run();
}

}  // namespace espalier
