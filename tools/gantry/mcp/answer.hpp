// tools/gantry/mcp/answer.hpp: the results of tool calls as text.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <rapidjson/fwd.h>

namespace gantry::cli {

enum class Form { pretty, compact, table };

// What a successful result holds, with a line break at its end. Its structured content as JSON, or
// its rows as a table whose lines take at most `width` columns (0: any number), or line by line
// where there are too many columns; without structured content its texts, and its other content as
// JSON.
std::string answer_text(const rapidjson::Value& result, Form form, std::size_t width);

// A ready command for the next page, when the result names one; else empty. `flags` are its last
// words.
std::string next_page(const rapidjson::Value& result, const std::vector<std::string>& flags);

struct Refusal {
  std::string code;  // JSON text: a number of JSON-RPC, or a tool's error code
  std::string message;
};

// The error of a JSON-RPC answer, or of a result with isError or without an end; false: it
// succeeded.
bool is_refused(const rapidjson::Value& answer, Refusal& refusal);

}  // namespace gantry::cli
