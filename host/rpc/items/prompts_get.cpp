// prompts/get: a prompt filled in with its arguments.
#include <algorithm>

#include "host/rpc/core.hpp"
#include "host/rpc/items/find_item.hpp"
#include "host/rpc/items/run_item.hpp"
#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

bool is_known(const ItemSpec& prompt, std::string_view name) {
  return std::any_of(prompt.arguments.begin(), prompt.arguments.end(),
                     [name](const PromptArgument& argument) { return argument.name == name; });
}

std::string argument_names(const ItemSpec& prompt) {
  if (prompt.arguments.empty()) return "it has none";
  std::string out = "it has ";
  for (const PromptArgument& argument : prompt.arguments) {
    if (out.size() > 7) out += ", ";
    out += argument.name;
  }
  return out;
}

std::optional<Error> check_given(const ItemSpec& prompt, const Value& arguments) {
  for (const auto& [key, value] : arguments.GetObject()) {
    const std::string name(key.GetString(), key.GetStringLength());
    if (!is_known(prompt, name)) {
      return Error::invalid_params("The prompt '" + prompt.name + "' has no argument '" + name +
                                   "'; " + argument_names(prompt));
    }
    if (!value.IsString()) {
      return Error::invalid_params("The argument '" + name + "' of the prompt '" + prompt.name +
                                   "' must be a string");
    }
  }
  return std::nullopt;
}

std::optional<Error> check_arguments(const ItemSpec& prompt, const Value* arguments) {
  if (arguments != nullptr) {
    if (auto error = check_given(prompt, *arguments)) return error;
  }
  for (const PromptArgument& argument : prompt.arguments) {
    if (!argument.required || member(arguments, argument.name) != nullptr) continue;
    return Error::invalid_params("The prompt '" + prompt.name + "' needs the argument '" +
                                 argument.name + "'");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Answer> get_prompt(Core& core, const Message& message, const Context& context,
                                 Channel& channel) {
  const auto name = text_of(message.param("name"));
  if (!name) return failure(message, Error::invalid_params("params.name must be a string"));
  const Value* arguments = message.param("arguments");
  if (arguments != nullptr && !arguments->IsObject()) {
    return failure(message, Error::invalid_params("params.arguments must be an object"));
  }
  Asked asked;
  asked.name = *name;
  const SnapshotPtr snapshot = core.registry.current();
  const Item* prompt =
      find_visible(core.calls, *context.principal.agent, snapshot->prompt_by_name, *name);
  if (prompt == nullptr) return failure(message, not_there(asked, context.revision));
  if (const auto error = check_arguments(prompt->spec, arguments)) return failure(message, *error);
  std::string given(message.arguments_text());
  if (given.empty()) given = "{}";
  return run_item(core, message, context, channel, snapshot, *prompt, std::move(asked),
                  std::move(given));
}

}  // namespace gantry::host::rpc
