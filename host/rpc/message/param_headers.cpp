#include "host/rpc/message/param_headers.hpp"

#include <charconv>

#include "host/base/text.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

void collect(const Value& schema, std::vector<std::string>& path, std::vector<ParamHeader>& out) {
  const Value* properties = member(&schema, "properties");
  if (properties == nullptr || !properties->IsObject()) return;
  for (const auto& property : properties->GetObject()) {
    path.emplace_back(property.name.GetString(), property.name.GetStringLength());
    if (const auto suffix = text_of(member(&property.value, "x-mcp-header"))) {
      const std::string shown = "Mcp-Param-" + std::string(*suffix);
      out.push_back({lower(shown), shown, path});
    }
    collect(property.value, path, out);
    path.pop_back();
  }
}

const Value* argument_at(const Value* arguments, const std::vector<std::string>& path) {
  for (const auto& name : path) arguments = member(arguments, name);
  return arguments;
}

template <class Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Compares numbers by value: 42.0 equals 42. Two numbers written as integers are compared without
// rounding, because rounding would make different large integers equal.
bool same_number(const Value& value, std::string_view text) {
  const bool integer = text.find_first_not_of("-0123456789") == text.npos;
  if (integer && value.IsInt64()) return number_of<std::int64_t>(text) == value.GetInt64();
  if (integer && value.IsUint64()) return number_of<std::uint64_t>(text) == value.GetUint64();
  return number_of<double>(text) == value.GetDouble();
}

bool says_the_same(const Value& value, std::string_view text) {
  if (value.IsString()) return text_of(&value) == text;
  if (value.IsBool()) return text == (value.GetBool() ? "true" : "false");
  if (value.IsNumber()) return same_number(value, text);
  return true;  // another type: the input schema refuses it with a better message
}

}  // namespace

std::vector<ParamHeader> param_headers(std::string_view input_schema) {
  std::vector<ParamHeader> out;
  if (input_schema.find("x-mcp-header") == std::string_view::npos) return out;
  rapidjson::Document schema;
  schema.Parse(input_schema.data(), input_schema.size());
  std::vector<std::string> path;
  if (!schema.HasParseError()) collect(schema, path, out);
  return out;
}

std::optional<Error> check_param_headers(const std::vector<ParamHeader>& expected,
                                         const Value* arguments, const Headers& headers) {
  for (const ParamHeader& param : expected) {
    const Value* value = argument_at(arguments, param.path);
    if (value == nullptr || value->IsNull()) continue;
    const auto sent = headers.get(param.header);
    if (!sent) return Error::header_mismatch("The header " + param.shown + " is missing");
    const auto text = header_text(*sent);
    if (!text)
      return Error::header_mismatch(param.shown + " is neither plain ASCII nor strict Base64");
    if (!says_the_same(*value, *text)) {
      return Error::header_mismatch(param.shown + " differs from the argument '" +
                                    param.path.back() + "'");
    }
  }
  return std::nullopt;
}

}  // namespace gantry::host::rpc
