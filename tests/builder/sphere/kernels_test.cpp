// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels compute is tested where they are used; here, that those of this processor and those of
// every processor agree to the last bit. Files would differ from machine to machine otherwise.
#include "builder/sphere/optimize/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace espalier::kernels {
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
            counts.push_back(static_cast<std::int32_t>(engine() % 3));
            allowed.push_back(static_cast<std::uint8_t>(engine() % 2));
        }
    }

    Groups groups(bool surfels, bool restricted) const {
        return {places(), value.data(),
                surfels ? PointArrays{nx.data(), ny.data(), nz.data()} : PointArrays{},
                restricted ? allowed.data() : nullptr};
    }
    PointArrays places() const { return {x.data(), y.data(), z.data()}; }
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
    std::vector<std::int32_t> counts;
    std::vector<std::uint8_t> allowed;
    Range range{0.1F, -0.2F, 0.05F, 0.8F};
    Range own{-0.1F, 0.1F, 0.2F, 0.5F};
};

TEST(Kernels, SumsAndLargestAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene(seed);
        const std::size_t count = kCount - seed * kLanes;
        EXPECT_EQ(table().farthest(count, scene.places(), scene.value.data(), scene.range),
                  plain_table().farthest(count, scene.places(), scene.value.data(), scene.range))
            << "seed " << seed;
        for (const float limit : {1e9F, 5.0F}) {
            const auto weigh = [&](const KernelTable& table) {
                return table.weigh(count, scene.places(), scene.value.data(), scene.range, 8.0F, 9.0F, limit);
            };
            EXPECT_EQ(weigh(table()), weigh(plain_table())) << "seed " << seed;
            EXPECT_GT(weigh(table()), 1.0F);
        }
    }
}

TEST(Kernels, GroupsMetAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene(seed);
        std::vector<std::uint32_t> met[2];
        for (const bool plain : {false, true}) {
            met[plain].resize(kCount);
            const KernelTable& table = plain ? plain_table() : kernels::table();
            met[plain].resize(
                table.meet(kCount, scene.places(), scene.value.data(), scene.range, 0.3F, met[plain].data()));
        }
        EXPECT_EQ(met[0], met[1]) << "seed " << seed;
        EXPECT_GT(met[0].size(), 10u);
    }
}

TEST(Kernels, CountingAndFindingAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Scene scene(seed);
        const Groups groups = scene.groups(seed % 2 == 1, seed % 4 >= 2);
        std::vector<std::int32_t> counts[2];
        std::vector<std::uint32_t> found[2];
        double turned[2];
        for (const bool plain : {false, true}) {
            const KernelTable& table = plain ? plain_table() : kernels::table();
            counts[plain] = scene.counts;
            turned[plain] = table.replace(scene.all(), groups, scene.own, scene.range, counts[plain].data());
            found[plain].resize(kCount);
            found[plain].resize(
                table.find(scene.all(), groups, scene.range, 2, counts[plain].data(), found[plain].data()));
        }
        EXPECT_EQ(turned[0], turned[1]) << "seed " << seed;
        EXPECT_EQ(counts[0], counts[1]) << "seed " << seed;
        EXPECT_EQ(found[0], found[1]) << "seed " << seed;
        EXPECT_NE(counts[0], scene.counts);
        EXPECT_FALSE(found[0].empty());
    }
}

TEST(Kernels, PointsGatheredAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene(seed);
        std::vector<std::vector<float>> gathered[2];
        for (const bool plain : {false, true}) {
            const KernelTable& table = plain ? plain_table() : kernels::table();
            gathered[plain].assign(4, std::vector<float>(kCount + kLanes));
            auto& to = gathered[plain];
            const std::size_t count =
                table.gather(scene.all(), scene.groups(false, false), scene.range, scene.own,
                             scene.counts.data(), {to[0].data(), to[1].data(), to[2].data(), to[3].data()});
            for (std::vector<float>& values : to) values.resize(count);
        }
        EXPECT_EQ(gathered[0], gathered[1]) << "seed " << seed;
        EXPECT_GT(gathered[0][0].size(), 50u);
    }
}

/// Three spheres near all points of a scene, with what `coverage_gradient` and `volume_gradient` say of them.
struct Moving {
    explicit Moving(const Scene& scene)
        : radii(kCount, kMargin),
          none(kCount, 0.0F),
          per_blur_width(kCount, 1.0F / 0.3F),
          moving{{-0.4F, 0.1F, 0.0F, 0.7F, nullptr},
                 {0.5F, -0.2F, 0.1F, 0.6F, scene.allowed.data()},
                 {0.1F, 0.4F, -0.3F, 0.5F, nullptr}} {}

