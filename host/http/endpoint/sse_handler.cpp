#include "host/http/endpoint/sse_handler.hpp"

#include <atomic>
#include <chrono>
#include <utility>
#include <vector>

#include "host/base/ids.hpp"
#include "host/http/endpoint/accepts.hpp"
#include "host/http/endpoint/event_outlet.hpp"
#include "host/http/endpoint/request_headers.hpp"
#include "host/http/endpoint/step_up.hpp"
#include "host/rpc/drain_filter.hpp"
#include "host/rpc/message/batch.hpp"
#include "host/rpc/session_request.hpp"

namespace gantry::host::http {
namespace {

using rpc::Error;
using Kind = rpc::Message::Kind;

// The revision of a client before its initialize.
constexpr std::string_view kUnagreed = rpc::kLegacyRevisions.back();
constexpr std::string_view kMessages = "/messages?sessionId=";

// Everything of a request goes to the session's one stream.
class SseSink final : public rpc::Sink {
 public:
  SseSink(std::shared_ptr<Session> session, std::string key)
      : session_(std::move(session)), tracker_(session_, std::move(key)) {}

  void notify(std::string message) override { session_->streams().push(std::move(message)); }
  bool request(std::string message) override {
    return session_->streams().push(std::move(message));
  }
  void answer(rpc::Answer answer) override {
    tracker_.answered();
    session_->streams().push(std::move(answer.body));
  }
  void started(RunningRequests::Cancel cancel) override { tracker_.started(std::move(cancel)); }

 private:
  const std::shared_ptr<Session> session_;
  rpc::SessionRequest tracker_;
};

struct SseChannel final : rpc::Channel {
  SseChannel(const std::shared_ptr<Session>& s, const rpc::Message& m) : session(s), message(m) {}
  std::shared_ptr<rpc::Sink> sink() override {
    return std::make_shared<SseSink>(session, message.id_key());
  }
  const std::shared_ptr<Session>& session;
  const rpc::Message& message;
};

}  // namespace

struct SseHandler::Client {
  enum class State { connected, initializing, initialized };

  // The session ends when this token is over, unless an earlier call gave one that lasts longer.
  void last_until(TokenExpiry& expiry, const TokenGrant* token) {
    if (token == nullptr) return;
    const std::lock_guard lock(mutex);
    if (token->accepted_until <= until) return;
    until = token->accepted_until;
    watch = expiry.watch(token, [weak = std::weak_ptr(session)] {
      if (const auto over = weak.lock()) over->end();
    });
  }

  std::string id, principal;
  std::shared_ptr<Session> session;
  std::atomic<State> state{State::connected};
  std::mutex mutex;  // of the members below
  std::chrono::sys_seconds until{};
  TokenExpiry::Watch watch;
};

struct SseHandler::Post {
  const RequestHeaders headers;
  const rpc::Message& message;
  const Principal& principal;
  const ClientPtr& client;

