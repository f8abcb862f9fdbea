// host/stdio/stdio.hpp: the protocol over standard input and output, one JSON message a line.
//
// One client, both eras: the first real request decides which (a discovery does not), for the life
// of the connection. Answers come in any order.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "host/base/clock.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/session.hpp"

namespace gantry::host {

struct StdioOptions {
  int in = 0, out = 1;
  std::size_t max_line = 1 << 20;          // bytes of one message; longer ones are refused
  std::chrono::milliseconds grace{2'000};  // for running calls after the input's end
};

class Stdio {
 public:
  // All must outlive this, and so must every call it starts: run() waits for them.
  Stdio(rpc::Dispatcher& dispatcher, const Principal& principal, const Clock& clock,
        StdioOptions options);
  ~Stdio();

  // Serves until the input ends or `stop_fd` (-1: none) is readable. Then running calls may finish
  // within the grace, the rest are cancelled; returns when all are answered.
  void run(int stop_fd);

 private:
  enum class Pin { none, modern, legacy };
  class Output;
  class LineSink;
  struct LineChannel;

  bool read_some(int stop_fd);
  void take_lines();
  void on_line(std::string_view line);
  void on_request(const rpc::Message& message);
  void on_batch(const rpc::Message& message);
  void modern(const rpc::Message& message);
  void open_legacy(const rpc::Message& message);
  void dispatch(const rpc::Message& message, std::string_view revision);
  void refuse(const rpc::Message& message, const rpc::Error& error);
  void finish();

  rpc::Dispatcher& dispatcher_;
  const Principal& principal_;
  const Clock& clock_;
  const StdioOptions options_;
  const std::shared_ptr<Output> output_;
  std::shared_ptr<Session> session_;
  Pin pin_ = Pin::none;
  std::string buffer_;
  bool skipping_ = false;  // the rest of a line that is too long
};

}  // namespace gantry::host
