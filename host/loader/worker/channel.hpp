// host/loader/worker/channel.hpp: the host's end of the socket to a worker.
//
// Sending never waits: what the worker does not take yet is queued and sent by the reading thread,
// so that a worker that reads nothing holds up nobody. send() and wake(): any thread; the rest: one
// thread, the reader.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

#include "host/loader/unique_fd.hpp"
#include "host/loader/worker/frame_buffer.hpp"

namespace gantry::host::worker {

class Channel {
 public:
  // `socket` stays its owner's.
  explicit Channel(int socket);

  // One whole frame. False when too much waits already: the worker does not read.
  bool send(std::string_view frame);
  // Lets wait() return.
  void wake();
  // The worker reads the end of the stream.
  void shut();

  enum class Seen { something, nothing, end };
  // Waits until something was received, wake() was called or `deadline` has come. `end`: the worker
  // has closed its end.
  Seen wait(std::chrono::steady_clock::time_point deadline);
  // The next frame of what was received; valid until the next wait().
  Result<std::optional<Frame>> next() { return received_.next(); }

 private:
  Seen receive();
  void send_queued();
  bool has_queued();

  const int socket_;
  UniqueFd wake_;
  FrameBuffer received_;
  std::mutex mutex_;
  std::string queue_;     // not taken yet,
  std::size_t sent_ = 0;  // except for its beginning
};

}  // namespace gantry::host::worker
