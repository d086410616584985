// SPDX-License-Identifier: GPL-3.0-or-later
// Caller memory for broad phases under test, exactly as large as they ask for and with bytes of rubbish in
// it.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

namespace espalier::testing {

class CallerMemory {
  public:
    explicit CallerMemory(std::size_t size) : bytes_(size + 16), size_(size) {
        std::memset(bytes_.data(), 0xA5, bytes_.size());
        void* start = bytes_.data();
        std::size_t room = bytes_.size();
        start_ = std::align(16, size, start, room);
    }
    void* data() { return start_; }
    std::size_t size() const { return size_; }

  private:
    std::vector<unsigned char> bytes_;
    std::size_t size_;
    void* start_;
};

using PairSet = std::set<std::pair<std::uint32_t, std::uint32_t>>;

}  // namespace espalier::testing
