// SPDX-License-Identifier: GPL-3.0-or-later
// Files appear whole or not at all: after every kind of failure the old file is as it was and nothing else is
// left behind.
#include "builder/asset/atomic_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "espalier/asset.h"
#include "espalier/map_file.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/meshes.h"
#include "tests/support/temporary_folder.h"

namespace espalier::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::uint8_t> bytes_of(std::string_view text) {
    return {text.begin(), text.end()};
}

std::string content(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Files larger than `bytes` cannot be written: a full disk, as far as the writer can tell.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        signal_before_ = ::signal(SIGXFSZ, SIG_IGN);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        ::signal(SIGXFSZ, signal_before_);
    }

  private:
    rlimit before_{};
    void (*signal_before_)(int) = nullptr;
};

class AtomicFile : public ::testing::Test {
  protected:
    /// Everything in the folder, sorted.
    std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_)) found.push_back(entry.path().filename());
        std::sort(found.begin(), found.end());
        return found;
    }

    const testing::TemporaryFolder owner_;
    const fs::path& folder_ = owner_.path();
};

using Names = std::vector<std::string>;

TEST_F(AtomicFile, WritesANewFileAndReplacesAnOldOne) {
    const fs::path file = folder_ / "a.espl";
    ASSERT_TRUE(write_file_atomically(file, bytes_of("first")).ok());
    EXPECT_EQ(content(file), "first");
    ASSERT_TRUE(write_file_atomically(file, bytes_of("second, longer")).ok());
    EXPECT_EQ(content(file), "second, longer");
    ASSERT_TRUE(write_file_atomically(file, {}).ok());
    EXPECT_EQ(content(file), "");
    EXPECT_EQ(names(), Names{"a.espl"});
}

TEST_F(AtomicFile, GivesThePermissionsOfAnOrdinaryNewFile) {
    const mode_t before = ::umask(027);
    const fs::path file = folder_ / "a.espl";
    ASSERT_TRUE(write_file_atomically(file, bytes_of("x")).ok());
    ::umask(before);
    EXPECT_EQ(fs::status(file).permissions() & fs::perms::all,
              fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST_F(AtomicFile, AFullDiskLeavesTheOldFile) {
    const fs::path file = folder_ / "a.espl";
    ASSERT_TRUE(write_file_atomically(file, bytes_of("old")).ok());
    const std::vector<std::uint8_t> large(100000, 7);
    for (const rlim_t room : {rlim_t{0}, rlim_t{1}, rlim_t{4096}, rlim_t{99999}}) {
        const FileSizeLimit limit(room);
        const Result<Success> result = write_file_atomically(file, large);
        ASSERT_FALSE(result.ok()) << room;
        EXPECT_EQ(result.error().kind, ErrorKind::kInputOutput);
        EXPECT_NE(result.error().message.find("File too large"), std::string::npos) << result.error().message;
    }
    EXPECT_EQ(content(file), "old");
    EXPECT_EQ(names(), Names{"a.espl"});
}

TEST_F(AtomicFile, AFolderInItsPlaceIsAnErrorAndStays) {
    const fs::path target = folder_ / "a.espl";
    fs::create_directories(target / "inside");
    const Result<Success> result = write_file_atomically(target, bytes_of("x"));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::kInputOutput);
    EXPECT_TRUE(fs::is_directory(target / "inside"));
    EXPECT_EQ(names(), Names{"a.espl"});
    EXPECT_FALSE(check_writable(target).ok());
}

TEST_F(AtomicFile, AMissingFolderIsAnError) {
    const Result<Success> result = write_file_atomically(folder_ / "no" / "a.espl", bytes_of("x"));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::kInputOutput);
    EXPECT_TRUE(names().empty());
    EXPECT_FALSE(check_writable(folder_ / "no" / "a.espl").ok());
}

TEST_F(AtomicFile, AFileInPlaceOfTheFolderIsAnError) {
    ASSERT_TRUE(write_file_atomically(folder_ / "file", bytes_of("old")).ok());
    EXPECT_FALSE(write_file_atomically(folder_ / "file" / "a.espl", bytes_of("x")).ok());
    EXPECT_FALSE(check_writable(folder_ / "file" / "a.espl").ok());
    EXPECT_EQ(content(folder_ / "file"), "old");
    EXPECT_EQ(names(), Names{"file"});
}

TEST_F(AtomicFile, CheckingWritabilityWritesNothing) {
    EXPECT_TRUE(check_writable(folder_ / "a.espl").ok());
    EXPECT_TRUE(names().empty());
    ASSERT_TRUE(write_file_atomically(folder_ / "a.espl", bytes_of("old")).ok());
    EXPECT_TRUE(check_writable(folder_ / "a.espl").ok());
    EXPECT_EQ(content(folder_ / "a.espl"), "old");
}

