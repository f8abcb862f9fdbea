#include "host/rpc/dispatcher.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "host/rpc/core.hpp"
#include "host/rpc/items/download.hpp"
#include "host/rpc/listen/listeners.hpp"
#include "host/rpc/listen/scoped_lists.hpp"
#include "host/rpc/listen/session_listeners.hpp"
#include "host/rpc/message/envelope.hpp"
#include "host/rpc/methods.hpp"
#include "host/rpc/request_trace.hpp"

namespace gantry::host::rpc {
namespace {

using Row = std::pair<std::string_view, Handler>;

constexpr std::array kModern = {
    Row{"tools/call", call_tool},         Row{"tools/list", list_tools},
    Row{"server/discover", discover},     Row{"tasks/get", get_task},
    Row{"tasks/update", update_task},     Row{"tasks/cancel", cancel_task},
    Row{"subscriptions/listen", listen},  Row{"prompts/list", list_prompts},
    Row{"prompts/get", get_prompt},       Row{"resources/list", list_resources},
    Row{"resources/read", read_resource}, Row{"resources/templates/list", list_templates},
    Row{"completion/complete", complete},
};

constexpr std::array kLegacy = {
    Row{"tools/call", call_tool},
    Row{"tools/list", list_tools},
    Row{"ping", ping},
    Row{"initialize", initialize},
    Row{"logging/setLevel", set_level},
    Row{"resources/subscribe", subscribe},
    Row{"resources/unsubscribe", unsubscribe},
    Row{"prompts/list", list_prompts},
    Row{"prompts/get", get_prompt},
    Row{"resources/list", list_resources},
    Row{"resources/read", read_resource},
    Row{"resources/templates/list", list_templates},
    Row{"completion/complete", complete},
    Row{"tasks/get", get_requested_task},
    Row{"tasks/result", result_of_task},
    Row{"tasks/cancel", cancel_requested_task},
};

template <class Table>
Handler find_in(const Table& table, std::string_view method) {
  for (const auto& [name, handler] : table) {
    if (name == method) return handler;
  }
  return nullptr;
}

// The handler's answer, now or later, ends the request's time and its span.
std::optional<Answer> traced(Core& core, Handler handler, const Message& message,
                             const Context& context, Channel& channel) {
  const auto trace = RequestTrace::begin(core.metrics, core.settings.tracer, message, context);
  Context with_trace = context;
  with_trace.trace = trace;
  TracedChannel traced_channel(channel, trace);
  auto now = handler(core, message, with_trace, traced_channel);
  if (now) trace->end(now->body);
  return now;
}

}  // namespace

Handler find_method(Era era, std::string_view method) {
  return era == Era::modern ? find_in(kModern, method) : find_in(kLegacy, method);
}

Answer result_of(const Message& message, std::string_view result) {
  return {result_message(message.id(), result)};
}

Dispatcher::Dispatcher(const Registry& registry, Calls& calls, Log& log, Metrics& metrics, Bus& bus,
                       const Clock& clock, ProtocolSettings settings)
    : core_(
          std::make_unique<Core>(registry, calls, log, metrics, bus, clock, std::move(settings))) {}

// The engine counts a call as finished before its thread has released references into Core.
Dispatcher::~Dispatcher() {
  constexpr std::chrono::seconds kLetGo(5);
  wait_finished(std::chrono::steady_clock::now() + kLetGo);
}

std::optional<Answer> Dispatcher::request(const Message& message, const Context& context,
                                          Channel& channel) noexcept {
  const ReleaseSnapshotOnExit release;
  try {
    const Era era = context.era();
    const Handler handler = find_method(era, message.method());
    if (handler == nullptr) {
      core_->metrics.operation_ended(Metrics::Method(), "", "-32601", {});
      return failure(message, Error::method_not_found(message.method(), era == Era::modern));
    }
    return traced(*core_, handler, message, context, channel);
  } catch (const std::exception& problem) {
    core_->log.write(Level::error, "request failed inside",
                     {{"method", message.method()}, {"problem", problem.what()}});
  } catch (...) {
    core_->log.write(Level::error, "request failed inside", {{"method", message.method()}});
  }
  return failure(message, Error::internal());
}

void Dispatcher::notification(const Message& message, const Context& context) noexcept {
  if (message.method() == "notifications/initialized" && context.session != nullptr) {
    return context.session->set_ready();
  }
  if (message.method() != "notifications/cancelled" || context.session == nullptr) return;
  try {
    const auto* id = message.param("requestId");
    if (id != nullptr) context.session->running().cancel(id_key(*id));
  } catch (...) {
    core_->log.write(Level::error, "cancellation failed inside");
  }
}

void Dispatcher::listening(Session& session, AgentPtr agent) noexcept {
  try {
    core_->scoped_lists->expect({agent, session.principal(), ""}, [] {});
    core_->session_listeners->listening(session, std::move(agent));
  } catch (...) {
    core_->log.write(Level::error, "listening failed inside");
  }
}

// Open work comes first: a request that is about to listen is told, or stands among the listeners.
void Dispatcher::take_agents(const ChangedAgents& changed) noexcept {
  try {
    const SnapshotPtr snapshot = core_->registry.snapshot();
    const AgentChanges changes{changed, core_->calls, *snapshot};
    core_->open_work.take_agents(changes);
    core_->session_listeners->take_agents(changes);
    core_->listeners->take_agents(changes);
    core_->scoped_lists->expect_all();
    core_->tasks.cancel_of(changed.withdrawn);
    core_->approvals->take_agents(changed.withdrawn,
                                  [&changes](std::string_view principal, const AgentPtr& before) {
                                    return changes.successor(principal, before);
                                  });
  } catch (...) {
    core_->log.write(Level::error, "taking over changed agents failed inside");
  }
}

std::optional<Tier> Dispatcher::lacking_tier(const Message& message, const Agent& agent) const {
  if (message.kind() == Message::Kind::batch) {
    std::optional<Tier> most;
    for (const std::string_view text : message.elements()) {
      Message element(text);
      if (text.empty() || element.parse() || element.kind() == Message::Kind::batch) continue;
      most = std::max(most, lacking_tier(element, agent));
    }
    return most;
  }
  if (message.kind() != Message::Kind::request || message.method() != "tools/call") return {};
  const auto name = text_of(message.param("name"));
  if (!name || !agent.tools.allows(*name)) return std::nullopt;
  const SnapshotPtr snapshot = core_->registry.snapshot();
  const auto tool = snapshot->tool_by_name.find(*name);
  if (tool == snapshot->tool_by_name.end()) return std::nullopt;
  const Tier tier = tool->second->spec.tier;
  return agent.tier < tier ? std::optional(tier) : std::nullopt;
}

std::shared_ptr<Download> Dispatcher::download(const Principal& principal, std::string_view id,
                                               Party party) {
  const auto download = std::make_shared<Download>(*core_, principal, party, id);
  core_->open_work.add(download);
  return download;
}

bool Dispatcher::wait_finished(std::chrono::steady_clock::time_point deadline) const {
  return core_->runs.wait_for_none(deadline);
}

void Dispatcher::end_approvals() noexcept {
  try {
    core_->approvals->end_all();
  } catch (...) {
    core_->log.write(Level::error, "ending the approvals failed inside");
  }
}

void Dispatcher::stop() noexcept {
  end_approvals();
  try {
    core_->tasks.cancel_all();
  } catch (...) {
    core_->log.write(Level::error, "stopping the tasks failed inside");
  }
}

std::size_t Dispatcher::tasks() const { return core_->tasks.active(); }

std::vector<ActiveCall> Dispatcher::active_calls() const { return core_->open_work.active_calls(); }

bool Dispatcher::cancel_call(std::uint64_t id) { return core_->open_work.cancel(id); }

std::vector<ListeningClient> Dispatcher::listening_clients() const {
  std::vector<ListeningClient> out;
  core_->listeners->add_clients(out);
  core_->session_listeners->add_clients(out);
  return out;
}

void Dispatcher::response(const Message& message, const Context& context) noexcept {
  const auto id = message.id_text();
  if (context.session == nullptr || !id) return;
  try {
    ClientAnswer answer;
    if (const auto* result = message.result(); result != nullptr && result->IsObject()) {
      answer.result = json_of(*result);
    } else {
      answer.error = text_of(member(message.error(), "message")).value_or("no result");
      if (answer.error.empty()) answer.error = "no reason given";
    }
    context.session->client_requests().answer(*id, std::move(answer));
  } catch (...) {
    core_->log.write(Level::error, "a client's answer failed inside");
  }
}

}  // namespace gantry::host::rpc
