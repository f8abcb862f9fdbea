// Anthropic's Messages.
#include <map>

#include <rapidjson/document.h>

#include <gantry/json_writer.hpp>

#include "tools/gantry/chat/wire/wire.hpp"
#include "tools/gantry/text/json.hpp"

namespace gantry::cli::chat {
namespace {

using rapidjson::Value;

constexpr std::uint64_t kAnthropicOutput = 8192;  // tokens

End anthropic_end(const std::string& reason) {
  if (reason == "tool_use") return End::calls;
  if (reason == "max_tokens") return End::cut;
  if (reason == "refusal") return End::refused;
  if (reason == "pause_turn") return End::paused;
  if (reason == "model_context_window_exceeded") return End::full;
  return End::answered;
}

// A content block while it arrives.
struct Block {
  rapidjson::Document start{};
  std::string text{}, input{}, signature{};

  std::string type() const { return text_at(start, "type"); }
  bool is_empty_text() const { return type() == "text" && text.empty(); }

  // The block as it is sent back.
  std::string whole() const {
    rapidjson::Document out;
    out.CopyFrom(start, out.GetAllocator());
    if (type() == "text") set(out, "text", text);
    if (type() == "thinking") set(out, "thinking", text), set(out, "signature", signature);
    if (!input.empty() || type() == "tool_use") {
      auto given = parsed(input);
      if (!given.IsObject()) given.SetObject();
      out.RemoveMember("input");
      out.AddMember("input", rapidjson::Value(given, out.GetAllocator()), out.GetAllocator());
    }
    return compact(out);
  }

 private:
  static void set(rapidjson::Document& out, const char* name, const std::string& text) {
    out.RemoveMember(name);
    out.AddMember(rapidjson::StringRef(name),
                  rapidjson::Value(text.c_str(), static_cast<rapidjson::SizeType>(text.size()),
                                   out.GetAllocator()),
                  out.GetAllocator());
  }
};

class AnthropicReader final : public ReplyReader {
 public:
  using ReplyReader::ReplyReader;

  bool has_ended() const override { return !reason_.empty(); }

  Reply reply() const override {
    Reply out{.text = {}, .wire = "[", .refusal = {}, .model = model_, .usage = usage_};
    for (const auto& [index, block] : blocks_) {
      if (block.is_empty_text()) continue;
      if (block.type() == "text") out.text += block.text;
      if (block.type() == "tool_use") out.calls.push_back(call_of(block));
      out.wire += (out.wire.size() > 1 ? "," : "") + block.whole();
    }
    out.wire += "]";
    out.end = anthropic_end(reason_);
    return out;
  }

 private:
  void take(const Value& event) override {
    const std::string type = text_at(event, "type");
    if (type == "message_start") {
      const auto& message = member(event, "message");
      model_ = text_at(message, "model");
      take_usage(member(message, "usage"));
    } else if (type == "content_block_start") {
      start(number_at(event, "index"), member(event, "content_block"));
    } else if (type == "content_block_delta") {
      add(blocks_[number_at(event, "index")], member(event, "delta"));
    } else if (type == "message_delta") {
      reason_ = text_at(member(event, "delta"), "stop_reason");
      take_usage(member(event, "usage"));
    }
  }

  void start(std::uint64_t index, const Value& given) {
    Block& block = blocks_[index];
    block.start.CopyFrom(given, block.start.GetAllocator());
    block.text = text_at(given, block.type() == "thinking" ? "thinking" : "text");
    block.signature = text_at(given, "signature");
    if (block.type() == "text") show(block.text);
  }

  void add(Block& block, const Value& delta) {
    const std::string text = text_at(delta, "text");
    block.text += text + text_at(delta, "thinking");
    block.input += text_at(delta, "partial_json");
    block.signature += text_at(delta, "signature");
    if (block.type() == "text") show(text);
    if (!member(delta, "citation").IsNull()) add_citation(block, delta["citation"]);
  }

  static void add_citation(Block& block, const Value& citation) {
    auto& pool = block.start.GetAllocator();
    if (!member(block.start, "citations").IsArray()) {
      block.start.RemoveMember("citations");
      block.start.AddMember("citations", rapidjson::Value(rapidjson::kArrayType), pool);
    }
    block.start["citations"].PushBack(rapidjson::Value(citation, pool), pool);
  }

