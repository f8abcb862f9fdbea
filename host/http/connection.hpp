// host/http/connection.hpp (private): one client's connection: its state, input and output.
//
// I/O thread only. It knows neither Pistache nor epoll: the Loop tells it of events, and looks at
// dead(), wants_write() and wants_turn() afterwards. One request at a time: the next one is
// parsed when the answer before it has left.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/http/live_exchange.hpp"
#include "host/http/loop_state.hpp"
#include "host/http/out_queue.hpp"
#include "host/http/parser.hpp"
#include "host/http/wire.hpp"

namespace gantry::host::http {

class Connection {
 public:
  Connection(int fd, std::string peer, LoopState& loop);

  // The connection whose on_request is on this thread's stack, if it has that number.
  static Connection* dispatching(std::uint64_t id);

  Target target() const { return target_; }

  // Events. `hurry`: the peer has shut something down, so read until the end is seen.
  void on_readable(bool hurry);
  void on_writable();
  void on_hangup();
  void on_tick();
  // The server has too many bytes of unfinished requests, or of unread output, and this connection
  // is one of those that have most.
  void drop_input();
  void drop_output();
  // After anything that may have completed an answer: takes up waiting input.
  void advance();
  void die();
  // Just before destruction: tells the exchange.
  void release();

  bool dead() const { return phase_ == Phase::dead; }
  bool wants_write() const { return !out_.empty(); }
  bool wants_turn() const { return wants_turn_; }  // more to read, after others had their turn
  bool write_armed = false;                        // the Loop's note

  // Answers, from the exchange.
  void answer(const ReplyHead& head, Headers extra, Piece body);
  void answer(std::string_view head, Piece body, bool keep);
  void open_stream(std::string head, Framing framing, bool keep);
  void events(std::vector<Piece> events);
  void end_stream();
  void cut();

 private:
  enum class Phase {
    reading,    // a request, or waiting for one
    working,    // the handler has it
    streaming,  // an event stream is open, or a body is written piece by piece
    flushing,   // the answer is complete, bytes of it wait
    lingering,  // the last answer was sent; input is thrown away until the client closes
    dead,
  };

  void receive(std::string_view data);
  std::size_t consume(std::string_view data);
  void dispatch(Cause refused);
  void hand_over(std::shared_ptr<LiveExchange> exchange, Cause refused);
  void refuse(const Refusal& refusal, std::string_view head);
  void answer_refused(const Refusal& refusal, const Request& page);
  void start_clock(std::string_view unused);
  void on_eof();
  void hold_bytes();
  void on_shut_behind_input(bool shut);
  bool may_buffer() const;
  // An answer of a known length that comes piece by piece.
  bool in_sized_body() const { return phase_ == Phase::streaming && framing_ == Framing::length; }

  void after_send(Sent sent);
  void put(std::string bytes);
  void queue_chunk(Piece payload);
  void complete();
  void linger();
  void leave_phase();

  void tick_reading();
  void tick_working();
  void tick_output();
  void time_out(std::string_view why);
  bool older(Clock::time_point since, Limits::Duration limit) const;
  const Limits& limits() const { return loop_.limits(); }

  LoopState& loop_;
  const Target target_;
  const std::string peer_;
  Phase phase_ = Phase::reading;
  Parser parser_;
  std::string in_;
  OutQueue out_;
  std::uint64_t tallied_ = 0;  // of the bytes sent
  std::weak_ptr<LiveExchange> exchange_;
  ByteBudget::Share pending_, unread_;  // what is kept of input, and of output
  AskedFor asked_;                      // by the request being worked on
  Framing framing_ = Framing::length;
  bool keep_ = true;
  bool eof_ = false;
  bool shut_ = false;    // the peer closed its side, and input before that is still unread
  bool paused_ = false;  // enough input is buffered; the socket is left unread
  bool wants_turn_ = false;
  bool used_ = false;           // a request has been seen
  bool clock_running_ = false;  // part of a request has come
  bool probed_ = false;
  bool told_late_ = false;
  bool holds_ = false;          // bytes that the server's budgets know of
  bool dropped_ = false;        // input; the answer under way is the last
  Clock::time_point since_;     // of the phase, or of the part of a request being read
  Clock::time_point progress_;  // output last moved
};

}  // namespace gantry::host::http
