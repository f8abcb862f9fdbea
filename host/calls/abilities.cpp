#include "host/calls/abilities.hpp"

#include <array>
#include <utility>

namespace gantry::host {

bool has(const ClientCan& can, Ability ability) {
  switch (ability) {
    case Ability::form:
      return can.elicit_form;
    case Ability::url:
      return can.elicit_url;
    case Ability::sample:
      return can.sample;
    case Ability::sample_with_tools:
      return can.sample_with_tools;
    case Ability::roots:
      return can.list_roots;
    case Ability::tasks:
      return can.tasks;
  }
  return false;
}

// An empty object means forms alone, but not to a client that has named the other mode.
std::string Lacks::elicitation(const ClientCan& can) const {
  if (!lacks(Ability::url)) return can.elicit_url ? R"({"form":{}})" : "{}";
  return lacks(Ability::form) ? R"({"form":{},"url":{}})" : R"({"url":{}})";
}

std::string Lacks::capabilities(const ClientCan& can) const {
  std::string json;
  const auto add = [&json](std::string_view name, std::string_view value) {
    json.append(json.empty() ? "{\"" : ",\"").append(name).append("\":").append(value);
  };
  if (lacks(Ability::form) || lacks(Ability::url)) add("elicitation", elicitation(can));
  if (lacks(Ability::sample_with_tools)) {
    add("sampling", R"({"tools":{}})");
  } else if (lacks(Ability::sample)) {
    add("sampling", "{}");
  }
  if (lacks(Ability::roots)) add("roots", "{}");
  if (lacks(Ability::tasks)) add("extensions", R"({"io.modelcontextprotocol/tasks":{}})");
  return json.empty() ? "{}" : json += '}';
}

std::string Lacks::words(const ClientCan& can) const {
  const std::array<std::pair<Ability, std::string_view>, 6> words{{
      {Ability::form, can.elicit_url ? "elicitation.form" : "elicitation"},
      {Ability::url, "elicitation.url"},
      {Ability::sample, "sampling"},
      {Ability::sample_with_tools, "sampling.tools"},
      {Ability::roots, "roots"},
      {Ability::tasks, "the extension io.modelcontextprotocol/tasks"},
  }};
  std::string text;
  for (const auto& [ability, word] : words) {
    if (!lacks(ability)) continue;
    if (!text.empty()) text += ", ";
    text += word;
  }
  return text;
}

}  // namespace gantry::host
