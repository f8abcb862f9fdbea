#include "host/http/endpoint/endpoint.hpp"

#include "host/http/endpoint/call_sink.hpp"
#include "host/http/endpoint/cors.hpp"
#include "host/registry/registry.hpp"
#include "host/rpc/batch.hpp"
#include "host/rpc/classify.hpp"

namespace gantry::host::http {
namespace {

using rpc::Error;

struct RequestHeaders final : rpc::Headers {
  explicit RequestHeaders(const Request& r) : request(r) {}
  std::optional<std::string_view> get(std::string_view name) const override {
    return request.header(name);
  }
  const Request& request;
};

// A request that is answered at once never makes its sink.
struct HttpChannel final : rpc::Channel {
  HttpChannel(Reply& r, Gate& s, const std::shared_ptr<Session>& sess, const rpc::Message& m)
      : reply(r), streams(s), session(sess), message(m) {}
  std::shared_ptr<rpc::Sink> sink() override {
    return std::make_shared<CallSink>(reply, streams, session,
                                      session ? message.id_key() : std::string());
  }
  Reply& reply;
  Gate& streams;
  const std::shared_ptr<Session>& session;
  const rpc::Message& message;
};

Error transport_error(int status, std::string message) {
  return {rpc::kServerError, std::move(message), status, {}};
}

void refuse(Reply& reply, const Error& error, std::string_view id = "null") {
  reply.json(error.status, error.to_message(id));
}

bool accepts_streams(const Request& request) {
  const auto accept = request.header("accept");
  return !accept || accept->find("text/event-stream") != std::string_view::npos ||
         accept->find("*/*") != std::string_view::npos ||
         accept->find("text/*") != std::string_view::npos;
}

}  // namespace

// One POST on its way through the checks.
struct Endpoint::Incoming {
  const Request& request;
  Reply& reply;
  rpc::Message& message;
  RequestHeaders headers;
  const Principal* principal = nullptr;
};

Endpoint::Endpoint(rpc::Dispatcher& dispatcher, const Authenticator& auth, Sessions& sessions,
                   PreAuthLimit& pre_auth, Log& log, EndpointOptions options)
    : dispatcher_(dispatcher),
      auth_(auth),
      sessions_(sessions),
      pre_auth_(pre_auth),
      log_(log),
      guard_(std::move(options.guard)),
      streams_(options.request_streams) {}

void Endpoint::on_request(Request&& request, std::shared_ptr<Exchange> exchange) {
  const std::string_view path = request.path();
  if (path == "/mcp") {
    mcp(request, std::move(exchange));
    // The thread may sleep now, and a sleeper must not keep plugins loaded.
    Registry::release_cached();
  } else if (path == "/health") {
    health(request, *exchange);
  } else {
    exchange->reply(404, "application/json",
                    transport_error(404, "Nothing here; the endpoint is /mcp").to_message("null"));
  }
}

void Endpoint::health(const Request& request, Exchange& exchange) const {
  if (request.method() == "GET" || request.method() == "HEAD") {
    exchange.reply(200, "application/json", std::string("{\"status\":\"ok\"}"));
    return;
  }
  const Header allow{"Allow", "GET, HEAD"};
  exchange.reply(405, "application/json",
                 transport_error(405, "Method not allowed").to_message("null"), {&allow, 1});
}

void Endpoint::mcp(const Request& request, std::shared_ptr<Exchange> exchange) {
  const auto origin = request.header("origin");
  const std::string_view method = request.method();
  const bool preflights = method == "OPTIONS" && origin;
  Reply reply(std::move(exchange));
  const bool modern = request.header("mcp-protocol-version") == rpc::kModernRevision;
  if (method != "POST" && (method != "DELETE" || modern) && !preflights) {
    reply.set_extra("Allow", modern ? "POST" : "POST, DELETE");
    return refuse(reply, transport_error(405, "Method not allowed"));
  }
  if (auto refused = guard_.check(request)) {
    return refuse(reply, transport_error(refused->status, std::move(refused->message)));
  }
  if (origin) reply.set_origin(std::string(*origin));
  if (preflights) return preflight(request, reply);
  if (is_slowed_down(request, reply)) return;
  method == "POST" ? post(request, reply) : end_session(request, reply);
}

void Endpoint::preflight(const Request& request, Reply& reply) const {
  reply.set_preflight(
      allowed_request_headers(request.header("access-control-request-headers").value_or("")));
  reply.empty(204);
}

bool Endpoint::is_slowed_down(const Request& request, Reply& reply) {
  if (!auth_.is_configured()) return false;
  const auto wait = pre_auth_.blocked(request.peer);
  if (!wait) return false;
  reply.set_extra("Retry-After", std::to_string(*wait));
  refuse(reply, transport_error(429, "Too Many Requests"));
  return true;
}

const Principal* Endpoint::authenticate(const Request& request, Reply& reply) {
  Refusal refusal;
  const Principal* principal =
      auth_.check({request.header("authorization"), request.header("x-mcp-api-key")}, refusal);
  if (principal != nullptr) return principal;
  pre_auth_.count(request.peer);
  log_.write(
      Level::warn, "credential refused",
      {{"reason", refusal.reason}, {"peer", request.peer}, {"fingerprint", refusal.fingerprint}});
  reply.set_extra("WWW-Authenticate", refusal.reason == "missing"
                                          ? "Bearer realm=\"gantry\""
                                          : "Bearer realm=\"gantry\", error=\"invalid_token\"");
  refuse(reply, {rpc::kSessionOrCredential, "Unauthorized", 401, {}});
  return nullptr;
}

void Endpoint::end_session(const Request& request, Reply& reply) {
  const Principal* principal = authenticate(request, reply);
  if (principal == nullptr) return;
  const auto id = request.header("mcp-session-id");
  if (!id) return refuse(reply, transport_error(400, "The header Mcp-Session-Id is missing"));
  if (sessions_.end(*id, principal->name)) return reply.empty(204);
  refuse(reply, {rpc::kSessionOrCredential, "Session not found", 404, {}});
}

void Endpoint::post(const Request& request, Reply& reply) {
  rpc::Message message(request.body);
  if (const auto error = message.parse()) return refuse(reply, *error, message.id());
  Incoming in{request, reply, message, RequestHeaders(request), nullptr};
  rpc::Classified found;
  const auto kind = message.kind();
  if (kind == rpc::Message::Kind::batch) {
    found.error = rpc::check_batch(message);
  } else if (kind != rpc::Message::Kind::response) {
    found = rpc::classify_http(message, in.headers);
  }
  if (found.error) return refuse(reply, *found.error, message.id());
  in.principal = authenticate(request, reply);
  if (in.principal == nullptr) return;
  if (kind == rpc::Message::Kind::batch) return batch(in);
  found.era == rpc::Era::modern ? modern(in) : legacy(in);
}

void Endpoint::modern(Incoming& in) {
  // Over HTTP nothing that a notification of this era says concerns anybody else.
  if (in.message.kind() == rpc::Message::Kind::notification) return in.reply.empty(202);
  dispatch(in, rpc::kModernRevision, nullptr);
}

std::shared_ptr<Session> Endpoint::session_of(Incoming& in) {
  const auto id = in.headers.get("mcp-session-id");
  if (!id) {
    refuse(in.reply,
           transport_error(400, "The header Mcp-Session-Id is missing; send initialize first"),
           in.message.id());
    return nullptr;
  }
  auto session = sessions_.find(*id, in.principal->name);
  if (!session) {
    refuse(in.reply, {rpc::kSessionOrCredential, "Session not found", 404, {}}, in.message.id());
    return nullptr;
  }
  const auto version = in.headers.get("mcp-protocol-version");
  if (!version || rpc::is_legacy_revision(*version)) return session;
  refuse(in.reply,
         transport_error(400, "Unsupported MCP-Protocol-Version '" + std::string(*version) +
                                  "'; this session speaks " + session->protocol()),
         in.message.id());
  return nullptr;
}

void Endpoint::legacy(Incoming& in) {
  using Kind = rpc::Message::Kind;
  if (in.message.kind() == Kind::request && in.message.method() == "initialize")
    return open_session(in);
  const auto session = session_of(in);
  if (!session) return;
  if (in.message.kind() == Kind::request) {
    if (!session->is_running(in.message.id_key()))
      return dispatch(in, session->protocol(), session);
    return refuse(in.reply, Error::invalid_request("A request with this id is still unanswered"),
                  in.message.id());
  }
  if (in.message.kind() == Kind::notification) {
    dispatcher_.notification(in.message,
                             {*in.principal, session->protocol(), &in.headers, session.get()});
  }
  in.reply.empty(202);
}

void Endpoint::open_session(Incoming& in) {
  const rpc::Negotiated agreed = rpc::negotiate(in.message);
  if (!agreed.error) {
    const auto session = sessions_.create(in.principal->name, agreed.revision);
    if (!session) return refuse(in.reply, Error::busy(), in.message.id());
    in.reply.set_session(session->id());
    return dispatch(in, agreed.revision, session);
  }
  refuse(in.reply, *agreed.error, in.message.id());
}

void Endpoint::dispatch(Incoming& in, std::string_view revision, std::shared_ptr<Session> session) {
  HttpChannel channel(in.reply, streams_, session, in.message);
  const rpc::Context context{*in.principal, revision, &in.headers, session.get(),
                             accepts_streams(in.request)};
  auto now = dispatcher_.request(in.message, context, channel);
  if (now) in.reply.json(now->status, std::move(now->body));
}

void Endpoint::batch(Incoming& in) {
  const auto session = session_of(in);
  if (!session) return;
  if (!rpc::Features(session->protocol()).batches()) {
    return refuse(in.reply, Error::invalid_request(
                                "Only revision 2025-03-26 has batches; this session speaks " +
                                session->protocol()));
  }
  const rpc::Context context{*in.principal, session->protocol(), &in.headers, session.get(), false};
  rpc::dispatch_batch(dispatcher_, in.message, context, session,
                      [reply = in.reply](std::string all) {
                        all.empty() ? reply.empty(202) : reply.json(200, std::move(all));
                      });
}

}  // namespace gantry::host::http
