// tools/gantry/text/json.hpp: reading answers of hosts and showing them to people.
//
// Pure functions.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include <gantry/result.hpp>

namespace gantry::cli {

// The document, or null when `text` is no JSON.
rapidjson::Document parsed(std::string_view text);

// The result of a JSON-RPC answer as JSON text; GANTRY_FAILED with its error's message.
Result<std::string> result_of(std::string_view answer);

// error.message of an answer; empty when there is none.
std::string message_of(const rapidjson::Value& answer);

// A member that is a text; empty when it is none.
std::string text_at(const rapidjson::Value& object, const char* name);
// A member that is a number; 0 when it is none.
std::uint64_t number_at(const rapidjson::Value& object, const char* name);

// The names in {plugins: [{name}…]}.
std::vector<std::string> names_of(const rapidjson::Value& answer);

// An object of texts.
std::string object(std::initializer_list<std::pair<std::string_view, std::string_view>> members);

std::string compact(const rapidjson::Value& value);
std::string pretty(const rapidjson::Value& value);

// Without what a terminal would take for a command.
std::string printable(std::string_view text);

}  // namespace gantry::cli
