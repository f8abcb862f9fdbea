// JSON text, and the encodings beside it.
#include "sdk/contract/json_text.hpp"

#include <gtest/gtest.h>

#include "sdk/contract/plain_length.hpp"
#include "sdk/contract/text.hpp"

namespace gantry::contract::json_text_test {
namespace {

TEST(Json, PlainTextEndsAtTheFirstByteThatIsSpecial) {
  for (int byte = 0; byte < 256; ++byte) {
    const bool plain = byte >= ' ' && byte < 0x80 && byte != '"' && byte != '\\';
    for (std::size_t at = 0; at < 20; ++at) {
      std::string text(20, 'x');
      text[at] = static_cast<char>(byte);
      EXPECT_EQ(plain_length(text), plain ? text.size() : at) << byte << " at " << at;
      text[19] = '"';  // what comes later does not matter, nor what lies behind the text
      EXPECT_EQ(plain_length(text), plain && at < 19 ? 19 : at) << byte << " at " << at;
      EXPECT_EQ(plain_length(std::string_view(text).substr(0, at)), at);
    }
  }
}

TEST(Json, CompactTextLosesBlanksBetweenTokensOnly) {
  std::string out = "x";
  append_compact(out, "{ \"a b\" :\n [ 1,\t\"q\\\" , \\\\\" , true ] }");
  EXPECT_EQ(out, "x{\"a b\":[1,\"q\\\" , \\\\\",true]}");
}

TEST(Json, MembersAreSeparatedByCommas) {
  std::string out = "{";
  append_text_member(out, "a", "\"");
  append_json_member(out, "b", "{");
  append_json_member(out, "c\n", "[1]");
  out += '}';
  append_name(out, "d");
  EXPECT_EQ(out, R"({"a":"\"","b":{"c\n":[1]},"d":)");
  std::string members;
  append_json_member(members, "a", "1");
  append_json_member(members, "b", "2");
  EXPECT_EQ(members, R"("a":1,"b":2)");
}

TEST(Json, StringsEscapeControlsAndReplaceInvalidUtf8) {
  EXPECT_EQ(json_string("a\"\\\n\r\t\x01\x1f"), R"("a\"\\\n\r\t\u0001\u001f")");
  EXPECT_EQ(json_string("\xC3\xBC\xFF\xE2\x82"),
            "\"\xC3\xBC\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(Text, BecomesLowerCaseHex) {
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

}  // namespace
}  // namespace gantry::contract::json_text_test
