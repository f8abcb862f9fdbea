// What callers may not see inside JSON is removed alike from text, parsed JSON and values.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <random>
#include <string>

#include "errors/query_error.hpp"
#include "policy/internal.hpp"
#include "policy/redaction.hpp"
#include "values/extended_json.hpp"
#include "values/json_text.hpp"

namespace gantry::data {
namespace {

class RandomJson {
 public:
  explicit RandomJson(unsigned seed) : random_(seed) {}

  std::string value(int depth) {
    const unsigned kind = pick(depth > 4 ? 3 : 7);
    if (kind == 0) return std::to_string(pick(99)) + (pick(2) == 0 ? "" : ".50");
    if (kind == 1) return pick(2) == 0 ? "null" : "true";
    if (kind == 2) return text();
    if (kind == 3) return list(depth);
    return kind == 4 ? pointer(depth) : object(depth);
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::string space() { return std::string(pick(2), pick(2) == 0 ? ' ' : '\n'); }

  std::string text() {
    constexpr const char* kTexts[] = {
        R"("")",   R"("a{\"b\":[1}")",  R"("Pointer")",     R"("_Session")",
        R"("\\")", R"("Poi\u006eter")", R"("sessionToken")"};
    return kTexts[pick(std::size(kTexts))];
  }
  std::string name() {
    constexpr const char* kNames[] = {
        R"("a")",         R"("b,}")",    R"("sessionToken")", R"("s\u0065ssionToken")",
        R"("className")", R"("__type")", R"("objectId")",     R"("_rperm")"};
    return kNames[pick(std::size(kNames))];
  }
  std::string list(int depth) {
    std::string out = "[" + space();
    for (unsigned left = pick(4); left > 0; --left)
      out += value(depth + 1) + space() + (left > 1 ? "," : "");
    return out + "]";
  }
  std::string object(int depth) {
    std::string out = "{" + space();
    for (unsigned left = pick(5); left > 0; --left)
      out += name() + space() + ":" + space() + value(depth + 1) + (left > 1 ? "," + space() : "");
    return out + "}";
  }
  std::string pointer(int depth) {
    constexpr const char* kClasses[] = {"_Session", "_s\\u0065ssion", "home", "work", "_gantry_x"};
    return R"({"__type":"Pointer",)" + space() + R"("className" :")" +
           kClasses[pick(std::size(kClasses))] + R"(","objectId":)" +
           (pick(2) == 0 ? R"("x1")" : value(depth + 1)) + space() + "}";
  }

  std::mt19937 random_;
};

// The first member of a name counts, as it does for callers.
Value read(std::string_view json) {
  auto value = read_extended(json, {.parse_types = false, .keep_first_duplicate = true});
  EXPECT_TRUE(value) << value.message() << json;
  return value ? std::move(*value) : Value();
}

bool has_duplicates(const rapidjson::Value& json) {
  if (json.IsArray()) {
    for (const auto& element : json.GetArray())
      if (has_duplicates(element)) return true;
  }
  if (!json.IsObject()) return false;
  for (auto at = json.MemberBegin(); at != json.MemberEnd(); ++at) {
    for (auto other = at + 1; other != json.MemberEnd(); ++other)
      if (at->name == other->name) return true;
    if (has_duplicates(at->value)) return true;
  }
  return false;
}

TEST(Redaction, OfTextParsedJsonAndValuesIsTheSame) {
  const ClassFilter filter(std::nullopt, {"work"});
  unsigned compared = 0, changed = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    const std::string json = RandomJson(seed).value(0);
    rapidjson::Document parsed;
    parsed.Parse(json.c_str());
    ASSERT_FALSE(parsed.HasParseError()) << json;
    if (has_duplicates(parsed)) continue;
    const ClassFilter* const classes = seed % 2 == 0 ? nullptr : &filter;
    const auto text = without_internal(json, classes);
    drop_internal(parsed, classes);
    Value value = read(json);
    drop_internal(value, classes);

    rapidjson::Document of_text;
    of_text.Parse(text ? text->c_str() : json.c_str());
    ASSERT_FALSE(of_text.HasParseError()) << json << " became " << text.value_or("");
    EXPECT_TRUE(of_text == parsed) << json << " became " << text.value_or("");
    EXPECT_TRUE(read(text ? *text : json) == value) << json << " became " << text.value_or("");
    ++compared;
    changed += text ? 1 : 0;
  }
  EXPECT_GT(compared, 1000U);
  EXPECT_GT(changed, 300U);
}

std::string redacted(const std::string& json, const ClassFilter* classes = nullptr) {
  return redacted_answer(json, classes).value_or("unchanged");
}

TEST(RedactedAnswers, HaveNoIdsOfHiddenClasses) {
  const ClassFilter filter(std::nullopt, {"teams"});
  const std::string team = R"({"__type":"Pointer","className":"teams","objectId":"2"})";
  const std::string hidden = R"({"className":"teams","__redacted":true})";
  EXPECT_EQ(redacted(R"({"a":[1.0,)" + team + R"(],"b":1e2})", &filter),
            R"({"a":[1.0,)" + hidden + R"(],"b":1e2})");
  EXPECT_EQ(redacted(team), "unchanged");
  EXPECT_EQ(redacted(R"([{"__type":"Pointer","className":"_Session","objectId":"s"}])"),
            R"([{"className":"_Session","__redacted":true}])");
}

TEST(RedactedAnswers, KeepTheNamesThatTheirAuthorChose) {
  EXPECT_EQ(redacted(R"({"password":"p","x":{"__type":"Pointer","className":"_Session"}})"),
            R"({"password":"p","x":{"className":"_Session","__redacted":true}})");
}

TEST(RedactedAnswers, AreAlsoLookedThroughInStringsThatHoldJson) {
  const std::string pointer = R"({"__type":"Pointer","className":"_Session","objectId":"s"})";
  std::string inner = R"({"p":)" + pointer + "}",
              shown = R"({"p":{"className":"_Session","__redacted":true}})";
  for (int layer = 0; layer < 3; ++layer) {
    const std::string outer = R"([{"type":"text","text":)" + quoted_json(inner) + R"(},"tail"])";
    const std::string wanted = R"([{"type":"text","text":)" + quoted_json(shown) + R"(},"tail"])";
    EXPECT_EQ(redacted(outer), wanted);
    inner = outer;
    shown = wanted;
  }
  EXPECT_EQ(redacted(R"(["{\"Pointer\": is no JSON", "\\\"{Pointer\\\""])"), "unchanged");
}

TEST(RedactedAnswers, MustBeJsonOfBoundedDepth) {
  EXPECT_THROW((void)redacted_answer(R"({"a":)", nullptr), QueryError);
  EXPECT_THROW((void)redacted_answer(std::string(5000, '[') + std::string(5000, ']'), nullptr),
               QueryError);
  EXPECT_EQ(redacted(std::string(300, '[') + std::string(300, ']')), "unchanged");
}

}  // namespace
}  // namespace gantry::data
