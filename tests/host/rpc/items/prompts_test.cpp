// prompts/get in both eras.
#include <gtest/gtest.h>

#include "tests/host/rpc/items.hpp"

namespace gantry::host::rpc::prompts_test {
namespace {

std::string get(std::string_view name, std::string_view arguments = "") {
  std::string params = "\"name\":\"" + std::string(name) + "\"";
  if (!arguments.empty()) params += ",\"arguments\":" + std::string(arguments);
  return ask_for("prompts/get", params);
}

std::string message_with(std::string_view block) {
  return R"({"messages":[{"role":"user","content":)" + std::string(block) + "}]}";
}

std::vector<ItemSpec> sum() {
  return {prompt("sum", {{"day", "", "", true}, {"tone", "", "", false}})};
}

TEST(PromptsGet, GivesTheMessages) {
  for (const auto revision : {kModern, kLegacy}) {
    Items world(sum());
    world.answer = [](const Entered&) {
      return gives(R"({"description":"Sums up","messages":[{"role":"user","content":)"
                   R"({"type":"text","text":"a"}},{"role":"assistant","content":)"
                   R"({"type":"image","data":"AAAA","mimeType":"image/png"}}],"ttlMs":1})");
    };
    const auto result = world.result(get("sum", R"({ "day":"1"})"), revision);
    EXPECT_STREQ(result["description"].GetString(), "Sums up");
    ASSERT_EQ(result["messages"].Size(), 2u);
    EXPECT_STREQ(result["messages"][0]["role"].GetString(), "user");
    EXPECT_STREQ(result["messages"][0]["content"]["text"].GetString(), "a");
    EXPECT_STREQ(result["messages"][1]["content"]["mimeType"].GetString(), "image/png");
    EXPECT_FALSE(result.HasMember("ttlMs"));
    EXPECT_FALSE(result.HasMember("cacheScope"));
    EXPECT_EQ(result.HasMember("resultType"), revision == kModern);
    EXPECT_EQ(result.HasMember("_meta"), revision == kModern);
    ASSERT_EQ(world.entered.size(), 1u);
    EXPECT_EQ(world.entered[0].name, "sum");
    EXPECT_EQ(world.entered[0].item, "sum");
    EXPECT_EQ(world.entered[0].arguments, R"({ "day":"1"})");
  }
}

TEST(PromptsGet, NeedsNoArgumentsWhereNoneAreRequired) {
  Items world({prompt("p", {{"a", "", "", false}})});
  world.answer = [](const Entered&) { return gives(R"({"messages":[]})"); };
  EXPECT_TRUE(world.result(get("p"), kModern)["messages"].Empty());
  EXPECT_EQ(world.entered[0].arguments, "{}");
}

TEST(PromptsGet, RefusesArgumentsByName) {
  Items world(sum());
  const auto refusal = [&world](std::string_view arguments) {
    const auto error = world.error(get("sum", arguments), kModern);
    EXPECT_EQ(error["code"].GetInt(), kInvalidParams);
    return std::string(error["message"].GetString());
  };
  EXPECT_EQ(refusal(""), "The prompt 'sum' needs the argument 'day'");
  EXPECT_EQ(refusal("{}"), "The prompt 'sum' needs the argument 'day'");
  EXPECT_EQ(refusal(R"({"tone":"dry"})"), "The prompt 'sum' needs the argument 'day'");
  EXPECT_EQ(refusal(R"({"day":7})"), "The argument 'day' of the prompt 'sum' must be a string");
  EXPECT_EQ(refusal(R"({"day":"1","tone":null})"),
            "The argument 'tone' of the prompt 'sum' must be a string");
  EXPECT_EQ(refusal(R"({"day":"1","hour":"2"})"),
            "The prompt 'sum' has no argument 'hour'; it has day, tone");
  EXPECT_EQ(refusal("[]"), "params.arguments must be an object");
  EXPECT_TRUE(world.entered.empty());
  Items bare({prompt("p")});
  EXPECT_STREQ(bare.error(get("p", R"({"a":"1"})"), kLegacy)["message"].GetString(),
               "The prompt 'p' has no argument 'a'; it has none");
}

TEST(PromptsGet, AnswersHiddenItemsAsMissingOnes) {
  Items world({for_admins(prompt("p"))});
  Items empty({});
  for (const auto revision : {kModern, kLegacy}) {
    const auto error = world.error(get("p"), revision);
    EXPECT_EQ(error["code"].GetInt(), kInvalidParams);
    EXPECT_STREQ(error["message"].GetString(), "Unknown prompt: p");
    EXPECT_EQ(world.ask(get("p"), revision).body, empty.ask(get("p"), revision).body);
  }
  EXPECT_EQ(world.error(ask_for("prompts/get", "\"name\":7"), kModern)["code"].GetInt(),
            kInvalidParams);
}

TEST(PromptsGet, TurnsFailuresIntoErrors) {
  struct Row {
    ItemAnswer answer;
    int code;
    std::string message;
  };
  const std::vector<Row> table = {
      {fails("invalid_argument", "No such class"), -32602, "No such class"},
      {fails("not_found", "No class 'X'"), -32602, "No class 'X'"},
      {fails("access_denied", "Not you"), -32602, "Not you"},
      {fails("timeout", "Too late"), -32603, "Too late"},
      {fails("internal_error", "secret"), -32603, "Internal error"},
  };
  for (const Row& row : table) {
    Items world({prompt("p")});
    world.answer = [&row](const Entered&) { return row.answer; };
    const auto error = world.error(get("p"), kLegacy);
    EXPECT_EQ(error["code"].GetInt(), row.code) << row.answer.error_code;
    EXPECT_EQ(error["message"].GetString(), row.message);
  }
}

TEST(PromptsGet, HidesAPluginsBrokenForm) {
  for (const std::string& broken :
       {std::string(), std::string("[]"), std::string("{}"), std::string(R"({"messages":{}})"),
        std::string(R"({"messages":[7]})"),
        std::string(R"({"messages":[{"role":"system","content":{"type":"text","text":"a"}}]})"),
        std::string(R"({"messages":[{"role":"user","content":"a"}]})"),
        std::string(R"({"messages":[{"role":"user"}]})"), message_with("[]"), message_with("{}"),
        message_with(R"({"type":"text"})"), message_with(R"({"type":"image","data":"AAAA"})"),
        message_with(R"({"type":"resource","resource":{"uri":"app://a"}})"),
        message_with(R"({"type":"resource","resource":{"text":"a"}})"),
        message_with(R"({"type":"resource_link","uri":"app://a"})"),
        message_with(R"({"type":"video","data":"AAAA"})")}) {
    Items world({prompt("p")});
    world.answer = [&broken](const Entered&) { return gives(broken); };
    const auto error = world.error(get("p"), kModern);
    EXPECT_EQ(error["code"].GetInt(), kInternalError) << broken;
    EXPECT_STREQ(error["message"].GetString(), "Internal error");
  }
}

TEST(PromptsGet, GivesOlderPeersOnlyContentTheyKnow) {
  const auto type = [](std::string_view block, std::string_view revision) {
    Items world({prompt("p")});
    world.answer = [block](const Entered&) { return gives(message_with(block)); };
    const auto result = world.result(get("p"), revision);
    return std::string(result["messages"][0]["content"]["type"].GetString());
  };
  constexpr std::string_view kLink = R"({"type":"resource_link","uri":"app://a","name":"a"})";
  constexpr std::string_view kAudio = R"({"type":"audio","data":"AAAA","mimeType":"audio/wav"})";
  constexpr std::string_view kEmbedded =
      R"({"type":"resource","resource":{"uri":"app://a","text":"a"}})";
  EXPECT_EQ(type(kLink, kModern), "resource_link");
  EXPECT_EQ(type(kLink, "2025-06-18"), "resource_link");
  EXPECT_EQ(type(kLink, "2025-03-26"), "text");
  EXPECT_EQ(type(kAudio, "2025-03-26"), "audio");
  EXPECT_EQ(type(kAudio, "2024-11-05"), "text");
  EXPECT_EQ(type(kEmbedded, "2024-11-05"), "resource");
}

}  // namespace
}  // namespace gantry::host::rpc::prompts_test
