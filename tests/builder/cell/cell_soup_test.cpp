// SPDX-License-Identifier: GPL-3.0-or-later
// Raw soups: open, overlapping, self-intersecting and unoriented input gives correct surface contact; all
// parts of the engine bay against one moving part, as in the fitting simulation of Zachmann 1997,
// "Applications".
#include <gtest/gtest.h>

#include "corpus/engine_bay.h"
#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "tests/support/brute_force.h"
#include "tests/support/cell_fixture.h"
#include "tests/support/meshes.h"

namespace espalier::test {
namespace {

void expect_brute_contacts(const ShapeView& a, const ShapeView& b, const Pose& pose, const std::string& what,
                           std::uint64_t* touching) {
    const std::vector<testing::TrianglePair> expected = testing::BruteForce(a, b, pose).near_contacts();
    Collide<CellTreeView> first;
    ASSERT_EQ(first.begin(a, b, pose), Status::kOk);
    EXPECT_EQ(first.step() == Verdict::kColliding, !expected.empty()) << what;
    std::vector<Contact> found(expected.size() + 10);
    Contacts<CellTreeView> all;
    ASSERT_EQ(all.begin(a, b, pose, found.data(), found.size()), Status::kOk);
    all.step();
    ASSERT_EQ(all.count(), expected.size()) << what;
    std::vector<testing::TrianglePair> pairs;
    for (std::size_t i = 0; i < expected.size(); ++i)
        pairs.emplace_back(found[i].triangle_a, found[i].triangle_b);
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(pairs, expected) << what;
    *touching += !expected.empty();
}

/// Every second triangle dropped, every third turned round: open and unoriented.
TriangleMesh spoiled(const TriangleMesh& mesh) {
    TriangleMesh open;
    std::vector<std::uint32_t> renumbered(mesh.positions.size(), ~0u);
    for (std::size_t i = 0; i < mesh.triangles.size(); i += 2) {
        Triangle t = mesh.triangles[i];
        if (i % 3 == 0) std::swap(t[0], t[1]);
        for (std::uint32_t& corner : t) {
            if (renumbered[corner] == ~0u) {
                renumbered[corner] = static_cast<std::uint32_t>(open.positions.size());
                open.positions.push_back(mesh.positions[corner]);
            }
            corner = renumbered[corner];
        }
        open.triangles.push_back(t);
    }
    return open;
}

/// Two meshes in one, the second moved: they run into each other.
TriangleMesh joined(TriangleMesh mesh, const TriangleMesh& other, const Eigen::Vector3f& shift) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Eigen::Vector3f& p : other.positions) mesh.positions.push_back(p + shift);
    for (const Triangle& t : other.triangles)
        mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    return mesh;
}

TEST(CellSoup, OpenOverlappingSelfIntersectingAndUnorientedSoupsEqualBruteForce) {
    const TriangleMesh torus = corpus::find_corpus_mesh("torus")->make_near(600),
                       gear = corpus::find_corpus_mesh("gear")->make_near(600);
    const std::pair<const char*, TriangleMesh> soups[] = {
        {"open", spoiled(torus)},
        {"overlapping", joined(torus, torus, {0.25F, 0, 0})},
        {"coplanar", joined(gear, gear, {0.125F, 0, 0})},
        {"self-intersecting", testing::random_soup(3, 500)},
        {"all",
         joined(spoiled(joined(torus, gear, {0.3F, 0.2F, 0})), testing::random_soup(4, 200), {0, 0, 0})},
    };
    constexpr std::uint64_t kSeed = 51;
    Draws draws(kSeed);
    std::uint64_t touching = 0, asked = 0;
    for (const auto& [name, mesh] : soups) {
        const BakedBytes baked = bake_cells(mesh);
        ASSERT_EQ(baked.status, Status::kOk) << name;
        for (int i = 0; i < 40; ++i, ++asked)
            expect_brute_contacts(
                baked.part, baked.part, draws.pose(0.5 * diagonal(baked.part)),
                std::string(name) + " pose " + std::to_string(i) + " seed " + std::to_string(kSeed),
                &touching);
    }
    EXPECT_GT(touching, asked / 5);
    EXPECT_LT(touching, asked);
}

TEST(CellSoup, AllPartsOfTheEngineBayAgainstOneMovingPartEqualBruteForce) {
    const std::vector<corpus::NamedMesh> bay = corpus::make_engine_bay_parts();
    std::vector<BakedBytes> parts;
    std::size_t moving = 0;
    for (const corpus::NamedMesh& mesh : bay) {
        parts.push_back(bake_cells(mesh.mesh));
        ASSERT_EQ(parts.back().status, Status::kOk) << mesh.name;
        // The largest of those that fit into a hand's breadth stands for the alternator.
        if (diagonal(parts.back().part) < 0.4 &&
            (diagonal(parts[moving].part) >= 0.4 ||
             mesh.mesh.triangles.size() > bay[moving].mesh.triangles.size()))
            moving = parts.size() - 1;
    }
    constexpr std::uint64_t kSeed = 52;
    Draws draws(kSeed);
    std::uint64_t touching = 0, asked = 0;
    for (int i = 0; i < 12; ++i) {
        const Pose pose = i == 0 ? Pose() : draws.pose(0.25);
        for (std::size_t k = 0; k < parts.size(); ++k, ++asked)
            expect_brute_contacts(parts[k].part, parts[moving].part, pose,
                                  bay[k].name + " with " + bay[moving].name + " pose " + std::to_string(i) +
                                      " seed " + std::to_string(kSeed),
                                  &touching);
    }
    EXPECT_GT(touching, 20u);
    EXPECT_LT(touching, asked);
}

TEST(CellSoup, TheEngineBayAsOneSoupAgainstOneMovingPartEqualsBruteForce) {
    const BakedBytes bay = bake_cells(corpus::make_engine_bay());
    const BakedBytes part = bake_cells(corpus::find_corpus_mesh("gear")->make_near(600));
    constexpr std::uint64_t kSeed = 53;
    Draws draws(kSeed);
    std::uint64_t touching = 0;
    for (int i = 0; i < 25; ++i) {
        Pose pose = draws.pose(0.5);
        for (double& s : pose.scale) s = 0.1;
        expect_brute_contacts(bay.part, part.part, pose,
                              "pose " + std::to_string(i) + " seed " + std::to_string(kSeed), &touching);
    }
    EXPECT_GT(touching, 3u);
}

}  // namespace
}  // namespace espalier::test
