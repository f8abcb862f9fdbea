// host/http/endpoint/endpoint.hpp: /mcp and /health: from an HTTP request to the protocol's core
// and back.
//
// Checks come in a fixed order: path, method, form, who asks from where, how often, JSON, envelope,
// credential, session. Everything is answered on the calling thread except calls that take time.
// Any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "host/auth/authenticator.hpp"
#include "host/http/endpoint/guard.hpp"
#include "host/http/endpoint/reply.hpp"
#include "host/http/server.hpp"
#include "host/limits/gate.hpp"
#include "host/limits/pre_auth.hpp"
#include "host/observe/log.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/sessions.hpp"

namespace gantry::host::http {

struct EndpointOptions {
  GuardOptions guard{};
  int request_streams = 100;  // event streams of running requests at once
};

class Endpoint final : public Handler {
 public:
  // All must outlive the endpoint.
  Endpoint(rpc::Dispatcher& dispatcher, const Authenticator& auth, Sessions& sessions,
           PreAuthLimit& pre_auth, Log& log, EndpointOptions options);

  void on_request(Request&& request, std::shared_ptr<Exchange> exchange) override;

 private:
  struct Incoming;

  void health(const Request& request, Exchange& exchange) const;
  void mcp(const Request& request, std::shared_ptr<Exchange> exchange);
  void preflight(const Request& request, Reply& reply) const;
  void end_session(const Request& request, Reply& reply);
  void post(const Request& request, Reply& reply);
  void batch(Incoming& in);
  void modern(Incoming& in);
  void legacy(Incoming& in);
  void open_session(Incoming& in);
  void dispatch(Incoming& in, std::string_view revision, std::shared_ptr<Session> session);

  const Principal* authenticate(const Request& request, Reply& reply);
  std::shared_ptr<Session> session_of(Incoming& in);
  bool is_slowed_down(const Request& request, Reply& reply);

  rpc::Dispatcher& dispatcher_;
  const Authenticator& auth_;
  Sessions& sessions_;
  PreAuthLimit& pre_auth_;
  Log& log_;
  const Guard guard_;
  Gate streams_;
};

}  // namespace gantry::host::http
