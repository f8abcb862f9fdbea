#include "policy/internal.hpp"

#include <algorithm>
#include <vector>

#include "policy/scope.hpp"

namespace gantry::data {
namespace {

using Json = rapidjson::Value;

bool has_internal(const Value& value) {
  if (!value.is_array() && !value.is_object()) return false;
  Spending::step_current();
  SmallSteps step;
  if (value.is_array()) {
    return std::any_of(value.elements().begin(), value.elements().end(),
                       [&](const Value& element) { return step(), has_internal(element); });
  }
  return std::any_of(value.members().begin(), value.members().end(), [&](const Member& member) {
    step();
    return is_internal_field(member.name) || has_internal(member.value);
  });
}

Value shown(const Value& value) {
  if (!value.is_array() && !value.is_object()) return value;
  Spending::step_current();
  SmallSteps step;
  if (value.is_array()) {
    Array elements;
    for (const Value& element : value.elements()) {
      step();
      elements.push_back(shown(element));
    }
    return Value::array(std::move(elements));
  }
  Members members;
  for (const Member& member : value.members()) {
    step();
    if (!is_internal_field(member.name)) members.push_back({member.name, shown(member.value)});
  }
  return ObjectBuilder(std::move(members)).build();
}

void drop_members(Json& object) {
  for (auto member = object.MemberBegin(); member != object.MemberEnd();) {
    const std::string_view name(member->name.GetString(), member->name.GetStringLength());
    member = is_internal_field(name) ? object.EraseMember(member) : member + 1;
  }
}

// Copies JSON text without its internal members, in whole stretches between two such members.
class TextFilter {
 public:
  explicit TextFilter(std::string_view json) : json_(json) {}

  std::optional<std::string> run() {
    for (at_ = json_.find('"'); at_ < json_.size(); at_ = json_.find('"', at_)) {
      const std::size_t begin = at_;
      skip_string();
      const std::string_view quoted = json_.substr(begin, at_ - begin);
      skip_space();
      const bool is_name = at_ < json_.size() && json_[at_] == ':';
      if (is_name && is_internal_text(quoted)) drop(begin);
    }
    if (copied_ == 0) return std::nullopt;
    kept_ += json_.substr(copied_);
    return std::move(kept_);
  }

 private:
  // `quoted` with its quotes, escapes as written.
  static bool is_internal_text(std::string_view quoted) {
    const std::string_view name = quoted.substr(1, quoted.size() - 2);
    if (name.find('\\') == std::string_view::npos) return is_internal_field(name);
    rapidjson::Document plain;
    plain.Parse(quoted.data(), quoted.size());
    return plain.IsString() && is_internal_field({plain.GetString(), plain.GetStringLength()});
  }

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

  void skip_string() {
    for (++at_; at_ < json_.size() && json_[at_] != '"'; ++at_) {
      if (json_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, json_.size());
  }

  void skip_space() { at_ = std::min(json_.find_first_not_of(" \t\r\n", at_), json_.size()); }

  void skip_value() {
    skip_space();
    std::size_t depth = 0;
    while (at_ < json_.size()) {
      const char c = json_[at_];
      const bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';
      if (depth == 0 && (closes || c == ',')) return;
      if (c == '"') {
        skip_string();
      } else {
        ++at_;
      }
      if (opens) ++depth;
      if (closes) --depth;
    }
  }

  std::string_view json_;
  std::string kept_;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;  // everything before it is in kept_ or was dropped
};

}  // namespace

bool names_internal(std::string_view path) {
  for (;;) {
    const auto dot = path.find('.');
    if (is_internal_field(path.substr(0, dot))) return true;
    if (dot == std::string_view::npos) return false;
    path.remove_prefix(dot + 1);
  }
}

void drop_internal(Value& value) {
  if (has_internal(value)) value = shown(value);
}

void drop_internal(rapidjson::Value& json) {
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
      for (auto& member : value.GetObject()) {
        if (member.value.IsObject() || member.value.IsArray()) left.push_back(&member.value);
      }
    }
  }
}

std::optional<std::string> without_internal(std::string_view json) {
  return TextFilter(json).run();
}

}  // namespace gantry::data
