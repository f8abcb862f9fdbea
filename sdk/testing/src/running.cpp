// Calls of the fake host: refused or entered, and entered again with the client's answers.
#include <algorithm>

#include <gantry/call.hpp>

#include "impl.hpp"

namespace gantry::testing {

using detail::Phase;

namespace {

// The error in the arguments of a prompt: all must be text, required ones must be present.
std::string prompt_problem(const detail::Item& item, std::string_view arguments) {
  const Result<Json> json = Json::parse(arguments);
  if (!json || !json->is_object()) return "arguments: not a JSON object";
  for (const contract::PromptArgument& known : item.arguments) {
    if (known.required && !json->find(known.name)) {
      return "arguments." + known.name + ": is missing";
    }
  }
  for (const auto& [name, value] : json->members()) {
    if (!value.is_string()) return "arguments." + name + ": expected text";
    const auto same = [&key = name](const auto& known) { return known.name == key; };
    if (std::none_of(item.arguments.begin(), item.arguments.end(), same)) {
      return "arguments." + name + ": the prompt has no such argument";
    }
  }
  return {};
}

}  // namespace

void RunningCall::cancel() {
  state_->cancelled = true;
  if (gantry_call* const call = state_->call) detail::kill_call(*call, false);
}

Reply RunningCall::wait() {
  const std::lock_guard lock(state_->waiting);
  if (!state_->last) state_->last = state_->wait_for_reply();
  return *state_->last;
}

void RunningCall::State::enter(detail::Inputs inputs) {
  auto made =
      std::make_unique<gantry_call>(*host, kind, name, arguments, caller,
                                    detail::nanoseconds_from_now(timeout), std::move(inputs));
  gantry_call* const next = call = made.get();
  {
    const std::lock_guard lock(host->mutex);
    host->calls.push_back(std::move(made));
  }
  join();
  inside = host->call_threads.run([next] { detail::enter_plugin(*next); });
}

// False if the plugin has not finished the call long after its deadline.
bool RunningCall::State::wait_for_end(gantry_call& entered) {
  const auto ended = [&] { return entered.state.is_over() && entered.returned; };
  const std::chrono::steady_clock::time_point deadline{std::chrono::nanoseconds(entered.deadline)};
  std::unique_lock lock(entered.mutex);
  if (entered.changed.wait_until(lock, deadline, ended)) return true;
  lock.unlock();
  detail::kill_call(entered, true);
  lock.lock();
  return entered.changed.wait_for(lock, host->options.patience, ended);
}

Reply RunningCall::State::wait_for_reply() {
  if (call == nullptr) return early;
  for (;;) {
    gantry_call& entered = *call;
    if (!wait_for_end(entered)) {
      host->violation(detail::label(entered) +
                      " is still running long after its deadline; poll cancelled()");
      Reply reply;
      reply.status = GANTRY_TIMED_OUT;
      reply.timed_out = true;
      reply.error_code = "timeout";
      return reply;
    }
    join();
    std::optional<detail::Inputs> next;
    if (!cancelled) next = detail::next_round(entered);
    if (!next || host->phase != Phase::started) return detail::settle(entered);
    enter(std::move(*next));
  }
}

// The reason why the plugin is not entered, or a reply without error.
Reply FakeHost::Impl::refusal(std::string_view kind, std::string_view name,
                              std::string_view arguments, const CallOptions& options) {
  const auto refuse = [](gantry_status status, std::string message) {
    Reply reply;
    reply.status = status;
    reply.error_code = error_code(status);
    reply.message = std::move(message);
    return reply;
  };
  if (Status status = start(); !status) return refuse(status.code(), status.message());
  if (state.phase != Phase::started) return refuse(GANTRY_STOPPING, "the plugin is stopped");
  if (kind == "self_check") return {};
  const std::string_view listed = kind == "resource_list" ? "resource_template" : kind;
  const std::lock_guard lock(state.mutex);
  const detail::Item* const item = state.find(listed, name);
  if (item == nullptr || (kind == "resource_list" && !item->lists)) {
    return refuse(GANTRY_NOT_FOUND, std::string(kind) + " '" + std::string(name) +
                                        "' is not among the plugin's items");
  }
  if (options.skip_validation) return {};
  const auto& schema = item->compiled.input;
  const std::string text = kind == "prompt" ? prompt_problem(*item, arguments)
                           : schema         ? detail::mismatch(*schema, arguments, "arguments")
                                            : std::string();
  return text.empty() ? Reply() : refuse(GANTRY_INVALID_ARGUMENT, text);
}

std::shared_ptr<RunningCall::State> FakeHost::Impl::begin(std::string_view kind,
                                                          std::string_view name,
                                                          std::string_view arguments,
                                                          const CallOptions& options) {
  auto running = std::make_shared<RunningCall::State>();
  running->host = &state;
  running->early = refusal(kind, name, arguments, options);
  return running->early.ok() ? enter(kind, name, arguments, options) : running;
}

std::shared_ptr<RunningCall::State> FakeHost::Impl::enter(std::string_view kind,
                                                          std::string_view name,
                                                          std::string_view arguments,
                                                          const CallOptions& options) {
  auto running = std::make_shared<RunningCall::State>();
  running->host = &state;
  running->kind = kind;
  running->name = name;
  running->arguments = arguments;
  running->caller = {options.agent.empty() ? state.options.agent : options.agent,
                     options.agent_scope.empty() ? state.options.agent_scope : options.agent_scope,
                     options.is_of_host};
  running->timeout = options.timeout;
  running->enter({});
  return running;
}

Reply FakeHost::Impl::run(std::string_view kind, std::string_view name, std::string_view arguments,
                          const CallOptions& options) {
  return RunningCall(begin(kind, name, arguments, options)).wait();
}

}  // namespace gantry::testing
