#include "policy/internal.hpp"

#include <algorithm>
#include <vector>

#include <rapidjson/document.h>

#include "values/json_text.hpp"

namespace gantry::data {
namespace {

using Json = rapidjson::Value;

constexpr std::string_view kType = "__type", kPointer = "Pointer", kClassName = "className",
                           kRedacted = "__redacted";

bool is_hidden_pointer(const Value& object, const ClassFilter* classes) {
  const Value& type = object.find(kType);
  if (!type.is_string() || type.text() != kPointer) return false;
  const Value& name = object.find(kClassName);
  return name.is_string() && !is_visible_class(name.text(), classes);
}

bool has_internal(const Value& value, const ClassFilter* classes) {
  if (!value.is_array() && !value.is_object()) return false;
  Spending::step_current();
  SmallSteps step;
  if (value.is_array()) {
    return std::any_of(value.elements().begin(), value.elements().end(), [&](const Value& element) {
      return step(), has_internal(element, classes);
    });
  }
  if (is_hidden_pointer(value, classes)) return true;
  return std::any_of(value.members().begin(), value.members().end(), [&](const Member& member) {
    step();
    return is_internal_field(member.name) || has_internal(member.value, classes);
  });
}

Value shown(const Value& value, const ClassFilter* classes) {
  if (!value.is_array() && !value.is_object()) return value;
  Spending::step_current();
  SmallSteps step;
  if (value.is_array()) {
    Array elements;
    for (const Value& element : value.elements()) {
      step();
      elements.push_back(shown(element, classes));
    }
    return Value::array(std::move(elements));
  }
  if (is_hidden_pointer(value, classes)) return redacted_pointer(value.find(kClassName).text());
  Members members;
  for (const Member& member : value.members()) {
    step();
    if (!is_internal_field(member.name))
      members.push_back({member.name, shown(member.value, classes)});
  }
  return ObjectBuilder(std::move(members)).build();
}

std::string_view text_of(const Json& json) {
  if (!json.IsString()) return {};
  return {json.GetString(), json.GetStringLength()};
}

void drop_members(Json& object) {
  for (auto member = object.MemberBegin(); member != object.MemberEnd();)
    member = is_internal_field(text_of(member->name)) ? object.EraseMember(member) : member + 1;
}

rapidjson::Value::StringRefType constant(std::string_view text) {
  return {text.data(), static_cast<rapidjson::SizeType>(text.size())};
}

// Writes over two of the members, so that no allocator is needed.
void redact(Json& object, const ClassFilter* classes) {
  bool is_pointer = false;
  auto name = object.MemberEnd();
  for (auto member = object.MemberBegin(); member != object.MemberEnd(); ++member) {
    const std::string_view key = text_of(member->name), text = text_of(member->value);
    if (key == kType && text == kPointer) is_pointer = true;
    if (key == kClassName && !is_visible_class(text, classes)) name = member;
  }
  if (!is_pointer || name == object.MemberEnd()) return;
  Json hidden;
  hidden.Swap(name->value);
  while (object.MemberCount() > 2) object.EraseMember(object.MemberEnd() - 1);
  const auto first = object.MemberBegin(), second = first + 1;
  first->name.SetString(constant(kClassName));
  first->value = hidden;
  second->name.SetString(constant(kRedacted));
  second->value.SetBool(true);
}

// The end of the string that begins at `at`.
std::size_t end_of_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return std::min(at + 1, json.size());
}

// The text of a string given with its quotes: in `quoted`, or in `room` if it has escapes.
std::string_view plain(std::string_view quoted, std::string& room) {
  if (quoted.find('\\') == quoted.npos) return quoted.substr(1, quoted.size() - 2);
  rapidjson::Document read;
  read.Parse(quoted.data(), quoted.size());
  return room = text_of(read);
}

// Copies JSON text without its internal members, in whole stretches between two such members.
class TextFilter {
 public:
  explicit TextFilter(std::string_view json) : json_(json) {}

