// host/auth/jwt/strict_json.hpp: reads the JSON objects of tokens and keys, strictly.
//
// Two readers of one text must never see different values, so what other readers may read
// otherwise is refused: names that stand twice in one object, at any depth, bytes that are no
// UTF-8, half surrogates, numbers that no double holds, and anything behind the object. Pure
// functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <rapidjson/fwd.h>

namespace gantry::host::jwt {

// The deepest JSON of a token.
inline constexpr std::size_t kMaxLevels = 8;

// Reads `text` into `out`; false unless it is one object of at most `levels` levels.
bool read_object(std::string_view text, rapidjson::Document& out, std::size_t levels = kMaxLevels);

// A member of an object, or null. Compares the whole name, NUL included.
const rapidjson::Value* member_of(const rapidjson::Value& object, std::string_view name);

// A string of 1 to `most` bytes without control characters; nothing for null and other values.
std::optional<std::string_view> plain_text(const rapidjson::Value* value, std::size_t most);

}  // namespace gantry::host::jwt
