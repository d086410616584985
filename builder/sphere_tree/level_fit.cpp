// SPDX-License-Identifier: GPL-3.0-or-later
// First each sphere's children cover what is nearest to it. Then children go from where they are missed least
// to where they are needed most, and the children of those spheres are fitted again: they let go what
// neighbours' children hold anyway, and use their freedom to fit better.
#include "builder/sphere_tree/level_fit.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "builder/sphere_tree/cover_level.h"
#include "builder/sphere_tree/error_price.h"
#include "builder/sphere_tree/region.h"
#include "builder/sphere_tree/share_out.h"

namespace espalier {
namespace {

/// Where a level has more spheres than this by the square of their children, sketches would take too much
/// memory.
constexpr std::size_t kMostSketched = std::size_t(1) << 20;
/// A child goes elsewhere only if that promises to save so many times what it costs.
constexpr double kWorthMoving = 1.1;

void cover(const SplitContext& context, std::vector<Family>& families) {
    if (context.options.coverage != CoveragePolicy::kSampled) {
        cover_level(context.mesh, context.boxes, families, context.slack);
    }
}

Families nodes_of(const SplitContext& context, const std::vector<Family>& families) {
    Families nodes(families.size());
    for (std::size_t i = 0; i < families.size(); ++i) {
        for (const Ball& ball : families[i].children) {
            TreeNode node;
            node.ball = round_outward(ball, context.slack);
            node.chain = {node.ball};
            node.chain.insert(node.chain.end(), families[i].chain.begin(), families[i].chain.end());
            nodes[i].push_back(std::move(node));
        }
    }
    return nodes;
}

class LevelFit {
  public:
    LevelFit(const SplitContext& context, const std::vector<TreeNode>& above,
             const std::vector<std::uint8_t>& small_enough, std::uint32_t level, Progress& progress)
        : context_(context),
          above_(above),
          small_enough_(small_enough),
          level_(level),
          progress_(progress),
          most_(static_cast<std::size_t>(std::pow(double(context.options.branch), double(level)))),
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

    Families run() {
        share_out_children();
        std::vector<std::size_t> all(above_.size());
        std::iota(all.begin(), all.end(), std::size_t(0));
        largest_first(all, [&](std::size_t i) {
            ChildSearch search;
            search.taken = rivals_of(i);
            search.start = sketch_[i];
            search.price = price_;
            search.exchange = thorough();
            fit(i, std::move(search));
            progress_.advance();
        });
        price_ = lowered(price_, *context_.distances, children_sets());
        rebalance(1 + 3 * context_.options.effort);
        if (thorough()) {
            refit(std::vector<std::uint8_t>(above_.size(), 1));
            rebalance(2);
        }
        return finished();
    }

  private:
    /// There are few spheres on the upper levels, and all that is below depends on them.
    bool thorough() const { return context_.options.effort > (level_ <= 2 ? 0U : 1U); }

    bool idle(std::size_t i) const { return small_enough_[i] != 0 || progress_.cancelled(); }

    /// Calls `work` for each of some spheres that are nothing to each other, on all threads. Those with many
    /// children take longest, and nobody should wait for one at the end.
    template <class Work>
    void largest_first(std::vector<std::size_t> spheres, Work work) const {
        std::stable_sort(spheres.begin(), spheres.end(),
                         [&](std::size_t a, std::size_t b) { return allowed_[a] > allowed_[b]; });
        std::atomic<std::size_t> next = 0;
        const auto threads = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
        tbb::parallel_for(
            std::size_t(0), std::min(threads, spheres.size()), std::size_t(1),
            [&](std::size_t) {
                for (std::size_t k = next++; k < spheres.size(); k = next++) {
                    work(spheres[k]);
                }
            },
            tbb::simple_partitioner());
    }

    // ---- what is whose ----

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

    std::vector<std::vector<Ball>> children_sets() const {
        std::vector<std::vector<Ball>> sets;
        for (const FitResult& result : children_) {
            sets.push_back(result.balls);
        }
        return sets;
    }

    /// Some spheres in groups that do not meet: what one does is nothing to the others of its group.
    std::vector<std::vector<std::size_t>> far_apart(const std::vector<std::uint8_t>& which) const {
        std::vector<std::size_t> color(above_.size(), 0);
        std::vector<std::vector<std::size_t>> groups;
        for (std::size_t i = 0; i < above_.size(); ++i) {
            if (which[i] == 0) {
                continue;
            }
            std::vector<std::uint8_t> used(groups.size() + 1, 0);
            for (const std::size_t k : near_[i]) {
                if (k < i && which[k] != 0) {
                    used[color[k]] = 1;
                }
            }
            color[i] = static_cast<std::size_t>(std::find(used.begin(), used.end(), 0) - used.begin());
            groups.resize(std::max(groups.size(), color[i] + 1));
            groups[color[i]].push_back(i);
        }
        return groups;
    }

    // ---- how many are whose ----

    /// As many as K for each, together, to where they help most by sketches. A sphere has at least a few:
    /// sketches are rough.
    void share_out_children() {
        const std::uint32_t branch = context_.options.branch;
        allowed_.assign(above_.size(), branch);
        sketch_.resize(above_.size());
        if (above_.size() * branch * branch > kMostSketched) {
            return;
        }
        const std::uint32_t most = kMostShare * branch;
        std::vector<std::vector<Sketch>> possible(above_.size(), std::vector<Sketch>(most));
        tbb::parallel_for(std::size_t(0), above_.size(), [&](std::size_t i) {
            if (!idle(i)) {
                possible[i] = sketch_children(context_, above_[i], most, level_, rivals_of(i));
            }
        });
        // What errors cost follows from how large they are when they cost nothing.
        const double cost = choose_sketches(possible);
        price_ = price_for(*context_.distances, sketch_, cost);
        choose_sketches(possible);
    }

