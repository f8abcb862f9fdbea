// host/worker/channel.hpp: the host's end of the socket to a worker.
//
// Sending never waits: what the worker does not take yet is queued and sent by the reader, so that
// a worker that reads nothing holds up nobody. send(), wake(), leave_until() and watch(): any
// thread; wait(): the reader; receive() and next(): one thread at a time.
#pragma once

#include <atomic>
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

  // One whole frame. False when too much waits already: the worker does not read.
  bool send(std::string_view frame);
  // Lets wait() return.
  void wake();
  // The worker reads the end of the stream.
  void shut();

  using Time = std::chrono::steady_clock::time_point;
  // Sleeps until there is something to receive, wake() was called or `deadline` has come.
  void wait(Time deadline);
  // Until then others receive: wait() does not return for what comes, unless that is the end.
  void leave_until(Time when) { left_until_ = when; }
  // wait() returns for everything again, from now on.
  void watch();

  enum class Seen { something, nothing, end };
  // What has come by now; never waits. `end`: the worker has closed its end.
  Seen receive();
  // The next frame of what was received; valid until the next receive().
  Result<std::optional<Frame>> next() { return received_.next(); }

 private:
  void send_queued();
  bool has_queued();

  const int socket_;
  UniqueFd wake_;
  std::atomic<Time> left_until_{Time()};
  FrameBuffer received_;
  std::mutex mutex_;
  std::string queue_;     // not taken yet,
  std::size_t sent_ = 0;  // except for its beginning
};

}  // namespace gantry::host::worker
