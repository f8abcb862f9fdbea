#include "host/rpc/items/request_output.hpp"

#include <utility>

namespace gantry::host::rpc {

void RequestOutput::notify(const std::string& message) {
  std::lock_guard lock(mutex_);
  if (sink_) sink_->notify(message);
}

bool RequestOutput::request(const std::string& message) {
  std::lock_guard lock(mutex_);
  return sink_ && sink_->request(message);
}

bool RequestOutput::release() {
  std::lock_guard lock(mutex_);
  return sink_ && sink_->release();
}

void RequestOutput::answer(Answer answer) {
  std::shared_ptr<Sink> sink;
  {
    std::lock_guard lock(mutex_);
    sink = std::move(sink_);
  }
  if (sink) sink->answer(std::move(answer));
}

std::shared_ptr<Sink> RequestOutput::sink() const {
  std::lock_guard lock(mutex_);
  return sink_;
}

}  // namespace gantry::host::rpc
