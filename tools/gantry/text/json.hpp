// tools/gantry/text/json.hpp: reads answers of hosts and formats them for a terminal.
//
// Pure functions.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/fwd.h>

#include <gantry/result.hpp>

namespace gantry::cli {

// The document, or null when `text` is not JSON.
rapidjson::Document parsed(std::string_view text);

// A JSON-RPC request with the id 1. `params` is JSON text.
std::string rpc_request(const std::string& method, const std::string& params);

// The result of a JSON-RPC answer as JSON text; GANTRY_FAILED with its error's message.
Result<std::string> result_of(std::string_view answer);

// error.message of an answer; empty when there is none.
std::string message_of(const rapidjson::Value& answer);

// A member; null when `object` has none of that name, or is no object.
const rapidjson::Value* find_member(const rapidjson::Value& object, const char* name);
// The same, for where it makes no difference: a null value when there is none.
const rapidjson::Value& member(const rapidjson::Value& object, const char* name);
// The items of an array; none when it is no array.
std::span<const rapidjson::Value> items(const rapidjson::Value& array);

// The strings of an array.
std::vector<std::string> texts_of(const rapidjson::Value& array);

// A string member; empty when it is missing or not a string.
std::string text_at(const rapidjson::Value& object, const char* name);
// A number member; 0 when it is missing or not a number.
std::uint64_t number_at(const rapidjson::Value& object, const char* name);

// "sales for u17": the caller in {agent, user?…}.
std::string agent_text(const rapidjson::Value& object);

// The names in {plugins: [{name}…]}.
std::vector<std::string> names_of(const rapidjson::Value& answer);

// An object of string members; as visible_json().
std::string object(std::initializer_list<std::pair<std::string_view, std::string_view>> members);

// As visible_json().
std::string compact(const rapidjson::Value& value);
std::string pretty(const rapidjson::Value& value);

// JSON text with \uXXXX for what printable() blanks, of which JSON itself escapes only a part.
std::string visible_json(std::string_view json);

// The text with blanks for control characters and marks that turn the direction of text, which a
// terminal would interpret.
std::string printable(std::string_view text);
// The same, but line breaks and tabs stay.
std::string printable_lines(std::string_view text);

}  // namespace gantry::cli
