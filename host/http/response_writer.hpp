// host/http/response_writer.hpp (private): the answers of one connection, on their way to its
// socket.
//
// I/O thread only. Answers are ignored unless the connection is in the phase that takes them, so a
// late one of an exchange harms nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/http/connection_state.hpp"
#include "host/http/out_queue.hpp"
#include "host/http/rules.hpp"
#include "host/http/wire.hpp"

namespace gantry::host::http {

class ResponseWriter {
 public:
  explicit ResponseWriter(ConnectionState& connection)
      : connection_(connection), progress_(connection.loop.now) {}

  // Marks the connection whose on_request is on this thread's stack.
  class Dispatching {
   public:
    explicit Dispatching(ResponseWriter& writer);
    ~Dispatching();
    Dispatching(const Dispatching&) = delete;
    Dispatching& operator=(const Dispatching&) = delete;
  };
  // The writer of the connection that is marked, if it has that number.
  static ResponseWriter* dispatching(std::uint64_t id);

  // Whole answers, and streams, of the exchange.
  void answer(const ReplyHead& head, Headers extra, Bytes body);
  void answer(std::string_view head, Bytes body, bool keep);
  void open_stream(std::string_view head, Framing framing, bool keep);
  void events(std::vector<Bytes> events);
  void end_stream();
  // The stream is cut because its client reads too slowly.
  void cut();
  void die() { connection_.die(); }

  // Refuses a request that no handler sees; the connection ends with the answer. `page`: its Origin
  // and Host, as far as they are known.
  void refuse(const Refusal& refusal, const Request& page, bool is_head);
  // A whole interim answer: head and empty line.
  void interim(std::string_view bytes);

  // The socket takes more.
  void flush();
  // Cuts a client that takes nothing, and keeps idle streams alive.
  void on_tick();
  // Called when the budget of unread bytes evicts this connection.
  void drop();
  // Bytes that wait.
  std::size_t bytes() const { return out_.bytes(); }
  // An answer of a known length is written piece by piece.
  bool in_sized_body() const {
    return connection_.is(Phase::streaming) && framing_ == Framing::length;
  }

 private:
  void send(std::string_view head, Bytes body);
  void queue_event(Bytes event);
  void after_send(Sent sent);
  void complete();

  ConnectionState& connection_;
  OutQueue out_;
  std::uint64_t tallied_ = 0;  // of the bytes sent
  Framing framing_ = Framing::length;
  Clock::time_point progress_;  // output last moved
};

}  // namespace gantry::host::http
