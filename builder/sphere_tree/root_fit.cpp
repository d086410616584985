// SPDX-License-Identifier: GPL-3.0-or-later
// Which start leads to the best set cannot be foreseen: several, each with errors free and the better half
// with their price as well.
#include "builder/sphere_tree/root_fit.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "builder/sphere_tree/error_price.h"

namespace espalier {
namespace {

/// Starts where there are 8 balls and the surface has few pieces.
constexpr double kStarts = 16.0;
constexpr double kFewPieces = 8000.0;

struct Found {
    double score = 0.0;
    std::uint32_t start = 0;
    FitResult fit;

    bool operator<(const Found& other) const {
        return std::tie(score, start) < std::tie(other.score, other.start);
    }
};

}  // namespace

std::vector<Ball> fit_root(const SplitContext& context, std::uint32_t branch, std::uint32_t level) {
    const TreeNode root = root_node(context);
    const double work = double(branch) / 8.0 * double(root_pieces(context)) / kFewPieces;
    const auto starts =
        static_cast<std::uint32_t>(std::clamp(context.options.effort * kStarts / work, 1.0, kStarts));
    const auto search = [&](Found& found, ChildSearch how) {
        found.fit = fit_children(context, root, branch, level, std::move(how));
        found.score = score(*context.distances, context.inside, found.fit.balls);
    };
    std::vector<Found> found(starts);
    tbb::parallel_for(std::uint32_t(0), starts, [&](std::uint32_t k) {
        ChildSearch how;
        how.start_kind = k;
        found[k].start = k;
        search(found[k], std::move(how));
    });
    std::sort(found.begin(), found.end());
    const ErrorPrice price =
        price_for(*context.distances, {&found.front().fit.balls, 1}, found.front().fit.cost);
    std::vector<Found> priced((starts + 1) / 2);
    tbb::parallel_for(std::size_t(0), priced.size(), [&](std::size_t k) {
        ChildSearch how;
        how.start = found[k].fit.balls;
        how.settled = true;
        how.price = price;
        priced[k].start = found[k].start;
        search(priced[k], std::move(how));
    });
    return std::min(found.front(), *std::min_element(priced.begin(), priced.end())).fit.balls;
}

}  // namespace espalier
