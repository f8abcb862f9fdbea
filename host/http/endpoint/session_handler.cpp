#include "host/http/endpoint/session_handler.hpp"

#include "host/http/endpoint/accepts.hpp"
#include "host/http/endpoint/event_outlet.hpp"
#include "host/rpc/message/classify.hpp"

namespace gantry::host::http {

namespace {

rpc::Error session_not_found() { return {rpc::kSessionOrCredential, "Session not found", 404, {}}; }

}  // namespace

void SessionHandler::serve(RoutedRequest& in) const {
  in.request.method() == "GET" ? get(in) : end(in);
}

std::shared_ptr<Session> SessionHandler::find(const Request& request, const Principal& principal,
                                              Reply& reply, std::string_view message) const {
  const auto id = request.header("mcp-session-id");
  if (!id) {
    refuse(reply,
           transport_error(400, "The header Mcp-Session-Id is missing; send initialize first"),
           message);
    return nullptr;
  }
  auto session = sessions_.find(*id, principal.name);
  if (!session) {
    refuse(reply, session_not_found(), message);
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

void SessionHandler::get(RoutedRequest& in) const {
  const auto accept = in.request.header("accept");
  if (!accept || !read_accept(accept).stream) {
    return refuse(in.reply,
                  transport_error(406, "A GET listens: Accept must list text/event-stream"));
  }
  const PrincipalPtr principal = gates_.authenticate(in);
  if (principal == nullptr) return;
  const auto session = find(in.request, *principal, in.reply);
  if (!session) return;
  const auto last = in.request.header("last-event-id");
  const bool listens = last && !last->empty()
                           ? resume(session, *last, in.reply, principal->token.get())
                           : listen(session, in.reply, principal->token.get());
  if (listens) dispatcher_.listening(*session, principal->agent);
}

// False: refused. A second GET replaces the first: the client may have lost the first connection
// before the host has detected it.
bool SessionHandler::listen(const std::shared_ptr<Session>& session, Reply& reply,
                            const TokenGrant* token) const {
  auto place = places_.listeners.enter();
  if (!place) return refuse(reply, rpc::Error::busy()), false;
  const auto outlet = std::make_shared<EventOutlet>(reply, std::move(place), max_waiting_);
  const bool primes = rpc::Features(session->protocol()).primers();
  if (!session->streams().listen(outlet, primes)) {
    refuse(reply, session_not_found());
    return false;
  }
  EventOutlet::watch(outlet, session);
  EventOutlet::end_with(outlet, session, places_.expiry, token);
  return true;
}

// False: refused, or the stream is of one request.
bool SessionHandler::resume(const std::shared_ptr<Session>& session, std::string_view last,
                            Reply& reply, const TokenGrant* token) const {
  const auto id = parse_event_id(last);
  const bool listens = id && id->stream == kListening;
  auto place = (listens ? places_.listeners : places_.requests).enter();
  if (!place) return refuse(reply, rpc::Error::busy()), false;
  const auto outlet =
      std::make_shared<EventOutlet>(reply, std::move(place), listens ? max_waiting_ : 0);
  if (!id || session->streams().resume(*id, outlet) == Streams::Resumed::unknown) {
    refuse(reply,
           transport_error(400,
                           "Last-Event-ID names nothing that this session still keeps; send the "
                           "request again, or listen without that header"));
    return false;
  }
  EventOutlet::watch(outlet, session);
  EventOutlet::end_with(outlet, session, places_.expiry, token);
  return listens;
}

void SessionHandler::end(RoutedRequest& in) const {
  const PrincipalPtr principal = gates_.authenticate(in);
  if (principal == nullptr) return;
  const auto session = find(in.request, *principal, in.reply);
  if (!session) return;
  if (sessions_.end(session->id(), principal->name)) return in.reply.empty(204);
  refuse(in.reply, session_not_found());
}

}  // namespace gantry::host::http
