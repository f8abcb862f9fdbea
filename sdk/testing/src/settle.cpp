// The end of a call: makes the reply and checks the rules.
#include <rapidjson/document.h>

#include <gantry/call.hpp>
#include <gantry/schema/validator.hpp>

#include "forms.hpp"
#include "sdk/contract/item_kinds.hpp"
#include "state.hpp"

namespace gantry::testing::detail {

std::uint64_t nanoseconds_from_now(std::chrono::milliseconds wait) {
  const auto at = std::chrono::steady_clock::now() + wait;
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(at.time_since_epoch()).count());
}

// Checks arguments or a result against a schema: the first findings as a sentence, or empty.
std::string mismatch(const schema::Validator& validator, std::string_view json,
                     std::string_view root) {
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  if (document.HasParseError()) return std::string(root) + ": not JSON";
  if (validator.validate(document)) return {};
  return schema::explain(validator.errors(document), root);
}

namespace {

// The error in a structured result: invalid JSON, or a mismatch with the item's output schema.
std::string structured_problem(const gantry_call& call, const std::string& structured) {
  const Result<Json> json = Json::parse(structured);
  if (!json) return "the structured result is " + json.message();
  if (!json->is_object()) return "the structured result is no JSON object";
  const std::lock_guard lock(call.host.mutex);
  const Item* const item = call.host.find(call.kind, call.name);
  if (item == nullptr || !item->compiled.output) return {};
  const std::string text = mismatch(*item->compiled.output, structured, "result");
  return text.empty() ? "" : "the structured result does not fit the output schema: " + text;
}

// The error in a call that returns GANTRY_INPUT_REQUIRED.
std::string question_problem(const gantry_call& call, const Reply& reply) {
  if (reply.asked.empty() && reply.kept.empty()) {
    return "invoke() returned GANTRY_INPUT_REQUIRED, but no request() waits for an answer and "
           "nothing was kept";
  }
  return call.failed ? "fail() in a call that ends with GANTRY_INPUT_REQUIRED" : "";
}

// Fills in a successful reply; returns the violation, or empty.
std::string take_answer(const gantry_call& call, Reply& reply) {
  const contract::ItemKind* const kind = contract::find_kind(call.kind);
  if (kind == nullptr || !kind->list.empty()) {
    std::string mime_type;
    {
      const std::lock_guard lock(call.host.mutex);
      const Item* const item = call.host.find(call.kind, call.name);
      if (item != nullptr) mime_type = item->mime_type;
    }
    return take_form(call.kind, uri_of(call.arguments), mime_type, reply);
  }
  return reply.structured.empty() ? std::string() : structured_problem(call, reply.structured);
}

// Makes the reply from the call's records.
Reply collected(gantry_call& call, std::string& broken) {
  const std::lock_guard lock(call.mutex);
  broken = call.order.broken_at_end();
  if (call.order.is_done()) call.reply.structured = call.json;
  Reply reply = call.reply;
  reply.rounds = call.inputs.round;
  reply.kept = call.kept;
  reply.is_task = call.is_task;
  if (reply.needs_input()) broken = question_problem(call, reply);
  if (call.failed && reply.status >= 0) reply.status = GANTRY_FAILED;
  if (reply.status != GANTRY_UNSUPPORTED) reply.lacks.clear();
  return reply;
}

}  // namespace

Reply settle(gantry_call& call) {
  std::string broken;
  Reply reply = collected(call, broken);
  if (reply.timed_out || reply.cancelled) {
    reply.status = reply.timed_out ? GANTRY_TIMED_OUT : GANTRY_CANCELLED;
    reply.error_code = error_code(reply.status);
    reply.content.clear();
    reply.structured.clear();
    return reply;
  }
  if (reply.status < 0 && reply.error_code.empty()) reply.error_code = error_code(reply.status);
  if (reply.needs_input()) {  // the content of this round is dropped
    reply.content.clear();
    reply.structured.clear();
  }
  if (reply.ok() && broken.empty()) broken = take_answer(call, reply);
  if (!broken.empty()) {
    call.host.violation(broken + " (" + label(call) + ")");
    reply.status = GANTRY_FAILED;
    reply.error_code = "internal_error";
  }
  return reply;
}

}  // namespace gantry::testing::detail
