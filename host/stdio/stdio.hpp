// host/stdio/stdio.hpp: the protocol over standard input and output, one JSON message a line.
//
// One client, both eras: the first real request decides which (a discovery does not), for the life
// of the connection. Answers come in any order. A client that does not read delays only itself.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "host/base/clock.hpp"
#include "host/config/http_settings.hpp"
#include "host/config/limit_settings.hpp"
#include "host/observe/metrics.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/session.hpp"

namespace gantry::host {

class StdioOutput;

struct StdioOptions {
  int in = 0, out = 1;
  // Bytes of one message; longer ones are refused.
  std::size_t max_line = http::Limits{}.body_bytes;
  // Bytes of answers that may wait; above it no input is read.
  std::size_t max_unread = http::Limits{}.unread_bytes;
  // For running calls after the input's end.
  std::chrono::milliseconds grace = LimitSettings{}.stdio_grace;
  int max_listeners = StreamLimits{}.listeners;  // requests that listen at once; 0 = any
  std::function<void()> on_end{};  // called once at the end of input, before the grace;
                                   // ends the listening requests
};

class Stdio {
 public:
  // All must outlive this, and so must every call it starts: run() waits for them.
  Stdio(rpc::Dispatcher& dispatcher, const Principal& principal, const Clock& clock,
        Metrics& metrics, StdioOptions options);
  ~Stdio();

  // Serves until the input ends or `stop_fd` (-1: none) is readable. Then running calls may finish
  // within the grace, the rest are cancelled; returns when all are answered. After a stop the
  // client may still answer the server's requests; after the end of input it cannot, so calls that
  // wait for its answer are cancelled at once.
  void run(int stop_fd);

 private:
  enum class Pin { none, modern, legacy };
  struct LineChannel;

  bool read_some(int stop_fd, std::chrono::milliseconds limit);
  void take_lines();
  void on_line(std::string_view line);
  void on_request(const rpc::Message& message);
  void on_batch(const rpc::Message& message);
  void modern(const rpc::Message& message);
  void open_legacy(const rpc::Message& message);
  void dispatch(const rpc::Message& message, std::string_view revision);
  void refuse(const rpc::Message& message, const rpc::Error& error);
  void finish();
  void take_answers();

  rpc::Dispatcher& dispatcher_;
  const Principal& principal_;
  const Clock& clock_;
  Metrics& metrics_;
  const StdioOptions options_;
  const std::shared_ptr<StdioOutput> output_;
  std::shared_ptr<Session> session_;
  Pin pin_ = Pin::none;
  std::string buffer_;
  bool skipping_ = false;  // the rest of a line that is too long
  bool ended_ = false;     // the input has
  bool stopping_ = false;  // new requests are refused
};

}  // namespace gantry::host
