// Tests each fixture without a server: its offer, questions and answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/matchers.hpp>

namespace {

using namespace gantry::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::StartsWith;

FakeHost plugin(ClientCan client = {}) {
  Options options;
  options.client = client;
  return FakeHost(Loaded{GANTRY_PLUGIN_FILE}, options);
}

constexpr std::string_view kAda = R"({"action":"accept","content":{"name":"Ada"}})";
constexpr std::string_view kParis =
    R"({"role":"assistant","content":{"type":"text","text":"Paris"},"model":"m"})";

TEST(Conformance, ListsATextToolFirst) {
  FakeHost host = plugin();
  ASSERT_TRUE(host.start());
  EXPECT_EQ(host.tools().front(), "test_simple_text");
  EXPECT_THAT(host.call("test_simple_text"),
              HasText("This is a simple text response for testing."));
  EXPECT_THAT(host.tools(), IsSupersetOf({"test_x_mcp_header", "json_schema_2020_12_tool", "greet",
                                          "test_missing_capability", "multi_input"}));
}

TEST(Conformance, KeepsTheOfferWhenItChanges) {
  FakeHost host = plugin();
  ASSERT_TRUE(host.start());
  const auto before = host.tools();
  EXPECT_THAT(host.call("test_trigger_tool_change"), HasText("Changed the list"));
  EXPECT_THAT(host.call("test_trigger_prompt_change"), HasText("Changed the list"));
  EXPECT_EQ(host.tools(), before);
  EXPECT_THAT(host.call("test_changing_tool"), Succeeds());
}

TEST(Conformance, AsksUntilItIsAnswered) {
  FakeHost host = plugin();
  EXPECT_THAT(host.call("test_input_required_result_elicitation"), AsksFor("user_name"));
  host.answer_input("user_name", R"({"action":"accept","content":{"name":12345}})");
  EXPECT_THAT(host.call("test_input_required_result_elicitation"), AsksFor("user_name"));
  host.answer_input("user_name", kAda);
  EXPECT_THAT(host.call("test_input_required_result_elicitation"), HasText("Hello, Ada!"));
}

TEST(Conformance, FindsItsStateAgain) {
  FakeHost host = plugin();
  host.answer_input("confirm", R"({"action":"accept","content":{"ok":true}})");
  EXPECT_THAT(host.call("test_input_required_result_request_state"),
              HasText(HasSubstr("state-ok")));
}

TEST(Conformance, TakesTwoStepsOneAfterTheOther) {
  FakeHost host = plugin();
  host.answer_input("step1", kAda);
  host.answer_input("step2", R"({"action":"accept","content":{"color":"blue"}})");
  const Reply reply = host.call("test_input_required_result_multi_round");
  EXPECT_THAT(reply, HasText("Ada likes blue"));
  EXPECT_EQ(reply.rounds, 3);
}

TEST(Conformance, AsksOnlyForDeclaredClientCapabilities) {
  FakeHost host = plugin({.elicit = false});
  EXPECT_THAT(host.call("test_input_required_result_capabilities"), AsksFor("greeting"));
  host.answer_input("greeting", kParis);
  EXPECT_THAT(host.call("test_input_required_result_capabilities"), Succeeds());
}

TEST(Conformance, SaysThatItNeedsAModel) {
  FakeHost host = plugin({.sample = false});
  EXPECT_EQ(host.call("test_missing_capability").status, GANTRY_UNSUPPORTED);
}

TEST(Conformance, WorksAsATaskOnlyWhereTheClientKnowsThem) {
  FakeHost with = plugin();
  EXPECT_TRUE(with.call("slow_compute", R"({"seconds":0.1,"label":"x"})").is_task);
  FakeHost without = plugin({.tasks = false});
  const Reply reply = without.call("slow_compute", R"({"seconds":0.1,"label":"x"})");
  EXPECT_THAT(reply, HasText("Computed x in 0.1 s"));
  EXPECT_FALSE(reply.is_task);
  EXPECT_EQ(without.call("failing_job").status, GANTRY_UNSUPPORTED);
}

TEST(Conformance, StopsWorkThatIsCancelled) {
  FakeHost host = plugin();
  ASSERT_TRUE(host.start());
  const auto begun = std::chrono::steady_clock::now();
  RunningCall call = host.begin("slow_compute", R"({"seconds":60,"label":"x"})");
  call.cancel();
  EXPECT_TRUE(call.wait().cancelled);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(10));
}

TEST(Conformance, AsksBeforeItBecomesATask) {
  FakeHost host = plugin();
  const Reply first = host.call("test_tool_with_task");
  EXPECT_THAT(first, AsksFor("user_name"));
  EXPECT_FALSE(first.is_task);
  host.answer_input("user_name", kAda);
  const Reply second = host.call("test_tool_with_task");
  EXPECT_TRUE(second.is_task);
  EXPECT_THAT(second, HasText(HasSubstr("Ada")));
}

TEST(Conformance, ReadsItsResources) {
  FakeHost host = plugin();
  EXPECT_THAT(host.read("test://static-text"),
              ReadsText("This is the content of the static text resource."));
  EXPECT_THAT(host.read("test://static-binary"), ReadsBlob("image/png", StartsWith("\x89PNG")));
  EXPECT_THAT(host.read("test://template/123/data"),
              ReadsText(IsJson(R"({"id":"123","templateTest":true,"data":"Data for ID: 123"})")));
}

TEST(Conformance, FillsItsPrompts) {
  FakeHost host = plugin();
  EXPECT_THAT(host.prompt("test_prompt_with_arguments", R"({"arg1":"one","arg2":"two"})"),
              Says("user", "Prompt with arguments: arg1='one', arg2='two'"));
  EXPECT_THAT(host.prompt("test_prompt_with_image"),
              Says("user", "Please analyze the image above."));
  EXPECT_THAT(host.complete("test_prompt_with_arguments", "arg1", "par"),
              Completes(ElementsAre("paris", "park", "party")));
  EXPECT_THAT(host.items("prompt"), Contains("test_input_required_result_prompt"));
}

}  // namespace
