// host/rpc/listen/session_listeners.hpp (private): delivers change notifications to legacy
// sessions.
//
// One bus subscriber for all of them. From its initialize until its end a session gets list changes
// and the changes of resources to which it subscribed; a session that was opened again, from the
// moment when its client listens or subscribes. Messages to a slow client are queued and merged up
// to a bound; beyond it the connection is closed. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/auth/principal.hpp"
#include "host/base/timer.hpp"
#include "host/bus/bus.hpp"
#include "host/bus/pending.hpp"
#include "host/rpc/active_call.hpp"
#include "host/rpc/listen/agent_changes.hpp"
#include "host/rpc/listen/listeners.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/protocol_settings.hpp"
#include "host/sessions/session.hpp"

namespace gantry::host::rpc {

// It has more than twelve members: the table of sessions under one lock, the output that waits
// under another, and the limits of both.
class SessionListeners final : public Subscriber,
                               public std::enable_shared_from_this<SessionListeners> {
 public:
  // `bus` and `clock` must outlive this.
  SessionListeners(Bus& bus, const Clock& clock, const ProtocolSettings& settings)
      : bus_(bus),
        clock_(clock),
        most_waiting_(settings.limits.max_stream_notifications),
        most_uris_(settings.limits.max_subscriptions),
        most_sessions_(settings.limits.max_subscribing_sessions) {}

  // Subscribes the session with `agent`'s permissions; a second call replaces the agent and returns
  // false.
  bool join(Session& session, AgentPtr agent);
  // The session's client listens. A session that has not joined is one that was opened again, and
  // what its client knows may be old: it joins, and gets a change of every list.
  void listening(Session& session, AgentPtr agent);

  // Subscribing takes two steps; between them the caller reads the resource to check access. The
  // session must have joined.
  struct Begun {
    std::uint64_t ticket = 0;
    std::optional<Error> error;  // too many
  };
  Begun begin(Session& session, std::string_view uri);
  // `good`: the read succeeded. If the client unsubscribed meanwhile, no subscription is made.
  std::optional<Error> complete(Session& session, std::uint64_t ticket, bool good);
  // Does nothing when there is no such subscription.
  void unsubscribe(Session& session, std::string_view uri);

  // Adds one entry for each session that has joined.
  void add_clients(std::vector<ListeningClient>& out) const;

  // Takes over the agents of a changed agents file: ends the sessions of principals that are gone,
  // and notifies those whose lists differ now.
  void take_agents(const AgentChanges& changes);

  std::size_t sessions() const;  // that have joined
  // Adds the sessions that subscribe to a resource, as Listeners::add_viewers().
  void add_viewers(std::string_view uri, std::map<std::string, Principal>& viewers) const;
  // Adds all that have joined, as Listeners::add_list_viewers().
  void add_list_viewers(std::map<std::string, Principal>& viewers) const;

  void deliver(const Event& event) override;

 private:
  using Key = std::weak_ptr<Session>;
  struct Member {
    AgentPtr agent;
    SubscribedUris uris;
    std::map<std::uint64_t, std::string> begun;  // by ticket
  };
  using Members = std::map<Key, Member, std::owner_less<>>;
  using Waiting = std::map<Key, std::unique_ptr<Pending>, std::owner_less<>>;

  void leave(const Key& session);
  std::optional<Error> too_many(const Member& member, std::string_view uri) const;
  std::vector<std::shared_ptr<Session>> take_due(const Event& event);
  bool wants(Member& member, const Event& event);
  void send(Session& session, const std::string& key, const std::string& message);
  void send_change(Session& session, Event::Kind list);
  void pump();
  void pump_later();

  Bus& bus_;
  const Clock& clock_;
  const std::size_t most_waiting_, most_uris_, most_sessions_;
  mutable std::mutex mutex_;
  Members members_;
  std::size_t subscribing_ = 0;  // sessions with a subscription
  std::uint64_t tickets_ = 0;

  std::mutex send_mutex_;  // of the members below; keeps the order of messages
  Waiting waiting_;        // of sessions whose client reads slowly
  bool pumping_ = false;
  Timer timer_;
};

}  // namespace gantry::host::rpc