    /// Returns what the chosen ones cost by volume.
    double choose_sketches(const std::vector<std::vector<Sketch>>& possible) {
        std::vector<std::vector<double>> costs(above_.size());
        for (std::size_t i = 0; i < above_.size(); ++i) {
            for (const Sketch& sketch : possible[i]) {
                double cost = sketch.cost;
                for (const Ball& ball : sketch.balls) {
                    cost += price_.usual > 0.0 ? price_.of(context_.distances->bulge(ball)) : 0.0;
                }
                costs[i].push_back(cost);
            }
        }
        allowed_ = share_out(costs, std::max(1U, context_.options.branch / 4), most_);
        double cost = 0.0;
        for (std::size_t i = 0; i < above_.size(); ++i) {
            const Sketch& chosen = possible[i][allowed_[i] - 1];
            sketch_[i] = chosen.balls;
            cost += chosen.cost;
        }
        return cost;
    }

    void rebalance(std::uint32_t rounds) {
        for (std::uint32_t round = 0; round < rounds && !progress_.cancelled(); ++round) {
            refit(moved_children());
        }
    }

    /// Changes what is allowed by one at most, and says where.
    std::vector<std::uint8_t> moved_children() {
        std::vector<std::uint8_t> changed(above_.size(), 0);
        std::vector<std::size_t> takers;
        std::vector<std::size_t> givers;
        std::size_t used = 0;
        for (std::size_t i = 0; i < above_.size(); ++i) {
            allowed_[i] = std::max(1U, static_cast<std::uint32_t>(children_[i].balls.size()));
            used += allowed_[i];
            if (!idle(i) && allowed_[i] < kMostChildren * context_.options.branch) {
                takers.push_back(i);
            }
            if (!idle(i) && allowed_[i] > 1) {
                givers.push_back(i);
            }
        }
        std::stable_sort(takers.begin(), takers.end(),
                         [&](std::size_t a, std::size_t b) { return children_[a].gain > children_[b].gain; });
        std::stable_sort(givers.begin(), givers.end(),
                         [&](std::size_t a, std::size_t b) { return children_[a].loss < children_[b].loss; });
        std::size_t free = most_ > used ? most_ - used : 0;
        auto giver = givers.begin();
        for (const std::size_t taker : takers) {
            if (free > 0) {
                --free;
            } else if (giver != givers.end() && changed[taker] == 0 &&
                       kWorthMoving * children_[*giver].loss < children_[taker].gain) {
                changed[*giver] = 1;
                --allowed_[*giver++];
            } else {
                break;
            }
            changed[taker] = 1;
            ++allowed_[taker];
        }
        return changed;
    }

    // ---- fits ----

    void fit(std::size_t i, ChildSearch search) {
        if (idle(i)) {
            children_[i] = {{above_[i].ball}, 0.0, 0.0, std::numeric_limits<double>::infinity()};
            return;
        }
        children_[i] = fit_children(context_, above_[i], allowed_[i], level_, std::move(search));
    }

    /// Some spheres' children once more, against what the others have.
    void refit(const std::vector<std::uint8_t>& which) {
        for (const std::vector<std::size_t>& group : far_apart(which)) {
            largest_first(group, [&](std::size_t i) {
                ChildSearch search;
                search.taken = others_of(i);
                search.start = children_[i].balls;
                search.settled = true;
                search.price = price_;
                const FitResult before = children_[i];
                fit(i, std::move(search));
                if (before.balls.size() == allowed_[i] && before.cost <= children_[i].cost) {
                    children_[i] = before;  // it can be had for less
                }
            });
        }
    }

    Families finished() {
        std::vector<Family> families(above_.size());
        for (std::size_t i = 0; i < above_.size(); ++i) {
            families[i] = {above_[i].chain, std::move(children_[i].balls),
                           smallest_piece(context_, above_[i].ball, allowed_[i])};
            if (families[i].children.empty()) {
                families[i].children = {idle_child(context_, above_[i].ball)};
            }
        }
        cover(context_, families);
        return nodes_of(context_, families);
    }

    const SplitContext& context_;
    const std::vector<TreeNode>& above_;
    const std::vector<std::uint8_t>& small_enough_;
    std::uint32_t level_;
    Progress& progress_;
    std::size_t most_;  ///< spheres of the level
    std::vector<FitResult> children_;
    std::vector<std::vector<std::size_t>> near_;  ///< spheres of the level above that meet each one
    std::vector<std::uint32_t> allowed_;
    std::vector<std::vector<Ball>> sketch_;
    ErrorPrice price_;
};

}  // namespace

Families fit_level(const SplitContext& context, const std::vector<TreeNode>& above,
                   const std::vector<std::uint8_t>& small_enough, std::uint32_t level, Progress& progress) {
    return LevelFit(context, above, small_enough, level, progress).run();
}

std::vector<TreeNode> cover_root(const SplitContext& context, std::vector<Ball> balls) {
    const Ball root = root_node(context).ball;
    if (balls.empty()) {
        balls.push_back(root);
    }
    std::vector<Family> families(1);
    families[0].smallest_piece = smallest_piece(context, root, static_cast<std::uint32_t>(balls.size()));
    families[0].children = std::move(balls);
    cover(context, families);
    return nodes_of(context, families).front();
}

}  // namespace espalier
