// Requests and replies of both wires, without a network.
#include "tools/gantry/chat/wire/wire.hpp"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "tools/gantry/host/event_stream.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

Request request() {
  Request out{.system = "Be brief.", .messages = {}};
  out.tools = {{"count", "Counts.", R"({"type":"object"})"}};
  out.messages.push_back({.role = Role::user, .text = "How \"many\"?"});
  return out;
}

Message results(const std::string& id, const std::string& text, bool is_error = false) {
  return {.role = Role::results, .text = {}, .results = {{id, text, is_error}}};
}

// The reply of a reader that read `events`, and what was shown.
Reply read(const Wire& wire, const std::vector<std::string>& events, std::string& shown) {
  const auto reader = wire.reader([&shown](std::string_view text) { shown += text; });
  for (const auto& event : events) reader->read(event);
  EXPECT_FALSE(reader->error()) << reader->error().message;
  EXPECT_TRUE(reader->has_ended());
  return reader->reply();
}

TEST(OpenAiWire, WritesARequest) {
  EXPECT_EQ(
      openai_wire()->body("m", request()),
      R"({"model":"m","messages":[{"role":"system","content":"Be brief."},)"
      R"({"role":"user","content":"How \"many\"?"}],"tools":[{"type":"function","function":)"
      R"({"name":"count","description":"Counts.","parameters":{"type":"object"}}}],)"
      R"("max_completion_tokens":16384,"stream":true,"stream_options":{"include_usage":true}})");
  EXPECT_EQ(openai_wire()->headers("k").back(), "Authorization: Bearer k");
  EXPECT_EQ(openai_wire()->headers("").size(), 2U);
}

TEST(OpenAiWire, ForbidsCallsButKeepsTheTools) {
  Request asked = request();
  asked.may_call = false;
  const auto body = parsed(openai_wire()->body("m", asked));
  EXPECT_TRUE(body.HasMember("tools"));
  EXPECT_EQ(text_at(body, "tool_choice"), "none");
  const auto local = parsed(local_wire(99)->body("m", asked));
  EXPECT_FALSE(local.HasMember("tools")) << "servers of local models do not know tool_choice";
  EXPECT_FALSE(local.HasMember("tool_choice"));
  EXPECT_EQ(number_at(local, "max_tokens"), 99U);
}

TEST(OpenAiWire, JoinsTextAndCallsByIndex) {
  std::string shown;
  const Reply reply = read(
      *openai_wire(),
      {R"({"model":"m-1","choices":[{"delta":{"role":"assistant","content":"He"}}]})",
       R"({"choices":[{"delta":{"content":"llo","reasoning_content":"hm"}}]})",
       R"({"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"two","arguments":""}}]}}]})",
       R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":"{\"x\""}}]}}]})",
       R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}}]})",
       R"({"choices":[{"delta":{},"finish_reason":"tool_calls"}]})",
       R"({"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":3}}})",
       "[DONE]"},
      shown);
  EXPECT_EQ(shown, "Hello");
  EXPECT_EQ(reply.model, "m-1");
  EXPECT_EQ(reply.end, End::calls);
  ASSERT_EQ(reply.calls.size(), 2U);
  EXPECT_EQ(reply.calls[0].id + reply.calls[0].name + reply.calls[0].arguments, R"(aone{"x":1})");
  EXPECT_EQ(reply.calls[1].name, "two");
  EXPECT_EQ(reply.usage.input, 9U);
  EXPECT_EQ(reply.usage.cache_read, 3U);
  EXPECT_EQ(reply.usage.output, 4U);
  EXPECT_EQ(reply.wire,
            R"({"role":"assistant","content":"Hello","tool_calls":[{"id":"a","type":"function",)"
            R"("function":{"name":"one","arguments":"{\"x\":1}"}},{"id":"b","type":"function",)"
            R"("function":{"name":"two","arguments":""}}]})");
}

TEST(OpenAiWire, AnswersEachCallWithAMessage) {
  Request asked = request();
  Message both = results("a", "1");
  both.results.push_back({"b", "2", true});
  asked.messages.push_back(both);
  const auto body = parsed(openai_wire()->body("m", asked));
  ASSERT_EQ(body["messages"].Size(), 4U);
  EXPECT_EQ(compact(body["messages"][2]), R"({"role":"tool","tool_call_id":"a","content":"1"})");
  EXPECT_EQ(text_at(body["messages"][3], "tool_call_id"), "b");
}

