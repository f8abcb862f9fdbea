// host/http/endpoint/incoming.hpp (private): one POST on its way through the checks.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "host/http/endpoint/accepts.hpp"
#include "host/http/endpoint/endpoint.hpp"

namespace gantry::host::http {

struct RequestHeaders final : rpc::Headers {
  explicit RequestHeaders(const Request& r) : request(r) {}
  std::optional<std::string_view> get(std::string_view name) const override {
    return request.header(name);
  }
  const Request& request;
};

struct Endpoint::Incoming {
  const Request& request;
  Reply& reply;
  rpc::Message& message;
  RequestHeaders headers;
  Accepts accepts;
  const Principal* principal = nullptr;
};

// Whose share of threads and places the calls of a request use: the credential's, or without one
// that of this connection (or session) of the peer.
inline rpc::Party party_of(const Request& request, const Principal& principal,
                           const Session* session = nullptr) {
  if (principal.auth_type != "none") return {};
  if (session == nullptr) return {request.peer, request.connection};
  return {request.peer, std::hash<std::string>()(session->id()) | 1U};
}

// The name of a header that has one value and was sent with two: whoever looks at the other one, a
// proxy say, sees another request.
std::optional<std::string_view> contradicted(const Request& request);

// Refusals that the protocol has no code of its own for.
inline rpc::Error transport_error(int status, std::string message) {
  return {rpc::kServerError, std::move(message), status, {}};
}

inline void refuse(const Reply& reply, const rpc::Error& error, std::string_view id = "null") {
  reply.json(error.status, error.to_message(id));
}

}  // namespace gantry::host::http
