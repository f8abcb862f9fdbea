// host/calls/members.hpp (private): members of parsed JSON objects. Pure functions; any thread.
#pragma once

#include <string_view>

#include <rapidjson/document.h>

namespace gantry::host {

// Null when the object has no such member.
inline const rapidjson::Value* member(const rapidjson::Value& object, std::string_view name) {
  const auto size = static_cast<rapidjson::SizeType>(name.size());
  const auto it = object.FindMember(rapidjson::Value(rapidjson::StringRef(name.data(), size)));
  return it == object.MemberEnd() ? nullptr : &it->value;
}

inline bool has_string(const rapidjson::Value& object, std::string_view name) {
  const rapidjson::Value* const value = member(object, name);
  return value != nullptr && value->IsString();
}

}  // namespace gantry::host
