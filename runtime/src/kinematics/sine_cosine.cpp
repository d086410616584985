// SPDX-License-Identifier: MIT
// Sine and cosine that are the same bits on every platform: multiplications and additions of doubles in a
// fixed order, and integers. The angle is reduced by integers alone, which is exact enough for every finite
// double and no slower than doubles on a processor without them.
// The way of reducing is that of Payne and Hanek 1983, "Radian reduction for trigonometric functions".
#include <cstring>

#include "espalier/kinematics.h"

namespace espalier {
namespace {

/// An angle within pi / 4 of quadrant * pi / 2: high + low is the rest, |low| <= 2^-52 |high|.
struct Reduced {
    double high = 0;
    double low = 0;
    unsigned quadrant = 0;
};

/// Below this nothing has to be reduced: pi / 4.
constexpr double kSmallAngle = 0x1.921fb54442d18p-1;

/// Bits of 2 / pi behind 64 zeros: word i + 2 counts 2^(-32 (i + 1)). As many as the largest double needs.
constexpr std::uint32_t kTwoOverPi[39] = {
    0x00000000u, 0x00000000u, 0xA2F9836Eu, 0x4E441529u, 0xFC2757D1u, 0xF534DDC0u, 0xDB629599u, 0x3C439041u,
    0xFE5163ABu, 0xDEBBC561u, 0xB7246E3Au, 0x424DD2E0u, 0x06492EEAu, 0x09D1921Cu, 0xFE1DEB1Cu, 0xB129A73Eu,
    0xE88235F5u, 0x2EBB4484u, 0xE99C7026u, 0xB45F7E41u, 0x3991D639u, 0x835339F4u, 0x9C845F8Bu, 0xBDF9283Bu,
    0x1FF897FFu, 0xDE05980Fu, 0xEF2F118Bu, 0x5A0A6D1Fu, 0x6D367ECFu, 0x27CB09B7u, 0x4F463F66u, 0x9E5FEA2Du,
    0x7527BAC7u, 0xEBE5F17Bu, 0x3D0739F7u, 0x8A5292EAu, 0x6BFB5FB1u, 0x1F8D5D08u, 0x56033046u};

/// pi / 2 in units of 2^-63.
constexpr std::uint64_t kHalfPi = 0xC90FDAA22168C234u;

/// A number of 192 bits, the least word first.
struct Wide {
    std::uint32_t word[6];
};

/// 192 bits of the table from bit `first` on.
Wide table_bits(std::uint32_t first) {
    Wide bits;
    for (std::uint32_t i = 0; i < 6; ++i) {
        const std::uint32_t at = first / 32 + i;
        const std::uint64_t two = std::uint64_t{kTwoOverPi[at]} << 32 | kTwoOverPi[at + 1];
        bits.word[5 - i] = static_cast<std::uint32_t>(two << (first % 32) >> 32);
    }
    return bits;
}

/// x * factor modulo 2^192; factor below 2^53.
Wide product(const Wide& x, std::uint64_t factor) {
    Wide result;
    const std::uint64_t low = factor & 0xFFFFFFFFu, high = factor >> 32;
    std::uint64_t carry = 0;
    for (unsigned i = 0; i < 6; ++i) {
        carry += x.word[i] * low;
        result.word[i] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    carry = 0;
    for (unsigned i = 0; i < 5; ++i) {
        carry += x.word[i] * high + result.word[i + 1];
        result.word[i + 1] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    return result;
}

void negate(Wide* x) {
    std::uint32_t carry = 1;
    for (std::uint32_t& word : x->word) {
        word = ~word + carry;
        carry = carry & static_cast<std::uint32_t>(word == 0);
    }
}

/// Shifts left until the highest bit is set, and returns by how much. No double comes so near a multiple of
/// pi / 2 that the highest three words would be 0.
unsigned normalize(Wide* x) {
    unsigned shift = 0;
    while (x->word[5] == 0 && shift < 160) {
        for (unsigned i = 5; i > 0; --i) x->word[i] = x->word[i - 1];
        x->word[0] = 0;
        shift += 32;
    }
    const auto rest = x->word[5] == 0 ? 0u : static_cast<unsigned>(__builtin_clz(x->word[5]));
    for (unsigned i = 5; i > 3; --i)
        x->word[i] =
            static_cast<std::uint32_t>((std::uint64_t{x->word[i]} << 32 | x->word[i - 1]) << rest >> 32);
    return shift + rest;
}

/// The higher 64 of the 128 bits of a product.
std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
    const std::uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    const std::uint64_t other = a0 * b1 + (middle & 0xFFFFFFFFu);
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/// Exact if `x` has 53 significant bits; in 32-bit pieces, since a bare machine has no other conversion.
double to_double(std::uint64_t x) {
    return static_cast<double>(static_cast<std::uint32_t>(x >> 32)) * 0x1p32 +
           static_cast<double>(static_cast<std::uint32_t>(x));
}

/// 2^exponent of a normal number.
double power_of_two(int exponent) {
    const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
    double result;
    std::memcpy(&result, &bits, sizeof(result));
    return result;
}

/// For finite angles > pi / 4. With angle = m 2^e, 2 / pi's bits above those that count 4 in the product are
/// left out, and of the rest 192: that is wrong by less than 2^-137 of a quadrant, while no double is nearer
/// than 2^-62 to a multiple of pi / 2.
Reduced reduced(double angle) {
    std::uint64_t bits;
    std::memcpy(&bits, &angle, sizeof(bits));
    const std::uint64_t m = (bits & 0xFFFFFFFFFFFFFu) | 0x10000000000000u;
    // e >= -53, and bit e + 62 of the table counts 2 quadrants in the product.
    const int e = static_cast<int>(bits >> 52) - 1075;
    Wide turns = product(table_bits(static_cast<std::uint32_t>(e + 62)), m);

    Reduced result;
    result.quadrant = turns.word[5] >> 30;
    const bool beyond_half = (turns.word[5] & 0x20000000u) != 0;
    turns.word[5] &= 0x3FFFFFFFu;
    if (beyond_half) {
        negate(&turns);
        turns.word[5] &= 0x3FFFFFFFu;
        result.quadrant += 1;
    }
    const unsigned shift = normalize(&turns) - 2;
    const std::uint64_t fraction = std::uint64_t{turns.word[5]} << 32 | turns.word[4];
    const std::uint64_t rest = high_product(fraction, kHalfPi);
    const double unit = power_of_two(-63 - static_cast<int>(shift)) * (beyond_half ? -1 : 1);
    result.high = to_double(rest & ~std::uint64_t{0x7FF}) * unit;
    result.low = to_double(rest & 0x7FFu) * unit;
    return result;
}

/// Taylor's series about 0: the first term left out is below 1e-19 for |x| <= pi / 4.
double sine_near_zero(double x, double low) {
    const double z = x * x;
    const double series =
        1.0 / 120 +
        z * (-1.0 / 5040 +
             z * (1.0 / 362880 +
                  z * (-1.0 / 39916800 + z * (1.0 / 6227020800.0 + z * (-1.0 / 1307674368000.0 +
                                                                        z * (1.0 / 355687428096000.0))))));
    return x + (z * x * (-1.0 / 6 + z * series) + low * (1 - z * 0.5));
}

/// Likewise: below 2.1e-18.
double cosine_near_zero(double x, double low) {
    const double z = x * x;
    const double series =
        1.0 / 24 +
        z * (-1.0 / 720 +
             z * (1.0 / 40320 +
                  z * (-1.0 / 3628800 +
                       z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 + z * (1.0 / 20922789888000.0))))));
    const double half = z * 0.5, first = 1 - half;
    // What the subtraction rounded away comes back with the small terms.
    return first + (((1 - first) - half) + (z * z * series - x * low));
}

}  // namespace

SineCosine sine_cosine(double angle) {
    if (!(angle - angle == 0)) return {angle - angle, angle - angle};
    const bool negative = angle < 0;
    const double size = negative ? -angle : angle;
    const Reduced r = size <= kSmallAngle ? Reduced{size, 0, 0} : reduced(size);
    double sine = sine_near_zero(r.high, r.low), cosine = cosine_near_zero(r.high, r.low);
    if (r.quadrant & 1u) {
        const double other = sine;
        sine = cosine;
        cosine = -other;
    }
    if (r.quadrant & 2u) {
        sine = -sine;
        cosine = -cosine;
    }
    return {negative ? -sine : sine, cosine};
}

}  // namespace espalier
