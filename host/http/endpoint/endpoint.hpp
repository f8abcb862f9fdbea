// host/http/endpoint/endpoint.hpp: the routes of the server: from an HTTP request to the protocol's
// core and back.
//
// A request finds its route by its path, passes the gate chain and reaches the route's handler.
// Everything is answered on the calling thread except calls that take time. Any thread.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "host/http/endpoint/gate_chain.hpp"
#include "host/http/endpoint/post_handler.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/http/endpoint/session_handler.hpp"
#include "host/http/endpoint/sse_handler.hpp"
#include "host/http/server.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/sessions.hpp"

namespace gantry::host::http {

struct EndpointOptions {
  GuardOptions guard{};
  StreamLimits streams{};
  std::string public_url{};  // HttpSettings::public_url
  // Events that may wait for a listening client that does not read; then it is cut.
  std::size_t max_waiting = rpc::ProtocolLimits{}.max_stream_notifications;
};

class Admin;
class AdminEvents;
class Console;

// It has more than twenty methods: those of a Handler, one for each part that is served, and the
// counts of open streams.
class Endpoint final : public Handler {
 public:
  // All must outlive the endpoint.
  Endpoint(rpc::Dispatcher& dispatcher, const Authenticator& auth, Sessions& sessions,
           PreAuthLimit& pre_auth, Log& log, Metrics& metrics, EndpointOptions options);
  // Requests that wait for keys are dropped.
  ~Endpoint() override { gates_.stop_waiting(); }
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  void on_request(Request&& request, std::shared_ptr<Exchange> exchange) override;
  void on_refused(Request&& request, std::shared_ptr<Exchange> exchange, Cause cause) override;
  bool may_read(const Request& page) override { return gates_.may_read(page); }

  // Serves /admin too, where some agent is an admin or the console is served. `admin` and `events`
  // (may be null) must outlive the endpoint; before the first request.
  void serve(Admin& admin, AdminEvents* events = nullptr);
  // Serves the console. It must outlive the endpoint; before the first request.
  void serve(Console& console);
  const std::vector<Route>& routes() const { return routes_; }

  // Ends the sessions that are connections, and these.
  void end_connections() { sse_->end_all(); }
  // Takes over changed credentials: all that withdrawn principals have open ends
  // (Dispatcher::take_agents(), Sessions::end_of()).
  void take_agents(const ChangedAgents& changed) const;
  std::size_t connected_sessions() const { return sse_->size(); }
  // Event streams open now.
  int request_streams() const { return places_.requests.taken(); }
  int listeners() const { return places_.listeners.taken(); }

 private:
  // What the request waits for; empty: it is answered, now or later.
  std::string route(const Request& request, const std::shared_ptr<Exchange>& exchange, Cause cause,
                    bool waited) const;
  void begin(Request&& request, std::shared_ptr<Exchange> exchange, Cause cause) const;
  void pass(RoutedRequest& in) const;
  void check_again(const RoutedRequest& in, std::uint64_t changes) const;
  void pass_admin(const Route& route, RoutedRequest& in) const;
  const Route* find(std::string_view path) const;

  rpc::Dispatcher& dispatcher_;
  const Authenticator& auth_;
  Sessions& open_sessions_;
  const GateChain gates_;
  StreamPlaces places_;
  const SessionHandler sessions_;
  const PostHandler posts_;
  const std::unique_ptr<SseHandler> sse_;
  std::vector<Route> routes_;
  const Console* console_ = nullptr;  // null: none is served
};

}  // namespace gantry::host::http
