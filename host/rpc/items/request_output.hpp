// host/rpc/items/request_output.hpp (private): sends the messages of one request to its sink, one
// at a time, until the answer.
//
// Owns the sink until the answer. Any thread. Messages are sent under the lock, the answer is not.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "host/rpc/message/context.hpp"

namespace gantry::host::rpc {

class RequestOutput {
 public:
  explicit RequestOutput(std::shared_ptr<Sink> sink) : sink_(std::move(sink)) {}

  // Does nothing after the answer.
  void notify(const std::string& message);
  // Sends a request to a legacy client. False: the sink cannot carry it, or the answer was sent.
  bool request(const std::string& message);
  // As Sink::release().
  bool release();
  // The first answer is sent; later ones are dropped.
  void answer(Answer answer);
  // Keeps the sink, and with it the session, alive; null after the answer.
  std::shared_ptr<Sink> sink() const;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<Sink> sink_;
};

}  // namespace gantry::host::rpc
