#include "tools/gantry/chat/session_text.hpp"

#include <rapidjson/document.h>

#include <gantry/json_writer.hpp>

#include "tools/gantry/chat/trace.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

void put_call(JsonWriter& json, const Called& called) {
  const auto arguments = parsed(called.arguments);
  json.begin_object().key("name").string(called.name).key("arguments");
  arguments.IsObject() ? json.raw(compact(arguments)) : json.string(called.arguments);
  json.key("ms").number(called.ms).key("bytes").number(called.result.text.size());
  json.key("is_error").boolean(called.result.is_error).end_object();
}

}  // namespace

std::string answer_json(const Played& played) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("answer").string(played.answer).key("tool_calls").begin_array();
  for (const auto& called : played.calls) put_call(json, called);
  const Usage& usage = played.spent.usage;
  json.end_array().key("usage").begin_object();
  json.key("input_tokens").number(usage.input).key("output_tokens").number(usage.output);
  json.key("cache_read_tokens").number(usage.cache_read);
  json.key("cache_write_tokens").number(usage.cache_write).end_object();
  json.key("cost_usd").number(played.spent.dollars).key("rounds").number(played.rounds);
  json.key("model").string(played.model).end_object();
  return out;
}

std::string error_code(const Status& status) {
  if (status.code() == GANTRY_CANCELLED) return "cancelled";
  return status.code() == GANTRY_DENIED ? "refused" : "failed";
}

std::string history_text(const std::vector<Message>& messages) {
  std::string out;
  for (const auto& message : messages) {
    if (message.role == Role::user) out += "you: " + message.text + "\n";
    if (message.role == Role::assistant && !message.text.empty()) {
      out += "model: " + message.text + "\n";
    }
    for (const auto& result : message.results) {
      out +=
          "tool: " + size_text(result.text.size()) + (result.is_error ? ", an error" : "") + "\n";
    }
  }
  return out.empty() ? "nothing was said yet\n" : printable_lines(out);
}

}  // namespace gantry::cli::chat
