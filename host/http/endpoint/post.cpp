// POST: from a body to the dispatcher, in the era it belongs to.
#include "host/http/endpoint/call_sink.hpp"
#include "host/http/endpoint/incoming.hpp"
#include "host/http/endpoint/session_sink.hpp"
#include "host/rpc/drain_filter.hpp"
#include "host/rpc/message/batch.hpp"
#include "host/rpc/message/classify.hpp"

namespace gantry::host::http {
namespace {

using rpc::Error;
using Kind = rpc::Message::Kind;

// A request that is answered at once never makes its sink.
struct ModernChannel final : rpc::Channel {
  ModernChannel(Reply& r, Gate& s, Gate& l) : reply(r), streams(s), listeners(l) {}
  std::shared_ptr<rpc::Sink> sink() override {
    return std::make_shared<CallSink>(reply, streams, listeners);
  }
  Reply& reply;
  Gate& streams;
  Gate& listeners;
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

void Endpoint::post(const Request& request, Reply& reply, bool draining) {
  rpc::Message message(request.body);
  if (const auto error = message.parse()) {
    count_stranger(request);
    const bool modern = request.header("mcp-protocol-version") == rpc::kModernRevision;
    const bool no_envelope = modern && message.has_wrong_params() &&
                             message.kind() == Kind::request && message.method() != "initialize";
    return refuse(reply, no_envelope ? rpc::missing_envelope() : *error, message.id());
  }
  reply.count(metrics_, Metrics::Method(message.method()));
  if (draining && !rpc::accepted_while_draining(message)) {
    return refuse(reply, Error::stopping(), message.id());
  }
  Incoming in{
      request, reply, message, RequestHeaders(request), read_accept(request.header("accept")),
      nullptr};
  rpc::Classified found;
  const auto kind = message.kind();
  if (kind == rpc::Message::Kind::batch) {
    found.error = rpc::check_batch(message);
  } else if (kind != rpc::Message::Kind::response) {
    found = rpc::classify_http(message, in.headers);
  }
  if (found.error) {
    count_stranger(request);
    return refuse(reply, *found.error, message.id());
  }
  in.principal = authenticate(request, reply);
  if (in.principal == nullptr) return;
  if (kind == rpc::Message::Kind::batch) return batch(in);
  found.era == rpc::Era::modern ? modern(in) : legacy(in);
}

void Endpoint::modern(Incoming& in) {
  // Over HTTP nothing that a notification of this era says concerns anybody else.
  if (in.message.kind() == Kind::notification) return in.reply.empty(202);
  ModernChannel channel(in.reply, streams_, listeners_);
  const rpc::Context context{*in.principal,     rpc::kModernRevision,
                             &in.headers,       nullptr,
                             in.accepts.stream, party_of(in.request, *in.principal)};
  auto now = dispatcher_.request(in.message, context, channel);
  if (now) in.reply.json(now->status, std::move(now->body));
}

void Endpoint::legacy(Incoming& in) {
  const bool is_request = in.message.kind() == Kind::request;
  if (is_request && !in.accepts.json && !in.accepts.stream) {
    return refuse(in.reply,
                  transport_error(406, "Accept must list application/json and text/event-stream"),
                  in.message.id());
  }
  if (is_request && in.message.method() == "initialize") return open_session(in);
  // The id of a posted answer is the server's, not one that the client waits for.
  const bool answers = in.message.kind() == Kind::response;
  const auto session =
      session_of(in.request, *in.principal, in.reply, answers ? "null" : in.message.id());
  if (!session) return;
  if (is_request) return request_in(in, session);
  const rpc::Context context{*in.principal, session->protocol(), &in.headers, session.get()};
  if (in.message.kind() == Kind::notification) {
    dispatcher_.notification(in.message, context);
  } else {
    dispatcher_.response(in.message, context);
  }
  in.reply.empty(202);
}

void Endpoint::open_session(Incoming& in) {
  const rpc::Negotiated agreed = rpc::negotiate(in.message);
  if (agreed.error) return refuse(in.reply, *agreed.error, in.message.id());
  const auto session = sessions_.create(in.principal->name, agreed.revision);
  if (!session) return refuse(in.reply, Error::busy(), in.message.id());
  session->set_capabilities(agreed.capabilities);
  in.reply.set_session(session->id());
  request_in(in, session);
}

void Endpoint::request_in(Incoming& in, const std::shared_ptr<Session>& session) {
  if (session->is_running(in.message.id_key())) {
    return refuse(in.reply, Error::invalid_request("A request with this id is still unanswered"),
                  in.message.id());
  }
  SessionChannel channel(in.reply, streams_, session, in.message, in.accepts);
  const rpc::Context context{*in.principal,     session->protocol(),
                             &in.headers,       session.get(),
                             in.accepts.stream, party_of(in.request, *in.principal, session.get())};
  auto now = dispatcher_.request(in.message, context, channel);
  if (!now) return;
  if (in.accepts.json) return in.reply.json(now->status, std::move(now->body));
  channel.sink()->answer(std::move(*now));
}

void Endpoint::batch(Incoming& in) {
  const auto session = session_of(in.request, *in.principal, in.reply);
  if (!session) return;
  if (!rpc::Features(session->protocol()).batches()) {
    return refuse(in.reply, Error::invalid_request(
                                "Only revision 2025-03-26 has batches; this session speaks " +
                                session->protocol()));
  }
  if (!in.accepts.json) {
    return refuse(in.reply,
                  transport_error(406, "A batch is answered as application/json; accept that"));
  }
  const rpc::Context context{*in.principal, session->protocol(),
                             &in.headers,   session.get(),
                             false,         party_of(in.request, *in.principal, session.get())};
  rpc::dispatch_batch(dispatcher_, in.message, context, session,
                      [reply = in.reply](std::string all) {
                        all.empty() ? reply.empty(202) : reply.json(200, std::move(all));
                      });
}

}  // namespace gantry::host::http
