// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 (FIPS 180-4) of bytes that come in pieces; not for use outside builder/import.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "builder/base/result.h"

namespace espalier::import_formats {

/// The hash of all that was added, in that order. Like `cat a b | sha256sum`: pieces have no borders.
class SourceHash {
  public:
    SourceHash();
    ~SourceHash();
    SourceHash(const SourceHash&) = delete;
    SourceHash& operator=(const SourceHash&) = delete;

    void add(std::string_view bytes);
    /// Bytes that were added.
    std::uint64_t size() const { return size_; }
    /// To be called once, last. Fails with kInternal if OpenSSL did.
    Result<std::array<std::uint8_t, 32>> digest();

  private:
    struct State;
    std::unique_ptr<State> state_;
    std::uint64_t size_ = 0;
};

}  // namespace espalier::import_formats
