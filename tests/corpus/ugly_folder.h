// SPDX-License-Identifier: GPL-3.0-or-later
// A folder with all ugly files and their manifest, written by the program itself, for the length of a test
// program.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/support/temporary_folder.h"

namespace espalier::corpus {

class UglyFolder : public ::testing::Test {
  protected:
    static void SetUpTestSuite() {
        owner_ = std::make_unique<espalier::testing::TemporaryFolder>();
        folder_ = owner_->path();
        const std::string command =
            std::string("'") + ESPALIER_CORPUS_PROGRAM + "' ugly '" + folder_.string() + "'";
        ASSERT_EQ(std::system(command.c_str()), 0) << command;
        std::ifstream(folder_ / "manifest.json") >> manifest_;
    }
    static void TearDownTestSuite() { owner_.reset(); }

    static inline std::unique_ptr<espalier::testing::TemporaryFolder> owner_;
    static inline std::filesystem::path folder_;
    static inline nlohmann::json manifest_;
};

/// True if `pattern` is found in `text`, as the manifest means it.
inline bool found(const std::string& pattern, const std::string& text) {
    return std::regex_search(text, std::regex(pattern, std::regex::ECMAScript | std::regex::icase));
}

}  // namespace espalier::corpus
