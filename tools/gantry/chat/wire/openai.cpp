// Chat Completions, of OpenAI and of servers of local models.
#include <map>

#include <rapidjson/document.h>

#include <gantry/json_writer.hpp>

#include "tools/gantry/chat/wire/wire.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

using rapidjson::Value;

constexpr std::uint64_t kOpenAiOutput = 16384;  // tokens, those of its reasoning too

bool is_object(const std::string& text) { return parsed(text).IsObject(); }

End openai_end(const std::string& reason) {
  if (reason == "tool_calls" || reason == "function_call") return End::calls;
  if (reason == "length") return End::cut;
  if (reason == "content_filter") return End::refused;
  return End::answered;
}

// The assistant's message. Servers of local models read the arguments of earlier calls as JSON, so
// they get an empty object where the model wrote none.
std::string assistant(const std::string& text, const std::vector<ToolCall>& calls, bool local) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("role").string("assistant").key("content");
  text.empty() && !calls.empty() ? json.null() : json.string(text);
  if (!calls.empty()) {
    json.key("tool_calls").begin_array();
    for (const auto& call : calls) {
      const bool readable = !local || is_object(call.arguments);
      json.begin_object().key("id").string(call.id).key("type").string("function");
      json.key("function").begin_object().key("name").string(call.name);
      json.key("arguments").string(readable ? call.arguments : "{}").end_object().end_object();
    }
    json.end_array();
  }
  json.end_object();
  return out;
}

class OpenAiReader final : public ReplyReader {
 public:
  OpenAiReader(OnText on_text, bool local) : ReplyReader(std::move(on_text)), local_(local) {}

  bool has_ended() const override { return !reason_.empty(); }

  Reply reply() const override {
    Reply out{.text = text_, .wire = {}, .refusal = refusal_, .model = model_, .usage = usage_};
    for (const auto& [index, call] : calls_) out.calls.push_back(call);
    for (std::size_t i = 0; i < out.calls.size(); ++i) {
      if (out.calls[i].id.empty()) out.calls[i].id = "call_" + std::to_string(i);
    }
    out.wire = assistant(text_, out.calls, local_);
    out.end = openai_end(reason_);
    // Servers of local models end calls with "stop" too.
    if (!out.calls.empty() && out.end == End::answered) out.end = End::calls;
    if (!refusal_.empty()) out.end = End::refused;
    return out;
  }

 private:
  void take(const Value& event) override {
    if (model_.empty()) model_ = text_at(event, "model");
    take_usage(member(event, "usage"));
    for (const auto& choice : items(member(event, "choices"))) {
      const auto& delta = member(choice, "delta");
      const std::string text = text_at(delta, "content");
      text_ += text;
      refusal_ += text_at(delta, "refusal");
      show(text);
      for (const auto& call : items(member(delta, "tool_calls"))) take_call(call);
      if (const auto reason = text_at(choice, "finish_reason"); !reason.empty()) reason_ = reason;
    }
  }

  // A part of a call belongs to the call of its index; another id there begins a new call, which
  // servers of local models send without counting.
  void take_call(const Value& part) {
    const std::string id = text_at(part, "id");
    std::uint64_t index = number_at(part, "index");
    if (const auto found = moved_.find(index); found != moved_.end()) index = found->second;
    if (const auto found = calls_.find(index); found != calls_.end() && !id.empty() &&
                                               !found->second.id.empty() &&
                                               found->second.id != id) {
      const std::uint64_t next = calls_.rbegin()->first + 1;
      moved_[number_at(part, "index")] = next;
      index = next;
    }
    ToolCall& call = calls_[index];
    if (call.id.empty()) call.id = id;
    const auto& function = member(part, "function");
    if (call.name.empty()) call.name = text_at(function, "name");
    const auto& arguments = member(function, "arguments");
    call.arguments += arguments.IsObject() ? compact(arguments) : text_at(function, "arguments");
  }

  void take_usage(const Value& usage) {
    if (!usage.IsObject()) return;
    const auto& details = member(usage, "prompt_tokens_details");
    usage_ = {number_at(usage, "prompt_tokens"), number_at(details, "cached_tokens"),
              number_at(details, "cache_write_tokens"), number_at(usage, "completion_tokens")};
  }

  const bool local_;
  std::string text_, refusal_, model_, reason_;
  std::map<std::uint64_t, ToolCall> calls_;
  std::map<std::uint64_t, std::uint64_t> moved_;  // from the sent index to that in calls_
  Usage usage_;
};

class OpenAiWire final : public Wire {
 public:
  OpenAiWire(bool local, std::uint64_t max_tokens) : local_(local), max_tokens_(max_tokens) {}

  std::string path() const override { return "/chat/completions"; }

  std::vector<std::string> headers(const std::string& key) const override {
    std::vector<std::string> out{"Content-Type: application/json", "Accept: text/event-stream"};
    if (!key.empty()) out.push_back("Authorization: Bearer " + key);
    return out;
  }

  std::string body(const std::string& model, const Request& request) const override {
    std::string out;
    JsonWriter json(out);
    json.begin_object().key("model").string(model).key("messages").begin_array();
    if (!request.system.empty()) put_text(json, "system", request.system);
    for (const auto& message : request.messages) put(json, message);
    json.end_array();
    put_tools(json, request);
    json.key(local_ ? "max_tokens" : "max_completion_tokens").number(max_tokens_);
    json.key("stream").boolean(true);
    json.key("stream_options").begin_object().key("include_usage").boolean(true).end_object();
    json.end_object();
    return out;
  }

  std::unique_ptr<ReplyReader> reader(OnText on_text) const override {
    return std::make_unique<OpenAiReader>(std::move(on_text), local_);
  }
  std::string said(const std::string& text) const override { return assistant(text, {}, local_); }

 private:
  static void put_text(JsonWriter& json, const char* role, const std::string& text) {
    json.begin_object().key("role").string(role).key("content").string(text).end_object();
  }

  static void put(JsonWriter& json, const Message& message) {
    if (message.role == Role::user) return put_text(json, "user", message.text);
    if (message.role == Role::assistant) return static_cast<void>(json.raw(message.wire));
    for (const auto& result : message.results) {
      json.begin_object().key("role").string("tool").key("tool_call_id").string(result.id);
      json.key("content").string(result.text).end_object();
    }
  }

  // Not every server of local models knows tool_choice, so they get no tools instead.
  void put_tools(JsonWriter& json, const Request& request) const {
    if (request.tools.empty() || (local_ && !request.may_call)) return;
    json.key("tools").begin_array();
    for (const auto& tool : request.tools) {
      json.begin_object().key("type").string("function").key("function").begin_object();
      json.key("name").string(tool.name).key("description").string(tool.description);
      json.key("parameters").raw(tool.schema).end_object().end_object();
    }
    json.end_array();
    if (!request.may_call) json.key("tool_choice").string("none");
  }

  const bool local_;
  const std::uint64_t max_tokens_;
};

}  // namespace

std::unique_ptr<Wire> openai_wire() { return std::make_unique<OpenAiWire>(false, kOpenAiOutput); }

std::unique_ptr<Wire> local_wire(std::uint64_t max_tokens) {
  return std::make_unique<OpenAiWire>(true, max_tokens);
}

}  // namespace gantry::cli::chat
