// host/rpc/methods.hpp (private): the method tables of both eras over one set of features.
//
// A new method is a function here and a row in the table of each era that has it.
#pragma once

#include <optional>
#include <string_view>

#include "host/rpc/message/context.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

struct Core;

using Handler = std::optional<Answer> (*)(Core&, const Message&, const Context&, Channel&);

// The handler of a method in an era, or null.
Handler find_method(Era era, std::string_view method);

// The features.
std::optional<Answer> discover(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> initialize(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> ping(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> set_level(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> list_tools(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> list_prompts(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> list_resources(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> list_templates(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> get_prompt(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> read_resource(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> complete(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> call_tool(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> listen(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> subscribe(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> unsubscribe(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> get_task(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> update_task(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> cancel_task(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> get_requested_task(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> result_of_task(Core&, const Message&, const Context&, Channel&);
std::optional<Answer> cancel_requested_task(Core&, const Message&, const Context&, Channel&);

// The response to `message` whose result is the JSON text `result`.
Answer result_of(const Message& message, std::string_view result);
inline Answer failure(const Message& message, const Error& error) {
  return {error.to_message(message.id()), error.status};
}

}  // namespace gantry::host::rpc
