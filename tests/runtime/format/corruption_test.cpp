// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files: every truncation, every flipped byte of the first 4 KiB and random ones elsewhere, as they
// are and with the checksum made right again. Full verification refuses them, or every query on them ends and
// stays inside their bytes (which AddressSanitizer watches: the copies have no slack).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "builder/aabb/row.h"
#include "builder/box/row.h"
#include "builder/cell/row.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/effort.h"
#include "tests/support/exercise.h"
#include "tests/support/meshes.h"
#include "tests/support/sphere_asset.h"

namespace espalier::testing {
namespace {

constexpr std::size_t kHead = 4096;

struct Specimen {
    std::string name;
    std::vector<std::uint8_t> bytes;
};

BakedShape baked_part(const std::string& name, const TriangleMesh& mesh, std::uint32_t leaf, bool aabb,
                      bool box, bool cell = false) {
    Progress progress;
    BakedShape part;
    part.name = name;
    part.closed = true;
    part.mesh = mesh;
    part.origin = Eigen::Vector3d(1, -2, 0.5);
    if (aabb) part.trees.push_back(built_tree(build_aabb_tree(mesh, {AabbSplit::kBinned, leaf}, progress)));
    if (box) part.trees.push_back(built_tree(build_box_tree(mesh, {BoxSplit::kBinned, leaf}, progress)));
    if (cell) part.trees.push_back(built_tree(build_cell_tree(mesh, {}, progress)));
    return part;
}

Specimen specimen(const std::string& name, std::vector<BakedShape> parts) {
    AssetContents contents;
    contents.provenance.source_name = name;
    contents.options = {{"trees", "aabb,box"}};
    contents.shapes = std::move(parts);
    return {name, write_asset(contents).value()};
}

Specimen sphere_specimen(const std::string& name, const TriangleMesh& mesh, bool dag) {
    HandSphereOptions options;
    options.levels = 3;
    options.dag = dag;
    options.share = !dag;
    return {name, sphere_asset(mesh, options)};
}

/// One with few large leaves, one deep, one with several parts and both trees (and so with a triangle
/// order), one with cell trees, a sphere tree with shared children and a sphere DAG.
const std::vector<Specimen>& specimens() {
    static const std::vector<Specimen> all = [] {
        const std::vector<NamedTriangles> meshes = ten_small_meshes(100);
        return std::vector<Specimen>{
            specimen("torus", {baked_part("torus", ten_small_meshes(280)[1].mesh, 8, true, false)}),
            specimen("soup", {baked_part("soup", random_soup(7, 90), 1, true, false)}),
            specimen("three parts", {baked_part("flake", meshes[5].mesh, 2, true, true),
                                     baked_part("box", ten_small_meshes(12)[0].mesh, 4, false, true),
                                     baked_part("", random_soup(9, 40), 3, true, true)}),
            specimen("cells", {baked_part("torus", ten_small_meshes(120)[1].mesh, 4, false, false, true),
                               baked_part("soup", random_soup(11, 30), 4, true, false, true)}),
            sphere_specimen("sphere tree", ten_small_meshes(100)[1].mesh, false),
            sphere_specimen("sphere dag", ten_small_meshes(60)[5].mesh, true),
        };
    }();
    return all;
}

struct Outcome {
    std::uint64_t refused = 0, accepted = 0;
};

/// A copy of a specimen that is damaged, examined and restored.
class Damage {
  public:
    explicit Damage(const Specimen& specimen)
        : name_(specimen.name), original_(specimen.bytes), copy_(specimen.bytes) {}

    std::size_t size() const { return copy_.size(); }

    /// Opens the bytes with `value` at `position`; queries them when they are accepted and `query` is set.
    void try_byte(std::size_t position, std::uint8_t value, bool repair, bool query, Outcome* outcome) {
        copy_.data()[position] = value;
        if (repair) repair_checksum({copy_.data(), copy_.size()});
        examine(query, outcome, [&] {
            return name_ + ": byte " + std::to_string(position) + " set to " + std::to_string(value) +
                   (repair ? ", checksum repaired" : "");
        });
        // The repair may have written anywhere, so all bytes are restored.
        std::memcpy(copy_.data(), original_.data(), copy_.size());
    }

