// host/sessions/outlet.hpp: the way out of one stream: a client's connection, as sessions see it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "host/sessions/event_id.hpp"

namespace gantry::host {

// A whole JSON-RPC message, shared by the stream and its replay.
using Text = std::shared_ptr<const std::string>;

// Called by Streams, one call at a time and under its lock: must be quick, must not block and must
// not call back into Streams. Never used again after false or close().
class Outlet {
 public:
  virtual ~Outlet() = default;

  // First of all. False: the client is gone.
  virtual bool open() = 0;
  // An event that says nothing but where the stream stands, so that it can be resumed already.
  virtual void prime(EventId id) = 0;
  // False: the client is gone, or reads too slowly to be waited for.
  virtual bool send(EventId id, const Text& message) = 0;
  // Events that the client asks for are not kept any more; what follows comes after a gap.
  virtual void gap() = 0;
  // Ends the stream properly.
  virtual void close() = 0;

  // Bytes sent that the client's system has not taken yet.
  virtual std::size_t backlog() const = 0;
};

}  // namespace gantry::host
