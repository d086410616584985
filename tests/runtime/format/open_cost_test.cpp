// SPDX-License-Identifier: GPL-3.0-or-later
// Opening without verification costs the same for a million triangles as for ten: the pages behind the header
// are made inaccessible, and each one that is touched all the same is counted.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "corpus/registry.h"
#include "espalier/map_file.h"
#include "tests/support/baked_mesh.h"
#include "tests/support/effort.h"

namespace espalier::testing {
namespace {

/// Pages of one mapping; every first touch of a page is counted by the signal that it raises.
class GuardedPages {
  public:
    explicit GuardedPages(std::span<const std::uint8_t> bytes) {
        page_ = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        size_ = (bytes.size() + page_ - 1) / page_ * page_;
        void* memory = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        data_ = static_cast<std::uint8_t*>(memory);
        std::memcpy(data_, bytes.data(), bytes.size());
        ::mprotect(data_, size_, PROT_NONE);
        current_ = this;
        struct sigaction action = {};
        action.sa_sigaction = &on_fault;
        action.sa_flags = SA_SIGINFO;
        ::sigaction(SIGSEGV, &action, &before_);
    }
    ~GuardedPages() {
        ::sigaction(SIGSEGV, &before_, nullptr);
        ::munmap(data_, size_);
    }
    GuardedPages(const GuardedPages&) = delete;
    GuardedPages& operator=(const GuardedPages&) = delete;

    const std::uint8_t* data() const { return data_; }
    std::size_t pages() const { return size_ / page_; }
    std::size_t touched() const { return touched_; }
    std::size_t farthest() const { return farthest_; }

  private:
    static void on_fault(int, siginfo_t* info, void*) {
        GuardedPages& self = *current_;
        const auto* address = static_cast<const std::uint8_t*>(info->si_addr);
        if (address < self.data_ || address >= self.data_ + self.size_)
            ::_exit(139);  // not ours: a real fault
        const std::size_t index = static_cast<std::size_t>(address - self.data_) / self.page_;
        ::mprotect(self.data_ + index * self.page_, self.page_, PROT_READ);
        self.touched_ = self.touched_ + 1;
        if (index > self.farthest_) self.farthest_ = index;
    }

    static GuardedPages* current_;
    struct sigaction before_ = {};
    std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0, page_ = 0;
    volatile std::size_t touched_ = 0, farthest_ = 0;
};

GuardedPages* GuardedPages::current_ = nullptr;

TEST(OpenCost, AMillionTrianglesTouchTheFirstPageOnly) {
    const auto triangles = static_cast<std::uint32_t>(effort(1000000, 100000));
    const std::vector<std::uint8_t> bytes =
        bake_bytes(corpus::find_corpus_mesh("torus")->make_near(triangles));
    ASSERT_GT(bytes.size(), triangles * std::size_t{20});
    GuardedPages pages(bytes);
    Asset asset;
    ASSERT_EQ(open(pages.data(), bytes.size(), Verify::kNone, &asset), Status::kOk);
    EXPECT_EQ(pages.touched(), 1u);
    EXPECT_EQ(pages.farthest(), 0u);
    // A part's tables and the counts of its vectors lie apart: a handful of pages, whatever the size.
    ShapeView part;
    ASSERT_EQ(asset.part(0, &part), Status::kOk);
    EXPECT_EQ(part.mesh.triangle_count, triangles);
    EXPECT_LE(pages.touched(), 8u);
    std::printf("  %zu bytes, %zu pages: %zu touched by open and part\n", bytes.size(), pages.pages(),
                pages.touched());
    // The guard itself works: a checksum reads every page.
    ASSERT_EQ(open(pages.data(), bytes.size(), Verify::kChecksum, &asset), Status::kOk);
    EXPECT_EQ(pages.touched(), pages.pages());
}

TEST(MapFile, ReportsWhatCannotBeMapped) {
    MappedFile file;
    EXPECT_EQ(file.map("no such file"), Status::kInputOutput);
    EXPECT_EQ(file.map("."), Status::kInputOutput);
    EXPECT_EQ(file.data(), nullptr);
}

}  // namespace
}  // namespace espalier::testing
