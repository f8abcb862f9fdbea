// host/worker/ticket.hpp: one call of a plugin in a worker, as its host side sees it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <semaphore>
#include <string>
#include <utility>

#include <gantry/abi/host.h>

#include "host/plugin/instance.hpp"

namespace gantry::host::worker {

class WorkerCalls;

// Under the lock of WorkerCalls unless said otherwise.
// It has more than twelve members: they are those of one call, so that it costs one allocation.
struct Ticket : std::enable_shared_from_this<Ticket> {
  // Set once, before another thread sees the ticket.
  WorkerCalls* calls = nullptr;
  std::uint64_t id = 0;  // random; means something to this worker while the call lasts
  gantry_call* call = nullptr;
  std::string kind, name;
  WorkerCallInfo facts;

  // `ending`: the plugin is done with it; `over`: the host too. `refused`: it was never sent.
  enum class State { waiting, refused, sent, ending, over };
  State state = State::waiting;
  bool was_sent() const { return state != State::waiting && state != State::refused; }
  bool cancelled = false;
  bool returned = false;  // invoke() has returned in the worker, or the worker is gone
  int users = 0;          // nested calls under way: it must not end before them
  struct Ending {
    gantry_status status;
    std::string writes;
    bool died = false;  // `writes` is a sentence
  };
  std::optional<Ending> ending;                     // waits for the users
  std::chrono::steady_clock::time_point kill_at{};  // of a cancelled one

  std::string frame;  // `invoke`, while it waits to be sent

  std::atomic<bool> forwarding = false;  // a provider writes into it; no lock

  bool is_out = false;  // `out` was released
  std::binary_semaphore out{
      0};  // the thread that waits until the call has left the plugin; any thread

  void let_out() {
    if (!std::exchange(is_out, true)) out.release();
  }
};

}  // namespace gantry::host::worker
