// SPDX-License-Identifier: GPL-3.0-or-later
// Random draws that are the same on every platform: written by hand on mt19937_64, since the library's
// distributions are implementation-defined.
#pragma once

#include <cstdint>
#include <random>

namespace espalier {

class Draw {
  public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}

    /// 64 random bits.
    std::uint64_t bits() { return engine_(); }
    /// Uniform in [0, 1), 53 bits.
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1.0p-53; }
    /// Uniform in 0 .. count - 1; the bias of the remainder is below 2^-32 for counts below 2^32.
    std::uint64_t below(std::uint64_t count) { return engine_() % count; }

  private:
    std::mt19937_64 engine_;
};

}  // namespace espalier
