// host/control/server.hpp: the control socket: one JSON-RPC request a line, one answer a line.
//
// It has its own accept loop and a thread for each client, so that neither a slow client nor a slow
// command delays other clients. It serves only processes of this host's user and of root.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gantry/result.hpp>

#include "host/control/claim.hpp"
#include "host/observe/log.hpp"
#include "host/rpc/admin/commands.hpp"

namespace gantry::host::control {

// Limits of each client. A client beyond one of them is disconnected.
struct ServerLimits {
  std::size_t line_bytes = 64u << 10;       // of one request; a longer one gets an error
  std::size_t clients = 16;                 // at once; a further one gets "server busy"
  std::chrono::milliseconds idle{30'000};   // until a line is complete
  std::chrono::milliseconds write{10'000};  // until the client has taken an answer
};

class Connection;

class Server {
 public:
  // Takes `path` and serves when it returns, on threads of its own. `commands` and `log` must
  // outlive the server. Errors of Claim::take(), or no descriptors are left.
  static Result<std::unique_ptr<Server>> start(const std::string& path,
                                               const rpc::AdminCommands& commands, Log& log,
                                               const ServerLimits& limits = {});
  // Stops accepting clients, waits for running commands, joins all threads and removes the socket.
  // Not from a command.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  const std::string& path() const { return claim_->path(); }

 private:
  Server(std::unique_ptr<Claim> claim, const rpc::AdminCommands& commands, Log& log,
         const ServerLimits& limits, int stop, int ended);

  void loop();
  void accept_all();
  void take(int fd);
  void forget_ended();

  const std::unique_ptr<Claim> claim_;
  const rpc::AdminCommands& commands_;
  Log& log_;
  const ServerLimits limits_;
  const int stop_, ended_;                                // eventfds
  std::vector<std::unique_ptr<Connection>> connections_;  // of the loop's thread
  std::thread thread_;
};

}  // namespace gantry::host::control
