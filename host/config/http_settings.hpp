// host/config/http_settings.hpp: settings of the HTTP server, with keys and defaults.
//
// Values. The visitors are described in settings.hpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace gantry::host {
namespace http {

// One member for each limit of the server, so it has more than twelve.
struct Limits {
  using Duration = std::chrono::milliseconds;

  std::size_t head_bytes = 16 * 1024;          // request line and headers; above: 414, 431
  std::size_t headers = 100;                   // trailers are counted apart; above: 431
  std::size_t body_bytes = 1024 * 1024;        // above: 413
  std::size_t queued_bytes = 8 * 1024 * 1024;  // unsent output of one stream; above: cut
  // The limit of all connections together: input of incomplete requests, and input behind a request
  // that is being answered. Above it the connections that hold most for longest get 503.
  std::size_t pending_bytes = 64 * 1024 * 1024;
  // The limit of all connections together: output that clients have not taken. Above it the
  // connections that hold most for longest are cut.
  std::size_t unread_bytes = 256 * 1024 * 1024;
  // Open connections, all threads together; above: 503 and closed. 0, or more than the process's
  // descriptor limit leaves room for: that limit less a reserve.
  std::size_t connections = 0;

  Duration head_timeout{10'000};        // first byte to end of head (408); also for the first byte
  Duration body_timeout{30'000};        // end of head to end of body (408)
  Duration keep_alive_timeout{60'000};  // between requests; closed silently
  Duration write_stall{30'000};         // queued output without one byte of progress; cut
  Duration heartbeat{15'000};           // silence on a stream before ": ping"
  // Delay before when_late() fires (a session of the legacy era then turns the reply into a
  // resumable stream). Not configurable.
  Duration patience{1'000};
  Duration linger{1'000};  // after a last answer, for the client to read it
  // How long a stop waits for the requests of clients that have connected. Not configurable.
  Duration last_requests{250};
  Duration tick{250};  // how often the times of a connection are checked; not configurable
};

struct GuardOptions {
  bool loopback = true;  // the server listens on a loopback address; computed from the address
  std::vector<std::string>
      allowed_origins{};  // "https://a.example", "a.example", ".example" (and below)
  std::vector<std::string> allowed_hosts{};  // names this server is known by, without port
  std::string require_header{};              // "Name" or "Name: value"; empty = none
};

}  // namespace http

struct HttpSettings {
  http::GuardOptions guard;
  // The address of /mcp for clients beyond loopback, which the metadata for tokens names; empty:
  // https and the name of allowed_hosts that they used.
  std::string public_url;
  std::size_t io_threads = 1;
  http::Limits limits;
};

template <class S, class Visit>
void visit_http(S& s, Visit&& visit) {
  visit("allowed_origins", s.guard.allowed_origins);
  visit("allowed_hosts", s.guard.allowed_hosts);
  visit("require_header", s.guard.require_header);
  visit("public_url", s.public_url);
  visit("io_threads", s.io_threads);
  visit("max_body_bytes", s.limits.body_bytes);
  visit("max_head_bytes", s.limits.head_bytes);
  visit("max_headers", s.limits.headers);
  visit("max_stream_queue_bytes", s.limits.queued_bytes);
  visit("max_pending_bytes", s.limits.pending_bytes);
  visit("max_unread_bytes", s.limits.unread_bytes);
  visit("max_connections", s.limits.connections);
  visit("head_timeout_ms", s.limits.head_timeout);
  visit("body_timeout_ms", s.limits.body_timeout);
  visit("keep_alive_timeout_ms", s.limits.keep_alive_timeout);
  visit("write_stall_ms", s.limits.write_stall);
  visit("stream_heartbeat_ms", s.limits.heartbeat);
  visit("linger_ms", s.limits.linger);
}

}  // namespace gantry::host