TEST(LocalWire, TakesTheDeviationsOfLocalModelServers) {
  std::string shown;
  // Every call has index 0, arguments are an object, ids are missing, the reason is "stop".
  const Reply reply = read(
      *local_wire(9),
      {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"one","arguments":{"x":1}}}]}}]})",
       R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"two","arguments":"not JSON"}}]}}]})",
       R"({"choices":[{"delta":{"tool_calls":[{"index":3,"function":{"name":"three","arguments":"{}"}}]}}]})",
       R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"},
      shown);
  EXPECT_EQ(reply.end, End::calls);
  ASSERT_EQ(reply.calls.size(), 3U);
  EXPECT_EQ(reply.calls[0].arguments, R"({"x":1})");
  EXPECT_EQ(reply.calls[1].arguments, "not JSON");
  EXPECT_EQ(reply.calls[2].id, "call_2");
  const auto sent_back = parsed(reply.wire);
  EXPECT_EQ(text_at(sent_back["tool_calls"][1]["function"], "arguments"), "{}")
      << "they read it as JSON";
}

TEST(OpenAiWire, KnowsRefusalsCutsAndErrors) {
  std::string shown;
  const auto end_of = [&shown](const std::string& delta, const std::string& reason) {
    return read(*openai_wire(),
                {R"({"choices":[{"delta":)" + delta + R"(,"finish_reason":")" + reason + "\"}]}"},
                shown);
  };
  EXPECT_EQ(end_of(R"({"content":"x"})", "stop").end, End::answered);
  EXPECT_EQ(end_of(R"({"content":"x"})", "length").end, End::cut);
  EXPECT_EQ(end_of(R"({"content":"x"})", "content_filter").end, End::refused);
  const Reply refused = end_of(R"({"refusal":"I cannot"})", "stop");
  EXPECT_EQ(refused.end, End::refused);
  EXPECT_EQ(refused.refusal, "I cannot");
  for (const char* event : {R"({"error":{"message":"down","type":"server_error","code":null}})",
                            R"({"error":"down"})", "no JSON", "[1]"}) {
    const auto reader = openai_wire()->reader({});
    reader->read(event);
    EXPECT_TRUE(reader->error()) << event;
    EXPECT_FALSE(reader->has_ended());
  }
}

TEST(AnthropicWire, WritesARequest) {
  EXPECT_EQ(anthropic_wire()->body("m", request()),
            R"({"model":"m","max_tokens":8192,"system":"Be brief.","messages":[{"role":"user",)"
            R"("content":[{"type":"text","text":"How \"many\"?"}]}],"tools":[{"name":"count",)"
            R"("description":"Counts.","input_schema":{"type":"object"}}],"tool_choice":)"
            R"({"type":"auto"},"cache_control":{"type":"ephemeral"},"stream":true})");
  EXPECT_EQ(anthropic_wire()->headers("k").back(), "x-api-key: k");
}

TEST(AnthropicWire, MergesResultsAndTheNextQuestionResultsFirst) {
  Request asked = request();
  asked.tools.clear();
  asked.messages.push_back({.role = Role::assistant, .text = {}, .wire = R"([{"type":"a"}])"});
  asked.messages.push_back({.role = Role::assistant, .text = {}, .wire = R"([{"type":"b"}])"});
  asked.messages.push_back(results("t", "cancelled", true));
  asked.messages.push_back({.role = Role::user, .text = "Go on"});
  const auto body = parsed(anthropic_wire()->body("m", asked));
  EXPECT_FALSE(body.HasMember("tools"));
  EXPECT_FALSE(body.HasMember("tool_choice"));
  ASSERT_EQ(body["messages"].Size(), 3U);
  EXPECT_EQ(compact(body["messages"][1]),
            R"({"role":"assistant","content":[{"type":"a"},{"type":"b"}]})");
  EXPECT_EQ(compact(body["messages"][2]),
            R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t",)"
            R"("content":"cancelled","is_error":true},{"type":"text","text":"Go on"}]})");
}

