// SPDX-License-Identifier: MIT
// Maps a file read only (POSIX). The only operating-system code of the runtime; leave it out where there is
// none.
#pragma once

#include <cstddef>

#include "espalier/status.h"

namespace espalier {

/// A mapped file. Not copyable; unmaps itself. The pages are read when they are used, not before: a file that
/// another process truncates while it is mapped kills the reader with SIGBUS at the first byte that is gone,
/// and no verification can prevent it. Replace files by renaming new ones over them, as the builder does;
/// read untrusted folders into memory instead.
class MappedFile {
  public:
    MappedFile() = default;
    /// Takes over what `release` gave away.
    MappedFile(void* data, std::size_t size) : data_(data), size_(size) {}
    ~MappedFile() { close(); }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// Maps the file at `path`, closing what was mapped before. Fails with kInputOutput (errno tells why) or
    /// kTruncated (an empty file).
    Status map(const char* path);
    void close();  ///< ends the mapping; views of it are void then
    /// Gives the mapping away: the caller unmaps it, by another object of this class.
    void* release() {
        void* data = data_;
        data_ = nullptr;
        size_ = 0;
        return data;
    }

    /// Null when nothing is mapped.
    const void* data() const { return data_; }
    /// In bytes.
    std::size_t size() const { return size_; }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace espalier
