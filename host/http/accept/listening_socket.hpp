// host/http/accept/listening_socket.hpp (private): ends the socket on which Pistache listens, so
// that no client that has connected is cut.
//
// Pistache 0.0.5 stops accepting only together with its I/O threads, and keeps its descriptor to
// itself. One thread; Pistache's accepting thread runs meanwhile.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>

#include "host/base/unique_fd.hpp"

namespace gantry::host::http {

class ListeningSocket {
 public:
  // Longer than the system waits before it answers a handshake again, which is a second. A client
  // that never ends its handshake costs as much.
  static constexpr std::chrono::milliseconds kHandshake{1500};

  // The socket of this process that listens on `port`. Where /proc is missing, none is found.
  explicit ListeningSocket(std::uint16_t port);

  // The port of the last client that will be accepted, which is this object itself; 0: none.
  std::uint16_t last_client() const { return last_port_; }
  // Connects that client: it comes behind all that have connected. Later clients wait for
  // close(). False: it cannot be connected. Before that, handshakes under way have kHandshake to
  // end.
  bool connect_last_client();
  // Refuses clients from now on. Clients that were not accepted are reset.
  void close();

 private:
  struct Found {
    int fd = -1;  // Pistache's
    sockaddr_storage address{};
    socklen_t size = 0;
  };
  static Found find(std::uint16_t port);
  void await_handshakes() const;

  const Found found_;
  const UniqueFd last_;  // the last client's
  std::uint16_t last_port_ = 0;
};

}  // namespace gantry::host::http
