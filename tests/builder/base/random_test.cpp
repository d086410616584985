// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/base/random.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

// The C++ standard fixes the 10,000th number of this engine with its default seed, 5489. Baked files depend
// on it.
TEST(Draw, BitsAreThoseOfTheStandardsEngine) {
    Draw draw(5489);
    for (int i = 1; i < 10'000; ++i) draw.bits();
    EXPECT_EQ(draw.bits(), 9981545732273789042uLL);
}

TEST(Draw, UnitAndBelowStayInTheirRanges) {
    Draw draw(1);
    double least = 1.0;
    double most = 0.0;
    for (int i = 0; i < 10'000; ++i) {
        const double unit = draw.unit();
        least = unit < least ? unit : least;
        most = unit > most ? unit : most;
        ASSERT_LT(draw.below(7), 7u);
    }
    EXPECT_GE(least, 0.0);
    EXPECT_LT(least, 0.001);
    EXPECT_LT(most, 1.0);
    EXPECT_GT(most, 0.999);
}

}  // namespace
}  // namespace espalier
