// SPDX-License-Identifier: GPL-3.0-or-later
// Contact queries on aabb trees against brute force over all pairs of triangles: the same pairs with cues, in
// small steps, scaled, and where meshes only just touch. tests/runtime/exact has the plain queries, on many
// more poses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "espalier/collide.h"
#include "espalier/contacts.h"
#include "tests/runtime/pair/query_answers.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/brute_force.h"
#include "tests/support/effort.h"
#include "tests/support/meshes.h"

namespace espalier::testing {
namespace {

constexpr std::uint64_t kSeed = 30;

const std::vector<std::unique_ptr<BakedMesh>>& meshes() {
    static const auto all = [] {
        std::vector<std::unique_ptr<BakedMesh>> baked;
        AabbTreeOptions options;
        for (const NamedTriangles& m : ten_small_meshes(200)) {
            // Every leaf size and both ways to split occur.
            options.leaf_triangles = 1 + static_cast<std::uint32_t>(baked.size()) % kMaxLeafTriangles;
            options.split = baked.size() % 3 == 2 ? AabbSplit::kMedian : AabbSplit::kBinned;
            baked.push_back(std::make_unique<BakedMesh>(m.name, m.mesh, options));
        }
        return baked;
    }();
    return all;
}

/// One mesh against itself or the next, in a test that is named after it.
class QueryAgainstBruteForce : public ::testing::TestWithParam<std::size_t> {
  protected:
    const BakedMesh& a() const { return *meshes()[GetParam()]; }
    /// Every other pose takes another mesh.
    const BakedMesh& b(std::uint64_t pose) const {
        return *meshes()[(GetParam() + pose % 2) % meshes().size()];
    }
};

TEST_P(QueryAgainstBruteForce, NoPairIsSparedByTheBoxesOfTheReference) {
    Draw draw(kSeed + 100 + GetParam());
    for (std::uint64_t i = 0; i < effort(40, 2); ++i) {
        const ShapeView &part_a = a().part(), &part_b = b(i).part();
        const Pose pose = random_pose(draw, part_a, part_b);
        const BruteForce brute(part_a, part_b, pose);
        ASSERT_EQ(brute.contacts(), brute.near_contacts()) << text_of(pose);
    }
}

TEST_P(QueryAgainstBruteForce, StepsOfOneNodeTestGiveTheSameAnswers) {
    Draw draw(kSeed + 200 + GetParam());
    std::vector<Contact> whole_buffer(100000), stepped_buffer(100000);
    for (std::uint64_t i = 0; i < effort(300, 20); ++i) {
        const ShapeView &part_a = a().part(), &part_b = b(i).part();
        const Pose pose = random_pose(draw, part_a, part_b);
        SCOPED_TRACE(text_of(pose));
        Contacts<AabbTreeView> whole, stepped;
        ASSERT_EQ(whole.begin(part_a, part_b, pose, whole_buffer.data(), whole_buffer.size()), Status::kOk);
        ASSERT_EQ(stepped.begin(part_a, part_b, pose, stepped_buffer.data(), stepped_buffer.size()),
                  Status::kOk);
        whole.step();
        ASSERT_NO_FATAL_FAILURE(run_in_steps(stepped));
        ASSERT_EQ(stepped.verdict(), whole.verdict());
        ASSERT_EQ(stepped.count(), whole.count());
        ASSERT_EQ(stepped.counters().node_tests, whole.counters().node_tests);
        for (std::size_t c = 0; c < whole.count(); ++c) {
            ASSERT_EQ(stepped_buffer[c].triangle_a, whole_buffer[c].triangle_a);
            ASSERT_EQ(stepped_buffer[c].triangle_b, whole_buffer[c].triangle_b);
        }
        Collide<AabbTreeView> first, first_stepped;
        ASSERT_EQ(first.begin(part_a, part_b, pose), Status::kOk);
        ASSERT_EQ(first_stepped.begin(part_a, part_b, pose), Status::kOk);
        first.step();
        ASSERT_NO_FATAL_FAILURE(run_in_steps(first_stepped));
        ASSERT_EQ(first_stepped.verdict(), first.verdict());
        ASSERT_EQ(first_stepped.counters().node_tests, first.counters().node_tests);
        if (first.verdict() == Verdict::kColliding) {
            ASSERT_EQ(first_stepped.contact().triangle_a, first.contact().triangle_a);
            ASSERT_EQ(first_stepped.contact().triangle_b, first.contact().triangle_b);
        }
    }
}

TEST_P(QueryAgainstBruteForce, CueNeverChangesTheVerdict) {
    Draw draw(kSeed + 300 + GetParam());
    Cue cue;
    const ShapeView &part_a = a().part(), &part_b = b(0).part();
    for (std::uint64_t i = 0; i < effort(100, 5); ++i) {
        Pose pose = random_pose(draw, part_a, part_b);
        const Eigen::Vector3d drift = draw.direction() * (0.01 * a().diagonal());
        for (int frame = 0; frame < 10; ++frame) {  // a path, as in a simulation
            for (int k = 0; k < 3; ++k) pose.translation[k] += drift[k];
            Collide<AabbTreeView> without, with;
            ASSERT_EQ(without.begin(part_a, part_b, pose), Status::kOk);
            ASSERT_EQ(with.begin(part_a, part_b, pose, &cue), Status::kOk);
            ASSERT_EQ(with.step(), without.step()) << text_of(pose);
            if (with.verdict() == Verdict::kColliding) {
                ASSERT_TRUE(cue.valid);
                ASSERT_EQ(cue.triangle_a, with.contact().triangle_a);
                ASSERT_EQ(cue.triangle_b, with.contact().triangle_b);
            }
        }
    }
    // A cue from another pair of parts, or plain rubbish, is harmless.
    Cue rubbish{0xffffffff, 0xfffffff0, true};
    Collide<AabbTreeView> query;
    const Pose pose = random_pose(draw, part_a, part_b);
    ASSERT_EQ(query.begin(part_a, part_b, pose, &rubbish), Status::kOk);
    query.step();
    ASSERT_EQ(query.verdict() == Verdict::kColliding, !BruteForce(part_a, part_b, pose).contacts().empty());
}

TEST_P(QueryAgainstBruteForce, ScaledPosesAgree) {
    Draw draw(kSeed + 400 + GetParam());
    for (std::uint64_t i = 0; i < effort(500, 20); ++i) {
        const ShapeView &part_a = a().part(), &part_b = b(i).part();
        Pose pose = random_pose(draw, part_a, part_b);
        for (double& scale : pose.scale) scale = draw.power_of_two(-3, 3) * (draw.below(4) == 0 ? -1 : 1);
        const BruteForce brute(part_a, part_b, pose);
        const std::vector<TrianglePair> expected = brute.near_contacts();
        for (const Overlap overlap : {Overlap::kSatLite, Overlap::kSat}) {
            ASSERT_EQ(all_contacts(part_a, part_b, pose, overlap), expected) << text_of(pose);
            ASSERT_NO_FATAL_FAILURE(expect_first(part_a, part_b, pose, overlap, brute, expected))
                << text_of(pose);
        }
    }
}

TEST_P(QueryAgainstBruteForce, ContactsWhereMeshesJustTouch) {
    Draw draw(kSeed + 500 + GetParam());
    for (std::uint64_t i = 0; i < effort(100, 4); ++i) {
        const ShapeView &part_a = a().part(), &part_b = b(i).part();
        const Touching touching = find_touching(draw, part_a, part_b);
        for (const double offset : {0.0, 1e-12, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4}) {
            for (const double sign : {1.0, -1.0}) {
                const Pose pose = touching.at(sign * offset * a().diagonal());
                const BruteForce brute(part_a, part_b, pose);
                const std::vector<TrianglePair> expected = brute.near_contacts();
                for (const Overlap overlap : {Overlap::kSatLite, Overlap::kSat}) {
                    ASSERT_EQ(all_contacts(part_a, part_b, pose, overlap), expected) << text_of(pose);
                    ASSERT_NO_FATAL_FAILURE(expect_first(part_a, part_b, pose, overlap, brute, expected));
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(TenMeshes, QueryAgainstBruteForce, ::testing::Range<std::size_t>(0, 10),
                         [](const auto& info) {
                             std::string name = meshes()[info.param]->name();
                             std::replace(name.begin(), name.end(), '-', '_');
                             return name;
                         });

TEST(ScaledQuery, EqualsAMeshThatIsScaledByHand) {
    const BakedMesh& a = *meshes()[1];
    const NamedTriangles source = ten_small_meshes(200)[7];
    Draw draw(kSeed + 600);
    for (const Eigen::Vector3d& scale :
         {Eigen::Vector3d(2, 2, 2), Eigen::Vector3d(0.5, 1, 4), Eigen::Vector3d(-1, 1, 0.25)}) {
        // Powers of two, so that scaling by hand does not round and the answers are equal to the last pair.
        TriangleMesh by_hand = source.mesh;
        for (Eigen::Vector3f& p : by_hand.positions) p = p.cwiseProduct(scale.cast<float>());
        const BakedMesh plain(source.name, source.mesh), scaled("scaled", by_hand);
        for (std::uint64_t i = 0; i < effort(300, 20); ++i) {
            Pose pose = random_pose(draw, a.part(), scaled.part());
            const auto count = [&](const ShapeView& b, const Pose& at) {
                Contacts<AabbTreeView> query;
                EXPECT_EQ(query.begin(a.part(), b, at, nullptr, 0), Status::kOk);
                query.step();
                return query.count();
            };
            const std::uint64_t expected = count(scaled.part(), pose);
            for (int k = 0; k < 3; ++k) pose.scale[k] = scale[k];
            ASSERT_EQ(count(plain.part(), pose), expected) << text_of(pose);
        }
    }
}

TEST(ContactBuffer, IsFilledAndTheRestCounted) {
    const BakedMesh& mesh = *meshes()[1];
    Pose pose;
    pose.translation[0] = 0.125 * mesh.diagonal();
    const std::size_t total = all_contacts(mesh.part(), mesh.part(), pose, Overlap::kSatLite).size();
    ASSERT_GT(total, 10u);
    for (const std::size_t capacity : {std::size_t{0}, std::size_t{1}, total - 1, total, total + 1}) {
        // Exactly as many as announced: AddressSanitizer sees one more.
        const auto buffer = std::make_unique<Contact[]>(capacity);
        Contacts<AabbTreeView> query;
        ASSERT_EQ(query.begin(mesh.part(), mesh.part(), pose, capacity ? buffer.get() : nullptr, capacity),
                  Status::kOk);
        EXPECT_EQ(query.step(), Verdict::kColliding);
        EXPECT_EQ(query.count(), total);
        EXPECT_EQ(query.status(), capacity < total ? Status::kBufferFull : Status::kOk);
    }
}

TEST(QueryArguments, BadPosesAreRefused) {
    const BakedMesh& mesh = *meshes()[0];
    Collide<AabbTreeView> query;
    Contacts<AabbTreeView> contacts;
    const auto refused = [&](const Pose& pose) {
        return query.begin(mesh.part(), mesh.part(), pose) == Status::kInvalidArgument &&
               query.step() == Verdict::kUnresolved &&
               contacts.begin(mesh.part(), mesh.part(), pose, nullptr, 0) == Status::kInvalidArgument &&
               contacts.step() == Verdict::kUnresolved;
    };
    Pose pose;
    pose.rotation[0] = 0;
    EXPECT_TRUE(refused(pose)) << "zero rotation";
    for (const double bad : {NAN, INFINITY, -INFINITY}) {
        for (int i = 0; i < 4; ++i) {
            pose = Pose();
            pose.rotation[i] = bad;
            EXPECT_TRUE(refused(pose)) << "rotation " << i;
        }
        for (int i = 0; i < 3; ++i) {
            pose = Pose();
            pose.translation[i] = bad;
            EXPECT_TRUE(refused(pose)) << "translation " << i;
            pose = Pose();
            pose.scale[i] = bad;
            EXPECT_TRUE(refused(pose)) << "scale " << i;
            pose.scale[i] = 0;
            EXPECT_TRUE(refused(pose)) << "zero scale " << i;
        }
    }
    EXPECT_EQ(contacts.begin(mesh.part(), mesh.part(), Pose(), nullptr, 1), Status::kInvalidArgument);
    ShapeView without = mesh.part();
    without.aabb = AabbTreeView();
    EXPECT_EQ(query.begin(without, mesh.part(), Pose()), Status::kNoTree);
    EXPECT_EQ(query.begin(mesh.part(), without, Pose()), Status::kNoTree);
    EXPECT_EQ(contacts.begin(without, mesh.part(), Pose(), nullptr, 0), Status::kNoTree);
}

}  // namespace
}  // namespace espalier::testing
