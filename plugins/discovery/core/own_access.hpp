// core/own_access.hpp: what a caller may do, and why it may not do one thing, as answers.
//
// All texts are JSON of the host and of gantry.data/1, made for this caller: they hold nothing that
// it may not see. Pure functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace discovery {

// The inputs of the answer to a call without arguments.
struct Surface {
  std::string_view agent;      // the property "agent"
  std::string_view tools;      // the catalog's items
  std::string_view schemas;    // the meta of "schemas"; empty: no plugin offers classes
  std::string_view max_bytes;  // the property "max_answer_bytes"
};

// {agent, permissions, tools: [name], classes?: [{name, fields}], limits: {bytes, rows?, calls?,
// seconds?}}
std::string own_access(const Surface& surface);

// The answer about one tool, one class, or a tool for a class.
struct Question {
  std::string tool, class_name;  // empty: not asked
};
struct Verdict {
  bool allowed = true;
  std::string reason, suggestion;  // why not, and what works instead; empty: nothing is known
  std::string operations, fields;  // of the class, JSON arrays; empty: not said
  std::string sql = {};            // how SQL names the class, a JSON object; empty: as its name
};
std::string verdict_answer(const Question& question, const Verdict& verdict);

// The verdict on a tool from the catalog's explanation; `tools` are the catalog's items.
Verdict tool_verdict(std::string_view explanation, std::string_view tools);

// The verdict on a class that "access" answered with the error `error`, or nothing if it is no
// denial. `operations`: those that the agent has for this class, a JSON array, or empty.
std::optional<Verdict> class_denial(std::string_view error, std::string_view operations,
                                    std::string_view tools);
// The verdict on a class that "access" answered with `meta`.
Verdict class_verdict(std::string_view meta);

}  // namespace discovery
