#include "journal/record_ring.hpp"

#include <cstddef>

namespace gantry::data {
namespace {

constexpr std::uint64_t kStart = RecordFileHead::kStart;

template <class Part>
std::string_view bytes_of_part(const Part& part) {
  return {reinterpret_cast<const char*>(&part), sizeof part};
}

}  // namespace

Status RecordRing::begin() {
  if (Status locked = file_.lock(); !locked) return locked;
  const Status known = read_head();
  if (!known) end();
  return known;
}

Status RecordRing::read_head() {
  const Status done = file_.read(0, &head_, sizeof head_);
  if (done) return head_.magic == RecordFileHead::kMagic ? Status() : damage();
  if (done.code() != GANTRY_NOT_FOUND) return done;
  const auto is_new = file_.is_empty();
  if (!is_new) return is_new.status();
  return *is_new ? write(RecordFileHead()) : damage();
}

bool RecordRing::is_quiet() const {
  RecordFileHead head;
  return file_.read(0, &head, sizeof head) && head.magic == RecordFileHead::kMagic &&
         head.next_number == head.settled;
}

Status RecordRing::read(std::uint64_t at, void* to, std::uint64_t size) {
  const std::uint64_t end = head_.end_of(at);
  if (at < kStart || at >= end || size > end - at) return damage();
  const Status done = file_.read(at, to, size);
  return done.code() == GANTRY_NOT_FOUND ? damage() : done;
}

Status RecordRing::check() {
  if (Status walked = walk([](const PlacedFrame&) { return true; }); !walked) return walked;
  char last = 0;
  return head_.frames == 0 ? Status() : read(head_.end - 1, &last, sizeof last);
}

Result<RecordFrame> RecordRing::frame_at(std::uint64_t at) {
  RecordFrame frame;
  if (Status done = read(at, &frame, sizeof frame); !done) return done;
  const std::uint64_t room = frame.size - sizeof frame;
  const bool is_whole = frame.size >= sizeof frame && frame.size <= head_.end_of(at) - at &&
                        frame.head_size <= room && frame.body_size <= room - frame.head_size &&
                        frame.number < head_.next_number && frame.state >= State::added &&
                        frame.state <= State::dropped;
  return is_whole ? Result<RecordFrame>(frame) : damage();
}

Status RecordRing::walk(const std::function<bool(const PlacedFrame&)>& visit) {
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
  if (first == head_.settled) return first;
  const Status done = walk([&](const PlacedFrame& one) {
    if (head_.is_pending(one.frame)) first = one.frame.number;
    return one.frame.number > head_.settled;
  });
  return done ? Result<std::int64_t>(first) : done;
}

Result<std::uint64_t> RecordRing::room(std::uint64_t size) {
  while (head_.frames > 0) {
    const bool is_wrapped = head_.wrap != 0;
    const bool fits = head_.used() + size <= bytes_;  // the file may be of a larger limit
    const std::uint64_t most = is_wrapped ? head_.begin : kStart + bytes_;
    if (fits && head_.end + size <= most) return head_.end;
    if (fits && !is_wrapped && kStart + size <= head_.begin) return kStart;
    if (Status done = remove_oldest(); !done) return done;
  }
  return kStart;
}

Status RecordRing::add(RecordFrame frame, std::string_view head, std::string_view body) {
  frame.head_size = head.size();
  frame.body_size = body.size();
  frame.size = RecordFrame::size_of(head, body);
  const auto at = room(frame.size);
  if (!at) return at.status();
  const auto settled = first_pending();
  if (!settled) return settled.status();
  frame.previous = head_.last;
  frame.number = head_.next_number;
  frame.state = State::added;
  std::string bytes;
  bytes.reserve(frame.size);
  bytes.append(bytes_of_part(frame)).append(head).append(body);
  bytes.resize(frame.size);
  if (Status done = file_.write(*at, bytes); !done) return done;
  RecordFileHead next = head_;
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
  return write(next);
}

Status RecordRing::remove_oldest() {
  const std::uint64_t at = head_.begin;
  const auto oldest = frame_at(at);
  if (!oldest) return oldest.status();
  RecordFileHead next = head_;
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
  if (Status done = write(next); !done) return done;
  return file_.overwrite(at, oldest->size);
}

RecordFrame RecordRing::now(const PlacedFrame& one) const {
  RecordFrame now;
  const bool is_same = file_.read(one.at, &now, sizeof now) && now.id == one.frame.id;
  if (!is_same) now.state = State::dropped;
  return now;
}

Status RecordRing::keep_first() {
  RecordFileHead next = head_;
  ++next.settled;
  return write(next);
}

Status RecordRing::keep(const PlacedFrame& one) {
  return one.frame.number == head_.settled ? keep_first() : write(one, State::kept);
}

Status RecordRing::drop(const PlacedFrame& one) {
  if (Status done = write(one, State::dropped); !done) return done;
  return file_.overwrite(one.at + sizeof(RecordFrame), one.frame.size - sizeof(RecordFrame));
}

Status RecordRing::write(const RecordFileHead& head) {
  const Status done = file_.write(0, bytes_of_part(head));
  if (done) head_ = head;
  return done;
}

Status RecordRing::write(const PlacedFrame& one, State state) {
  return file_.write(one.at + offsetof(RecordFrame, state), bytes_of_part(state));
}

Status RecordRing::damage() {
  is_damaged_ = true;
  return file_.failure("it is damaged");
}

}  // namespace gantry::data
