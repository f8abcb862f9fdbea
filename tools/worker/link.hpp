// tools/worker/link.hpp: the worker's end of the socket to the host.
//
// Sending: any thread; a frame goes out whole. Reading: the thread that has the turn. When the host
// is gone there is nobody to work for: the process ends at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include <gantry/abi/status.h>

#include "host/worker/frame_buffer.hpp"
#include "turn.hpp"

namespace gantry::worker {

namespace wire = host::worker;

// The host's answer to a question.
struct Reply {
  gantry_status status = GANTRY_FAILED;
  std::string body;  // what follows the status
};

class Link {
 public:
  explicit Link(int socket) : socket_(socket) {}

  void send(std::string_view bytes);
  void send(wire::FrameWriter& frame) { send(frame.bytes()); }

  // A request id for ask().
  std::uint64_t next_request() { return ++requests_; }
  // Sends a question with the id `request` and waits for the answer. GANTRY_TOO_BIG when it does
  // not fit into a frame. A turn that is lent is called in, so that the answer is read.
  Reply ask(wire::FrameWriter& frame, std::uint64_t request);
  // Somebody waits for an answer.
  bool is_asking();

  Turn& turn() { return turn_; }
  // The next frame, valid until the next call. Sleeps until it is there, after a look of that time.
  wire::Frame read(std::chrono::microseconds look = {});
  // Hands a `reply` frame to whoever waits for it.
  void answer(const wire::Frame& frame);

 private:
  struct Waiter;

  ssize_t receive(char* to, std::size_t room, std::chrono::microseconds look);

  const int socket_;
  Turn turn_;
  std::mutex send_mutex_;
  wire::FrameBuffer received_;
  std::atomic<std::uint64_t> requests_{0};
  std::mutex waiters_mutex_;
  std::unordered_map<std::uint64_t, Waiter*> waiters_;
};

}  // namespace gantry::worker
