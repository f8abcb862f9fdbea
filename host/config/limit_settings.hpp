// host/config/limit_settings.hpp: limits of calls, sessions and the protocol, with keys and
// defaults.
//
// Values. The visitors are described in settings.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "sdk/contract/gates.hpp"

namespace gantry::host {

struct CallLimits {
  // Arguments must have the types of the tool's schema; else lossless conversions are tried.
  bool strict_arguments = false;
  int max_running = 100;      // calls admitted at once, 0 = any; more are `busy` (see parties.hpp)
  unsigned pool_threads = 0;  // 0 = 2 x cores, at least 4
  // Opened by the operator. No key: the environment alone opens them (gates.hpp).
  contract::GateSet open_gates = contract::kNoGates;
  // The most extra threads for items flagged blocking, and as many again for calls that waited
  // behind other callers' calls.
  unsigned blocking_threads = 64;
  std::size_t max_answer_bytes = 4u << 20;
  std::chrono::milliseconds heartbeat{2000};  // progress with elapsed seconds; 0 = none
};

// Event streams at once, counted apart; 0 = any.
struct StreamLimits {
  int requests = 100;     // of running requests
  int listeners = 4'096;  // of clients that listen
};

struct ReplayLimits {
  std::size_t events = 256;
  std::size_t bytes = 1 << 20;  // of the messages
};

struct SessionLimits {
  std::size_t max_sessions = 10'000;
  // Without a request, with none running and without a connection that listens.
  std::chrono::milliseconds idle = std::chrono::minutes(30);
  ReplayLimits replay{};  // of each session
};

namespace rpc {

// One member for each limit, so it has more than twelve.
struct ProtocolLimits {
  // The time for which a client may cache the answer.
  std::chrono::milliseconds discover_ttl{60'000};
  std::chrono::milliseconds list_ttl{5'000};
  // Rounds of input: how long sealed state is good, how long a legacy client may take to answer,
  // and how many requests may wait for such an answer.
  std::chrono::milliseconds round_lifetime{600'000}, input_timeout{300'000};
  std::size_t max_waiting = 1'000, max_waiting_per_session = 8;
  // Calls that wait for a person's approval: how long, all together, of one principal.
  std::chrono::milliseconds approval_timeout{300'000};
  std::size_t max_approvals = 10'000, max_approvals_per_agent = 100;
  // Tasks: all together, of one principal, and how long an ended one can still be fetched.
  std::size_t max_tasks = 1'000, max_tasks_per_owner = 100;
  std::chrono::milliseconds task_ttl{600'000};
  // Change notifications: messages queued for one stream, resources that one session or listening
  // request may name, and sessions that have any subscription.
  std::size_t max_stream_notifications = 256, max_subscriptions = 100;
  std::size_t max_subscribing_sessions = 1'000;
};

}  // namespace rpc

struct LimitSettings {
  CallLimits calls;
  StreamLimits streams;
  SessionLimits sessions;
  rpc::ProtocolLimits protocol;
  std::uint32_t pre_auth_per_minute = 600;       // requests of a peer without a good credential
  std::chrono::milliseconds stdio_grace{2'000};  // for running calls after the input's end
};

template <class S, class Visit>
void visit_limits(S& s, Visit&& visit) {
  visit.places("max_calls", s.calls.max_running);
  visit.places("max_request_streams", s.streams.requests);
  visit.places("max_listeners", s.streams.listeners);
  visit("max_tool_response_bytes", s.calls.max_answer_bytes);
  visit("pool_threads", s.calls.pool_threads);
  visit("blocking_threads", s.calls.blocking_threads);
  visit("progress_heartbeat_ms", s.calls.heartbeat);
  visit("max_sessions", s.sessions.max_sessions);
  visit("session_idle_ms", s.sessions.idle);
  visit("pre_auth_per_minute", s.pre_auth_per_minute);
  visit("stdio_grace_ms", s.stdio_grace);
  visit("max_stream_notifications", s.protocol.max_stream_notifications);
  visit("max_replay_events", s.sessions.replay.events);
  visit("max_replay_bytes", s.sessions.replay.bytes);
  visit("max_subscriptions", s.protocol.max_subscriptions);
  visit("max_subscribing_sessions", s.protocol.max_subscribing_sessions);
  visit("max_waiting", s.protocol.max_waiting);
  visit("max_waiting_per_session", s.protocol.max_waiting_per_session);
  visit("input_timeout_ms", s.protocol.input_timeout);
  visit("input_lifetime_ms", s.protocol.round_lifetime);
  visit("approval_timeout_ms", s.protocol.approval_timeout);
  visit("max_approvals", s.protocol.max_approvals);
  visit("max_approvals_per_agent", s.protocol.max_approvals_per_agent);
  visit("max_tasks", s.protocol.max_tasks);
  visit("max_tasks_per_agent", s.protocol.max_tasks_per_owner);
  visit("task_ttl_ms", s.protocol.task_ttl);
  visit("list_ttl_ms", s.protocol.list_ttl);
  visit("discover_ttl_ms", s.protocol.discover_ttl);
}

}  // namespace gantry::host
