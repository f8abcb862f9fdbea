// gantry/completion.hpp: suggestions for an argument of a prompt or a variable of a URI template.
//
//   offer.prompt("greet", "Greets.", greet).complete("name", [](const gantry::Completing& what) {
//     return names_that_begin_with(what.value);   // std::vector<std::string>, or Completion
//   });
//
// Values; any thread.
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

// The argument being completed.
struct Completing {
  std::string argument;  // the prompt's argument, or the URI template's variable
  std::string value;     // the text typed so far; may be empty
  // Other arguments that already have a value.
  std::map<std::string, std::string, std::less<>> others;

  // Parses the arguments of the kind "completion" (ABI.md).
  static Result<Completing> from_arguments(const Json& json) {
    const auto text = [](const std::optional<Json>& of, std::string_view member) {
      const std::optional<Json> value = of ? of->find(member) : std::nullopt;
      return value ? value->as_string().value_or("") : std::string();
    };
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

// Suggestions, best first. The host sends at most 100 values and reports that there are more.
struct Completion {
  std::vector<std::string> values;
  std::optional<std::uint64_t> total = {};  // number of all suggestions, if known
  bool has_more = false;                    // there are more than in `values`

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
