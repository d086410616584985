// SPDX-License-Identifier: GPL-3.0-or-later
// A hierarchy that the project does not know is baked, dumped, checked, viewed and queried through its row
// alone.
#include <gtest/gtest.h>

#include <array>

#include "builder/aabb/options.h"
#include "builder/asset/aligned_bytes.h"
#include "builder/asset/check.h"
#include "builder/asset/describe.h"
#include "builder/asset/volumes.h"
#include "builder/bake.h"
#include "builder/box/options.h"
#include "builder/cell/options.h"
#include "corpus/registry.h"
#include "espalier_generated.h"
#include "tests/builder/hierarchy/toy/row.h"

namespace espalier::test {
namespace {

/// A torus baked from memory with the given trees.
Baked bake_torus(std::vector<TreeRequest> trees, HierarchyRows list) {
    const TriangleMesh torus = corpus::find_corpus_mesh("torus")->make_near(400);
    std::vector<std::array<double, 3>> points;
    for (const Eigen::Vector3f& p : torus.positions)
        points.push_back({double(p.x()), double(p.y()), double(p.z())});
    std::vector<std::uint32_t> corners;
    for (const Triangle& t : torus.triangles) corners.insert(corners.end(), t.begin(), t.end());
    BakeOptions options;
    options.trees = std::move(trees);
    Progress silent;
    return bake(MemoryMesh{"torus", points, corners}, options, silent, list).value();
}

/// The same, opened.
struct BakedTorus {
    explicit BakedTorus(std::vector<TreeRequest> trees)
        : baked(bake_torus(std::move(trees), with_toy())), bytes(baked.bytes) {
        EXPECT_EQ(open_asset({bytes.data(), bytes.size()}, &opened), Status::kOk);
    }

    Baked baked;
    AlignedBytes bytes;
    OpenedAsset opened;
};

TEST(Toy, IsBakedWithItsOptionsAndItsList) {
    ToyOptions options;
    options.axis = ToyAxis::kZ;
    const BakedTorus torus({toy_tree(options)});
    ASSERT_EQ(torus.baked.report.trees.size(), 1u);
    EXPECT_EQ(torus.baked.report.trees[0].name, "toy");
    EXPECT_EQ(torus.baked.report.trees[0].facts.name, "toy");
    const auto* part = schema::GetAsset(torus.bytes.data())->shapes()->Get(0);
    const auto* table = reinterpret_cast<const flatbuffers::Table*>(part);
    const auto* list = table->GetPointer<const flatbuffers::Vector<std::uint32_t>*>(kToyField);
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->size(), torus.opened.parts[0].mesh.triangle_count);
    const AssetDescription asset = describe_asset(torus.opened, with_toy()).value();
    EXPECT_NE(std::ranges::find(asset.options, std::pair<std::string, std::string>("toy-axis", "z")),
              asset.options.end());
    EXPECT_NE(std::ranges::find(asset.options, std::pair<std::string, std::string>("trees", "toy")),
              asset.options.end());
}

TEST(Toy, IsDescribedAmongTheOthers) {
    const BakedTorus torus({toy_tree(), box_tree()});
    const AssetDescription asset = describe_asset(torus.opened, with_toy()).value();
    ASSERT_EQ(asset.shapes[0].trees.size(), 2u);
    EXPECT_EQ(asset.shapes[0].trees[0].name, "box");
    const TreeDescription& toy = asset.shapes[0].trees[1];
    EXPECT_EQ(toy.name, "toy");
    EXPECT_EQ(toy.leaves, asset.shapes[0].triangles);
    EXPECT_EQ(toy.bytes, 4 * asset.shapes[0].triangles);
    EXPECT_EQ(toy.bytes_per_triangle, 4.0);
    EXPECT_EQ(asset.shapes[0].sections.back().name, "toy list");
}

TEST(Toy, IsChecked) {
    const BakedTorus torus({toy_tree()});
    const CheckReport report = check_asset(torus.baked.bytes, with_toy()).value();
    EXPECT_TRUE(report.ok());
    EXPECT_EQ(report.items.back().name, "toy triangles are sorted along an axis");
    // The mesh is stored in the order of the aabb tree, which comes before it in the list.
    const BakedTorus other({aabb_tree(), toy_tree()});
    EXPECT_FALSE(check_asset(other.baked.bytes, with_toy()).value().ok());
}

TEST(Toy, IsViewed) {
    const BakedTorus torus({toy_tree()});
    const std::vector<TreeVolumes> trees = decode_volumes(torus.opened.parts[0], 100'000, with_toy());
    ASSERT_EQ(trees.size(), 1u);
    EXPECT_EQ(trees[0].hierarchy, &kToyHierarchy);
    ASSERT_EQ(trees[0].levels.size(), 1u);
    EXPECT_EQ(trees[0].levels[0].leaves.boxes.size(), torus.opened.parts[0].mesh.triangle_count);
}

TEST(Toy, IsQueriedAndFindsTheContactsOfTheOthers) {
    const BakedTorus torus({toy_tree(), aabb_tree()});
    const auto contacts = [&](const char* tree, double x) {
        const std::span<const QueryMethod> methods = find_hierarchy(tree, with_toy())->query_methods();
        const auto all = std::ranges::find(methods, QueryMode::kAll, &QueryMethod::mode);
        Pose pose;
        pose.translation[0] = x;
        QueryOutcome outcome;
        const ShapeView& part = torus.opened.parts[0];
        EXPECT_EQ(all->variants.front().run(part, part, pose, QueryRequest(), outcome), Status::kOk);
        return outcome.contacts;
    };
    EXPECT_GT(contacts("toy", 0.3), 0u);
    EXPECT_EQ(contacts("toy", 0.3), contacts("aabb", 0.3));
    EXPECT_EQ(contacts("toy", 30), 0u);
}

TEST(Toy, ItsOptionsAreParsedFromItsRow) {
    std::any options = kToyHierarchy.default_options();
    EXPECT_TRUE(set_option(kToyHierarchy.options[0], options, "x"));
    EXPECT_EQ(std::any_cast<const ToyOptions&>(options).axis, ToyAxis::kX);
    EXPECT_EQ(set_option(kToyHierarchy.options[0], options, "w").error().message,
              "--toy-axis must be x, y or z, not 'w'");
    EXPECT_EQ(set_option(kToyHierarchy.options[1], options, "0").error().message,
              "--toy-page needs a whole number from 1 to 1000, not '0'");
}

TEST(Toy, AListWithItBakesTheOthersToTheSameBytes) {
    EXPECT_EQ(bake_torus({cell_tree(), box_tree()}, all_hierarchies()).bytes,
              bake_torus({box_tree(), cell_tree()}, with_toy()).bytes);
}

}  // namespace
}  // namespace espalier::test