    std::vector<Gradient> gradients(const KernelTable& table, const Scene& scene, bool coverage_gradient) {
        const std::uint32_t all[] = {0, 1, 2};
        std::vector<float> scratch(3 * kScratch);
        std::vector<Gradient> gradients(3);
        for (std::size_t first = 0; first < kCount; first += kGroup) {
            if (coverage_gradient) {
                table.coverage_gradient(
                    {scene.places(), radii.data(), {none.data(), none.data(), none.data()}, nullptr}, first,
                    {all, 3}, moving, kMargin, 5.0F, scratch.data(), gradients.data());
            } else {
                table.volume_gradient(scene.groups(false, false), first, {all, 3}, moving,
                                      per_blur_width.data(), scratch.data(), gradients.data());
            }
        }
        return gradients;
    }

    /// What the gradients of `coverage_gradient` belong to.
    double margins(const Scene& scene) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < kCount; ++i) {
            double total = 0.0;
            for (const MovingSphere& sphere : moving) {
                const double s =
                    (double(sphere.radius) - away(scene, i, sphere) - double(kMargin)) / double(kMargin);
                const bool may = sphere.allowed == nullptr || sphere.allowed[i] != 0;
                total += may ? std::pow(std::max(0.0, 1.0 + (s - 1.0) / 8.0), 8.0) : 0.0;
            }
            const double norm = std::pow(total, 1.0 / 8.0);
            // Farther away, no sphere is moved.
            const double missing = 8.0 * (1.0 - std::clamp(norm, 0.05, 1.0));
            sum += 5.0 * double(kMargin) * missing * missing / 2.0;
        }
        return sum;
    }

    /// And those of `volume_gradient`.
    double outside(const Scene& scene) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < kCount; ++i) {
            double free = 1.0;
            double each = 0.0;
            for (const MovingSphere& sphere : moving) {
                const double part =
                    std::clamp((double(sphere.radius) - away(scene, i, sphere)) / 0.3 + 0.5, 0.0, 1.0);
                free *= 1.0 - part;
                each += part;
            }
            const double weight = double(scene.value[i]);
            sum += weight < 0.0 ? -weight * each : weight * (1.0 - free);
        }
        return sum;
    }

    static double away(const Scene& scene, std::size_t i, const MovingSphere& sphere) {
        return std::sqrt(std::pow(double(scene.x[i]) - double(sphere.x), 2.0) +
                         std::pow(double(scene.y[i]) - double(sphere.y), 2.0) +
                         std::pow(double(scene.z[i]) - double(sphere.z), 2.0));
    }

    static constexpr float kMargin = 0.01F;
    std::vector<float> radii;
    std::vector<float> none;
    std::vector<float> per_blur_width;
    MovingSphere moving[3];
};

TEST(Kernels, GradientsAreTheSameOnEveryProcessor) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Scene scene(seed);
        Moving moving(scene);
        for (const bool coverage_gradient : {true, false}) {
            const std::vector<Gradient> wide = moving.gradients(table(), scene, coverage_gradient);
            const std::vector<Gradient> plain = moving.gradients(plain_table(), scene, coverage_gradient);
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

TEST(Kernels, GradientsAreThoseOfTheCostsThatTheyBelongTo) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const Scene scene(seed);
        Moving moving(scene);
        for (const bool coverage_gradient : {true, false}) {
            const std::vector<Gradient> gradients = moving.gradients(table(), scene, coverage_gradient);
            for (std::size_t k = 0; k < gradients.size(); ++k) {
                float* const numbers[] = {&moving.moving[k].x, &moving.moving[k].y, &moving.moving[k].z,
                                          &moving.moving[k].radius};
                const float found[] = {gradients[k].x, gradients[k].y, gradients[k].z, gradients[k].radius};
                for (int n = 0; n < 4; ++n) {
                    const float before = *numbers[n];
                    double cost[2];
                    float at[2];
                    for (int side = 0; side < 2; ++side) {
                        at[side] = *numbers[n] = before + (side == 0 ? -5e-4F : 5e-4F);
                        cost[side] = coverage_gradient ? moving.margins(scene) : moving.outside(scene);
                    }
                    *numbers[n] = before;
                    const double slope = (cost[1] - cost[0]) / double(at[1] - at[0]);
                    EXPECT_NEAR(double(found[n]), slope, 0.05 * std::abs(double(gradients[k].radius)))
                        << (coverage_gradient ? "coverage_gradient" : "volume_gradient") << ", seed " << seed
                        << ", sphere " << k << ", number " << n;
                }
            }
        }
    }
}

}  // namespace
}  // namespace espalier::kernels
