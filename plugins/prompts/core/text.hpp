// core/text.hpp: words for prompts: lists, diagrams, calls of tools. Values; any thread.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/schema.hpp"

namespace prompts {

using Names = std::vector<std::string>;

// The elements between commas, without the blanks around them and without empty ones.
Names split_list(std::string_view text);

// The first `most` names, separated by commas, and how many more there are.
std::string listed(const Names& names, std::size_t most = 20);

// Those that begin with `prefix`, without regard to ASCII case.
Names that_begin(const Names& names, std::string_view prefix);

// A line for each field: "- home: Pointer to city, required".
std::string field_lines(const ClassSchema& schema);

// A call as models write it: `tool {"class_name":"city","limit":5}`. Values are JSON texts.
using Members = std::vector<std::pair<std::string_view, std::string>>;
std::string object(const Members& members);
std::string tool_call(std::string_view tool, const Members& arguments);
std::string quoted(std::string_view text);  // as a JSON string

// A Mermaid diagram of the pointers among these classes; classes without any stand alone.
std::string diagram(const std::vector<ClassSchema>& classes);

}  // namespace prompts
