// SPDX-License-Identifier: GPL-3.0-or-later
#include "builder/body/utf8.h"

#include <gtest/gtest.h>

namespace espalier::test {
namespace {

TEST(Utf8, WholeCharactersOfEveryLengthAreANameAndKept) {
    const std::string name = "a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x9A\x9A #2";
    EXPECT_TRUE(is_utf8_name(name));
    EXPECT_EQ(as_utf8_name(name), name);
    EXPECT_TRUE(is_utf8_name(""));
}

TEST(Utf8, CutOverlongSurrogateTooLargeAndControlCharactersAreNone) {
    for (const char* bad : {"\xC3", "\xE2\x82", "\xF0\x9F\x9A", "\x80", "\xC0\xAF", "\xE0\x80\xAF",
                            "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\n", "\x7F", "\xC2\x85", "\x1B[2J"})
        EXPECT_FALSE(is_utf8_name(std::string("x") + bad)) << bad;
    EXPECT_FALSE(is_utf8_name(std::string_view("a\0b", 3)));
}

TEST(Utf8, EachByteThatBeginsNoCharacterIsReplacedAndTheResultIsAName) {
    EXPECT_EQ(as_utf8_name("a\xE2\x82z"), "a\xEF\xBF\xBD\xEF\xBF\xBDz");
    EXPECT_EQ(as_utf8_name(std::string_view("a\0b", 3)),
              "a\xEF\xBF\xBD"
              "b");
    std::string every;
    for (int byte = 0; byte < 256; ++byte) every += static_cast<char>(byte);
    EXPECT_TRUE(is_utf8_name(as_utf8_name(every)));
}

}  // namespace
}  // namespace espalier::test
