// tools/call: finds the tool and checks the form of headers and arguments.
#include "host/registry/find.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/start_item.hpp"
#include "host/rpc/methods.hpp"
#include "host/rpc/results/tool_result.hpp"

namespace gantry::host::rpc {
namespace {

using Value = rapidjson::Value;

std::optional<Error> check_shape(const Message& message, const Value* arguments) {
  if (!text_of(message.param("name"))) return Error::invalid_params("params.name must be a string");
  if (arguments != nullptr && !arguments->IsObject()) {
    return Error::invalid_params("params.arguments must be an object");
  }
  return std::nullopt;
}

// Reads params.task into `wanted`, for the revision that has it.
std::optional<Error> read_task(const Message& message, const Context& context, const Item* tool,
                               bool& wanted) {
  const Value* task = message.param("task");
  if (task == nullptr || context.session == nullptr) return std::nullopt;
  if (!Features(context.revision).requested_tasks()) return std::nullopt;
  if (!task->IsObject()) return Error::invalid_params("params.task must be an object");
  if (tool == nullptr) return std::nullopt;
  wanted = can_be_task(*tool);
  if (wanted) return std::nullopt;
  return Error{
      kMethodNotFound,
      "The tool '" + tool->spec.name + "' does not run as a task: call it without params.task",
      200,
      {}};
}

}  // namespace

std::optional<Answer> call_tool(Core& core, const Message& message, const Context& context,
                                Channel& channel) {
  const Value* arguments = message.param("arguments");
  const auto name = text_of(message.param("name"));
  const SnapshotPtr snapshot = core.registry.current();
  const Item* tool = name ? find_item(snapshot->tool_by_name, *name) : nullptr;
  if (tool != nullptr && context.headers != nullptr && context.era() == Era::modern) {
    const auto expected = core.param_headers.of(*snapshot, *tool);
    if (auto error = check_param_headers(*expected, arguments, *context.headers)) {
      return failure(message, *error);
    }
  }
  if (const auto error = check_shape(message, arguments)) return failure(message, *error);
  ItemEntry request;
  if (const auto error = read_task(message, context, tool, request.wants_task)) {
    return failure(message, *error);
  }
  request.snapshot = snapshot;
  request.item = tool;
  request.name = *name;
  request.arguments = message.arguments_text();
  request.parsed = arguments;
  request.finish = [tool_name = std::string(*name)](ItemAnswer&& answer, std::string_view id,
                                                    std::string_view revision,
                                                    std::string_view modern_meta) {
    return tool_result(std::move(answer), id, tool_name, revision, modern_meta);
  };
  return start_item_request(core, message, context, channel, std::move(request));
}

}  // namespace gantry::host::rpc
