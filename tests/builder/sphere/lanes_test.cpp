// SPDX-License-Identifier: GPL-3.0-or-later
// What the loops compute is tested where they are used; here, that those of this processor and those of every
// processor agree to the last bit. Files would differ from machine to machine otherwise.
#include "builder/sphere/optimize/lanes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace espalier::lanes {
namespace {

constexpr std::size_t kGroups = 40;
constexpr std::size_t kCount = kGroups * kGroup;

std::vector<float> any_numbers(std::mt19937_64& engine, float low, float high, std::size_t count = kCount) {
    std::uniform_real_distribution<float> number(low, high);
    std::vector<float> numbers(count);
    std::generate(numbers.begin(), numbers.end(), [&] { return number(engine); });
    return numbers;
}

struct Scene {
    explicit Scene(std::uint64_t seed) : engine(seed) {
        for (std::uint32_t k = 0; k < kGroups; ++k)
            if (engine() % 4 != 0) list.push_back(k);
        for (std::size_t i = 0; i < kCount; ++i) {
            held.push_back(static_cast<std::int32_t>(engine() % 3));
            allowed.push_back(static_cast<std::uint8_t>(engine() % 2));
        }
    }

    Groups groups(bool discs, bool restricted) const {
        return {places(), value.data(), discs ? Places{nx.data(), ny.data(), nz.data()} : Places{},
                restricted ? allowed.data() : nullptr};
    }
    Places places() const { return {x.data(), y.data(), z.data()}; }
    List all() const { return {list.data(), list.size()}; }

    std::mt19937_64 engine;
    std::vector<float> x = any_numbers(engine, -1.0F, 1.0F);
    std::vector<float> y = any_numbers(engine, -1.0F, 1.0F);
    std::vector<float> z = any_numbers(engine, -1.0F, 1.0F);
    std::vector<float> nx = any_numbers(engine, -0.57F, 0.57F);
    std::vector<float> ny = any_numbers(engine, -0.57F, 0.57F);
    std::vector<float> nz = any_numbers(engine, -0.57F, 0.57F);
    std::vector<float> value = any_numbers(engine, -0.05F, 0.2F);
    std::vector<std::uint32_t> list;
    std::vector<std::int32_t> held;
    std::vector<std::uint8_t> allowed;
    Range range{0.1F, -0.2F, 0.05F, 0.8F};
    Range own{-0.1F, 0.1F, 0.2F, 0.5F};
};

TEST(Lanes, SumsAndLargestAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene(seed);
        const std::size_t count = kCount - seed * kLanes;
        EXPECT_EQ(loops().farthest(count, scene.places(), scene.value.data(), scene.range),
                  plain_loops().farthest(count, scene.places(), scene.value.data(), scene.range))
            << "seed " << seed;
        for (const float limit : {1e9F, 5.0F}) {
            const auto weigh = [&](const Loops& loops) {
                return loops.weigh(count, scene.places(), scene.value.data(), scene.range, 8.0F, 9.0F, limit);
            };
            EXPECT_EQ(weigh(loops()), weigh(plain_loops())) << "seed " << seed;
            EXPECT_GT(weigh(loops()), 1.0F);
        }
    }
}

TEST(Lanes, GroupsMetAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene(seed);
        std::vector<std::uint32_t> met[2];
        for (const bool plain : {false, true}) {
            met[plain].resize(kCount);
            const Loops& loops = plain ? plain_loops() : lanes::loops();
            met[plain].resize(
                loops.meet(kCount, scene.places(), scene.value.data(), scene.range, 0.3F, met[plain].data()));
        }
        EXPECT_EQ(met[0], met[1]) << "seed " << seed;
        EXPECT_GT(met[0].size(), 10u);
    }
}

TEST(Lanes, CountingAndFindingAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Scene scene(seed);
        const Groups groups = scene.groups(seed % 2 == 1, seed % 4 >= 2);
        std::vector<std::int32_t> held[2];
        std::vector<std::uint32_t> found[2];
        double turned[2];
        for (const bool plain : {false, true}) {
            const Loops& loops = plain ? plain_loops() : lanes::loops();
            held[plain] = scene.held;
            turned[plain] = loops.exchange(scene.all(), groups, scene.own, scene.range, held[plain].data());
            found[plain].resize(kCount);
            found[plain].resize(
                loops.find(scene.all(), groups, scene.range, 2, held[plain].data(), found[plain].data()));
        }
        EXPECT_EQ(turned[0], turned[1]) << "seed " << seed;
        EXPECT_EQ(held[0], held[1]) << "seed " << seed;
        EXPECT_EQ(found[0], found[1]) << "seed " << seed;
        EXPECT_NE(held[0], scene.held);
        EXPECT_FALSE(found[0].empty());
    }
}

TEST(Lanes, PointsGatheredAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene(seed);
        std::vector<std::vector<float>> gathered[2];
        for (const bool plain : {false, true}) {
            const Loops& loops = plain ? plain_loops() : lanes::loops();
            gathered[plain].assign(4, std::vector<float>(kCount + kLanes));
            auto& to = gathered[plain];
            const std::size_t count =
                loops.gather(scene.all(), scene.groups(false, false), scene.range, scene.own,
                             scene.held.data(), {to[0].data(), to[1].data(), to[2].data(), to[3].data()});
            for (std::vector<float>& values : to) values.resize(count);
        }
        EXPECT_EQ(gathered[0], gathered[1]) << "seed " << seed;
        EXPECT_GT(gathered[0][0].size(), 50u);
    }
}

