// host/stdio/sink.hpp (private): the answer of one request as lines.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "host/rpc/tracker.hpp"
#include "host/stdio/output.hpp"

namespace gantry::host {

class Stdio::LineSink final : public rpc::Sink {
 public:
  LineSink(std::shared_ptr<Output> output, std::shared_ptr<Session> session, std::string key,
           bool silent_when_cancelled)
      : output_(std::move(output)),
        tracker_(std::move(session), std::move(key)),
        silent_when_cancelled_(silent_when_cancelled) {
    output_->expect_one();
  }

  void notify(std::string message) override {
    if (!*silenced_) output_->line(std::move(message));
  }

  bool request(std::string message) override {
    notify(std::move(message));
    return true;
  }

  void answer(rpc::Answer answer) override {
    tracker_.answered();
    if (!*silenced_) output_->line(std::move(answer.body));
    output_->one_came();
  }

  // The modern era wants nothing more for a request that its client cancelled.
  void started(Session::Cancel cancel) override {
    tracker_.started([silenced = silenced_, silent = silent_when_cancelled_,
                      cancel = std::move(cancel)](Stop why) {
      if (silent && why == Stop::cancelled) *silenced = true;
      cancel(why);
    });
  }

 private:
  const std::shared_ptr<Output> output_;
  rpc::Tracker tracker_;
  const bool silent_when_cancelled_;
  const std::shared_ptr<std::atomic<bool>> silenced_ = std::make_shared<std::atomic<bool>>(false);
};

struct Stdio::LineChannel final : rpc::Channel {
  LineChannel(Stdio& s, const rpc::Message& m, bool is_modern)
      : stdio(s), message(m), modern(is_modern) {}
  std::shared_ptr<rpc::Sink> sink() override {
    return std::make_shared<LineSink>(stdio.output_, stdio.session_, message.id_key(), modern);
  }
  Stdio& stdio;
  const rpc::Message& message;
  const bool modern;
};

}  // namespace gantry::host
