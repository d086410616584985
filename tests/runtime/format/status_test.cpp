// SPDX-License-Identifier: GPL-3.0-or-later
// Status codes: stable numbers, a text for each, the same in the C header.
#include "espalier/status.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "espalier/espalier.h"

namespace espalier::testing {
namespace {

/// A new status goes here too: its number is a promise.
constexpr std::uint32_t kStatusCount = 17;

TEST(StatusText, EveryStatusHasItsOwnText) {
    std::set<std::string> texts;
    for (std::uint32_t i = 0; i < kStatusCount; ++i) {
        const char* text = status_text(static_cast<Status>(i));
        ASSERT_NE(text, nullptr);
        EXPECT_STRNE(text, "unknown status") << i;
        texts.insert(text);
    }
    EXPECT_EQ(texts.size(), kStatusCount);
}

TEST(StatusText, UnknownNumbersHaveATextToo) {
    EXPECT_STREQ(status_text(static_cast<Status>(kStatusCount)), "unknown status");
    EXPECT_STREQ(status_text(static_cast<Status>(0xffffffff)), "unknown status");
}

TEST(StatusNumbers, AreStableAndEqualInTheCHeader) {
    const std::pair<Status, std::uint32_t> numbers[] = {
        {Status::kOk, ESPALIER_STATUS_OK},
        {Status::kInvalidArgument, ESPALIER_STATUS_INVALID_ARGUMENT},
        {Status::kTruncated, ESPALIER_STATUS_TRUNCATED},
        {Status::kWrongIdentifier, ESPALIER_STATUS_WRONG_IDENTIFIER},
        {Status::kUnsupportedVersion, ESPALIER_STATUS_UNSUPPORTED_VERSION},
        {Status::kMisaligned, ESPALIER_STATUS_MISALIGNED},
        {Status::kChecksumMismatch, ESPALIER_STATUS_CHECKSUM_MISMATCH},
        {Status::kCorrupt, ESPALIER_STATUS_CORRUPT},
        {Status::kCorruptMesh, ESPALIER_STATUS_CORRUPT_MESH},
        {Status::kCorruptTree, ESPALIER_STATUS_CORRUPT_TREE},
        {Status::kTooDeep, ESPALIER_STATUS_TOO_DEEP},
        {Status::kNoTree, ESPALIER_STATUS_NO_TREE},
        {Status::kBufferFull, ESPALIER_STATUS_BUFFER_FULL},
        {Status::kInputOutput, ESPALIER_STATUS_INPUT_OUTPUT},
        {Status::kNotClosed, ESPALIER_STATUS_NOT_CLOSED},
        {Status::kNoShape, ESPALIER_STATUS_NO_SHAPE},
        {Status::kCorruptParts, ESPALIER_STATUS_CORRUPT_PARTS},
    };
    ASSERT_EQ(std::size(numbers), kStatusCount);
    for (std::uint32_t i = 0; i < kStatusCount; ++i) {
        EXPECT_EQ(static_cast<std::uint32_t>(numbers[i].first), i);
        EXPECT_EQ(numbers[i].second, i);
    }
}

}  // namespace
}  // namespace espalier::testing