/// Three balls near all points of a scene, with what `pull` and `push` say of them.
struct Movers {
    explicit Movers(const Scene& scene)
        : radii(kCount, kGap),
          none(kCount, 0.0F),
          per_softness(kCount, 1.0F / 0.3F),
          movers{{-0.4F, 0.1F, 0.0F, 0.7F, nullptr},
                 {0.5F, -0.2F, 0.1F, 0.6F, scene.allowed.data()},
                 {0.1F, 0.4F, -0.3F, 0.5F, nullptr}} {}

    std::vector<Slope> slopes(const Loops& loops, const Scene& scene, bool pull) {
        const std::uint32_t all[] = {0, 1, 2};
        std::vector<float> scratch(3 * kScratch);
        std::vector<Slope> slopes(3);
        for (std::size_t first = 0; first < kCount; first += kGroup) {
            if (pull) {
                loops.pull({scene.places(), radii.data(), {none.data(), none.data(), none.data()}, nullptr},
                           first, {all, 3}, movers, kGap, 5.0F, scratch.data(), slopes.data());
            } else {
                loops.push(scene.groups(false, false), first, {all, 3}, movers, per_softness.data(),
                           scratch.data(), slopes.data());
            }
        }
        return slopes;
    }

    /// What the slopes of `pull` belong to.
    double gaps(const Scene& scene) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < kCount; ++i) {
            double total = 0.0;
            for (const Mover& ball : movers) {
                const double s = (double(ball.radius) - away(scene, i, ball) - double(kGap)) / double(kGap);
                const bool may = ball.allowed == nullptr || ball.allowed[i] != 0;
                total += may ? std::pow(std::max(0.0, 1.0 + (s - 1.0) / 8.0), 8.0) : 0.0;
            }
            const double norm = std::pow(total, 1.0 / 8.0);
            // Farther away, nobody is pulled at.
            const double missing = 8.0 * (1.0 - std::clamp(norm, 0.05, 1.0));
            sum += 5.0 * double(kGap) * missing * missing / 2.0;
        }
        return sum;
    }

    /// And those of `push`.
    double outside(const Scene& scene) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < kCount; ++i) {
            double free = 1.0;
            double each = 0.0;
            for (const Mover& ball : movers) {
                const double part =
                    std::clamp((double(ball.radius) - away(scene, i, ball)) / 0.3 + 0.5, 0.0, 1.0);
                free *= 1.0 - part;
                each += part;
            }
            const double weight = double(scene.value[i]);
            sum += weight < 0.0 ? -weight * each : weight * (1.0 - free);
        }
        return sum;
    }

    static double away(const Scene& scene, std::size_t i, const Mover& ball) {
        return std::sqrt(std::pow(double(scene.x[i]) - double(ball.x), 2.0) +
                         std::pow(double(scene.y[i]) - double(ball.y), 2.0) +
                         std::pow(double(scene.z[i]) - double(ball.z), 2.0));
    }

    static constexpr float kGap = 0.01F;
    std::vector<float> radii;
    std::vector<float> none;
    std::vector<float> per_softness;
    Mover movers[3];
};

TEST(Lanes, SlopesAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene(seed);
        Movers movers(scene);
        for (const bool pull : {true, false}) {
            const std::vector<Slope> wide = movers.slopes(loops(), scene, pull);
            const std::vector<Slope> plain = movers.slopes(plain_loops(), scene, pull);
            for (std::size_t k = 0; k < wide.size(); ++k) {
                EXPECT_EQ(wide[k].x, plain[k].x) << "seed " << seed;
                EXPECT_EQ(wide[k].y, plain[k].y) << "seed " << seed;
                EXPECT_EQ(wide[k].z, plain[k].z) << "seed " << seed;
                EXPECT_EQ(wide[k].radius, plain[k].radius) << "seed " << seed;
                EXPECT_NE(wide[k].radius, 0.0F) << "seed " << seed;
            }
        }
    }
}

TEST(Lanes, SlopesAreThoseOfTheCostsThatTheyBelongTo) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Scene scene(seed);
        Movers movers(scene);
        for (const bool pull : {true, false}) {
            const std::vector<Slope> slopes = movers.slopes(loops(), scene, pull);
            for (std::size_t k = 0; k < slopes.size(); ++k) {
                float* const numbers[] = {&movers.movers[k].x, &movers.movers[k].y, &movers.movers[k].z,
                                          &movers.movers[k].radius};
                const float found[] = {slopes[k].x, slopes[k].y, slopes[k].z, slopes[k].radius};
                for (int n = 0; n < 4; ++n) {
                    const float before = *numbers[n];
                    double cost[2];
                    float at[2];
                    for (int side = 0; side < 2; ++side) {
                        at[side] = *numbers[n] = before + (side == 0 ? -5e-4F : 5e-4F);
                        cost[side] = pull ? movers.gaps(scene) : movers.outside(scene);
                    }
                    *numbers[n] = before;
                    const double slope = (cost[1] - cost[0]) / double(at[1] - at[0]);
                    EXPECT_NEAR(double(found[n]), slope, 0.05 * std::abs(double(slopes[k].radius)))
                        << (pull ? "pull" : "push") << ", seed " << seed << ", ball " << k << ", number "
                        << n;
                }
            }
        }
    }
}

}  // namespace
}  // namespace espalier::lanes
