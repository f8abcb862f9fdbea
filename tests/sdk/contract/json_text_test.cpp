#include "sdk/contract/json_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "sdk/contract/plain_length.hpp"

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

// Texts are written in blocks: what is escaped may lie anywhere across their ends.
TEST(Json, LongStringsAreEscapedWhereverBlocksEnd) {
  const std::pair<std::string_view, std::string_view> pairs[] = {
      {"\"", "\\\""},      {"\\", "\\\\"},           {"\n", "\\n"},
      {"\x02", "\\u0002"}, {"\xC3\xBC", "\xC3\xBC"}, {"\xFF", "\xEF\xBF\xBD"}};
  for (std::size_t before = 1000; before < 1050; ++before) {
    for (const auto& [given, written] : pairs) {
      std::string text(before, 'x'), wanted = '"' + text;
      for (int i = 0; i < 40; ++i) {
        text.append(given).append(static_cast<std::size_t>(i) % 11, 'y');
        wanted.append(written).append(static_cast<std::size_t>(i) % 11, 'y');
      }
      ASSERT_EQ(json_string(text), wanted + '"') << before;
    }
  }
}

TEST(Json, EscapesBeyondTheBasicPlaneAreTwo) {
  std::string out;
  for (const std::uint32_t point : {0x7Fu, 0x202Eu, 0xFFFFu, 0x1F600u, 0x10FFFFu})
    append_escape(out, point);
  EXPECT_EQ(out, R"(\u007f\u202e\uffff\ud83d\ude00\udbff\udfff)");
}

}  // namespace
}  // namespace gantry::contract::json_text_test
