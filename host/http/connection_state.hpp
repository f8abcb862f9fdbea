// host/http/connection_state.hpp (private): state that input and output of one connection share:
// its phase, and the request being worked on. I/O thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/http/loop_state.hpp"

namespace gantry::host::http {

class LiveExchange;

// A connection: its descriptor, and a number that no other connection of this server ever has.
struct Target {
  int fd = -1;
  std::uint64_t id = 0;
};

struct AskedFor {
  bool keep = true;   // the client wants the connection to go on
  bool head = false;  // the method was HEAD
  int minor = 1;
};

enum class Phase {
  reading,    // a request, or waiting for one
  working,    // the handler has it
  streaming,  // an event stream is open, or a body is written piece by piece
  flushing,   // the answer is complete, bytes of it wait
  lingering,  // the last answer was sent; input is discarded until the client closes
  dead,       // the Loop is about to close it
};

class ConnectionState {
 public:
  ConnectionState(int fd, std::string peer_address, LoopState& of);

  Phase phase() const { return phase_; }
  bool is(Phase phase) const { return phase_ == phase; }
  // Also updates the counts of open requests and streams. No phase follows Phase::dead.
  void enter(Phase next);
  void die() { enter(Phase::dead); }
  // In this phase for longer than `limit`.
  bool exceeds(Limits::Duration limit) const { return loop.now - since_ > limit; }
  const Limits& limits() const { return loop.limits(); }

  // The request being worked on.
  struct Work {
    AskedFor asked;
    std::weak_ptr<LiveExchange> exchange;
    bool probed = false;   // an interim answer was sent to a client that shut down its side
    bool is_late = false;  // Limits::patience has passed
  };

  LoopState& loop;
  const Target target;
  const std::string peer;
  Work work;
  bool keep = true;          // the connection goes on after the answer
  bool eof = false;          // the client has shut down its side, and all input is read
  bool input_lost = false;   // to the server's budget; the answer under way is the last
  bool write_armed = false;  // the Loop waits until the socket takes more

 private:
  Phase phase_ = Phase::reading;
  Clock::time_point since_;
};

}  // namespace gantry::host::http
