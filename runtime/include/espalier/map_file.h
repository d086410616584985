// SPDX-License-Identifier: MIT
// Maps a file read only (POSIX). The only operating-system code of the runtime; leave it out where there is
// none.
#pragma once

#include <cstddef>

#include "espalier/status.h"

namespace espalier {

/// A mapped file. Not copyable; unmaps itself.
class MappedFile {
  public:
    MappedFile() = default;
    ~MappedFile() { close(); }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    /// Maps the file at `path`, closing what was mapped before. Fails with kInputOutput (errno tells why) or
    /// kTruncated (an empty file).
    Status map(const char* path);
    void close();

    const void* data() const { return data_; }
    std::size_t size() const { return size_; }

  private:
    void* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace espalier