  std::optional<std::string> run() {
    for (at_ = json_.find('"'); at_ < json_.size(); at_ = json_.find('"', at_)) {
      const std::size_t begin = at_;
      at_ = end_of_string(json_, at_);
      const std::string_view quoted = json_.substr(begin, at_ - begin);
      skip_space();
      const bool is_name = at_ < json_.size() && json_[at_] == ':';
      if (is_name && is_internal_field(plain(quoted, room_))) drop(begin);
    }
    if (copied_ == 0) return std::nullopt;
    kept_ += json_.substr(copied_);
    return std::move(kept_);
  }

 private:
  // Called with `at_` after the ':'; the member begins at `begin`.
  void drop(std::size_t begin) {
    kept_ += json_.substr(copied_, begin - copied_);
    ++at_;
    skip_value();
    skip_space();
    const bool is_last = at_ >= json_.size() || json_[at_] != ',';
    if (is_last) {
      drop_comma();
    } else {
      ++at_;
      skip_space();
    }
    copied_ = at_;
  }

  // If the dropped member is the last of its object, the comma before it is dropped too.
  void drop_comma() {
    const std::size_t last = kept_.find_last_not_of(" \t\r\n");
    if (last != std::string::npos && kept_[last] == ',') kept_.resize(last);
  }

  void skip_space() { at_ = std::min(json_.find_first_not_of(" \t\r\n", at_), json_.size()); }

  void skip_value() {
    skip_space();
    std::size_t depth = 0;
    while (at_ < json_.size()) {
      const char c = json_[at_];
      const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
      if (depth == 0 && (closes || c == ',')) return;
      at_ = c == '"' ? end_of_string(json_, at_) : at_ + 1;
      if (opens) ++depth;
      if (closes) --depth;
    }
  }

  std::string_view json_;
  std::string kept_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;  // everything before it is in kept_ or was dropped
  std::string room_;
};

// Copies JSON text with its pointers to hidden classes redacted. Recursive, to kMostStoredLevels.
class PointerFilter {
 public:
  PointerFilter(std::string_view json, const ClassFilter* classes)
      : json_(json), classes_(classes) {}

  // Most texts have no pointer at all. An escape could write one in other words.
  static bool may_change(std::string_view json) {
    return json.find(kPointer) != json.npos || json.find("\\u") != json.npos;
  }

  // Empty text: it nests too deep.
  std::optional<std::string> run() {
    value();
    if (is_too_deep_) return std::string();
    if (copied_ == 0) return std::nullopt;
    kept_ += json_.substr(copied_);
    return std::move(kept_);
  }

 private:
  char next() {
    at_ = std::min(json_.find_first_not_of(" \t\r\n,:", at_), json_.size());
    return at_ < json_.size() ? json_[at_] : '\0';
  }

  // With its quotes, escapes as written.
  std::string_view string() {
    const std::size_t begin = std::exchange(at_, end_of_string(json_, at_));
    return json_.substr(begin, at_ - begin);
  }

  void value() {
    const char c = next();
    if (c == '{' || c == '[') return nested(c);
    if (c == '"') return static_cast<void>(string());
    at_ = std::min(json_.find_first_of(",]} \t\r\n", at_), json_.size());
  }

  void nested(char bracket) {
    is_too_deep_ = is_too_deep_ || levels_ == kMostStoredLevels;
    if (is_too_deep_) return static_cast<void>(at_ = json_.size());
    ++levels_;
    bracket == '{' ? object() : array();
    --levels_;
  }

  void array() {
    for (++at_; next() != ']' && at_ < json_.size();) {
      const bool is_stray = json_[at_] == '}';  // the text is not JSON
      is_stray ? void(++at_) : value();
    }
    ++at_;
  }