  private:
    template <class Describe>
    void examine(bool query, Outcome* outcome, Describe describe) {
        Asset asset;
        if (open(copy_.data(), copy_.size(), Verify::kFull, &asset) != Status::kOk) {
            ++outcome->refused;
            return;
        }
        ++outcome->accepted;
        if (!query) return;
        ASSERT_TRUE(exercise_.run(asset, choice_++)) << describe();
    }

    std::string name_;
    const std::vector<std::uint8_t>& original_;
    ExactBytes copy_;
    Exercise exercise_;
    unsigned choice_ = 0;
};

TEST(DamagedFile, UndamagedSpecimensAreAcceptedAndQueried) {
    for (const Specimen& s : specimens()) {
        const ExactBytes copy(s.bytes);
        Asset asset;
        ASSERT_EQ(open(copy.data(), copy.size(), Verify::kFull, &asset), Status::kOk) << s.name;
        ASSERT_GT(copy.size(), kHead) << s.name;
        Exercise exercise;
        for (unsigned choice = 0; choice < 60; ++choice) EXPECT_TRUE(exercise.run(asset, choice)) << s.name;
    }
}

TEST(DamagedFile, EveryTruncationIsRefused) {
    for (const Specimen& s : specimens())
        for (std::size_t size = 0; size < s.bytes.size(); ++size) {
            const ExactBytes copy(std::span(s.bytes).first(size));
            for (const Verify verify : {Verify::kNone, Verify::kChecksum, Verify::kFull}) {
                Asset asset;
                const Status status = open(copy.data(), copy.size(), verify, &asset);
                ASSERT_NE(status, Status::kOk) << s.name << " cut to " << size;
                ASSERT_EQ(asset.data(), nullptr) << "a refused file must leave no trace";
            }
        }
}

TEST(DamagedFile, TruncationWithAMatchingSizeAndChecksumIsRefusedOrQueriedInBounds) {
    Exercise exercise;
    for (const Specimen& s : specimens()) {
        std::uint64_t accepted = 0;
        // The size is in the header, which follows the root table near the front.
        const std::uint64_t whole = s.bytes.size();
        const auto at =
            std::search(s.bytes.begin(), s.bytes.end(), reinterpret_cast<const std::uint8_t*>(&whole),
                        reinterpret_cast<const std::uint8_t*>(&whole) + 8);
        ASSERT_NE(at, s.bytes.end());
        const auto position = static_cast<std::size_t>(at - s.bytes.begin());
        for (std::size_t size = position + 16; size < s.bytes.size(); ++size) {
            ExactBytes copy(std::span(s.bytes).first(size));
            const std::uint64_t claimed = size;
            std::memcpy(copy.data() + position, &claimed, sizeof(claimed));
            repair_checksum({copy.data(), copy.size()});
            Asset asset;
            if (open(copy.data(), copy.size(), Verify::kFull, &asset) != Status::kOk) continue;
            ++accepted;
            ASSERT_TRUE(exercise.run(asset, static_cast<unsigned>(size))) << s.name << " cut to " << size;
        }
        EXPECT_LE(accepted, 64u) << s.name << ": only padding at the end may be missing";
    }
}

TEST(DamagedFile, TrailingBytesAreRefused) {
    for (const Specimen& s : specimens())
        for (const std::size_t more : {1u, 16u, 64u}) {
            std::vector<std::uint8_t> longer = s.bytes;
            longer.resize(longer.size() + more);
            const ExactBytes copy(longer);
            Asset asset;
            EXPECT_NE(open(copy.data(), copy.size(), Verify::kNone, &asset), Status::kOk);
        }
}

TEST(DamagedFile, EveryFlippedByteIsFoundByTheChecksum) {
    for (const Specimen& s : specimens()) {
        Damage damage(s);
        Outcome outcome;
        Draw draw(50);
        for (std::size_t i = 0; i < damage.size(); ++i)
            damage.try_byte(i, static_cast<std::uint8_t>(s.bytes[i] ^ (1 + draw.below(255))), false, true,
                            &outcome);
        // A hash of 64 bits does not let a single byte pass.
        EXPECT_EQ(outcome.accepted, 0u) << s.name;
    }
}

/// With the right checksum the deeper checks are all that stands between damage and the queries.
TEST(DamagedFile, EveryValueOfTheFirstBytesIsRefusedOrQueriedInBounds) {
    for (const Specimen& s : specimens()) {
        Damage damage(s);
        Outcome outcome;
        for (std::size_t i = 0; i < std::min(kHead, damage.size()); ++i)
            for (unsigned change = 1; change < 256; ++change) {
                // All single bits and all bits at once are queried too; under a sanitizer, some of them.
                const bool telling = (change & (change - 1)) == 0 || change == 255;
                if (kSanitized && (!telling || (i + change) % 3 != 0)) continue;
                ASSERT_NO_FATAL_FAILURE(damage.try_byte(i, static_cast<std::uint8_t>(s.bytes[i] ^ change),
                                                        true, telling, &outcome));
            }
        std::printf("  %s: %llu refused, %llu accepted\n", s.name.c_str(),
                    static_cast<unsigned long long>(outcome.refused),
                    static_cast<unsigned long long>(outcome.accepted));
        EXPECT_GT(outcome.refused, 0u);
        EXPECT_GT(outcome.accepted, 0u);
    }
}

TEST(DamagedFile, RandomBytesElsewhereAreRefusedOrQueriedInBounds) {
    constexpr std::uint64_t kSeed = 51;
    Draw draw(kSeed);
    for (const Specimen& s : specimens()) {
        Damage damage(s);
        Outcome outcome;
        for (std::uint64_t i = 0; i < effort(10000, 2000); ++i) {
            const auto position = static_cast<std::size_t>(kHead + draw.below(damage.size() - kHead));
            const auto value = static_cast<std::uint8_t>(s.bytes[position] ^ (1 + draw.below(255)));
            ASSERT_NO_FATAL_FAILURE(damage.try_byte(position, value, true, true, &outcome));
        }
        std::printf("  %s: %llu refused, %llu accepted\n", s.name.c_str(),
                    static_cast<unsigned long long>(outcome.refused),
                    static_cast<unsigned long long>(outcome.accepted));
    }
}

TEST(DamagedFile, ManyChangedWordsAreRefusedOrQueriedInBounds) {
    constexpr std::uint64_t kSeed = 52;
    Draw draw(kSeed);
    Exercise exercise;
    for (const Specimen& s : specimens())
        for (std::uint64_t i = 0; i < effort(8000, 1500); ++i) {
            ExactBytes copy(s.bytes);
            // Mostly where the tables are: offsets and counts are what reaches far.
            for (std::uint64_t n = 1 + draw.below(4); n > 0; --n) {
                const std::size_t room = draw.coin() ? std::min<std::size_t>(768, copy.size()) : copy.size();
                const std::size_t word = static_cast<std::size_t>(draw.below(room / 4)) * 4;
                static constexpr std::uint32_t kTelling[] = {0,          1,          4,          0x7fffffff,
                                                             0x80000000, 0xffffffff, 0xfffffffc, 0x7f800000,
                                                             0x7f7fffff, 0xff7fffff, 0x7fc00000, 0x10000};
                std::uint32_t value = kTelling[draw.below(std::size(kTelling))];
                if (draw.coin()) {
                    std::memcpy(&value, copy.data() + word, 4);
                    value += static_cast<std::uint32_t>(draw.below(65)) * 4 - 128;
                }
                std::memcpy(copy.data() + word, &value, 4);
            }
            repair_checksum({copy.data(), copy.size()});
            Asset asset;
            if (open(copy.data(), copy.size(), Verify::kFull, &asset) != Status::kOk) continue;
            ASSERT_TRUE(exercise.run(asset, static_cast<unsigned>(i)))
                << s.name << " seed " << kSeed << " draw " << i;
        }
}

TEST(DamagedFile, MisalignedBytesAreRefused) {
    const Specimen& s = specimens().front();
    std::vector<std::uint8_t> room(s.bytes.size() + 128);
    auto* aligned = reinterpret_cast<std::uint8_t*>((reinterpret_cast<std::uintptr_t>(room.data()) + 63) &
                                                    ~std::uintptr_t{63});
    for (const std::size_t shift : {0u, 1u, 2u, 4u, 8u, 15u, 16u, 24u, 32u}) {
        std::memcpy(aligned + shift, s.bytes.data(), s.bytes.size());
        Asset asset;
        EXPECT_EQ(open(aligned + shift, s.bytes.size(), Verify::kFull, &asset),
                  shift % 16 == 0 ? Status::kOk : Status::kMisaligned);
    }
}

}  // namespace
}  // namespace espalier::testing
