// host/http/endpoint/guard.hpp: the rules about Host, Origin, content type and the header that the
// operator requires.
//
// Immutable; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/config/http_settings.hpp"
#include "host/http/message.hpp"

namespace gantry::host::http {

struct Refused {
  int status = 403;
  std::string message;
};

class Guard {
 public:
  explicit Guard(GuardOptions options);

  // Pages of this origin may use this server. (Programs other than browsers send no Origin.)
  bool allows_origin(std::string_view origin, std::string_view host) const;
  bool allows_host(std::string_view host) const;
  // A name that the operator gave (http.allowed_hosts), with or without a port.
  bool is_named(std::string_view authority) const;

  // The name of the header that every request must have, or empty.
  const std::string& required_header() const { return required_name_; }

  // Host and Origin; nothing: both are allowed.
  std::optional<Refused> check_page(const Request& request) const;
  // The header that the operator requires is there, with the required value.
  bool has_required_header(const Request& request) const;
  // The content type is application/json.
  static bool has_json(const Request& request);
  // The reason why the request does not come from a script of this server's own page; empty: it
  // does. A browser takes pages on other ports of a machine for the same site.
  static std::string_view foreign_page(const Request& request);

 private:
  const GuardOptions options_;
  std::string required_name_, required_value_;
};

// The host of "name:port", "[::1]:port" or "name", without port and brackets.
std::string_view host_of(std::string_view authority);

// 127.0.0.0/8, also as ::ffff:127.0.0.1, ::1 or localhost.
bool is_loopback(std::string_view host);

// A program on this machine sent the request for itself: the peer and the Host are loopback, and no
// header tells of a proxy. A proxy on this machine has a loopback peer, too, for clients of any
// machine. Without a Host: false.
bool is_from_this_machine(const Request& request);

}  // namespace gantry::host::http