  static ToolCall call_of(const Block& block) {
    const auto& given = member(block.start, "input");
    const bool early = given.IsObject() && !given.ObjectEmpty();
    std::string arguments = block.input.empty() ? (early ? compact(given) : "{}") : block.input;
    return {text_at(block.start, "id"), text_at(block.start, "name"), std::move(arguments)};
  }

  // The numbers of a later event replace those before.
  void take_usage(const Value& usage) {
    const auto newer = [&usage](const char* name, std::uint64_t& number) {
      if (member(usage, name).IsUint64()) number = number_at(usage, name);
    };
    newer("input_tokens", plain_input_);
    newer("cache_creation_input_tokens", usage_.cache_write);
    newer("cache_read_input_tokens", usage_.cache_read);
    newer("output_tokens", usage_.output);
    usage_.input = plain_input_ + usage_.cache_write + usage_.cache_read;
  }

  std::map<std::uint64_t, Block> blocks_;
  std::string model_, reason_;
  std::uint64_t plain_input_ = 0;
  Usage usage_;
};

// Writes messages, those of one side in a row as one: results of tools and what the user says next
// are one message, the results first.
class Turns {
 public:
  explicit Turns(JsonWriter& json) : json_(json) {}

  void put(const Message& message) {
    const bool assistant = message.role == Role::assistant;
    begin(assistant ? "assistant" : "user");
    if (assistant) return put_inner(message.wire);
    if (message.role == Role::user) {
      json_.begin_object().key("type").string("text").key("text").string(message.text).end_object();
    }
    for (const auto& result : message.results) {
      json_.begin_object().key("type").string("tool_result").key("tool_use_id").string(result.id);
      json_.key("content").string(result.text);
      if (result.is_error) json_.key("is_error").boolean(true);
      json_.end_object();
    }
  }

  void end() {
    if (!role_.empty()) json_.end_array().end_object();
  }

 private:
  void begin(const std::string& role) {
    if (role == role_) return;
    end();
    role_ = role;
    json_.begin_object().key("role").string(role).key("content").begin_array();
  }

  void put_inner(const std::string& array) {
    const std::string_view inner(array);
    if (inner.size() > 2) json_.raw(inner.substr(1, inner.size() - 2));
  }

  JsonWriter& json_;
  std::string role_;
};

class AnthropicWire final : public Wire {
 public:
  std::string path() const override { return "/messages"; }

  std::vector<std::string> headers(const std::string& key) const override {
    std::vector<std::string> out{"Content-Type: application/json", "Accept: text/event-stream",
                                 "anthropic-version: 2023-06-01"};
    if (!key.empty()) out.push_back("x-api-key: " + key);
    return out;
  }

  std::string body(const std::string& model, const Request& request) const override {
    std::string out;
    JsonWriter json(out);
    json.begin_object().key("model").string(model).key("max_tokens").number(kAnthropicOutput);
    if (!request.system.empty()) json.key("system").string(request.system);
    json.key("messages").begin_array();
    Turns turns(json);
    for (const auto& message : request.messages) turns.put(message);
    turns.end();
    json.end_array();
    put_tools(json, request);
    json.key("cache_control").begin_object().key("type").string("ephemeral").end_object();
    json.key("stream").boolean(true).end_object();
    return out;
  }

  std::unique_ptr<ReplyReader> reader(OnText on_text) const override {
    return std::make_unique<AnthropicReader>(std::move(on_text));
  }

  std::string said(const std::string& text) const override {
    return "[" + object({{"type", "text"}, {"text", text}}) + "]";
  }

 private:
  static void put_tools(JsonWriter& json, const Request& request) {
    if (request.tools.empty()) return;
    json.key("tools").begin_array();
    for (const auto& tool : request.tools) {
      json.begin_object().key("name").string(tool.name);
      json.key("description").string(tool.description).key("input_schema").raw(tool.schema);
      json.end_object();
    }
    json.end_array();
    json.key("tool_choice").begin_object().key("type").string(request.may_call ? "auto" : "none");
    json.end_object();
  }
};

}  // namespace

std::unique_ptr<Wire> anthropic_wire() { return std::make_unique<AnthropicWire>(); }

}  // namespace gantry::cli::chat
