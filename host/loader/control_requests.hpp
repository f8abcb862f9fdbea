// host/loader/control_requests.hpp: requests to the control thread from other threads.
//
// At most one of each kind is queued. Outlives the loader: workers and holders of generations keep
// it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>

#include "host/loader/control_thread.hpp"

namespace gantry::host {

enum class ControlRequest {
  rescan,   // files may have changed
  publish,  // the health of a worker changed
  collect,  // a generation has no holders any more
};

class ControlRequests : public std::enable_shared_from_this<ControlRequests> {
 public:
  // `handler` runs on the control thread.
  explicit ControlRequests(std::function<void(ControlRequest)> handler)
      : handler_(std::move(handler)) {}

  // From now on requests go to `thread`; null: they are dropped. A thread must be detached this way
  // before it ends.
  void attach(ControlThread* thread);

  // Queues a request and returns. Any thread.
  void ask(ControlRequest request);

 private:
  void handle(ControlRequest request);

  const std::function<void(ControlRequest)> handler_;
  std::mutex mutex_;
  ControlThread* thread_ = nullptr;
  std::array<bool, 3> queued_{};
};

}  // namespace gantry::host
