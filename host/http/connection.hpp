// host/http/connection.hpp (private): one client's connection: its input, its output and its share
// of the server's budgets.
//
// I/O thread only. It knows neither Pistache nor epoll: the Loop reports events, and looks at
// dead(), wants_rearming() and wants_turn() afterwards.
#pragma once

#include <string>

#include "host/http/request_reader.hpp"
#include "host/http/response_writer.hpp"

namespace gantry::host::http {

// It has more than twenty methods: the Loop reports each event by one, and asks each state by one.
class Connection {
 public:
  Connection(int fd, std::string peer, LoopState& loop);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  Target target() const { return state_.target; }
  // Writes the answers of its exchange.
  ResponseWriter& writer() { return writer_; }

  // Events. `hurry`: the peer has shut something down, so read until the end is seen.
  void on_readable(bool hurry) { reader_.on_readable(hurry); }
  void on_writable() { writer_.flush(); }
  void on_hangup() { reader_.on_hangup(); }
  void on_tick();
  // The server stops: answers what has arrived. Ends an idle connection, and one whose answer is
  // pending; the others may still send the rest of a request.
  void read_last();
  // They may no more.
  void end_reading();
  // Called after any event that may have completed an answer; processes waiting input.
  void advance();
  void die() { state_.die(); }
  // Called just before destruction; reports the end to the exchange.
  void release();

  bool dead() const { return state_.is(Phase::dead); }
  bool wants_turn() const { return reader_.wants_turn(); }
  // True: the Loop must change the events for which it waits, and then call rearm(): for
  // writability too, or not.
  bool wants_rearming() const { return state_.write_armed != (writer_.bytes() > 0); }
  bool rearm() { return state_.write_armed = writer_.bytes() > 0; }

 private:
  enum class Kept { input, output };

  void tick_working();
  void hold_bytes();
  void drop(Kept bytes);
  ByteBudget::GiveWay give_way(Kept bytes) const;

  ConnectionState state_;
  ResponseWriter writer_;
  RequestReader reader_;
  ByteBudget::Share pending_, unread_;  // of the input that is kept, and of the output
  bool holds_ = false;                  // bytes that are counted in these budgets
};

}  // namespace gantry::host::http
