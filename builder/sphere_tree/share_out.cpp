// SPDX-License-Identifier: GPL-3.0-or-later
// Greedy sharing along convex envelopes.
#include "builder/sphere_tree/share_out.h"

#include <algorithm>

namespace espalier {
namespace {

/// What each step from n to n + 1 saves along the lower convex envelope from `least` on: never more than the
/// step before.
std::vector<double> savings(const std::vector<double>& costs, std::size_t least) {
    std::vector<double> steps;
    for (std::size_t from = least - 1; from + 1 < costs.size();) {
        std::size_t to = from + 1;
        double best = costs[from] - costs[to];
        for (std::size_t n = from + 2; n < costs.size(); ++n) {
            const double mean = (costs[from] - costs[n]) / static_cast<double>(n - from);
            if (mean > best) {
                best = mean;
                to = n;
            }
        }
        steps.insert(steps.end(), to - from, best);
        from = to;
    }
    return steps;
}

}  // namespace

std::vector<std::uint32_t> share_out(const std::vector<std::vector<double>>& costs, std::uint32_t least,
                                     std::size_t total) {
    struct Step {
        double saving;
        std::size_t share;
    };
    std::vector<Step> steps;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        for (const double saving : savings(costs[i], least)) {
            steps.push_back({saving, i});
        }
    }
    std::stable_sort(steps.begin(), steps.end(),
                     [](const Step& a, const Step& b) { return a.saving > b.saving; });
    std::vector<std::uint32_t> shares(costs.size(), least);
    const std::size_t given = least * costs.size();
    const std::size_t left = total > given ? total - given : 0;
    for (std::size_t k = 0; k < std::min(left, steps.size()); ++k) {
        ++shares[steps[k].share];
    }
    return shares;
}

}  // namespace espalier
