#include "ops/request.hpp"

#include <algorithm>

#include <rapidjson/document.h>

#include "errors/query_error.hpp"
#include "values/extended_json.hpp"

namespace gantry::data {

void refuse_argument(std::string message) {
  throw QueryError(invalid_argument(std::move(message)));
}

namespace {

[[noreturn]] void must_be(const char* name, std::string_view what) {
  refuse_argument("'" + std::string(name) + "' must be " + std::string(what));
}

constexpr int kDeepestArgument = 200;

int depth_of(const rapidjson::Value& json, int depth) {
  if (depth > kDeepestArgument) return depth;
  int deepest = depth;
  if (json.IsArray()) {
    for (const auto& element : json.GetArray()) {
      deepest = std::max(deepest, depth_of(element, depth + 1));
    }
  } else if (json.IsObject()) {
    for (const auto& member : json.GetObject()) {
      deepest = std::max(deepest, depth_of(member.value, depth + 1));
    }
  }
  return deepest;
}

}  // namespace

std::string_view text_of(const rapidjson::Value& value) {
  return {value.GetString(), value.GetStringLength()};
}

const rapidjson::Value* member_of(const rapidjson::Value& object, const char* name) {
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() || found->value.IsNull() ? nullptr : &found->value;
}

std::string_view required_string(const Request& request, const char* name) {
  const auto* value = member_of(request.arguments, name);
  if (value == nullptr) refuse_argument("'" + std::string(name) + "' is missing");
  if (!value->IsString()) must_be(name, "a string");
  return text_of(*value);
}

std::string_view optional_string(const Request& request, const char* name) {
  return member_of(request.arguments, name) == nullptr ? std::string_view()
                                                       : required_string(request, name);
}

std::int64_t optional_integer(const Request& request, const char* name, std::int64_t otherwise,
                              std::int64_t least, std::int64_t most) {
  const auto* value = member_of(request.arguments, name);
  if (value == nullptr) return otherwise;
  const std::string range =
      "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  // 10.0 is an integer, as in JSON Schema.
  if (value->IsDouble() && value->GetDouble() >= static_cast<double>(least) &&
      value->GetDouble() <= static_cast<double>(most)) {
    const auto whole = static_cast<std::int64_t>(value->GetDouble());
    if (static_cast<double>(whole) == value->GetDouble()) return whole;
  }
  if (!value->IsInt64() || value->GetInt64() < least || value->GetInt64() > most) {
    must_be(name, range);
  }
  return value->GetInt64();
}

std::vector<std::string_view> optional_strings(const Request& request, const char* name,
                                               std::size_t most) {
  std::vector<std::string_view> list;
  const auto* value = member_of(request.arguments, name);
  if (value == nullptr) return list;
  if (!value->IsArray()) must_be(name, "an array of strings");
  if (value->Size() > most) {
    refuse_argument("'" + std::string(name) + "' has " + std::to_string(value->Size()) +
                    " elements; it may have at most " + std::to_string(most));
  }
  for (const auto& element : value->GetArray()) {
    if (!element.IsString()) must_be(name, "an array of strings");
    list.push_back(text_of(element));
  }
  return list;
}

bool optional_flag(const Request& request, const char* name, bool otherwise) {
  const auto* value = member_of(request.arguments, name);
  if (value == nullptr) return otherwise;
  if (!value->IsBool()) must_be(name, "true or false");
  return value->GetBool();
}

const rapidjson::Value* optional_object(const Request& request, const char* name) {
  const auto* value = member_of(request.arguments, name);
  if (value != nullptr && !value->IsObject()) must_be(name, "an object");
  return value;
}

std::uint64_t capped_rows(const Request& request, std::uint64_t most) {
  return std::min(most, request.scope.rules().agent().cap_rows.value_or(most));
}

Value value_of(const rapidjson::Value& json) {
  if (depth_of(json, 0) > kDeepestArgument)
    refuse_argument("The arguments are nested more than 200 deep.");
  return read_extended(json, {.parse_types = true});
}

const ClassView& requested_class(const Request& request) {
  return open_class(request.scope, required_string(request, "class_name"));
}

}  // namespace gantry::data
