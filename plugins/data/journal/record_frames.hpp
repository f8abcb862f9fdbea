// journal/record_frames.hpp: what begins the file of records, and each record in it. Numbers are in
// the machine's order of bytes. Plain data; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gantry::data {

// What begins a record. The bytes of its head and its body follow.
struct RecordFrame {
  // `kept` is written only where an earlier record is still pending, see RecordFileHead::settled.
  enum class State : std::uint64_t { added = 1, kept = 2, dropped = 3 };
  using Id = std::array<char, 24>;            // the rest is zero
  static constexpr std::uint64_t kAlign = 8;  // no state is in two pages

  std::uint64_t size = 0;      // of all, a multiple of kAlign
  std::uint64_t previous = 0;  // the place of the one before
  std::int64_t number = 0;     // counts up
  std::int64_t made_ms = 0;    // since 1970
  std::uint64_t head_size = 0, body_size = 0;
  Id id{}, replaces{};
  State state = State::added;

  static std::uint64_t size_of(std::string_view head, std::string_view body) {
    return (sizeof(RecordFrame) + head.size() + body.size() + kAlign - 1) / kAlign * kAlign;
  }
};
static_assert(sizeof(RecordFrame) % RecordFrame::kAlign == 0);

struct PlacedFrame {
  std::uint64_t at = 0;  // in the file
  RecordFrame frame;
};

// What begins the file.
struct RecordFileHead {
  static constexpr std::array<char, 16> kMagic{"gantry.writes/2"};
  static constexpr std::uint64_t kStart = 128;  // of the first frame

  std::array<char, 16> magic = kMagic;
  std::uint64_t begin = kStart, end = kStart;  // of the frames
  std::uint64_t wrap = 0;                      // where they go on at kStart; 0: they do not
  std::uint64_t last = 0;                      // the newest frame
  std::uint64_t frames = 0;                    // their number
  std::int64_t oldest_ms = 0;                  // of the oldest
  std::int64_t settled = 1;                    // the first number that may be pending
  std::int64_t next_number = 1;

  // The bytes of all frames.
  std::uint64_t used() const { return wrap == 0 ? end - begin : wrap - begin + end - kStart; }
  // Where the frames end that begin at `at` or behind it.
  std::uint64_t end_of(std::uint64_t at) const { return wrap != 0 && at >= begin ? wrap : end; }
  bool is_pending(const RecordFrame& frame) const {
    return frame.state == RecordFrame::State::added && frame.number >= settled;
  }
  bool is_kept(const RecordFrame& frame) const {
    return frame.state != RecordFrame::State::dropped && !is_pending(frame);
  }
};
static_assert(sizeof(RecordFileHead) <= RecordFileHead::kStart &&
              RecordFileHead::kStart % RecordFrame::kAlign == 0);

}  // namespace gantry::data
