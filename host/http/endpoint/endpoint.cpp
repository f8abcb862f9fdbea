#include "host/http/endpoint/endpoint.hpp"

#include "host/http/endpoint/cors.hpp"
#include "host/http/endpoint/incoming.hpp"

namespace gantry::host::http {
namespace {

using rpc::Error;

bool has_one_value(std::string_view name) {
  return name.starts_with("mcp-") || name == "authorization" || name == "origin" ||
         name == "x-mcp-api-key" || name == "last-event-id";
}

}  // namespace

std::optional<std::string_view> contradicted(const Request& request) {
  for (std::size_t i = 1; i < request.header_count(); ++i) {
    const Header header = request.header_at(i);
    if (!has_one_value(header.name)) continue;
    if (*request.header(header.name) != header.value) return header.name;
  }
  return std::nullopt;
}

Endpoint::Endpoint(rpc::Dispatcher& dispatcher, const Authenticator& auth, Sessions& sessions,
                   PreAuthLimit& pre_auth, Log& log, Metrics& metrics, EndpointOptions options)
    : dispatcher_(dispatcher),
      auth_(auth),
      sessions_(sessions),
      pre_auth_(pre_auth),
      log_(log),
      metrics_(metrics),
      guard_(std::move(options.guard)),
      max_waiting_(options.max_waiting),
      streams_(options.request_streams),
      listeners_(options.listeners) {}

void Endpoint::on_request(Request&& request, std::shared_ptr<Exchange> exchange) {
  route(request, std::move(exchange), Cause::none);
}

void Endpoint::on_refused(Request&& request, std::shared_ptr<Exchange> exchange, Cause cause) {
  route(request, std::move(exchange), cause);
}

bool Endpoint::may_read(const Request& page) {
  return page.header("origin") && !guard_.check_page(page);
}

Reply Endpoint::reply_to(const Request& request, std::shared_ptr<Exchange> exchange) const {
  Reply reply(std::move(exchange));
  const auto origin = request.header("origin");
  if (origin && !guard_.check_page(request)) reply.set_origin(std::string(*origin));
  return reply;
}

// What fails here is answered here, where it is known whether a page may read it; the server counts
// the exception.
void Endpoint::route(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused) {
  try {
    dispatch(request, exchange, refused);
  } catch (...) {
    refuse(reply_to(request, exchange), transport_error(500, "The server failed on this request"));
    throw;
  }
}

void Endpoint::dispatch(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused) {
  const std::string_view path = request.path();
  if (path == "/mcp") {
    mcp(request, std::move(exchange), refused);
  } else if (path == "/metrics") {
    metrics(request, std::move(exchange), refused);
  } else if (path.starts_with("/exports/")) {
    exports(request, std::move(exchange), refused);
  } else if (path == "/health") {
    health(request, reply_to(request, std::move(exchange)), refused);
  } else if (path.starts_with("/admin/") && admin_ != nullptr && auth_.has_admin()) {
    admin(request, std::move(exchange), refused);
  } else {
    Reply reply = reply_to(request, std::move(exchange));
    refuse(reply, transport_error(404, "Nothing here; the endpoint is /mcp"));
  }
}

void Endpoint::health(const Request& request, Reply reply, Cause refused) const {
  if (request.method() == "GET" || request.method() == "HEAD") {
    const bool draining = refused == Cause::stopping;
    return reply.json(draining ? 503 : 200,
                      draining ? R"({"status":"stopping"})" : R"({"status":"ok"})");
  }
  reply.set_extra("Allow", "GET, HEAD");
  refuse(reply, transport_error(405, "Method not allowed"));
}

void Endpoint::mcp(const Request& request, std::shared_ptr<Exchange> exchange, Cause refused) {
  const std::string_view method = request.method();
  const bool preflights = method == "OPTIONS" && request.header("origin");
  Reply reply = reply_to(request, std::move(exchange));
  reply.count(metrics_, {});
  const bool modern = request.header("mcp-protocol-version") == rpc::kModernRevision;
  const bool of_sessions = (method == "GET" || method == "DELETE") && !modern;
  if (method != "POST" && !of_sessions && !preflights) {
    reply.set_extra("Allow", modern ? "POST" : "GET, POST, DELETE");
    return refuse(reply, transport_error(405, "Method not allowed"));
  }
  if (auto no = preflights ? guard_.check_page(request) : guard_.check(request)) {
    return refuse(reply, transport_error(no->status, std::move(no->message)));
  }
  if (preflights) return preflight(request, reply);
  if (is_refused(request, reply, refused)) return;
  if (const auto name = contradicted(request)) {
    return refuse(reply, Error::header_mismatch("The header " + std::string(*name) +
                                                " stands twice with different values"));
  }
  if (is_slowed_down(request, reply)) return;
  if (method == "POST") return post(request, reply, refused == Cause::stopping);
  method == "GET" ? get(request, reply) : end_session(request, reply);
}

void Endpoint::preflight(const Request& request, Reply& reply) const {
  reply.set_preflight(allowed_request_headers(
      request.header("access-control-request-headers").value_or(""), guard_.required_header()));
  reply.empty(204);
}

// Of what comes while the server drains, a POST is looked into first.
bool Endpoint::is_refused(const Request& request, Reply& reply, Cause refused) {
  if (refused == Cause::too_large) {
    refuse(reply, transport_error(413, "The body is larger than this server takes"));
    return true;
  }
  if (refused == Cause::busy) return refuse(reply, Error::busy()), true;
  if (refused == Cause::none || request.method() == "POST" || request.method() == "DELETE")
    return false;
  refuse(reply, Error::stopping());
  return true;
}

// A good credential is never slowed down: others may come from its address too. It is looked at
// only where the address is blocked.
bool Endpoint::is_slowed_down(const Request& request, Reply& reply, bool must_bear) {
  if (!auth_.has_keys()) return false;
  const auto wait = pre_auth_.blocked(request.peer);
  if (!wait || is_known(request, must_bear)) return false;
  metrics_.rate_limited("pre_auth");
  reply.set_extra("Retry-After", std::to_string(*wait));
  refuse(reply, transport_error(429, "Too Many Requests"));
  return true;
}

bool Endpoint::is_known(const Request& request, bool must_bear) const {
  Refusal refusal;
  return auth_.check({request.header("authorization"), request.header("x-mcp-api-key")}, refusal,
                     must_bear) != nullptr;
}

// A request that is refused before its credential is looked at counts like one without.
void Endpoint::count_stranger(const Request& request) {
  if (!is_known(request, false)) pre_auth_.count(request.peer);
}

const Principal* Endpoint::authenticate(const Request& request, Reply& reply, bool must_bear) {
  Refusal refusal;
  const Principal* principal = auth_.check(
      {request.header("authorization"), request.header("x-mcp-api-key")}, refusal, must_bear);
  if (principal != nullptr) return principal;
  pre_auth_.count(request.peer);
  metrics_.auth_failed(refusal.reason);
  log_.write(
      Level::warn, "credential refused",
      {{"reason", refusal.reason}, {"peer", request.peer}, {"fingerprint", refusal.fingerprint}});
  reply.set_extra("WWW-Authenticate", refusal.reason == "missing"
                                          ? "Bearer realm=\"gantry\""
                                          : "Bearer realm=\"gantry\", error=\"invalid_token\"");
  refuse(reply, {rpc::kSessionOrCredential, "Unauthorized", 401, {}});
  return nullptr;
}

}  // namespace gantry::host::http
