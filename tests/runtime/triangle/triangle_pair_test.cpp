// SPDX-License-Identifier: GPL-3.0-or-later
// The double-precision triangle tests against cases known by hand, against every triangle pair of a small
// grid, and against CGAL's exact predicates on random pairs that just touch or just do not.
#include "runtime/src/triangle/triangle_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "tests/runtime/triangle/triangle_cases.h"
#include "tests/support/draw.h"
#include "tests/support/effort.h"
#include "tests/support/exact.h"

namespace espalier::testing {
namespace {

/// What the format promises, as a fraction of the diagonal of both triangles' common box.
constexpr double kPromise = 1e-6;

Eigen::Vector3d corner(const Triangle3& t, int i) {
    return {t.p[i][0], t.p[i][1], t.p[i][2]};
}

Triangle3 make_triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
    return {{{a.x(), a.y(), a.z()}, {b.x(), b.y(), b.z()}, {c.x(), c.y(), c.z()}}};
}

Triangle3 mapped(const Triangle3& t, const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& map) {
    return make_triangle(map(corner(t, 0)), map(corner(t, 1)), map(corner(t, 2)));
}

Triangle3 permuted(const Triangle3& t, const std::array<int, 3>& order) {
    return make_triangle(corner(t, order[0]), corner(t, order[1]), corner(t, order[2]));
}

double diagonal(const Triangle3& a, const Triangle3& b) {
    Eigen::Vector3d lo = corner(a, 0), hi = lo;
    for (const Triangle3* t : {&a, &b})
        for (int i = 0; i < 3; ++i) {
            lo = lo.cwiseMin(corner(*t, i));
            hi = hi.cwiseMax(corner(*t, i));
        }
    return (hi - lo).norm();
}

std::string text_of(const Triangle3& t) {
    char text[300];
    std::snprintf(text, sizeof(text), "{{{%a, %a, %a}, {%a, %a, %a}, {%a, %a, %a}}}", t.p[0][0], t.p[0][1],
                  t.p[0][2], t.p[1][0], t.p[1][1], t.p[1][2], t.p[2][0], t.p[2][1], t.p[2][2]);
    return text;
}

std::string text_of(const Triangle3& a, const Triangle3& b) {
    return "A " + text_of(a) + "\nB " + text_of(b);
}

constexpr std::array<std::array<int, 3>, 6> kOrders = {
    {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};

/// The 48 symmetries of the cube, exact in floating point.
std::vector<std::function<Eigen::Vector3d(const Eigen::Vector3d&)>> cube_symmetries() {
    std::vector<std::function<Eigen::Vector3d(const Eigen::Vector3d&)>> maps;
    for (const auto& order : kOrders)
        for (unsigned signs = 0; signs < 8; ++signs)
            maps.push_back([order, signs](const Eigen::Vector3d& p) {
                Eigen::Vector3d q;
                for (int k = 0; k < 3; ++k)
                    q[k] = (signs >> k & 1u) ? -p[order[std::size_t(k)]] : p[order[std::size_t(k)]];
                return q;
            });
    return maps;
}

/// Distance and points of the runtime against the expected distance.
void expect_distance(const Triangle3& a, const Triangle3& b, double expected, double tolerance) {
    double on_a[3], on_b[3];
    const double distance = triangle_distance(a, b, on_a, on_b);
    ASSERT_NEAR(distance, expected, tolerance) << text_of(a, b);
    const double apart = std::hypot(on_a[0] - on_b[0], on_a[1] - on_b[1], on_a[2] - on_b[2]);
    ASSERT_NEAR(apart, distance, tolerance) << text_of(a, b);
    ASSERT_LE(exact_distance(a, on_a), tolerance) << text_of(a, b);
    ASSERT_LE(exact_distance(b, on_b), tolerance) << text_of(a, b);
}

void expect_witness(const Triangle3& a, const Triangle3& b, double tolerance) {
    double point[3], normal[3];
    intersection_witness(a, b, point, normal);
    ASSERT_LE(exact_distance(a, point), tolerance) << text_of(a, b);
    ASSERT_LE(exact_distance(b, point), tolerance) << text_of(a, b);
    ASSERT_NEAR(std::hypot(normal[0], normal[1], normal[2]), 1, 1e-12) << text_of(a, b);
}

TEST(TriangleCases, TableAgreesWithTheExactReference) {
    for (const TriangleCase& c : triangle_cases()) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(exact_intersect(c.a, c.b), c.intersect);
        EXPECT_NEAR(exact_distance(c.a, c.b), std::sqrt(c.squared_distance), 1e-15);
    }
}

TEST(TriangleCases, HoldInEveryCornerOrderAndOrientation) {
    const auto symmetries = cube_symmetries();
    for (const TriangleCase& c : triangle_cases())
        for (const auto& map : symmetries) {
            const Triangle3 a = mapped(c.a, map), b = mapped(c.b, map);
            for (const auto& order_a : kOrders)
                for (const auto& order_b : kOrders) {
                    const Triangle3 pa = permuted(a, order_a), pb = permuted(b, order_b);
                    ASSERT_EQ(triangles_intersect(pa, pb), c.intersect) << c.name << "\n" << text_of(pa, pb);
                    ASSERT_EQ(triangles_intersect(pb, pa), c.intersect) << c.name << "\n" << text_of(pb, pa);
                }
        }
}

TEST(TriangleCases, HoldAtEveryScaleAndFarFromTheOrigin) {
    for (const TriangleCase& c : triangle_cases())
        for (const double scale : {0x1p-120, 0x1p-50, 0x1p-20, 1.0, 0x1p20, 0x1p50, 0x1p110})
            for (const double far : {0.0, 0x1p10, 0x1p30, 0x1p45}) {
                const Eigen::Vector3d shift(far, -3 * far, 5 * far);
                const auto map = [&](const Eigen::Vector3d& p) -> Eigen::Vector3d {
                    return (p + shift) * scale;
                };
                const Triangle3 a = mapped(c.a, map), b = mapped(c.b, map);
                ASSERT_EQ(triangles_intersect(a, b), c.intersect) << c.name << "\n" << text_of(a, b);
                ASSERT_EQ(triangles_intersect(b, a), c.intersect) << c.name << "\n" << text_of(a, b);
            }
}

TEST(TriangleCases, DistancesAndWitnessesAreRight) {
    for (const TriangleCase& c : triangle_cases()) {
        SCOPED_TRACE(c.name);
        for (const double scale : {0x1p-50, 1.0, 0x1p50}) {
            const auto map = [&](const Eigen::Vector3d& p) -> Eigen::Vector3d { return p * scale; };
            const Triangle3 a = mapped(c.a, map), b = mapped(c.b, map);
            const double expected = std::sqrt(c.squared_distance) * scale;
            expect_distance(a, b, expected, 1e-14 * scale);
            expect_distance(b, a, expected, 1e-14 * scale);
            if (c.intersect) expect_witness(a, b, 1e-14 * scale);
            if (c.intersect) expect_witness(b, a, 1e-14 * scale);
        }
    }
}

/// Corner `index` of a grid with `side` points along each axis.
Eigen::Vector3d grid_point(unsigned index, unsigned side) {
    return {double(index % side), double(index / side % side), double(index / (side * side))};
}

TEST(TriangleGrid, EveryPairOnTheCubeCornersIsExact) {
    std::vector<Triangle3> all;
    for (unsigned a = 0; a < 8; ++a)
        for (unsigned b = a; b < 8; ++b)
            for (unsigned c = b; c < 8; ++c)
                all.push_back(make_triangle(grid_point(a, 2), grid_point(b, 2), grid_point(c, 2)));
    for (const Triangle3& a : all)
        for (const Triangle3& b : all)
            ASSERT_EQ(triangles_intersect(a, b), exact_intersect(a, b)) << text_of(a, b);
}

TEST(TriangleGrid, RandomPairsOnFinerGridsAreExact) {
    constexpr std::uint64_t kSeed = 20;
    Draw draw(kSeed);
    for (const unsigned side : {3u, 4u, 7u}) {
        const unsigned points = side * side * side;
        const auto any = [&] { return grid_point(static_cast<unsigned>(draw.below(points)), side); };
        for (std::uint64_t i = 0; i < effort(300000, 30000); ++i) {
            const Eigen::Vector3d p[6] = {any(), any(), any(), any(), any(), any()};
            const Triangle3 a = make_triangle(p[0], p[1], p[2]), b = make_triangle(p[3], p[4], p[5]);
            ASSERT_EQ(triangles_intersect(a, b), exact_intersect(a, b))
                << "seed " << kSeed << " pair " << i << "\n"
                << text_of(a, b);
        }
    }
}

TEST(TriangleGrid, DistancesAreExactUpToRounding) {
    constexpr std::uint64_t kSeed = 21;
    Draw draw(kSeed);
    const auto any = [&] { return grid_point(static_cast<unsigned>(draw.below(64)), 4); };
    for (std::uint64_t i = 0; i < effort(3000, 200); ++i) {
        const Eigen::Vector3d p[6] = {any(), any(), any(), any(), any(), any()};
        const Triangle3 a = make_triangle(p[0], p[1], p[2]), b = make_triangle(p[3], p[4], p[5]);
        SCOPED_TRACE("seed " + std::to_string(kSeed) + " pair " + std::to_string(i));
        ASSERT_NO_FATAL_FAILURE(expect_distance(a, b, exact_distance(a, b), 1e-13));
        if (exact_intersect(a, b)) ASSERT_NO_FATAL_FAILURE(expect_witness(a, b, 1e-13));
    }
}

/// Families of random pairs.
struct PairKind {
    const char* name;
    std::function<std::pair<Triangle3, Triangle3>(Draw&)> draw;
    double tolerance;  ///< distances, as a fraction of the diagonal
};

Triangle3 any_triangle(Draw& draw) {
    const Eigen::Vector3d a = draw.in_cube(), b = draw.in_cube(), c = draw.in_cube();
    return make_triangle(a, b, c);
}

/// A needle (one short edge) or a cap (a corner next to the opposite edge); thickness 10^-2 to 10^-17.
Triangle3 sliver(Draw& draw) {
    const Eigen::Vector3d a = draw.in_cube(), b = draw.in_cube();
    const double thickness = std::pow(10.0, -draw.between(2, 17));
    const double along = draw.coin() ? draw.unit() : double(draw.below(2));
    return make_triangle(a, b, a + (b - a) * along + thickness * draw.direction());
}

std::vector<PairKind> pair_kinds() {
    return {
        {"alike", [](Draw& d) { return std::pair(any_triangle(d), any_triangle(d)); }, 1e-13},
        {"large and small",
         [](Draw& d) {
             const Triangle3 a = any_triangle(d);
             const double size = d.power_of_two(-20, 0);
             const Eigen::Vector3d center = d.in_cube();
             return std::pair(a, mapped(any_triangle(d), [&](const Eigen::Vector3d& p) -> Eigen::Vector3d {
                                  return center + size * p;
                              }));
         },
         1e-13},
        {"nearly coplanar",
         [](Draw& d) {
             const Triangle3 a = any_triangle(d), b = any_triangle(d);
             const double flat = std::pow(10.0, -d.between(1, 17));
             const auto flatten = [&](const Eigen::Vector3d& p) {
                 return Eigen::Vector3d(p.x(), p.y(), p.z() * flat);
             };
             return std::pair(mapped(a, flatten), mapped(b, flatten));
         },
         1e-7},
        {"nearly parallel edges",
         [](Draw& d) {
             const Triangle3 a = any_triangle(d);
             const double skew = std::pow(10.0, -d.between(1, 17));
             const Eigen::Vector3d shift = 0.1 * d.in_cube();
             return std::pair(a, make_triangle(corner(a, 0) + shift + skew * d.in_cube(),
                                               corner(a, 1) + shift + skew * d.in_cube(), d.in_cube()));
         },
         1e-7},
        {"common corner",
         [](Draw& d) {
             const Triangle3 a = any_triangle(d), b = any_triangle(d);
             return std::pair(a, make_triangle(corner(a, 0), corner(b, 1), corner(b, 2)));
         },
         1e-13},
        {"common edge",
         [](Draw& d) {
             const Triangle3 a = any_triangle(d);
             return std::pair(a, make_triangle(corner(a, 0), corner(a, 2), d.in_cube()));
         },
         1e-13},
        {"sliver", [](Draw& d) { return std::pair(sliver(d), any_triangle(d)); }, 1e-7},
        {"two slivers", [](Draw& d) { return std::pair(sliver(d), sliver(d)); }, 1e-7},
    };
}

/// Moves `b` along the line of least distance until `gap` is left (negative: so much overlap along it).
Triangle3 nearly_touching(const Triangle3& a, const Triangle3& b, double gap, Draw& draw) {
    Triangle3 away = b;
    double on_a[3], on_b[3];
    double distance = triangle_distance(a, away, on_a, on_b);
    if (distance == 0) {
        const Eigen::Vector3d shift = 8 * draw.direction();
        away = mapped(b, [&](const Eigen::Vector3d& p) -> Eigen::Vector3d { return p + shift; });
        distance = triangle_distance(a, away, on_a, on_b);
    }
    const Eigen::Vector3d to_a(on_a[0] - on_b[0], on_a[1] - on_b[1], on_a[2] - on_b[2]);
    return mapped(
        away, [&](const Eigen::Vector3d& p) -> Eigen::Vector3d { return p + to_a * (1 - gap / distance); });
}

/// How far the runtime's answer, given either way round, is from the truth, as a fraction of the diagonal; 0
/// when it is right.
double wrong_by(const Triangle3& a, const Triangle3& b) {
    const bool truth = exact_intersect(a, b);
    if (triangles_intersect(a, b) == truth && triangles_intersect(b, a) == truth) return 0;
    return (truth ? penetration_bound(a, b) : exact_distance(a, b)) / diagonal(a, b);
}

TEST(TriangleRandom, AnswersAreRightOutsideRounding) {
    constexpr std::uint64_t kSeed = 22;
    Draw draw(kSeed);
    for (const PairKind& kind : pair_kinds()) {
        double worst = 0;
        for (std::uint64_t i = 0; i < effort(60000, 3000); ++i) {
            const auto [a, b] = kind.draw(draw);
            const double wrong = wrong_by(a, b);
            worst = std::max(worst, wrong);
            ASSERT_LE(wrong, kPromise) << kind.name << " seed " << kSeed << " pair " << i << "\n"
                                       << text_of(a, b);
        }
        std::printf("  random, %s: wrong by at most %.3g of the diagonal\n", kind.name, worst);
    }
}

TEST(TriangleRandom, AnswersAreRightWherePairsNearlyTouch) {
    constexpr std::uint64_t kSeed = 23;
    Draw draw(kSeed);
    for (const PairKind& kind : pair_kinds()) {
        double worst = 0;
        for (std::uint64_t i = 0; i < effort(20000, 1000); ++i) {
            const auto [a, start] = kind.draw(draw);
            const double size = diagonal(a, start);
            const double gap = (draw.coin() ? 1 : -1) * std::pow(10.0, -draw.between(3, 18)) * size;
            Triangle3 b = nearly_touching(a, start, draw.below(16) == 0 ? 0 : gap, draw);
            Triangle3 at = a;
            if (i % 4 == 0) {  // far away, where the coordinates themselves are rounded
                const Eigen::Vector3d far = draw.in_cube() * std::pow(10.0, draw.between(0, 7));
                const auto move = [&](const Eigen::Vector3d& p) -> Eigen::Vector3d { return p + far; };
                at = mapped(a, move);
                b = mapped(b, move);
            }
            const double wrong = wrong_by(at, b);
            worst = std::max(worst, wrong);
            ASSERT_LE(wrong, kPromise) << kind.name << " seed " << kSeed << " pair " << i << "\n"
                                       << text_of(at, b);
        }
        std::printf("  nearly touching, %s: wrong by at most %.3g of the diagonal\n", kind.name, worst);
    }
}

TEST(TriangleRandom, DistancesAgreeWithTheExactReference) {
    constexpr std::uint64_t kSeed = 24;
    Draw draw(kSeed);
    for (const PairKind& kind : pair_kinds()) {
        double worst = 0;
        for (std::uint64_t i = 0; i < effort(600, 40); ++i) {
            const auto [a, start] = kind.draw(draw);
            const double size = diagonal(a, start);
            const Triangle3 b =
                i % 2 == 0 ? start
                           : nearly_touching(a, start, std::pow(10.0, -draw.between(0, 12)) * size, draw);
            SCOPED_TRACE(std::string(kind.name) + " seed " + std::to_string(kSeed) + " pair " +
                         std::to_string(i));
            double on_a[3], on_b[3];
            const double expected = exact_distance(a, b);
            worst = std::max(worst, std::fabs(triangle_distance(a, b, on_a, on_b) - expected) / size);
            ASSERT_NO_FATAL_FAILURE(expect_distance(a, b, expected, kind.tolerance * size));
            ASSERT_NO_FATAL_FAILURE(expect_distance(b, a, expected, kind.tolerance * size));
            if (triangles_intersect(a, b))
                ASSERT_NO_FATAL_FAILURE(expect_witness(a, b, kind.tolerance * size));
        }
        std::printf("  distance, %s: off by at most %.3g of the diagonal\n", kind.name, worst);
    }
}

TEST(TrianglePoint, NearestPointAgreesWithTheExactReference) {
    constexpr std::uint64_t kSeed = 25;
    Draw draw(kSeed);
    for (std::uint64_t i = 0; i < effort(2000, 200); ++i) {
        const Triangle3 t = i % 3 == 0 ? sliver(draw) : any_triangle(draw);
        const Eigen::Vector3d q = draw.in_cube() * draw.power_of_two(-4, 4);
        double nearest[3];
        closest_point_on_triangle(t, q.data(), nearest);
        const double distance = std::hypot(nearest[0] - q.x(), nearest[1] - q.y(), nearest[2] - q.z());
        const double tolerance = i % 3 == 0 ? 1e-7 : 1e-13 * (1 + q.norm());
        ASSERT_NEAR(distance, exact_distance(t, q.data()), tolerance)
            << "seed " << kSeed << " draw " << i << "\n"
            << text_of(t);
        ASSERT_LE(exact_distance(t, nearest), tolerance) << text_of(t);
    }
}

}  // namespace
}  // namespace espalier::testing