TEST_F(AtomicFile, AMappedAssetSurvivesItsReplacement) {
    const fs::path file = folder_ / "a.espl";
    const std::vector<std::uint8_t> small = bake_bytes(random_soup(70, 50)),
                                    large = bake_bytes(random_soup(71, 500));
    ASSERT_TRUE(write_file_atomically(file, large).ok());
    MappedFile mapped;
    ASSERT_EQ(mapped.map(file.c_str()), Status::kOk);
    ASSERT_TRUE(write_file_atomically(file, small).ok());
    // Whoever has mapped the old file still sees it whole: it was renamed over, not written over.
    Asset asset;
    EXPECT_EQ(open(mapped.data(), mapped.size(), Verify::kFull, &asset), Status::kOk);
    EXPECT_EQ(mapped.size(), large.size());
    ASSERT_EQ(mapped.map(file.c_str()), Status::kOk);
    EXPECT_EQ(open(mapped.data(), mapped.size(), Verify::kFull, &asset), Status::kOk);
    EXPECT_EQ(mapped.size(), small.size());
}

TEST_F(AtomicFile, WhatAKilledWriterLeftIsGoneAfterTheNextWrite) {
    const fs::path file = folder_ / "a.espl";
    const pid_t child = ::fork();
    if (child == 0) {
        // Ends in the middle of a write, with what it wrote until then.
        const rlimit limit{5000, 5000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ::signal(SIGXFSZ, SIG_DFL);
        const std::vector<std::uint8_t> large(100000, 7);
        static_cast<void>(write_file_atomically(file, large));
        ::_exit(0);
    }
    int state = 0;
    ASSERT_EQ(::waitpid(child, &state, 0), child);
    ASSERT_TRUE(WIFSIGNALED(state));
    ASSERT_EQ(names().size(), 1u) << "the test wants a file that is left behind";
    ASSERT_TRUE(write_file_atomically(file, bytes_of("short")).ok());
    EXPECT_EQ(content(file), "short");
    EXPECT_EQ(names(), Names{"a.espl"});
}

TEST_F(AtomicFile, WritersOfOneFileAtOnceLeaveOneOfTheirTexts) {
    const fs::path file = folder_ / "a.espl";
    std::vector<std::thread> writers;
    std::atomic<int> failures = 0;
    for (char c = 'a'; c < 'i'; ++c)
        writers.emplace_back([&, c] {
            const std::vector<std::uint8_t> text(20000, static_cast<std::uint8_t>(c));
            for (int i = 0; i < 20; ++i) failures += write_file_atomically(file, text).ok() ? 0 : 1;
        });
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(failures, 0);
    const std::string found = content(file);
    EXPECT_EQ(found, std::string(20000, found.empty() ? '?' : found[0]));
    EXPECT_EQ(names(), Names{"a.espl"});
}

TEST_F(AtomicFile, FollowsALinkAndLeavesIt) {
    fs::create_directory(folder_ / "store");
    fs::create_symlink("store/real.espl", folder_ / "a.espl");
    EXPECT_TRUE(check_writable(folder_ / "a.espl").ok());
    ASSERT_TRUE(write_file_atomically(folder_ / "a.espl", bytes_of("new")).ok());
    EXPECT_TRUE(fs::is_symlink(folder_ / "a.espl"));
    EXPECT_EQ(content(folder_ / "store" / "real.espl"), "new");
    fs::create_symlink("nowhere/real.espl", folder_ / "b.espl");
    EXPECT_FALSE(check_writable(folder_ / "b.espl").ok());
    EXPECT_FALSE(write_file_atomically(folder_ / "b.espl", bytes_of("new")).ok());
}

TEST_F(AtomicFile, TakesNamesAsLongAsTheSystemDoes) {
    const std::string name = std::string(250, 'n') + ".espl";
    ASSERT_TRUE(write_file_atomically(folder_ / name, bytes_of("x")).ok());
    EXPECT_EQ(names(), Names{name});
    EXPECT_FALSE(write_file_atomically(folder_ / (name + "l"), bytes_of("x")).ok());
    EXPECT_EQ(names(), Names{name});
}

TEST_F(AtomicFile, AnEmptyFileCannotBeMapped) {
    ASSERT_TRUE(write_file_atomically(folder_ / "empty", {}).ok());
    MappedFile mapped;
    EXPECT_EQ(mapped.map((folder_ / "empty").c_str()), Status::kTruncated);
}

}  // namespace
}  // namespace espalier::testing
