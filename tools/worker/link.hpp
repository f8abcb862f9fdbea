// tools/worker/link.hpp: the worker's end of the socket to the host.
//
// Sending: any thread; a frame goes out whole. Reading: one thread at a time. The process ends at
// once when the host has closed its end, or sends bytes that are no frame.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include <gantry/abi/status.h>

#include "host/worker/frame_buffer.hpp"

namespace gantry::worker {

namespace wire = host::worker;

// The host's answer to a question.
struct Reply {
  gantry_status status = GANTRY_FAILED;
  std::string body;  // the rest after the status
};

class Link {
 public:
  explicit Link(int socket) : socket_(socket) {}

  void send(std::string_view bytes);
  void send(wire::FrameWriter& frame) { send(frame.bytes()); }

  // Sends the frame `done`: the end of the step `request`, or a milestone of it (0). `reason`: for
  // a failure.
  void done(std::uint64_t request, gantry_status status, std::string_view reason);

  // A request id for ask().
  std::uint64_t next_request() { return ++requests_; }
  // Sends a question with the id `request` and waits for the answer. GANTRY_TOO_BIG: it does not
  // fit into a frame. Another thread must read the reply and call answer().
  Reply ask(wire::FrameWriter& frame, std::uint64_t request);

  // Waits for the next frame, which is valid until the next call.
  wire::Frame read();
  // Hands a `reply` frame to the thread in ask() that waits for it.
  void answer(const wire::Frame& frame);

 private:
  struct Waiter;

  const int socket_;
  std::mutex send_mutex_;
  wire::FrameBuffer received_;
  std::atomic<std::uint64_t> requests_{0};
  std::mutex waiters_mutex_;
  std::unordered_map<std::uint64_t, Waiter*> waiters_;
};

}  // namespace gantry::worker
