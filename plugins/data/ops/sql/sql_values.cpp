#include "ops/sql/sql_values.hpp"

#include <rapidjson/document.h>

#include <utility>

#include "errors/query_error.hpp"
#include "values/base64.hpp"
#include "values/json_document.hpp"

namespace gantry::data {
namespace {

[[noreturn]] void refuse_values(std::string message) {
  throw QueryError(invalid_argument(std::move(message)));
}

// {"$base64":"…"}, as rows show bytes.
Bind bytes_of(const rapidjson::Value& object) {
  const auto member = object.FindMember("$base64");
  if (member != object.MemberEnd() && object.MemberCount() == 1 && member->value.IsString()) {
    if (auto bytes = decode_base64(text_of(member->value))) return Bytes{std::move(*bytes)};
  }
  if (object.HasMember("$date")) refuse_values("'params': dates are ISO texts: \"2026-01-31\"");
  refuse_values(R"('params' may hold bytes as {"$base64":"…"}, but no other objects)");
}

Bind value_to_bind(const rapidjson::Value& value) {
  if (value.IsNull()) return nullptr;
  if (value.IsBool()) return std::int64_t{value.GetBool() ? 1 : 0};
  if (value.IsInt64()) return value.GetInt64();
  if (value.IsUint64()) {
    refuse_values("'params' holds an integer beyond 64 bits with a sign; write it as text");
  }
  if (value.IsNumber()) return value.GetDouble();
  if (value.IsString()) return std::string(text_of(value));
  if (value.IsObject()) return bytes_of(value);
  if (value.IsArray()) {
    refuse_values("'params' may hold values, but no lists: write a ? for each of the values");
  }
  refuse_values("'params' may hold texts, numbers, true, false, null and bytes");
}

std::string names_of(const std::vector<std::string>& parameters) {
  std::string names;
  for (const std::string& one : parameters) {
    names.append(names.empty() ? "" : ", ").append(one.empty() ? "?" : one);
  }
  return names;
}

std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

[[noreturn]] void refuse_count(const StatementShape& shape, std::size_t given) {
  const std::size_t count = shape.parameters.size();
  const std::string values = ", but 'params' has " + counted(given, "value");
  if (count == 0) {
    refuse_values("'sql' has no parameters" + values + ". Write ? or :name, not in quotes");
  }
  refuse_values("'sql' has " + counted(count, "parameter") + " (" + names_of(shape.parameters) +
                ")" + values);
}

// The host hands an array over as {"1": …, "2": …}; clients that keep to the listed schema number
// from 0.
bool is_numbered(const rapidjson::Value& object, std::size_t first) {
  std::size_t number = first;
  for (const auto& member : object.GetObject()) {
    if (text_of(member.name) != std::to_string(number++)) return false;
  }
  return true;
}

std::vector<Bind> by_position(const StatementShape& shape, const rapidjson::Value& list) {
  if (list.Size() != shape.parameters.size()) refuse_count(shape, list.Size());
  std::vector<Bind> values;
  for (const auto& value : list.GetArray()) values.push_back(value_to_bind(value));
  return values;
}

// By its name with or without the sign, or by its number.
const rapidjson::Value* value_named(const rapidjson::Value& object, const std::string& parameter,
                                    std::size_t number) {
  const std::string own = std::to_string(number);
  const bool has_name = !parameter.empty();
  for (const char* name : {has_name ? parameter.c_str() : own.c_str(),
                           has_name ? parameter.c_str() + 1 : own.c_str()}) {
    const auto found = object.FindMember(name);
    if (found != object.MemberEnd()) return &found->value;
  }
  return nullptr;
}

std::vector<Bind> by_name(const StatementShape& shape, const rapidjson::Value& object) {
  const bool has_others = object.MemberCount() != shape.parameters.size();
  const bool is_from_0 = is_numbered(object, 0);
  if (has_others && (is_from_0 || is_numbered(object, 1))) {
    refuse_count(shape, object.MemberCount());
  }
  std::vector<Bind> values;
  if (is_from_0) {
    for (const auto& member : object.GetObject()) values.push_back(value_to_bind(member.value));
    return values;
  }
  for (const std::string& parameter : shape.parameters) {
    const std::size_t number = values.size() + 1;
    const auto* const value = value_named(object, parameter, number);
    if (value == nullptr) {
      const std::string key = parameter.empty() ? std::to_string(number) : parameter.substr(1);
      refuse_values("'params' has no value for " + (parameter.empty() ? "?" : parameter) +
                    ": write {\"" + key + "\": …}");
    }
    values.push_back(value_to_bind(*value));
  }
  if (has_others) refuse_count(shape, object.MemberCount());
  return values;
}

}  // namespace

std::vector<Bind> parameter_values(const Request& request, const StatementShape& shape,
                                   bool needs_them) {
  const auto* const given = member_of(request.arguments, "params");
  if (given == nullptr && needs_them && !shape.parameters.empty()) refuse_count(shape, 0);
  if (given == nullptr) return std::vector<Bind>(shape.parameters.size(), nullptr);
  if (given->IsArray()) return by_position(shape, *given);
  if (given->IsObject()) return by_name(shape, *given);
  refuse_values("'params' must be an array of values, or an object by name");
}

std::vector<Bind> values_after(const Request& request, const PageOrder& pages) {
  const std::string_view text = optional_string(request, "after");
  if (text.empty()) return {};
  rapidjson::Document list;
  const bool is_list =
      !parse_json<rapidjson::kParseNoFlags>(text, list).IsError() && list.IsArray();
  if (!is_list || list.Size() != pages.keys.size() || pages.keys.empty()) {
    refuse_values("'after' is not of this statement: repeat the arguments of next_call unchanged");
  }
  std::vector<Bind> values;
  for (const auto& value : list.GetArray()) values.push_back(value_to_bind(value));
  return values;
}

}  // namespace gantry::data
