#include "host/sessions/streams.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {

std::uint64_t Streams::open(EventSinkPtr sink, bool primed) {
  std::lock_guard lock(mutex_);
  const std::uint64_t number = next_++;
  SessionStream& stream = table_.try_emplace(number, number).first->second;
  if (sink->open()) stream.connect(std::move(sink));
  if (primed) stream.prime();
  return number;
}

void Streams::send(std::uint64_t number, std::string message) {
  const auto text = std::make_shared<const std::string>(std::move(message));
  {
    std::lock_guard lock(mutex_);
    const auto found = table_.find(number);
    if (found != table_.end()) append(found->second, text, text);
  }
  settle();
}

void Streams::finish(std::uint64_t number, std::string answer, std::string instead) {
  const auto text = std::make_shared<const std::string>(std::move(answer));
  Text kept = text;
  if (!replay_.fits(text->size()) && !instead.empty()) {
    kept = std::make_shared<const std::string>(std::move(instead));
  }
  {
    std::lock_guard lock(mutex_);
    const auto found = table_.find(number);
    if (found == table_.end()) return;
    SessionStream& stream = found->second;
    append(stream, text, kept);
    stream.set_answered();
    stream.connect(nullptr);
    drop_if_done(found);
  }
  settle();
}

bool Streams::release(std::uint64_t number) {
  std::lock_guard lock(mutex_);
  const auto found = table_.find(number);
  if (ended_ || found == table_.end()) return false;
  SessionStream& stream = found->second;
  if (!stream.is_connected() || !stream.is_resumable()) return false;
  stream.connect(nullptr);
  return true;
}

bool Streams::listen(EventSinkPtr sink, bool primed) {
  std::lock_guard lock(mutex_);
  if (ended_) return false;
  listened_ = true;
  if (!sink->open()) return true;
  listening_.connect(std::move(sink));
  // Older events first: a client that saw only a newer id would never request them.
  if (!listening_.replay_unsent(replay_) && primed) listening_.prime();
  return true;
}

Streams::Resumed Streams::resume(EventId last, EventSinkPtr sink) {
  std::lock_guard lock(mutex_);
  const auto found = table_.find(last.stream);
  if (ended_ || found == table_.end()) return Resumed::unknown;
  SessionStream& stream = found->second;
  if (!stream.resumes_after(last.number)) return Resumed::unknown;
  if (last.stream == kListening) listened_ = true;
  if (!sink->open()) return Resumed::live;  // already disconnected
  stream.connect(std::move(sink));
  stream.replay(replay_, last.number);
  if (!stream.is_answered()) return Resumed::live;
  stream.connect(nullptr);
  return Resumed::complete;
}

bool Streams::push(std::string message) {
  const auto text = std::make_shared<const std::string>(std::move(message));
  {
    std::lock_guard lock(mutex_);
    if (ended_ || !listened_) return false;
    append(listening_, text, text);
  }
  settle();
  return true;
}

void Streams::detach(const EventSink& sink) {
  std::lock_guard lock(mutex_);
  for (auto& [number, stream] : table_) {
    if (stream.is_connected_to(sink)) return stream.disconnect();
  }
}

void Streams::close_listener() {
  std::lock_guard lock(mutex_);
  listening_.connect(nullptr);
}

void Streams::end() {
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    replay_.clear();
    listening_.connect(nullptr);
  }
  settle();
}

void Streams::forget() {
  std::lock_guard lock(mutex_);
  replay_.drop([this](EventId gone) { lost(gone); });
}

void Streams::settle() {
  const std::lock_guard settling(settling_);
  const std::size_t bytes = [this] {
    const std::lock_guard lock(mutex_);
    return replay_.bytes();
  }();
  if (!share_.hold(bytes)) forget();
  share_.touch();  // a full replay grows no more, but each event is progress
}

std::size_t Streams::attached() const {
  std::lock_guard lock(mutex_);
  return static_cast<std::size_t>(std::count_if(
      table_.begin(), table_.end(), [](const auto& entry) { return entry.second.is_connected(); }));
}

std::size_t Streams::backlog() const {
  std::lock_guard lock(mutex_);
  return listening_.backlog();
}

// Numbers the event, keeps `kept` for a replay and sends `message` to the sink.
void Streams::append(SessionStream& stream, const Text& message, const Text& kept) {
  const EventId id = stream.next();
  if (!ended_) replay_.keep(id, kept, [this](EventId gone) { lost(gone); });
  stream.give(id, message);
}

void Streams::lost(EventId id) {
  const auto found = table_.find(id.stream);
  if (found == table_.end()) return;
  found->second.lose(id.number);
  drop_if_done(found);
}

// Drops an answered stream without kept events, because it cannot be resumed.
void Streams::drop_if_done(Table::iterator stream) {
  if (stream->second.is_answered() && !replay_.has_any_of(stream->first)) table_.erase(stream);
}

}  // namespace gantry::host
