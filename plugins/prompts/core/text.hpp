// core/text.hpp: text for prompts: lists, diagrams, tool calls. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/schema.hpp"

namespace prompts {

using Names = std::vector<std::string>;

// Splits at commas; trims blanks and skips empty elements.
Names split_list(std::string_view text);

// The first `most` names, separated by commas, and the number of further ones.
std::string listed(const Names& names, std::size_t most = 20);

// The names that begin with `prefix`, ignoring ASCII case.
Names that_begin(const Names& names, std::string_view prefix);

// A line for each field: "- home: Pointer to city, required".
std::string field_lines(const ClassSchema& schema);

// A tool call in the form that models write: `tool {"class_name":"city","limit":5}`. Values are
// JSON texts.
using Members = std::vector<std::pair<std::string_view, std::string>>;
std::string object(const Members& members);
std::string tool_call(std::string_view tool, const Members& arguments);
std::string quoted(std::string_view text);  // as a JSON string

// A Mermaid diagram of the pointers between these classes; classes without pointers stand alone.
std::string diagram(const std::vector<ClassSchema>& classes);

}  // namespace prompts
