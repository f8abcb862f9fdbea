// host/rpc/items/request_task.hpp (private): the task that a request may become, as the request
// sees it.
//
// Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>

#include "host/rpc/items/request_parts.hpp"
#include "host/rpc/tasks/tasks.hpp"

namespace gantry::host::rpc {

class RequestTask {
 public:
  // All must outlive this.
  RequestTask(Core& core, const ItemRequestParts& parts) : core_(core), parts_(parts) {}

  // The task's id; empty while the request is not a task.
  std::string id() const;
  bool exists() const { return !id().empty(); }
  // Makes the request a task. `members` gets the JSON members of the new task; it stays empty if
  // the request is a task already. GANTRY_CANCELLED after stop(), GANTRY_BUSY if there are too many
  // tasks.
  gantry_status begin(Tasks::Control control, std::string& members);
  // Sets the status message of the task.
  void note(std::string_view text);

  // Waits for tasks/update. `timed_out` is called with the serial of the wait, on the timer's
  // thread.
  enum class Asked { stopped, waiting, nothing };
  Asked ask(std::string_view requests, std::function<void(std::uint64_t)> timed_out);
  // Ends the wait. False: none is open.
  bool end_wait();
  // True if the wait with this serial is open.
  bool waits(std::uint64_t serial) const;
  // Refuses a later begin() or ask(). True: a wait was open and is ended.
  bool stop();

  // Ends the task with the response message of its request. `how`: of its result, if it has one.
  void finish(Tasks::End how, std::string_view response);

 private:
  Core& core_;
  const ItemRequestParts& parts_;
  mutable std::mutex mutex_;
  bool stopped_ = false;
  std::string id_;
  bool waiting_ = false;
  std::uint64_t serials_ = 0;
  Timer::Id timer_ = 0;
};

}  // namespace gantry::host::rpc
