// host/http/endpoint/console.hpp: the web console over HTTP: its files, its login, and the check of
// its cookie for /admin.
//
//   GET  /, /console/…     the files (host/console)
//   POST /console/login    {"token": of a link} or {"key": of an admin}: 204 with the cookie
//   POST /console/logout   204; the session ends
//
// A browser sends the cookie along from pages on every other port of this machine, too. So a
// request with it must come from our own page: Origin and Host are equal, Sec-Fetch-Site is
// same-origin, a body is JSON. The cookie is good for /admin alone. Any thread.
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

  // Answers a request for a file, the login or the logout.
  void serve(RoutedRequest& in) const;

  // The request bears the cookie and no other credential.
  bool has_cookie(const Request& request) const;
  // Whether it comes from our page and its session is open; then `in.principal` is set and
  // `in.still_allowed` tells how long. False: it has been answered.
  bool admits(RoutedRequest& in) const;

 private:
  void serve_file(RoutedRequest& in) const;
  void log_in(RoutedRequest& in) const;
  void log_out(RoutedRequest& in) const;
  bool is_ours(RoutedRequest& in) const;
  bool refuse_page(RoutedRequest& in, std::string_view why) const;
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
