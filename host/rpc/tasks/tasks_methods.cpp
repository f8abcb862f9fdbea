// tasks/get, tasks/update and tasks/cancel: the methods for the tasks that calls became.
#include "host/rpc/core.hpp"
#include "host/rpc/methods.hpp"
#include "host/rpc/rounds/abilities.hpp"

namespace gantry::host::rpc {
namespace {

// The task's id, or an error. The error does not reveal whether another owner's task exists.
struct Named {
  std::string_view id;
  std::optional<Error> error;
};

Named named(const Message& message, const Context& context) {
  if (!abilities_of(message, context).tasks) {
    const std::string extension(kTasksExtension);
    return {{},
            Error::missing_capability("The client must declare the extension " + extension +
                                          " to use " + std::string(message.method()),
                                      "{\"extensions\":{\"" + extension + "\":{}}}")};
  }
  const auto id = text_of(message.param("taskId"));
  if (!id) return {{}, Error::invalid_params("params.taskId must be a string")};
  return {*id, std::nullopt};
}

std::optional<Answer> unknown(const Message& message) {
  return failure(message, Error::unknown_task());
}

std::optional<Answer> accepted(Core& core, const Message& message) {
  return result_of(message, "{\"resultType\":\"complete\"" + core.modern_meta + "}");
}

}  // namespace

std::optional<Answer> get_task(Core& core, const Message& message, const Context& context,
                               Channel&) {
  const Named task = named(message, context);
  if (task.error) return failure(message, *task.error);
  const auto members = core.tasks.get(task.id, context.principal.name);
  if (!members) return unknown(message);
  return result_of(message, "{\"resultType\":\"complete\"," + *members + core.modern_meta + "}");
}

std::optional<Answer> update_task(Core& core, const Message& message, const Context& context,
                                  Channel&) {
  const Named task = named(message, context);
  if (task.error) return failure(message, *task.error);
  const auto* answers = message.param("inputResponses");
  if (answers == nullptr || !answers->IsObject()) {
    return failure(message,
                   Error::invalid_params("params.inputResponses must be an object of answers"));
  }
  if (!core.tasks.update(task.id, context.principal.name, *answers)) return unknown(message);
  return accepted(core, message);
}

std::optional<Answer> cancel_task(Core& core, const Message& message, const Context& context,
                                  Channel&) {
  const Named task = named(message, context);
  if (task.error) return failure(message, *task.error);
  if (!core.tasks.cancel(task.id, context.principal.name)) return unknown(message);
  return accepted(core, message);
}

}  // namespace gantry::host::rpc
