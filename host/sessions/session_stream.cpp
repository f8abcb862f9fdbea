#include "host/sessions/session_stream.hpp"

#include <algorithm>
#include <utility>

#include "host/sessions/replay.hpp"

namespace gantry::host {

void SessionStream::connect(EventSinkPtr sink) {
  if (sink_) sink_->close();
  sink_ = std::move(sink);
}

void SessionStream::give(EventId id, const Text& message) {
  if (!sink_) return;
  if (!sink_->send(id, message)) {
    sink_ = nullptr;
    return;
  }
  handed_ = std::max(handed_, id.number);
  resumable_ = true;
}

void SessionStream::prime() {
  if (!sink_) return;
  handed_ = ++last_;
  resumable_ = true;
  sink_->prime({number_, last_});
}

void SessionStream::replay(const Replay& kept, std::uint64_t after) {
  if (lost_ > after) sink_->gap();
  kept.each_after({number_, after}, [this](EventId id, const Text& message) {
    give(id, message);
    return is_connected();
  });
}

bool SessionStream::replay_unsent(const Replay& kept) {
  if (handed_ >= last_) return false;
  replay(kept, handed_);
  return true;
}

void SessionStream::lose(std::uint64_t number) { lost_ = std::max(lost_, number); }

bool SessionStream::resumes_after(std::uint64_t number) const {
  const bool was_sent = number > 0 && number <= last_;
  const bool answer_lost = answered_ && lost_ == last_ && number < last_;
  return was_sent && !answer_lost;
}

}  // namespace gantry::host