  rpc::Context context() const {
    Session& session = *client->session;
    const bool agreed = client->state == Client::State::initialized;
    const std::string_view revision = agreed ? session.protocol() : kUnagreed;
    return {principal, revision, &headers,
            &session,  true,     party_of(headers.request, principal, client->id)};
  }
  void answer(std::string json) const { client->session->streams().push(std::move(json)); }
  void refuse(const Error& error) const { answer(error.to_message(message.id())); }
};

void SseHandler::listen(RoutedRequest& in) {
  const auto accept = in.request.header("accept");
  if (accept && !read_accept(accept).stream) {
    return refuse(in.reply, transport_error(406, "Accept must list text/event-stream"));
  }
  auto place = places_.listeners.enter();
  if (!place) return refuse(in.reply, Error::busy());
  const auto outlet = std::make_shared<EventOutlet>(in.reply, std::move(place));
  const auto client = std::make_shared<Client>();
  client->id = random_hex(16);
  client->principal = in.principal->name;
  client->session =
      std::make_shared<Session>("", client->principal, SessionTerms{std::string(kUnagreed)},
                                Clock::Instant(), ReplayLimits{.events = 0});
  add(client);
  client->session->streams().listen(outlet, false);  // opens it
  in.reply.exchange().write("event: endpoint\ndata: " + std::string(kMessages) + client->id +
                            "\n\n");
  in.reply.exchange().on_disconnect([weak = std::weak_ptr(client->session)] {
    if (const auto session = weak.lock()) session->end();
  });
  client->last_until(places_.expiry, in.principal->token.get());
}

void SseHandler::add(const ClientPtr& client) {
  {
    const std::lock_guard lock(table_->mutex);
    table_->clients.emplace(client->id, client);
  }
  client->session->on_end([weak = std::weak_ptr(table_), id = client->id] {
    const auto table = weak.lock();
    if (!table) return;
    ClientPtr gone;  // released without the lock
    const std::lock_guard lock(table->mutex);
    const auto found = table->clients.find(id);
    if (found == table->clients.end()) return;
    gone = std::move(found->second);
    table->clients.erase(found);
  });
}

SseHandler::ClientPtr SseHandler::find(std::string_view id, const Principal& principal) const {
  const std::lock_guard lock(table_->mutex);
  const auto found = table_->clients.find(id);
  const bool is_theirs =
      found != table_->clients.end() && found->second->principal == principal.name;
  return is_theirs ? found->second : nullptr;
}

void SseHandler::end_where(const std::function<bool(const Client&)>& is_meant) {
  std::vector<ClientPtr> meant;
  {
    const std::lock_guard lock(table_->mutex);
    for (const auto& [id, client] : table_->clients) {
      if (is_meant(*client)) meant.push_back(client);
    }
  }
  for (const ClientPtr& client : meant) client->session->end();
}

void SseHandler::end_all() {
  end_where([](const Client&) { return true; });
}

void SseHandler::end_of(const PrincipalNames& principals) {
  end_where([&](const Client& client) { return principals.contains(client.principal); });
}

std::size_t SseHandler::size() const {
  const std::lock_guard lock(table_->mutex);
  return table_->clients.size();
}

void SseHandler::post(RoutedRequest& in) {
  rpc::Message message(in.request.body);
  if (const auto error = message.parse()) {
    gates_.count_failure(in.request);
    return refuse(in.reply, *error, message.id());
  }
  in.reply.count(metrics_, Metrics::Method(message.method()));
  if (in.cause == Cause::stopping && !rpc::accepted_while_draining(message)) {
    return refuse(in.reply, Error::stopping(), message.id());
  }
  const PrincipalPtr principal = gates_.authenticate(in);
  if (principal == nullptr) return;
  const ClientPtr client = find(in.request.parameter("sessionId"), *principal);
  if (!client) {
    return refuse(in.reply,
                  {rpc::kSessionOrCredential,
                   "Session not found: send messages to the address that the first event of GET "
                   "/sse names, while that connection is open",
                   404,
                   {}},
                  message.id());
  }
  if (needs_step_up(gates_, dispatcher_, in, message)) return;
  client->last_until(places_.expiry, principal->token.get());
  const Post post{RequestHeaders(in.request), message, *principal, client};
  const bool is_request = message.kind() == Kind::request;
  if (is_request && message.method() == "initialize") {
    initialize(post);
  } else if (client->state == Client::State::initialized) {
    dispatch(post);
  } else if (is_request && message.method() == "ping") {
    request(post);
  } else if (message.kind() != Kind::notification && message.kind() != Kind::response) {
    post.refuse(Error::invalid_request("Send initialize first"));
  }
  in.reply.empty(202);
}

void SseHandler::initialize(const Post& post) {
  const rpc::Negotiated agreed = rpc::negotiate(post.message);
  if (agreed.error) return post.refuse(*agreed.error);
  auto state = Client::State::connected;
  if (!post.client->state.compare_exchange_strong(state, Client::State::initializing)) {
    return post.refuse(Error::invalid_request("This connection is initialized; open another one"));
  }
  post.client->session->agree(agreed.terms());
  post.client->state = Client::State::initialized;
  request(post);
}

void SseHandler::dispatch(const Post& post) {
  switch (post.message.kind()) {
    case Kind::request:
      return request(post);
    case Kind::batch:
      return batch(post);
    case Kind::notification:
      return dispatcher_.notification(post.message, post.context());
    case Kind::response:
      return dispatcher_.response(post.message, post.context());
  }
}

void SseHandler::request(const Post& post) {
  const auto& session = post.client->session;
  if (session->running().contains(post.message.id_key())) {
    return post.refuse(Error::id_in_use());
  }
  SseChannel channel(session, post.message);
  auto now = dispatcher_.request(post.message, post.context(), channel);
  if (now) post.answer(std::move(now->body));
}

void SseHandler::batch(const Post& post) {
  const auto& session = post.client->session;
  if (!rpc::Features(session->protocol()).batches()) {
    return post.refuse(Error::invalid_request("Only revision 2025-03-26 has batches"));
  }
  if (const auto error = rpc::check_batch(post.message)) return post.refuse(*error);
  rpc::Context context = post.context();
  context.sends_notifications = false;
  rpc::dispatch_batch(dispatcher_, post.message, context, session, [session](std::string all) {
    if (!all.empty()) session->streams().push(std::move(all));
  });
}

}  // namespace gantry::host::http
