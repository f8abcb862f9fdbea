// Prompts, resources, templates and completions as items of a plugin.
#include "sdk/contract/item_kinds.hpp"

#include <tuple>

#include <gtest/gtest.h>

#include "host/plugin/manifest.hpp"

namespace gantry::host::item_kinds_test {
namespace {

Result<std::vector<ItemSpec>> offer(const std::string& items) {
  return parse_items("[" + items + "]", "words");
}

std::string refusal(const std::string& items) {
  const auto taken = offer(items);
  if (taken) return "accepted";
  const std::string_view begin = "the offer of words is refused: ";
  EXPECT_TRUE(taken.message().starts_with(begin)) << taken.message();
  return std::string(taken.message().substr(begin.size()));
}

TEST(PromptItems, TakeEveryMember) {
  const auto items =
      offer(R"({"kind":"prompt","name":"sum.up","title":"Sum up","description":"Sums up.",)"
            R"("permission":"admin","timeout_ms":5,"flags":["non_blocking"],"order":2,)"
            R"("icons":[{"src":"data:,"}],"_meta":{"a":1},"arguments":[)"
            R"({"name":"text","title":"Text","description":"What","required":true,"other":1},)"
            R"({"name":"tone"}]})");
  ASSERT_TRUE(items.is_ok()) << items.message();
  const ItemSpec& item = items->at(0);
  EXPECT_EQ(item.kind, "prompt");
  EXPECT_EQ(item.key(), "sum.up");
  EXPECT_EQ(item.title, "Sum up");
  EXPECT_EQ(item.description, "Sums up.");
  EXPECT_EQ(item.tier, Tier::admin);
  EXPECT_EQ(item.timeout, std::chrono::milliseconds(5));
  EXPECT_TRUE(item.non_blocking);
  EXPECT_EQ(item.order, 2);
  EXPECT_EQ(item.icons, R"([{"src":"data:,"}])");
  EXPECT_EQ(item.meta, R"({"a":1})");
  const std::vector<PromptArgument> arguments = {{"text", "Text", "What", true},
                                                 {"tone", "", "", false}};
  EXPECT_EQ(item.arguments, arguments);
}

TEST(PromptItems, NameTheErrorInAnArgument) {
  const auto with = [](const std::string& arguments) {
    return refusal(R"({"kind":"prompt","name":"p","arguments":)" + arguments + "}");
  };
  EXPECT_EQ(with("{}"), "items[0] (\"p\").arguments must be an array of objects; it is {}");
  EXPECT_EQ(with("[7]"), "items[0] (\"p\").arguments[0] must be an object; it is 7");
  EXPECT_EQ(with(R"([{"title":"x"}])"),
            "items[0] (\"p\").arguments[0].name must be 1 to 64 of A-Z a-z 0-9 _ . -; it is \"\"");
  EXPECT_EQ(with(R"([{"name":"a"},{"name":"a"}])"),
            "items[0] (\"p\").arguments[1].name: the argument \"a\" is there twice; keep one");
  EXPECT_EQ(with(R"([{"name":"a","required":"yes"}])"),
            "items[0] (\"p\").arguments[0].required must be true or false; it is \"yes\"");
  std::string many = R"({"name":"a0"})";
  for (int i = 1; i <= 64; ++i) many += R"(,{"name":"a)" + std::to_string(i) + "\"}";
  EXPECT_EQ(with("[" + many + "]"),
            "items[0] (\"p\").arguments has 65 entries; at most 64 are allowed");
}

TEST(ResourceItems, TakeEveryMember) {
  const auto items = offer(
      R"({"kind":"resource","uri":"app://a","name":"A, the first","title":"A","description":"It.",)"
      R"("mimeType":"text/plain; charset=utf-8","size":9007199254740991,"subscribe":true,)"
      R"("annotations":{"priority":0.5},"ttlMs":31536000000,"cacheScope":"public","order":1,)"
      R"("permission":"write","timeout_ms":9,"icons":[],"_meta":{}})");
  ASSERT_TRUE(items.is_ok()) << items.message();
  const ItemSpec& item = items->at(0);
  EXPECT_EQ(item.uri, "app://a");
  EXPECT_EQ(item.key(), "app://a");
  EXPECT_EQ(item.name, "A, the first");
  EXPECT_EQ(item.mime_type, "text/plain; charset=utf-8");
  EXPECT_EQ(item.bytes, 9007199254740991u);
  EXPECT_TRUE(item.subscribe);
  EXPECT_EQ(item.annotations, R"({"priority":0.5})");
  EXPECT_EQ(item.ttl, std::chrono::milliseconds(31536000000));
  EXPECT_TRUE(item.is_public);
  EXPECT_EQ(item.tier, Tier::write);
}

TEST(ResourceItems, ArePrivateAndNotKeptUnlessTheySaySo) {
  const auto items = offer(R"({"kind":"resource","uri":"app://a","name":"a"})");
  ASSERT_TRUE(items.is_ok()) << items.message();
  EXPECT_FALSE(items->at(0).is_public);
  EXPECT_FALSE(items->at(0).subscribe);
  EXPECT_FALSE(items->at(0).bytes);
  EXPECT_EQ(items->at(0).ttl.count(), 0);
}

TEST(ResourceItems, NameTheInvalidMember) {
  const auto with = [](const std::string& members) {
    return refusal(R"({"kind":"resource","name":"a",)" + members + "}");
  };
  const std::string place = "items[0] (\"a\").";
  EXPECT_EQ(with(R"("title":"A")"), place + "uri is missing: a URI such as \"app://config/main\"");
  EXPECT_EQ(with(R"("uri":"a b")"),
            place +
                "uri must be a URI with its scheme such as \"app://config/main\"; it is "
                "\"a b\"");
  EXPECT_EQ(with(R"("uri":"app://a","mimeType":"text")"),
            place + "mimeType must be a media type such as \"text/plain\"; it is \"text\"");
  EXPECT_EQ(with(R"("uri":"app://a","size":-1)"),
            place + "size must be a whole number from 0 to 9007199254740991; it is -1");
  EXPECT_EQ(with(R"("uri":"app://a","ttlMs":1.5)"),
            place + "ttlMs must be a whole number from 0 to 31536000000; it is 1.5");
  EXPECT_EQ(with(R"("uri":"app://a","cacheScope":"shared")"),
            place + "cacheScope must be \"public\" or \"private\"; it is \"shared\"");
  EXPECT_EQ(with(R"("uri":"app://a","subscribe":1)"),
            place + "subscribe must be true or false; it is 1");
  EXPECT_EQ(refusal(R"({"kind":"resource","uri":"app://a","name":""})"),
            "items[0] (\"\").name must be 1 to 256 bytes; it is \"\"");
}

TEST(TemplateItems, TakeTheirOwnMembers) {
  const auto items =
      offer(R"({"kind":"resource_template","uriTemplate":"app://{a}","name":"t","lists":true,)"
            R"("subscribe":true,"ttlMs":5,"mimeType":"text/plain"})");
  ASSERT_TRUE(items.is_ok()) << items.message();
  EXPECT_EQ(items->at(0).key(), "app://{a}");
  EXPECT_TRUE(items->at(0).lists && items->at(0).subscribe);
  EXPECT_EQ(refusal(R"({"kind":"resource_template","name":"t"})"),
            "items[0] (\"t\").uriTemplate is missing: such as \"app://log/{day}\"");
}

TEST(CompletionItems, BelongToAPromptOrTemplateOfTheSameOffer) {
  const auto items =
      offer(R"({"kind":"completion","name":"p","timeout_ms":7,"description":"Completes p."},)"
            R"({"kind":"prompt","name":"p","permission":"write"},)"
            R"({"kind":"resource_template","uriTemplate":"app://{a}","name":"t"},)"
            R"({"kind":"completion","name":"app://{a}"})");
  ASSERT_TRUE(items.is_ok()) << items.message();
  EXPECT_EQ(items->at(0).key(), "p");
  EXPECT_EQ(items->at(0).tier, Tier::write);  // as the prompt
  EXPECT_EQ(items->at(3).key(), "app://{a}");
  const std::string lost = " is for no prompt and no URI template of this plugin; name one";
  EXPECT_EQ(refusal(R"({"kind":"completion","name":"p"})"),
            "items[0]: the completion \"p\"" + lost);
  EXPECT_EQ(refusal(R"({"kind":"tool","name":"p","inputSchema":{"type":"object"}},)"
                    R"({"kind":"completion","name":"p"})"),
            "items[1]: the completion \"p\"" + lost);
  EXPECT_EQ(refusal(R"({"kind":"resource_template","uriTemplate":"app://{a}","name":"t"},)"
                    R"({"kind":"completion","name":"t"})"),
            "items[1]: the completion \"t\"" + lost);
}

TEST(MethodItems, HaveAKeyAndTheGateOfTheirTier) {
  const auto items =
      offer(R"({"kind":"method","class":"A.B","name":"c","permission":"write","title":"C",)"
            R"("parameters":{"type":"object","properties":{"d":{}}},"permitted_keys":["d"],)"
            R"("supports_dry_run":true},)"
            R"({"kind":"method","class":"A","name":"c","permission":"admin","type":"class"},)"
            R"({"kind":"method","class":"B","name":"c"})");
  ASSERT_TRUE(items.is_ok()) << items.message();
  const auto& [first, second, third] = std::tie(items->at(0), items->at(1), items->at(2));
  EXPECT_EQ(first.key(), "A.B.c");
  EXPECT_EQ(first.name, "c");
  EXPECT_EQ(first.gates, contract::kWriteTools);
  EXPECT_TRUE(first.supports_dry_run && !first.on_class && first.compiled.input);
  EXPECT_EQ(first.permitted_keys, std::vector<std::string>{"d"});
  EXPECT_EQ(second.gates, contract::kSchemaOps);
  EXPECT_TRUE(second.on_class);
  EXPECT_EQ(third.gates, contract::kNoGates);
  EXPECT_EQ(third.input_schema, R"({"type":"object"})");
  EXPECT_FALSE(third.permitted_keys);
}

TEST(ToolItems, NeedTheGatesThatTheyName) {
  const auto items = offer(R"({"kind":"tool","name":"a","inputSchema":{"type":"object"},)"
                           R"("gates":["raw_schema","schema_ops"]})");
  ASSERT_TRUE(items.is_ok()) << items.message();
  EXPECT_EQ(items->at(0).gates, contract::united(contract::kSchemaOps, contract::kRawSchema));
}

TEST(ItemKinds, HaveTheirOwnMembersWhereverTheKindStands) {
  EXPECT_EQ(refusal(R"({"uri":"app://a","kind":"tool","name":"a"})"),
            "items[0] (\"a\").uri makes no sense for the kind \"tool\"; it is for \"resource\"");
  EXPECT_EQ(refusal(R"({"kind":"prompt","name":"a","inputSchema":{"type":"object"}})"),
            "items[0] (\"a\").inputSchema makes no sense for the kind \"prompt\"; it is for "
            "\"tool\" or \"service\"");
  EXPECT_EQ(refusal(R"({"kind":"completion","name":"a","permission":"admin"})"),
            "items[0] (\"a\").permission makes no sense for the kind \"completion\"; it is for "
            "\"tool\", \"service\", \"prompt\", \"resource\", \"resource_template\" or "
            "\"method\"");
}

// Which kinds take a member; everything else is refused by a sentence that names the member.
TEST(ItemKinds, RefuseEachMemberOfOthers) {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"title", "TSPRMK"},
      {"permission", "TSPRMK"},
      {"gates", "T"},
      {"class", "K"},
      {"type", "K"},
      {"parameters", "K"},
      {"permitted_keys", "K"},
      {"supports_dry_run", "K"},
      {"order", "TSPRM"},
      {"icons", "TSPRM"},
      {"_meta", "TSPRM"},
      {"category", "TS"},
      {"inputSchema", "TS"},
      {"outputSchema", "TS"},
      {"annotations", "TSRM"},
      {"arguments", "P"},
      {"uri", "R"},
      {"size", "R"},
      {"uriTemplate", "M"},
      {"lists", "M"},
      {"mimeType", "RM"},
      {"subscribe", "RM"},
      {"ttlMs", "RM"},
      {"cacheScope", "RM"},
      {"name", "TSPRMCK"},
      {"description", "TSPRMCK"},
      {"timeout_ms", "TSPRMCK"},
      {"flags", "TSPRMCK"},
  };
  const std::vector<std::pair<char, std::string>> kinds = {
      {'T', "tool"},     {'S', "service"},           {'P', "prompt"},
      {'R', "resource"}, {'M', "resource_template"}, {'C', "completion"},
      {'K', "method"}};
  for (const auto& [member, allowed] : table) {
    for (const auto& [letter, kind] : kinds) {
      const std::string said = refusal(R"({"kind":")" + kind + R"(",")" + member + R"(":null})");
      const bool makes_sense = said.find("items[0]." + member + " makes no sense") == said.npos;
      EXPECT_EQ(makes_sense, allowed.find(letter) != allowed.npos) << said;
    }
  }
}

TEST(ItemKinds, ShareNamesButNotKeys) {
  EXPECT_TRUE(offer(R"({"kind":"prompt","name":"a"},)"
                    R"({"kind":"tool","name":"a","inputSchema":{"type":"object"}},)"
                    R"({"kind":"resource","name":"a","uri":"app://a"},)"
                    R"({"kind":"resource","name":"a","uri":"app://b"})")
                  .is_ok());
  EXPECT_EQ(refusal(R"({"kind":"resource","name":"a","uri":"app://a"},)"
                    R"({"kind":"resource","name":"b","uri":"app://a"})"),
            "items[1] (\"b\"): the resource \"app://a\" is there twice; keep one");
}

TEST(ItemKinds, APromptTakesNoSchemasOfAToolWithItsName) {
  const auto manifest = parse_manifest(
      R"({"name":"words","version":"1","abi":1,"items":[{"kind":"prompt","name":"a"}],)"
      R"("schemas":{"a":{"input":{"type":"object"}}}})");
  ASSERT_TRUE(manifest.is_ok()) << manifest.message();
  EXPECT_EQ(manifest->items.at(0).input_schema, "");
  EXPECT_EQ(manifest->warnings, std::vector<std::string>{"schemas holds \"a\", which is no item"});
}

TEST(Manifest, StateVersionIsOneUnlessSaid) {
  const auto with = [](const std::string& member) {
    return parse_manifest(R"({"name":"words","version":"1","abi":1,"items":[])" + member + "}");
  };
  EXPECT_EQ(with("")->state_version, 1);
  EXPECT_EQ(with(R"(,"state_version":12)")->state_version, 12);
  EXPECT_EQ(with(R"(,"state_version":0)").message(),
            "the manifest is refused: state_version must be a whole number from 1 to 1000000000; "
            "it is 0");
}

}  // namespace
}  // namespace gantry::host::item_kinds_test
