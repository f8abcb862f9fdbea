// host/http/endpoint/sse_handler.hpp: the transport HTTP+SSE of revision 2024-11-05, for clients
// that know no other.
//
// GET /sse opens a stream whose first event, `endpoint`, names the address of the client's
// messages. POST to that address is answered with 202; answers and notifications come on the
// stream. The connection is the session: when it ends, the session ends with its calls, and nothing
// is kept for a replay. It ends when the token of its newest request is over, or when its
// principal is withdrawn. Any legacy revision can be negotiated. Any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "host/base/text.hpp"
#include "host/http/endpoint/gate_chain.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/rpc/dispatcher.hpp"
#include "host/sessions/session.hpp"

namespace gantry::host::http {

class SseHandler {
 public:
  // All must outlive the handler.
  SseHandler(rpc::Dispatcher& dispatcher, const GateChain& gates, StreamPlaces& places,
             Metrics& metrics)
      : dispatcher_(dispatcher), gates_(gates), places_(places), metrics_(metrics) {}

  // GET /sse.
  void listen(RoutedRequest& in);
  // POST /messages?sessionId=…
  void post(RoutedRequest& in);
  // Ends all sessions and their connections.
  void end_all();
  // Ends those of these principals.
  void end_of(const PrincipalNames& principals);
  std::size_t size() const;  // sessions

 private:
  struct Client;
  struct Post;
  using ClientPtr = std::shared_ptr<Client>;

  // Sessions that have not ended. Sessions refer to it, too.
  struct Table {
    std::mutex mutex;
    std::unordered_map<std::string, ClientPtr, TextHash, std::equal_to<>> clients;
  };

  ClientPtr find(std::string_view id, const Principal& principal) const;
  void add(const ClientPtr& client);
  void end_where(const std::function<bool(const Client&)>& is_meant);
  void request(const Post& post);
  void initialize(const Post& post);
  void dispatch(const Post& post);
  void batch(const Post& post);

  rpc::Dispatcher& dispatcher_;
  const GateChain& gates_;
  StreamPlaces& places_;
  Metrics& metrics_;
  const std::shared_ptr<Table> table_ = std::make_shared<Table>();
};

}  // namespace gantry::host::http
