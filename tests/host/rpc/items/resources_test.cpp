// resources/read in both eras.
#include <gtest/gtest.h>

#include "host/rpc/items/find_item.hpp"
#include "tests/host/rpc/items.hpp"

namespace gantry::host::rpc::resources_test {
namespace {

std::string read(std::string_view uri) {
  return ask_for("resources/read", "\"uri\":\"" + std::string(uri) + "\"");
}

ItemAnswer text(std::string_view words) {
  return gives(R"({"contents":[{"text":")" + std::string(words) + "\"}]}");
}

TEST(ResourcesRead, GivesTheContentsAndFillsInMissingMembers) {
  ItemSpec spec = resource("app://a");
  spec.mime_type = "text/plain";
  for (const auto revision : {kModern, kLegacy}) {
    Items world({spec});
    world.answer = [](const Entered&) {
      return gives(R"({"contents":[{"text":"one"},{"uri":"app://a/2","mimeType":"image/png",)"
                   R"("blob":"AAAA"}],"resultType":"own"})");
    };
    const auto result = world.result(read("app://a"), revision);
    ASSERT_EQ(result["contents"].Size(), 2u);
    EXPECT_STREQ(result["contents"][0]["uri"].GetString(), "app://a");
    EXPECT_STREQ(result["contents"][0]["mimeType"].GetString(), "text/plain");
    EXPECT_STREQ(result["contents"][0]["text"].GetString(), "one");
    EXPECT_STREQ(result["contents"][1]["uri"].GetString(), "app://a/2");
    EXPECT_STREQ(result["contents"][1]["mimeType"].GetString(), "image/png");
    EXPECT_STREQ(result["contents"][1]["blob"].GetString(), "AAAA");
    if (revision == kModern) {
      EXPECT_STREQ(result["resultType"].GetString(), "complete");
      EXPECT_TRUE(result["_meta"].HasMember("io.modelcontextprotocol/serverInfo"));
    } else {
      EXPECT_EQ(result.MemberCount(), 1u);
    }
    ASSERT_EQ(world.entered.size(), 1u);
    EXPECT_EQ(world.entered[0].kind, "");  // its own
    EXPECT_EQ(world.entered[0].name, "app://a");
    EXPECT_EQ(world.entered[0].arguments, R"({"uri":"app://a"})");
  }
}

TEST(ResourcesRead, MayBeKeptAsLongAsTheAnswerSaysOrElseTheItem) {
  ItemSpec spec = resource("app://a");
  spec.ttl = std::chrono::milliseconds(5000);
  Items world({spec});
  world.answer = [](const Entered&) { return text("x"); };
  auto result = world.result(read("app://a"), kModern);
  EXPECT_EQ(result["ttlMs"].GetInt(), 5000);
  EXPECT_STREQ(result["cacheScope"].GetString(), "private");
  world.answer = [](const Entered&) {
    return gives(R"({"contents":[{"text":""}],"ttlMs":0,"cacheScope":"public"})");
  };
  result = world.result(read("app://a"), kModern);
  EXPECT_EQ(result["ttlMs"].GetInt(), 0);
  EXPECT_STREQ(result["cacheScope"].GetString(), "private");  // the item's word counts
  world.answer = [](const Entered&) { return gives(R"({"contents":[{"text":""}],"ttlMs":-1})"); };
  EXPECT_EQ(world.result(read("app://a"), kModern)["ttlMs"].GetInt(), 5000);
  spec.is_public = true;
  world.publish({spec});
  EXPECT_STREQ(world.result(read("app://a"), kModern)["cacheScope"].GetString(), "public");
}

TEST(ResourcesRead, PrefersTheExactUriThenTheFirstTemplateThatMatches) {
  Items world({uri_template("app://{a}/{b}"), uri_template("app://x/{y}"), resource("app://x/own"),
               uri_template("app://{only}")});
  world.answer = [](const Entered&) { return text("x"); };
  for (const auto uri : {"app://x/own", "app://x/1", "app://p%2Fq", "app://%22/%C3%A9"}) {
    world.result(read(uri), kModern);
  }
  ASSERT_EQ(world.entered.size(), 4u);
  EXPECT_EQ(world.entered[0].item, "app://x/own");
  EXPECT_EQ(world.entered[0].arguments, R"({"uri":"app://x/own"})");
  EXPECT_EQ(world.entered[1].item, "app://{a}/{b}");
  EXPECT_EQ(world.entered[1].name, "app://x/1");
  EXPECT_EQ(world.entered[1].arguments, R"({"uri":"app://x/1","variables":{"a":"x","b":"1"}})");
  EXPECT_EQ(world.entered[2].item, "app://{only}");
  EXPECT_EQ(world.entered[2].arguments, R"({"uri":"app://p%2Fq","variables":{"only":"p/q"}})");
  EXPECT_EQ(world.entered[3].arguments,
            "{\"uri\":\"app://%22/%C3%A9\",\"variables\":{\"a\":\"\\\"\",\"b\":\"\xC3\xA9\"}}");
}

TEST(ResourcesRead, SaysNotFoundByEra) {
  Items world({uri_template("app://{a}")});
  const auto modern = world.error(read("b://x"), kModern);
  EXPECT_EQ(modern["code"].GetInt(), kInvalidParams);
  EXPECT_STREQ(modern["message"].GetString(), "Resource not found: b://x");
  EXPECT_STREQ(modern["data"]["uri"].GetString(), "b://x");
  const auto legacy = world.error(read("b://x"), kLegacy);
  EXPECT_EQ(legacy["code"].GetInt(), -32002);
  EXPECT_STREQ(legacy["data"]["uri"].GetString(), "b://x");
  EXPECT_TRUE(world.entered.empty());
}

TEST(ResourcesRead, AnswersHiddenItemsAsMissingOnes) {
  Items world({for_admins(resource("app://a")), for_admins(uri_template("t:{x}"))});
  Items empty({});
  for (const auto revision : {kModern, kLegacy}) {
    for (const auto uri : {"app://a", "t:1"}) {
      EXPECT_EQ(world.ask(read(uri), revision).body, empty.ask(read(uri), revision).body);
    }
  }
  EXPECT_TRUE(world.entered.empty());
  Items behind({for_admins(resource("app://a")), uri_template("app://{x}")});
  behind.answer = [](const Entered&) { return text("x"); };
  behind.result(read("app://a"), kModern);
  EXPECT_EQ(behind.entered.at(0).item, "app://{x}");
}

TEST(ResourcesRead, NeedsAUri) {
  Items world({resource("app://a")});
  for (const auto params : {"", "\"uri\":7", "\"uri\":null"}) {
    const auto error = world.error(ask_for("resources/read", params), kModern);
    EXPECT_EQ(error["code"].GetInt(), kInvalidParams);
    EXPECT_STREQ(error["message"].GetString(), "params.uri must be a string");
  }
}

TEST(ResourcesRead, TurnsFailuresIntoErrors) {
  struct Row {
    ItemAnswer answer;
    int modern, legacy;
    std::string message;
  };
  ItemAnswer internal;
  internal.kind = ItemAnswer::Kind::internal;
  const std::vector<Row> table = {
      {fails("invalid_argument", "No such day"), -32602, -32602, "No such day"},
      {fails("invalid_query", "Bad query"), -32602, -32602, "Bad query"},
      {fails("not_found", "secret story"), -32602, -32002, "Resource not found: app://a"},
      {fails("access_denied", "Not you"), -32602, -32602, "Not you"},
      {fails("permission_denied", "Not you"), -32602, -32602, "Not you"},
      {fails("tool_filtered", "Not you"), -32602, -32602, "Not you"},
      {fails("cancelled", "Cancelled by client (x)"), -32603, -32603, "Cancelled by client (x)"},
      {fails("timeout", "Too late"), -32603, -32603, "Too late"},
      {fails("security_blocked", "A full scan"), -32602, -32602, "A full scan"},
      {fails("rate_limited", "Later"), -32603, -32603, "Later"},
      {fails("store_error", "Row 2 is broken"), -32603, -32603, "Row 2 is broken"},
      {fails("internal_error", "secret"), -32603, -32603, "Internal error"},
      {fails("words_of_its_own", "secret"), -32603, -32603, "Internal error"},
      {internal, -32603, -32603, "Internal error"},
  };
  for (const Row& row : table) {
    Items world({resource("app://a")});
    world.answer = [&row](const Entered&) { return row.answer; };
    for (const auto revision : {kModern, kLegacy}) {
      const auto error = world.error(read("app://a"), revision);
      EXPECT_EQ(error["code"].GetInt(), revision == kModern ? row.modern : row.legacy)
          << row.answer.error_code;
      EXPECT_EQ(error["message"].GetString(), row.message);
    }
  }
}

TEST(ResourcesRead, SaysBusyWithItsStatus) {
  Items world({resource("app://a")});
  world.answer = [](const Entered&) {
    ItemAnswer busy;
    busy.kind = ItemAnswer::Kind::busy;
    return busy;
  };
  const Answer answer = world.ask(read("app://a"), kModern);
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(json(answer.body)["error"]["code"].GetInt(), -32000);
}

TEST(ResourcesRead, HidesAPluginsBrokenForm) {
  for (const auto broken :
       {"", "[]", "nonsense", "{}", R"({"contents":7})", R"({"contents":[]})",
        R"({"contents":[7]})", R"({"contents":[{"uri":"app://a"}]})",
        R"({"contents":[{"text":7}]})", R"({"contents":[{"text":"a","blob":"AAAA"}]})"}) {
    Items world({resource("app://a")});
    world.answer = [broken](const Entered&) { return gives(broken); };
    const auto error = world.error(read("app://a"), kModern);
    EXPECT_EQ(error["code"].GetInt(), kInternalError) << broken;
    EXPECT_STREQ(error["message"].GetString(), "Internal error");
  }
}

TEST(ResourcesRead, KeepsMetaOfContentsForPeersThatKnowIt) {
  Items world({resource("app://a")});
  world.answer = [](const Entered&) {
    return gives(R"({"contents":[{"text":"x","_meta":{"a":1},"unknown":2}]})");
  };
  EXPECT_TRUE(world.result(read("app://a"), "2025-06-18")["contents"][0].HasMember("_meta"));
  const auto old = world.result(read("app://a"), "2025-03-26");
  EXPECT_EQ(old["contents"][0].MemberCount(), 2u);
}

TEST(ResourcesRead, CanBeStopped) {
  Items world({resource("app://a")});
  world.answer = [](const Entered&) { return std::nullopt; };
  EXPECT_EQ(world.ask(read("app://a"), kModern).status, 0);
  world.channel.sink_->cancel(Stop::disconnected);
  ASSERT_EQ(world.channel.sink_->answers.size(), 1u);
  EXPECT_EQ(json(world.channel.sink_->answers[0].body)["error"]["message"], "Cancelled by client");
}

}  // namespace
}  // namespace gantry::host::rpc::resources_test
