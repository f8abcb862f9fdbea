// completion/complete in both eras.
#include <gtest/gtest.h>

#include "tests/host/rpc/items.hpp"

namespace gantry::host::rpc::completion_test {
namespace {

std::string of_prompt(std::string_view name, std::string_view argument,
                      std::string_view more = "") {
  return ask_for("completion/complete", R"("ref":{"type":"ref/prompt","name":")" +
                                            std::string(name) + R"("},"argument":{"name":")" +
                                            std::string(argument) + R"(","value":"he"})" +
                                            std::string(more));
}

std::string of_template(std::string_view uri, std::string_view argument) {
  return ask_for("completion/complete", R"("ref":{"type":"ref/resource","uri":")" +
                                            std::string(uri) + R"("},"argument":{"name":")" +
                                            std::string(argument) + R"(","value":""})");
}

std::vector<ItemSpec> everything() {
  return {prompt("p", {{"a", "", "", true}, {"b", "", "", false}}),
          completion("p"),
          uri_template("app://{x}/{y}"),
          completion("app://{x}/{y}"),
          prompt("silent", {{"a", "", "", false}}),
          uri_template("s:{x}")};
}

TEST(Complete, AsksTheCompletionOfAPrompt) {
  for (const auto revision : {kModern, kLegacy, std::string_view("2024-11-05")}) {
    Items world(everything());
    world.answer = [](const Entered&) { return gives(R"({"values":["hello","help"]})"); };
    const auto result =
        world.result(of_prompt("p", "a", R"(,"context":{"arguments":{"b":"x\"y"}})"), revision);
    const auto& completion = result["completion"];
    ASSERT_EQ(completion["values"].Size(), 2u);
    EXPECT_STREQ(completion["values"][1].GetString(), "help");
    EXPECT_EQ(completion["total"].GetInt(), 2);
    EXPECT_FALSE(completion["hasMore"].GetBool());
    EXPECT_EQ(result.HasMember("resultType"), revision == kModern);
    ASSERT_EQ(world.entered.size(), 1u);
    EXPECT_EQ(world.entered[0].item, "p");
    EXPECT_EQ(world.entered[0].arguments,
              R"({"argument":{"name":"a","value":"he"},"context":{"arguments":{"b":"x\"y"}}})");
  }
}

TEST(Complete, AsksTheCompletionOfATemplate) {
  Items world(everything());
  world.answer = [](const Entered&) { return gives(R"({"values":[]})"); };
  EXPECT_TRUE(
      world.result(of_template("app://{x}/{y}", "y"), kModern)["completion"]["values"].Empty());
  ASSERT_EQ(world.entered.size(), 1u);
  EXPECT_EQ(world.entered[0].item, "app://{x}/{y}");
  EXPECT_EQ(world.entered[0].arguments,
            R"({"argument":{"name":"y","value":""},"context":{"arguments":{}}})");
}

TEST(Complete, KnowsNoValuesWhereThePluginHasNoCompletion) {
  Items world(everything());
  for (const auto& request : {of_prompt("silent", "a"), of_template("s:{x}", "x")}) {
    const auto result = world.result(request, kModern);
    EXPECT_TRUE(result["completion"]["values"].Empty());
    EXPECT_EQ(result["completion"]["total"].GetInt(), 0);
    EXPECT_FALSE(result["completion"]["hasMore"].GetBool());
    EXPECT_STREQ(result["resultType"].GetString(), "complete");
  }
  EXPECT_TRUE(world.entered.empty());
}

TEST(Complete, RefusesUnknownAndHiddenItems) {
  auto items = everything();
  items.push_back(for_admins(prompt("hidden", {{"a", "", "", false}})));
  Items world(std::move(items));
  const auto message = [&world](const std::string& request) {
    const auto error = world.error(request, kLegacy);
    EXPECT_EQ(error["code"].GetInt(), kInvalidParams) << request;
    return std::string(error["message"].GetString());
  };
  EXPECT_EQ(message(of_prompt("no", "a")), "Unknown prompt or resource template: no");
  EXPECT_EQ(message(of_prompt("hidden", "a")), "Unknown prompt or resource template: hidden");
  EXPECT_EQ(message(of_template("p", "a")), "Unknown prompt or resource template: p");
  EXPECT_EQ(message(of_prompt("p", "c")), "'p' has no argument 'c'");
  EXPECT_EQ(message(of_template("app://{x}/{y}", "z")), "'app://{x}/{y}' has no argument 'z'");
  EXPECT_TRUE(world.entered.empty());
}

