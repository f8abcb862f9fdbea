// host/http/endpoint/endpoint.hpp: /mcp, /exports, /admin, /metrics and /health: from an HTTP
// request to the protocol's core and back.
//
// Checks come in a fixed order: path, method, form, who asks from where, size, how often, JSON,
// envelope, credential, session. While the server drains only what others need to end is served:
// answers to questions, retries with input, what is asked of tasks. A GET listens or resumes; a
// lost connection ends no session and no request of one. Everything is answered on the calling
// thread except calls that take time. Any thread.
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
#include "host/observe/metrics.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/sessions.hpp"

namespace gantry::host::http {

struct EndpointOptions {
  GuardOptions guard{};
  // Event streams at once, counted apart: of running requests, and of clients that listen. 0 = as
  // many as you like.
  int request_streams = 100;
  int listeners = 4'096;
  // What may wait for a listening client that does not read; then it is cut.
  std::size_t max_waiting = 256;
};

class Admin;

class Endpoint final : public Handler {
 public:
  // All must outlive the endpoint.
  Endpoint(rpc::Dispatcher& dispatcher, const Authenticator& auth, Sessions& sessions,
           PreAuthLimit& pre_auth, Log& log, Metrics& metrics, EndpointOptions options);

  void on_request(Request&& request, std::shared_ptr<Exchange> exchange) override;
  void on_refused(Request&& request, std::shared_ptr<Exchange> exchange, Cause cause) override;
  // Pages whose scripts may use the server.
  bool may_read(const Request& page) override;

  // Serves /admin too. `admin` must outlive the endpoint; before the first request.
  void serve(Admin& admin) { admin_ = &admin; }

  // Event streams open now.
  int request_streams() const { return streams_.taken(); }
  int listeners() const { return listeners_.taken(); }

 private:
  struct Incoming;

  // `refused`: as in on_refused().
  // A page reads why it is refused, too.
  Reply reply_to(const Request& request, std::shared_ptr<Exchange> exchange) const;
  void route(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused);
  void dispatch(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused);
  void health(const Request& request, Reply reply, Cause refused) const;
  void metrics(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused);
  void mcp(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused);
  void exports(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused);
  void admin(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused);
  bool is_refused(const Request& request, Reply& reply, Cause refused);
  void preflight(const Request& request, Reply& reply) const;
  void post(const Request& request, Reply& reply, bool draining);
  // Of sessions.
  void get(const Request& request, Reply& reply);
  void listen(const std::shared_ptr<Session>& session, Reply& reply);
  void resume(const std::shared_ptr<Session>& session, std::string_view last, Reply& reply);
  void end_session(const Request& request, Reply& reply);
  void batch(Incoming& in);
  void modern(Incoming& in);
  void legacy(Incoming& in);
  void open_session(Incoming& in);
  void request_in(Incoming& in, const std::shared_ptr<Session>& session);
  void dispatch(Incoming& in, std::string_view revision, std::shared_ptr<Session> session);

  bool is_known(const Request& request, bool must_bear) const;
  void count_stranger(const Request& request);
  // `must_bear`: nobody is let in for want of a credential.
  const Principal* authenticate(const Request& request, Reply& reply, bool must_bear = false);
  std::shared_ptr<Session> session_of(const Request& request, const Principal& principal,
                                      Reply& reply, std::string_view id = "null");
  bool is_slowed_down(const Request& request, Reply& reply, bool must_bear = false);

  rpc::Dispatcher& dispatcher_;
  const Authenticator& auth_;
  Sessions& sessions_;
  PreAuthLimit& pre_auth_;
  Log& log_;
  Metrics& metrics_;
  const Guard guard_;
  const std::size_t max_waiting_;
  Gate streams_, listeners_;
  Admin* admin_ = nullptr;
};

}  // namespace gantry::host::http
