// host/stdio/sink.hpp (private): the sinks of requests and of the session, which write lines.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "host/rpc/message/envelope.hpp"
#include "host/rpc/session_request.hpp"
#include "host/stdio/output.hpp"
#include "host/stdio/stdio.hpp"

namespace gantry::host {

class StdioSink final : public rpc::Sink {
 public:
  StdioSink(std::shared_ptr<StdioOutput> output, std::shared_ptr<Session> session,
            const rpc::Message& message, bool silent_when_cancelled)
      : output_(std::move(output)),
        tracker_(std::move(session), message.id_key()),
        id_(message.id()),
        silent_when_cancelled_(silent_when_cancelled) {
    output_->answers().add();
  }
  ~StdioSink() override { output_->when_drained(this, nullptr); }

  void notify(std::string message) override {
    if (!*silenced_) output_->note(std::move(message));
  }

  bool request(std::string message) override {
    if (!*silenced_) output_->line(std::move(message));
    return true;
  }

  void answer(rpc::Answer answer) override {
    tracker_.answered();
    if (!*silenced_) output_->line(std::move(answer.body));
    if (!place_) return output_->answers().remove();
    // The connection stays open, so the end of the subscription needs a message.
    if (!*silenced_) output_->line(rpc::cancelled_message(id_, {}));
    place_ = {};
  }

  // In the modern era a request that its client cancelled gets no answer.
  void started(RunningRequests::Cancel cancel) override {
    tracker_.started([silenced = silenced_, silent = silent_when_cancelled_,
                      cancel = std::move(cancel)](Stop why) {
      if (silent && why == Stop::cancelled) *silenced = true;
      cancel(why);
    });
  }

  // The end of input does not wait for listening requests.
  bool listen() override {
    place_ = output_->listeners().enter();
    if (!place_) return false;
    output_->answers().remove();
    return true;
  }
  std::size_t backlog() const override { return output_->backlog(); }
  void when_drained(std::function<void()> drained) override {
    output_->when_drained(this, std::move(drained));
  }

 private:
  const std::shared_ptr<StdioOutput> output_;
  rpc::SessionRequest tracker_;
  const std::string id_;
  const bool silent_when_cancelled_;
  Gate::Place place_;  // of a request that listens
  const std::shared_ptr<std::atomic<bool>> silenced_ = std::make_shared<std::atomic<bool>>(false);
};

// The session's stream 0 on standard output. Notifications that do not fit are dropped: the client
// can still read the lists and resources that they name.
class StdioEventSink final : public EventSink {
 public:
  explicit StdioEventSink(std::shared_ptr<StdioOutput> output) : output_(std::move(output)) {}

  bool open() override { return true; }
  void prime(EventId) override {}
  bool send(EventId, const Text& message) override {
    output_->note(*message);
    return true;
  }
  void gap() override {}
  void close() override {}
  std::size_t backlog() const override { return output_->backlog(); }

 private:
  const std::shared_ptr<StdioOutput> output_;
};

struct Stdio::LineChannel final : rpc::Channel {
  LineChannel(Stdio& s, const rpc::Message& m, bool is_modern)
      : stdio(s), message(m), modern(is_modern) {}
  std::shared_ptr<rpc::Sink> sink() override {
    return std::make_shared<StdioSink>(stdio.output_, stdio.session_, message, modern);
  }
  Stdio& stdio;
  const rpc::Message& message;
  const bool modern;
};

}  // namespace gantry::host