const std::vector<std::string> kThought{
    R"({"type":"message_start","message":{"model":"c-1","usage":{"input_tokens":5,"cache_creation_input_tokens":2,"cache_read_input_tokens":3,"output_tokens":1}}})",
    R"({"type":"ping"})",
    R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}})",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Let me"}})",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":" see"}})",
    R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s1"}})",
    R"({"type":"content_block_stop","index":0})",
    R"({"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking","data":"xyz"}})",
    R"({"type":"content_block_start","index":2,"content_block":{"type":"text","text":""}})",
    R"({"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"Hi"}})",
    R"({"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"t1","name":"one","input":{}}})",
    R"({"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"x\":"}})",
    R"({"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"1}"}})",
    R"({"type":"content_block_start","index":4,"content_block":{"type":"tool_use","id":"t2","name":"two","input":{}}})",
    R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}})",
    R"({"type":"message_stop"})"};

TEST(AnthropicWire, KeepsThinkingAndCallsAsTheyCame) {
  std::string shown;
  const Reply reply = read(*anthropic_wire(), kThought, shown);
  EXPECT_EQ(shown, "Hi") << "thinking is not shown";
  EXPECT_EQ(reply.text, "Hi");
  EXPECT_EQ(reply.end, End::calls);
  ASSERT_EQ(reply.calls.size(), 2U);
  EXPECT_EQ(reply.calls[0].arguments, R"({"x":1})");
  EXPECT_EQ(reply.calls[1].arguments, "{}") << "no input is an empty object";
  EXPECT_EQ(reply.usage.input, 10U);
  EXPECT_EQ(reply.usage.cache_read, 3U);
  EXPECT_EQ(reply.usage.cache_write, 2U);
  EXPECT_EQ(reply.usage.output, 7U) << "the last count, not the sum";
  EXPECT_EQ(reply.wire, R"([{"type":"thinking","thinking":"Let me see","signature":"s1"},)"
                        R"({"type":"redacted_thinking","data":"xyz"},{"type":"text","text":"Hi"},)"
                        R"({"type":"tool_use","id":"t1","name":"one","input":{"x":1}},)"
                        R"({"type":"tool_use","id":"t2","name":"two","input":{}}])");
}

TEST(AnthropicWire, SendsNothingBackThatItWouldRefuse) {
  std::string shown;
  const Reply reply = read(
      *anthropic_wire(),
      {R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})",
       R"({"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}})",
       R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"cut"}})",
       R"({"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{}})"},
      shown);
  EXPECT_EQ(reply.end, End::cut);
  EXPECT_EQ(reply.calls[0].arguments, "{\"cut");
  EXPECT_EQ(reply.wire, R"([{"type":"tool_use","id":"t","name":"n","input":{}}])");
}

TEST(AnthropicWire, KnowsEveryEnd) {
  for (const auto& [reason, end] :
       std::vector<std::pair<std::string, End>>{{"end_turn", End::answered},
                                                {"refusal", End::refused},
                                                {"pause_turn", End::paused},
                                                {"model_context_window_exceeded", End::full}}) {
    std::string shown;
    EXPECT_EQ(read(*anthropic_wire(),
                   {R"({"type":"message_delta","delta":{"stop_reason":")" + reason + "\"}}"}, shown)
                  .end,
              end)
        << reason;
  }
}

TEST(AnthropicWire, KeepsCitations) {
  std::string shown;
  const Reply reply = read(
      *anthropic_wire(),
      {R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":null}})",
       R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}})",
       R"({"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"n":1}}})",
       R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})"},
      shown);
  EXPECT_EQ(reply.wire, R"([{"type":"text","citations":[{"n":1}],"text":"a"}])");
}

TEST(EventStream, IsReadWhereverItIsSplit) {
  const std::string stream =
      ": hello\r\n\r\nevent: x\r\ndata: {\"a\":\r\ndata: \"ü€😀\"}\r\n\r\ndata:[DONE]\n\ndata: late";
  for (std::size_t step = 1; step <= stream.size(); ++step) {
    std::vector<std::string> seen;
    EventStream events([&seen](std::string_view data) { seen.emplace_back(data); });
    for (std::size_t end = step; end < stream.size() + step; end += step) {
      events.read(std::string_view(stream).substr(0, std::min(end, stream.size())));
    }
    EXPECT_EQ(seen, (std::vector<std::string>{"{\"a\":\n\"ü€😀\"}", "[DONE]"})) << step;
  }
}

}  // namespace
}  // namespace gantry::cli::chat
