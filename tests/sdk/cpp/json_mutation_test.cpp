// The reader against RapidJSON on texts broken at random: both must agree on what is JSON, and
// whatever is accepted must be walked without a fault (run under ASan and UBSan).
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <random>

#include <gantry/json.hpp>

using gantry::Json;

namespace json_mutation_test {
namespace {

std::size_t walk(const Json& json) {
  std::size_t count = 1 + json.kind_name().size() + json.as_double().has_value();
  if (const auto text = json.as_string()) count += text->size();
  for (const Json& element : json.elements()) count += walk(element);
  for (const auto& [name, value] : json.members()) count += name.size() + walk(value);
  return count;
}

bool rapidjson_accepts(const std::string& text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag | rapidjson::kParseIterativeFlag>(
      text.data(), text.size());
  // Numbers beyond a double are still JSON.
  return !document.HasParseError() ||
         document.GetParseError() == rapidjson::kParseErrorNumberTooBig;
}

TEST(JsonMutations, AgreeWithRapidJson) {
  const std::string seed =
      R"({"a":[1,-2.5e+3,true,false,null,"x\u00e9\ud83d\ude00\n"],"b":{"c":{"d":[[],{}]}},"é":""})";
  const std::string alphabet = "{}[],:\"\\u0159eE+-.tfn dD8c\xc3\xa9\xff\x01";
  std::mt19937 random(20261121);
  std::size_t accepted = 0;
  for (int round = 0; round < 100000; ++round) {
    std::string text = seed;
    for (std::size_t edits = 1 + random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, 1 + random() % 3);
          break;
        default:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
      }
      if (text.empty()) text = "0";
    }
    const gantry::Result<Json> json = Json::parse(text);
    // RapidJSON lets a lone low surrogate pass; no UTF-8 text can hold it.
    if (json.message().find("lone surrogate") != std::string::npos) continue;
    ASSERT_EQ(json.is_ok(), rapidjson_accepts(text)) << text;
    if (json) accepted += walk(*json) > 0 ? 1 : 0;
  }
  EXPECT_GT(accepted, 1000U);
}

}  // namespace
}  // namespace json_mutation_test
