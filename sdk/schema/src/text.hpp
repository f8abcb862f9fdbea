// Strings of a schema or a value: views, lengths, hashes, and JSON pointers built from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <rapidjson/document.h>

namespace gantry::schema::detail {

using Json = rapidjson::Value;

// `string` must be a string; the view lives as long as it.
inline std::string_view view(const Json& string) {
  return {string.GetString(), string.GetStringLength()};
}

// The length that minLength and maxLength count. `text` must be UTF-8.
std::size_t code_points(std::string_view text);

// The hash of a name for the slots of a MemberTable; reads every byte, eight at a time.
std::uint32_t hash_name(std::string_view name);

// Appends one segment to a JSON pointer.
std::string with_segment(const std::string& pointer, std::string_view segment);

}  // namespace gantry::schema::detail
