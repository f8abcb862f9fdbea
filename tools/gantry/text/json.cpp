#include "tools/gantry/text/json.hpp"

#include <algorithm>

#include <rapidjson/document.h>
#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "host/base/json.hpp"
#include "host/base/numbers.hpp"

namespace gantry::cli {
namespace {

template <class Writer>
std::string written(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  value.Accept(writer);
  return visible_json({buffer.GetString(), buffer.GetSize()});
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

// The bytes of a control at the beginning of `text`, 0 if there is none: one of ASCII, U+0080 to
// U+009F, or a mark that turns the direction of the text after it.
std::size_t control_size(std::string_view text) {
  if (is_control(text[0])) return 1;
  const auto byte = [text](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u;
  };
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) return 2;
  if (byte(0) != 0xE2) return 0;
  const bool is_override = byte(1) == 0x80 && byte(2) >= 0xAA && byte(2) <= 0xAE;
  const bool is_isolate = byte(1) == 0x81 && byte(2) >= 0xA6 && byte(2) <= 0xA9;
  return is_override || is_isolate ? 3 : 0;
}

// The character of `utf8`, which has at most three bytes, as JSON text.
std::string escaped(std::string_view utf8) {
  constexpr unsigned kFirst[] = {0x7f, 0x1f, 0x0f};  // its bits in the first byte, by the size
  unsigned code = static_cast<unsigned char>(utf8[0]) & kFirst[utf8.size() - 1];
  for (const char c : utf8.substr(1)) code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  std::string out;
  contract::append_escape(out, code);
  return out;
}

// Each control as a blank, except those in `kept`.
std::string without_controls(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const bool is_kept = kept.find(text[0]) != std::string_view::npos;
    const std::size_t size = is_kept ? 0 : control_size(text);
    out += size > 0 ? ' ' : text[0];
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

}  // namespace

rapidjson::Document parsed(std::string_view text) {
  rapidjson::Document out;
  std::string mended;
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag;
  const bool is_read = !host::make_readable(text, mended) &&
                       !out.Parse<kFlags>(text.data(), text.size()).HasParseError();
  if (!is_read) out.SetNull();
  return out;
}

std::string rpc_request(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
}

Result<std::string> result_of(std::string_view answer) {
  const rapidjson::Document document = parsed(answer);
  if (const auto* result = find_member(document, "result")) return compact(*result);
  const std::string message = message_of(document);
  return Status::failed(message.empty() ? "the host answered something that is no answer"
                                        : message);
}

std::string message_of(const rapidjson::Value& answer) {
  return text_at(member(answer, "error"), "message");
}

const rapidjson::Value* find_member(const rapidjson::Value& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

const rapidjson::Value& member(const rapidjson::Value& object, const char* name) {
  static const rapidjson::Value kNone;
  const auto* found = find_member(object, name);
  return found == nullptr ? kNone : *found;
}

std::span<const rapidjson::Value> items(const rapidjson::Value& array) {
  if (!array.IsArray()) return {};
  return {array.Begin(), array.Size()};
}

std::string text_at(const rapidjson::Value& object, const char* name) {
  const auto& found = member(object, name);
  if (!found.IsString()) return {};
  return {found.GetString(), found.GetStringLength()};
}

std::uint64_t number_at(const rapidjson::Value& object, const char* name) {
  const auto& found = member(object, name);
  return found.IsUint64() ? found.GetUint64() : 0;
}

std::string agent_text(const rapidjson::Value& object) {
  const std::string user = text_at(object, "user");
  return text_at(object, "agent") + (user.empty() ? "" : " for " + user);
}

std::vector<std::string> texts_of(const rapidjson::Value& array) {
  std::vector<std::string> texts;
  for (const auto& text : items(array)) {
    if (text.IsString()) texts.emplace_back(text.GetString(), text.GetStringLength());
  }
  return texts;
}

std::vector<std::string> names_of(const rapidjson::Value& answer) {
  std::vector<std::string> out;
  for (const auto& plugin : items(member(answer, "plugins"))) {
    out.push_back(text_at(plugin, "name"));
  }
  return out;
}

std::string object(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  std::string out = "{";
  for (const auto& [name, text] : members) {
    if (out.size() > 1) out += ',';
    host::append_json_string(out, name);
    out += ':';
    host::append_json_string(out, text);
  }
  return visible_json(out + "}");
}

std::string compact(const rapidjson::Value& value) {
  return written<rapidjson::Writer<rapidjson::StringBuffer>>(value);
}

std::string pretty(const rapidjson::Value& value) {
  return written<rapidjson::PrettyWriter<rapidjson::StringBuffer>>(value);
}

std::string visible_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const bool is_break = static_cast<unsigned char>(json[0]) < 0x20;  // between its tokens
    const std::size_t size = is_break ? 0 : control_size(json);
    out += size > 0 ? escaped(json.substr(0, size)) : std::string(1, json[0]);
    json.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::string printable(std::string_view text) { return without_controls(text, ""); }

std::string printable_lines(std::string_view text) { return without_controls(text, "\n\t"); }

}  // namespace gantry::cli
