// host/worker/outlet.hpp: the worker's process as the objects that handle its calls see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gantry::host::worker {

// Any thread.
class Outlet {
 public:
  virtual ~Outlet() = default;
  // One frame to the worker's process number `life`, if that is still the current one; never waits.
  virtual void send(std::uint64_t life, std::string_view frame) = 0;
  // The reader asks WorkerCalls::next_kill() again.
  virtual void wake() = 0;
  // A call has ended: the worker works, and its processor time is counted anew.
  virtual void answered() = 0;
  // Whether a line of so many bytes that the worker logs is kept; counts lines that are not.
  virtual bool may_log(std::size_t bytes) = 0;
};

}  // namespace gantry::host::worker
