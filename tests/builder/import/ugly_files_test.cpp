// SPDX-License-Identifier: GPL-3.0-or-later
// Every ugly file of the corpus is imported and sanitized, or refused, as its entry says.
#include "corpus/ugly_files.h"

#include <gtest/gtest.h>

#include <cctype>
#include <regex>

#include "builder/clean/sanitize.h"
#include "builder/import/import.h"
#include "tests/support/temporary_folder.h"

namespace espalier {
namespace {

using corpus::UglyFile;

class UglyFiles : public ::testing::TestWithParam<UglyFile> {};

std::filesystem::path put(const testing::TemporaryFolder& folder, const UglyFile& file) {
    switch (file.kind) {
        case UglyFile::Kind::kFile:
            return folder.write(file.name, file.bytes());
        case UglyFile::Kind::kDirectory:
            std::filesystem::create_directory(folder.path() / file.name);
            break;
        case UglyFile::Kind::kAbsent:
            break;
    }
    return folder.path() / file.name;
}

struct Answer {
    int exit_code = 0;
    int triangles = 0;
    std::string text;  // the error's message, or all findings
};

Answer answer(const std::filesystem::path& path) {
    const auto refused = [](const Error& error) {
        return Answer{static_cast<int>(error.kind), 0, error.message};
    };
    const auto soup = import_mesh(path);
    if (!soup) return refused(soup.error());
    const auto mesh = sanitize(soup.value());
    if (!mesh) return refused(mesh.error());
    Answer result{0, static_cast<int>(mesh.value().report.triangles), {}};
    for (const Finding& finding : mesh.value().report.findings)
        result.text += finding.number + " " + finding.name + ": " + finding.message + "\n";
    return result;
}

TEST_P(UglyFiles, GetTheirDocumentedAnswer) {
    const UglyFile& file = GetParam();
    const testing::TemporaryFolder folder;
    const Answer got = answer(put(folder, file));
    SCOPED_TRACE(file.name + " (" + file.what + "): " + got.text);
    EXPECT_EQ(got.exit_code, file.exit_code);
    if (file.triangles >= 0)
        EXPECT_EQ(got.triangles, file.triangles);
    else
        EXPECT_GT(got.triangles, 0);
    const bool said = std::regex_search(got.text, std::regex(file.says, std::regex::icase));
    EXPECT_TRUE(file.says.empty() || said) << file.says;
}

INSTANTIATE_TEST_SUITE_P(Corpus, UglyFiles, ::testing::ValuesIn(corpus::ugly_files()), [](const auto& info) {
    std::string name = info.param.name;
    for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
});

}  // namespace
}  // namespace espalier
