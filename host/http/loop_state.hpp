// host/http/loop_state.hpp (private): state that the connections of one I/O thread share.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/http/mailbox.hpp"
#include "host/http/server.hpp"

namespace gantry::host::http {

using Clock = std::chrono::steady_clock;

// Written by one I/O thread, read by any: no locked instruction, no shared cache line.
class Tally {
 public:
  void add(std::int64_t n = 1) {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_release);
  }
  std::uint64_t get() const {
    return static_cast<std::uint64_t>(value_.load(std::memory_order_acquire));
  }

 private:
  std::atomic<std::int64_t> value_{0};
};

struct alignas(64) LoopTallies {
  Tally active, streams, accepted, refused, requests, rejected, timeouts, slow_cut, failures,
      received, sent;
};

// One per server.
struct ServerState {
  ServerState(const Limits& l, Handler& h, std::shared_ptr<ByteBudget> unsent)
      : limits(l),
        handler(h),
        pending(std::make_shared<ByteBudget>(l.pending_bytes)),
        unread(unsent ? std::move(unsent) : std::make_shared<ByteBudget>(l.unread_bytes)) {}

  const Limits limits;
  Handler& handler;
  const std::shared_ptr<ByteBudget> pending, unread;
  std::atomic<bool> draining{false};
  std::mutex idle_mutex;
  // A request was answered, or its client has gone; a connection has ended; the last client came.
  std::condition_variable idle;
  // The port of the client that stop() makes as the last one; 0: it came, or there is none.
  std::atomic<std::uint16_t> last_client{0};
  std::atomic<std::size_t> connections{0};
  std::atomic<std::uint64_t> next_id{1};
};

// One per I/O thread.
struct LoopState {
  explicit LoopState(std::shared_ptr<ServerState> s)
      : server(std::move(s)), mailbox(std::make_shared<Mailbox>()), buffer(64 * 1024) {}

  const Limits& limits() const { return server->limits; }

  // I/O thread: from now on the end of each request wakes those that wait for ServerState::idle.
  void report_idle() {
    reports_idle = true;
    note_done();
  }
  // I/O thread: `tallies.active` has become less, or a connection has ended.
  void note_done() {
    if (reports_idle) wake_idle();
  }
  void wake_idle() {
    { const std::lock_guard lock(server->idle_mutex); }
    server->idle.notify_all();
  }

  std::shared_ptr<ServerState> server;
  std::shared_ptr<Mailbox> mailbox;
  LoopTallies tallies;
  Clock::time_point now = Clock::now();  // of the batch of events being handled
  std::vector<char> buffer;              // for recv
  std::string scratch;                   // for heads and events
  bool reports_idle = false;
};

}  // namespace gantry::host::http
