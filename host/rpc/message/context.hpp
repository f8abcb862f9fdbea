// host/rpc/message/context.hpp: facts about a request besides its message, and the sink of its
// answer.
//
// Transports implement Sink and Channel, and fill Context.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "host/auth/authenticator.hpp"
#include "host/rpc/message/era.hpp"
#include "host/rpc/message/headers.hpp"
#include "host/sessions/session.hpp"

namespace gantry::host::rpc {

// The answer of one request: a whole JSON-RPC message and the HTTP status that goes with it.
struct Answer {
  std::string body;
  int status = 200;
};

// Receives the answer of a request that takes time. Calls come one at a time, from any thread;
// answer() comes once and is the last.
class Sink {
 public:
  virtual ~Sink() = default;
  // A notification that belongs to the request, as a whole message.
  virtual void notify(std::string message) = 0;
  // A request to the client that belongs to the request (legacy), as a whole message. False: this
  // sink cannot send it.
  virtual bool request(std::string) { return false; }
  virtual void answer(Answer answer) = 0;
  // The transport stops the request through `cancel`; called before the request runs.
  virtual void started(RunningRequests::Cancel cancel) = 0;

  // The request listens: its answer begins now, stays open and takes one of the places for
  // listening requests. A stopped request also gets answer(), which is then not sent. False: no
  // place is left.
  virtual bool listen() { return false; }
  // Bytes of a listening answer that are sent and not yet taken by the client.
  virtual std::size_t backlog() const { return 0; }
  // Calls `drained` once when backlog() is 0, from any thread and never inside this function. It is
  // not called after the answer or after the client has disconnected. A later call replaces an
  // earlier one.
  virtual void when_drained(std::function<void()> /*drained*/) {}
  // Ends the client's connection while the request continues; the client reconnects for the rest.
  // False: the client could not resume, and nothing happens.
  virtual bool release() { return false; }
};

// Makes the sink of a request once it turns out to need one.
class Channel {
 public:
  virtual ~Channel() = default;
  virtual std::shared_ptr<Sink> sink() = 0;
};

// The group whose share of threads and places the calls of a request use (calls/parties.hpp).
struct Party {
  std::string_view name{};   // empty: the principal
  std::uint64_t client = 0;  // number of a client with this name; 0: they are not distinguished
  std::string_view peer{};   // the client's address, for traces; empty: it has none
};

class RequestTrace;

// Borrowed for the duration of a dispatch.
struct Context {
  const Principal& principal;
  std::string_view revision;         // negotiated, or the envelope's
  const Headers* headers = nullptr;  // null: a transport without headers
  Session* session = nullptr;        // legacy, after initialize; lives as long as the sink
  bool sends_notifications = true;   // the sink can send more than the answer
  Party party{};
  std::shared_ptr<RequestTrace> trace{};  // set by the dispatcher; null: no client's request

  Era era() const { return era_of(revision); }
  std::string_view party_name() const { return party.name.empty() ? principal.name : party.name; }
};

}  // namespace gantry::host::rpc
