#include "host/http/endpoint/sse_handler.hpp"

#include <atomic>
#include <utility>

#include "host/base/ids.hpp"
#include "host/http/endpoint/accepts.hpp"
#include "host/http/endpoint/event_outlet.hpp"
#include "host/http/endpoint/request_headers.hpp"
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

// The value of `sessionId` in a query; ids need no percent-decoding.
std::string_view session_of(std::string_view query) {
  constexpr std::string_view kName = "sessionId=";
  while (!query.empty()) {
    const auto end = query.find('&');
    const std::string_view part = query.substr(0, end);
    if (part.starts_with(kName)) return part.substr(kName.size());
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
  }
  return {};
}

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

  std::string id, principal;
  std::shared_ptr<Session> session;
  std::atomic<State> state{State::connected};
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
  {
    const std::lock_guard lock(mutex_);
    clients_.emplace(client->id, client);
  }
  client->session->streams().listen(outlet, false);  // opens it
  in.reply.exchange().write("event: endpoint\ndata: " + std::string(kMessages) + client->id +
                            "\n\n");
  in.reply.exchange().on_disconnect([this, id = client->id] { remove(id); });
}

SseHandler::ClientPtr SseHandler::find(std::string_view id, const Principal& principal) const {
  const std::lock_guard lock(mutex_);
  const auto found = clients_.find(id);
  if (found == clients_.end() || found->second->principal != principal.name) return nullptr;
  return found->second;
}

void SseHandler::remove(const std::string& id) {
  ClientPtr client;
  {
    const std::lock_guard lock(mutex_);
    const auto found = clients_.find(id);
    if (found == clients_.end()) return;
    client = std::move(found->second);
    clients_.erase(found);
  }
  client->session->end();
}

void SseHandler::end_all() {
  decltype(clients_) clients;
  {
    const std::lock_guard lock(mutex_);
    clients.swap(clients_);
  }
  for (const auto& [id, client] : clients) client->session->end();
}

std::size_t SseHandler::size() const {
  const std::lock_guard lock(mutex_);
  return clients_.size();
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
  const PrincipalPtr principal = gates_.authenticate(in.request, in.reply);
  if (principal == nullptr) return;
  const ClientPtr client = find(session_of(in.request.query()), *principal);
  if (!client) {
    return refuse(in.reply,
                  {rpc::kSessionOrCredential,
                   "Session not found: send messages to the address that the first event of GET "
                   "/sse names, while that connection is open",
                   404,
                   {}},
                  message.id());
  }
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
