#include "host/calls/fitting.hpp"

#include <rapidjson/pointer.h>

#include <algorithm>
#include <vector>

#include "host/base/exact_json.hpp"
#include "sdk/contract/json_text.hpp"
#include "sdk/contract/raw_json.hpp"

namespace gantry::host {
namespace {

using contract::RawJson;
using Kind = RawJson::Kind;
using Path = std::vector<std::string>;

// An array's elements may need a conversion after the array itself.
constexpr int kMostPasses = 3;
constexpr std::size_t kMostErrors = 32;

// The types that a schema allows: its keyword `type`.
class Types {
 public:
  explicit Types(const rapidjson::Value& schema) {
    const auto type = schema.FindMember("type");
    if (type == schema.MemberEnd()) return;
    if (type->value.IsString()) add(type->value);
    if (!type->value.IsArray()) return;
    for (const auto& one : type->value.GetArray()) {
      if (one.IsString()) add(one);
    }
  }

  bool has(std::string_view name) const {
    return std::find(names_.begin(), names_.end(), name) != names_.end();
  }
  // Whether the type of this JSON value is one of them; of null and strings never. A whole number
  // is also an integer.
  bool allow(const RawJson& value) const {
    switch (value.kind()) {
      case Kind::boolean:
        return has("boolean");
      case Kind::number:
        return has("number") || (has("integer") && value.integer().has_value());
      case Kind::array:
        return has("array");
      case Kind::object:
        return has("object");
      case Kind::null:
      case Kind::string:
        return false;
    }
    return false;
  }

 private:
  void add(const rapidjson::Value& name) {
    names_.emplace_back(name.GetString(), name.GetStringLength());
  }
  std::vector<std::string> names_;
};

// Whether the schema's objects may be given as arrays, see fitting.hpp.
bool counts_members(const rapidjson::Value& schema) {
  const auto properties = schema.FindMember("properties");
  return properties != schema.MemberEnd() && properties->value.IsObject() &&
         properties->value.HasMember("0");
}

// {"1": …, "2": …}
std::string numbered(const RawJson& array) {
  std::string text = "{";
  std::size_t number = 0;
  for (const RawJson& element : array.elements()) {
    text += number == 0 ? "\"" : ",\"";
    text += std::to_string(++number) + "\":";
    text += element.text();
  }
  return text += '}';
}

// Where a value stands: an argument of the tool, an element of an array, or a deeper member.
enum class Place { argument, element, member };

// The value in one of the types; empty: there is no conversion.
std::optional<std::string> converted(const RawJson& value, const rapidjson::Value& schema,
                                     Place place) {
  const Types types(schema);
  if (value.is(Kind::array) && types.has("object") && counts_members(schema)) {
    return numbered(value);
  }
  if (value.is(Kind::string)) {
    const std::string text = value.string();
    const auto inner = RawJson::parse(text);
    if (inner && types.allow(*inner)) return std::string(inner->text());
  }
  const bool is_plain = value.is(Kind::number) || value.is(Kind::boolean);
  const bool has_text =
      (is_plain && place != Place::member) || (value.is(Kind::object) && place == Place::element);
  if (has_text && types.has("string")) return contract::json_string(value.text());
  if (!value.is(Kind::null) && types.has("array")) return "[" + std::string(value.text()) + "]";
  return std::nullopt;
}

// A copy of `value` with the part at `path` replaced, or left out if there is no replacement.
std::string replaced(const RawJson& value, const std::string* path, std::size_t left,
                     const std::optional<std::string>& with) {
  std::string text(value.is(Kind::array) ? "[" : "{");
  std::size_t at = 0;
  const auto add = [&](const std::string& key, const RawJson& part, std::string_view name) {
    const bool is_on_path = key == *path;
    if (is_on_path && left == 1 && !with) return;
    if (text.size() > 1) text += ',';
    text += name;
    if (!is_on_path) {
      text += part.text();
    } else {
      text += left == 1 ? *with : replaced(part, path + 1, left - 1, with);
    }
  };
  if (value.is(Kind::array)) {
    for (const RawJson& element : value.elements()) add(std::to_string(at++), element, "");
    return text += ']';
  }
  for (const auto& [name, member] : value.members()) {
    add(name, member, contract::json_string(name) + ":");
  }
  return text += '}';
}

// The tokens of a JSON pointer.
Path path_of(const std::string& pointer) {
  Path path;
  const rapidjson::Pointer parsed(pointer.c_str(), pointer.size());
  for (std::size_t i = 0; i < parsed.GetTokenCount(); ++i) {
    path.emplace_back(parsed.GetTokens()[i].name, parsed.GetTokens()[i].length);
  }
  return path;
}

std::optional<RawJson> part_at(RawJson value, const Path& path) {
  for (const std::string& token : path) {
    if (value.is(Kind::object)) {
      const auto member = value.find(token);
      if (!member) return std::nullopt;
      value = *member;
    } else if (value.is(Kind::array)) {
      const auto elements = value.elements();
      const auto index = std::size_t(std::strtoul(token.c_str(), nullptr, 10));
      if (index >= elements.size()) return std::nullopt;
      value = elements[index];
    } else {
      return std::nullopt;
    }
  }
  return value;
}

// The arguments with the place of one error converted; empty: it cannot be.
std::optional<std::string> without_error(const std::string& arguments, const schema::Error& error,
                                         const rapidjson::Document& schema) {
  const Path path = path_of(error.pointer);
  const rapidjson::Value* const rule =
      rapidjson::Pointer(error.schema.c_str() + 1, error.schema.size() - 1).Get(schema);
  const auto whole = RawJson::parse(arguments);
  if (path.empty() || rule == nullptr || !rule->IsObject() || !whole) return std::nullopt;
  const auto part = part_at(*whole, path);
  if (!part) return std::nullopt;
  std::optional<std::string> with;
  const bool is_absent = part->is(Kind::null) && path.size() == 1;
  if (!is_absent) {
    const auto around = part_at(*whole, Path(path.begin(), path.end() - 1));
    const bool is_element = around && around->is(Kind::array);
    with = converted(*part, *rule,
                     is_element         ? Place::element
                     : path.size() == 1 ? Place::argument
                                        : Place::member);
    if (!with) return std::nullopt;
  }
  return replaced(*whole, path.data(), path.size(), with);
}

}  // namespace

std::optional<std::string> fitting_arguments(const Item& tool, std::string_view arguments) {
  rapidjson::Document schema, parsed;
  if (!parse_exact(tool.spec.input_schema, schema)) return std::nullopt;
  std::string text(arguments);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (!parse_exact(text, parsed)) return std::nullopt;
    const auto errors = tool.input->errors(parsed);
    if (errors.empty()) return text;
    if (errors.size() > kMostErrors) return std::nullopt;
    for (const schema::Error& error : errors) {
      if (error.keyword != "type" || !error.schema.starts_with('#')) return std::nullopt;
      auto mended = without_error(text, error, schema);
      if (!mended) return std::nullopt;
      text = std::move(*mended);
    }
  }
  return parse_exact(text, parsed) && tool.input->validate(parsed) ? std::optional(std::move(text))
                                                                   : std::nullopt;
}

}  // namespace gantry::host
