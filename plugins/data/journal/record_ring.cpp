#include "journal/record_ring.hpp"

#include <cstddef>

namespace gantry::data {
namespace {

template <class Part>
std::string_view bytes_of_part(const Part& part) {
  return {reinterpret_cast<const char*>(&part), sizeof part};
}

}  // namespace

Status RecordRing::begin() {
  if (Status locked = file_.lock(); !locked) return locked;
  const Status known = [&]() -> Status {
    const Status read = file_.read(0, &head_, sizeof head_);
    if (read && head_.magic == kMagic) return {};
    const auto is_new = file_.is_empty();
    if (!is_new) return is_new.status();
    return *is_new ? keep({}) : damage();
  }();
  if (!known) end();
  return known;
}

bool RecordRing::is_quiet() const {
  Head head;
  return file_.read(0, &head, sizeof head) && head.magic == kMagic && head.next_number == settled_;
}

Status RecordRing::check() {
  return walk([](const Placed&) { return true; });
}

Result<RecordRing::Frame> RecordRing::frame_at(std::uint64_t at) {
  Frame frame;
  if (at < kStart) return damage();
  if (Status done = file_.read(at, &frame, sizeof frame); !done) {
    return done.code() == GANTRY_NOT_FOUND ? damage() : done;
  }
  const std::uint64_t room = frame.size - sizeof frame;
  const bool is_whole = frame.size >= sizeof frame && frame.head_size <= room &&
                        frame.body_size <= room - frame.head_size &&
                        frame.number < head_.next_number && frame.state >= State::pending &&
                        frame.state <= State::dropped;
  return is_whole ? Result<Frame>(frame) : damage();
}

Status RecordRing::walk(const std::function<bool(const Placed&)>& visit) {
  std::uint64_t at = head_.last, end = head_.end;
  for (std::uint64_t left = head_.frames; left > 0; --left) {
    const auto frame = frame_at(at);
    if (!frame) return frame.status();
    const bool joins = at < end && end - at == frame->size && (left > 1 || at == head_.begin);
    if (!joins) return damage();
    if (!visit({at, *frame})) return {};
    end = at == kStart ? head_.wrap : at;
    at = frame->previous;
  }
  return {};
}

Result<std::int64_t> RecordRing::first_pending() {
  std::int64_t first = head_.next_number;
  if (first == settled()) return first;
  const Status done = walk([&](const Placed& one) {
    if (one.frame.number < settled()) return false;
    if (one.frame.state == State::pending) first = one.frame.number;
    return true;
  });
  if (!done) return done;
  settled_ = first;
  return first;
}

Result<std::uint64_t> RecordRing::room(std::uint64_t size) {
  while (head_.frames > 0) {
    const bool is_wrapped = head_.wrap != 0;
    const std::uint64_t most = is_wrapped ? head_.begin : kStart + bytes_;
    if (head_.end + size <= most) return head_.end;
    if (!is_wrapped && kStart + size <= head_.begin) return kStart;
    if (Status done = remove_oldest(); !done) return done;
  }
  return kStart;
}

std::uint64_t RecordRing::size_of(std::string_view head, std::string_view body) {
  return (sizeof(Frame) + head.size() + body.size() + kAlign - 1) / kAlign * kAlign;
}

Status RecordRing::add(Frame frame, std::string_view head, std::string_view body) {
  frame.head_size = head.size();
  frame.body_size = body.size();
  frame.size = size_of(head, body);
  const auto at = room(frame.size);
  if (!at) return at.status();
  const auto settled = first_pending();
  if (!settled) return settled.status();
  frame.previous = head_.last;
  frame.number = head_.next_number;
  frame.state = State::pending;
  std::string bytes;
  bytes.reserve(frame.size);
  bytes.append(bytes_of_part(frame)).append(head).append(body);
  bytes.resize(frame.size);
  if (Status done = file_.write(*at, bytes); !done) return done;
  Head next = head_;
  if (next.frames == 0) {
    next.begin = *at;
    next.oldest_ms = frame.made_ms;
  } else if (*at != next.end) {
    next.wrap = next.end;
  }
  next.end = *at + frame.size;
  next.last = *at;
  next.settled = *settled;
  ++next.frames;
  ++next.next_number;
  return keep(next);
}

Status RecordRing::remove_oldest() {
  const std::uint64_t at = head_.begin;
  const auto oldest = frame_at(at);
  if (!oldest) return oldest.status();
  Head next = head_;
  next.begin += oldest->size;
  if (next.begin == next.wrap) {
    next.begin = kStart;
    next.wrap = 0;
  }
  if (--next.frames == 0) {
    next.begin = next.end = kStart;
    next.wrap = next.last = 0;
  } else {
    const auto second = frame_at(next.begin);
    if (!second) return second.status();
    next.oldest_ms = second->made_ms;
  }
  if (Status done = keep(next); !done) return done;
  return file_.overwrite(at, oldest->size);
}

Status RecordRing::settle(const Placed& one, State state) {
  const std::uint64_t at = one.at + offsetof(Frame, state);
  if (Status done = file_.write(at, bytes_of_part(state)); !done) return done;
  if (one.frame.number == settled()) settled_ = one.frame.number + 1;
  if (state != State::dropped) return {};
  return file_.overwrite(one.at + sizeof(Frame), one.frame.size - sizeof(Frame));
}

Result<std::string> RecordRing::head_of(const Placed& one) const {
  std::string bytes(one.frame.head_size, '\0');
  const Status done = file_.read(one.at + sizeof(Frame), bytes.data(), bytes.size());
  return done ? Result<std::string>(std::move(bytes)) : done;
}

Result<std::string> RecordRing::body_of(const Placed& one) const {
  std::string bytes(one.frame.body_size, '\0');
  const std::uint64_t at = one.at + sizeof(Frame) + one.frame.head_size;
  const Status done = file_.read(at, bytes.data(), bytes.size());
  return done ? Result<std::string>(std::move(bytes)) : done;
}

Status RecordRing::keep(const Head& head) {
  const Status done = file_.write(0, bytes_of_part(head));
  if (done) head_ = head;
  return done;
}

Status RecordRing::damage() {
  is_damaged_ = true;
  return file_.failure("it is damaged");
}

}  // namespace gantry::data
