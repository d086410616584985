// SPDX-License-Identifier: GPL-3.0-or-later
// espalier bake --allow-path: what a mesh may refer to outside of its folder.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/tools/files.h"
#include "tests/tools/run_command.h"

namespace espalier::test {
namespace {

/// Points and indices of a tetrahedron.
std::string tetrahedron_buffer() {
    const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::string bytes(sizeof points, '\0');
    std::memcpy(bytes.data(), points, sizeof points);
    for (const char index : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) bytes += index;
    return bytes;
}

std::string tetrahedron(const std::string& uri) {
    return R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                      {"bufferView": 1, "componentType": 5121, "count": 12, "type": "SCALAR"}],
        "bufferViews": [{"buffer": 0, "byteLength": 48},
                        {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
        "buffers": [{"byteLength": 60, "uri": ")" +
           uri + R"("}]})";
}

class AllowPath : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : {"in", "shared", "other"})
            std::filesystem::create_directory(folder_.path() / name);
        write_text(folder_.path() / "in/inside.bin", tetrahedron_buffer());
        write_text(folder_.path() / "shared/outside.bin", tetrahedron_buffer());
    }

    CommandResult bake(const std::string& uri, const std::vector<std::string>& options = {}) {
        write_text(folder_.path() / "in/a.gltf", tetrahedron(uri));
        std::vector<std::string> words = {"bake", "--trees", "aabb,box", folder_ / "in/a.gltf"};
        words.insert(words.end(), options.begin(), options.end());
        return espalier(words);
    }

    TemporaryFolder folder_;
};

TEST_F(AllowPath, WithoutItABufferOutsideExitsWithFiveAndNamesBufferAndUri) {
    for (const std::string uri : {"../shared/outside.bin", "%2e%2e/shared/outside.bin"}) {
        const CommandResult result = bake(uri);
        EXPECT_EQ(result.exit_code, 5) << result.error;
        EXPECT_NE(result.error.find("buffer 0 (\"" + uri.substr(0, 24)), std::string::npos) << result.error;
        EXPECT_NE(result.error.find("--allow-path"), std::string::npos) << result.error;
        EXPECT_FALSE(std::filesystem::exists(folder_ / "in/a.espl"));
    }
}

TEST_F(AllowPath, LetsFilesOfTheFolderThrough) {
    const CommandResult result = bake("../shared/outside.bin", {"--allow-path", folder_ / "shared"});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    EXPECT_EQ(bake("../shared/outside.bin", {"--allow-path", folder_ / "other"}).exit_code, 5);
}

TEST_F(AllowPath, MayBeGivenSeveralTimesBeforeAndAfterInputs) {
    const CommandResult result = bake(
        "../shared/outside.bin", {"--allow-path", folder_ / "shared", "--allow-path", folder_ / "other"});
    EXPECT_EQ(result.exit_code, 0) << result.error;
    const CommandResult before = espalier({"bake", "--trees", "aabb,box", "--allow-path", folder_ / "other",
                                           "--allow-path", folder_ / "shared", folder_ / "in/a.gltf"});
    EXPECT_EQ(before.exit_code, 0) << before.error;
}

TEST_F(AllowPath, ChangesNoByteOfTheAsset) {
    ASSERT_EQ(bake("inside.bin").exit_code, 0);
    const std::string without = read_text(folder_ / "in/a.espl");
    ASSERT_EQ(bake("inside.bin", {"--allow-path", folder_ / "shared"}).exit_code, 0);
    EXPECT_EQ(read_text(folder_ / "in/a.espl"), without);
}

}  // namespace
}  // namespace espalier::test
