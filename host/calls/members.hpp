// host/calls/members.hpp (private): members of parsed JSON objects. Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <rapidjson/document.h>

namespace gantry::host {

// Null when the object has no such member.
inline const rapidjson::Value* member(const rapidjson::Value& object, std::string_view name) {
  const auto size = static_cast<rapidjson::SizeType>(name.size());
  const auto it = object.FindMember(rapidjson::Value(rapidjson::StringRef(name.data(), size)));
  return it == object.MemberEnd() ? nullptr : &it->value;
}

// A value as the rules of sdk/contract/answer_forms.hpp and question_forms.hpp read it. Borrows the
// value.
class JsonView {
 public:
  explicit JsonView(const rapidjson::Value& value) : value_(&value) {}

  bool is_string() const { return value_->IsString(); }
  bool is_object() const { return value_->IsObject(); }
  bool is_array() const { return value_->IsArray(); }
  std::optional<std::int64_t> as_integer() const {
    return value_->IsInt64() ? std::optional(value_->GetInt64()) : std::nullopt;
  }
  std::vector<JsonView> elements() const {
    if (!is_array()) return {};
    return {value_->Begin(), value_->End()};
  }
  std::optional<std::string_view> as_string() const {
    if (!is_string()) return std::nullopt;
    return std::string_view(value_->GetString(), value_->GetStringLength());
  }
  std::optional<JsonView> find(std::string_view name) const {
    const rapidjson::Value* const found = value_->IsObject() ? member(*value_, name) : nullptr;
    if (found == nullptr) return std::nullopt;
    return JsonView(*found);
  }

 private:
  const rapidjson::Value* value_;
};

}  // namespace gantry::host
