// host/rpc/listen/listeners.hpp (private): the open subscriptions/listen requests (modern era).
//
// One bus subscriber for all of them: it formats an event once and sends it to each listener whose
// filter and agent match. Any thread; no lock is held while sending.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/auth/authenticator.hpp"
#include "host/base/clock.hpp"
#include "host/bus/bus.hpp"
#include "host/rpc/active_call.hpp"
#include "host/rpc/listen/agent_changes.hpp"
#include "host/rpc/listen/outbox.hpp"

namespace gantry::host::rpc {

using Names = std::set<std::string, std::less<>>;
// The resources of a subscriber, by URI, and when it subscribed.
using SubscribedUris = std::map<std::string, Clock::Instant, std::less<>>;

std::vector<SubscribedResource> with_ages(const SubscribedUris& uris, Clock::Instant now);

// The changes that a request subscribes to.
struct SubscriptionFilter {
  bool tools = false, prompts = false, resources = false;  // changes of lists
  SubscribedUris uris;
  Names tasks;

  bool empty() const { return !tools && !prompts && !resources && uris.empty() && tasks.empty(); }
};

struct Listener {
  std::string id;  // of the request, JSON text
  Principal principal;
  std::string party;  // as Context::party
  std::uint64_t client = 0;
  std::shared_ptr<Outbox> out;
  SubscriptionFilter wanted{};  // owned by the table once added
};
using ListenerPtr = std::shared_ptr<Listener>;

class Listeners final : public Subscriber {
 public:
  // Both must outlive this.
  Listeners(Bus& bus, const Clock& clock) : bus_(bus), clock_(clock) {}

  // Subscribes the listener; the table keeps it until its request ends. False: the server stops.
  bool add(const ListenerPtr& listener);
  // Called when the client has disconnected. Does nothing if the listener was never added.
  void remove(const Listener& listener);
  std::size_t size() const;
  // Adds the listeners of a resource, one of each scope, by the scope's fingerprint.
  void add_viewers(std::string_view uri, std::map<std::string, Principal>& viewers) const;
  // Adds those that hear of changed lists of resources.
  void add_list_viewers(std::map<std::string, Principal>& viewers) const;

  // Adds one entry for each listener.
  void add_clients(std::vector<ListeningClient>& out) const;

  // Takes over the agents of a changed agents file: ends the requests of principals that are gone,
  // and notifies those whose lists differ now.
  void take_agents(const AgentChanges& changes);

  // Subscriber. Sends the event to the listeners that match; ends those whose client reads too
  // slowly.
  void deliver(const Event& event) override;
  // Subscriber. Ends all listening requests and refuses later ones.
  void ended() override;

 private:
  using Table = std::unordered_map<const Listener*, ListenerPtr>;
  struct Due {
    ListenerPtr listener;
    bool last;  // it has no other subscription
  };

  std::vector<Due> take_due(const Event& event);
  bool take_uri(Listener& listener, const std::string& uri);
  void unwatch(const Listener& listener);

  Bus& bus_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  Table table_;
  bool ended_ = false;
};

}  // namespace gantry::host::rpc
