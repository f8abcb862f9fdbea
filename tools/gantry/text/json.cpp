#include "tools/gantry/text/json.hpp"

#include <rapidjson/prettywriter.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "host/base/json.hpp"

namespace gantry::cli {
namespace {

const rapidjson::Value* member(const rapidjson::Value& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

template <class Writer>
std::string written(const rapidjson::Value& value) {
  rapidjson::StringBuffer buffer;
  Writer writer(buffer);
  value.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

}  // namespace

rapidjson::Document parsed(std::string_view text) {
  rapidjson::Document out;
  constexpr unsigned kFlags = rapidjson::kParseIterativeFlag | rapidjson::kParseFullPrecisionFlag;
  if (out.Parse<kFlags>(text.data(), text.size()).HasParseError()) out.SetNull();
  return out;
}

Result<std::string> result_of(std::string_view answer) {
  const rapidjson::Document document = parsed(answer);
  if (const auto* result = member(document, "result")) return compact(*result);
  const std::string message = message_of(document);
  return Status::failed(message.empty() ? "the host answered something that is no answer"
                                        : message);
}

std::string message_of(const rapidjson::Value& answer) {
  const auto* error = member(answer, "error");
  return error == nullptr ? std::string() : text_at(*error, "message");
}

std::string text_at(const rapidjson::Value& object, const char* name) {
  const auto* found = member(object, name);
  if (found == nullptr || !found->IsString()) return {};
  return {found->GetString(), found->GetStringLength()};
}

std::uint64_t number_at(const rapidjson::Value& object, const char* name) {
  const auto* found = member(object, name);
  return found != nullptr && found->IsUint64() ? found->GetUint64() : 0;
}

std::vector<std::string> names_of(const rapidjson::Value& answer) {
  std::vector<std::string> out;
  const auto* plugins = member(answer, "plugins");
  if (plugins == nullptr || !plugins->IsArray()) return out;
  for (const auto& plugin : plugins->GetArray()) out.push_back(text_at(plugin, "name"));
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
  return out + "}";
}

std::string compact(const rapidjson::Value& value) {
  return written<rapidjson::Writer<rapidjson::StringBuffer>>(value);
}

std::string pretty(const rapidjson::Value& value) {
  return written<rapidjson::PrettyWriter<rapidjson::StringBuffer>>(value);
}

std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (is_control(c)) c = ' ';
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (is_control(c) && c != '\n' && c != '\t') c = ' ';
  }
  return out;
}

}  // namespace gantry::cli
