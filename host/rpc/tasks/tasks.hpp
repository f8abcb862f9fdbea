// host/rpc/tasks/tasks.hpp: the table of tasks: calls that continue after their request was
// answered, and whose result the client fetches.
//
//   begin -> working <-> input_required
//         -> completed | failed | cancelled, and forgotten task_ttl later
//
// A task is found by its id and its owner together. Each change of a status is published on
// the bus. Any thread; functions of Control are called with nothing locked.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <rapidjson/document.h>

#include "host/base/clock.hpp"
#include "host/base/text.hpp"
#include "host/bus/bus.hpp"
#include "host/limits/byte_budget.hpp"
#include "host/rpc/protocol_settings.hpp"

namespace gantry::host::rpc {

class Tasks {
 public:
  // The call behind a task. Released when the task ends.
  struct Control {
    std::function<void()> cancel;
    std::function<void(std::string)> answered;  // {key: answer} for all requests
  };
  enum class End { completed, failed, cancelled };

  // Both must outlive this.
  Tasks(Bus& bus, const Clock& clock, const ProtocolSettings& settings);

  // A new task and its members as JSON ("taskId":…,…); nothing when there are too many tasks. The
  // table owns the control until the task ends.
  struct Begun {
    std::string id, members;
  };
  std::optional<Begun> begin(std::string_view owner, Control control);

  // For the call. An unknown or ended task is ignored.
  void note(std::string_view id, std::string_view text);
  // `requests`: JSON object, key -> request. False: the task has ended, or there is no request.
  bool ask(std::string_view id, std::string_view requests);
  // `json`: the result, or the error, as JSON.
  void end(std::string_view id, End how, std::string json);

  // For the client. Nothing or false: the owner has no such task.
  std::optional<std::string> get(std::string_view id, std::string_view owner);
  // Accepts requested answers that are objects; with the last one the call continues.
  bool update(std::string_view id, std::string_view owner, const rapidjson::Value& answers);
  bool cancel(std::string_view id, std::string_view owner);

  // Cancels all tasks that have not ended.
  void cancel_all();
  std::size_t size() const;
  std::size_t active() const;  // tasks that have not ended

 private:
  enum class Status { working, input_required, completed, failed, cancelled };
  struct Task {
    std::string owner, created, updated, note, json;
    Status status = Status::working;
    std::vector<std::pair<std::string, std::string>> requests;  // not yet answered
    std::string answers;                                        // so far
    std::shared_ptr<Control> control;                           // null after the end
    std::shared_ptr<ByteBudget::Share> kept;                    // bytes of the result or error
  };
  using Table = std::unordered_map<std::string, Task, TextHash, std::equal_to<>>;

  std::string members_of(std::string_view id, const Task& task) const;
  void set(Task& task, Status status);
  void publish(std::string_view id);
  Task* find(std::string_view id, std::string_view owner);
  void keep(std::string_view id);
  void forget_result(std::string_view id);
  void forget_expired();

  Bus& bus_;
  const Clock& clock_;
  const ProtocolSettings settings_;
  std::mutex order_mutex_;  // changes are published in their order; taken before mutex_
  mutable std::mutex mutex_;
  Table tasks_;
  std::deque<std::pair<Clock::Instant, std::string>> ended_;  // ids by the time to drop them
};

}  // namespace gantry::host::rpc
