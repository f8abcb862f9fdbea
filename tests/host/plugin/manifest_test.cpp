#include "host/plugin/manifest.hpp"

#include <gtest/gtest.h>

namespace gantry::host::manifest_test {
namespace {

using Names = std::vector<std::string>;

// A manifest with the required members and `rest`.
Result<Manifest> with(const std::string& rest) {
  return parse_manifest(R"({"name":"words","version":"1.0.0","abi":1)" +
                        (rest.empty() ? "" : "," + rest) + "}");
}

std::string refusal(const std::string& rest) {
  const auto manifest = with(rest);
  return manifest ? "accepted" : manifest.message();
}

TEST(Manifest, TakesEveryMember) {
  const auto manifest = with(
      R"("needs":["gantry.call/1"],"offers":["acme.words/2"],"flags":["reentrant","exclusive",)"
      R"("unloadable"],"isolate":"in-process","config":{"type":"object"},"items":[],)"
      R"("self_check":true,"description":"Counts words","$schema":"https://example.org/m")");
  ASSERT_TRUE(manifest.is_ok()) << manifest.message();
  EXPECT_EQ(manifest->name, "words");
  EXPECT_EQ(manifest->version, "1.0.0");
  EXPECT_EQ(manifest->needs, Names{"gantry.call/1"});
  EXPECT_EQ(manifest->offers, Names{"acme.words/2"});
  EXPECT_TRUE(manifest->reentrant && manifest->exclusive && manifest->unloadable);
  EXPECT_EQ(manifest->isolate, Isolate::in_process);
  EXPECT_EQ(manifest->config_schema, R"({"type":"object"})");
  EXPECT_TRUE(manifest->has_self_check);
  EXPECT_FALSE(manifest->items_at_start);
  EXPECT_TRUE(manifest->warnings.empty());
}

TEST(Manifest, WithoutFlagsPromisesNothing) {
  const auto manifest = with(R"("items":"probe")");
  ASSERT_TRUE(manifest.is_ok()) << manifest.message();
  EXPECT_TRUE(manifest->items_at_start);
  EXPECT_FALSE(manifest->reentrant || manifest->exclusive || manifest->unloadable);
  EXPECT_EQ(manifest->isolate, Isolate::automatic);
}

TEST(Manifest, SaysWhichMemberIsMissing) {
  EXPECT_EQ(parse_manifest(R"({"version":"1","abi":1,"items":[]})").message(),
            "the manifest is refused: name is missing");
  EXPECT_EQ(parse_manifest(R"({"name":"a","version":"1","items":[]})").message(),
            "the manifest is refused: abi is missing: 1");
  EXPECT_EQ(refusal(""),
            "the manifest is refused: items is missing: an array, or \"probe\" when start() offers "
            "them");
}

TEST(Manifest, NamesTheAllowedValuesOfAMember) {
  EXPECT_EQ(refusal(R"("flags":["fast"])"),
            "the manifest is refused: flags must be an array of \"reentrant\", \"exclusive\" or "
            "\"unloadable\"; it is [\"fast\"]");
  EXPECT_EQ(refusal(R"("isolate":"yes")"),
            "the manifest is refused: isolate must be \"auto\", \"in-process\" or \"process\"; it "
            "is \"yes\"");
  EXPECT_EQ(refusal(R"("needs":["gantry.call"])"),
            "the manifest is refused: needs must hold services with their revision such as "
            "\"gantry.call/1\"; it holds \"gantry.call\"");
  EXPECT_EQ(refusal(R"("needs":["a.b/1","a.b/1"])"),
            "the manifest is refused: needs names \"a.b/1\" twice; keep one");
  EXPECT_EQ(refusal(R"("self_check":1)"),
            "the manifest is refused: self_check must be true or false; it is 1");
  EXPECT_EQ(refusal(R"("items":"later")"),
            "the manifest is refused: items must be an array or \"probe\"; it is \"later\"");
  EXPECT_EQ(refusal(R"("schemas":[])"),
            "the manifest is refused: schemas must be an object; it is []");
}

TEST(Manifest, AnotherAbiIsNamedBeforeAllElse) {
  const auto manifest = parse_manifest(R"({"items":{"new":"form"},"abi":"2.3"})");
  EXPECT_EQ(manifest.status().code(), GANTRY_UNSUPPORTED);
  EXPECT_EQ(manifest.message(),
            "the plugin is built for ABI 2, this host speaks 1; rebuild it with a GantrySDK 1.x");
}

TEST(Manifest, TakesTheAbiAsNumberOrText) {
  for (const char* abi : {"1", "1.0", "\"1\"", "\"1.4\""}) {
    const auto manifest = parse_manifest(std::string(R"({"name":"a","version":"1","abi":)") + abi +
                                         R"(,"items":[]})");
    EXPECT_TRUE(manifest.is_ok()) << abi << ": " << manifest.message();
  }
  EXPECT_FALSE(parse_manifest(R"({"name":"a","version":"1","abi":"one","items":[]})").is_ok());
}

TEST(Manifest, WarnsOfMembersItDoesNotKnow) {
  const auto manifest = with(R"("items":[],"colour":"red")");
  ASSERT_TRUE(manifest.is_ok());
  EXPECT_EQ(manifest->warnings, Names{"colour is unknown to this host and ignored"});
}

TEST(Manifest, RefusesAConfigurationSchemaThatIsNone) {
  EXPECT_TRUE(refusal(R"("items":[],"config":{"type":"thing"})")
                  .starts_with("the manifest is refused: config: "));
}

TEST(Manifest, TakesSchemasFromTheirOwnMember) {
  const auto manifest =
      with(R"("items":[{"kind":"tool","name":"count"}],)"
           R"("schemas":{"count":{"input":{"type" : "object"},"output":{"type":"object"}}})");
  ASSERT_TRUE(manifest.is_ok()) << manifest.message();
  EXPECT_EQ(manifest->items[0].input_schema, R"({"type" : "object"})");
  EXPECT_EQ(manifest->items[0].output_schema, R"({"type":"object"})");
  EXPECT_TRUE(manifest->items[0].compiled.input != nullptr);
  EXPECT_TRUE(manifest->items[0].compiled.output != nullptr);
}

TEST(Manifest, WarnsOfAnUnusedSchema) {
  const auto manifest = with(R"("items":[],"schemas":{"cuont":{"input":{"type":"object"}}})");
  ASSERT_TRUE(manifest.is_ok()) << manifest.message();
  EXPECT_EQ(manifest->warnings, Names{"schemas holds \"cuont\", which is no item"});
}

TEST(Manifest, AServiceMustBeAmongTheOffers) {
  EXPECT_EQ(refusal(R"("items":[{"kind":"service","name":"acme.words/1"}])"),
            "the manifest is refused: the item \"acme.words/1\" is a service that the manifest's "
            "offers does not name; add it there");
}

TEST(Offer, TakesSchemasFromTheManifestToo) {
  const auto manifest = with(R"("items":"probe","schemas":{"count":{"input":{"type":"object"}}})");
  const auto items = parse_items(R"([{"kind":"tool","name":"count"}])", *manifest);
  ASSERT_TRUE(items.is_ok()) << items.message();
  EXPECT_EQ(items->at(0).input_schema, R"({"type":"object"})");
  EXPECT_FALSE(parse_items(R"([{"kind":"tool","name":"count"}])", "words").is_ok());
}

TEST(Offer, NamesThePluginInErrors) {
  EXPECT_EQ(parse_items("{}", "words").message(),
            "the offer of words is refused: items must be an array; it is {}");
  EXPECT_TRUE(parse_items("[", "words").message().starts_with("the offer of words is not usable"));
  const auto manifest = with(R"("items":[])");
  EXPECT_FALSE(parse_items(R"([{"kind":"service","name":"a.b/1"}])", *manifest).is_ok());
}

TEST(Offer, HasABound) {
  std::string many = "[";
  for (int i = 0; i < 1025; ++i) {
    if (i > 0) many += ',';
    many += R"({"kind":"service","name":"a.b/)" + std::to_string(i + 1) + "\"}";
  }
  const auto items = parse_items(many + "]", "words");
  EXPECT_EQ(items.status().code(), GANTRY_TOO_BIG);
}

}  // namespace
}  // namespace gantry::host::manifest_test
