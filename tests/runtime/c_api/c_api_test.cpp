// SPDX-License-Identifier: GPL-3.0-or-later
// Assets and questions about one part: the C header gives what the C++ classes give.
#include <vector>

#include "espalier/collide.h"
#include "espalier/point.h"
#include "espalier/ray_cast.h"
#include "tests/runtime/c_api/golden_part.h"

namespace espalier::testing {
namespace {

TEST(CApi, AssetsAndPartsTellWhatTheViewsTell) {
    const GoldenPart gear("gear");
    const espalier_asset_info info = espalier_get_asset_info(gear.c_asset());
    EXPECT_EQ(info.version_major, 1u);
    EXPECT_EQ(info.version_minor, 1u);
    EXPECT_EQ(info.part_count, 1u);
    Asset asset;
    ASSERT_EQ(open(info.data, info.size, Verify::kFull, &asset), Status::kOk);
    EXPECT_EQ(info.checksum, asset.checksum());
    EXPECT_EQ(info.builder_revision, asset.builder_revision());

    const ShapeView& part = gear.part();
    const espalier_shape_info facts = espalier_get_shape_info(gear.c_part());
    EXPECT_STREQ(facts.name, part.name);
    EXPECT_EQ(facts.closed != 0, part.closed);
    EXPECT_EQ(facts.trees,
              ESPALIER_TREE_AABB | ESPALIER_TREE_BOX | ESPALIER_TREE_CELL | ESPALIER_TREE_SPHERE);
    EXPECT_TRUE(std::equal(facts.lo, facts.lo + 3, part.lo));
    EXPECT_TRUE(std::equal(facts.hi, facts.hi + 3, part.hi));
    EXPECT_TRUE(std::equal(facts.origin, facts.origin + 3, part.origin));
    EXPECT_EQ(facts.aabb_node_count, part.aabb.node_count);

    const espalier_mesh mesh = espalier_get_mesh(gear.c_part());
    ASSERT_EQ(mesh.triangle_count, facts.triangle_count);
    EXPECT_EQ(mesh.vertex_count, part.mesh.vertex_count);
    for (std::uint32_t t = 0; t < mesh.triangle_count; ++t) {
        EXPECT_EQ(espalier_mesh_index(&mesh, t, 2), part.mesh.index(t, 2));
        EXPECT_EQ(espalier_mesh_corner(&mesh, t, 1)[0], part.mesh.corner(t, 1)[0]);
    }
}

TEST(CApi, APartTellsWhichTreesItHas) {
    const GoldenPart old("../1.0/gear");
    EXPECT_EQ(espalier_get_asset_info(old.c_asset()).version_minor, 0u);
    EXPECT_EQ(espalier_get_shape_info(old.c_part()).trees, ESPALIER_TREE_AABB | ESPALIER_TREE_BOX);
    espalier_sphere_tree tree;
    EXPECT_EQ(espalier_get_sphere_tree(old.c_part(), &tree), ESPALIER_STATUS_NO_TREE);
    const espalier_pose pose = espalier_pose_identity();
    auto query = std::make_unique<espalier_query>();
    EXPECT_EQ(espalier_collide_begin(query.get(), sizeof(*query), &espalier_collide_cell_sat_lite,
                                     old.c_part(), old.c_part(), &pose, nullptr),
              ESPALIER_STATUS_NO_TREE);
    EXPECT_EQ(espalier_step(query.get(), nullptr), ESPALIER_UNRESOLVED);
}

TEST(CApi, AnOpenPartHasNoInside) {
    const GoldenPart open("open");
    EXPECT_EQ(espalier_get_shape_info(open.c_part()).closed, 0u);
    const double origin[3] = {0, 0, 0};
    auto query = std::make_unique<espalier_query>();
    EXPECT_EQ(espalier_inside_begin(query.get(), open.c_part(), origin), ESPALIER_STATUS_NOT_CLOSED);
}

TEST(CApi, MappingAMissingFileFails) {
    espalier_mapped_file file = {nullptr, 0};
    EXPECT_EQ(espalier_map_file("/there/is/no/such/file", &file), ESPALIER_STATUS_INPUT_OUTPUT);
    EXPECT_EQ(file.data, nullptr);
}

template <class Tree>
void expect_same_rays(const espalier_ray_kind* kind) {
    const GoldenPart gear("gear");
    auto memory = std::make_unique<espalier_query>();
    RayCast<Tree> cast;
    Draw draw(5);
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
        const Eigen::Vector3d p = 2 * draw.in_cube(), d = draw.direction();
        Ray ray;
        std::copy_n(p.data(), 3, ray.origin);
        std::copy_n(d.data(), 3, ray.direction);
        espalier_ray c_ray = espalier_ray_along(ray.origin, ray.direction);
        EXPECT_EQ(c_ray.max_t, ray.max_t);
        if (i % 3 == 0) ray.max_t = c_ray.max_t = 1;
        ASSERT_EQ(cast.begin(gear.part(), ray, i % 2 ? RayMode::kAny : RayMode::kFirst), Status::kOk);
        ASSERT_EQ(espalier_ray_begin(memory.get(), kind, gear.c_part(), &c_ray, i % 2), ESPALIER_STATUS_OK);
        const Verdict verdict = cast.step();
        ASSERT_EQ(espalier_step(memory.get(), nullptr), static_cast<std::uint32_t>(verdict));
        expect_counters(memory.get(), cast.counters());
        espalier_ray_hit hit;
        ASSERT_EQ(espalier_ray_result(memory.get(), &hit) != 0, verdict == Verdict::kColliding);
        if (verdict != Verdict::kColliding) continue;
        ++hits;
        EXPECT_EQ(hit.t, cast.hit().t);
        EXPECT_EQ(hit.triangle, cast.hit().triangle);
        EXPECT_EQ(hit.normal[1], cast.hit().normal[1]);
    }
    EXPECT_GT(hits, 5);
}

TEST(CApi, RaysOfEveryTreeEqualTheirClass) {
    expect_same_rays<AabbTreeView>(&espalier_ray_aabb);
    expect_same_rays<BoxTreeView>(&espalier_ray_box);
}

TEST(CApi, PointQueriesEqualTheirClasses) {
    const GoldenPart gear("gear");
    auto memory = std::make_unique<espalier_query>();
    ClosestPointQuery closest;
    InsideQuery inside;
    Draw draw(6);
    for (int i = 0; i < 200; ++i) {
        const Eigen::Vector3d p = 2 * draw.in_cube();
        const double limit = i % 2 ? 0.5 : 1e30;
        ASSERT_EQ(closest.begin(gear.part(), p.data(), limit), Status::kOk);
        ASSERT_EQ(espalier_closest_begin(memory.get(), gear.c_part(), p.data(), limit), ESPALIER_STATUS_OK);
        ASSERT_EQ(espalier_step(memory.get(), nullptr), static_cast<std::uint32_t>(closest.step()));
        espalier_closest_point point;
        ASSERT_EQ(espalier_closest_result(memory.get(), &point) != 0,
                  closest.verdict() == Verdict::kColliding);
        if (closest.verdict() == Verdict::kColliding) {
            EXPECT_EQ(point.distance, closest.closest().distance);
            EXPECT_EQ(point.triangle, closest.closest().triangle);
            EXPECT_EQ(point.point[0], closest.closest().point[0]);
        }
        ASSERT_EQ(inside.begin(gear.part(), p.data()), Status::kOk);
        ASSERT_EQ(espalier_inside_begin(memory.get(), gear.c_part(), p.data()), ESPALIER_STATUS_OK);
        EXPECT_EQ(espalier_step(memory.get(), nullptr), static_cast<std::uint32_t>(inside.step()));
    }
}

TEST(CApi, RefitGivesAPartThatCollides) {
    const GoldenPart gear("gear");
    const espalier_shape_info facts = espalier_get_shape_info(gear.c_part());
    std::vector<float> positions(std::size_t{3} * facts.vertex_count);
    const float* old = espalier_get_mesh(gear.c_part()).positions;
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = old[i] * 2;
    std::vector<double> nodes(std::size_t{8} * facts.aabb_node_count + 2),
        scratch(espalier_refit_scratch_size(gear.c_part()) / 8 + 4);
    const auto aligned = [](std::vector<double>& v) {
        return reinterpret_cast<void*>((reinterpret_cast<std::uintptr_t>(v.data()) + 15) &
                                       ~std::uintptr_t{15});
    };
    espalier_shape refitted;
    ASSERT_EQ(espalier_refit(gear.c_part(), positions.data(), aligned(nodes), aligned(scratch),
                             espalier_refit_scratch_size(gear.c_part()), &refitted),
              ESPALIER_STATUS_OK);
    const espalier_pose pose = espalier_pose_identity();
    auto query = std::make_unique<espalier_query>();
    ASSERT_EQ(espalier_collide_begin(query.get(), sizeof(*query), &espalier_collide_aabb_sat_lite, &refitted,
                                     &refitted, &pose, nullptr),
              ESPALIER_STATUS_OK);
    EXPECT_EQ(espalier_step(query.get(), nullptr), ESPALIER_COLLIDING);
    EXPECT_EQ(espalier_get_shape_info(&refitted).trees, ESPALIER_TREE_AABB);
}

TEST(CApi, NullArgumentsAreRefused) {
    const GoldenPart gear("gear");
    const espalier_pose pose = espalier_pose_identity();
    espalier_asset asset;
    espalier_shape part;
    EXPECT_EQ(espalier_open(nullptr, 100, ESPALIER_VERIFY_FULL, &asset), ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_get_part(gear.c_asset(), 1, &part), ESPALIER_STATUS_INVALID_ARGUMENT);
    auto query = std::make_unique<espalier_query>();
    EXPECT_EQ(espalier_collide_begin(query.get(), sizeof(*query), nullptr, gear.c_part(), gear.c_part(),
                                     &pose, nullptr),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_EQ(espalier_collide_begin(query.get(), sizeof(*query), &espalier_collide_aabb_sat_lite, nullptr,
                                     gear.c_part(), &pose, nullptr),
              ESPALIER_STATUS_INVALID_ARGUMENT);
    EXPECT_STREQ(espalier_status_text(ESPALIER_STATUS_NO_TREE), status_text(Status::kNoTree));
}

}  // namespace
}  // namespace espalier::testing
