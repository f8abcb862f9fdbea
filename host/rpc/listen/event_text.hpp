// host/rpc/listen/event_text.hpp (private): an event as the notification of either era.
//
// Made once per event, however many hear it. Values; any thread.
#pragma once

#include <string>
#include <string_view>

#include "host/auth/agent.hpp"
#include "host/bus/bus.hpp"

namespace gantry::host::rpc {

inline constexpr std::string_view kSubscriptionKey = "io.modelcontextprotocol/subscriptionId";

class EventText {
 public:
  explicit EventText(const Event& event);

  // The same for events of which a client needs to hear the last alone.
  const std::string& key() const { return key_; }
  // The message for a listening request; `id` is JSON text.
  std::string for_request(std::string_view id) const;
  // The message for a session.
  std::string for_session() const;

 private:
  std::string key_;
  std::string head_;           // up to the members of params
  std::string params_, meta_;  // members of params and of its _meta; either may be empty
};

// Whether the change concerns somebody who acts as `agent`.
bool concerns(const Event& event, const Agent& agent);

}  // namespace gantry::host::rpc
