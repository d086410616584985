// SPDX-License-Identifier: GPL-3.0-or-later
// A folder with all ugly files and their manifest, written by the program itself, for the length of a test
// program.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace espalier::corpus {

class UglyFolder : public testing::Test {
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

/// True if `pattern` is found in `text`, as the manifest means it.
inline bool found(const std::string& pattern, const std::string& text) {
    return std::regex_search(text, std::regex(pattern, std::regex::ECMAScript | std::regex::icase));
}

}  // namespace espalier::corpus
