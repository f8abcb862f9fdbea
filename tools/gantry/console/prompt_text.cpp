#include "tools/gantry/console/prompt_text.hpp"

#include <vector>

#include <rapidjson/document.h>

#include "tools/gantry/text/json.hpp"
#include "tools/gantry/text/table.hpp"

namespace gantry::cli::console {
namespace {

std::string arguments_text(const rapidjson::Value& prompt) {
  std::string out;
  for (const auto& argument : items(member(prompt, "arguments"))) {
    if (!argument.IsObject()) continue;
    const bool is_required = member(argument, "required").IsTrue();
    const std::string name = printable(text_at(argument, "name"));
    out += (out.empty() ? "" : " ") + (is_required ? name : "[" + name + "]");
  }
  return out;
}

}  // namespace

std::string prompt_table(const rapidjson::Value& listed, std::size_t width) {
  std::vector<std::vector<std::string>> rows{{"NAME", "ARGUMENTS", "DESCRIPTION"}};
  for (const auto& prompt : items(member(listed, "prompts"))) {
    rows.push_back({printable(text_at(prompt, "name")), arguments_text(prompt),
                    printable(text_at(prompt, "description"))});
  }
  return rows.size() == 1 ? "there are no prompts\n" : table(fitted(std::move(rows), width));
}

std::string prompt_messages(const rapidjson::Value& result) {
  std::string out;
  for (const auto& message : items(member(result, "messages"))) {
    const auto& content = member(message, "content");
    const bool has_text = text_at(content, "type") == "text";
    out += printable(text_at(message, "role")) + ":\n";
    out += has_text ? text_at(content, "text") : compact(message);
    if (!out.ends_with('\n')) out += '\n';
  }
  return out;
}

}  // namespace gantry::cli::console
