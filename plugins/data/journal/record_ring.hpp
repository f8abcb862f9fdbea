// journal/record_ring.hpp: the file of records as a ring of frames: where there is no more room,
// the newest takes that of the oldest.
//
// The head of the file is written after the frame that it counts, and before a frame that it no
// longer counts is overwritten, so that the end of the process leaves the ring whole at any moment.
// One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "journal/locked_file.hpp"
#include "journal/record_frames.hpp"

namespace gantry::data {

// It has more than twenty methods: one for each change of the ring or of a frame, and the steps of
// the file's format.
class RecordRing {
 public:
  // `bytes`: the room of all frames. The file outlives the ring.
  RecordRing(LockedFile& file, std::uint64_t bytes) : file_(file), bytes_(bytes) {}

  // Locks the file, and reads its head. A new one is begun in an empty file.
  Status begin();
  void end() { file_.unlock(); }
  // Without begin(), but after the first: nothing is pending.
  bool is_quiet() const;
  // The frames do not join, or the head is none.
  bool is_damaged() const { return is_damaged_; }

  // All below between begin() and end().

  const RecordFileHead& head() const { return head_; }
  // Adds a pending frame, which takes no more than `bytes`; `frame` has its ids and its time.
  Status add(RecordFrame frame, std::string_view head, std::string_view body);
  Status remove_oldest();
  // From the newest to the oldest, until `visit` returns false. It changes nothing.
  Status walk(const std::function<bool(const PlacedFrame&)>& visit);
  // Whether all frames are there, to the last byte of the newest; else is_damaged().
  Status check();
  // Bytes of a frame.
  Status read(std::uint64_t at, void* to, std::uint64_t size);
  // A frame of an earlier walk() as it is now; dropped, if it was removed since.
  RecordFrame now(const PlacedFrame& one) const;
  // Keeps the first frame that may be pending.
  Status keep_first();
  Status keep(const PlacedFrame& one);
  // What the frame held is overwritten.
  Status drop(const PlacedFrame& one);

 private:
  using State = RecordFrame::State;

  Status read_head();
  // The place of a new frame. Removes the oldest frames while there is none.
  Result<std::uint64_t> room(std::uint64_t size);
  Result<RecordFrame> frame_at(std::uint64_t at);
  // The number before which nothing is pending.
  Result<std::int64_t> first_pending();
  Status write(const RecordFileHead& head);
  Status write(const PlacedFrame& one, State state);
  Status damage();

  LockedFile& file_;
  const std::uint64_t bytes_;
  RecordFileHead head_;
  bool is_damaged_ = false;
};

}  // namespace gantry::data
