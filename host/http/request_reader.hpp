// host/http/request_reader.hpp (private): the input of one connection: from its socket to the
// handler.
//
// I/O thread only. One request at a time: input behind it waits, up to a bound, until its answer
// has left.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/http/connection_state.hpp"
#include "host/http/parser.hpp"
#include "host/http/response_writer.hpp"

namespace gantry::host::http {

// It has more than twenty methods: one for each event of a connection, and the steps between the
// bytes of a request and its handler.
class RequestReader {
 public:
  // Both must outlive the reader.
  RequestReader(ConnectionState& connection, ResponseWriter& writer);

  // `hurry`: the peer has shut something down, so read until the end is seen.
  void on_readable(bool hurry);
  void on_hangup();
  // While the connection reads: times out requests that arrive too slowly.
  void on_tick();
  // A request was answered, and nothing of another one has come.
  bool is_idle() const { return used_ && !began_ && in_.empty(); }
  // While the connection reads, as the server stops: refuses the request that is not complete.
  void end();
  // Takes up input that waited for the end of an answer.
  void advance();
  // The server has too many bytes of unfinished requests: a request that is being read is refused;
  // one that is being answered is the last. False: nothing is kept here.
  bool drop();

  // Bytes of memory kept for input.
  std::size_t held() const;
  // There is more to read, after other connections had their turn.
  bool wants_turn() const { return wants_turn_; }
  // The client has shut down its side behind input that is still unread.
  bool is_shut() const { return shut_; }

 private:
  void receive(std::string_view data);
  std::size_t consume(std::string_view data);
  void dispatch(Cause refused);
  void hand_over(const std::shared_ptr<LiveExchange>& exchange, Cause refused);
  void refuse(const Refusal& refusal, std::string_view head);
  void time_out(std::string_view why);
  void start_clock(bool begun);
  void on_eof();
  void on_shut_behind_input(bool shut);
  bool may_buffer() const;

  ConnectionState& connection_;
  ResponseWriter& writer_;
  Parser parser_;
  std::string in_;  // not yet consumed
  bool shut_ = false;
  bool paused_ = false;  // enough input is buffered; the socket is left unread
  bool wants_turn_ = false;
  bool used_ = false;  // a request has been seen
  // When the part of a request that is being read began: the head with its first byte, the body
  // with the end of the head.
  std::optional<Clock::time_point> began_;
};

}  // namespace gantry::host::http
