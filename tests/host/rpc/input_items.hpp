// Handlers that ask, and the requests of clients that can be asked.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc {

inline constexpr std::string_view kForm =
    R"({"method":"elicitation/create","params":{"mode":"form","message":"Who?","requestedSchema":{"type":"object","properties":{}}}})";

inline ItemAnswer asking(std::string requests, std::string state = "", std::string answers = "") {
  ItemAnswer answer;
  answer.kind = ItemAnswer::Kind::input_required;
  answer.requests = std::move(requests);
  answer.state = std::move(state);
  answer.answers = std::move(answers);
  return answer;
}

inline ItemAnswer saying(std::string json_text) {
  ItemAnswer answer;
  answer.structured = std::move(json_text);
  return answer;
}

// The answer named `key` among what the call brings, or "".
inline std::string answer_in(const ItemCall& call, const char* key) {
  if (call.inputs.answers.empty()) return {};
  const auto all = json(call.inputs.answers);
  return all.HasMember(key) ? json_of(all[key]) : std::string();
}

// Requests one input, then echoes the answer.
inline std::optional<ItemAnswer> greet(const ItemCall& call, CallListener&) {
  const std::string who = answer_in(call, "who");
  if (who.empty()) return asking("{\"who\":" + std::string(kForm) + "}");
  return saying("{\"who\":" + who + ",\"round\":" + std::to_string(call.inputs.round) + "}");
}

// A request of the modern era that declares `capabilities`.
inline std::string modern(std::string_view method, std::string params, std::string capabilities) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + std::string(method) + R"(","params":{)" +
         params + R"(,"_meta":{"io.modelcontextprotocol/clientCapabilities":)" + capabilities +
         "}}}";
}

inline bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return condition();
}

}  // namespace gantry::host::rpc
