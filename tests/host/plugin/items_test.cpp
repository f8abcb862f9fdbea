#include "host/plugin/manifest.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fixtures/offers/offers.hpp"

namespace gantry::host::items_test {
namespace {

using ::testing::HasSubstr;

Result<std::vector<ItemSpec>> offer(const std::string& members) {
  return parse_items(R"([{"kind":"tool","name":"count","inputSchema":{"type":"object"})" +
                         (members.empty() ? "" : "," + members) + "}]",
                     "words");
}

std::string refusal(const std::string& members) {
  const auto items = offer(members);
  return items ? "accepted" : items.message();
}

constexpr const char* kPlace = "the offer of words is refused: items[0] (\"count\").";

TEST(Items, AreJudgedAsByTheTestKit) {
  const Manifest offerer = parse_manifest(fixtures::kOfferer).value();
  for (const fixtures::Judged& offer : fixtures::kOffers) {
    const auto items = parse_items(offer.json, offerer);
    EXPECT_EQ(items.is_ok(), offer.refusal == nullptr) << offer.what << ": " << items.message();
    EXPECT_THAT(items.message(), HasSubstr(offer.refusal ? offer.refusal : "")) << offer.what;
  }
}

TEST(Manifests, AreJudgedAsByTheTestKit) {
  for (const fixtures::Judged& given : fixtures::kManifests) {
    const auto manifest = parse_manifest(given.json);
    EXPECT_EQ(manifest.is_ok(), given.refusal == nullptr) << given.what << manifest.message();
    EXPECT_THAT(manifest.message(), HasSubstr(given.refusal ? given.refusal : "")) << given.what;
  }
}

TEST(Items, KeepTheAuthorsTextVerbatim) {
  const auto items = parse_items(
      R"([{"kind":"tool","name":"count","title":"Count","description":"Counts.",)"
      R"("category":"text","permission":"write","timeout_ms":1500,"order":3,"flags":["blocking"],)"
      R"("inputSchema":{ "type":"object" , "x-own":1e2},"outputSchema":{"type":"object"},)"
      R"("annotations":{"readOnlyHint" : false},"icons":[ {"src":"data:,"} ],"_meta":{"a":{}}}])",
      "words");
  ASSERT_TRUE(items.is_ok()) << items.message();
  const ItemSpec& item = items->at(0);
  EXPECT_EQ(item.title, "Count");
  EXPECT_EQ(item.description, "Counts.");
  EXPECT_EQ(item.category, "text");
  EXPECT_EQ(item.tier, Tier::write);
  EXPECT_EQ(item.timeout, std::chrono::milliseconds(1500));
  EXPECT_EQ(item.order, 3);
  EXPECT_TRUE(item.blocking);
  EXPECT_FALSE(item.non_blocking);
  EXPECT_EQ(item.input_schema, R"({ "type":"object" , "x-own":1e2})");
  EXPECT_EQ(item.annotations, R"({"readOnlyHint" : false})");
  EXPECT_EQ(item.icons, R"([ {"src":"data:,"} ])");
  EXPECT_EQ(item.meta, R"({"a":{}})");
}

TEST(Items, HaveDefaults) {
  const auto items = offer("");
  ASSERT_TRUE(items.is_ok()) << items.message();
  EXPECT_EQ(items->at(0).category, "custom");
  EXPECT_EQ(items->at(0).tier, Tier::readonly);
  EXPECT_EQ(items->at(0).timeout, std::chrono::seconds(30));
  EXPECT_FALSE(items->at(0).order.has_value());
}

TEST(Items, NameTheAllowedValuesOfAMember) {
  EXPECT_EQ(refusal(R"("permission":"root")"),
            std::string(kPlace) +
                "permission must be \"readonly\", \"write\" or \"admin\"; it is \"root\"");
  EXPECT_EQ(refusal(R"("timeout_ms":0)"),
            std::string(kPlace) + "timeout_ms must be a whole number from 1 to 3600000; it is 0");
  EXPECT_EQ(refusal(R"("timeout_ms":1.5)"),
            std::string(kPlace) + "timeout_ms must be a whole number from 1 to 3600000; it is 1.5");
  EXPECT_EQ(refusal(R"("flags":["async"])"),
            std::string(kPlace) +
                "flags must be an array of \"blocking\" or \"non_blocking\"; it "
                "is [\"async\"]");
  EXPECT_EQ(refusal(R"("flags":["blocking","non_blocking"])"),
            std::string(kPlace) + "flags cannot hold both \"blocking\" and \"non_blocking\"");
  EXPECT_EQ(refusal(R"("icons":{})"), std::string(kPlace) + "icons must be an array; it is {}");
  EXPECT_EQ(refusal(R"("title":7)"), std::string(kPlace) + "title must be a string; it is 7");
  EXPECT_EQ(refusal(R"("outputSchema":true)"),
            std::string(kPlace) + "outputSchema must be an object; it is true");
  EXPECT_EQ(refusal(R"("category":"")"),
            std::string(kPlace) + "category must be a word such as \"search\"; it is \"\"");
}

TEST(Items, HaveAKindOfSeven) {
  EXPECT_EQ(parse_items(R"([{"kind":"metho","name":"a"}])", "words").message(),
            "the offer of words is refused: items[0] (\"a\").kind must be \"tool\", \"service\", "
            "\"prompt\", \"resource\", \"resource_template\", \"completion\" or \"method\"; it is "
            "\"metho\"");
  EXPECT_EQ(parse_items(R"([{"name":"a"}])", "words").message(),
            "the offer of words is refused: items[0] (\"a\").kind is missing: \"tool\", "
            "\"service\", \"prompt\", \"resource\", \"resource_template\", \"completion\" or "
            "\"method\"");
  EXPECT_EQ(parse_items("[1]", "words").message(),
            "the offer of words is refused: items[0] must be an object; it is 1");
}

TEST(Items, AServiceIsNamedWithItsRevision) {
  for (const char* good : {"a/1", "acme.words/12", "gantry.data/1"}) {
    EXPECT_TRUE(parse_items(std::string(R"([{"kind":"service","name":")") + good + "\"}]", "w"))
        << good;
  }
  for (const char* bad : {"", "words", "words/", "words/0", "words/01", "Words/1", "/1", "a/b/1"}) {
    EXPECT_FALSE(parse_items(std::string(R"([{"kind":"service","name":")") + bad + "\"}]", "w"))
        << bad;
  }
}

TEST(Items, ToolNamesHaveABound) {
  const auto named = [](const std::string& name) {
    return parse_items(
               R"([{"kind":"tool","name":")" + name + R"(","inputSchema":{"type":"object"}}])", "w")
        .is_ok();
  };
  EXPECT_TRUE(named(std::string(64, 'a')));
  EXPECT_TRUE(named("Ab.c_d-9"));
  EXPECT_FALSE(named(std::string(65, 'a')));
  EXPECT_FALSE(named(""));
  EXPECT_FALSE(named("a/b"));
  EXPECT_FALSE(named("é"));
}

TEST(Items, AnInputSchemaIsAnObjectsSchema) {
  const auto items =
      parse_items(R"([{"kind":"tool","name":"a","inputSchema":{"type":"array"}}])", "words");
  EXPECT_EQ(items.message(),
            "the offer of words is refused: items[0] (\"a\").inputSchema must have \"type\": "
            "\"object\" at its root");
}

TEST(Items, OneNameMayBeAToolAndAServiceButNotTwice) {
  EXPECT_EQ(
      parse_items(R"([{"kind":"service","name":"a/1"},{"kind":"service","name":"a/1"}])", "words")
          .message(),
      "the offer of words is refused: items[1] (\"a/1\"): the service \"a/1\" is there twice; "
      "keep one");
}

}  // namespace
}  // namespace gantry::host::items_test
