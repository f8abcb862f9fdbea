// tools/gantry/mcp/tool.hpp: what a tool's description in tools/list says, for people.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>

#include <rapidjson/fwd.h>

namespace gantry::cli {

// The tool of that name in {"tools":[…]}; null: there is none.
const rapidjson::Value* find_tool(const rapidjson::Document& listed, const std::string& name);

// The schema of the tool's arguments; an empty object: it has none.
const rapidjson::Value& schema_of(const rapidjson::Value& tool);

// The sentence for a name that no tool has, with the nearest.
std::string no_such_tool(const rapidjson::Document& listed, const std::string& name);

// The tools as a table of names, categories and first sentences; lines take at most `width` columns
// (0: any number).
std::string tool_table(const rapidjson::Document& listed, std::size_t width);

// "query_class(class_name:str, [limit:int])".
std::string signature_of(const rapidjson::Value& tool);
// A line for each tool; its name alone.
std::string tool_names(const rapidjson::Document& listed);
std::string signatures(const rapidjson::Document& listed);

// The params of tools/call; `arguments` is a JSON object.
std::string params_of_call(const std::string& tool, const std::string& arguments);

// A tool's description, its signature, a table of its arguments, and an example of its call.
std::string tool_page(const rapidjson::Value& tool, std::size_t width);

}  // namespace gantry::cli
