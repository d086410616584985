// SPDX-License-Identifier: GPL-3.0-or-later
// Damaged files of every format: cut at every length, and with random bytes changed. Whatever happens, the
// import returns, and what it accepts keeps the promises of a polygon soup. Sanitizers make this a memory
// test.
#include <gtest/gtest.h>

#include <algorithm>

#include "builder/clean/sanitize.h"
#include "builder/import/import.h"
#include "corpus/icosphere.h"
#include "tests/builder/import/gltf_file.h"
#include "tests/builder/import/sample_files.h"
#include "tests/support/draw.h"
#include "tests/support/temporary_folder.h"

namespace espalier {
namespace {

// Imports and sanitizes; true if both succeed.
bool accepted(const std::filesystem::path& path) {
    const auto soup = import_mesh(path);
    if (!soup) {
        EXPECT_FALSE(soup.error().message.empty());
        EXPECT_NE(soup.error().kind, ErrorKind::kInternal) << soup.error().message;
        return false;
    }
    for (const std::uint32_t corner : soup.value().corners)
        if (corner >= soup.value().points.size()) ADD_FAILURE() << "corner out of range";
    const auto mesh = sanitize(soup.value());
    if (!mesh) {
        EXPECT_NE(mesh.error().kind, ErrorKind::kInternal) << mesh.error().message;
        return false;
    }
    for (const auto& position : mesh.value().mesh.positions) EXPECT_TRUE(position.allFinite());
    return true;
}

class DamagedFiles : public ::testing::TestWithParam<SampleFile> {
  protected:
    std::filesystem::path write(std::string_view bytes) { return folder_.write(GetParam().name, bytes); }

  private:
    testing::TemporaryFolder folder_;
};

TEST_P(DamagedFiles, CutFilesAreRefused) {
    const std::string& bytes = GetParam().bytes;
    // Cut within the last statement, a text may still be a valid, shorter one; what is lost must be less than
    // a face.
    const bool text = GetParam().name.ends_with(".obj") || GetParam().name.ends_with(".off") ||
                      GetParam().name == "ascii.ply";
    // Behind the last record that matters come a footer or blanks.
    const std::size_t last_solid = bytes.find_last_not_of(std::string(" \n\r\t\0", 5));
    const std::size_t complete = text ? bytes.substr(0, last_solid).find_last_of("\n") : last_solid;
    // Every length of a small file; of a large one the ends and about a thousand between.
    const std::size_t step = bytes.size() / 1000 + 1;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        if (length % step != 0 && length > 256 && length + 256 < bytes.size()) continue;
        const bool ok = accepted(write(std::string_view(bytes).substr(0, length)));
        if (length > complete) continue;
        // OBJ does not say how many faces there are: at the end of a statement nothing is missing.
        if (GetParam().name.ends_with(".obj")) continue;
        EXPECT_FALSE(ok) << "cut to " << length << " of " << bytes.size() << " bytes";
    }
}

TEST_P(DamagedFiles, RandomChangesNeverCrash) {
    testing::Draw random(20250101);
    std::size_t survivors = 0;
    for (int round = 0; round < 1000; ++round) {
        std::string bytes = GetParam().bytes;
        const int changes = 1 + static_cast<int>(random.bits() % 4);
        for (int i = 0; i < changes; ++i) {
            const std::size_t at = random.bits() % bytes.size();
            switch (random.bits() % 4) {
                case 0:
                    bytes[at] = static_cast<char>(random.bits());
                    break;
                case 1:
                    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.bits() % 8));
                    break;
                case 2:
                    bytes.erase(at, 1 + random.bits() % 8);
                    break;
                default:
                    bytes.insert(at, bytes.substr(random.bits() % bytes.size(), 1 + random.bits() % 16));
                    break;
            }
            if (bytes.empty()) bytes.push_back('x');
        }
        SCOPED_TRACE("seed 20250101, round " + std::to_string(round));
        survivors += accepted(write(bytes));
    }
    RecordProperty("accepted", static_cast<int>(survivors));
}

/// The cube in every format, and balls that are compressed.
std::vector<SampleFile> all_files() {
    std::vector<SampleFile> files = sample_files();
    const TriangleMesh ball = corpus::make_icosphere({1.0, 1});
    testing::GltfFile edgebreaker, sequential, meshopt;
    edgebreaker.node({{"mesh", edgebreaker.draco_mesh(ball, 8)}});
    sequential.node({{"mesh", sequential.draco_mesh(ball, 0, false)}});
    meshopt.node({{"mesh", meshopt.meshopt_mesh(ball)}});
    files.push_back({"edgebreaker.glb", edgebreaker.glb()});
    files.push_back({"sequential.glb", sequential.glb()});
    files.push_back({"meshopt.glb", meshopt.glb()});
    return files;
}

/// Only bytes of the binary chunk change: the container stays whole, the streams in it do not.
TEST(CompressedStreams, DamagedBytesNeverCrash) {
    testing::Draw random(20250102);
    const testing::TemporaryFolder folder;
    for (const SampleFile& file : all_files()) {
        const std::size_t binary = file.bytes.find(std::string_view("BIN\0", 4));
        if (!file.name.ends_with(".glb") || binary == std::string::npos) continue;
        std::size_t survivors = 0;
        for (int round = 0; round < 3000; ++round) {
            std::string bytes = file.bytes;
            for (std::uint64_t i = 0; i <= random.below(4); ++i)
                bytes[binary + 4 + random.below(bytes.size() - binary - 4)] =
                    static_cast<char>(random.bits());
            SCOPED_TRACE(file.name + ", seed 20250102, round " + std::to_string(round));
            survivors += accepted(folder.write(file.name, bytes));
        }
        RecordProperty(file.name, static_cast<int>(survivors));
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, DamagedFiles, ::testing::ValuesIn(all_files()), [](const auto& info) {
    std::string name = info.param.name;
    std::ranges::replace(name, '.', '_');
    return name;
});

}  // namespace
}  // namespace espalier
