// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/sphere_tree/share_out.h"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

namespace espalier {
namespace {

using Costs = std::vector<std::vector<double>>;

double cost_of(const Costs& costs, const std::vector<std::uint32_t>& shares) {
    double sum = 0.0;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        sum += costs[i][shares[i] - 1];
    }
    return sum;
}

TEST(ShareOut, givesMoreToTheShareThatSavesMore) {
    EXPECT_EQ(share_out({{8, 4, 2, 1}, {1, 0.5, 0.25, 0.1}}, 1, 5), (std::vector<std::uint32_t>{4, 1}));
}

TEST(ShareOut, givesAtLeastOneAndAtMostWhatThereAreCostsFor) {
    EXPECT_EQ(share_out({{9, 0}, {5, 5}, {3, 3}}, 1, 1), (std::vector<std::uint32_t>{1, 1, 1}));
    EXPECT_EQ(share_out({{9, 0}, {5, 5}}, 1, 100), (std::vector<std::uint32_t>{2, 2}));
}

TEST(ShareOut, looksBeyondAStepThatSavesNothing) {
    // The second ball alone does not help the first share, but three do.
    EXPECT_EQ(share_out({{9, 9, 0}, {4, 3, 2}}, 1, 4), (std::vector<std::uint32_t>{3, 1}));
}

TEST(ShareOut, isTheBestOfAllWaysForConvexCosts) {
    constexpr std::uint64_t kSeed = 7;
    std::mt19937_64 engine(kSeed);
    for (int round = 0; round < 200; ++round) {
        Costs costs(3, std::vector<double>(5));
        for (auto& curve : costs) {
            double saving = 16.0;
            curve[0] = 64.0;
            for (std::size_t n = 1; n < curve.size(); ++n) {
                saving = static_cast<double>(engine() % (static_cast<std::uint64_t>(saving) + 1));
                curve[n] = curve[n - 1] - saving;
            }
        }
        const std::uint32_t least = 1 + static_cast<std::uint32_t>(engine() % 2);
        const std::size_t total = 3 * least + engine() % 13;
        const auto shares = share_out(costs, least, total);
        EXPECT_EQ(std::accumulate(shares.begin(), shares.end(), std::size_t(0)),
                  std::min<std::size_t>(total, 15));
        double best = std::numeric_limits<double>::infinity();
        for (std::uint32_t a = least; a <= 5; ++a) {
            for (std::uint32_t b = least; b <= 5; ++b) {
                for (std::uint32_t c = least; c <= 5 && a + b + c <= total; ++c) {
                    best = std::min(best, cost_of(costs, {a, b, c}));
                }
            }
        }
        EXPECT_EQ(cost_of(costs, shares), best) << "seed " << kSeed << " round " << round;
    }
}

}  // namespace
}  // namespace espalier
