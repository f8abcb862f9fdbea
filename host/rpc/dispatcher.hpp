// host/rpc/dispatcher.hpp: runs the method of a JSON-RPC message and delivers its answer.
//
// It does not depend on a transport: each transport passes its facts in a Context. Any thread;
// nothing here throws.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "host/calls/calls.hpp"
#include "host/observe/log.hpp"
#include "host/observe/metrics.hpp"
#include "host/registry/registry.hpp"
#include "host/rpc/active_call.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/message/message.hpp"
#include "host/rpc/protocol_settings.hpp"

namespace gantry::host::rpc {

struct Core;
class Download;

class Dispatcher {
 public:
  // All must outlive the dispatcher.
  Dispatcher(const Registry& registry, Calls& calls, Log& log, Metrics& metrics, Bus& bus,
             const Clock& clock, ProtocolSettings settings);
  // Waits up to 5 s until the requests that it began have released their references.
  ~Dispatcher();

  // Answers a request at once, or nothing: then the answer goes to the sink of `channel`, perhaps
  // before this returns.
  std::optional<Answer> request(const Message& message, const Context& context,
                                Channel& channel) noexcept;
  // Handles a notification; unknown ones are ignored. Borrows its arguments until it returns.
  void notification(const Message& message, const Context& context) noexcept;
  // Handles a client's response to a request that the server sent in the same session. Other
  // responses are ignored.
  void response(const Message& message, const Context& context) noexcept;
  // The session's client listens, as `agent`. If it sent its initialize to another process, the
  // session gets changes from now on; first all lists count as changed.
  void listening(Session& session, AgentPtr agent) noexcept;
  // Takes over changed agents: what withdrawn principals keep open, calls, sessions, listening
  // requests, tasks and downloads, ends, and so do calls of items that their agent may not use any
  // more; clients whose lists differ now are notified.
  void take_agents(const ChangedAgents& changed) noexcept;
  // The tier of the tool that this request calls, if the agent's lists allow the tool and its tier
  // does not; of a batch, the highest one of its requests.
  std::optional<Tier> lacking_tier(const Message& message, const Agent& agent) const;
  // A reader of the download export://ID with the permissions of `principal` (download.hpp).
  // The first read reports a download that does not exist.
  std::shared_ptr<Download> download(const Principal& principal, std::string_view id,
                                     Party party = {});
  // Waits until all requests, downloads and tasks have ended, also those that wait for their
  // client. False: some have not ended at `deadline`.
  bool wait_finished(std::chrono::steady_clock::time_point deadline) const;
  // Ends the calls that wait for a person's approval; they are not run. Call when the server stops.
  void end_approvals() noexcept;
  // Cancels all tasks, since clients can no longer fetch them. Call before draining the calls.
  void stop() noexcept;
  // Tasks that have not ended.
  std::size_t tasks() const;
  // For operators: the calls that have no answer yet, the oldest first.
  std::vector<ActiveCall> active_calls() const;
  // Answers one of them as cancelled. False: it has ended.
  bool cancel_call(std::uint64_t id);
  // For operators: all that hear of changes.
  std::vector<ListeningClient> listening_clients() const;

 private:
  std::unique_ptr<Core> core_;
};

// The revision that a legacy `initialize` negotiates; -32602 when its params are invalid.
struct Negotiated {
  std::string_view revision;
  std::optional<Error> error;
  std::string capabilities{};  // the client's, as Session has them

  SessionTerms terms() const { return {std::string(revision), capabilities}; }
};
Negotiated negotiate(const Message& initialize);

}  // namespace gantry::host::rpc
