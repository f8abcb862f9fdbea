// host/worker/frame_buffer.hpp: turns bytes from a socket into frames.
//
// One thread.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "host/worker/wire.hpp"

namespace gantry::host::worker {

class FrameBuffer {
 public:
  FrameBuffer();
  ~FrameBuffer();  // overwrites the bytes it held: secrets pass through here
  FrameBuffer(const FrameBuffer&) = delete;
  FrameBuffer& operator=(const FrameBuffer&) = delete;

  // Where the next bytes from the socket go, and how many there is room for; then added() says
  // how many came. The frames that next() gave are gone.
  std::pair<char*, std::size_t> space();
  void added(std::size_t bytes) {
    end_ += bytes;
    used_ = std::max(used_, end_);
  }

  // The next whole frame; nothing while there is none. Its body is valid until space() is called.
  Result<std::optional<Frame>> next();

 private:
  void take_room(std::size_t room);

  // Memory that no frame reached is never touched: most workers are sent a few small ones.
  std::unique_ptr<char[]> bytes_;
  std::size_t room_ = 0, used_ = 0;  // how much of it ever held something
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace gantry::host::worker
