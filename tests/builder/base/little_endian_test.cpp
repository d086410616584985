// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/base/little_endian.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

constexpr std::string_view kBytes("\x00\x01\x02\xfd\xfe\xff\x07\x08\x09", 9);

TEST(LittleEndian, TheLowestByteComesFirst) {
    EXPECT_EQ(read_little_endian(kBytes, 1, 1), 0x01U);
    EXPECT_EQ(read_little_endian(kBytes, 1, 2), 0x0201U);
    EXPECT_EQ(read_little_endian(kBytes, 2, 4), 0xfffefd02U);
    EXPECT_EQ(read_little_endian(kBytes, 1, 8), 0x090807fffefd0201U);
}

TEST(BigEndian, TheHighestByteComesFirst) {
    EXPECT_EQ(read_big_endian(kBytes, 1, 2), 0x0102U);
    EXPECT_EQ(read_big_endian(kBytes, 1, 8), 0x0102fdfeff070809U);
}

}  // namespace
}  // namespace espalier
