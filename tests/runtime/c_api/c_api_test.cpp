// SPDX-License-Identifier: GPL-3.0-or-later
// The C header gives what the C++ classes give.
#include <gtest/gtest.h>

#include <vector>

#include "espalier/collide.h"
#include "espalier/distance.h"
#include "espalier/espalier.h"
#include "espalier/point.h"
#include "espalier/ray_cast.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

class CApi : public ::testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(espalier_open(mesh_.bytes().data(), mesh_.bytes().size(), ESPALIER_VERIFY_FULL, &asset_),
                  ESPALIER_STATUS_OK);
        ASSERT_EQ(espalier_part_count(&asset_), 1u);
        ASSERT_EQ(espalier_get_part(&asset_, 0, &part_), ESPALIER_STATUS_OK);
    }

    static espalier_pose to_c(const Pose& pose) {
        espalier_pose c = espalier_identity();
        std::copy_n(pose.rotation, 4, c.rotation);
        std::copy_n(pose.translation, 3, c.translation);
        return c;
    }

    BakedMesh mesh_{"soup", random_soup(11, 300)};
    espalier_asset asset_;
    espalier_part part_;
    espalier_query query_;
};

TEST_F(CApi, PairQueriesEqualTheClasses) {
    Draw draw(21);
    for (int i = 0; i < 200; ++i) {
        const Pose pose = random_pose(draw, mesh_.part(), mesh_.part());
        const espalier_pose c_pose = to_c(pose);
        static Collide<AabbTreeView> collide;
        ASSERT_EQ(collide.begin(mesh_.part(), mesh_.part(), pose), Status::kOk);
        const Verdict verdict = collide.step();
        ASSERT_EQ(espalier_collide_begin(&query_, &part_, &part_, &c_pose, ESPALIER_OVERLAP_SAT_LITE),
                  ESPALIER_STATUS_OK);
        ASSERT_EQ(espalier_collide_step(&query_, nullptr), static_cast<std::uint32_t>(verdict));
        if (verdict == Verdict::kColliding) {
            const espalier_contact contact = espalier_collide_contact(&query_);
            ASSERT_EQ(contact.triangle_a, collide.contact().triangle_a);
            ASSERT_EQ(contact.point[2], collide.contact().point[2]);
        }
        static Distance<AabbTreeView> distance;
        ASSERT_EQ(distance.begin(mesh_.part(), mesh_.part(), pose), Status::kOk);
        distance.step();
        const espalier_distance_goal goal = espalier_any_distance();
        ASSERT_EQ(espalier_distance_begin(&query_, &part_, &part_, &c_pose, &goal), ESPALIER_STATUS_OK);
        espalier_distance_step(&query_, nullptr);
        ASSERT_EQ(espalier_distance_result(&query_).upper, distance.upper());
        ASSERT_NE(espalier_distance_result(&query_).done, 0u);
    }
}

TEST_F(CApi, ContactsReportAFullBuffer) {
    const espalier_pose pose = espalier_identity();
    std::vector<espalier_contact> buffer(4);
    std::uint64_t count = 0;
    EXPECT_EQ(espalier_contacts(&query_, &part_, &part_, &pose, buffer.data(), buffer.size(), &count),
              ESPALIER_STATUS_BUFFER_FULL);
    EXPECT_GE(count, 300u);
    buffer.resize(count);
    EXPECT_EQ(espalier_contacts(&query_, &part_, &part_, &pose, buffer.data(), buffer.size(), &count),
              ESPALIER_STATUS_OK);
    EXPECT_EQ(buffer.size(), count);
}

int expired(void* calls) {
    return ++*static_cast<int*>(calls) > 2;
}

TEST_F(CApi, ClockStopsAStepAndTheNextGoesOn) {
    const espalier_pose pose = espalier_identity();
    int calls = 0;
    const espalier_budget budget = {0, &expired, &calls};
    ASSERT_EQ(espalier_collide_begin(&query_, &part_, &part_, &pose, ESPALIER_OVERLAP_SAT),
              ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_collide_step(&query_, &budget), ESPALIER_UNRESOLVED);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(espalier_collide_step(&query_, nullptr), ESPALIER_COLLIDING);
}

TEST_F(CApi, SinglePartQueriesEqualTheClasses) {
    Draw draw(5);
    for (int i = 0; i < 200; ++i) {
        const Eigen::Vector3d p = 2 * draw.in_cube(), d = draw.direction();
        espalier_ray c_ray = {{p.x(), p.y(), p.z()}, {d.x(), d.y(), d.z()}, 1e30};
        Ray ray;
        std::copy_n(c_ray.origin, 3, ray.origin);
        std::copy_n(c_ray.direction, 3, ray.direction);
        static RayCast<AabbTreeView> cast;
        ASSERT_EQ(cast.begin(mesh_.part(), ray), Status::kOk);
        const Verdict verdict = cast.step();
        ASSERT_EQ(espalier_ray_begin(&query_, &part_, &c_ray, 0), ESPALIER_STATUS_OK);
        ASSERT_EQ(espalier_ray_step(&query_, nullptr), static_cast<std::uint32_t>(verdict));
        if (verdict == Verdict::kColliding) {
            ASSERT_EQ(espalier_ray_result(&query_).t, cast.hit().t);
        }
        static ClosestPointQuery closest;
        ASSERT_EQ(closest.begin(mesh_.part(), p.data()), Status::kOk);
        closest.step();
        ASSERT_EQ(espalier_closest_begin(&query_, &part_, p.data(), 1e30), ESPALIER_STATUS_OK);
        ASSERT_EQ(espalier_closest_step(&query_, nullptr), ESPALIER_COLLIDING);
        ASSERT_EQ(espalier_closest_result(&query_).distance, closest.closest().distance);
    }
    const double origin[3] = {0, 0, 0};
    EXPECT_EQ(espalier_inside_begin(&query_, &part_, origin), ESPALIER_STATUS_NOT_CLOSED);
}

TEST_F(CApi, RefitGivesAPartThatCollides) {
    std::vector<float> positions(3 * espalier_vertex_count(&part_));
    const float* old = mesh_.part().mesh.positions;
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = old[i] * 2;
    std::vector<double> nodes(8 * espalier_node_count(&part_) + 2),
        scratch(espalier_refit_scratch_size(&part_) / 8 + 4);
    const auto aligned = [](std::vector<double>& v) {
        return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(v.data()) + 15) &
                                       ~std::uintptr_t{15});
    };
    espalier_part refitted;
    ASSERT_EQ(espalier_refit(&part_, positions.data(), aligned(nodes), aligned(scratch),
                             espalier_refit_scratch_size(&part_), &refitted),
              ESPALIER_STATUS_OK);
    const espalier_pose pose = espalier_identity();
    ASSERT_EQ(espalier_collide_begin(&query_, &refitted, &refitted, &pose, ESPALIER_OVERLAP_SAT_LITE),
              ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_collide_step(&query_, nullptr), ESPALIER_COLLIDING);
}

TEST_F(CApi, NullArgumentsAreRefused) {
    const espalier_pose pose = espalier_identity();
    EXPECT_EQ(espalier_open(nullptr, 100, ESPALIER_VERIFY_FULL, &asset_), ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_get_part(&asset_, 1, &part_), ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_collide_begin(&query_, nullptr, &part_, &pose, 0), ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_STREQ(espalier_status_text(ESPALIER_STATUS_NO_TREE), status_text(Status::kNoTree));
}

}  // namespace
}  // namespace espalier::testing