  void object() {
    const std::size_t begin = at_, kept = kept_.size(), copied = copied_;
    bool is_pointer = false;
    std::string_view hidden;
    for (++at_; next() == '"';) {
      const std::string_view quoted = string();
      if (next() != '"') {
        value();
        continue;
      }
      const std::string_view name = plain(quoted, name_room_), value = string();
      const std::string_view text = plain(value, value_room_);
      if (name == kType && text == kPointer) is_pointer = true;
      if (name == kClassName && !is_visible_class(text, classes_)) hidden = value;
    }
    ++at_;
    if (!is_pointer || hidden.empty()) return;
    kept_.resize(kept);
    kept_.append(json_.substr(copied, begin - copied)).append(redacted_json(hidden));
    copied_ = std::min(at_, json_.size());
  }

  std::string_view json_;
  std::string kept_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;  // as in TextFilter
  std::size_t levels_ = 0;
  bool is_too_deep_ = false;
  std::string name_room_, value_room_;
  const ClassFilter* const classes_;
};

// Whether an internal name stands before a ':', in quotes or not. For text that is not JSON:
// parsers that take more than JSON find a member there. An escape may write any name.
bool names_internal_member(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n", kQuotes = "'\"";
  for (auto colon = text.find(':'); colon != text.npos; colon = text.find(':', colon + 1)) {
    std::string_view name = text.substr(0, colon);
    const auto trim = [&name](std::string_view away) {
      name = name.substr(0, name.find_last_not_of(away) + 1);
    };
    trim(kBlanks);
    trim(kQuotes);
    const auto before = name.find_last_of("'\"{[,:( \t\r\n");
    name = name.substr(before == name.npos ? 0 : before + 1);
    if (is_internal_field(name) || name.find('\\') != name.npos) return true;
  }
  return false;
}

}  // namespace

Value redacted_pointer(std::string_view class_name) {
  return ObjectBuilder()
      .add(std::string(kClassName), Value::string(std::string(class_name)))
      .add(std::string(kRedacted), Value::boolean(true))
      .build();
}

std::string redacted_json(std::string_view quoted_class_name) {
  return "{\"className\":" + std::string(quoted_class_name) + ",\"__redacted\":true}";
}

bool names_internal(std::string_view path) {
  for (;;) {
    const auto dot = path.find('.');
    if (is_internal_field(path.substr(0, dot))) return true;
    if (dot == std::string_view::npos) return false;
    path.remove_prefix(dot + 1);
  }
}

void drop_internal(Value& value, const ClassFilter* classes) {
  if (has_internal(value, classes)) value = shown(value, classes);
}

void drop_internal(rapidjson::Value& json, const ClassFilter* classes) {
  std::vector<Json*> left{&json};
  while (!left.empty()) {
    Json& value = *left.back();
    left.pop_back();
    if (value.IsArray()) {
      for (Json& element : value.GetArray()) {
        if (element.IsObject() || element.IsArray()) left.push_back(&element);
      }
    } else if (value.IsObject()) {
      drop_members(value);
      redact(value, classes);
      for (auto& member : value.GetObject()) {
        if (member.value.IsObject() || member.value.IsArray()) left.push_back(&member.value);
      }
    }
  }
}

std::optional<std::string> with_redacted_pointers(std::string_view json,
                                                  const ClassFilter* classes) {
  if (!PointerFilter::may_change(json)) return std::nullopt;
  return PointerFilter(json, classes).run();
}

std::optional<std::string> shown_text(std::string_view text, const ClassFilter* classes) {
  if (!begins_as_json(text)) return std::nullopt;
  if (!may_name_internal(text) && !PointerFilter::may_change(text)) return std::nullopt;
  std::optional<std::string> rest = without_internal(text, classes);
  const std::string_view seen = rest ? *rest : text;
  if (json_shape(seen) == JsonShape::none && names_internal_member(seen)) return std::string();
  return rest;
}

bool may_hold_hidden(std::string_view bytes, const ClassFilter* classes) {
  return may_name_internal(bytes) || shown_text(bytes, classes).has_value();
}

std::optional<std::string> without_internal(std::string_view json, const ClassFilter* classes) {
  const auto text = TextFilter(json).run();
  const auto redacted = with_redacted_pointers(text ? std::string_view(*text) : json, classes);
  return redacted ? redacted : text;
}

}  // namespace gantry::data
