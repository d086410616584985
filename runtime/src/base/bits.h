// SPDX-License-Identifier: MIT
// Masks of four lanes.
#pragma once

#include "assert.h"

namespace espalier {

/// Set bits of a mask of four lanes: by a table in one word, or by sums where shifting such a word is a call.
constexpr unsigned count_bits(unsigned four) {
    ESPALIER_ASSERT(four < 16);
#if __SIZEOF_POINTER__ >= 8
    return (0x4332322132212110u >> (4 * four)) & 7u;
#else
    const unsigned pairs = four - ((four >> 1) & 5u);
    return (pairs & 3u) + (pairs >> 2);
#endif
}

}  // namespace espalier
