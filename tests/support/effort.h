// SPDX-License-Identifier: GPL-3.0-or-later
// How much a test does in this build.
#pragma once

#include <cstdint>

namespace espalier::testing {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif
#else
constexpr bool kSanitized = false;
#endif

/// `full` in an ordinary build, `sanitized` where every memory access costs several.
constexpr std::uint64_t effort(std::uint64_t full, std::uint64_t sanitized) {
    return kSanitized ? sanitized : full;
}

}  // namespace espalier::testing
