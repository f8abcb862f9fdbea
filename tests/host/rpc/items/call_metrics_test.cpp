// The metrics of calls: labels and outcomes.
#include <gtest/gtest.h>

#include "tests/host/rpc/input_items.hpp"
#include "tests/host/rpc/items.hpp"

namespace gantry::host::rpc::call_metrics_test {
namespace {

constexpr std::string_view kRevision = "2026-07-28";

bool shows(const Metrics& metrics, std::string_view tool, std::string_view outcome, int times) {
  const std::string line = "\ngantry_calls_total{outcome=\"" + std::string(outcome) + "\",tool=\"" +
                           std::string(tool) + "\"} " + std::to_string(times) + "\n";
  return metrics.text().find(line) != std::string::npos;
}

std::string call(std::string_view name, std::string_view method = "tools/call") {
  return modern(method, "\"name\":\"" + std::string(name) + "\"", "{\"elicitation\":{}}");
}

TEST(CallsAre, CountedByToolAndHowTheyEnd) {
  World world({tool("t")});
  for (int i = 0; i < 2; ++i) world.ask(call("t"), kRevision);
  world.calls.next.kind = ItemAnswer::Kind::error;
  world.calls.next.error_code = "invalid_argument";
  world.ask(call("t"), kRevision);
  world.calls.next = {};
  world.calls.next.is_error = true;
  world.ask(call("t"), kRevision);
  EXPECT_TRUE(shows(world.metrics, "t", "ok", 2)) << world.metrics.text();
  EXPECT_TRUE(shows(world.metrics, "t", "invalid_argument", 1));
  EXPECT_TRUE(shows(world.metrics, "t", "tool_error", 1));
}

TEST(CallsAre, CountedAsUnknownUnderEveryInventedName) {
  World world({tool("t")});
  world.calls.next.kind = ItemAnswer::Kind::unknown_item;
  for (int i = 0; i < 3; ++i) world.ask(call("made_up" + std::to_string(i)), kRevision);
  EXPECT_TRUE(shows(world.metrics, "unknown", "unknown_tool", 3)) << world.metrics.text();
  EXPECT_EQ(world.metrics.text().find("made_up"), std::string::npos);
}

TEST(CallsAre, CountedInEachRoundThatTheClientSees) {
  World world({tool("t")});
  world.calls.handler = greet;
  world.ask(call("t"), kRevision);
  EXPECT_TRUE(shows(world.metrics, "t", "input_required", 1)) << world.metrics.text();
}

TEST(CallsAre, NotCountedAsToolsWhenTheyArePromptsOrResources) {
  Items world({prompt("t"), resource("x://a")});
  world.answer = [](const Entered&) { return fails("not_found", "Gone."); };
  world.ask(ask_for("prompts/get", R"("name":"t")"), kRevision);
  world.ask(ask_for("resources/read", R"("uri":"x://a")"), kRevision);
  EXPECT_TRUE(shows(world.metrics, "(prompt)", "not_found", 1)) << world.metrics.text();
  EXPECT_TRUE(shows(world.metrics, "(resource)", "not_found", 1));
  EXPECT_EQ(world.metrics.text().find("tool=\"t\""), std::string::npos);
}

TEST(TasksAre, ActiveUntilTheyEnd) {
  World world({tool("t")});
  world.calls.handler = [](const ItemCall&, CallListener& listener) {
    listener.begin_task();
    return std::optional<ItemAnswer>();
  };
  EXPECT_EQ(world.dispatcher.tasks(), 0u);
  const std::string tasks = R"({"extensions":{"io.modelcontextprotocol/tasks":{}}})";
  world.ask(modern("tools/call", R"("name":"t")", tasks), kRevision);
  EXPECT_EQ(world.dispatcher.tasks(), 1u);
  world.calls.open.front()->finish(saying("{}"));
  EXPECT_EQ(world.dispatcher.tasks(), 0u);  // although its result is still kept
}

}  // namespace
}  // namespace gantry::host::rpc::call_metrics_test
