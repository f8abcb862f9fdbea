// Sessions: found, listened to, resumed, ended.
#include "host/http/endpoint/event_outlet.hpp"
#include "host/http/endpoint/incoming.hpp"

namespace gantry::host::http {

using rpc::Error;

std::shared_ptr<Session> Endpoint::session_of(const Request& request, const Principal& principal,
                                              Reply& reply, std::string_view message) {
  const auto id = request.header("mcp-session-id");
  if (!id) {
    refuse(reply,
           transport_error(400, "The header Mcp-Session-Id is missing; send initialize first"),
           message);
    return nullptr;
  }
  auto session = sessions_.find(*id, principal.name);
  if (!session) {
    refuse(reply, {rpc::kSessionOrCredential, "Session not found", 404, {}}, message);
    return nullptr;
  }
  const auto version = request.header("mcp-protocol-version");
  if (!version || rpc::is_legacy_revision(*version)) return session;
  refuse(reply,
         transport_error(400, "Unsupported MCP-Protocol-Version '" + std::string(*version) +
                                  "'; this session speaks " + session->protocol()),
         message);
  return nullptr;
}

void Endpoint::get(const Request& request, Reply& reply) {
  if (!request.header("accept") || !read_accept(request.header("accept")).stream) {
    return refuse(reply, transport_error(406, "A GET listens: Accept must list text/event-stream"));
  }
  const Principal* principal = authenticate(request, reply);
  if (principal == nullptr) return;
  const auto session = session_of(request, *principal, reply);
  if (!session) return;
  const auto last = request.header("last-event-id");
  last && !last->empty() ? resume(session, *last, reply) : listen(session, reply);
}

// A client that comes again has lost its connection, also when this side has not noticed: it must
// not be locked out by its own ghost. So the newcomer takes over.
void Endpoint::listen(const std::shared_ptr<Session>& session, Reply& reply) {
  auto place = listeners_.enter();
  if (!place) return refuse(reply, Error::busy());
  const auto outlet = std::make_shared<EventOutlet>(reply, std::move(place), max_waiting_);
  const bool primes = rpc::Features(session->protocol()).primers();
  if (!session->streams().listen(outlet, primes)) {
    return refuse(reply, {rpc::kSessionOrCredential, "Session not found", 404, {}});
  }
  EventOutlet::watch(outlet, session);
}

void Endpoint::resume(const std::shared_ptr<Session>& session, std::string_view last,
                      Reply& reply) {
  const auto id = parse_event_id(last);
  const bool listens = id && id->stream == kListening;
  auto place = (listens ? listeners_ : streams_).enter();
  if (!place) return refuse(reply, Error::busy());
  const auto outlet =
      std::make_shared<EventOutlet>(reply, std::move(place), listens ? max_waiting_ : 0);
  if (!id || session->streams().resume(*id, outlet) == Streams::Resumed::unknown) {
    return refuse(reply, transport_error(
                             400,
                             "Last-Event-ID names nothing that this session still keeps; send the "
                             "request again, or listen without that header"));
  }
  EventOutlet::watch(outlet, session);
}

void Endpoint::end_session(const Request& request, Reply& reply) {
  const Principal* principal = authenticate(request, reply);
  if (principal == nullptr) return;
  const auto session = session_of(request, *principal, reply);
  if (!session) return;
  if (sessions_.end(session->id(), principal->name)) return reply.empty(204);
  refuse(reply, {rpc::kSessionOrCredential, "Session not found", 404, {}});
}

}  // namespace gantry::host::http
