// host/sessions/event_sink.hpp: the connection that one stream of a session writes to.
//
// Implemented by the transports. A stream owns its sink until close() or a false result.
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
class EventSink {
 public:
  virtual ~EventSink() = default;

  // Called first. False: the client has disconnected.
  virtual bool open() = 0;
  // Sends an event with an id and no data, so that the stream can be resumed from the start.
  virtual void prime(EventId id) = 0;
  // False: the client has disconnected, or reads too slowly.
  virtual bool send(EventId id, const Text& message) = 0;
  // Announces that events after the one named by the client have been dropped; later ones follow.
  virtual void gap() = 0;
  // Ends the stream properly.
  virtual void close() = 0;

  // Bytes sent that the client's system has not taken yet.
  virtual std::size_t backlog() const = 0;
};

}  // namespace gantry::host
