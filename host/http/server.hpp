// host/http/server.hpp: an HTTP/1.1 server: bytes to Request, Exchange to bytes.
//
// It knows HTTP and nothing of JSON or MCP. Malformed requests, slow ones and those above the
// connection cap are answered here and never reach the Handler; those with too large a body and
// those that come while the server drains do so as refused ones.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <gantry/result.hpp>

#include "host/config/http_settings.hpp"
#include "host/http/exchange.hpp"
#include "host/http/message.hpp"
#include "host/limits/byte_budget.hpp"

namespace gantry::host::http {

// The reason for which a well-formed request must be refused.
enum class Cause {
  none,       // it is to be served
  too_large,  // 413: its body is larger than Limits::body_bytes, and was not kept
  stopping,   // 503: the server drains
  busy,  // 503: all unfinished requests had more bytes than Limits::pending_bytes; the body was
         // not kept
};

class Handler {
 public:
  virtual ~Handler() = default;

  // Called on an I/O thread, on several at once where there are several of them. Answer cheap
  // requests at once; hand the others to a pool together with the exchange. `request` may be moved
  // from; the connection reuses the rest of its memory. An exception becomes a 500.
  virtual void on_request(Request&& request, std::shared_ptr<Exchange> exchange) = 0;

  // The same for a request that is to be refused. A handler with an earlier reason to refuse it may
  // give that one. It may serve a request that came while the server drains, if requests that are
  // under way need it to end. The connection ends with the answer.
  virtual void on_refused(Request&&, std::shared_ptr<Exchange> exchange, Cause cause) {
    const bool too_large = cause == Cause::too_large;
    exchange->reply(too_large ? 413 : 503, "text/plain",
                    std::string(too_large              ? "The body is too large.\n"
                                : cause == Cause::busy ? "The server is busy; try again.\n"
                                                       : "This server is shutting down.\n"));
  }

  // True if scripts of a page may read the server's refusal of its malformed request. `page`
  // has the Origin, the Host if there was one, and perhaps more. On an I/O thread.
  virtual bool may_read(const Request& /*page*/) { return false; }
};

// Since start, except `connections`, `active` and `streams`, which are now. One member for each
// counter, so it has more than twelve.
struct Counters {
  std::uint64_t connections = 0;  // open
  std::uint64_t active = 0;       // requests handed over whose answer is not fully sent
  std::uint64_t streams = 0;      // open event streams
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;   // above the connection cap
  std::uint64_t requests = 0;  // handed to the Handler
  std::uint64_t rejected = 0;  // answered 4xx or 5xx here, or handed over as refused
  std::uint64_t timeouts = 0;  // head, body, keep-alive or stalled output
  std::uint64_t slow_cut = 0;  // streams cut at the bound on queued output
  // The bytes of all unfinished requests, or of all unread output.
  struct Bytes {
    std::uint64_t held = 0;     // now
    std::uint64_t refused = 0;  // holders that were evicted at the bound
  };
  Bytes pending, unread;
  std::uint64_t failures = 0;  // exceptions caught at the seam

  // The sums of all sockets.
  std::uint64_t bytes_received = 0, bytes_sent = 0;
};

struct Options {
  std::string address = "127.0.0.1";  // IPv4, IPv6 (brackets optional) or "localhost"
  std::uint16_t port = 0;             // 0: a free one
  std::size_t io_threads = HttpSettings{}.io_threads;
  Limits limits;
  // The budget of unread output, if other holders share it; null: one for this server alone, of
  // Limits::unread_bytes.
  std::shared_ptr<ByteBudget> unread;
};

class Server {
 public:
  // Listens and serves when it returns. `handler` must outlive the server. Fails with a sentence
  // that names address and port: in use, not ours, not an address.
  static Result<std::unique_ptr<Server>> start(const Options& options, Handler& handler);
  // Stops.
  virtual ~Server() = default;

  virtual std::uint16_t port() const = 0;
  virtual Counters counters() const = 0;
  // Connections served at once: Limits::connections, or less where descriptors are few.
  virtual std::size_t capacity() const = 0;

  // From now on new requests go to Handler::on_refused() as Cause::stopping and every answer ends
  // its connection. Running requests and streams continue; idle connections stay open until stop(),
  // so that a request in transit gets a 503 and not a reset. Any thread.
  virtual void begin_drain() = 0;
  // Waits until no answer is pending or unsent. False: `deadline` came first.
  virtual bool wait_idle(std::chrono::steady_clock::time_point deadline) = 0;
  // Refuses clients from now on. A client that has connected is answered what it has sent, or
  // sends within a quarter of a second (on_refused() with Cause::stopping), and then its
  // connection ends; an idle connection ends at once. Where an answer is pending it calls
  // on_disconnect and cuts the connection. Joins the I/O threads. Not from an I/O thread. Exchanges
  // may outlive it. A second call does nothing.
  virtual void stop() = 0;
};

// Raises the soft limit on open descriptors to the hard one and returns it. For main(), before
// any server starts.
Result<std::size_t> raise_descriptor_limit();

}  // namespace gantry::host::http
