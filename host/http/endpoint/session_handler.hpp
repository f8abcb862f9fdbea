// host/http/endpoint/session_handler.hpp: GET (listen, resume) and DELETE of sessions.
#pragma once

#include <memory>
#include <string_view>

#include "host/http/endpoint/gate_chain.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/sessions.hpp"

namespace gantry::host::http {

class SessionHandler {
 public:
  // All must outlive the handler. `max_waiting`: events that may wait for a listening client.
  SessionHandler(rpc::Dispatcher& dispatcher, Sessions& sessions, const GateChain& gates,
                 StreamPlaces& places, std::size_t max_waiting)
      : dispatcher_(dispatcher),
        sessions_(sessions),
        gates_(gates),
        places_(places),
        max_waiting_(max_waiting) {}

  void serve(RoutedRequest& in) const;
  // The principal's session that the request names; or null, and `message` has been refused.
  std::shared_ptr<Session> find(const Request& request, const Principal& principal, Reply& reply,
                                std::string_view message = "null") const;

 private:
  void get(RoutedRequest& in) const;
  bool listen(const std::shared_ptr<Session>& session, Reply& reply, const TokenGrant* token) const;
  bool resume(const std::shared_ptr<Session>& session, std::string_view last, Reply& reply,
              const TokenGrant* token) const;
  void end(RoutedRequest& in) const;

  rpc::Dispatcher& dispatcher_;
  Sessions& sessions_;
  const GateChain& gates_;
  StreamPlaces& places_;
  const std::size_t max_waiting_;
};

}  // namespace gantry::host::http
