// Requests that listen and sessions that subscribe, without a transport.
#pragma once

#include <condition_variable>

#include "host/rpc/listen/listen_filter.hpp"
#include "tests/host/rpc/fake.hpp"

namespace gantry::host::rpc {

// A sink whose client reads at the speed that the test sets.
class ListenSink final : public Sink {
 public:
  void notify(std::string message) override {
    std::lock_guard lock(mutex_);
    if (!answers_.empty()) ++late_;
    notes_.push_back(std::move(message));
    if (while_notified) while_notified();
  }
  void answer(Answer answer) override {
    std::lock_guard lock(mutex_);
    answers_.push_back(std::move(answer));
  }
  void started(RunningRequests::Cancel cancel) override { cancel_ = std::move(cancel); }
  bool listen() override { return has_place; }
  std::size_t backlog() const override { return stuck; }
  void when_drained(std::function<void()> drained) override { drained_ = std::move(drained); }

  // The client reads all there is.
  void read() {
    stuck = 0;
    if (const auto drained = std::exchange(drained_, nullptr)) drained();
  }
  void disconnect() { cancel_(Stop::disconnected); }
  std::vector<std::string> notes() const {
    std::lock_guard lock(mutex_);
    return notes_;
  }
  std::vector<Answer> answers() const {
    std::lock_guard lock(mutex_);
    return answers_;
  }
  int late() const { return late_; }  // notifications after the answer

  bool has_place = true;
  std::atomic<std::size_t> stuck{0};
  std::function<void()> while_notified;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> notes_;
  std::vector<Answer> answers_;
  std::function<void()> drained_;
  RunningRequests::Cancel cancel_;
  std::atomic<int> late_{0};
};

struct ListenChannel final : Channel {
  std::shared_ptr<Sink> sink() override { return sink_; }
  std::shared_ptr<ListenSink> sink_ = std::make_shared<ListenSink>();
};

inline ItemSpec resource(std::string uri, bool subscribe = true) {
  ItemSpec spec;
  spec.kind = uri.find('{') == std::string::npos ? "resource" : "resource_template";
  spec.name = uri;
  spec.uri = std::move(uri);
  spec.subscribe = subscribe;
  return spec;
}

inline Event event_of(Event::Kind kind, std::vector<Event::Seen> seen = {}) {
  Event event;
  event.kind = kind;
  event.seen = std::move(seen);
  return event;
}

inline Event updated(std::string uri, std::string metadata = "", bool deleted = false) {
  Event event = event_of(Event::Kind::resource_updated);
  event.uri = std::move(uri);
  event.metadata = std::move(metadata);
  event.deleted = deleted;
  return event;
}

// Resources x://a, x://b (each readable), x://mute (reports nothing), x://secret (fails when read)
// and x://many/{n}.
class ListenWorld : public World {
 public:
  explicit ListenWorld(ProtocolSettings settings = {.version = "9.9"})
      : World({}, std::move(settings)) {
    publish({resource("x://a"), resource("x://b"), resource("x://mute", false),
             resource("x://secret"), resource("x://many/{n}")});
    calls.handler = [this, life = life_](const ItemCall& call,
                                         CallListener&) -> std::optional<ItemAnswer> {
      const std::lock_guard alive(life->mutex);
      if (life->over) return ItemAnswer();
      ++reads;
      if (call.name == "x://slow" || hold_reads) return std::nullopt;
      ItemAnswer answer;
      answer.structured = R"({"contents":[")" + content(call.agent->fingerprint) + "\"]}";
      if (busy) answer.kind = ItemAnswer::Kind::busy;
      if (call.name != "x://secret") return answer;
      answer.kind = ItemAnswer::Kind::error;
      answer.error_code = "access_denied";
      answer.message = "Not for you";
      return answer;
    };
  }

  // Reads that are still due find nothing.
  ~ListenWorld() {
    const std::lock_guard lock(life_->mutex);
    life_->over = true;
  }

  // A listening request; `more` are members of its _meta.
  std::shared_ptr<ListenSink> listen(const std::string& notifications, const std::string& id = "7",
                                     std::shared_ptr<ListenSink> sink = nullptr,
                                     const std::string& more = "") {
    const std::string text = R"({"jsonrpc":"2.0","id":)" + id +
                             R"(,"method":"subscriptions/listen","params":{"notifications":)" +
                             notifications + R"(,"_meta":{)" + more + "}}}";
    ListenChannel way;
    if (sink) way.sink_ = sink;
    Message message(text);
    EXPECT_FALSE(message.parse());
    const Context context{principal, kModernRevision, nullptr, nullptr, accepts_streams};
    auto now = dispatcher.request(message, context, way);
    if (now) way.sink_->answer(std::move(*now));
    return way.sink_;
  }

  std::shared_ptr<ListenSink> legacy(const std::string& method, const std::string& uri,
                                     const std::shared_ptr<Session>& session) {
    const std::string text =
        R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":{"uri":)" + uri + "}}";
    ListenChannel way;
    Message message(text);
    EXPECT_FALSE(message.parse());
    auto now =
        dispatcher.request(message, {principal, session->protocol(), nullptr, session.get()}, way);
    if (now) way.sink_->answer(std::move(*now));
    return way.sink_;
  }

  // What callers of a scope read from now on.
  void show(const std::string& scope, const std::string& text) {
    std::lock_guard lock(mutex_);
    contents_[scope] = text;
  }

  std::atomic<bool> busy{false};
  bool accepts_streams = true;
  std::atomic<bool> hold_reads{false};
  std::atomic<std::size_t> reads{0};

 private:
  std::string content(const std::string& scope) {
    std::lock_guard lock(mutex_);
    return contents_[scope];
  }

  struct Life {
    std::mutex mutex;
    bool over = false;
  };

  const std::shared_ptr<Life> life_ = std::make_shared<Life>();
  std::mutex mutex_;
  std::map<std::string, std::string> contents_;  // by the scope's fingerprint
};

}  // namespace gantry::host::rpc
