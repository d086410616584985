// SPDX-License-Identifier: GPL-3.0-or-later
// A copy of an asset's bytes at the alignment that the runtime wants, for bytes that were not mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>

namespace espalier {

/// Exactly as many bytes as were given, on a boundary of 64: the byte after the last one is
/// AddressSanitizer's.
class AlignedBytes {
  public:
    explicit AlignedBytes(std::span<const std::uint8_t> bytes)
        : bytes_(static_cast<std::uint8_t*>(::operator new(bytes.size(), kAlignment))), size_(bytes.size()) {
        if (size_ > 0) std::memcpy(bytes_.get(), bytes.data(), size_);
    }

    std::uint8_t* data() { return bytes_.get(); }
    const std::uint8_t* data() const { return bytes_.get(); }
    std::size_t size() const { return size_; }
    std::span<const std::uint8_t> span() const { return {bytes_.get(), size_}; }

  private:
    static constexpr std::align_val_t kAlignment{64};
    struct Free {
        void operator()(std::uint8_t* p) const { ::operator delete(p, kAlignment); }
    };
    std::unique_ptr<std::uint8_t, Free> bytes_;
    std::size_t size_;
};

}  // namespace espalier