TEST(Complete, RefusesParamsThatAreNone) {
  Items world(everything());
  constexpr std::string_view kRef = R"("ref":{"type":"ref/prompt","name":"p"},)";
  constexpr std::string_view kArgument = R"("argument":{"name":"a","value":""})";
  for (const std::string& params :
       {std::string(kArgument), R"("ref":7,)" + std::string(kArgument),
        R"("ref":{"type":"ref/tool","name":"p"},)" + std::string(kArgument),
        R"("ref":{"type":"ref/prompt"},)" + std::string(kArgument),
        R"("ref":{"type":"ref/resource","name":"p"},)" + std::string(kArgument),
        std::string(kRef.substr(0, kRef.size() - 1)),
        std::string(kRef) + R"("argument":{"name":"a"})",
        std::string(kRef) + R"("argument":{"name":"a","value":7})",
        std::string(kRef) + R"("argument":"a")",
        std::string(kRef) + std::string(kArgument) + R"(,"context":7)",
        std::string(kRef) + std::string(kArgument) + R"(,"context":{"arguments":[]})",
        std::string(kRef) + std::string(kArgument) + R"(,"context":{"arguments":{"b":7}})"}) {
    EXPECT_EQ(world.error(ask_for("completion/complete", params), kModern)["code"].GetInt(),
              kInvalidParams)
        << params;
  }
  EXPECT_TRUE(world.entered.empty());
}

TEST(Complete, SendsAtMostAHundredAndCountsRight) {
  const auto numbers = [](int count) {
    std::string out = "\"values\":[";
    for (int i = 0; i < count; ++i) out += (i > 0 ? ",\"v" : "\"v") + std::to_string(i) + "\"";
    return out + "]";
  };
  struct Row {
    std::string answer;
    unsigned sent;
    int total;  // -1: none
    bool more;
  };
  const std::vector<Row> table = {
      {numbers(100), 100, 100, false},
      {numbers(101), 100, 101, true},
      {numbers(150) + ",\"hasMore\":false", 100, 150, true},
      {numbers(150) + ",\"total\":1000", 100, 1000, true},
      {numbers(150) + ",\"hasMore\":true", 100, -1, true},
      {numbers(2) + ",\"hasMore\":true", 2, -1, true},
      {numbers(2) + ",\"total\":7", 2, 7, true},
      {numbers(2) + ",\"total\":1", 2, 2, false},
      {numbers(2) + ",\"total\":\"x\",\"hasMore\":3", 2, 2, false},
  };
  for (const Row& row : table) {
    Items world(everything());
    world.answer = [&row](const Entered&) { return gives("{" + row.answer + "}"); };
    const auto result = world.result(of_prompt("p", "a"), kModern);
    const auto& completion = result["completion"];
    EXPECT_EQ(completion["values"].Size(), row.sent);
    EXPECT_EQ(completion.HasMember("total") ? completion["total"].GetInt() : -1, row.total);
    EXPECT_EQ(completion["hasMore"].GetBool(), row.more);
  }
}

TEST(Complete, HidesAPluginsBrokenFormAndFailures) {
  for (const auto& broken : {gives(""), gives("{}"), gives(R"({"values":7})"),
                             gives(R"({"values":["a",7]})"), fails("internal_error", "secret")}) {
    Items world(everything());
    world.answer = [&broken](const Entered&) { return broken; };
    const auto error = world.error(of_prompt("p", "a"), kModern);
    EXPECT_EQ(error["code"].GetInt(), kInternalError);
    EXPECT_STREQ(error["message"].GetString(), "Internal error");
  }
}

TEST(Complete, UsesOnlyTheCompletionOfTheOverridingPlugin) {
  Items world({});
  class BuiltIn final : public Instance {
   public:
    BuiltIn() {
      manifest_.name = "own";
      manifest_.items = everything();
      builtin_ = true;
    }
    gantry_status invoke(std::string_view, std::string_view, gantry_call*) noexcept override {
      return GANTRY_FAILED;
    }
  };
  class Overriding final : public Instance {
   public:
    Overriding() {
      manifest_.name = "stranger";
      manifest_.items = {prompt("p", {{"a", "", "", false}})};
      settings_.may_override = true;
    }
    gantry_status invoke(std::string_view, std::string_view, gantry_call*) noexcept override {
      return GANTRY_FAILED;
    }
  };
  world.registry.set_plugins({std::make_shared<BuiltIn>(), std::make_shared<Overriding>()}, {});
  EXPECT_TRUE(world.result(of_prompt("p", "a"), kModern)["completion"]["values"].Empty());
  EXPECT_TRUE(world.entered.empty());
}

}  // namespace
}  // namespace gantry::host::rpc::completion_test
