// host/worker/channel.hpp: the host's end of the socket to a worker.
//
// Sending never waits: the bytes that the worker does not take yet are queued and sent by the
// reader, so that a worker that does not read delays no other thread. send(), wake() and shut():
// any thread; wait(), receive() and next(): one thread, the reader.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "host/base/unique_fd.hpp"
#include "host/worker/frame_buffer.hpp"

namespace gantry::host::worker {

class Channel {
 public:
  // `socket` stays its owner's.
  explicit Channel(int socket);

  // One whole frame. False when 256 MiB are queued already: the worker does not read.
  bool send(std::string_view frame);
  // Lets wait() return.
  void wake();
  // The worker reads the end of the stream.
  void shut();

  using Time = std::chrono::steady_clock::time_point;
  // Sleeps until there is something to receive, wake() was called or `deadline` has come.
  void wait(Time deadline);

  enum class Seen { something, nothing, end };
  // Takes the bytes that have come by now; never waits. `end`: the worker has closed its end.
  Seen receive();
  // The next received frame; valid until the next receive().
  Result<std::optional<Frame>> next() { return received_.next(); }

 private:
  void send_queued();
  bool has_queued();

  const int socket_;
  UniqueFd wake_;
  FrameBuffer received_;
  std::mutex mutex_;
  std::string queue_;     // bytes that the socket has not taken,
  std::size_t sent_ = 0;  // after so many that it has
};

}  // namespace gantry::host::worker
