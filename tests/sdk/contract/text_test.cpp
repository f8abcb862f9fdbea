#include "host/base/text.hpp"

#include <set>

#include <gtest/gtest.h>

namespace gantry::contract::text_test {
namespace {

TEST(Hex, BecomesLowerCase) {
  EXPECT_EQ(to_hex(std::string_view("\x00\x7f\xff\xa0", 4)), "007fffa0");
  EXPECT_EQ(to_hex(""), "");
}

TEST(Base64, ReadsBackItsOwnOutput) {
  for (const std::string& bytes :
       {std::string(), std::string("a"), std::string("ab"), std::string("abc"),
        std::string("\0\xFF\x80", 3), std::string(1000, 'x')}) {
    std::string text;
    append_base64(text, bytes);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, IsStrict) {
  for (const auto text :
       {"A", "AA", "AAA", "A===", "AA=A", "AB==", "AAB=", "A A=", "AA-_", "====", "AAAA="}) {
    EXPECT_FALSE(from_base64(text)) << text;
  }
}

TEST(Utf8, FollowsTheUnicodeTable) {
  for (const auto text : {"", "abc", "\xC3\xBC", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF",
                          "\xF4\x8F\xBF\xBF"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const auto text :
       {"\x80", "\xC0\xAF", "\xC3", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80",
        "\xF5\x80\x80\x80", "\xE0\x80\x80", "\xF0\x80\x80\x80", "a\xFF"}) {
    EXPECT_FALSE(is_utf8(text));
  }
}

TEST(Text, LosesItsMiddleWhenItIsTooLong) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("0123456789", 9), "012345…789");
  EXPECT_EQ(shortened("\xC3\xBC\xC3\xBC\xC3\xBC\xC3\xBC", 6), "\xC3\xBC\xC3\xBC…\xC3\xBC");
}

TEST(Hex, IsReadInBothCases) {
  EXPECT_EQ(from_hex("007fffa0"), std::string("\x00\x7f\xff\xa0", 4));
  EXPECT_EQ(from_hex("aBcD"), "\xab\xcd");
  EXPECT_EQ(from_hex(""), "");
  for (const auto text : {"0", "0g", "g0", "00 ", "0x00", "-1"})
    EXPECT_FALSE(from_hex(text)) << text;
  EXPECT_EQ(to_upper_hex("\xab\xcd\x01"), "ABCD01");
  EXPECT_TRUE(is_lower_hex("09af"));
  for (const auto text : {"A", "g", " ", "0x"}) EXPECT_FALSE(is_lower_hex(text)) << text;
}

TEST(Percent, KeepsTheUnreservedCharacters) {
  const std::string text = "Az09-._~ /%\xC3\xBC\x01";
  EXPECT_EQ(percent_encoded(text), "Az09-._~%20%2F%25%C3%BC%01");
  EXPECT_EQ(percent_encoded("a/b.c", "/"), "a/b%2Ec");
  EXPECT_EQ(percent_decoded(percent_encoded(text)), text);
}

TEST(Percent, RefusesBrokenEscapes) {
  EXPECT_EQ(percent_decoded("%2ca%2C"), ",a,");
  for (const auto text : {"%", "a%", "%2", "%2g", "%g2", "%%20"})
    EXPECT_FALSE(percent_decoded(text)) << text;
}

TEST(Base64url, WritesTheVectorsOfItsStandardWithoutPadding) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff\xfe", "-__-"}};
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(to_base64url(bytes), text);
    EXPECT_EQ(from_base64url(text), bytes) << text;
  }
}

TEST(Base64url, GivesEveryByteBack) {
  std::string bytes;
  for (int length = 0; length < 300; ++length) {
    EXPECT_EQ(from_base64url(to_base64url(bytes)), bytes) << length;
    bytes += static_cast<char>(length * 7);
  }
}

TEST(Base64url, RefusesEveryOtherSpelling) {
  for (const std::string_view text : {"Zg==", "Zm8=", "Zh", "Zm9", "Z", "Zm9vY", "Zm+v", "Zm/v",
                                      "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v=",
                                      "Z\x80"
                                      "Av"}) {
    EXPECT_EQ(from_base64url(text), std::nullopt) << text;
  }
  EXPECT_EQ(from_base64url(std::string_view("Zm\0v", 4)), std::nullopt);
}

TEST(Base64url, HasOneSpellingForEachOneByteText) {
  std::set<std::string> seen;
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const auto bytes = from_base64url(std::string{static_cast<char>(a), static_cast<char>(b)});
      if (bytes) {
        EXPECT_TRUE(seen.insert(*bytes).second) << a << ' ' << b;
      }
    }
  }
  EXPECT_EQ(seen.size(), 256u);
}

}  // namespace
}  // namespace gantry::contract::text_test
