// SPDX-License-Identifier: GPL-3.0-or-later
// A mesh in memory bakes to the bytes of the same mesh in a file.
#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "builder/aabb/options.h"
#include "builder/asset/atomic_file.h"
#include "builder/bake.h"
#include "builder/box/options.h"
#include "builder/cell/options.h"
#include "builder/sphere/options.h"

namespace espalier::test {
namespace {

// A pyramid: a square and four triangles.
constexpr const char* kPyramidOff =
    "OFF\n5 5 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0.5 0.5 0.7\n"
    "4 0 3 2 1\n3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n";
constexpr std::array<double, 3> kPoints[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, 0.7}};
constexpr std::uint32_t kCorners[] = {0, 3, 2, 1, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
constexpr std::uint32_t kSizes[] = {4, 3, 3, 3, 3};

BakeOptions all_trees() {
    BakeOptions options;
    options.import.scale = 0.3;
    options.import.unit = std::string("m");
    SphereTreeOptions sphere;
    sphere.levels = 2;
    sphere.effort = SphereEffort::kFast;
    options.trees = {aabb_tree(), box_tree(), cell_tree(), sphere_tree(sphere)};
    return options;
}

class BakeMemory : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::string text = kPyramidOff;
        const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
        ASSERT_TRUE(write_file_atomically(file_, {data, text.size()}));
        digest_ = sha256(text).value();
        from_file_ = bake(file_, all_trees(), silent_).value().bytes;
    }
    void TearDown() override { std::filesystem::remove(file_); }

    Result<Baked> bake_mesh(const MemoryMesh& mesh) { return bake(mesh, all_trees(), silent_); }

    Progress silent_;
    std::filesystem::path file_ = std::filesystem::temp_directory_path() / "espalier_bake_memory_pyramid.off";
    std::array<std::uint8_t, 32> digest_{};
    std::vector<std::uint8_t> from_file_;
};

TEST_F(BakeMemory, NameAndHashOfTheFileGiveItsBytes) {
    const MemoryMesh mesh{file_.filename().string(), kPoints, kCorners, kSizes, digest_};
    EXPECT_EQ(bake_mesh(mesh).value().bytes, from_file_);
}

TEST_F(BakeMemory, WithoutTheHashOnlyHashAndChecksumDiffer) {
    const std::vector<std::uint8_t> bytes =
        bake_mesh({file_.filename().string(), kPoints, kCorners, kSizes}).value().bytes;
    ASSERT_EQ(bytes.size(), from_file_.size());
    std::size_t different = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) different += bytes[i] != from_file_[i];
    EXPECT_GT(different, 0u);
    EXPECT_LE(different, 32u + 8u) << "SHA-256 and checksum";
    const std::vector<std::uint8_t> again =
        bake_mesh({file_.filename().string(), kPoints, kCorners, kSizes}).value().bytes;
    EXPECT_EQ(again, bytes);
}

TEST_F(BakeMemory, TrianglesNeedNoSizes) {
    constexpr std::uint32_t kTriangles[] = {0, 1, 4, 1, 2, 4};
    constexpr std::uint32_t kThrees[] = {3, 3};
    EXPECT_EQ(bake_mesh({"two", kPoints, kTriangles}).value().bytes,
              bake_mesh({"two", kPoints, kTriangles, kThrees}).value().bytes);
}

TEST_F(BakeMemory, WhatDoesNotFitIsInvalidInputAndNamed) {
    constexpr std::uint32_t kTooFar[] = {0, 1, 5};
    constexpr std::uint32_t kShort[] = {3, 3};
    const std::pair<MemoryMesh, std::string> cases[] = {
        {{"none", kPoints, {}}, "no faces"},
        {{"far", kPoints, kTooFar}, "face 0 refers to vertex 5, but there are 5"},
        {{"odd", kPoints, std::span(kCorners).first(4)}, "4 corners are no whole number of triangles"},
        {{"few", kPoints, std::span(kCorners).first(5), kShort}, "face 1 has 3 corners, but only 2 are left"},
        {{"many", kPoints, std::span(kCorners).first(7), kShort}, "1 corners belong to no face"}};
    for (const auto& [mesh, says] : cases) {
        const Result<Baked> baked = bake_mesh(mesh);
        ASSERT_FALSE(baked) << mesh.name;
        EXPECT_EQ(baked.error().kind, ErrorKind::kInvalidInput) << mesh.name;
        EXPECT_NE(baked.error().message.find(says), std::string::npos) << baked.error().message;
    }
}

TEST_F(BakeMemory, AScaleThatIsNotPositiveIsAUsageError) {
    for (const double scale : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
        BakeOptions options = all_trees();
        options.import.scale = scale;
        EXPECT_EQ(bake(MemoryMesh{"pyramid", kPoints, kCorners, kSizes}, options, silent_).error().kind,
                  ErrorKind::kUsage);
    }
}

}  // namespace
}  // namespace espalier::test
