#include "host/http/endpoint/post_handler.hpp"

#include <optional>

#include "host/http/endpoint/accepts.hpp"
#include "host/http/endpoint/call_sink.hpp"
#include "host/http/endpoint/request_headers.hpp"
#include "host/http/endpoint/session_sink.hpp"
#include "host/http/endpoint/step_up.hpp"
#include "host/rpc/drain_filter.hpp"
#include "host/rpc/message/batch.hpp"
#include "host/rpc/message/classify.hpp"

namespace gantry::host::http {
namespace {

using rpc::Error;
using Kind = rpc::Message::Kind;

// A request that is answered at once never makes its sink.
struct ModernChannel final : rpc::Channel {
  ModernChannel(Reply& r, StreamPlaces& p, const Principal& by)
      : reply(r), places(p), principal(by) {}
  std::shared_ptr<rpc::Sink> sink() override {
    return std::make_shared<CallSink>(reply, places, principal.token);
  }
  Reply& reply;
  StreamPlaces& places;
  const Principal& principal;
};

struct SessionChannel final : rpc::Channel {
  SessionChannel(Reply& r, Gate& s, const std::shared_ptr<Session>& sess, const rpc::Message& m,
                 Accepts a)
      : reply(r), streams(s), session(sess), message(m), accepts(a) {}
  std::shared_ptr<rpc::Sink> sink() override {
    return std::make_shared<SessionSink>(
        reply, streams,
        SessionRequest{session, std::string(message.id()), message.id_key(), accepts});
  }
  Reply& reply;
  Gate& streams;
  const std::shared_ptr<Session>& session;
  const rpc::Message& message;
  const Accepts accepts;
};

}  // namespace

// One POST on its way through the checks.
struct PostHandler::Post {
  const Request& request;
  Reply& reply;
  rpc::Message& message;
  RequestHeaders headers;
  Accepts accepts;
  PrincipalPtr principal{};
};

void PostHandler::serve(RoutedRequest& in) const {
  const Request& request = in.request;
  Reply& reply = in.reply;
  rpc::Message message(request.body);
  if (const auto error = message.parse()) {
    gates_.count_failure(request);
    const bool modern = request.header("mcp-protocol-version") == rpc::kModernRevision;
    const bool no_envelope = modern && message.has_wrong_params() &&
                             message.kind() == Kind::request && message.method() != "initialize";
    return refuse(reply, no_envelope ? rpc::missing_envelope() : *error, message.id());
  }
  reply.count(metrics_, Metrics::Method(message.method()));
  if (in.cause == Cause::stopping && !rpc::accepted_while_draining(message)) {
    return refuse(reply, Error::stopping(), message.id());
  }
  Post post{request, reply, message, RequestHeaders(request),
            read_accept(request.header("accept"))};
  rpc::Classified found;
  const auto kind = message.kind();
  if (kind == rpc::Message::Kind::batch) {
    found.error = rpc::check_batch(message);
  } else if (kind != rpc::Message::Kind::response) {
    found = rpc::classify_http(message, post.headers);
  }
  if (found.error) {
    gates_.count_failure(request);
    return refuse(reply, *found.error, message.id());
  }
  post.principal = gates_.authenticate(in);
  if (post.principal == nullptr || needs_step_up(gates_, dispatcher_, in, message)) return;
  if (kind == rpc::Message::Kind::batch) return batch(post);
  found.era == rpc::Era::modern ? modern(post) : legacy(post);
}

void PostHandler::modern(Post& post) const {
  // Over HTTP a notification of this era changes nothing: its request is cancelled by
  // disconnecting.
  if (post.message.kind() == Kind::notification) return post.reply.empty(202);
  ModernChannel channel(post.reply, places_, *post.principal);
  const rpc::Context context{*post.principal,     rpc::kModernRevision,
                             &post.headers,       nullptr,
                             post.accepts.stream, party_of(post.request, *post.principal)};
  auto now = dispatcher_.request(post.message, context, channel);
  if (now) post.reply.json(now->status, std::move(now->body));
}

void PostHandler::legacy(Post& post) const {
  const bool is_request = post.message.kind() == Kind::request;
  if (is_request && !post.accepts.json && !post.accepts.stream) {
    return refuse(post.reply,
                  transport_error(406, "Accept must list application/json and text/event-stream"),
                  post.message.id());
  }
  if (is_request && post.message.method() == "initialize") return open_session(post);
  // The id of a posted answer is the server's, not one that the client waits for.
  const bool answers = post.message.kind() == Kind::response;
  const auto session =
      finder_.find(post.request, *post.principal, post.reply, answers ? "null" : post.message.id());
  if (!session) return;
  if (is_request) return request(post, session);
  const rpc::Context context{*post.principal, session->protocol(), &post.headers, session.get()};
  if (post.message.kind() == Kind::notification) {
    dispatcher_.notification(post.message, context);
  } else {
    dispatcher_.response(post.message, context);
  }
  post.reply.empty(202);
}

void PostHandler::open_session(Post& post) const {
  const rpc::Negotiated agreed = rpc::negotiate(post.message);
  if (agreed.error) return refuse(post.reply, *agreed.error, post.message.id());
  const auto session = sessions_.create(post.principal->name, agreed.terms());
  if (!session) return refuse(post.reply, Error::busy(), post.message.id());
  post.reply.set_session(session->id());
  request(post, session);
}

void PostHandler::request(Post& post, const std::shared_ptr<Session>& session) const {
  if (session->running().contains(post.message.id_key())) {
    return refuse(post.reply, Error::id_in_use(), post.message.id());
  }
  SessionChannel channel(post.reply, places_.requests, session, post.message, post.accepts);
  const rpc::Context context{
      *post.principal, session->protocol(), &post.headers,
      session.get(),   post.accepts.stream, party_of(post.request, *post.principal, session->id())};
  auto now = dispatcher_.request(post.message, context, channel);
  if (!now) return;
  if (post.accepts.json) return post.reply.json(now->status, std::move(now->body));
  channel.sink()->answer(std::move(*now));
}

void PostHandler::batch(Post& post) const {
  const auto session = finder_.find(post.request, *post.principal, post.reply);
  if (!session) return;
  if (!rpc::Features(session->protocol()).batches()) {
    return refuse(post.reply, Error::invalid_request(
                                  "Only revision 2025-03-26 has batches; this session speaks " +
                                  session->protocol()));
  }
  if (!post.accepts.json) {
    return refuse(post.reply,
                  transport_error(406, "A batch is answered as application/json; accept that"));
  }
  const rpc::Context context{
      *post.principal, session->protocol(),
      &post.headers,   session.get(),
      false,           party_of(post.request, *post.principal, session->id())};
  rpc::dispatch_batch(dispatcher_, post.message, context, session,
                      [reply = post.reply](std::string all) {
                        all.empty() ? reply.empty(202) : reply.json(200, std::move(all));
                      });
}

}  // namespace gantry::host::http
