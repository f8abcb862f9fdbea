// Reads Extended JSON: recognises objects that encode another type.
#include "values/extended_json.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "values/base64.hpp"
#include "values/iso_date.hpp"
#include "values/json_document.hpp"

namespace gantry::data {
namespace {

using Json = rapidjson::Value;
constexpr std::size_t kDeepestJson = 200;

std::string_view text_of(const Json& json) { return {json.GetString(), json.GetStringLength()}; }

template <class T>
std::optional<T> whole_number(const Json& json) {
  if (!json.IsString()) return std::nullopt;
  const std::string_view text = text_of(json);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_all = error == std::errc() && end == text.data() + text.size() && !text.empty();
  return is_all ? std::optional<T>(value) : std::nullopt;
}

std::optional<Value> read_int(const Json& json) {
  const auto value = whole_number<std::int32_t>(json);
  return value ? std::optional(Value::int32(*value)) : std::nullopt;
}

std::optional<Value> read_long(const Json& json) {
  const auto value = whole_number<std::int64_t>(json);
  return value ? std::optional(Value::int64(*value)) : std::nullopt;
}

std::optional<Value> read_double(const Json& json) {
  if (!json.IsString()) return std::nullopt;
  const std::string_view text = text_of(json);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return Value::real(std::numeric_limits<double>::quiet_NaN());
  if (text == "Infinity") return Value::real(kInfinity);
  if (text == "-Infinity") return Value::real(-kInfinity);
  const auto value = whole_number<double>(json);
  const bool is_plain = value && std::isfinite(*value);
  return is_plain ? std::optional(Value::real(*value)) : std::nullopt;
}

std::optional<Value> read_date(const Json& json) {
  if (json.IsInt64()) return Value::date(json.GetInt64());
  std::optional<std::int64_t> when;
  if (json.IsString()) {
    when = parse_iso_date(text_of(json));
  } else if (json.IsObject() && json.MemberCount() == 1 &&
             text_of(json.MemberBegin()->name) == "$numberLong") {
    when = whole_number<std::int64_t>(json.MemberBegin()->value);
  }
  return when ? std::optional(Value::date(*when)) : std::nullopt;
}

std::optional<Value> bytes_of(const Json& json) {
  auto bytes = json.IsString() ? decode_base64(text_of(json)) : std::nullopt;
  return bytes ? std::optional(Value::bytes(*std::move(bytes))) : std::nullopt;
}

// Sub-type 0 only: a Value cannot represent the others.
std::optional<Value> read_binary(const Json& json) {
  if (!json.IsObject() || json.MemberCount() != 2) return std::nullopt;
  const auto base64 = json.FindMember("base64");
  const auto kind = json.FindMember("subType");
  if (base64 == json.MemberEnd() || kind == json.MemberEnd() || !kind->value.IsString()) {
    return std::nullopt;
  }
  const bool is_plain = text_of(kind->value) == "00" || text_of(kind->value) == "0";
  return is_plain ? bytes_of(base64->value) : std::nullopt;
}

struct Wrapper {
  std::string_view name;
  std::optional<Value> (*read)(const Json& json);
};
constexpr std::array kWrappers = {
    Wrapper{"$date", read_date},       Wrapper{"$numberInt", read_int},
    Wrapper{"$numberLong", read_long}, Wrapper{"$numberDouble", read_double},
    Wrapper{"$binary", read_binary},
};

std::optional<Value> read_wrapped(const Json& json) {
  if (json.MemberCount() != 1) return std::nullopt;
  const auto& member = *json.MemberBegin();
  for (const Wrapper& wrapper : kWrappers) {
    if (wrapper.name == text_of(member.name)) return wrapper.read(member.value);
  }
  return std::nullopt;
}

std::optional<Value> read_typed(const Json& json) {
  const auto type = json.FindMember("__type");
  if (json.MemberCount() != 2 || type == json.MemberEnd() || !type->value.IsString()) {
    return std::nullopt;
  }
  if (const auto iso = json.FindMember("iso"); iso != json.MemberEnd()) {
    return text_of(type->value) == "Date" && iso->value.IsString() ? read_date(iso->value)
                                                                   : std::nullopt;
  }
  const auto base64 = json.FindMember("base64");
  const bool is_bytes = base64 != json.MemberEnd() && text_of(type->value) == "Bytes";
  return is_bytes ? bytes_of(base64->value) : std::nullopt;
}

Value read_number(const Json& json) {
  if (json.IsInt()) return Value::int32(json.GetInt());
  return json.IsInt64() ? Value::int64(json.GetInt64()) : Value::real(json.GetDouble());
}

Value read_array(const Json& json, const ReadOptions& options) {
  Spending::step_current();
  Array elements;
  elements.reserve(json.Size());
  for (const Json& element : json.GetArray()) elements.push_back(read_extended(element, options));
  return Value::array(std::move(elements));
}

void drop_twins(Members& members) {
  constexpr std::size_t kFew = 32;
  const bool is_few = members.size() <= kFew;
  std::set<std::string_view> seen;  // filled for objects with many members
  std::size_t kept = 0;
  const auto is_known = [&](const std::string& name) {
    if (!is_few) return seen.count(name) > 0;
    const auto has_name = [&](const Member& member) { return member.name == name; };
    const auto end = members.begin() + static_cast<std::ptrdiff_t>(kept);
    return std::any_of(members.begin(), end, has_name);
  };
  for (std::size_t at = 0; at < members.size(); ++at) {
    if (is_known(members[at].name)) continue;
    if (kept != at) members[kept] = std::move(members[at]);
    if (!is_few) seen.insert(members[kept].name);
    ++kept;
  }
  members.resize(kept);
}

Value read_object(const Json& json, const ReadOptions& options) {
  if (auto value = read_wrapped(json)) return *std::move(value);
  if (options.parse_types) {
    if (auto value = read_typed(json)) return *std::move(value);
  }
  Spending::step_current();
  Members members;
  members.reserve(json.MemberCount());
  for (const auto& member : json.GetObject()) {
    members.push_back({std::string(text_of(member.name)), read_extended(member.value, options)});
  }
  if (options.keep_first_duplicate) drop_twins(members);
  return ObjectBuilder(std::move(members)).build();
}

// Checks the nesting of arrays and objects before a document is built.
bool is_too_deep(std::string_view json) {
  constexpr std::size_t kBytesBetweenSteps = std::size_t{64} << 10;
  std::size_t depth = 0;
  std::size_t next_step = kBytesBetweenSteps;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (i >= next_step) {
      Spending::step_current();
      next_step += kBytesBetweenSteps;
    }
    const char c = json[i];
    if (in_string) {
      i += c == '\\';
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestJson) return true;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace

Value read_extended(const Json& json, const ReadOptions& options) {
  switch (json.GetType()) {
    case rapidjson::kNullType:
      return Value::null();
    case rapidjson::kFalseType:
    case rapidjson::kTrueType:
      return Value::boolean(json.GetBool());
    case rapidjson::kNumberType:
      return read_number(json);
    case rapidjson::kStringType:
      return Value::string(std::string(text_of(json)));
    case rapidjson::kArrayType:
      return read_array(json, options);
    case rapidjson::kObjectType:
      break;
  }
  return read_object(json, options);
}

Result<Value> read_extended(std::string_view json, const ReadOptions& options) {
  if (is_too_deep(json)) {
    return Status::invalid("The JSON nests more than 200 levels; flatten it.");
  }
  const Charge passing(document_bytes(json));
  rapidjson::Document document;
  const auto parsed = parse_json<rapidjson::kParseValidateEncodingFlag>(json, document);
  if (parsed.IsError()) {
    return Status::invalid(std::string("This is not JSON: ") +
                           rapidjson::GetParseError_En(parsed.Code()) + " At byte " +
                           std::to_string(parsed.Offset()) + ".");
  }
  return read_extended(document, options);
}

}  // namespace gantry::data
