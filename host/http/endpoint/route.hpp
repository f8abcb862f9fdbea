// host/http/endpoint/route.hpp: the form of a route: the requests it takes, the checks they must
// pass before its handler sees them, and the handler. And helpers that handlers share.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "host/auth/authenticator.hpp"
#include "host/http/endpoint/guard.hpp"
#include "host/http/endpoint/reply.hpp"
#include "host/http/endpoint/token_expiry.hpp"
#include "host/http/server.hpp"
#include "host/limits/gate.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/error.hpp"

namespace gantry::host::http {

// A request on its way through the checks to a route's handler.
struct RoutedRequest {
  const Request& request;
  Reply reply;
  Cause cause = Cause::none;              // the handler sees none or stopping
  std::optional<Refused> page_refusal{};  // its Host or Origin is not allowed
  PrincipalPtr principal{};               // once its credential was found good
  bool by_cookie = false;                 // its credential is the console's cookie
  bool waited = false;                    // it is served again after it waited; not once more
  std::function<bool()> still_allowed{};  // of admins: whether what they opened may go on
  std::string waits_for{};                // set instead of an answer: GateChain::when_checkable()
};

struct Route {
  enum class Access {
    open,     // no check but the method's
    page,     // our own page, without a credential
    handler,  // all checks but the credential's: the handler authenticates after its own checks
    agent,    // a principal
    admin,    // one that bears a credential and whose agent has the tier admin
  };

  // "/name", also for "/name/"; "/name/" with all below it; "/" alone
  std::string_view path;
  std::string_view methods;              // as in Allow: "GET, HEAD"
  std::string_view modern_methods = {};  // for requests of the modern revision; empty: the same
  Access access = Access::agent;
  bool preflights = false;                    // answers OPTIONS of pages
  bool continues = false;                     // POST and DELETE are served while the server drains
  bool counted = false;                       // answers are counted by MCP method
  std::function<void(RoutedRequest&)> serve;  // any thread; answers, now or later

  bool covers(std::string_view target) const {
    if (path.size() > 1 && path.ends_with('/')) return target.starts_with(path);
    return target == path || (target.ends_with('/') && target.substr(0, target.size() - 1) == path);
  }
};

// Places for event streams, counted apart.
struct StreamPlaces {
  StreamPlaces(int most_requests, int most_listeners)
      : requests(most_requests), listeners(most_listeners) {}

  Gate requests;   // of running requests, downloads too
  Gate listeners;  // of clients that listen
  TokenExpiry expiry;
};

// The party that the calls of a request count for: the credential, or without one this connection
// of the peer, or its session with this id.
inline rpc::Party party_of(const Request& request, const Principal& principal,
                           std::string_view session = {}) {
  if (principal.auth_type != "none") return {.peer = request.peer};
  if (session.empty()) return {request.peer, request.connection, request.peer};
  return {request.peer, std::hash<std::string_view>()(session) | 1U, request.peer};
}

// Refusals without a protocol code of their own.
inline rpc::Error transport_error(int status, std::string message) {
  return {rpc::kServerError, std::move(message), status, {}};
}

// For answers to operators.
inline void forbid_storing(Reply& reply) {
  reply.add_header("Cache-Control", "no-store");
  reply.add_header("X-Content-Type-Options", "nosniff");
}

inline void refuse(const Reply& reply, const rpc::Error& error, std::string_view id = "null") {
  reply.json(error.status, error.to_message(id));
}

}  // namespace gantry::host::http
