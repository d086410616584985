// SPDX-License-Identifier: GPL-3.0-or-later
// No query allocates: malloc is replaced by one that counts, and queries of every tree leave the count alone.
#include <gtest/gtest.h>

#include <cstdlib>

#include "espalier/collide.h"
#include "espalier/distance.h"
#include "tests/runtime/sphere/sphere_part.h"
#include "tests/support/effort.h"
#include "tests/support/meshes.h"

namespace {
unsigned long long allocations = 0;
}

#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)
extern "C" {
void* __libc_malloc(std::size_t size);
void* malloc(std::size_t size) {
    ++allocations;
    return __libc_malloc(size);
}
}
constexpr bool kCounts = true;
#else
constexpr bool kCounts = false;  // the sanitizer has replaced malloc already
#endif

namespace espalier::testing {
namespace {

template <class Query>
void finish(Query& query) {
    Budget few;
    few.node_tests = 10;
    for (int i = 0; i < 3; ++i) query.step(few);
    query.step();
}

TEST(Allocation, NoQueryAllocates) {
    HandSphereOptions options;
    options.aabb = true;
    const TriangleMesh mesh = ten_small_meshes(200)[1].mesh;
    const SpherePart part("torus", mesh, options);
    const ShapeView& p = part.part();
    auto aabb = std::make_unique<Distance<AabbTreeView>>();
    auto box = std::make_unique<Distance<BoxTreeView>>();
    auto collide = std::make_unique<Collide<AabbTreeView>>();
    auto sphere = std::make_unique<SphereQuery<256>>();
    Draw draw(3);
    const unsigned long long before = allocations;
    if (kCounts) ASSERT_GT(before, 0u) << "the count counts";
    bool begun = true;
    for (int i = 0; i < 50; ++i) {
        const Pose pose = random_pose(draw, p, p, 1.2);
        begun &= aabb->begin(p, p, pose) == Status::kOk && box->begin(p, p, pose) == Status::kOk &&
                 collide->begin(p, p, pose) == Status::kOk && sphere->begin(p, p, pose) == Status::kOk;
        finish(*aabb);
        finish(*box);
        finish(*collide);
        finish(*sphere);
        begun &= sphere->advance(random_pose(draw, p, p, 1.2)) == Status::kOk;
        finish(*sphere);
        SphereContact contact;
        sphere->mean_contact(&contact);
    }
    const unsigned long long after = allocations;
    EXPECT_TRUE(begun);
    EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace espalier::testing
