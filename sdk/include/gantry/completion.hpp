// gantry/completion.hpp: suggestions for an argument of a prompt or a variable of a URI template.
//
//   offer.prompt("greet", "Greets.", greet).complete("name", [](const gantry::Completing& what) {
//     return names_that_begin_with(what.value);   // std::vector<std::string>, or Completion
//   });
//
// A client asks while its user types, so a completer should answer at once and without side
// effects. MCP: completion/complete. An argument without a completer has no suggestions, which is
// no error. Values; any thread.
//
// Owns: copies of all texts. Limits: of a longer list the host sends the first 100 values. Errors:
// a failed Status ends the request with an error, which a client may not show, so prefer no
// suggestions to an error.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gantry/json.hpp>
#include <gantry/json_writer.hpp>

namespace gantry {

// The argument being completed. All texts are copies with escapes resolved; nothing has been
// checked against the rules of the argument, since the user is still typing.
struct Completing {
  // The prompt's argument, or the URI template's variable.
  std::string argument;
  // The text typed so far, from its beginning; may be empty: then suggest the most likely values.
  std::string value;
  // Other arguments that already have a value, by name. Empty with clients that do not send them.
  std::map<std::string, std::string, std::less<>> others;

  // Parses the arguments of the kind "completion" (ABI.md). Fails with GANTRY_INVALID_ARGUMENT if
  // no argument is named. Handlers need not call it: a Completing parameter is read for them.
  static Result<Completing> from_arguments(const Json& json) {
    const auto text = [](const std::optional<Json>& of, std::string_view member) {
      const std::optional<Json> value = of ? of->find(member) : std::nullopt;
      return value ? value->as_string().value_or("") : std::string();
    };
    // Other values than strings are kept as their JSON text: a client may send what it likes.
    const std::optional<Json> argument = json.find("argument");
    Completing out{text(argument, "name"), text(argument, "value"), {}};
    if (out.argument.empty()) return Status::invalid("argument.name is missing");
    const std::optional<Json> context = json.find("context");
    const std::optional<Json> known = context ? context->find("arguments") : std::nullopt;
    if (!known) return out;
    for (const auto& [name, value] : known->members()) {
      out.others.emplace(name, value.as_string().value_or(std::string(value.text())));
    }
    return out;
  }
};

// Suggestions, best first. The host sends at most 100 values and reports that there are more. A
// handler without totals may return std::vector<std::string> instead.
struct Completion {
  // Complete values, not only the rest of the text typed.
  std::vector<std::string> values;
  // The number of all suggestions, if known; it may be larger than values.size().
  std::optional<std::uint64_t> total = {};
  // There are more than in `values`, whose number is not known.
  bool has_more = false;

  // The answer as the JSON object {values, total?, hasMore?}.
  std::string structured() const {
    std::string text;
    JsonWriter out(text);
    out.begin_object().key("values").begin_array();
    for (const std::string& value : values) out.string(value);
    out.end_array();
    if (total) out.key("total").number(*total);
    if (has_more) out.key("hasMore").boolean(true);
    out.end_object();
    return text;
  }
};

}  // namespace gantry
