#include "host/sessions/streams.hpp"

#include <algorithm>
#include <utility>

namespace gantry::host {

std::uint64_t Streams::open(EventSinkPtr sink, bool primed) {
  std::lock_guard lock(mutex_);
  const std::uint64_t number = next_++;
  Stream& stream = table_[number];
  if (sink->open()) stream.sink = std::move(sink);
  if (primed) prime(number, stream);
  return number;
}

void Streams::send(std::uint64_t number, std::string message) {
  const auto text = std::make_shared<const std::string>(std::move(message));
  {
    std::lock_guard lock(mutex_);
    const auto found = table_.find(number);
    if (found != table_.end()) append(number, found->second, text, text);
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
    Stream& stream = found->second;
    append(number, stream, text, kept);
    stream.answered = true;
    take_over(stream, nullptr);
    drop_if_done(table_.find(number));
  }
  settle();
}

bool Streams::release(std::uint64_t number) {
  std::lock_guard lock(mutex_);
  const auto found = table_.find(number);
  if (found == table_.end() || !found->second.sink || !found->second.resumable || ended_) {
    return false;
  }
  take_over(found->second, nullptr);
  return true;
}

bool Streams::listen(EventSinkPtr sink, bool primed) {
  std::lock_guard lock(mutex_);
  if (ended_) return false;
  Stream& stream = table_[kListening];
  stream.listened = true;
  if (!sink->open()) return true;
  take_over(stream, std::move(sink));
  // Older events first: a client that saw only a newer id would never request them.
  if (stream.handed < stream.last) return replay(kListening, stream, stream.handed), true;
  if (primed) prime(kListening, stream);
  return true;
}

Streams::Resumed Streams::resume(EventId last, EventSinkPtr sink) {
  std::lock_guard lock(mutex_);
  const auto found = table_.find(last.stream);
  if (ended_ || found == table_.end()) return Resumed::unknown;
  Stream& stream = found->second;
  const bool never_sent = last.number > stream.last || last.number == 0;
  const bool answer_lost =
      stream.answered && stream.lost == stream.last && last.number < stream.last;
  if (never_sent || answer_lost) return Resumed::unknown;
  if (!sink->open()) return Resumed::live;  // already disconnected
  take_over(stream, std::move(sink));
  replay(last.stream, stream, last.number);
  if (!stream.answered) return Resumed::live;
  take_over(stream, nullptr);
  return Resumed::complete;
}

bool Streams::push(std::string message) {
  const auto text = std::make_shared<const std::string>(std::move(message));
  {
    std::lock_guard lock(mutex_);
    Stream& stream = table_[kListening];
    if (ended_ || !stream.listened) return false;
    append(kListening, stream, text, text);
  }
  settle();
  return true;
}

void Streams::detach(const EventSink& sink) {
  std::lock_guard lock(mutex_);
  const auto found = std::find_if(table_.begin(), table_.end(), [&](const auto& entry) {
    return entry.second.sink.get() == &sink;
  });
  if (found != table_.end()) found->second.sink = nullptr;
}

void Streams::close_listener() {
  std::lock_guard lock(mutex_);
  take_over(table_[kListening], nullptr);
}

void Streams::end() {
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    replay_.clear();
    take_over(table_[kListening], nullptr);
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
  return static_cast<std::size_t>(
      std::count_if(table_.begin(), table_.end(),
                    [](const auto& entry) { return entry.second.sink != nullptr; }));
}

std::size_t Streams::backlog() const {
  std::lock_guard lock(mutex_);
  const EventSinkPtr& sink = table_.at(kListening).sink;
  return sink ? sink->backlog() : 0;
}

// Numbers the event, keeps `kept` for a replay and sends `message` to the sink.
void Streams::append(std::uint64_t number, Stream& stream, Text message, const Text& kept) {
  const EventId id{number, ++stream.last};
  if (!ended_) keep(id, kept);
  give(stream, id, message);
}

void Streams::keep(EventId id, Text message) {
  replay_.keep(id, std::move(message), [this](EventId gone) { lost(gone); });
}

void Streams::lost(EventId id) {
  const auto found = table_.find(id.stream);
  if (found == table_.end()) return;
  found->second.lost = std::max(found->second.lost, id.number);
  drop_if_done(found);
}

void Streams::give(Stream& stream, EventId id, const Text& message) {
  if (!stream.sink) return;
  if (!stream.sink->send(id, message)) {
    stream.sink = nullptr;
    return;
  }
  stream.handed = std::max(stream.handed, id.number);
  stream.resumable = true;
}

void Streams::replay(std::uint64_t number, Stream& stream, std::uint64_t after) {
  if (stream.lost > after) stream.sink->gap();
  replay_.each_after({number, after}, [&](EventId id, const Text& message) {
    give(stream, id, message);
    return stream.sink != nullptr;
  });
}

void Streams::prime(std::uint64_t number, Stream& stream) {
  if (!stream.sink) return;
  stream.handed = ++stream.last;
  stream.resumable = true;
  stream.sink->prime({number, stream.last});
}

// Drops an answered stream without kept events, because it cannot be resumed.
void Streams::drop_if_done(Table::iterator stream) {
  if (stream->second.answered && !replay_.has_any_of(stream->first)) table_.erase(stream);
}

void Streams::take_over(Stream& stream, EventSinkPtr sink) {
  if (stream.sink) stream.sink->close();
  stream.sink = std::move(sink);
}

}  // namespace gantry::host
