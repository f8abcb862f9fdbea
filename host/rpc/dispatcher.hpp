// host/rpc/dispatcher.hpp: the protocol's core: a message and who sent it in, an answer out.
//
// It knows nothing of transports: what they check and pass on is in Context. Thread-safe; nothing
// here throws.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "host/calls/calls.hpp"
#include "host/observe/log.hpp"
#include "host/observe/metrics.hpp"
#include "host/registry/registry.hpp"
#include "host/rpc/facts.hpp"
#include "host/rpc/message/context.hpp"
#include "host/rpc/message/error.hpp"
#include "host/rpc/message/message.hpp"

namespace gantry::host::rpc {

struct Core;
class Download;

class Dispatcher {
 public:
  // All must outlive the dispatcher.
  Dispatcher(const Registry& registry, Calls& calls, Log& log, Metrics& metrics, Bus& bus,
             const Clock& clock, Facts facts);
  // Waits, some seconds at most, until what it has begun is let go of.
  ~Dispatcher();

  // Answers a request at once, or nothing: then the answer goes to the sink of `channel`, perhaps
  // before this returns.
  std::optional<Answer> request(const Message& message, const Context& context,
                                Channel& channel) noexcept;
  // Takes a notification; what it does not know it ignores.
  void notification(const Message& message, const Context& context) noexcept;
  // Takes a client's answer to what the server asked in this very session; any other is ignored.
  void response(const Message& message, const Context& context) noexcept;
  // What `principal` may download as export://ID (download.hpp).
  std::shared_ptr<Download> download(const Principal& principal, std::string_view id,
                                     Party party = {});
  // Waits until every call and download, also one that waits for its client, and every task has
  // ended. False: `deadline` came first.
  bool wait_finished(std::chrono::steady_clock::time_point deadline) const;
  // Cancels the tasks: nobody can ask for them any more. Before the calls are drained.
  void stop() noexcept;
  // Tasks that have not ended.
  std::size_t tasks() const;

 private:
  std::unique_ptr<Core> core_;
};

// The revision a legacy `initialize` ends up with; -32602 when its params make no sense.
struct Negotiated {
  std::string_view revision;
  std::optional<Error> error;
  std::string capabilities{};  // what the client declared, as Session::set_capabilities() takes it
};
Negotiated negotiate(const Message& initialize);

}  // namespace gantry::host::rpc
