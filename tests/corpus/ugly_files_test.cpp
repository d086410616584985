// SPDX-License-Identifier: GPL-3.0-or-later
// The ugly files: the program writes each one with its entry in the manifest, and import and sanitize answer as it says.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "builder/mesh/import.h"
#include "builder/mesh/sanitize.h"
#include "corpus/ugly_files.h"

namespace espalier::corpus {
namespace {

// Runs the generator once for all tests of this program; the folder is removed at the end.
class UglyFiles : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        std::string pattern = (std::filesystem::temp_directory_path() / "espalier-ugly-XXXXXX").string();
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        const std::string command = std::string("'") + ESPALIER_CORPUS_PROGRAM + "' ugly '" + pattern + "'";
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        std::ifstream(folder_ / "manifest.json") >> manifest_;
    }
    static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }

    static inline std::filesystem::path folder_;
    static inline nlohmann::json manifest_;
};

bool found(const std::string& pattern, const std::string& text) {
    return std::regex_search(text, std::regex(pattern, std::regex::ECMAScript | std::regex::icase));
}

// What a command that bakes the file would exit with and say.
struct Answer {
    int exit_code = 0;
    std::string says;
    std::size_t triangles = 0;
};

Answer answer_to(const std::filesystem::path& path) {
    const Result<PolygonSoup> soup = import_mesh(path);
    if (!soup) return {static_cast<int>(soup.error().kind), soup.error().message, 0};
    const Result<SanitizedMesh> clean = sanitize(soup.value());
    if (!clean) return {static_cast<int>(clean.error().kind), clean.error().message, 0};
    Answer answer{0, "", clean.value().mesh.triangles.size()};
    for (const Finding& finding : clean.value().report.findings)
        answer.says += finding.number + " " + finding.name + ": " + finding.message + "\n";
    return answer;
}

TEST_F(UglyFiles, ManifestListsExactlyTheFilesThatAreThere) {
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

TEST_F(UglyFiles, ManifestEntriesAreComplete) {
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

TEST_F(UglyFiles, GetTheDocumentedAnswer) {
    for (const UglyFile& file : ugly_files()) {
        const Answer answer = answer_to(folder_ / file.name);
        SCOPED_TRACE(file.name + " (" + file.what + "): " + answer.says);
        EXPECT_EQ(answer.exit_code, file.exit_code);
        EXPECT_TRUE(found(file.says, answer.says)) << "not found: " << file.says;
        if (file.triangles >= 0) {
            EXPECT_EQ(answer.triangles, static_cast<std::size_t>(file.triangles));
        }
    }
}

}  // namespace
}  // namespace espalier::corpus
