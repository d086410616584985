// SPDX-License-Identifier: GPL-3.0-or-later
// Every mesh of Debian's libcgal-demo bakes to an aabb tree that holds its triangles, to the same bytes with
// one thread and with two, or is refused for the reason that is listed here.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "builder/aabb/options.h"
#include "builder/asset/check.h"
#include "builder/bake.h"
#include "builder/box/options.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

struct Refusal {
    ErrorKind kind;
    std::string reason;  ///< part of the message
};

/// By name. Everything else must bake.
const std::map<std::string, Refusal>& refused_meshes() {
    static const std::map<std::string, Refusal> refused = {
        {"b9.ply", {ErrorKind::kInvalidInput, "no faces (22300 vertices)"}},  // a point cloud
    };
    return refused;
}

void expect_bakes(const std::string& name) {
    BakeOptions options;
    options.trees = {aabb_tree(), box_tree()};  // spheres take seconds a mesh
    Progress progress;
    options.jobs = 1;
    const Result<Baked> one = bake(std::filesystem::path(ESPALIER_MESHES_DIR) / name, options, progress);
    ASSERT_TRUE(one.ok()) << one.error().message;
    options.jobs = 2;
    const Result<Baked> two = bake(std::filesystem::path(ESPALIER_MESHES_DIR) / name, options, progress);
    ASSERT_TRUE(two.ok());
    EXPECT_EQ(one.value().bytes, two.value().bytes) << "the thread count changes the bytes";
    const Result<CheckReport> report = check_asset(one.value().bytes);
    ASSERT_TRUE(report.ok()) << report.error().message;
    for (const CheckItem& item : report.value().items) {
        EXPECT_TRUE(item.ok) << item.name << ": " << item.message;
        EXPECT_GT(item.count, 0u) << item.name;
    }
}

void expect_refused(const std::string& name, const Refusal& refusal) {
    BakeOptions options;
    options.trees = {aabb_tree()};
    Progress progress;
    const Result<Baked> baked = bake(std::filesystem::path(ESPALIER_MESHES_DIR) / name, options, progress);
    ASSERT_FALSE(baked.ok()) << "listed as refused, but bakes";
    EXPECT_EQ(baked.error().kind, refusal.kind);
    EXPECT_NE(baked.error().message.find(refusal.reason), std::string::npos) << baked.error().message;
}

TEST(RealMeshes, BakeOrAreRefusedForTheListedReason) {
    const std::vector<std::string> names = real_mesh_names(ESPALIER_MESHES_DIR);
    EXPECT_GT(names.size(), 100u);
    std::size_t baked = 0;
    for (const std::string& name : names) {
        SCOPED_TRACE(name);
        const auto refusal = refused_meshes().find(name);
        if (refusal == refused_meshes().end()) {
            expect_bakes(name);
            ++baked;
        } else {
            expect_refused(name, refusal->second);
        }
    }
    std::printf("  %zu baked, %zu refused\n", baked, names.size() - baked);
}

}  // namespace
}  // namespace espalier::testing
