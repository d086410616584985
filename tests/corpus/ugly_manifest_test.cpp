// SPDX-License-Identifier: GPL-3.0-or-later
// The program writes every ugly file, and the manifest has a complete entry for each.
#include <set>
#include <string>

#include "corpus/ugly_files.h"
#include "tests/corpus/ugly_folder.h"

namespace espalier::corpus {
namespace {

using UglyManifest = UglyFolder;

TEST_F(UglyManifest, ManifestListsExactlyTheFilesThatAreThere) {
    std::set<std::string> listed, there;
    for (const auto& entry : manifest_.at("files")) {
        const std::string name = entry.at("file");
        const std::filesystem::path path = folder_ / name;
        EXPECT_TRUE(listed.insert(name).second) << name << " is listed twice";
        EXPECT_EQ(std::filesystem::is_regular_file(path), entry.at("kind") == "file") << name;
        EXPECT_EQ(std::filesystem::is_directory(path), entry.at("kind") == "directory") << name;
        if (entry.at("kind") == "absent") listed.erase(name);
    }
    for (const auto& file : std::filesystem::directory_iterator(folder_))
        if (file.path().filename() != "manifest.json") there.insert(file.path().filename().string());
    EXPECT_EQ(listed, there);
    EXPECT_EQ(manifest_.at("files").size(), ugly_files().size());
}

TEST_F(UglyManifest, ManifestEntriesAreComplete) {
    for (const auto& entry : manifest_.at("files")) {
        SCOPED_TRACE(entry.dump());
        const int exit_code = entry.at("exit_code");
        EXPECT_TRUE(exit_code == 0 || exit_code == 2 || exit_code == 3 || exit_code == 5);
        EXPECT_FALSE(entry.at("what").get<std::string>().empty());
        if (exit_code == 0) {
            EXPECT_NO_THROW(std::regex(entry.at("report").get<std::string>()));
            EXPECT_FALSE(entry.contains("stderr"));
        } else {
            // A failure always has something to say.
            EXPECT_NO_THROW(std::regex(entry.at("stderr").get<std::string>()));
            EXPECT_FALSE(found(entry.at("stderr"), ""));
            EXPECT_FALSE(entry.contains("triangles"));
        }
    }
}

}  // namespace
}  // namespace espalier::corpus
