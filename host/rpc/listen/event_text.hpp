// host/rpc/listen/event_text.hpp (private): the notification text of a bus event, in both eras.
//
// Made once per event for all subscribers. Values; any thread.
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

  // Events with the same key replace each other, because a client needs only the last one.
  const std::string& key() const { return key_; }
  // The message for a listening request; `id` is JSON text.
  std::string for_request(std::string_view id) const;
  // The message for a session.
  std::string for_session() const;

 private:
  std::string key_;
  std::string head_;           // the message up to the members of params
  std::string params_, meta_;  // members of params and of its _meta; either may be empty
};

// True if a caller that acts as `agent` may see the change.
bool concerns(const Event& event, const Agent& agent);

}  // namespace gantry::host::rpc
