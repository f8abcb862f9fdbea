// host/http/endpoint/post_handler.hpp: POST of /mcp: from a body to the dispatcher, in the era that
// its message belongs to.
//
// It checks the message in this order: JSON, envelope, credential, session. While the server drains
// it serves only messages that running requests need in order to end: answers to questions, retries
// with input, and task methods.
#pragma once

#include <memory>

#include "host/http/endpoint/gate_chain.hpp"
#include "host/http/endpoint/route.hpp"
#include "host/http/endpoint/session_handler.hpp"
#include "host/rpc/dispatcher.hpp"

namespace gantry::host::http {

class PostHandler {
 public:
  // All must outlive the handler.
  PostHandler(rpc::Dispatcher& dispatcher, Sessions& sessions, const SessionHandler& finder,
              const GateChain& gates, StreamPlaces& places, Metrics& metrics)
      : dispatcher_(dispatcher),
        sessions_(sessions),
        finder_(finder),
        gates_(gates),
        places_(places),
        metrics_(metrics) {}

  void serve(RoutedRequest& in) const;

 private:
  struct Post;

  void batch(Post& post) const;
  void modern(Post& post) const;
  void legacy(Post& post) const;
  void open_session(Post& post) const;
  void request(Post& post, const std::shared_ptr<Session>& session) const;

  rpc::Dispatcher& dispatcher_;
  Sessions& sessions_;
  const SessionHandler& finder_;
  const GateChain& gates_;
  StreamPlaces& places_;
  Metrics& metrics_;
};

}  // namespace gantry::host::http
