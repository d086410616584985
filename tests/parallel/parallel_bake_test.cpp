// SPDX-License-Identifier: GPL-3.0-or-later
// A bake of every hierarchy on many threads.
#include <gtest/gtest.h>

#include "tests/parallel/all_trees.h"

namespace espalier {
namespace {

TEST(ParallelBake, GivesTheSameBytesForAnyNumberOfThreads) {
    // Large enough that aabb, box and cell builds divide their work into tasks.
    const std::vector<std::uint8_t> one = testing::bake_all_trees(10000, 1);
    EXPECT_GT(one.size(), 100000u);
    for (const unsigned jobs : {2u, 4u}) EXPECT_EQ(testing::bake_all_trees(10000, jobs), one) << jobs << " jobs";
}

}  // namespace
}  // namespace espalier
