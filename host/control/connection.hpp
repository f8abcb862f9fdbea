// host/control/connection.hpp (private): one client of the control socket, on a thread of its own.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "host/control/server.hpp"

namespace gantry::host::control {

class Connection {
 public:
  // Owns `fd`, which is non-blocking. `stop` is readable when all connections must end; this one
  // signals the eventfd `ended` when it has.
  Connection(int fd, pid_t peer, const rpc::AdminCommands& commands, const ServerLimits& limits,
             int stop, int ended);
  ~Connection();  // joins its thread

  bool is_done() const { return done_; }

 private:
  using Instant = std::chrono::steady_clock::time_point;

  void serve();
  // False: the client has disconnected, is too slow or has sent too long a line.
  bool read_line(std::string& line);
  bool fill(Instant deadline);
  void refuse_long_line();
  bool write(std::string_view text);
  bool wait(short events, Instant deadline);
  std::string answer(const std::string& line) const;

  const int fd_, stop_, ended_;
  const std::string client_;  // for the log
  const rpc::AdminCommands& commands_;
  const ServerLimits limits_;
  std::string buffer_;
  std::atomic<bool> done_{false};
  std::thread thread_;  // last: it uses the others
};

}  // namespace gantry::host::control
