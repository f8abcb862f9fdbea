// journal/record_ring.hpp: the file of records as a ring of frames: where there is no more room,
// the newest takes that of the oldest.
//
// The head of the file tells where the ring begins and ends. It is written after the frame that it
// counts, and before a frame that it no longer counts is overwritten, so that the end of the
// process leaves the ring whole at any moment. Numbers are in the machine's order of bytes. One
// thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "journal/locked_file.hpp"

namespace gantry::data {

class RecordRing {
 public:
  enum class State : std::uint64_t { pending = 1, kept = 2, dropped = 3 };
  using Id = std::array<char, 24>;  // the rest is zero
  // What begins a frame, as it is in the file. The bytes of its head and its body follow.
  struct Frame {
    std::uint64_t size = 0;      // of all, a multiple of kAlign
    std::uint64_t previous = 0;  // the place of the one before
    std::int64_t number = 0;     // counts up
    std::int64_t made_ms = 0;    // since 1970
    std::uint64_t head_size = 0, body_size = 0;
    Id id{}, replaces{};
    State state = State::pending;
  };
  struct Placed {
    std::uint64_t at = 0;  // in the file
    Frame frame;
  };

  // `bytes`: the room of all frames. The file outlives the ring.
  RecordRing(LockedFile& file, std::uint64_t bytes) : file_(file), bytes_(bytes) {}

  // Locks the file, and reads its head. A new one is begun in an empty file.
  Status begin();
  void end() { file_.unlock(); }

  // All below between begin() and end().

  // Looks at every frame.
  Status check();
  // Without begin(): whether nothing is pending for certain, which is known if no other user of the
  // file has added a frame since this one settled all.
  bool is_quiet() const;

  // The frames do not join, or the head is none.
  bool is_damaged() const { return is_damaged_; }

  bool is_empty() const { return head_.frames == 0; }
  std::int64_t oldest_ms() const { return head_.oldest_ms; }
  // Frames with smaller numbers are not pending.
  std::int64_t settled() const { return std::max(head_.settled, settled_); }

  // The room that a frame takes.
  static std::uint64_t size_of(std::string_view head, std::string_view body);
  // Adds a pending frame, which takes no more than `bytes`; `frame` has its ids and its time.
  Status add(Frame frame, std::string_view head, std::string_view body);
  Status remove_oldest();
  // From the newest to the oldest, until `visit` returns false. It changes nothing.
  Status walk(const std::function<bool(const Placed&)>& visit);
  // What a dropped frame held is overwritten.
  Status settle(const Placed& one, State state);
  Result<std::string> head_of(const Placed& one) const;
  Result<std::string> body_of(const Placed& one) const;

 private:
  static constexpr std::array<char, 16> kMagic{"gantry.writes/2"};
  static constexpr std::uint64_t kAlign = 8;    // of frames: no state is in two pages
  static constexpr std::uint64_t kStart = 128;  // of the first frame
  // What begins the file.
  struct Head {
    std::array<char, 16> magic = kMagic;
    std::uint64_t begin = kStart, end = kStart;
    std::uint64_t wrap = 0;  // where the frames go on at kStart; 0: they do not
    std::uint64_t last = 0;  // the newest frame
    std::uint64_t frames = 0;
    std::int64_t oldest_ms = 0, settled = 1, next_number = 1;
  };
  static_assert(sizeof(Head) <= kStart && kStart % kAlign == 0 && sizeof(Frame) % kAlign == 0);

  // The place of a new frame. Removes the oldest frames while there is none.
  Result<std::uint64_t> room(std::uint64_t size);
  Result<Frame> frame_at(std::uint64_t at);
  // The number before which nothing is pending.
  Result<std::int64_t> first_pending();
  Status keep(const Head& head);
  Status damage();

  LockedFile& file_;
  const std::uint64_t bytes_;
  Head head_;
  std::int64_t settled_ = 0;  // the number of the head, as far as this user of the file knows it
  bool is_damaged_ = false;
};

}  // namespace gantry::data
