// tasks/get, tasks/result and tasks/cancel of 2025-11-25: the methods for the tasks that clients
// requested.
#include <atomic>

#include "host/base/json.hpp"
#include "host/base/live_count.hpp"
#include "host/rpc/core.hpp"
#include "host/rpc/items/request_output.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/methods.hpp"

namespace gantry::host::rpc {
namespace {

constexpr auto kForm = Tasks::Form::requested;

// The task's id, or an error. Other legacy revisions do not have these methods.
struct Requested {
  std::string_view id;
  std::optional<Error> error;
};

Requested requested(const Message& message, const Context& context) {
  if (!Features(context.revision).requested_tasks()) {
    return {{}, Error::method_not_found(message.method(), false)};
  }
  const auto id = text_of(message.param("taskId"));
  if (!id) return {{}, Error::invalid_params("params.taskId must be a string")};
  return {*id, std::nullopt};
}

// The result names its task, because its request had another id.
Answer answer_of(const Tasks::Ended& ended, std::string_view request, std::string_view task) {
  if (ended.how == Tasks::End::cancelled) {
    const Error error{kServerError, "The task was cancelled", 200, {}};
    return {error.to_message(request)};
  }
  if (ended.how == Tasks::End::failed) {
    return {response_head(request, "error", ended.json.size() + 1) + ended.json + "}"};
  }
  std::string result = ended.json;
  result.pop_back();
  result += ",\"_meta\":{\"io.modelcontextprotocol/related-task\":{\"taskId\":";
  append_json_string(result, task);
  return {result_message(request, result + "}}}")};
}

// A request that waits for the end of a task.
struct ResultWait {
  ResultWait(Core& core, std::shared_ptr<Sink> sink)
      : scoped_count(core.runs), output(std::move(sink)) {}

  const ScopedCount scoped_count;
  RequestOutput output;
  std::atomic<std::uint64_t> number{0};  // of Tasks::wait()
};

}  // namespace

std::optional<Answer> get_requested_task(Core& core, const Message& message, const Context& context,
                                         Channel&) {
  const Requested task = requested(message, context);
  if (task.error) return failure(message, *task.error);
  const auto members = core.tasks.get(task.id, context.principal.name, kForm);
  if (!members) return failure(message, Error::unknown_task());
  return result_of(message, "{" + *members + "}");
}

std::optional<Answer> result_of_task(Core& core, const Message& message, const Context& context,
                                     Channel& channel) {
  const Requested task = requested(message, context);
  if (task.error) return failure(message, *task.error);
  if (!core.tasks.has_ended(task.id, context.principal.name))
    return failure(message, Error::unknown_task());
  const auto sink = channel.sink();
  const auto wait = std::make_shared<ResultWait>(core, sink);
  const std::string id(task.id), request(message.id());
  // The sink keeps the wait, and the wait the sink, until the answer.
  sink->started([&core, wait, id, request](Stop) {
    core.tasks.drop_wait(id, wait->number);
    const Error error{kServerError, "The request was cancelled; its task continues", 200, {}};
    wait->output.answer({error.to_message(request)});
  });
  const auto number =
      core.tasks.wait(id, context.principal.name, [wait, id, request](const Tasks::Ended& ended) {
        wait->output.answer(answer_of(ended, request, id));
      });
  if (number) wait->number = *number;
  if (!number) wait->output.answer(failure(message, Error::unknown_task()));
  return std::nullopt;
}

std::optional<Answer> cancel_requested_task(Core& core, const Message& message,
                                            const Context& context, Channel&) {
  const Requested task = requested(message, context);
  if (task.error) return failure(message, *task.error);
  const std::string& owner = context.principal.name;
  const auto is_over = core.tasks.has_ended(task.id, owner);
  if (!is_over) return failure(message, Error::unknown_task());
  if (*is_over) {
    return failure(message, Error::invalid_params("The task has ended; it cannot be cancelled"));
  }
  core.tasks.cancel(task.id, owner, kForm);
  const auto members = core.tasks.get(task.id, owner, kForm);
  if (!members) return failure(message, Error::unknown_task());
  return result_of(message, "{" + *members + "}");
}

}  // namespace gantry::host::rpc
