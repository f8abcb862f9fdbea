// host/http/endpoint/console.hpp: the web console over HTTP: its files, its login, and the check of
// its cookie for /admin.
//
//   GET  /, /console/…     the files (host/console)
//   POST /console/login    {"token": of a link} or {"key": of an admin}: 204 with the cookie
//   POST /console/logout   204; the session ends
//
// The gate chain has checked that POST, and a request with the cookie, comes from our own page. The
// cookie is good for /admin alone. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/console/logins.hpp"
#include "host/http/endpoint/gate_chain.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/limits/pre_auth.hpp"
#include "host/observe/log.hpp"

namespace gantry::host::http {

class Console {
 public:
  // All must outlive this.
  Console(console::Logins& logins, const Authenticator& auth, PreAuthLimit& pre_auth, Log& log);

  // The port that the server listens on, which the cookie's name holds. Before the first request.
  void set_port(std::uint16_t port) { port_ = port; }

  // Each answers the request.
  void serve_file(RoutedRequest& in) const;
  void log_in(RoutedRequest& in) const;
  void log_out(RoutedRequest& in) const;

  // The request bears the cookie and no other credential.
  bool has_cookie(const Request& request) const;
  // Whether its session is open; then `in.principal` is set and `in.still_allowed` tells how long.
  // False: it has been answered.
  bool has_session(RoutedRequest& in) const;

 private:
  std::optional<std::string> session_for(RoutedRequest& in) const;
  std::optional<std::string> session_of_key(RoutedRequest& in, std::string_view key) const;
  void refuse_login(RoutedRequest& in, int status, std::string why) const;
  std::string cookie_name() const;

  console::Logins& logins_;
  const Authenticator& auth_;
  PreAuthLimit& pre_auth_;
  Log& log_;
  const AgentPtr agent_;  // of operators
  std::atomic<std::uint16_t> port_{0};
};

}  // namespace gantry::host::http
