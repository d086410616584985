// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's own sine and cosine against MPFR's, which are correctly rounded.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "espalier/kinematics.h"
#include "tests/support/draw.h"

namespace espalier::testing {
namespace {

/// Largest errors over the angles that were shown: absolute, and in units of the true value's last place.
class Errors {
  public:
    Errors() { mpfr_inits2(256, x_, sine_, cosine_, static_cast<mpfr_ptr>(nullptr)); }
    ~Errors() { mpfr_clears(x_, sine_, cosine_, static_cast<mpfr_ptr>(nullptr)); }
    Errors(const Errors&) = delete;
    Errors& operator=(const Errors&) = delete;

    void add(double angle) {
        const SineCosine found = sine_cosine(angle);
        mpfr_set_d(x_, angle, MPFR_RNDN);
        mpfr_sin_cos(sine_, cosine_, x_, MPFR_RNDN);
        add(found.sine, sine_);
        add(found.cosine, cosine_);
    }
    double absolute() const { return absolute_; }
    double last_places() const { return last_places_; }

  private:
    void add(double found, mpfr_t truth) {
        const double size = std::fabs(mpfr_get_d(truth, MPFR_RNDZ));
        mpfr_sub_d(truth, truth, found, MPFR_RNDN);
        const double error = std::fabs(mpfr_get_d(truth, MPFR_RNDA));
        absolute_ = std::max(absolute_, error);
        if (size >= std::numeric_limits<double>::min())
            last_places_ = std::max(last_places_, error / (std::nextafter(size, 2) - size));
    }

    mpfr_t x_, sine_, cosine_;
    double absolute_ = 0, last_places_ = 0;
};

void expect_as_stated(const Errors& errors) {
    EXPECT_LE(errors.absolute(), 0x1p-53);
    EXPECT_LE(errors.last_places(), 1);
}

TEST(SineAndCosine, AreWithinTheStatedErrorForAnglesOfAFewTurns) {
    Draw draw(1);
    Errors errors;
    for (int i = 0; i < 300000; ++i) errors.add(draw.between(-20, 20));
    expect_as_stated(errors);
}

TEST(SineAndCosine, AreWithinTheStatedErrorForEveryExponent) {
    Draw draw(2);
    Errors errors;
    for (int exponent = -1074; exponent < 1024; ++exponent)
        for (int i = 0; i < 50; ++i)
            errors.add(std::ldexp(1 + draw.unit(), exponent) * (draw.coin() ? 1 : -1));
    expect_as_stated(errors);
}

TEST(SineAndCosine, AreWithinTheStatedErrorBesideMultiplesOfAQuarterTurn) {
    Errors errors;
    for (int k = 0; k < 20000; ++k) {
        const double angle = k * 1.5707963267948966;
        for (const double near : {angle, std::nextafter(angle, 0), std::nextafter(angle, 1e9), angle / 2})
            errors.add(near);
    }
    // Of all doubles the one nearest to a multiple of a quarter turn (Muller 1997, table 9.6).
    errors.add(std::ldexp(6381956970095103.0, 797));
    errors.add(std::numeric_limits<double>::max());
    expect_as_stated(errors);
}

TEST(SineAndCosine, OfTheNearestDoubleToAQuarterTurnIsNotLost) {
    EXPECT_EQ(sine_cosine(std::ldexp(6381956970095103.0, 797)).cosine, -0x1.14ae72e6ba22fp-61);
}

TEST(SineAndCosine, AreExactForNoAngle) {
    EXPECT_EQ(sine_cosine(0).sine, 0);
    EXPECT_EQ(sine_cosine(0).cosine, 1);
}

TEST(SineAndCosine, AreOddAndEven) {
    Draw draw(3);
    for (int i = 0; i < 1000; ++i) {
        const double angle = draw.between(0, 100);
        const SineCosine right = sine_cosine(angle), left = sine_cosine(-angle);
        EXPECT_EQ(right.sine, -left.sine);
        EXPECT_EQ(right.cosine, left.cosine);
    }
}

TEST(SineAndCosine, StayWithinOne) {
    Draw draw(4);
    for (int i = 0; i < 100000; ++i) {
        const SineCosine at =
            sine_cosine(1.5707963267948966 * static_cast<double>(i) + draw.between(-1e-8, 1e-8));
        ASSERT_LE(std::fabs(at.sine), 1);
        ASSERT_LE(std::fabs(at.cosine), 1);
    }
}

TEST(SineAndCosine, OfWhatIsNotFiniteAreNone) {
    for (const double angle :
         {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
          std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_TRUE(std::isnan(sine_cosine(angle).sine));
        EXPECT_TRUE(std::isnan(sine_cosine(angle).cosine));
    }
}

}  // namespace
}  // namespace espalier::testing
