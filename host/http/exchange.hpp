// host/http/exchange.hpp: the reply side of one request.
//
// Every function may be called from any thread, also after the client, the connection or the
// whole server is gone; an Exchange keeps none of them alive. Bytes are handed to the
// connection's I/O thread, which alone writes; a reply given inside Handler::on_request is written
// before reply() returns. An Exchange that is destroyed unanswered answers 500; a stream that is
// destroyed open is cut, so that the client can tell it from a complete one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "host/http/message.hpp"

namespace gantry::host::http {

using Headers = std::span<const Header>;

// Bytes to send: owned, or shared with other answers and then never copied.
struct Bytes {
  Bytes() = default;
  Bytes(std::string bytes) : own(std::move(bytes)) {}
  Bytes(const char* bytes) : own(bytes) {}
  Bytes(std::shared_ptr<const std::string> bytes) : shared(std::move(bytes)) {}

  std::string_view view() const { return shared ? std::string_view(*shared) : own; }

  std::string own;
  std::shared_ptr<const std::string> shared;  // if set, `own` is empty
};

class Exchange {
 public:
  virtual ~Exchange() = default;

  // The whole answer, once. `content_type` may be empty: no such header. Content-Length, Date and
  // Connection are added here; HEAD, 204 and 304 send no body. A body may be larger than the
  // bound on queued output. A header with a character that HTTP forbids (CR, LF, …) turns the
  // answer into a 500: the caller's fault.
  // False: answered before, or the client is gone.
  virtual bool reply(int status, std::string_view content_type, Bytes body, Headers extra = {}) = 0;

  // Answers 200 with an event stream; from here on only write() and close(). Idle streams carry a
  // ": ping" comment from time to time. False: answered before, the client is gone, a bad header
  // (then 500 was sent), or the method was HEAD (then the head was sent and that is all).
  virtual bool open_stream(Headers extra = {}) = 0;

  // Begins an answer whose `length` bytes come piece by piece: from here on write() and close(), as
  // of a stream; nothing else is ever put between them. False: answered before, the client is gone,
  // a bad header (then 500 was sent), or there is nothing to write: of HEAD or without a length the
  // answer is complete.
  virtual bool open_body(int status, std::string_view content_type, std::uint64_t length,
                         Headers extra = {}) = 0;

  // Sends one or more whole events ("data: …\n\n"), or the next bytes of the body. False: no open
  // stream, the client is gone, it reads so slowly that the bound on queued output is reached, or
  // the body would be longer than announced; then the stream is cut.
  virtual bool write(Bytes events) = 0;

  // Bytes of the open stream that the client's system did not take when they were sent; they wait.
  virtual std::size_t backlog() const = 0;
  // Calls `drained` once, on the I/O thread and never inside this function, when no bytes of the
  // open stream wait; at once if none wait now. A later call replaces an earlier one. It is not
  // called after the end of the stream. Must not block.
  virtual void when_drained(std::function<void()> drained) = 0;

  // Ends the stream properly; cuts an incomplete body, so that the client detects it. Without an
  // open stream it does nothing.
  virtual void close() = 0;

  // Calls `gone` once, on the I/O thread, when the client disconnects before the answer is complete
  // (reply() or close() not yet called); never after. Set once. A client that only shut down its
  // sending side is still connected. `gone` must not block. On a stream a disconnect is detected at
  // once, otherwise within Limits::tick; the loss of the client's machine, by Limits::write_stall.
  virtual void on_disconnect(std::function<void()> gone) = 0;

  // Calls `late` once, on the I/O thread, when nothing has been answered for Limits::patience;
  // never once an answer or a stream has begun. Set once, early. Must not block.
  virtual void when_late(std::function<void()> late) = 0;

  // True while the answer is incomplete and the client is connected.
  virtual bool is_open() const = 0;
};

}  // namespace gantry::host::http
